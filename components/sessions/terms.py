"""What is agreed with experts beside the plan: deadline, maximum, consent, code, pay; and the list
of payments.
"""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import streamlit as st

from components.sessions import acts
from components.sessions.words import moment
from components.shell import mistakes, services
from components.shell.text import counted, inline
from core.errors import BadInput
from core.export.sessions.invitations import payments_csv
from core.records import Study, StudyTerms
from core.runs.planning import validated
from core.store import Store
from core.studies.deadlines import EARLIEST, LATEST, in_utc, spelled
from core.studies.paying import payments

PER = {"hour": "hour", "unit": "unit"}
BOXES = {
    "late": "late",
    "most": "most",
    "code": "code",
    "return_address": "back",
    "rate": "rate",
    "per": "per",
    "currency": "currency",
}
"""The box of each term but the deadline, which has three."""
PROLIFIC = "https://app.prolific.com/submissions/complete?cc=$code"


def draw(study: Study) -> None:
    """Draw the terms, the versions of the consent, and what is to be paid."""
    left, right = st.columns(2, gap="large")
    with left:
        _terms(study)
    with right:
        _consent(study)
        _pay(study)


def _terms(study: Study) -> None:
    store = services.store()
    terms = store.terms.get(study.id)
    key = f"study:terms:{study.id}"
    st.markdown("##### Terms")
    st.caption(
        "They may change while the session is open: experts see what holds now. They are in no"
        " export."
    )
    _follow(terms, key)
    _deadline(study, terms, key)
    _rest(study, terms, key)
    wanted = _wanted(terms, key)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Keep the terms",
            type="primary",
            icon=":material/save:",
            key=f"{key}:keep",
            disabled=wanted == terms,
            on_click=acts.attempt,
            args=(key, _put, study.id, terms, key),
        )
        st.caption("Nothing is changed." if wanted == terms else "Not kept yet.")
    mistakes.shown(key)


def _follow(terms: StudyTerms, key: str) -> None:
    """Let the boxes of what was kept in another tab meanwhile show that, unless something else was
    typed there.
    """
    drawn: StudyTerms = st.session_state.get(f"{key}:drawn", terms)
    st.session_state[f"{key}:drawn"] = terms
    for name, box in BOXES.items():
        before, kept = (_shown(one, name) for one in (drawn, terms))
        if kept != before == st.session_state.get(f"{key}:{box}"):
            st.session_state[f"{key}:{box}"] = kept
    if (terms.deadline, terms.zone) != (drawn.deadline, drawn.zone):
        held = _held(terms)
        st.session_state[f"{key}:day"] = held.date() if held else None
        st.session_state[f"{key}:time"] = held.time() if held else None
        st.session_state[f"{key}:zone"] = terms.zone


def _shown(terms: StudyTerms, name: str) -> object:
    return float(terms.rate) if name == "rate" else getattr(terms, name)


def _wanted(terms: StudyTerms, key: str) -> StudyTerms:
    """Return the terms as the boxes have them by now; raises BadInput."""
    return validated(StudyTerms, **(terms.model_dump() | _typed(key)))


def _typed(key: str) -> dict[str, Any]:
    state = st.session_state
    typed = {name: state[f"{key}:{box}"] for name, box in BOXES.items()}
    typed["rate"] = f"{typed['rate']:.2f}"
    return typed | _moment(key)


def _moment(key: str) -> dict[str, str]:
    """Return the deadline in UTC with its time zone, as the boxes have it by now; raises BadInput
    for a moment that there is not.
    """
    day, hour, zone = (st.session_state[f"{key}:{box}"] for box in ("day", "time", "zone"))
    if day is None:
        return {"deadline": ""}
    said = f"{day:%Y-%m-%d}" + (f" {hour:%H:%M}" if hour else "")
    return {"deadline": in_utc(said, zone), "zone": zone}


def _put(store: Store, study: str, drawn: StudyTerms, key: str) -> None:
    """Keep what was changed here: the rest may have been changed in another tab since it was
    drawn.
    """
    wanted = _wanted(drawn, key)
    changed = {
        name for name in StudyTerms.model_fields if getattr(wanted, name) != getattr(drawn, name)
    }
    with store.connections.writing():
        terms = store.terms.get(study).model_dump()
        kept = terms | {name: getattr(wanted, name) for name in changed}
        store.terms.put(study, validated(StudyTerms, **kept))


def _held(terms: StudyTerms) -> datetime | None:
    """Return the deadline in its time zone; none where it lies outside what the box can show, as
    programs before this one took it.
    """
    due = datetime.fromisoformat(terms.deadline) if terms.deadline else None
    if due is None or not EARLIEST < due.date() < LATEST:
        return None
    return due.astimezone(ZoneInfo(terms.zone))


def _deadline(study: Study, terms: StudyTerms, key: str) -> None:
    """Draw the deadline in a time zone; raises BadInput for a moment that there is not."""
    zones = sorted(available_timezones())
    usual = terms.zone if terms.deadline else st.context.timezone or terms.zone
    held = _held(terms)
    over = study.state == "closed"
    day_box, time_box = st.columns([3, 2])
    day = day_box.date_input(
        "Deadline",
        held,
        EARLIEST,
        LATEST,
        key=f"{key}:day",
        disabled=over,
        persist_state="session",
    )
    time_box.time_input("At", held, key=f"{key}:time", disabled=over, persist_state="session")
    st.selectbox(
        "Time zone",
        zones,
        index=zones.index(usual) if usual in zones else zones.index("UTC"),
        key=f"{key}:zone",
        disabled=over or day is None,
        persist_state="session",
    )
    st.checkbox(
        "Accept answers after the deadline",
        terms.late,
        key=f"{key}:late",
        disabled=over,
        persist_state="session",
        help="Experts are told so. Where it is off, a link opens nothing any more after it.",
    )
    if deadline := _moment(key)["deadline"]:
        st.caption(f"Kept as {spelled(deadline)}; experts read it in their own time zone.")


def _rest(study: Study, terms: StudyTerms, key: str) -> None:
    st.number_input(
        "Units per expert, at most (0: no maximum)",
        0,
        2_000,
        terms.most,
        key=f"{key}:most",
        disabled=study.state == "closed",
        persist_state="session",
        help=(
            "With repeats and attention checks. An expert whose list is to grow is asked first;"
            " beyond the maximum it never grows."
        ),
    )
    st.text_input(
        "Completion code",
        terms.code,
        key=f"{key}:code",
        max_chars=200,
        persist_state="session",
        help="Shown at the end, to be given to whoever recruited the expert.",
    )
    st.text_input(
        "Return address",
        terms.return_address,
        key=f"{key}:back",
        max_chars=200,
        placeholder=PROLIFIC,
        persist_state="session",
        help="Where experts are led back to at the end; $code stands for the code.",
    )
    rate_box, per_box, currency_box = st.columns([2, 3, 2])
    rate_box.number_input(
        "Pay",
        0.0,
        100_000.0,
        float(terms.rate),
        step=0.5,
        key=f"{key}:rate",
        persist_state="session",
    )
    per_box.selectbox(
        "For each",
        list(PER),
        index=list(PER).index(terms.per),
        format_func=PER.__getitem__,
        key=f"{key}:per",
        persist_state="session",
        help="An hour of active work: gaps of more than two minutes count as two.",
    )
    currency_box.text_input(
        "Currency", terms.currency, key=f"{key}:currency", max_chars=12, persist_state="session"
    )


# -- consent -----------------------------------------------------------------------------------


def _consent(study: Study) -> None:
    store = services.store()
    st.markdown("##### Consent")
    versions = store.terms.consents(study.id)
    if not versions:
        st.caption(
            "The text is part of the set-up. From the opening on, each version is kept, and which"
            " one each expert agreed to."
        )
        return
    agreed = [one.consent for one in store.terms.of(study.id).values()]
    for one in versions:
        heading = (
            f"Version {one.version}, from {moment(one.at)}:"
            f" {counted(agreed.count(one.version), 'expert')} agreed"
        )
        with st.expander(heading):
            st.markdown(one.text)  # The organiser's own, shown as experts see it.
            st.caption(f"SHA-256 {one.sha}")
    if study.state == "open":
        _new_version(study, versions[-1].text)


def _new_version(study: Study, text: str) -> None:
    key = f"study:consent:{study.id}"
    with st.expander("Put another text in force"):
        said = (
            st.text_area("Consent, from now on", text, key=f"{key}:text", height=200).strip() or ""
        )
        st.caption("For experts who have not agreed yet; who has agreed is not asked again.")
        st.button(
            "Put it in force",
            icon=":material/gavel:",
            key=f"{key}:keep",
            disabled=said in ("", text),
            on_click=acts.attempt,
            args=(key, _consented, study.id, f"{key}:text"),
        )
    mistakes.shown(key)


def _consented(store: Store, study: str, box: str) -> None:
    """Put in force what a box holds by now, which may be more than was drawn of it."""
    text = str(st.session_state[box]).strip()
    if not text:
        raise BadInput("Write the consent first.")
    store.terms.consent(study, text)


# -- payment -----------------------------------------------------------------------------------


def _pay(study: Study) -> None:
    st.markdown("##### Payment")
    found = payments(services.store(), study.id)
    if not found:
        st.caption("Nobody has begun yet, so there is nothing to pay.")
        return
    done = sum(one.completed for one in found)
    whole = sum(float(one.amount) for one in found)
    st.markdown(
        f"{counted(len(found), 'expert')} began, {done} finished; in all **{whole:,.2f}"
        f" {inline(found[0].currency)}**."
    )
    st.download_button(
        "List of payments (CSV)",
        payments_csv(found),
        f"session-{study.id}-payments.csv",
        "text/csv",
        key="study:payments",
        icon=":material/download:",
        on_click="ignore",
    )
    st.caption(
        "Names, addresses, units done, active minutes and amounts; no answer and no seat, so that"
        " who pays does not learn who answered what."
    )
