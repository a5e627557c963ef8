"""One session: its state and what can be done about it, and one view of it at a time."""

from collections.abc import Callable

import streamlit as st

from components import (
    mistakes,
    services,
    study_acts,
    study_change,
    study_draft,
    study_live,
    study_results,
    study_seats,
    study_sources,
    study_take,
    study_texts,
)
from components.frame import told
from components.study_words import PAGE, TASKS, amount, badge, moment
from components.text import counted, inline
from core.records import Study

View = Callable[[Study], None]
LAST = "study:last"
"""The session that was drawn last in this tab, and its state."""


def views(study: Study) -> dict[str, View]:
    """Return the views of a session by name; the first is the one to begin with."""
    if study.state == "draft":
        return {
            "Open it": study_draft.draw,
            "Blinding": study_texts.blinding,
            "Experts": study_seats.draw,
            "Set-up": study_change.draw,
        }
    remarks: dict[str, View] = (
        {"Remarks": study_results.remarks} if study.plan.task == "comment" else {}
    )
    whole: dict[str, View] = {
        "Progress": study_live.draw,
        "Experts": study_seats.draw,
        "Agreement": study_results.draw,
        **remarks,
    }
    if study.state == "open":
        return {**whole, "Set-up": study_change.draw}
    closed: dict[str, View] = {
        "Agreement": study_results.draw,
        "By source": study_sources.draw,
        **remarks,
        "Take along": study_take.draw,
    }
    return {
        **closed,
        "Progress": study_live.draw,
        "Experts": study_seats.draw,
        "Set-up": study_change.draw,
    }


def draw(session: str) -> None:
    """Draw a session; raises BadInput where it is not there."""
    st.page_link(PAGE, label="All sessions", icon=":material/arrow_back:")
    study = services.store().studies.get(session)
    if gone := st.session_state.pop(study_acts.REMOVED, None):
        st.toast(f"Removed: {inline(gone, 80)}")
    _head(study)
    mistakes.shown(study_acts.key(study))
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
        study_acts.draw(study)
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
