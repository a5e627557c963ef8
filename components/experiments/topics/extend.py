"""Extending an experiment over topics: cells that failed tried again, more models, judges or
contenders; only what is new is paid.
"""

import streamlit as st

from components.experiments import address
from components.runs import starting
from components.runs.models import several
from components.runs.states import active
from components.shell import services
from components.shell.frame import told
from components.shell.text import counted, inline
from core.experiments.topics import TopicExperimentInputs
from core.experiments.topics.contenders import KNOWN
from core.records import Run
from core.runs.estimates import worded
from core.runs.reproducing import estimate_extension, extend_recipe

CONTENDERS = "topics-extend:contenders"


def draw(run: Run, asked: TopicExperimentInputs, failed: int) -> None:
    """Draw what can be added to a run of a recipe that rests, of which so many cells failed."""
    if run.packed or active(run) or not run.config.recipe:
        return
    if failed:
        with told():
            if st.button(
                f"Try {counted(failed, 'failed cell')} again",
                icon=":material/refresh:",
                key="topics-extend:again",
                help=(
                    "A new experiment that takes over everything that is there; only the failed"
                    " cells are asked for again."
                ),
            ):
                _open(run, (), (), ())
    with (
        st.expander(
            "Add models, judges or contenders", icon=":material/add:", key="topics-extend:more"
        ),
        told(),
    ):
        _more(run, asked)


def _more(run: Run, asked: TopicExperimentInputs) -> None:
    st.caption(
        "What is there is taken over free; only what is new is paid. The extension is an experiment"
        " of its own, with the caps of this one."
    )
    left, right = st.columns(2)
    with left:
        models = several(
            "More models that write", "topics-extend:models", "generator", (), "provider:model", 8
        )
    with right:
        judges = several(
            "More judges",
            "topics-extend:judges",
            "judge",
            (),
            "They judge what is there, and what comes.",
            10,
            builtin=False,
        )
    said = st.text_area(
        "More contenders, one a line",
        key=CONTENDERS,
        height=68,
        max_chars=2_000,
        placeholder="chain, length 2",
        persist_state="session",
        help=f"Who joins: a preset and what departs from it. There are {KNOWN}.",
    )
    models = tuple(name for name in models if name not in asked.models)
    judges = tuple(name for name in judges if name not in asked.judges)
    contenders = tuple(filter(None, (line.strip() for line in (said or "").splitlines())))
    if not models and not judges and not contenders:
        st.caption("Choose somebody who does not take part yet.")
        return
    guess = worded(estimate_extension(services.workshop(), run, models, judges, contenders))
    st.caption(f"New: {inline(guess, 1_000)}")
    if st.button(
        "Extend the experiment", type="primary", icon=":material/add:", key="topics-extend:go"
    ):
        _open(run, models, judges, contenders)


def _open(
    run: Run, models: tuple[str, ...], judges: tuple[str, ...], contenders: tuple[str, ...]
) -> None:
    """Start the extension and go there; raises BadInput."""

    def begin() -> Run:
        runner = services.runner()
        made = extend_recipe(runner, run.id, models, judges, contenders)
        runner.start(made.id)
        return made

    made = starting.once("topics-extend", [run.id, *map(list, (models, judges, contenders))], begin)
    for name in ("topics-extend:models", "topics-extend:judges", CONTENDERS):
        st.session_state.pop(name, None)
    address.go_to(made.id)
