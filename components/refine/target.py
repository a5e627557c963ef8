"""Several ideas side by side, and the idea of a published paper to rank them with."""

from typing import Any, NamedTuple

import streamlit as st

from components.library import chooser
from components.shell.idea_names import offered, tell_apart
from components.shell.text import inline
from core.errors import BadInput
from core.methods import RefineInputs
from core.records import Idea
from core.runs.planning import idea_of

NONE, PAPER, TYPED, KEPT = "No target", "A paper of the library", "A text", "From Ideas"


class ChosenTarget(NamedTuple):
    inputs: dict[str, Any]
    """By the names of `RefineInputs`; without `target` where none is wanted, or where it cannot be
    used.
    """
    wanted: bool = False
    wrong: str = ""
    """What keeps a run from starting, as a sentence."""


def draw() -> ChosenTarget:
    """Draw how many ideas are refined side by side, whether the checklist judges them, and the
    choice of a target, folded away.
    """
    with st.expander("Several ideas, a target to rank them with, a checklist"):
        lines = st.number_input(
            "Ideas refined side by side",
            1,
            8,
            1,
            key="refine:lines",
            persist_state="session",
            help="Each is refined by itself. The papers use 3 for every target.",
        )
        checked = st.checkbox(
            "Judge every version by the checklist too",
            key="refine:checklist",
            persist_state="session",
            help=(
                "Seven more calls for every version, side by side: how many items hold is one more"
                " score on the chart."
            ),
        )
        way = (
            st.segmented_control(
                "Target",
                [NONE, PAPER, TYPED, KEPT],
                key="refine:target",
                default=NONE,
                required=True,
                persist_state="session",
            )
            or NONE
        )
        st.caption(
            "Every version is ranked against this published idea, which gives each round a score"
            " (Q)."
        )
        if way == NONE:
            return ChosenTarget({"lines": lines, "checklist": checked})
        inputs: dict[str, Any] = {"lines": lines, "checklist": checked}
        wrong = ""
        try:
            inputs["target"] = CHOICES[way]()
        except BadInput as error:
            wrong = str(error)
        inputs["repeats"] = st.number_input(
            "How often each ranking is asked, every time in another order",
            1,
            9,
            RefineInputs.model_fields["repeats"].default,
            key="refine:repeats",
            persist_state="session",
        )
        inputs["same_form"] = st.checkbox(
            "Bring all ideas into the same six fields first",
            True,
            key="refine:same-form",
            persist_state="session",
        )
        st.caption(
            "The first idea is a paragraph, later ones have six fields: a judge could rank form"
            " instead of content."
        )
    return ChosenTarget(inputs, True, wrong)


def _paper() -> Idea:
    """Draw the choice of a paper and return the idea its title and abstract tell; raises
    BadInput.
    """
    paper = chooser.pick("refine:target:paper")
    if paper is None:
        raise BadInput("Pick the paper that is the target, or choose no target.")
    idea = chooser.idea_told(paper, ", or give the target as a text")
    st.caption(inline(paper.abstract, 600))
    return idea


def _typed() -> Idea:
    return idea_of(
        st.text_area(
            "The target",
            key="refine:target:text",
            height=140,
            persist_state="session",
            placeholder="One paragraph, or JSON with the fields of one of the forms",
        )
        or ""
    )


def _kept() -> Idea:
    """Draw the choice of a kept idea; raises BadInput."""
    every = offered()
    ideas = {one.id: one.idea for one in every}
    names = tell_apart(every)
    if st.session_state.get("refine:target:kept") not in ideas:
        st.session_state["refine:target:kept"] = None
    picked = st.selectbox(
        "Idea",
        list(ideas),
        index=None,
        key="refine:target:kept",
        persist_state="session",
        format_func=names.__getitem__,
        placeholder="Pick one of your ideas",
    )
    if not ideas:
        raise BadInput(
            "There is no idea yet. Keep one on a run's page first, or give the target as a text."
        )
    if picked is None:
        raise BadInput("Pick the idea that is the target, or choose no target.")
    return ideas[picked]


CHOICES = {PAPER: _paper, TYPED: _typed, KEPT: _kept}
