"""Editing one branch of a finished chain: its papers, its trend, its predicted direction; every
change is made in a fork.
"""

import streamlit as st

from components.chains.edit import copy as copies
from components.chains.edit import papers, texts
from components.runs import states
from components.shell import services
from components.shell.frame import told
from components.shell.text import counted
from core.records import Run
from core.runs.catalogue import METHODS
from core.story import Branch


def draw(run: Run, branch: Branch, paper_id: str | None) -> None:
    """Draw the switch for editing and, once it is on, what can be changed; `paper_id` is the paper
    picked on the page.
    """
    if not branch.settled:
        return
    if said := _barred(run, branch):
        st.caption(f":material/edit_off: {said}")
        return
    key = copies.key(run, branch.n)
    on = st.toggle(
        "Edit this chain" + (" (has changes that are not made yet)" if copies.changes(key) else ""),
        key=f"{key}:on",
        persist_state="session",
        help=(
            "Changes are collected here first. What they cost is shown before anything is asked,"
            " and the chain as it is now stays."
        ),
    )
    if on:
        with st.container(border=True), told():
            _parts(run, branch, key, paper_id)


def _barred(run: Run, branch: Branch) -> str:
    """Return why the branch cannot be edited; empty where it can."""
    if run.packed:
        return "Case studies cannot be edited."
    if states.active(run):
        return "The chain can be edited as soon as the run rests."
    if (
        run.config.version != METHODS["chain"].version
        or services.store().steps.place(run.id, f"branch-{branch.n}/chain") is None
    ):
        return (
            "This chain was made by an earlier version of the program: it can be read, but not"
            " edited."
        )
    return ""


def _parts(run: Run, branch: Branch, key: str, paper_id: str | None) -> None:
    parts = [
        "Papers",
        *(["Trend"] if branch.trend else []),
        *(["Direction"] if branch.direction else []),
    ]
    part = (
        st.radio(
            "What to change", parts, key=f"{key}:part", horizontal=True, persist_state="session"
        )
        if len(parts) > 1
        else "Papers"
    )
    if part != "Papers" and (n := copies.changes(key)):
        st.info(
            f"{counted(n, 'change')} to the papers {'is' if n == 1 else 'are'} not made yet, and no"
            " part of this. Make that chain first, then go on from there.",
            icon=":material/info:",
        )
    if part == "Trend":
        texts.trend(run, branch, key)
    elif part == "Direction":
        texts.direction(run, branch, key)
    else:
        papers.draw(run, branch, key, paper_id)
