"""What the actors of a refinement draw on: papers near the topic, those of a run or of the library,
pasted abstracts, or none at all.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import streamlit as st

from components.library import chooser
from components.refine import offered
from components.refine.beginning import RUN, RefineBeginning
from components.runs.asking import source
from components.shell import services
from components.shell.text import counted, inline
from core.errors import BadInput
from core.literature import label
from core.methods import RefineInputs
from core.records import Paper
from core.runs.planning import MOST_PASTED, pasted

NEAREST, OF_RUN, LIBRARY, PASTED, NONE = (
    "Papers nearest to the topic",
    "The papers of the run",
    "Papers of the library",
    "Abstracts I paste",
    "None at all",
)
K = int(RefineInputs.model_fields["k"].default)


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
    found = offered.compared(begin.papers, begin.about)
    picked = offered.choose(found, begin.about, all_fit=True)
    if picked == begin.papers:
        return Background(
            f"The actors draw on {counted(len(begin.papers), 'paper')} of the run.", {}
        )
    return Background(offered.told(found, picked, all_fit=True), _exactly(picked))


def _nearest(begin: RefineBeginning) -> Background:
    k = int(st.number_input("How many papers", 1, 20, K, key="refine:k", persist_state="session"))
    name = source("refine")
    found = offered.find(name, begin.topic.strip() or begin.about, begin.about, k)
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
    picked = offered.choose(found, begin.about)
    return Background(offered.told(found, picked), _exactly(picked), name)


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
