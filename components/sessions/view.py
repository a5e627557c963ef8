"""One session, its state and one view of it at a time; and the list of all sessions."""

from collections.abc import Callable

import streamlit as st

from components.sessions import acts, closed, draft, live, results
from components.sessions import plan as study_plan
from components.sessions import seats as study_seats
from components.sessions.words import PAGE, TASKS, amount, badge, moment
from components.shell import mistakes, services
from components.shell.frame import told
from components.shell.paging import ROWS, skipped
from components.shell.text import ago, counted, inline
from core.records import Study
from core.studies.live import far
from core.studies.organising import work_units

View = Callable[[Study], None]
LAST = "study:last"
"""The session that was drawn last in this tab, and its state."""
EXPORT = "Export"
RENAMED = {"Take along": EXPORT}
"""Views by the names they had in addresses before."""
FOR = (
    "In a session invited experts judge ideas without knowing who or what wrote them: they rate,"
    " rank, compare, or comment on a refinement. Model judges may answer the same, and you see how"
    " far people agree, and models with them."
)


def views(study: Study) -> dict[str, View]:
    """Return the views of a session by name; the first is the one to begin with."""
    set_up: dict[str, View] = {"Set-up": study_plan.draw}
    seats: dict[str, View] = {"Experts": study_seats.draw}
    if study.state == "draft":
        return {"Open it": draft.draw, "Blinding": draft.blinding} | seats | set_up
    progress: dict[str, View] = {"Progress": live.draw}
    agreement: dict[str, View] = {"Agreement": results.draw}
    remarks: dict[str, View] = {"Remarks": results.remarks} if study.plan.task == "comment" else {}
    if study.state == "open":
        return progress | seats | agreement | remarks | set_up
    sources: dict[str, View] = {"By source": closed.draw_sources}
    files: dict[str, View] = {EXPORT: closed.draw_files}
    return agreement | sources | remarks | files | progress | seats | set_up


def draw(session: str) -> None:
    """Draw a session; raises BadInput where it is not there."""
    st.page_link(PAGE, label="All sessions", icon=":material/arrow_back:")
    study = services.store().studies.get(session)
    if gone := st.session_state.pop(acts.REMOVED, None):
        st.toast(f"Removed: {inline(gone, 80)}")
    _head(study)
    mistakes.shown(acts.key(study))
    offered = views(study)
    # Another session, or one that was closed, begins with its own first view; a link, or the
    # address, may name one that this state does not have.
    drawn = (study.id, study.state)
    asked = st.query_params.get("tab")
    another = st.session_state.get(LAST) not in (None, drawn) and asked is None
    st.session_state[LAST] = drawn
    if another or any(one not in (None, *offered) for one in (st.session_state.get("tab"), asked)):
        renamed = RENAMED.get(asked or "")
        # Through the widget: what it is bound to must not be taken out of the address by hand.
        st.session_state["tab"] = renamed if renamed in offered else next(iter(offered))
    tab = st.segmented_control(
        "View",
        list(offered),
        default=next(iter(offered)),
        required=True,
        key="tab",
        bind="query-params",
        label_visibility="collapsed",
    ) or next(iter(offered))
    with told():
        offered[tab](study)


def _head(study: Study) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(inline(study.plan.name, 160), anchor=False, width="content")
        st.markdown(badge(study), width="content")
        st.space("stretch")
        acts.draw(study)
    task, units, models = _facts(study)
    people = sum(not one.model for one in services.store().seats.of(study.id))
    facts = [task, units, f"{counted(study.plan.overlap, 'expert')} for each"]
    facts += [counted(people, "seat"), *models]
    facts += [f"opened {moment(study.opened)}"] if study.opened else []
    facts += [f"closed {moment(study.closed)}"] if study.closed else []
    st.caption(" · ".join(facts))


def _facts(study: Study) -> tuple[str, str, list[str]]:
    """Return what is done in a session, on how much, and how many models judge, if any."""
    store = services.store()
    models = sum(bool(one.model) for one in store.seats.of(study.id))
    return (
        TASKS[study.plan.task][0],
        amount(study.plan, len(work_units(store, study.id))),
        [counted(models, "model judge")] if models else [],
    )


# -- the list ----------------------------------------------------------------------------------


def draw_list() -> None:
    """Draw the sessions, newest first, and the ways to begin."""
    with st.container(horizontal=True):
        st.page_link(PAGE, label="New session", icon=":material/add:", query_params={"view": "new"})
        st.page_link(
            PAGE,
            label="Analyse ratings from a file",
            icon=":material/upload_file:",
            query_params={"view": "file"},
        )
    sessions = services.store().studies.listed()
    if not sessions:
        st.info(
            f"{FOR}\n\nTo begin, choose “New session”, pick a collection of ideas and what is asked"
            " of them. You can look at everything as an expert before a link goes out.",
            icon=":material/groups:",
        )
        return
    skip = skipped(len(sessions), "sessions:page")
    for study in sessions[skip : skip + ROWS]:
        _line(study)


def _line(study: Study) -> None:
    store = services.store()
    task, units, models = _facts(study)
    people = sum(not one.model for one in store.seats.of(study.id))
    facts = [task, units, counted(people, "expert"), *models]
    if study.state != "draft":
        progress = far(store, study)
        facts.append(f"{progress.done:,} of {progress.wanted:,} units done")
    with st.container(border=True, gap="xsmall"):
        st.page_link(PAGE, label=inline(study.plan.name, 100), query_params={"session": study.id})
        st.markdown(f"{badge(study)} :gray[{' · '.join(facts)} · {ago(study.created)}]")
