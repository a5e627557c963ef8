"""What an expert reads and is asked before the work and after it, one step a screen: consent,
instructions, practice, the last questions, and the ends.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.annotate import keys, terms, texts, work, writing
from components.annotate.place import Move, way_out_afterwards
from components.annotate.rehearsal import Rehearsal
from components.annotate.texts import title
from components.shell import mistakes, services
from components.shell.text import inline
from core.records import Afterwards, Record, SeatStep, StudyTerms
from core.store.places import OF_A_SEAT
from core.studies import sitting
from core.studies.effort import Effort, Seen
from core.studies.sitting import GuessSet, Sitting
from core.wording.catalogue import Wording

ENDED: tuple[SeatStep, ...] = ("done", "declined", "withdrawn")
"""Steps at which nothing more is asked."""
LINE, TAKEN = 40, 56
"""Pixels down for a line above the work, and with the gap below it."""
READING = 820
"""Pixels across for what is read from top to bottom."""


DEGREES = (1, 2, 3, 4, 5)
"""How familiar with the field, and how sure."""
CANNOT = "cannot tell"

PREFIX = "seat:after:"
NOTE = f"{PREFIX}note"


def consent(who: Sitting, move: Move) -> None:
    """Draw what is asked and what becomes of it, and take the answer."""
    words = who.words
    keys.arrive("consent", words)
    mine = sitting.ahead(services.store(), who)
    with column("consent"):
        st.title(inline(who.title), anchor=False)
        # A press on what stood here before agrees to nothing that stands here now.
        stated = who.terms.model_dump(include=terms.STATED)
        agree = terms.offered(words, "seat:agree", who.consent, mine.units, stated)
        st.markdown(who.consent)
        _ahead(words, mine)
        terms.agreed_to(words, who.terms)
        with st.container(horizontal=True):
            if st.button(
                words("consent.agree"), type="primary", icon=":material/check:", key=agree
            ):
                move("agree", mine.units)
            if st.button(words("consent.decline"), key="seat:decline"):
                move("decline")


def instructions(who: Sitting, move: Move) -> None:
    """Draw how it is done, the qualities with their anchors, and one worked example."""
    words = who.words
    keys.arrive("instructions", words)
    with column("instructions"):
        st.title(words("instructions.title"), anchor=False)
        st.markdown(who.instructions)
        # Folded, for it stands beside the texts, or behind a question mark: the first unit should
        # be a minute away.
        if who.criteria:
            with st.expander(words("instructions.qualities", n=len(who.criteria))):
                for one in who.criteria:
                    texts.criterion(words, one, who.task)
        with st.expander(words("instructions.example")):
            st.markdown(who.example)
        if st.button(
            words("instructions.practise" if who.practice else "instructions.begin"),
            type="primary",
            icon=":material/arrow_forward:",
            key="seat:instructed",
        ):
            move("instructed")


def _ahead(words: Wording, mine: Effort) -> None:
    if mine.units:
        minutes = words("consent.minutes", n=max(1, round(mine.minutes)))
        said = words("consent.ahead", n=mine.units, minutes=minutes)
        st.markdown(f":material/schedule: {said}")


def practice(bench: Rehearsal, move: Move) -> None:
    """Draw the practice unit, and the way on once the form was used."""
    words = bench.words
    line = st.container(
        horizontal=True, vertical_alignment="center", height=LINE, border=False, key="seat-practice"
    )
    if work.draw(bench, move, above=TAKEN):
        line.markdown(f":material/school: {words('practised.line')}")
        return
    keys.arrive("practised", words)
    with column("practised"):
        st.title(words("practised.title"), anchor=False)
        st.markdown(words("practised.body"))
        if st.button(
            words("practised.begin"),
            type="primary",
            icon=":material/arrow_forward:",
            key="seat:practised",
        ):
            move("practised")


def ended(words: Wording, step: SeatStep, agreed: StudyTerms, move: Move | None) -> None:
    """Draw the end of a seat, and after the last question the way back and, outside a preview, how
    to withdraw still.
    """
    keys.arrive(step, words)
    with column("ended"):
        st.title(words(f"ended.{step}_title"), anchor=False)
        st.markdown(words(f"ended.{step}"))
        if step == "done":
            terms.completed(words, agreed)
            if move:
                way_out_afterwards(words, move)


def column(name: str) -> DeltaGenerator:
    """Return a column for what is read from top to bottom."""
    with st.container(horizontal_alignment="center"):
        return st.container(width=READING, key=f"seat-{name}")


# -- the last questions ---------------------------------------------------------------------


def last_questions(
    who: Sitting,
    sets: tuple[GuessSet, ...],
    labels: Mapping[str, str],
    finish: Callable[[Afterwards], None],
    kept: bool,
) -> None:
    """Draw the questions; `labels` are the texts this seat was shown, by label with a title. What
    is half said is kept where `kept`.
    """
    words = who.words
    if kept:
        _restore(who.seat)
    st.title(words("last.title"), anchor=False)
    st.segmented_control(
        words("last.familiar"),
        DEGREES,
        format_func=lambda one: words(f"last.familiar_{one}"),
        required=True,
        key=f"{PREFIX}familiarity",
        width="stretch",
    )
    st.segmented_control(
        words("last.sure"),
        DEGREES,
        format_func=lambda one: words(f"last.sure_{one}"),
        required=True,
        key=f"{PREFIX}confidence",
        width="stretch",
    )
    st.multiselect(
        words("last.seen"),
        list(labels),
        format_func=lambda one: f"{one} · {labels[one]}",
        key=f"{PREFIX}seen",
        placeholder=words("last.none"),
    )
    for n, one in enumerate(sets, 1):
        _guess(words, one, n, len(sets))
    with st.container(key="seat-note"):
        st.text_area(words("last.note"), key=NOTE, max_chars=4_000, height=80)
    _finish(who, sets, finish, kept)
    keys.arrive("afterwards", words)
    now = (f"{who.seat}:afterwards:note", str(st.session_state.get(NOTE) or ""))
    writing.keep(words, {NOTE: now} if kept else {})


def _guess(words: Wording, one: GuessSet, n: int, of: int) -> None:
    st.markdown(
        f"##### {words('last.human')} :gray[{words('last.set', n=n, of=of)}]", anchors=False
    )
    texts.folded(words, one.texts)
    st.segmented_control(
        words("last.human"),
        [*(label for label, _ in one.texts), CANNOT],
        required=True,
        key=f"{PREFIX}human:{one.unit.id}",
        label_visibility="collapsed",
        format_func=lambda said: words("last.cannot_tell") if said == CANNOT else said,
    )


def titles(who: Sitting, labels: Sequence[str]) -> dict[str, str]:
    """Return the titles of texts, by label."""
    store = services.store()
    shas = store.studies.items(who.study)
    frozen = store.frozen.several(tuple(shas[label] for label in labels), Record)
    names = {}
    for label in labels:
        text = frozen[shas[label]]
        if isinstance(text, Seen):
            names[label] = title(text)
    return names


def _finish(
    who: Sitting, sets: tuple[GuessSet, ...], finish: Callable[[Afterwards], None], kept: bool
) -> None:
    asked = ("familiarity", "confidence", *(f"human:{one.unit.id}" for one in sets))
    said: dict[str, Any] = {}
    for name in (*asked, "seen", "note"):
        value = st.session_state.get(f"{PREFIX}{name}")
        if value not in (None, "", []):
            said[name] = value
    if kept:
        _keep(who.seat, said)
    missing = sum(name not in said for name in asked)
    says = who.words("last.open", n=missing) if missing else who.words("last.finish")
    if (
        st.button(
            says, type="primary", icon=":material/check:", key="seat:finish", disabled=missing > 0
        )
        and not missing
    ):
        guesses = {one.unit.id: said[f"human:{one.unit.id}"] for one in sets}
        human = {unit: "" if guess == CANNOT else guess for unit, guess in guesses.items()}
        with mistakes.kept("seat:after", who.words.again):
            finish(
                Afterwards(
                    familiarity=said["familiarity"],
                    confidence=said["confidence"],
                    seen_before=tuple(said.get("seen", ())),
                    human=human,
                    note=said.get("note", ""),
                )
            )
    mistakes.shown("seat:after")


def _restore(seat: str) -> None:
    if PREFIX not in st.session_state:
        written = services.store().places.choice(OF_A_SEAT.format(seat))
        for name, value in json.loads(written or "{}").items():
            st.session_state.setdefault(f"{PREFIX}{name}", value)
        st.session_state[PREFIX] = True


def _keep(seat: str, said: dict[str, Any]) -> None:
    written = json.dumps(said, ensure_ascii=False) if said else None
    store = services.store()
    if written == store.places.choice(OF_A_SEAT.format(seat)):
        return
    # Whoever withdrew in another tab has nothing kept any more.
    if store.seats.at(seat).step == "afterwards":
        store.places.choose(OF_A_SEAT.format(seat), written)
