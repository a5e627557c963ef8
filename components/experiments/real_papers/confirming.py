"""Confirming the topics of many papers on one screen, by keyboard: a row for each paper, kept or
left out, its topic as it is or worded otherwise.
"""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from components.experiments.real_papers import rows
from components.runs import answering
from components.shell import mistakes, person, services
from components.shell.frame import told
from components.shell.text import counted, inline
from core.errors import BadInput
from core.records import Run
from core.store.answers import OpenQuestion

STEP = "topics"
"""The name of the step that asks."""
LONGEST = 200
"""Letters of a topic."""


class ProposedTopic(NamedTuple):
    """A paper, and the topic that was taken from it."""

    paper: str
    title: str
    abstract: str
    topic: str
    keep: bool


def draw(run: Run) -> None:
    """Draw the rows of the question that is open; nothing where none is."""
    questions = services.store().answers.open(run.id)
    answering.draw(run.id, questions, lambda _: "The list of topics")
    for question in questions:
        if question.key.rpartition("/")[2] == STEP:
            _table(question)


@st.fragment
def _table(question: OpenQuestion) -> None:
    with told():
        _rows(question, _proposed(question))


def _proposed(question: OpenQuestion) -> tuple[ProposedTopic, ...]:
    """Return what the question shows; raises BadInput for one of another version."""
    shown = question.question.get("shown")
    given: Mapping[str, object] = shown if isinstance(shown, dict) else {}
    proposed, papers = given.get("proposed"), given.get("papers")
    if not isinstance(proposed, dict) or not isinstance(papers, list):
        raise BadInput("This question cannot be answered here. Answer it from the command line.")
    by_id = {str(one["paper"]): one for one in papers}
    return tuple(
        ProposedTopic(
            paper=str(one["paper"]),
            title=str(by_id[str(one["paper"])].get("title", "")),
            abstract=str(by_id[str(one["paper"])].get("abstract") or ""),
            topic=str(one["topic"]),
            keep=bool(one["keep"]),
        )
        for one in proposed["topics"]
    )


def _rows(question: OpenQuestion, proposed: tuple[ProposedTopic, ...]) -> None:
    key = f"topics:{question.run}:{question.key}"
    answering.restored(question, key)
    st.markdown("##### :material/person_raised_hand: Confirm the topics")
    st.caption(
        "A topic must not give the paper's own answer away. ↑ and ↓ go from row to row, ← and →"
        " between the tick and the topic, the space bar keeps a paper or leaves it out, Ctrl+Enter"
        " confirms. What you change is kept as you go."
    )
    person.field("waiting:by", "Your name, kept with the answers (optional)")
    with st.container(horizontal=True):
        for label, keeps in (("Keep all", True), ("Leave all out", False)):
            st.button(
                label,
                key=f"{key}-all-{keeps}",
                on_click=_all,
                args=(key, len(proposed), keeps),
                type="tertiary",
            )
    names: list[str] = []
    with st.container(key=rows.ROWS, gap="xsmall"):
        for n, one in enumerate(proposed):
            names += [f"keep:{n}", f"topic:{n}"]
            _row(key, n, one)
    answer = [
        {
            "paper": one.paper,
            "topic": str(st.session_state[f"{key}:topic:{n}"] or "").strip() or one.topic,
            "keep": bool(st.session_state[f"{key}:keep:{n}"]),
        }
        for n, one in enumerate(proposed)
    ]
    kept = [str(one["topic"]) for one in answer if one["keep"]]
    _warn(kept)
    with st.container(horizontal=True, vertical_alignment="center", key=rows.CONFIRM):
        if st.button(
            f"Confirm {counted(len(kept), 'topic')} of {len(proposed)}",
            icon=":material/check:",
            type="primary",
            key=f"{key}-confirm",
        ):
            with mistakes.kept(key):
                if not kept:
                    raise BadInput("Keep at least one topic.")
                answering.forget(question, key)
                answering.hand_in(question, {"topics": answer})
    answering.keep(question, key, names)
    answering.begin(question, key)
    mistakes.shown(key)
    rows.walk([(one.title, one.abstract) for one in proposed], "topics-walk")


def _row(key: str, n: int, one: ProposedTopic) -> None:
    st.session_state.setdefault(f"{key}:keep:{n}", one.keep)
    st.session_state.setdefault(f"{key}:topic:{n}", one.topic)
    left, right = st.columns([2, 3], vertical_alignment="center", gap="small")
    left.checkbox(inline(one.title, 120), key=f"{key}:keep:{n}", persist_state="session")
    right.text_input(
        f"Topic of paper {n + 1}",
        key=f"{key}:topic:{n}",
        label_visibility="collapsed",
        max_chars=LONGEST,
        persist_state="session",
        placeholder=one.topic,
    )


def _all(key: str, many: int, kept: bool) -> None:
    """Keep all, or leave all out; for callbacks."""
    for n in range(many):
        st.session_state[f"{key}:keep:{n}"] = kept


def _warn(kept: list[str]) -> None:
    """Say beforehand which topic is there twice."""
    twice = [topic for topic, n in Counter(kept).items() if n > 1]
    if twice:
        st.warning(
            f"Two papers are kept with the topic “{inline(twice[0], 200)}”. Word one otherwise, or"
            " leave one out.",
            icon=":material/content_copy:",
        )
