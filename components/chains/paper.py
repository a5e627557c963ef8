"""A paper of a chain on screen: where it stands, what it was read from, what was extracted, what
else could stand in its place.
"""

import streamlit as st

from components.shell.text import counted, inline, shown
from core.judging.claims import SIMILARITY
from core.literature import authors
from core.literature.addresses import addresses
from core.literature.venues import name_place
from core.records import Considered, Link, Mention
from core.records.literature import PASSAGES
from core.story import Branch

TO = {
    "anchor": "the topic",
    "retrieved": "the topic",
    "forward": "topic and anchor",
    "backward": "topic and the later paper",
}
"""What a paper's similarity in a chain is to, by how it came in."""
HOPS = {
    "anchor": "Anchor",
    "forward": "Forward: leads on from the paper before",
    "backward": "Backward: the paper after was built on it",
    "person": "Put in by a person",
    "retrieved": "Retrieved",
}


def marks(link: Link) -> list[str]:
    """Return what is special about a paper of a chain."""
    came = {"anchor": ["anchor"], "person": ["put in by a person"]}.get(link.hop, [])
    return came + ["milestone"] * link.milestone + ["pinned"] * link.pinned


def name(link: Link) -> str:
    """Return a line for lists: year, title, and what is special about it."""
    special = f" :gray[({', '.join(marks(link))})]" if marks(link) else ""
    return f"{link.paper.year or '?'} · {inline(link.paper.title, 90)}{special}"


def card(link: Link, branch: Branch) -> None:
    """Draw a paper of a branch."""
    paper = link.paper
    with st.container(border=True):
        st.markdown(f"**{inline(paper.title)}**")
        citations = (
            counted(paper.citations, "citation")
            if paper.citations is not None
            else "citations not known"
        )
        date = paper.published or str(paper.year or "undated")
        facts = authors.listed(paper, 6), name_place(paper), date, citations
        st.caption(inline(" · ".join(filter(None, facts))))
        with st.container(horizontal=True):
            for where, address in addresses(paper):
                st.link_button(where, address)
        near = " Near in meaning; its source knows no citation." if paper.near else ""
        score = (
            f", similarity to {TO.get(link.hop, 'what it was looked for with')}: {link.score:.2f}"
            if link.score is not None
            else ""
        )
        st.markdown(f"*{HOPS[link.hop]}*{score}.{near} {inline(link.reason, 1_000)}")
        st.caption(f":material/description: {inline(read_from(link))}")
        if paper.abstract_by == "foundry":
            st.caption(
                ":material/edit_note: A summary written for the built-in papers, not the"
                " authors' abstract."
            )
        st.markdown(shown(paper.abstract) or "*No abstract.*")
        _reading(link)
        _others(link, branch)


def read_from(link: Link) -> str:
    """Say what the paper was read from."""
    if link.hop == "retrieved":
        return "Taken by its abstract; nothing is extracted where there is no chain."
    if link.reading is None:
        return "Not read (yet): its idea and experiments are not extracted."
    text = link.text
    alone = "Abstract" if link.paper.abstract else "Title"
    if text is None:
        return f"Read from its {alone.lower()}."
    if text.state == "read":
        return f"Read from {counted(text.pages, 'page')} of full text."
    if text.state == "no PDF":
        return f"{alone} only: no PDF."
    return f"{alone} only: the PDF could not be used: {text.reason}"


def _reading(link: Link) -> None:
    if link.reading is None:
        return
    with st.expander("What was read from it"):
        for field, text in link.reading.idea.model_dump().items():
            if text:
                st.markdown(f"**{field.capitalize()}.** {inline(text, 2000)}")
        for experiment in link.reading.experiments:
            parts = experiment.model_dump().items()
            said = "; ".join(f"{part}: {inline(text)}" for part, text in parts if text)
            st.markdown(f"**Experiment.** {said}")
        if entities := link.reading.entities:
            said = "; ".join(f"*{inline(it.name)}*: {inline(it.meaning, 160)}" for it in entities)
            st.markdown(f"**Entities.** {said}")


def _others(link: Link, branch: Branch) -> None:
    """Draw how it is cited, and what else there was to choose from when this paper was taken."""
    choice = considered_for(link, branch)
    if choice is None:
        return
    same = [one for one in choice.candidates if one.paper.same(link.paper)]
    others = [one for one in choice.candidates if not one.paper.same(link.paper)]
    if taken := cited(same[0].how, PASSAGES) if same else "":
        st.markdown(f"*How the paper after cites it:* {taken}")
    if not others:
        return
    with st.expander(f"Other candidates for this place ({len(others)} of {amount(choice)})"):
        for other in others:
            verdict = {True: "relevant", False: "not relevant", None: "not judged"}[other.relevant]
            score = f"similarity {other.score:.2f} · " if other.score is not None else ""
            reason = f". {inline(other.reason)}" if other.reason else ""
            how = cited(other.how, PASSAGES)
            st.markdown(
                f"- {score}**{inline(other.paper.title, 120)}** ({other.paper.year or 'undated'}):"
                f" {verdict}{reason}" + (f"\n  - {how}" if how else "")
            )
        st.caption(f"The similarity is to {TO.get(link.hop, 'the topic')}.", help=SIMILARITY)


def considered_for(link: Link, branch: Branch) -> Considered | None:
    """Return the choice this paper came from, or None where none was recorded."""
    return next(
        (
            one
            for one in branch.considered
            if one.hop == link.hop
            and any(other.paper.same(link.paper) for other in one.candidates if other.relevant)
        ),
        None,
    )


def amount(choice: Considered) -> str:
    """Say how many papers the source gave, whether it has more, and how many were compared."""
    more = ", the source has more" if choice.more else ""
    if choice.compared is None:
        return f"{choice.found:,} found{more}"
    return (
        f"{choice.found:,} found{more}; the {choice.compared:,} nearest in words were compared in"
        " meaning"
    )


def cited(how: Mention, passages: int = 1) -> str:
    """Say how a paper is cited, with the first passages; nothing where nothing is known."""
    facts = []
    if how.influential:
        facts.append("influential for the citing paper")
    if how.intents:
        facts.append(f"cited for {', '.join(how.intents)}")
    facts += [f"“{passage}”" for passage in how.contexts[:passages]]
    return inline(" · ".join(facts), 1_000)
