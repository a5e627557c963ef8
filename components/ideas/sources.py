"""Where ideas that can be kept come from: typed by a person, or made in a run."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from components.shell import idea_card
from components.shell.text import ago, inline
from core.records import Idea, Outcome, Round, Run
from core.story import Story


class MadeIdea(NamedTuple):
    """An idea and where in its run it was made."""

    where: str
    idea: Idea


def of_story(story: Story) -> tuple[MadeIdea, ...]:
    """Return every idea of a run, the outcome first, each text once under the place that names it
    best.
    """
    found: list[MadeIdea] = []
    for record in reversed(story.records):
        if isinstance(record, Outcome):
            found.append(MadeIdea(f"outcome, from round {record.round}", record.idea))
        elif isinstance(record, Round):
            found.append(MadeIdea(f"round {record.n}", record.revision.idea))
        elif isinstance(record, Idea):
            found.append(MadeIdea("idea as first written", record))
    once: dict[str, MadeIdea] = {}
    for made in found:
        once.setdefault(made.idea.digest(), made)
    return tuple(once.values())


def typed() -> str | None:
    """Draw the box for an idea of one's own and return its text once it is to be kept."""
    text = st.text_area(
        "Your idea, as a paragraph, or as JSON with the fields of one of the forms",
        key="ideas:typed",
        height=160,
        persist_state="session",
        placeholder="What is the problem, what is new, how would it be tested?",
    )
    wanted = st.button(
        "Keep it", icon=":material/bookmark_add:", type="primary", key="ideas:keep-typed"
    )
    return (text or "") if wanted else None


def run_to_look_in(runs: Sequence[Run]) -> str | None:
    """Draw the choice of a run and return its id; it lives in the address."""
    if not runs:
        st.info(
            "No run has begun yet. Build a chain or refine an idea, and what they make can be kept"
            " here."
        )
        st.page_link("pages/chains.py", label="Build a chain", icon=":material/timeline:")
        return None
    names = {run.id: f"{run.title[:80]} ({run.id}, {ago(run.created)})" for run in runs}
    return st.selectbox(
        "Run",
        list(names),
        index=None,
        format_func=names.__getitem__,
        key="ideas:run",
        placeholder="Pick a run, newest first",
        persist_state="session",
    )


def made_in(run: str, made: Sequence[MadeIdea], kept: frozenset[str]) -> MadeIdea | None:
    """Draw the ideas of a run and return the one a person wants to keep."""
    if not made:
        st.info("This run has made no idea yet.")
    wish = None
    for n, one in enumerate(made):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{inline(one.idea.title, 100)}**", width="content")
            st.caption(inline(one.where), width="content")
            st.space("stretch")
            if one.idea.digest()[:16] in kept:
                st.caption(":material/bookmark_added: kept", width="content")
            elif st.button("Keep", icon=":material/bookmark_add:", key=f"ideas:keep:{run}:{n}"):
                wish = one
        unfolded = st.expander(
            "Read it", key=f"ideas:read:{run}:{n}", on_change="rerun", type="compact"
        )
        if unfolded.open:
            with unfolded:
                idea_card.draw(one.idea, None, "", f"ideas:{run}:{n}")
    return wish
