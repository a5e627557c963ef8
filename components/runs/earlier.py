"""The runs a page shows, newest first, each a link to its view."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from components.runs.actors import played
from components.runs.states import PAGES, badge
from components.shell import services
from components.shell.text import ago, inline
from core.methods import RefineInputs
from core.methods.evolution import EvolveInputs
from core.records import Record, Run
from core.runs.catalogue import METHODS, entry


def draw(method: str, heading: str, empty: str) -> None:
    """Draw the runs of the page that shows this method, or say what to do when there is nothing to
    list.
    """
    st.subheader(heading)
    elsewhere = tuple(name for name in METHODS if PAGES.get(name) != PAGES[method])
    found = services.store().runs.listed(without=elsewhere, limit=8)
    if not found:
        st.info(empty)
    for run in found:
        with st.container(border=True, gap="xsmall"):
            st.page_link(PAGES[method], label=inline(run.title, 80), query_params={"run": run.id})
            other = f"{entry(run.config).label} · " if run.config.method != method else ""
            st.markdown(f"{badge(run)} :gray[{other}{detail(run)}{ago(run.created)}]")


def detail(run: Run) -> str:
    """Say what sets a run apart from others of the same title: the qualities it improves, how many
    ideas, the models that answer.
    """
    kind = entry(run.config).inputs
    said = DETAILS[kind](run.inputs_as(kind)) if kind in DETAILS else []
    models = [
        inline(name, 40)
        for name in dict.fromkeys(run.config.models.values())
        if name not in ("builtin", "")
    ]
    return "".join(f"{one} · " for one in (*said, *models))


def _evolved(inputs: EvolveInputs) -> list[str]:
    return [
        *([f"{inputs.lines} ideas"] if inputs.lines > 1 else []),
        *([] if inputs.informed else ["uninformed"]),
        *(["judged by a person"] if inputs.judged_by == "person" else []),
    ]


def _refined(inputs: RefineInputs) -> list[str]:
    several = [f"{inputs.lines} ideas"] if inputs.lines > 1 and inputs.only is None else []
    how = [played(inputs.play)] if inputs.play.printed or inputs.play.variant != "infal" else []
    return [", ".join(inline(goal.name, 40) for goal in inputs.play.goals), *how, *several]


DETAILS: dict[type[Record], Callable[[Any], list[str]]] = {
    RefineInputs: _refined,
    EvolveInputs: _evolved,
}
"""What sets runs apart, by what they were asked for."""
