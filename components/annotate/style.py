"""How the work screen is laid out: texts and form scroll by themselves, and what submits is always
in view.
"""

from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.records import Task

TEXTS = '[class*="st-key-seat-text-"]'
ALWAYS = """
    .stMainBlockContainer { padding: 1rem 2rem 0 !important; max-width: 110rem; }
    [class*="st-key-seat-scale-"] { border-left: 3px solid transparent; padding-left: .6rem; }
    [class*="st-key-seat-scale-"][data-on] { border-left-color: currentColor; }
    .st-key-seat-boxes [role=radio] { min-width: 0; padding-inline: .15rem; }
    .stApp[data-test-connection-state]:not([data-test-connection-state="CONNECTED"])::after {
        content: "No connection. What you did is kept, and the form opens again by itself.";
        position: fixed; inset: auto 0 0; padding: .6rem 2rem;
        background: #333; color: #fff; z-index: 9; }
    [class*="st-key-seat-place-"] button > div { justify-content: flex-start; text-align: start; }
"""
HEAD, FOOT, ACROSS, ROW = 70, 238, 150, 40
"""Pixels down: the line above; note, button and keys below a form; note and button beside one
another, and keys; a row of a comparison.
"""
FADES = "linear-gradient(#000 calc(100% - 2rem), transparent)"
"""Where a form is longer than the window, so that what is cut off is not taken for its end."""


class Areas(NamedTuple):
    texts: DeltaGenerator
    boxes: DeltaGenerator
    foot: DeltaGenerator


def draw(task: Task, criteria: int, above: int) -> None:
    """Fit the window; for a comparison the texts have what the rows of the form leave."""
    below = ACROSS + ROW * criteria if task == "compare" else 20
    tall = f"max(11rem, calc(100vh - {HEAD + above + below}px)) !important"
    form = (
        ""
        if task == "compare"
        else (
            f"max-height: calc(100vh - {HEAD + above + FOOT}px); overflow-y: auto; padding: 0 .4rem"
            f" 2rem 0; mask-image: {FADES};"
        )
    )
    st.html(
        f"<style>{ALWAYS} {TEXTS} {{ height: {tall}; max-height: {tall}; overflow-y: auto; }}"
        f" .st-key-seat-boxes {{ {form} }}</style>"
    )


def areas(task: Task, stamp: str) -> Areas:
    """Lay out where texts, form and foot go; named by the unit, so that each begins at its top."""
    if task == "compare":
        texts = st.container()
        boxes = st.container(key="seat-boxes", gap="xsmall")
        return Areas(texts, boxes, st.container(key="seat-foot", gap="xsmall"))
    left, right = st.columns([11, 9], gap="medium")
    with left:
        texts = st.container(border=True, key=f"seat-text-{stamp}")
    with right:
        boxes = st.container(key="seat-boxes", gap="small")
        return Areas(texts, boxes, st.container(key="seat-foot", gap="xsmall"))
