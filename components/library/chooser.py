"""Choosing papers of the library on a form: a search, one paper to pick, and the idea it tells."""

import streamlit as st

from components.shell import services
from core.errors import BadInput
from core.records import Idea, Paper
from core.runs.planning import idea_of


def search(key: str) -> dict[str, Paper]:
    """Draw a search in the library and return what it finds, by id."""
    text = st.text_input(
        "Find in the library",
        key=f"{key}:text",
        type="search",
        persist_state="session",
        placeholder="words of its title or abstract",
    )
    found = services.store().library.papers((text or "").strip(), limit=50)
    if not found:
        st.caption(
            "The library has no such paper. The Library page imports papers; runs put theirs there"
            " by themselves."
        )
    return {paper.id: paper for paper in found}


def titled(paper: Paper) -> str:
    """Return year and title of a paper on one line."""
    return f"{paper.year or 'undated'} · {' '.join(paper.title.split())[:110]}"


def pick(key: str) -> Paper | None:
    """Draw the choice of the one paper whose idea is the target, and return it."""
    found = search(key)
    chosen = services.store().library.paper(str(st.session_state.get(key) or ""))
    offered = ({chosen.id: chosen} if chosen else {}) | found
    if st.session_state.get(key) not in offered:
        st.session_state[key] = None
    picked = st.selectbox(
        "Paper",
        list(offered),
        index=None,
        key=key,
        persist_state="session",
        format_func=lambda name: titled(offered[name]),
        placeholder="Pick the paper whose idea is the target",
    )
    return offered[picked] if picked else None


def idea_told(paper: Paper, otherwise: str = "") -> Idea:
    """Return the idea that a paper's title and abstract tell; raises BadInput where there is no
    abstract, and says what else can be done.
    """
    if not paper.abstract.strip():
        raise BadInput(
            f"There is no abstract of “{paper.title[:100]}”, so its idea is not known. Pick another"
            f" paper{otherwise}."
        )
    return idea_of(f"{paper.title}\n\n{paper.abstract}")
