"""A ballot as it is filled in: one quality after another, every answer kept at once, filed when all
are given.
"""

import hmac
import secrets
from hashlib import sha256
from time import monotonic
from typing import Any, NamedTuple

import streamlit as st

from components.arena.ballot_keys import Press
from components.shell import services
from core.judging.arena.contests import CRITERIA, again, ballot_of
from core.records import FIVE_WAY, Contest, HalfBallot, Kind, digest, label

KEYS = {str(n): strength for n, strength in enumerate(FIVE_WAY, 1)}
SAYS = {2: "A much better", 1: "A better", 0: "No difference", -1: "B better", -2: "B much better"}
TWICE = 0.35
"""Seconds in which a click is the second of a double click."""
DESK = "vote:desk"
CHANGED = (
    "Your last press was not counted: the answers to this pair had changed since they were drawn"
    " here. Check them, then go on."
)


_KEY = secrets.token_bytes(32)
"""Of this process: whoever knows the methods could try all pairs of them on a plain hash."""


class VoterSitting(NamedTuple):
    """Who votes where, on which of the contests."""

    arena: str
    kind: Kind
    by: str
    whole: tuple[Contest, ...]
    desk: dict[str, Any]
    """Which quality of which pair a person went back to, when they last clicked, and which answers
    this tab knows of; a plain one, since a word to Streamlit may break a script off.
    """

    @property
    def criteria(self) -> tuple[str, ...]:
        return CRITERIA[self.kind]


def stamp(half: HalfBallot) -> str:
    """Return what tells a pair on the screen from every other, and not whose texts it has."""
    contest = digest(half.contest.model_dump()).encode()
    return f"{hmac.new(_KEY, contest, sha256).hexdigest()[:12]}-{half.n}"


def name_screen(sitting: VoterSitting, half: HalfBallot) -> str:
    """Return what names the screen that a press is made on: the pair, with the answers that were
    found on it. Those that this tab gave since are no other screen, as keys may follow one another
    quicker than drawings; those that another tab gave are.
    """
    pair, answers, name = sitting.desk.get("screen") or ("", {}, "")
    if (pair, answers) == (stamp(half), half.strength):
        return str(name)
    return f"{stamp(half)}-{digest(half.strength)[:12]}"


def show(sitting: VoterSitting, half: HalfBallot) -> str:
    """Name the screen that is drawn, and remember which answers it shows."""
    return _know(sitting, half, half.strength)


def next_quality(sitting: VoterSitting, half: HalfBallot) -> str | None:
    """Return the quality that is asked for: the one a person went back to, or the first that is
    open; None once all are given.
    """
    pair, name = sitting.desk.get("back") or ("", "")
    if pair == stamp(half) and name in sitting.criteria:
        return str(name)
    return next((name for name in sitting.criteria if name not in half.strength), None)


def press(sitting: VoterSitting, pressed: Press) -> None:
    """Do what a key asks for; one that was pressed on another pair, or on other answers, is let go.
    It draws nothing.
    """
    half = _half(sitting, pressed.stamp.rpartition("-")[0])
    if half is None:
        return
    if pressed.key == "why":
        _keep(half, why=pressed.why)
    elif not _still(sitting, half, pressed.stamp):
        return
    elif pressed.key in KEYS and (name := next_quality(sitting, half)):
        _answer(sitting, half, name, KEYS[pressed.key])
    elif pressed.key == "Enter":
        _file(sitting, half, pressed.why)
    elif pressed.key in ("Backspace", "ArrowLeft", "ArrowRight"):
        _move(sitting, half, 1 if pressed.key == "ArrowRight" else -1)


def click(sitting: VoterSitting, shown: str, name: str, strength: int) -> None:
    """Take an answer from a button; the second of a double click would fall on the next quality,
    and is let go.
    """
    if (half := _half(sitting, shown)) and _once(sitting):
        _answer(sitting, half, name, strength)


def go_to(sitting: VoterSitting, half: HalfBallot, name: str) -> None:
    """Ask for this quality next."""
    sitting.desk["back"] = (stamp(half), name)


def hand_in(sitting: VoterSitting, screen: str, box: str) -> None:
    """File the ballot on the screen with what stands in the box; nothing where it shows other
    answers.
    """
    half = _half(sitting, screen.rpartition("-")[0])
    if half and _once(sitting) and _still(sitting, half, screen):
        _file(sitting, half, str(st.session_state.get(box) or ""))


def write(sitting: VoterSitting, shown: str, box: str) -> None:
    """Keep what stands in the box for the reason."""
    if half := _half(sitting, shown):
        _keep(half, why=str(st.session_state.get(box) or ""))


def reopen(sitting: VoterSitting) -> None:
    """Open the ballot this person filed last, unless the one on the screen has been begun."""
    ballots = services.store().ballots
    half = ballots.half(sitting.arena, sitting.by)
    filed = ballots.by(sitting.arena, sitting.by)
    begun = half and (half.strength or half.why)
    if filed and not begun:
        again(services.store(), filed[-1])


def is_changed(sitting: VoterSitting, half: HalfBallot) -> bool:
    """Return whether the last press was let go, as the answers to this pair had changed."""
    return sitting.desk.get("changed") == stamp(half)


def spoken(sitting: VoterSitting, half: HalfBallot, name: str | None, n: int) -> str:
    """Say where a voter is, for a screen reader."""
    last = ""
    for quality in sitting.criteria:
        if quality in half.strength:
            last = f"{label(quality)}: {SAYS[half.strength[quality]]}. "
    done = "All qualities are answered. Enter saves the vote."
    changed = f"{CHANGED} " if is_changed(sitting, half) else ""
    return f"Pair {n}. {changed}{last}{f'Asked: {label(name)}.' if name else done}"


def _half(sitting: VoterSitting, shown: str) -> HalfBallot | None:
    """Return what a person has half filled in, if it is on the pair that the screen shows."""
    half = services.store().ballots.half(sitting.arena, sitting.by)
    return half if half and stamp(half) == shown else None


def _know(sitting: VoterSitting, half: HalfBallot, answers: dict[str, int]) -> str:
    """Remember these answers as known to this tab; return what names its screen."""
    name = name_screen(sitting, half)
    sitting.desk["screen"] = (stamp(half), answers, name)
    return name


def _still(sitting: VoterSitting, half: HalfBallot, screen: str) -> bool:
    """Return whether the pair has the answers that the screen showed, and remember where not."""
    same = name_screen(sitting, half) == screen
    sitting.desk["changed"] = "" if same else stamp(half)
    return same


def _once(sitting: VoterSitting) -> bool:
    last = sitting.desk.get("clicked", -TWICE)
    sitting.desk["clicked"] = monotonic()
    return bool(sitting.desk["clicked"] - last >= TWICE)


def _answer(sitting: VoterSitting, half: HalfBallot, name: str, strength: int) -> None:
    following = sitting.criteria.index(name) + 1
    # Who went back three places answers the three in turn.
    if sitting.desk.pop("back", None) and following < len(sitting.criteria):
        go_to(sitting, half, sitting.criteria[following])
    answers = {**half.strength, name: strength}
    _keep(half, strength=answers)
    _know(sitting, half, answers)
    sitting.desk["changed"] = ""


def _keep(half: HalfBallot, **change: object) -> None:
    services.store().ballots.keep_half(half.model_copy(update=change))


def _move(sitting: VoterSitting, half: HalfBallot, by: int) -> None:
    names, name = sitting.criteria, next_quality(sitting, half)
    at = (names.index(name) if name else len(names)) + by
    if at >= len(names):
        sitting.desk.pop("back", None)
    elif at >= 0 and set(names[:at]) <= set(half.strength):
        go_to(sitting, half, names[at])


def _file(sitting: VoterSitting, half: HalfBallot, why: str) -> None:
    if set(sitting.criteria) <= set(half.strength):
        sitting.desk.pop("back", None)
        whole = half.model_copy(update={"why": why.strip()})
        services.store().ballots.add((ballot_of(whole, sitting.kind),))
