"""The papers that a refinement would be given, each with how near it is to the idea: what does not
fit is left out, and a person decides.
"""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from components.runs import looking
from components.shell import meaning, services
from components.shell.text import counted, inline
from core.errors import FoundryError
from core.judging.claims import SIMILARITY
from core.literature.port import Query
from core.methods import Looking
from core.records import Paper, Search, digest
from core.runs.planning import validated

FITS = 0.45
"""Similarity from which a paper is taken to be of the idea's own field. Tried on the built-in
papers: those on the subject have 0.49 and more, those of another field 0.43 and less.
"""
HERE = ("shelf", "library")
"""Sources that answer at once, from this computer."""
LOOKED = "refine:looked"
"""The text that papers were looked for by, and where."""


class OfferedPaper(NamedTuple):
    paper: Paper
    similarity: float | None
    """To the idea; None while the embedding model is not to be had."""


def find(source: str, topic: str, about: str, most: int) -> list[OfferedPaper] | None:
    """Draw the search and return at most so many papers, nearest to the topic first; None where
    they are not known yet. `about` is the text they have to fit.
    """
    if not topic:
        return None
    if source in HERE:
        if services.workshop().embedder.state != "ready":
            meaning.state("refine")
            return None
        papers = services.workshop().source(source).search(Query(text=topic, limit=most))
        return compared(papers, about)
    return _looked_up(source, topic, about, most)


def compared(papers: Sequence[Paper], about: str) -> list[OfferedPaper]:
    """Return the papers with their similarity to this text."""
    embedder, similarities = services.workshop().embedder, [None] * len(papers)
    if embedder.state != "ready":
        return list(map(OfferedPaper, papers, similarities))
    texts = [f"{paper.title}\n{paper.abstract}" for paper in papers]
    return list(map(OfferedPaper, papers, embedder.similarities(about, texts)))


def choose(offered: Sequence[OfferedPaper], about: str, all_fit: bool = False) -> tuple[Paper, ...]:
    """Draw a box for each paper and return those that are ticked; those that do not fit begin
    without a tick, unless they are known to.
    """
    st.caption("Ticked papers are given to the actors, others are not.", help=SIMILARITY)
    picked = []
    for one in offered:
        # A box for each text: what was decided for another idea does not hold for this one.
        box = f"refine:given:{digest(about)[:8]}:{one.paper.id}"
        far = _is_far(one)
        st.session_state.setdefault(box, all_fit or not far)
        like = "" if one.similarity is None else f" :gray[similarity {one.similarity:.2f}]"
        mark = " :orange[:material/warning: another field?]" if far else ""
        label = f"{one.paper.year or 'undated'} · {inline(one.paper.title, 110)}{like}{mark}"
        if st.checkbox(label, key=box, persist_state="session"):
            picked.append(one.paper)
    return tuple(picked)


def _is_far(one: OfferedPaper) -> bool:
    return one.similarity is not None and one.similarity < FITS


def told(offered: Sequence[OfferedPaper], picked: Sequence[Paper], all_fit: bool = False) -> str:
    """Say as Markdown which papers will be given, and how many are left out by whom; `all_fit` as
    for `choose`.
    """
    left = [one for one in offered if one.paper not in picked]
    far = 0 if all_fit else sum(_is_far(one) for one in left)
    if not picked:
        return "The actors draw on no papers: none is ticked under “Background”."
    titles = "".join(f"\n- {inline(paper.title, 110)}" for paper in picked)
    rest = ""
    if far:
        rest = (
            f" {counted(far, 'paper')} found {'seems' if far == 1 else 'seem'} to be of another"
            f" field and {'is' if far == 1 else 'are'} left out; “Background” has"
            f" {'it' if far == 1 else 'them'}."
        )
    if unticked := len(left) - far:
        rest += f" {unticked} that you unticked {'is' if unticked == 1 else 'are'} left out."
    return f"The actors draw on {counted(len(picked), 'paper')}.{rest}\n{titles}"


def _looked_up(source: str, topic: str, about: str, most: int) -> list[OfferedPaper] | None:
    """Draw the way to look papers up elsewhere before the start, and return what was found."""
    key = "refine:look-up"
    if st.session_state.get(LOOKED) != (topic, source):
        looked = st.button("Look for these papers now", icon=":material/search:", key=f"{key}:go")
        st.caption("To see and choose them. Otherwise they are looked for when the run starts.")
        if not looked:
            return None
        inputs = validated(Looking, topic=topic)
        looking.begin(key, "find", inputs, f"Background: {topic}", source, {"main": "builtin"})
        st.session_state[LOOKED] = topic, source
    story = looking.answer(key)
    found = story.last(Search) if story else None
    try:
        return compared(found.papers[:most], about) if found else None
    except FoundryError as error:
        st.caption(inline(str(error), 600))
        return None
