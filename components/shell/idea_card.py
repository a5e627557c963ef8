"""An idea on screen, by its fields, with a way to keep it."""

import streamlit as st

from components.shell import services
from components.shell.text import inline, shown
from core.records import Idea, label
from core.runs.catalogue import entry
from core.wording.summaries import MARK, MEANS


def draw(idea: Idea, run: str | None, origin: str, key: str) -> None:
    """Draw an idea and the button that keeps it."""
    with st.container(border=True):
        for name, text in idea.fields.items():
            if len(idea.fields) > 1:
                heading = f"**{label(name)}**\n\n"
                st.markdown(f"**{inline(text)}**" if name == "title" else heading + shown(text))
                continue
            body = below_title(idea, text)
            if body != text:
                st.markdown(f"**{inline(idea.title)}**")
            st.markdown(shown(body))
        if MARK in idea.text:
            st.caption(MEANS)
    if run:
        keeping(idea, run, origin, key)


def below_title(idea: Idea, text: str) -> str:
    """Return what stands below the first line of a text where that line is the idea's title, else
    the text as it is.
    """
    first, _, body = text.strip().partition("\n")
    return body.strip() if first == idea.title and body.strip() else text


def keeping(idea: Idea, run: str, origin: str, key: str) -> None:
    """Draw the button that keeps an idea, or what can be done with one that is kept."""
    ideas = services.store().ideas
    if ideas.holds(idea):
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            st.markdown(":green-badge[:material/bookmark_added: Kept in Ideas]")
            st.page_link(
                "pages/rate.py",
                label="Rate it",
                icon=":material/star:",
                query_params={"ideas": ideas.name(idea)},
            )
    else:
        # A callback, so that the idea is kept even if the person goes to another page at once.
        st.button(
            "Keep this idea",
            icon=":material/bookmark_add:",
            key=f"{key}:keep",
            on_click=_save,
            args=(idea, run, origin),
        )
    check_novelty(idea, run)


def check_novelty(idea: Idea, run: str) -> None:
    """Draw the way to a novelty check of an idea that a run wrote; an answer of a benchmark is kept
    first.
    """
    store = services.store()
    query = {"from": run, "at": idea.digest()}
    if store.ideas.holds(idea):
        query = {"idea": store.ideas.name(idea)}
    elif entry(store.runs.get(run).config).cells:
        return
    st.page_link(
        "pages/novelty.py",
        label="Check its novelty",
        icon=":material/travel_explore:",
        query_params=query,
    )


def _save(idea: Idea, run: str, origin: str) -> None:
    services.store().ideas.save(idea, run, origin)
