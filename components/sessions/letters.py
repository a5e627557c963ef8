"""What experts are sent: an invitation with their link, a reminder; as text, as a mail to open,
and all of them as a file.
"""

from collections.abc import Sequence

import streamlit as st

from components.sessions import acts, made_links
from components.sessions.words import link, moment
from components.shell import links as shell_links
from components.shell import mistakes, services
from components.shell.paging import ROWS, skipped
from components.shell.text import counted, inline
from core.errors import BadInput
from core.export.sessions.invitations import links_csv, reminders_csv
from core.records import Study, StudyLetter, StudyTerms
from core.runs.planning import validated
from core.store import Store
from core.studies import inviting
from core.studies.inviting import Kind, Letter, Reminded
from core.studies.sitting import overdue

KINDS: dict[Kind, str] = {"invitation": "Invitation", "reminder": "Reminder"}
ALL = "All"
NEAR = "Deadline near"
WHO = (ALL, "Not begun", "Not finished", NEAR)


def draw(study: Study) -> None:
    """Draw the text of a letter, and a letter for each expert it is for."""
    kind: Kind = st.segmented_control(
        "Letter",
        list(KINDS),
        default="invitation",
        required=True,
        key=f"study:letter:{study.id}",
        format_func=KINDS.__getitem__,
        label_visibility="collapsed",
    )
    left, right = st.columns(2, gap="large")
    with left:
        letter = _text(study, kind)
    with right:
        if kind == "invitation":
            _invitations(study, letter)
        else:
            _reminders(study, letter)


def _text(study: Study, kind: Kind) -> StudyLetter:
    """Draw the text, and return it as it stands there; raises BadInput."""
    terms = services.store().terms.get(study.id)
    held = inviting.standard(terms, kind)
    key = f"study:letter:{study.id}:{kind}:{bool(terms.deadline)}"
    key += ":overdue" if overdue(terms) else ""
    _follow(held, key)
    st.text_input(
        "Subject", held.subject, key=f"{key}:subject", max_chars=200, persist_state="session"
    )
    st.text_area(
        "Text", held.text, key=f"{key}:text", height=380, max_chars=20_000, persist_state="session"
    )
    letter = _written(key)
    own = terms.invitation if kind == "invitation" else terms.reminder
    with st.container(horizontal=True):
        st.button(
            "Keep the text",
            icon=":material/save:",
            key=f"{key}:keep",
            disabled=letter == held,
            on_click=acts.attempt,
            args=(key, _put, study.id, kind, held, key),
        )
        if own:
            st.button(
                "Go back to ours",
                icon=":material/undo:",
                type="tertiary",
                key=f"{key}:ours",
                on_click=_back_to_ours,
                args=(key, study, kind),
            )
    mistakes.shown(key)
    with st.expander("What may stand for something else"):
        st.markdown(
            "\n".join(f"- `${name}` {said}" for name, said in inviting.PLACEHOLDERS.items())
        )
    return letter


def _follow(letter: StudyLetter, key: str) -> None:
    """Let the boxes of what was kept in another tab meanwhile show that, unless something else was
    typed there.
    """
    drawn: StudyLetter = st.session_state.get(f"{key}:drawn", letter)
    st.session_state[f"{key}:drawn"] = letter
    for name in ("subject", "text"):
        before, now = getattr(drawn, name), getattr(letter, name)
        if now != before == st.session_state.get(f"{key}:{name}"):
            st.session_state[f"{key}:{name}"] = now


def _written(key: str) -> StudyLetter:
    """Return the text as the boxes have it by now; raises BadInput."""
    subject, text = (st.session_state[f"{key}:{box}"] for box in ("subject", "text"))
    letter = validated(StudyLetter, subject=subject, text=text)
    inviting.placeholders(letter)
    return letter


def _put(store: Store, study: str, kind: Kind, drawn: StudyLetter, key: str) -> None:
    """Keep what was changed here: the rest may have been changed in another tab since it was
    drawn.
    """
    wanted = _written(key)
    with store.connections.writing():
        terms = store.terms.get(study)
        held = inviting.standard(terms, kind)
        letter = StudyLetter(
            subject=held.subject if wanted.subject == drawn.subject else wanted.subject,
            text=held.text if wanted.text == drawn.text else wanted.text,
        )
        store.terms.put(study, validated(StudyTerms, **(terms.model_dump() | {kind: letter})))


def _forget(store: Store, study: str, kind: Kind) -> None:
    with store.connections.writing():
        terms = store.terms.get(study)
        store.terms.put(study, validated(StudyTerms, **(terms.model_dump() | {kind: None})))


def _back_to_ours(key: str, study: Study, kind: Kind) -> None:
    acts.attempt(key, _forget, study.id, kind)
    ours = inviting.standard(services.store().terms.get(study.id), kind)
    st.session_state[f"{key}:subject"] = ours.subject
    st.session_state[f"{key}:text"] = ours.text


# -- invitations -------------------------------------------------------------------------------


def _invitations(study: Study, letter: StudyLetter) -> None:
    secrets = made_links.working_links(study)
    made_links.say_replaced(study)
    if not secrets:
        st.info(
            "A link is known once, when it is made: only a hash of it is kept. Invite experts under"
            " “Experts”; their invitations then stand here until you hide the links. Or draw new"
            " links below.",
            icon=":material/key:",
        )
    else:
        shell_links.draw_local("These links work")
        addresses = {seat: link(secret) for seat, secret in secrets.items()}
        sent = inviting.letters(services.store(), study.id, letter, secrets, addresses)
        st.download_button(
            f"{counted(len(sent), 'link')} and letters (CSV)",
            links_csv(sent),
            f"session-{study.id}-links.csv",
            "text/csv",
            key="study:links-file",
            icon=":material/download:",
            on_click="ignore",
            type="primary",
            help="Each link gives one expert access. Nothing can write this file again.",
        )
        _letters(study, sent, "invitations")
    _anew(study)


def _anew(study: Study) -> None:
    waiting = inviting.to_remind(services.store(), study.id)
    if study.state == "closed" or not waiting:
        return
    if st.button(
        f"Draw new links for {counted(len(waiting), 'expert')}",
        icon=":material/key:",
        key="study:links-anew",
        help="For all who have not finished. Their old links stop working.",
    ):
        _drawing(study, [one.seat for one in waiting])
    mistakes.shown("study:links-anew")


@st.dialog("Draw new links?", icon=":material/key:")
def _drawing(study: Study, seats: Sequence[str]) -> None:
    st.markdown(f"**What ends:** the links of {counted(len(seats), 'expert')}, at once.")
    st.markdown(
        "**What stays:** everything these experts answered. They go on with the new link, which you"
        " have to send them."
    )
    if st.button(
        "Draw them",
        type="primary",
        key="study:links-draw",
        on_click=_draw_them,
        args=(study, seats),
    ):
        st.rerun()


def _draw_them(study: Study, seats: Sequence[str]) -> None:
    made = made_links.of(study)
    with mistakes.kept("study:links-anew"):
        for one in inviting.draw_links(services.store(), seats):
            made.secrets[one.seat.id] = one.secret


# -- reminders ---------------------------------------------------------------------------------


def _reminders(study: Study, letter: StudyLetter) -> None:
    everyone = inviting.to_remind(services.store(), study.id)
    if not everyone:
        st.success("There is nobody to remind.", icon=":material/check_circle:")
        return
    asked = st.segmented_control(
        "Who",
        WHO,
        default=ALL,
        required=True,
        key=f"study:remind:{study.id}",
        label_visibility="collapsed",
    )
    wanted = [one for one in everyone if _is_asked(one, asked)]
    if not wanted:
        st.caption("Nobody of these.")
        return
    st.markdown(f"**{counted(len(wanted), 'expert')}** to remind")
    if study.state == "draft":
        raise BadInput("Reminders are for a session that is open. Send invitations first.")
    sent = inviting.letters(
        services.store(), study.id, letter, [one.seat for one in wanted], _known(study)
    )
    st.download_button(
        "Reminders (CSV)",
        reminders_csv(wanted, sent),
        f"session-{study.id}-reminders.csv",
        "text/csv",
        key="study:reminders",
        icon=":material/download:",
        on_click="ignore",
    )
    _letters(study, sent, "reminders", {one.seat: _standing(one) for one in wanted})


def _known(study: Study) -> dict[str, str]:
    """Return the links that this tab made, nobody hid, and that still open their seats, by seat."""
    return {seat: link(secret) for seat, secret in made_links.working_links(study).items()}


def _is_asked(one: Reminded, asked: str) -> bool:
    return asked == ALL or one.standing == asked.lower() or (asked == NEAR and one.near)


def _standing(one: Reminded) -> str:
    seen = f", last at work {moment(one.seen)}" if one.seen else ""
    return f"{one.standing}: {one.done} of {counted(one.units, 'unit')}{seen}"


def _letters(
    study: Study, sent: Sequence[Letter], key: str, standing: dict[str, str] | None = None
) -> None:
    skip = skipped(len(sent), f"study:{key}:{study.id}")
    for one in sent[skip : skip + ROWS]:
        with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
            beside = standing[one.seat] if standing else one.address or "no address"
            st.markdown(f"**{inline(one.name, 60)}** :gray[{inline(beside, 120)}]", width="stretch")
            with st.popover("Text", icon=":material/mail:", type="tertiary"):
                st.markdown(f"**{inline(one.subject, 200)}**")
                st.code(one.text, language=None, wrap_lines=True)
            if one.mailto:
                st.link_button("Mail", one.mailto, icon=":material/send:", type="tertiary")
