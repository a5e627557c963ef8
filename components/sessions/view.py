"""One session, its state and one view of it at a time; and the list of all sessions."""

from collections.abc import Callable

import streamlit as st

from components.sessions import acts, closed, draft, letters, live, results, terms
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
    offered: dict[str, View] = {}
    if study.state == "draft":
        offered |= {"Open it": draft.draw, "Blinding": draft.blinding}
    if study.state == "open":
        offered |= {"Progress": live.draw, "Experts": study_seats.draw}
    if study.state != "draft":
        offered["Agreement"] = results.draw
    if study.state == "closed":
        offered["By source"] = closed.draw_sources
    if study.state != "draft" and study.plan.task == "comment":
        offered["Remarks"] = results.remarks
    if study.state == "closed":
        offered |= {EXPORT: closed.draw_files, "Progress": live.draw}
    # Where it is offered above it keeps its place.
    return offered | {
        "Experts": study_seats.draw,
        "Letters": letters.draw,
        "Terms": terms.draw,
        "Set-up": study_plan.draw,
    }


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
    each = f"{counted(study.plan.overlap, 'expert')} for each"
    facts = _facts(study, each, "seat")
    if study.opened:
        facts.append(f"opened {moment(study.opened)}")
    if study.closed:
        facts.append(f"closed {moment(study.closed)}")
    st.caption(" · ".join(facts))


def _facts(study: Study, each: str, place: str) -> list[str]:
    """Return what is done in a session, on how much, and how many people and models judge."""
    store = services.store()
    seats = store.seats.of(study.id)
    models = sum(bool(seat.model) for seat in seats)
    work = len(work_units(store, study.id))
    facts = [TASKS[study.plan.task][0], amount(study.plan, work)]
    if each:
        facts.append(each)
    facts.append(counted(len(seats) - models, place))
    if models:
        facts.append(counted(models, "model judge"))
    return facts


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
    facts = _facts(study, "", "expert")
    if study.state != "draft":
        progress = far(services.store(), study)
        facts.append(f"{progress.done:,} of {progress.wanted:,} units done")
    with st.container(border=True, gap="xsmall"):
        st.page_link(PAGE, label=inline(study.plan.name, 100), query_params={"session": study.id})
        st.markdown(f"{badge(study)} :gray[{' · '.join(facts)} · {ago(study.created)}]")
