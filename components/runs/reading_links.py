"""Links by which a run is read without a sign-in: made, shown once, and taken back."""

import streamlit as st

from components.access.discretion import READ_BY
from components.access.reading import READ
from components.shell import in_view, links, mistakes, services
from components.shell.clicks import do_once
from components.shell.text import ago, counted
from core.door import make_reading_link
from core.records import Run

MADE = "reading:made"
"""The run and the secret of the link that was made last in this tab."""


def draw(run: Run) -> None:
    """Draw the way to make a link, the one that was just made, and those that open the run."""
    in_view.follow("reading")
    st.markdown("**A link to read it**")
    st.caption(
        "Whoever has the link reads the report, without signing in, and can change nothing. A run"
        " that goes on is read as it stands."
    )
    st.button(
        "Make a link",
        icon=":material/link:",
        key="reading:make",
        on_click=_make,
        args=(run.id,),
    )
    mistakes.shown("reading:making")
    made_for, link = st.session_state.get(MADE, ("", ""))
    if made_for == run.id:
        with st.container(key="reading-made"):
            st.code(f"{links.base()}{READ}?{READ_BY}={link}", language=None)
            st.caption("Copy it now: it is shown until this page is reloaded, and never again.")
            links.draw_local("It works")
    held = services.store().readings.of(run.id)
    if not held:
        return
    st.caption(f"{counted(len(held), 'link')} to this run:")
    for n, one in enumerate(held, 1):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"Link {n}, made {ago(one.created)}", width="content")
            st.button(
                "Take it back",
                icon=":material/link_off:",
                type="tertiary",
                key=f"reading:back:{one.id}",
                on_click=_take_back,
                args=(one.id,),
                help="From then on it opens nothing.",
            )


def _make(run: str) -> None:
    with mistakes.kept("reading:making"):
        link = do_once("reading:once", run, lambda: make_reading_link(services.store(), run))
        st.session_state[MADE] = run, link
        in_view.wish("reading-made")


def _take_back(link: str) -> None:
    st.session_state.pop(MADE, None)
    with mistakes.kept("reading:making"):
        services.store().readings.take_back(link)
