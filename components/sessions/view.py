"""One session: its state and what can be done about it, and one view of it at a time."""

from collections.abc import Callable

import streamlit as st

from components.sessions import acts, change, draft, live, results, sources, take, texts
from components.sessions import seats as study_seats
from components.sessions.words import PAGE, TASKS, amount, badge, moment
from components.shell import mistakes, services
from components.shell.frame import told
from components.shell.text import counted, inline
from core.records import Study

View = Callable[[Study], None]
LAST = "study:last"
"""The session that was drawn last in this tab, and its state."""


def views(study: Study) -> dict[str, View]:
    """Return the views of a session by name; the first is the one to begin with."""
    if study.state == "draft":
        return {
            "Open it": draft.draw,
            "Blinding": texts.blinding,
            "Experts": study_seats.draw,
            "Set-up": change.draw,
        }
    remarks: dict[str, View] = {"Remarks": results.remarks} if study.plan.task == "comment" else {}
    whole: dict[str, View] = {
        "Progress": live.draw,
        "Experts": study_seats.draw,
        "Agreement": results.draw,
        **remarks,
    }
    if study.state == "open":
        return {**whole, "Set-up": change.draw}
    closed: dict[str, View] = {
        "Agreement": results.draw,
        "By source": sources.draw,
        **remarks,
        "Take along": take.draw,
    }
    return {
        **closed,
        "Progress": live.draw,
        "Experts": study_seats.draw,
        "Set-up": change.draw,
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
    another = st.session_state.get(LAST) not in (None, drawn) and "tab" not in st.query_params
    st.session_state[LAST] = drawn
    named = (st.session_state.get("tab"), st.query_params.get("tab"))
    if another or any(one not in (None, *offered) for one in named):
        # Through the widget: what it is bound to must not be taken out of the address by hand.
        st.session_state["tab"] = next(iter(offered))
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
    store, plan = services.store(), study.plan
    known = {unit for unit, one in store.study_keys.units(study.id).items() if one.attention}
    work = sum(one.id not in known for one in store.studies.units(study.id))
    seats = store.seats.of(study.id)
    people, models = sum(not one.model for one in seats), sum(bool(one.model) for one in seats)
    said = [
        TASKS[plan.task][0],
        amount(plan, work),
        f"{counted(plan.overlap, 'expert')} for each",
        counted(people, "seat"),
    ]
    said += [counted(models, "model judge")] if models else []
    said += [f"opened {moment(study.opened)}"] if study.opened else []
    said += [f"closed {moment(study.closed)}"] if study.closed else []
    st.caption(" · ".join(said))
