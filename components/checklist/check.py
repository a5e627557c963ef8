"""Layout and Length of an idea by code alone: free, at once, and without a run."""

import streamlit as st

from components.checklist import passages
from components.checklist.items import LOOKS, item_name
from components.shell.text import inline, shown
from core.judging.checklist import by_code_alone
from core.records import BY_CODE, HEADINGS, Idea

ASKED = "checklist:check"
"""The idea whose layout and length were asked for, by its digest."""
NEEDS_HEADINGS = (
    "Code can judge only ideas written under the seven headings, and this one is not."
    f" Write it under {', '.join(HEADINGS)}, each on a line of its own, and check again; or evolve"
    " it: its first revision has them."
)


def button(idea: Idea | None) -> None:
    """Draw the button that asks for it; without an idea there is nothing to check."""
    if idea:
        st.button(
            "Check layout and length only",
            icon=":material/straighten:",
            key="checklist:check:go",
            on_click=st.session_state.update,
            args=({ASKED: idea.digest()},),
            help="By code: free, at once, no model and no run.",
        )


def draw(idea: Idea | None) -> None:
    """Draw what code finds, if it was asked for this very text."""
    if idea is None or st.session_state.get(ASKED) != idea.digest():
        return
    if idea.form != "headed":
        st.info(NEEDS_HEADINGS, icon=":material/info:")
        return
    passages.style()
    found = [one for one in by_code_alone(idea).items if one.item in BY_CODE]
    with st.container(border=True):
        for one in found:
            look = LOOKS[one.score]
            with st.container(key=passages.key(one.item), gap="xsmall"):
                st.markdown(
                    f":{look.colour}[{look.icon}] **{inline(item_name(one.item))}** {look.word}"
                )
                if one.directive:
                    st.markdown(
                        f"{shown(one.directive.issue)}\n\n:small[:material/arrow_forward:"
                        f" {inline(one.directive.suggestion, 2_000)}]"
                    )
        st.caption("The other seven items need a language model to judge them.")
    passages.draw(idea, [one for one in found if one.score == 0])
