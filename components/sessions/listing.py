"""The sessions there are, and what one is for."""

import streamlit as st

from components.sessions.words import PAGE, TASKS, amount, badge
from components.shell import services
from components.shell.paging import ROWS, skipped
from components.shell.text import ago, counted, inline
from core.records import Study
from core.studies import live

FOR = (
    "In a session invited experts judge ideas without knowing who or what wrote them: they rate,"
    " rank, compare, or comment on a refinement. Model judges may answer the same, and you see how"
    " far people agree, and models with them."
)


def draw() -> None:
    """Draw the sessions, newest first, and the ways to begin."""
    with st.container(horizontal=True):
        st.page_link(PAGE, label="New session", icon=":material/add:", query_params={"view": "new"})
        st.page_link(
            PAGE,
            label="Analyse ratings from a file",
            icon=":material/upload_file:",
            query_params={"view": "file"},
        )
    held = services.store().studies.listed()
    if not held:
        st.info(
            f"{FOR}\n\nTo begin, choose “New session”, pick a collection of ideas and what is asked"
            " of them. You can look at everything as an expert before a link goes out.",
            icon=":material/groups:",
        )
        return
    skip = skipped(len(held), "sessions:page")
    for one in held[skip : skip + ROWS]:
        _line(one)


def _line(study: Study) -> None:
    store = services.store()
    seats, far = store.seats.of(study.id), live.far(store, study)
    people, models = [one for one in seats if not one.model], [one for one in seats if one.model]
    attention = {unit for unit, key in store.study_keys.units(study.id).items() if key.attention}
    work = sum(one.id not in attention for one in store.studies.units(study.id))
    said = [TASKS[study.plan.task][0], amount(study.plan, work), counted(len(people), "expert")]
    said += [counted(len(models), "model judge")] if models else []
    said += [f"{far.done:,} of {far.wanted:,} units done"] if study.state != "draft" else []
    with st.container(border=True, gap="xsmall"):
        st.page_link(PAGE, label=inline(study.plan.name, 100), query_params={"session": study.id})
        st.markdown(f"{badge(study)} :gray[{' · '.join(said)} · {ago(study.created)}]")
