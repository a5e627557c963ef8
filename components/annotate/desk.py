"""What one browser tab knows of an expert's forms: what their boxes were last seen to hold, and
what the person asked for since.

The store has the draft; a box has what was last pressed or typed. Streamlit may break a drawing off
at any call to it, so nothing is taken from a box in a
callback: each drawing, and the last one comes to its end, compares what the boxes hold with what
they were last seen to hold, and keeps what differs.
A press of a button is put on a plain list by its callback, which says no word to Streamlit, and is
done by the next drawing that gets so far.
"""

import math
import secrets
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import streamlit as st

from components.annotate.bench import SeatBench
from components.annotate.fields import (
    MARKS,
    TYPED,
    Boxes,
    boxes_of,
    by_number,
    draft_of,
    names,
    review_text,
    rows,
)
from core.records import Trajectory
from core.studies.sitting import ShownUnit
from core.wording.catalogue import say

DESK = "seat:desk"
EMPTY = {
    "cannot": False,
    "weak": False,
    "flagged": False,
    **dict.fromkeys(("note", "text", "words", "why", "mark"), ""),
}
"""What a box that nothing was said in holds, where it is not None."""
CLEARED = ("note", "text:", "quote:", "cannot:", "weak", "words:", "why:", *MARKS)
"""Boxes that can be emptied."""
OUTDATED = say("error.outdated")


class SeatWish(NamedTuple):
    """What a button asks for, on the form that it was pressed on."""

    on: str
    what: str
    which: str = ""


@dataclass
class SeatForm:
    """One form as this tab has it."""

    seen: Boxes
    """What the boxes were last seen to hold, which is what the store has."""
    filed: Boxes
    """What the last answer says; empty before."""
    version: int
    saved: str = ""
    """When something of it was last kept."""
    rows: int = 0
    """How many rows of remarks are on the screen."""
    notice: str = ""
    key: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    """The client's own: the form is filed once under it, however often it is sent. Where another
    tab changed what the form says, the key is another, too: a press on the screen before files
    nothing.
    """
    drawn: int = 0
    """How often the rows were drawn anew: a row that goes takes its boxes' names with it."""
    put: set[str] = field(default_factory=set)
    """Keys of the boxes that this drawing set by itself."""
    problem: str = ""
    """Why the last press was refused. Said until the next press, whatever is typed meanwhile:
    leaving a box must not move the button that is being pressed.
    """
    refused: str = ""
    """What that press was for."""
    turned: float = -math.inf
    """When a press was last refused because the form said something else by then, on this process's
    clock: the second of a double click is not made on what it says now.
    """

    @property
    def changed(self) -> bool:
        """Whether it says something else than the last answer."""
        return self.seen != self.filed


@dataclass
class SeatDesk:
    forms: dict[str, SeatForm] = field(default_factory=dict)
    wishes: list[SeatWish] = field(default_factory=list)
    done: int = 0
    """How many wishes were done."""
    at: dict[str, str] = field(default_factory=dict)
    """By bench: which unit of the list is on the screen, counted from 1."""
    address: str = ""
    """What the address said last."""
    bare: str = ""
    """What an address that names no unit showed first."""
    stored: dict[str, str] = field(default_factory=dict)
    """What the store has of what was typed into forms that have left the screen, by the names under
    which the browser holds it until then.
    """

    def wish(self, on: str, what: str, which: str = "") -> None:
        """Put down what a button asks for."""
        self.wishes.append(SeatWish(on, what, which))


def desk() -> SeatDesk:
    """Return this tab's desk."""
    held: SeatDesk = st.session_state.setdefault(DESK, SeatDesk())
    return held


def place(bench: SeatBench, shown: ShownUnit) -> str:
    """Return what names a form among all others of this tab."""
    return _place(bench, shown, shown.stage)


def stamp(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> str:
    """Return what names a form as it was drawn: filed once, it is another."""
    return f"{place(bench, shown)}:{form.version}"


def box(bench: SeatBench, shown: ShownUnit, form: SeatForm, name: str) -> str:
    """Return the key of a box."""
    row = f":{form.drawn}" if name.startswith(("quote:", "text:")) else ""
    return f"seat:{place(bench, shown)}:{name}{row}"


def typed(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> dict[str, tuple[str, str]]:
    """Return the boxes one writes in, by their keys: a name that stays when the form is drawn anew,
    and what is kept of them.
    """
    held = {}
    for name in names(bench.task, bench.criteria, form.rows):
        kind = name.partition(":")[0]
        if kind in TYPED:
            key = box(bench, shown, form, name)
            held[key] = (f"{place(bench, shown)}:{name}", str(form.seen.get(name) or ""))
    return held


def fill(bench: SeatBench, shown: ShownUnit) -> SeatForm:
    """Return the form of what is shown, with what is kept in it: by this tab, by another, or by
    this one before it was reloaded.
    """
    forms = desk().forms
    where = place(bench, shown)
    filed = boxes_of(bench.task, _answered(shown), bench.criteria, shown.assignment.shown)
    kept = (
        boxes_of(bench.task, shown.draft, bench.criteria, shown.assignment.shown)
        if shown.draft
        else filed
    )
    form = forms.get(where)
    if form:
        form.put.clear()
    if form is None:
        form = SeatForm(
            kept,
            filed,
            shown.assignment.version,
            _saved(shown),
            rows(kept),
            _locked_meanwhile(bench, shown),
        )
        _put(bench, shown, form, kept)
        forms[where] = form
    elif form.version != shown.assignment.version:
        _filed_elsewhere(bench, shown, form, filed)
    else:
        _bring_together(bench, shown, form, kept)
    return form


def take(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> None:
    """Keep what a person changed in the boxes since they were last looked at; nothing where nothing
    was.
    """
    if touched := _touched(bench, shown, form):
        change(bench, shown, form, _with(form.seen, touched))


def change(bench: SeatBench, shown: ShownUnit, form: SeatForm, seen: Boxes) -> None:
    """Let a form say this, and keep it."""
    form.saved = bench.keep(shown, draft(bench, shown, seen))
    form.seen = seen


def draft(bench: SeatBench, shown: ShownUnit, seen: Boxes) -> dict[str, Any]:
    """Return the draft of what a form says."""
    text = shown.texts[0][1]
    review = ""
    if isinstance(text, Trajectory):
        review = "\n\n".join(map(review_text, text.rounds))
    return draft_of(bench.task, seen, bench.criteria, shown.assignment.shown, review)


def _place(bench: SeatBench, shown: ShownUnit, stage: int) -> str:
    # By its place on the list: the name of the unit, which a browser is told too, would say that
    # something is shown once more.
    return f"{bench.name}:{shown.assignment.position}:{stage}"


def _bring_together(bench: SeatBench, shown: ShownUnit, form: SeatForm, kept: Boxes) -> None:
    """Keep what was touched here since; boxes that were not say what another tab kept."""
    touched = _touched(bench, shown, form)
    form.rows = max(form.rows, rows(kept))
    seen = _with(kept, touched)
    if seen != _with(form.seen, touched):
        form.key = secrets.token_urlsafe(12)
    _put(bench, shown, form, seen)
    if touched:
        change(bench, shown, form, seen)
    elif form.seen != kept:
        form.seen = kept
        form.saved = _saved(shown)


def _filed_elsewhere(bench: SeatBench, shown: ShownUnit, form: SeatForm, filed: Boxes) -> None:
    """Go on with a form that another tab filed meanwhile: what is half said here, and is not what
    was filed, is kept as a change of it.
    """
    mine = _with(form.seen, _touched(bench, shown, form))
    before = form.filed
    form.filed = filed
    form.version = shown.assignment.version
    form.key = secrets.token_urlsafe(12)
    if mine in (filed, before):
        _put(bench, shown, form, filed)
        form.seen = filed
        form.saved = _saved(shown)
    else:
        form.notice, form.problem = OUTDATED, ""
        change(bench, shown, form, mine)


def _locked_meanwhile(bench: SeatBench, shown: ShownUnit) -> str:
    """Say what was half said here of a part that another tab answered, and locked, meanwhile."""
    earlier = desk().forms.pop(_place(bench, shown, shown.stage - 1), None)
    said = [one for one in shown.said if one.stage == shown.stage - 1]
    words = (
        [str(value) for name, value in earlier.seen.items() if name.partition(":")[0] in TYPED]
        if earlier
        else []
    )
    if not said or not words:
        return ""
    return say("error.locked", words=" / ".join(words)[:2_000])


def _put(bench: SeatBench, shown: ShownUnit, form: SeatForm, seen: Boxes) -> None:
    """Let the boxes that are on the screen hold this."""
    for name in names(bench.task, bench.criteria, form.rows):
        key = box(bench, shown, form, name)
        value = seen.get(name)
        if key in st.session_state and _said(st.session_state[key]) != value:
            empty = EMPTY.get(name.partition(":")[0])
            st.session_state[key] = empty if value is None else value
            form.put.add(key)


def _touched(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> Boxes:
    touched = {}
    typed = [f"score:{n}" for n, one in enumerate(bench.criteria) if by_number(one)]
    for name in names(bench.task, bench.criteria, form.rows):
        key = box(bench, shown, form, name)
        if key not in st.session_state:
            continue
        value = _said(st.session_state[key])
        # A person can choose another answer, and cannot unchoose one; a browser that came back
        # after a lost connection may.
        unchosen = value is None and not name.startswith(CLEARED) and name not in typed
        if value != form.seen.get(name) and not unchosen:
            touched[name] = value
    return touched


def _said(value: Any) -> Any:
    # Not by comparing: 0 is a score, and equals False.
    return None if value is False or value == "" else value


def _with(seen: Boxes, touched: Boxes) -> Boxes:
    """Return what a form says with these boxes changed; a score and "cannot judge" take each
    other's place.
    """
    now = seen | touched
    others = {"score": ("cannot",), "words": ("cannot",), "cannot": ("score", "words")}
    for name, value in touched.items():
        kind, _, n = name.partition(":")
        if value is not None and kind in others:
            now |= {f"{other}:{n}": None for other in others[kind]}
    return {name: value for name, value in now.items() if value is not None}


def _answered(shown: ShownUnit) -> dict[str, Any]:
    said = [one for one in shown.said if one.stage == shown.stage]
    return said[-1].answer.model_dump(mode="json") if said else {}


def _saved(shown: ShownUnit) -> str:
    return max([shown.draft_at, *(one.at for one in shown.said)])
