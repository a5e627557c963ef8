"""A refinement on screen: what is played, the rounds as a timeline, the three actors side by side,
the scores, and why it stopped.
"""

from functools import partial

import streamlit as st

from components.refine import address, brief, columns, compare, facts, notes, scores, steer, tree
from components.refine import round as refine_round
from components.refine import scene as refine_scene
from components.refine.address import VIEWS
from components.refine.scene import RefineScene
from components.runs import states, views, waiting, writing
from components.runs.actors import cast
from components.shell import idea_card, in_view, keys, onward, services
from components.shell.text import inline
from components.shell.widget_state import put
from core.records import Run

MARKS = {True: ":material/trending_up:", False: ":material/trending_flat:", None: ""}
SIGNS = (
    ":material/trending_up: improved, :material/trending_flat: no improvement, :material/person: a"
    " person stepped in"
)
TIMELINE = "Rounds"
KEYS = {"ArrowLeft": "← → rounds", "ArrowRight": "← → rounds", "c": "c compare", "n": "n note"}


def whole(run: Run) -> None:
    """Draw the run; while it is active, redraw every second."""
    states.head(run, "refine", "New refinement")
    states.followed(run, _drawn)


def _drawn(run: Run) -> None:
    address.follow(run)
    scene = refine_scene.now(run, address.line(run))
    states.strip(run, "refine", _doing(scene))
    draw(scene)
    address.say(scene)


def _doing(scene: RefineScene) -> str:
    """Say what is done about the idea that is looked at."""
    n = scene.going_on
    if scene.line.first is None or n is None:
        return "Finishing." if scene.line.first else "Looking for background, then the first idea."
    play = scene.inputs.at(n)
    earlier = scene.inputs.earlier[-1].upto if scene.inputs.earlier else 0
    now = f"Round {n} of at most {play.most + earlier}"
    steps = [part.key.rsplit("/", 1)[-1] for part in scene.parts]
    for part, actor in cast(play.variant).items():
        if not {*steps}.isdisjoint(refine_round.WRITES[part]):
            return f"{now}: the {scene.actors(n)[actor]} is {columns.DOES[part][1]}."
    return f"{now}."


def draw(scene: RefineScene) -> None:
    """Draw a scene: what is played, how it ended, and one view of it; while a recording plays, all
    it knows is the scene, and nothing may be changed.
    """
    # In places that stay: a box that moves to another one forgets what is half typed in it.
    with st.container():
        _above(scene)
    if scene.line.first is None:
        return
    view = _views(scene)
    {
        "rounds": _rounds,
        "compare": compare.draw,
        "branches": tree.draw,
        "scores": scores.draw,
    }[view](scene)
    # Where a recording is played, the arrows move the recording.
    heard = ["c"] if scene.playing else ["ArrowLeft", "ArrowRight", "c"]
    heard += ["n"] if scene.changeable else []
    marks = f" · Rounds: {SIGNS}" if view == "rounds" else ""
    st.caption(f"Keys: {', '.join(dict.fromkeys(KEYS[key] for key in heard))}{marks}")
    keys.listen(
        heard,
        partial(_pressed, scene),
        key=f"refine:keys:{scene.run.id}",
        groups=(TIMELINE,),
        follows={"n": f".st-key-{notes.BOX} textarea"},
    )
    in_view.follow("refine")


def _above(scene: RefineScene) -> None:
    """Draw what is asked and how it stands, or ended."""
    over = scene.line.outcome is not None
    if not over:
        facts.draw(scene)
    if not scene.playing:
        waiting.draw(scene.run)
    if scene.several:
        _lines(scene)
    if scene.line.first is None:
        _nothing_yet(scene)
        return
    if over:
        brief.draw(scene)
        facts.draw(scene)
    states.lost(scene.line)


def _lines(scene: RefineScene) -> None:
    said = {}
    for line in scene.story.lines:
        if line.first is None:
            continue
        state = f"round {line.newest + 1}"
        if line.outcome:
            ended = "converged" if line.outcome.converged else "ended"
            state = f"{ended}, round {line.newest}"
        said[line.n] = (inline(line.version(line.newest).title, 44), state)
    key = address.line_key(scene.run)
    put(key, scene.line.n)
    names = {}
    for n in range(1, scene.inputs.lines + 1):
        title, state = said.get(n, (f"Idea {n}", "no idea yet"))
        names[n] = f"{n} {title} :small[:gray[{state}]]"
    views.row("Idea", names, key)


def _nothing_yet(scene: RefineScene) -> None:
    if scene.playing:
        for part in scene.parts:
            writing.draw(part)
        return
    if scene.inputs.idea:
        st.markdown("**The idea, as it was given**")
        idea_card.draw(scene.inputs.idea, None, "", "")
    states.doing(scene.run, *(("background", "target", scene.prefix) if scene.several else ()))
    if scene.run.state in ("failed", "stopped"):
        onward.again("pages/refine.py", scene.inputs.topic)


def _views(scene: RefineScene) -> str:
    key = address.view_key(scene.run)
    if st.session_state.get(key) not in VIEWS:
        address.show(scene.run, "rounds")
    return views.draw(
        scene.run, "refine", VIEWS, key, exports=not scene.playing, persist_state="session"
    )


def _rounds(scene: RefineScene) -> None:
    if _judged_unread(scene):
        st.caption(
            "The rounds are shown again once the verdict is submitted: an area chair judges the"
            " two versions without the review."
        )
        return
    n = _timeline(scene)
    with st.container():
        refine_round.draw(scene, n)
    if scene.changeable:
        steer.draw(scene)


def _judged_unread(scene: RefineScene) -> bool:
    """Whether a person is asked for the verdict of an area chair, who does not read the review
    (Review & Rebuttal).
    """
    variant = scene.inputs.at(scene.line.newest + 1).variant
    if scene.playing or variant != "review-rebuttal":
        return False
    return any(
        question.key.startswith(scene.prefix) and question.key.endswith("/verdict")
        for question in services.store().answers.open(scene.run.id)
    )


def _timeline(scene: RefineScene) -> int:
    """Draw the rounds as a row of choices and return the open one; follows the newest until a
    person picks another.
    """
    n, newest = address.opened(scene), address.newest(scene)
    names = {0: "First idea"} | {k: _named(scene, k) for k in range(1, newest + 1)}
    key = address.timeline_key(scene.run, scene.line.n)
    put(key, n)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        views.row(TIMELINE, names, key, on_change=_pick_round, args=(scene, key))
        if not address.follows(scene) and scene.live:
            st.button(
                "Follow",
                icon=":material/last_page:",
                key="refine:follow",
                on_click=address.open_round,
                args=(scene, None),
                help="Show the newest round again, whichever it is.",
            )
    return n


def _named(scene: RefineScene, n: int) -> str:
    done = scene.round(n)
    if done is None:
        return f"{n} :material/edit_note: {'now' if scene.live else 'not finished'}"
    mark = MARKS[done.verdict.improved if done.verdict else None]
    person = " :material/person:" if done.wishes or done.base else ""
    several = len(scene.inputs.at(n).goals) > 1
    goal = f" :small[{facts.short(done.goal)}]" if several else ""
    return f"{n} {mark}{person}{goal}"


def _pick_round(scene: RefineScene, key: str) -> None:
    address.open_round(scene, st.session_state[key])


def _pressed(scene: RefineScene, key: str) -> None:
    """Do what a key asks for; a callback, so it draws nothing."""
    view = st.session_state.get(address.view_key(scene.run))
    if key == "c" and view != "compare":
        n = min(address.opened(scene), scene.line.newest)
        address.compare(scene, max(n - 1, 0), n or scene.line.newest)
        return
    address.show(scene.run, "rounds")
    if key == "c":
        return
    if key == "n":
        st.session_state[notes.OPEN] = True
    else:
        address.open_round(scene, address.opened(scene) + (1 if key == "ArrowRight" else -1))
