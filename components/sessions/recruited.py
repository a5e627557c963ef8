"""Participants whom a service such as Prolific sends: places for them, and the one link for all."""

import streamlit as st

from components.sessions import made_links
from components.sessions.made_links import MadeLinks
from components.shell import links as shell_links
from components.shell import mistakes, services
from components.shell.clicks import do_once
from core.export.sessions.invitations import recruiting_link
from core.records import Study
from core.studies import recruiting


def draw(study: Study) -> None:
    """Draw how places are made, and the link while this tab knows it."""
    key = f"study:recruit:{study.id}"
    made = made_links.of(study)
    with st.expander("Recruit on Prolific", icon=":material/groups:", expanded=bool(made.joining)):
        st.caption(
            "One link for all: each participant id gets a place of its own. Ids are kept apart from"
            " answers. Set the completion code and the return address under “Terms”."
        )
        places = st.number_input("Further places", 0, recruiting.MOST, 0, key=f"{key}:places")
        st.button(
            "Make places and a new link",
            icon=":material/link:",
            key=f"{key}:make",
            on_click=_make,
            args=(study.id, int(places), made),
            help="An earlier link of this kind stops working; places and who took them stay.",
        )
        mistakes.shown(key)
        if made.joining:
            st.markdown("Shown this once; Prolific fills in what stands in braces:")
            st.code(
                recruiting_link(shell_links.base(), made.joining), language=None, wrap_lines=True
            )
            shell_links.draw_local("This link works")


def _make(study: str, places: int, made: MadeLinks) -> None:
    store = services.store()

    def act() -> str:
        with store.connections.writing():
            recruiting.make_places(store, study, places)
            return recruiting.draw_link(store, study)

    with mistakes.kept(f"study:recruit:{study}"):
        made.joining = do_once("study:recruiting", [study, places], act)
