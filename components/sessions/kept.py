"""A session's figures, made once for each state of its answers and kept: nobody waits for those of
an answer more.
"""

import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import NamedTuple

import streamlit as st

from components.shell import services
from core.beside import EndedEarly
from core.errors import BadInput
from core.records import Study, StudyTerms
from core.studies.analysis import Analysis
from core.studies.figuring import analyse

AT_ONCE = 0.25
"""Seconds that figures may take to be made anew at every answer."""
REST = 20.0
"""Times as long as it took, figures stay as they are though answers came in: pages must not wait
for them.
"""
KEPT = 4
"""Sessions whose figures are kept in memory."""
log = logging.getLogger("foundry.sessions")
_pool = ThreadPoolExecutor(1, "session-figures")
_guard = threading.Lock()
"""Held for moments only."""
_held: dict["KeptName", "HeldFigures"] = {}
_one: dict["KeptName", threading.Lock] = {}
"""Each held while these figures are made."""
_refused: dict["KeptName", tuple["Stamp", str]] = {}
"""Why there are none, and of what they would have been made."""
_making: set["KeptName"] = set()
"""Those that are being made beside a page."""


class KeptName(NamedTuple):
    """Whose figures: of which session, and whether the inattentive are left out."""

    folder: str
    study: str
    attentive: bool


class Stamp(NamedTuple):
    """What figures were made of."""

    answers: int
    state: str
    revealed: tuple[str, int]
    """When sources were, and how often they were grouped."""
    seats: tuple[tuple[str, str], ...]
    """Each with its step."""
    listed: tuple[tuple[str, int], ...]
    """Units on every list: some are handed to others while the session is open."""
    terms: StudyTerms
    deadlines: tuple[tuple[str, str], ...]
    """Every one that was set, and when."""
    pay: tuple[tuple[str, str], ...]

    @property
    def withdrawn(self) -> set[str]:
        """Who is left out."""
        return {seat for seat, step in self.seats if step == "withdrawn"}


class HeldFigures(NamedTuple):
    """Figures, what they were made of, when and how long that took."""

    made: Analysis
    stamp: Stamp
    at: float
    took: float


def latest(study: Study, attentive: bool = False, beside: bool = False) -> HeldFigures:
    """Return a session's figures: made now, or those of some answers ago where making them takes
    long; newer ones are then made `beside` the page, for its next look, where that is asked for.
    """
    place = KeptName(str(services.store().folder), study.id, attentive)
    stamp, known = _stamp(study), _held.get(place)
    if known and _will_do(known, stamp):
        return known
    if known and beside and _may_stay(known, stamp):
        _make_beside(place, study)
        return known
    with st.spinner("Computing figures…"):
        return _make(place, study)


def _stamp(study: Study) -> Stamp:
    store = services.store()
    return Stamp(
        store.study_work.filed(study.id),
        study.state,
        (study.unblinded, len(store.study_keys.groupings(study.id))),
        tuple((one.id, one.step) for one in store.seats.of(study.id)),
        store.study_work.listed(study.id),
        store.terms.get(study.id),
        tuple(store.studies.deadlines_set(study.id)),
        tuple(store.studies.pay_set(study.id)),
    )


def _will_do(known: HeldFigures, stamp: Stamp) -> bool:
    """Say whether figures are the newest, or new enough for the time they take."""
    recent = monotonic() - known.at < REST * known.took
    return known.stamp == stamp or (recent and _may_stay(known, stamp))


def _may_stay(known: HeldFigures, stamp: Stamp) -> bool:
    """Say whether nothing but answers came in, and newer figures would take long: whose answers
    are to be left out has them left out at once.
    """
    was = known.stamp
    same = was._replace(answers=stamp.answers, seats=stamp.seats) == stamp
    return same and was.withdrawn == stamp.withdrawn and known.took > AT_ONCE


def _make_beside(place: KeptName, study: Study) -> None:
    with _guard:
        if place in _making:
            return
        _making.add(place)
    _pool.submit(_make_newer, place, study)


def _make_newer(place: KeptName, study: Study) -> None:
    try:
        _make(place, study)
    except Exception:
        # The next reader makes them on the page, and sees what is wrong.
        with _guard:
            _held.pop(place, None)
        log.exception("The figures of session %s could not be made beside its page", study.id)
    finally:
        with _guard:
            _making.discard(place)


def _make(place: KeptName, study: Study) -> HeldFigures:
    with _guard:
        one = _one.setdefault(place, threading.Lock())
    with one:
        stamp, began = _stamp(study), monotonic()
        known = _held.get(place)
        # Who waited for them in another tab need not make them again for an answer that came since.
        if known and _will_do(known, stamp):
            return known
        of, why = _refused.get(place, (None, ""))
        if of == stamp:
            raise BadInput(why)
        try:
            made = analyse(services.store(), study.id, place.attentive)
        except (BadInput, EndedEarly) as error:
            if isinstance(error, BadInput) or error.would_again:
                _refused[place] = stamp, str(error)
            raise
        held = HeldFigures(made, stamp, monotonic(), monotonic() - began)
        with _guard:
            _held.pop(place, None)
            _held[place] = held
            while len(_held) > KEPT:
                _held.pop(next(iter(_held)))
        return held
