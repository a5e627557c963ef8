"""Deadlines: kept in UTC, said and read in a time zone."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from core.errors import BadInput
from core.records import StudyTerms
from core.wording.catalogue import ENGLISH, Wording

EARLIEST, LATEST = date(2000, 1, 1), date(2199, 12, 31)
"""The days a deadline may be set to."""
NEAR = timedelta(days=3)
"""Before a deadline: who has not finished is reminded of it."""


class Deadlines(NamedTuple):
    """The deadlines of a session over time."""

    set: tuple[tuple[str, str], ...]
    """When one was set, and the moment; empty for none from then on."""

    @classmethod
    def of(cls, changes: Sequence[tuple[str, str]], now: str) -> "Deadlines":
        """Return them from when each was set, and from the one there is now."""
        # Sessions may be older than the record.
        return cls(tuple(changes or [("", now)]))

    def at(self, moment: str) -> str:
        """Return the deadline set before a moment; empty for none."""
        return next((due for since, due in reversed(self.set) if since < moment), "")

    def is_late(self, moment: str) -> bool:
        """Return whether what was filed at a moment was filed after the deadline of then."""
        due = self.at(moment)
        return bool(due) and moment >= due

    def since(self, opened: str) -> tuple[tuple[str, str], ...]:
        """Return what was changed once the session was open."""
        return tuple(one for one in self.set if opened and one[0] >= opened)


def in_utc(said: str, zone: str) -> str:
    """Return a moment such as `2026-12-04 18:00` in a time zone as a moment in UTC; a day alone
    ends at 23:59. Raises BadInput, also for a day on which no deadline can be.
    """
    try:
        read = datetime.fromisoformat(said.strip())
        place = ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadInput(
            f"{said!r} in the time zone {zone!r} is no moment. Write it as 2026-12-04 18:00, and"
            " the zone as Europe/Berlin or UTC."
        ) from None
    if not EARLIEST <= read.date() <= LATEST:
        raise BadInput(f"{said} is no day for a deadline. Choose one from {EARLIEST} to {LATEST}.")
    if len(said.strip()) <= len("2026-12-04"):
        read = read.replace(hour=23, minute=59)
    local = read if read.tzinfo else read.replace(tzinfo=place)
    there = local.astimezone(UTC)
    if read.tzinfo is None and there.astimezone(place).replace(tzinfo=None) != read:
        raise BadInput(
            f"On that day clocks in {zone} are put forward, and {said} does not exist. Choose"
            " another time."
        )
    return there.isoformat(timespec="minutes")


def spelled(moment: str, zone: str = "", words: Wording = ENGLISH) -> str:
    """Say a moment in UTC as people in a time zone read it, with UTC beside it; in UTC alone where
    the zone is unknown.
    """
    there = datetime.fromisoformat(moment).astimezone(UTC)
    try:
        local = there.astimezone(ZoneInfo(zone))
    except (ZoneInfoNotFoundError, ValueError, OSError, OverflowError):
        return f"{_said(there, words)} UTC"
    if local.utcoffset() == timedelta(0):
        return f"{_said(there, words)} UTC"
    beside = f"{there:%H:%M}"
    if local.date() != there.date():
        beside = f"{words.day(there)} {beside}"
    return f"{_said(local, words)} {zone} ({beside} UTC)"


def near(terms: StudyTerms, moment: str) -> bool:
    """Return whether the deadline is near at a moment, or has passed."""
    if not terms.deadline:
        return False
    return datetime.fromisoformat(terms.deadline) - datetime.fromisoformat(moment) <= NEAR


def _said(moment: datetime, words: Wording) -> str:
    return f"{words.date(moment)}, {moment:%H:%M}"
