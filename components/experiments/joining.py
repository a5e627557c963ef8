"""Extending a run of a recipe: cells that failed tried again, more models, judges or contenders;
only what is new is paid.
"""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from components.experiments import address
from components.runs import starting
from components.runs.models import several
from components.runs.states import active
from components.shell import services
from components.shell.frame import told
from components.shell.text import counted, inline
from core.experiments.topics.contenders import KNOWN
from core.records import Run
from core.runs.estimates import worded
from core.runs.reproducing import estimate_extension, extend_recipe

CONTENDERS = "join:contenders"


class Joinable(NamedTuple):
    """Who takes part in an experiment, and who can join."""

    models: Sequence[str]
    judges: Sequence[str]
    judge: str
    """What a new judge does there, as a sentence."""
    contenders: bool = False
    """Whether contenders can join by name."""


def draw(run: Run, there: Joinable, failed: int) -> None:
    """Draw what can be added to a run of a recipe that rests, of which so many cells failed."""
    if run.packed or active(run) or not run.config.recipe:
        return
    if failed:
        with told():
            if st.button(
                f"Try {counted(failed, 'failed cell')} again",
                icon=":material/refresh:",
                key="join:again",
                help=(
                    "A new experiment that takes over everything that is there; only the failed"
                    " cells are asked for again."
                ),
            ):
                _open(run, (), (), ())
    with (
        st.expander(
            f"Add models{', judges or contenders' if there.contenders else ' or judges'}",
            icon=":material/add:",
            key="join:more",
        ),
        told(),
    ):
        _more(run, there)


def _more(run: Run, there: Joinable) -> None:
    st.caption(
        "What is there is taken over free; only what is new is paid. The extension is an experiment"
        " of its own, with the caps of this one."
    )
    left, right = st.columns(2)
    with left:
        models = several(
            "More models that write", "join:models", "generator", (), "provider:model", 8
        )
    with right:
        judges = several(
            "More judges",
            "join:judges",
            "judge",
            (),
            there.judge,
            10,
            builtin=False,
        )
    contenders = _contenders() if there.contenders else ()
    models = tuple(name for name in models if name not in there.models)
    judges = tuple(name for name in judges if name not in there.judges)
    if not models and not judges and not contenders:
        st.caption("Choose somebody who does not take part yet.")
        return
    guess = worded(estimate_extension(services.workshop(), run, models, judges, contenders))
    st.caption(f"New: {inline(guess, 1_000)}")
    if st.button("Extend the experiment", type="primary", icon=":material/add:", key="join:go"):
        _open(run, models, judges, contenders)


def _contenders() -> tuple[str, ...]:
    said = st.text_area(
        "More contenders, one a line",
        key=CONTENDERS,
        height=68,
        max_chars=2_000,
        placeholder="chain, length 2",
        persist_state="session",
        help=f"Who joins: a preset and what departs from it. There are {KNOWN}.",
    )
    return tuple(filter(None, (line.strip() for line in (said or "").splitlines())))


def _open(
    run: Run, models: tuple[str, ...], judges: tuple[str, ...], contenders: tuple[str, ...]
) -> None:
    """Start the extension and go there; raises BadInput."""

    def begin() -> Run:
        runner = services.runner()
        made = extend_recipe(runner, run.id, models, judges, contenders)
        runner.start(made.id)
        return made

    made = starting.once("join", [run.id, *map(list, (models, judges, contenders))], begin)
    for name in ("join:models", "join:judges", CONTENDERS):
        st.session_state.pop(name, None)
    address.go_to(made.id)
