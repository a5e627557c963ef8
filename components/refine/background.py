"""What the actors of a refinement draw on: papers near the topic, those of a run or of the library,
pasted abstracts, or none at all.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import streamlit as st

from components.library import chooser
from components.refine.beginning import RUN, RefineBeginning
from components.runs import looking
from components.runs.asking import source
from components.shell import meaning, services
from components.shell.text import counted, inline
from core.errors import BadInput, FoundryError
from core.judging.claims import SIMILARITY
from core.literature import label
from core.literature.port import Query
from core.methods import Looking, RefineInputs
from core.records import Paper, Search, digest
from core.runs.planning import MOST_PASTED, pasted, validated

NEAREST, OF_RUN, LIBRARY, PASTED, NONE = (
    "Papers nearest to the topic",
    "The papers of the run",
    "Papers of the library",
    "Abstracts I paste",
    "None at all",
)
K = int(RefineInputs.model_fields["k"].default)
FITS = 0.45
"""Similarity from which a paper is taken to be of the idea's own field. Tried on the built-in
papers: those on the subject have 0.49 and more, those of another field 0.43 and less.
"""
HERE = ("shelf", "library")
"""Sources that answer at once, from this computer."""
LOOKED = "refine:looked"
"""The text that papers were looked for by, and where."""


class Background(NamedTuple):
    said: str
    """As Markdown, for whoever is about to start."""
    inputs: dict[str, Any]
    """By the names of `RefineInputs`."""
    source: str = "shelf"
    wrong: str = ""
    """What keeps a run from starting, as a sentence."""


def draw(begin: RefineBeginning) -> Background:
    """Draw the choice of background, folded away, with the research area as the actors are told
    it.
    """
    of_run = begin.way == RUN
    with st.expander("Background"):
        # The choice has a memory of its own for each way to begin: their options differ.
        way = (
            st.radio(
                "What the actors draw on",
                ([OF_RUN] if of_run else []) + [NEAREST, LIBRARY, PASTED, NONE],
                persist_state="session",
                key="refine:background:run" if of_run else "refine:background",
            )
            or NEAREST
        )
        if way == OF_RUN and begin.papers:
            found = _of_run(begin)
        elif way in (OF_RUN, NEAREST):
            found = _nearest(begin)
        else:
            found = CHOICES[way]()
        if way == OF_RUN and begin.run and not begin.papers:
            st.caption("This run drew on no papers, so papers are looked for by its topic.")
        area = st.text_input(
            "Research area, as the actors are told it",
            key="refine:area",
            persist_state="session",
            placeholder="the field of the topic",
        )
    return found._replace(
        inputs=found.inputs | ({"area": area.strip()} if area and area.strip() else {})
    )


def _of_run(begin: RefineBeginning) -> Background:
    found = _compared(begin.papers, begin.about)
    picked = _choose(found, begin.about, all_fit=True)
    if picked == begin.papers:
        return Background(
            f"The actors draw on {counted(len(begin.papers), 'paper')} of the run.", {}
        )
    return Background(_say_given(found, picked, all_fit=True), _exactly(picked))


def _nearest(begin: RefineBeginning) -> Background:
    k = int(st.number_input("How many papers", 1, 20, K, key="refine:k", persist_state="session"))
    name = source("refine")
    found = _find(name, begin.topic.strip() or begin.about, begin.about, k)
    where = inline(label(name))
    if found is None:
        return Background(
            f"The actors draw on the {counted(k, 'paper')} nearest to the topic, from: {where}."
            " They are looked for when the run starts, and taken without asking.",
            {"k": k},
            name,
        )
    if not found:
        said = f"Nothing near the topic was found in {where}: the actors draw on no papers."
        st.caption(f":material/search_off: {said}")
        return Background(said, _exactly(()), name)
    picked = _choose(found, begin.about)
    return Background(_say_given(found, picked), _exactly(picked), name)


def _exactly(papers: tuple[Paper, ...]) -> dict[str, Any]:
    """Return the inputs that give just these papers, or none."""
    return {"context": papers} if papers else {"k": 0, "context": ()}


def _library() -> Background:
    key, library = "refine:papers", services.store().library
    found = chooser.search(key)
    held = {name: paper for name in st.session_state.get(key, []) if (paper := library.paper(name))}
    offered = held | found
    if len(held) < len(st.session_state.get(key, [])):
        st.session_state[key] = list(held)
    picked = st.multiselect(
        "Papers",
        list(offered),
        key=key,
        persist_state="session",
        max_selections=MOST_PASTED,
        select_all=False,
        format_func=lambda name: chooser.titled(offered[name]),
        placeholder="Pick papers, those found above first",
    )
    context = tuple(offered[name] for name in picked)
    return _given(
        context,
        "paper",
        " of the library",
        "Pick at least one paper of the library, or choose another background.",
    )


def _pasted() -> Background:
    text = st.text_area(
        "Abstracts, an empty line between them",
        key="refine:abstracts",
        height=160,
        persist_state="session",
        placeholder="Title on the first line\nthen the abstract\n\nTitle of the next\nits abstract",
    )
    try:
        context, wrong = pasted(text or ""), ""
    except BadInput as error:
        context, wrong = (), str(error)
        st.caption(f":material/info: {inline(wrong)}")
    return _given(
        context,
        "pasted abstract",
        "",
        wrong or "Paste at least one abstract, or choose another background.",
    )


def _given(context: tuple[Paper, ...], noun: str, of: str, wrong: str) -> Background:
    if not context:
        return Background(inline(wrong), {"k": 0}, wrong=wrong)
    return Background(
        f"The actors draw on {counted(len(context), noun)}{of}.", {"context": context}
    )


def _none() -> Background:
    st.caption("The actors draw on no papers: only on what their models know.")
    return Background("The actors draw on no papers.", {"k": 0, "context": ()})


CHOICES: dict[str, Callable[[], Background]] = {
    LIBRARY: _library,
    PASTED: _pasted,
    NONE: _none,
}


# -- the papers offered, each with how near it is to the idea ------------------------------------


class OfferedPaper(NamedTuple):
    paper: Paper
    similarity: float | None
    """To the idea; None while the embedding model is not to be had."""


def _find(source: str, topic: str, about: str, most: int) -> list[OfferedPaper] | None:
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
        return _compared(papers, about)
    return _look_up(source, topic, about, most)


def _compared(papers: Sequence[Paper], about: str) -> list[OfferedPaper]:
    """Return the papers with their similarity to this text."""
    embedder, similarities = services.workshop().embedder, [None] * len(papers)
    if embedder.state != "ready":
        return list(map(OfferedPaper, papers, similarities))
    texts = [f"{paper.title}\n{paper.abstract}" for paper in papers]
    return list(map(OfferedPaper, papers, embedder.similarities(about, texts)))


def _choose(
    offered: Sequence[OfferedPaper], about: str, all_fit: bool = False
) -> tuple[Paper, ...]:
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


def _say_given(
    offered: Sequence[OfferedPaper], picked: Sequence[Paper], all_fit: bool = False
) -> str:
    """Say as Markdown which papers will be given, and how many are left out by whom; `all_fit` as
    for `_choose`.
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


def _look_up(source: str, topic: str, about: str, most: int) -> list[OfferedPaper] | None:
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
        return _compared(found.papers[:most], about) if found else None
    except FoundryError as error:
        st.caption(inline(str(error), 600))
        return None
