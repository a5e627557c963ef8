"""Where a recording stands: at a second of its tape, going on or held; kept for this browser."""

import re
import time
from functools import lru_cache
from pathlib import Path

import streamlit as st

from components.shell import services
from core.cases.tape import Moment, Tape
from core.records import Record, Run

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)
"""How many times as fast as one reads."""
_SECOND = re.compile(r"[0-9]{1,6}(\.[0-9]{1,3})?")
NEAR = 0.06
"""Seconds: the address says tenths, so a moment it restored may be a little off its stop."""


class Clock(Record):
    """`at` is the second it was started, or held, at; `since` the moment it was started, on this
    machine's steady clock.
    """

    at: float = 0.0
    since: float | None = None
    speed: float = 1.0

    @property
    def going(self) -> bool:
        return self.since is not None

    def now(self, tape: Tape) -> float:
        """Return the second the tape is at."""
        passed = (time.monotonic() - self.since) * self.speed if self.since is not None else 0.0
        return min(self.at + passed, tape.seconds)


def tape_of(run: Run) -> Tape:
    """Return the tape of a finished run: it does not change any more."""
    return _tape(services.store().folder, run.id)


@lru_cache(maxsize=8)
def _tape(folder: Path, run_id: str) -> Tape:
    assert folder == services.store().folder
    return Tape.of(services.store(), run_id)


def stops(tape: Tape) -> tuple[float, ...]:
    """Return the seconds at which somebody has said something: what one steps through."""
    read = {frame.end for frame in tape.frames if frame.words}
    return tuple(sorted({0.0, *read, tape.seconds}))


def of(run: Run) -> Clock:
    """Return where the recording stands in this browser; it starts at the address's second,
    held.
    """
    key = _key(run)
    if key not in st.session_state:
        tape, asked, second = tape_of(run), st.query_params.get("at", ""), 0.0
        if _SECOND.fullmatch(asked):
            second = min(float(asked), tape.seconds)
        near = (stop for stop in stops(tape) if abs(stop - second) <= NEAR)
        st.session_state[key] = Clock(at=next(near, second))
    return Clock.model_validate(st.session_state[key].model_dump())


def moment(run: Run) -> Moment:
    """Return how far the run is at this moment."""
    tape = tape_of(run)
    return tape.moment(of(run).now(tape))


def play(run: Run) -> None:
    """Go on, from the beginning where the end was reached."""
    tape = tape_of(run)
    second = of(run).now(tape)
    begin = 0.0 if second >= tape.seconds else second
    _put(run, at=begin, since=time.monotonic())


def hold(run: Run) -> None:
    """Stand still where it is."""
    jump(run, of(run).now(tape_of(run)))


def step(run: Run, by: int) -> None:
    """Go to what was said next, or before, and stand still."""
    marks = stops(tape_of(run))
    second = of(run).now(tape_of(run))
    if by > 0:
        there = next((mark for mark in marks if mark > second), marks[-1])
    else:
        there = next((mark for mark in reversed(marks) if mark < second), marks[0])
    jump(run, there)


def jump(run: Run, second: float) -> None:
    """Go to a second of the tape and stand still."""
    _put(run, at=second, since=None)


def press(run: Run, key: str) -> None:
    """Do what a key asks for: arrows step, the space bar plays and pauses, Home and End go
    there.
    """
    if key == " ":
        toggle = hold if of(run).going else play
        toggle(run)
    elif key in ("Home", "End"):
        jump(run, 0.0 if key == "Home" else tape_of(run).seconds)
    else:
        step(run, 1 if key == "ArrowRight" else -1)


def faster(run: Run, speed: float) -> None:
    """Play at another speed from here on."""
    since = time.monotonic() if of(run).going else None
    _put(run, at=of(run).now(tape_of(run)), since=since, speed=speed)


def _put(run: Run, **change: float | None) -> None:
    st.session_state[_key(run)] = of(run).model_copy(update=change)


def _key(run: Run) -> str:
    return f"case:clock:{run.id}"
