"""Branching off from a round with other settings."""

import time
from collections.abc import Mapping, Sequence

import streamlit as st

from components.refine.scene import RefineScene
from components.runs.actors import KINDS
from components.runs.models import called, known_models
from components.shell import mistakes, person, services
from core.errors import BadInput
from core.methods.presets import PRESETS
from core.records import Indicator, Play, Variant, Wish
from core.runs.branching import branch
from core.runs.catalogue import ACTORS
from core.runs.planning import played
from core.store.answers import wished

VARIANTS: dict[Variant, str] = {
    name: kind.label for name, kind in KINDS.items() if name != "initial"
}
AS_BEFORE = "as before"
"""The choice that leaves a role's model as it is."""
OPEN = "refine:open-other"
"""The run that is to be opened next, as its address says: a branch that was made a moment ago, or
one that was picked.
"""
MADE = "refine:branch-made"
"""When a branch of a run was made, by run."""
SLIP = 2.0
"""Seconds within which a second press of a button is the same press: the browser may report one
click twice.
"""


def control(scene: RefineScene, after: int) -> None:
    """Draw the way to branch off after round `after` (0: from the first idea); starting the branch
    opens it.
    """
    go_on_there()
    if not scene.changeable or scene.line.first is None or scene.line.newest < after:
        return
    where = f"round {after}" if after else "the first idea"
    key = f"refine:branch:{scene.run.id}:{scene.line.n}:{after}"
    with st.popover(
        "Branch from here",
        icon=":material/call_split:",
        help="Go on from this version with other settings, in a run of its own",
    ):
        st.caption(
            f"A branch shares everything up to {where}, for free, and goes on from there. This run"
            " stays as it is."
        )
        _settings(scene.inputs.at(after + 1), key)
        st.button(
            "Branch and start",
            type="primary",
            icon=":material/call_split:",
            key=f"{key}:go",
            on_click=_start,
            args=(scene, after, key),
        )
        mistakes.shown(key)


def make(
    scene: RefineScene,
    after: int,
    wishes: Sequence[Wish],
    play: Play | None = None,
    models: Mapping[str, str] | None = None,
) -> None:
    """Make a branch and start it; the next drawing opens it. Raises BadInput."""
    pressed, runner = f"{MADE}:{scene.run.id}", services.runner()
    if time.monotonic() - float(st.session_state.get(pressed, -SLIP)) < SLIP:
        return
    made = branch(runner, scene.run.id, after, play, scene.line.n, wishes, models)
    runner.start(made.id)
    st.session_state[pressed] = time.monotonic()
    open_other(made.id, scene.line.n)


def open_other(run: str, line: int, n: int | None = None) -> None:
    """Look at a round of another run, its newest if none is said, from the next drawing on."""
    st.session_state[OPEN] = address(run, line, n)


def address(run: str, line: int, n: int | None = None) -> dict[str, str]:
    """Return the address of a round of a run."""
    return {
        "run": run,
        **({"round": str(n)} if n is not None else {}),
        **({"line": str(line)} if line > 1 else {}),
    }


def go_on_there() -> None:
    """Open the run that was asked for a moment ago, if any; a callback inside a fragment cannot."""
    if asked := st.session_state.pop(OPEN, None):
        st.query_params.from_dict(asked)
        st.rerun()


def _settings(was: Play, key: str) -> None:
    # No form: its texts would be lost on a visit to another page.
    st.multiselect(
        "Qualities",
        list(_known(was)),
        default=[goal.name for goal in was.goals],
        key=f"{key}:goals",
        max_selections=4,
        persist_state="session",
    )
    st.toggle(
        "With several: a round for each in turn",
        value=was.order == "taking turns",
        key=f"{key}:turns",
        persist_state="session",
    )
    offered = list(VARIANTS)
    variant: Variant = st.selectbox(
        "How it is refined",
        offered,
        index=offered.index(was.variant) if was.variant in offered else 0,
        key=f"{key}:variant",
        format_func=VARIANTS.__getitem__,
        persist_state="session",
    )
    left, right = st.columns(2, vertical_alignment="bottom")
    left.number_input(
        "Rounds more, at most",
        1,
        50,
        was.rules.max_rounds,
        key=f"{key}:rounds",
        persist_state="session",
    )
    right.number_input(
        "Stop after this many rounds in a row without improvement",
        1,
        10,
        was.rules.patience,
        key=f"{key}:patience",
        persist_state="session",
    )
    st.multiselect(
        "Human actors",
        KINDS[variant].people,
        default=[one for one in was.people if one in KINDS[variant].people],
        key=f"{key}:people:{variant}",
        persist_state="session",
        placeholder="None: all are models",
    )
    st.toggle(
        "Wait for me before every revision",
        value=was.step_in,
        key=f"{key}:step-in",
        persist_state="session",
    )
    names = [AS_BEFORE, "builtin", *known_models("main")]
    st.selectbox(
        "Model, for every actor",
        names,
        key=f"{key}:model",
        accept_new_options=True,
        persist_state="session",
        format_func=lambda name: name if name == AS_BEFORE else called(name),
        help="Pick one, or type provider:model.",
    )
    st.text_area(
        "A remark of yours for the next revision (optional)",
        key=f"{key}:wish",
        height=68,
        persist_state="session",
    )
    person.field(f"{key}:by")


def _start(scene: RefineScene, after: int, key: str) -> None:
    """Make the branch as it was asked for."""
    typed = st.session_state
    with mistakes.kept(key):
        play = _asked(scene.inputs.at(after + 1), key)
        model = str(typed.get(f"{key}:model") or AS_BEFORE)
        models = {} if model == AS_BEFORE else dict.fromkeys(ACTORS, model.strip())
        text = str(typed.get(f"{key}:wish") or "")
        wishes = []
        if text.strip():
            wishes.append(wished(text, person.name(), scene.line.n))
        make(scene, after, wishes, play, models)
        typed[f"{key}:wish"] = ""


def _asked(was: Play, key: str) -> Play:
    """Return how the branch is to be played; raises BadInput."""
    names = ("goals", "turns", "variant", "rounds", "patience", "step-in")
    said = {name: st.session_state.get(f"{key}:{name}") for name in names}
    known = _known(was)
    if not said["goals"]:
        raise BadInput("Choose at least one quality to improve.")
    if not said["rounds"] or not said["patience"]:
        raise BadInput(
            "Say how many rounds more there may be, and how many without improvement end it."
        )
    people = tuple(st.session_state.get(f"{key}:people:{said['variant']}") or ())
    # A printed game stays one, as long as nothing is asked for that it does not have.
    printed = was.printed and said["variant"] == "infal" and said["patience"] == 1 and not people
    return played(
        str(said["variant"]),
        [known[name] for name in said["goals"]],
        said["rounds"],
        said["patience"],
        step_in=bool(said["step-in"]),
        people=people,
        printed=printed,
        order="taking turns" if said["turns"] else "one after the other",
    )


def _known(was: Play) -> dict[str, Indicator]:
    """Return the qualities to choose from, by name: the run's own, the presets, those people
    keep.
    """
    own = services.store().indicators.all()
    return {goal.name: goal for goal in (*PRESETS.values(), *own, *was.goals)}
