"""What of a refinement is looked at: which idea, which view, which round; the address says it, so
that a link restores it.
"""

import streamlit as st

from components.refine.scene import RefineScene
from components.shell import address, in_view
from core.methods import RefineInputs
from core.records import Run

VIEWS = {"rounds": "Rounds", "compare": "Compare", "branches": "Branches", "scores": "Scores"}
NAMES = ("view", "round", "line")
"""What this page says of itself in the address, besides the run."""


def follow(run: Run) -> None:
    """Take over what the address asks for, where somebody wishes for it."""
    asked = address.asked_for(NAMES)
    if not address.wished(f"refine:{run.id}", asked):
        return
    view, n, k = asked
    if k.isdecimal():
        st.session_state[line_key(run)] = int(k)
    st.session_state[_round_key(run, line(run))] = int(n) if n.isdecimal() else None
    show(run, view if view in VIEWS else "rounds")
    if n:
        in_view.wish(timeline_key(run, line(run)))
    elif view:
        in_view.wish(view_key(run))


def say(scene: RefineScene) -> None:
    """Make the address say what is looked at; the usual round and the first idea go without
    saying.
    """
    run, n = scene.run, st.session_state.get(_round_key(scene.run, scene.line.n))
    view = st.session_state.get(view_key(run), "rounds")
    address.say(
        f"refine:{run.id}",
        NAMES,
        (
            view if view != "rounds" else "",
            str(n) if n is not None else "",
            str(scene.line.n) if scene.several and scene.line.n > 1 else "",
        ),
    )


def line(run: Run) -> int:
    """Return the idea that is looked at; of a branch of a run that had several, the one that goes
    on.
    """
    inputs = run.inputs_as(RefineInputs)
    only = inputs.only or 1
    picked = int(st.session_state.get(line_key(run)) or only)
    return picked if 1 <= picked <= inputs.lines else only


def line_key(run: Run) -> str:
    return f"refine:line:{run.id}"


def view_key(run: Run) -> str:
    return f"refine:view:{run.id}"


def timeline_key(run: Run, line: int) -> str:
    return f"refine:timeline:{run.id}:{line}"


def show(run: Run, view: str) -> None:
    """Look at another view from the next drawing on."""
    st.session_state[view_key(run)] = view


def compare(scene: RefineScene, older: int, newer: int) -> None:
    """Look at two versions side by side from the next drawing on."""
    lane = f"{scene.run.id}:{scene.line.n}"
    st.query_params.update(a=f"{lane}:{older}", b=f"{lane}:{newer}")
    show(scene.run, "compare")
    in_view.wish(view_key(scene.run))


def newest(scene: RefineScene) -> int:
    """Return the newest round there is to look at; in a recording the first idea stays until its
    review is there, so that it can be read.
    """
    n = scene.going_on
    reading = (
        scene.playing
        and n == 1
        and "review" not in scene.settled
        and scene.inputs.at(1).variant != "no-optimizer"
    )
    return n if n and not reading else scene.line.newest


def opened(scene: RefineScene) -> int:
    """Return the round that is looked at: the one a person picked, or the usual one."""
    picked = st.session_state.get(_round_key(scene.run, scene.line.n))
    return usual(scene) if picked is None else min(int(picked), newest(scene))


def usual(scene: RefineScene) -> int:
    """Return the round that is looked at where nobody picks one: the newest, and once all is over
    the last that improved the idea, since those after it changed nothing for the better.
    """
    over = scene.line.outcome and not scene.playing
    return improved(scene) if over and improved(scene) else newest(scene)


def improved(scene: RefineScene) -> int:
    """Return the last round that was judged an improvement; 0 if none was."""
    judged = [done for done in scene.line.rounds if done.verdict and done.verdict.improved]
    return judged[-1].n if judged else 0


def follows(scene: RefineScene) -> bool:
    """Whether the usual round is looked at, whichever it is."""
    return st.session_state.get(_round_key(scene.run, scene.line.n)) is None


def open_round(scene: RefineScene, n: int | None) -> None:
    """Look at round `n` from the next drawing on; None follows the usual one."""
    if n is not None:
        n = min(max(n, 0), newest(scene))
        n = None if n == usual(scene) else n
    st.session_state[_round_key(scene.run, scene.line.n)] = n


def _round_key(run: Run, line: int) -> str:
    return f"refine:open:{run.id}:{line}"
