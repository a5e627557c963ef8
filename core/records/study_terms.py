"""What is agreed with experts beside the frozen plan of a session: until when, how much, what they
read as they are asked, and what they are paid.
"""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, StringConstraints, field_validator, model_validator

from core.records.base import Record, Text

Line = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=200, pattern=r"^[^\r\n]*$")
]
PER = ("unit", "hour")
UTC_ZONE = "UTC"


class StudyLetter(Record):
    """A text that experts are sent, with placeholders such as `$name` for what differs."""

    subject: Annotated[Line, StringConstraints(min_length=1)]
    text: Text


class StudyTerms(Record):
    """What an organiser may set at any time, also while a session is open. It is in no export but
    the methods paragraph and the events (deadlines, pay): the frozen plan is, and what each expert
    agreed to.
    """

    deadline: str = ""
    """The moment in UTC, ISO 8601 to the minute; empty for none."""
    zone: str = UTC_ZONE
    """The time zone in which the organiser says the deadline, as IANA calls it."""
    late: bool = True
    """Whether answers are accepted after the deadline."""
    most: Annotated[int, Field(ge=0, le=2_000)] = 0
    """How many units an expert is given at most, repeats and attention checks too; 0 for no
    maximum.
    """
    code: Line = ""
    """What an expert is shown at the end, to be paid by who recruited them."""
    return_address: Line = ""
    """The address an expert is led back to at the end; `$code` in it stands for the code."""
    rate: Annotated[Decimal, Field(ge=0, le=100_000, decimal_places=2)] = Decimal(0)
    """What is paid; 0 for nothing."""
    per: Literal["unit", "hour"] = "hour"
    currency: Annotated[str, StringConstraints(strip_whitespace=True, max_length=12)] = "EUR"
    invitation: StudyLetter | None = None
    """The organiser's own; ours where there is none."""
    reminder: StudyLetter | None = None

    @property
    def pay(self) -> str:
        """What is paid, in words; empty for nothing."""
        per = "unit" if self.per == "unit" else "hour of active work"
        return f"{self.rate:.2f} {self.currency} per {per}" if self.rate else ""

    @field_validator("deadline")
    @classmethod
    def _in_utc(cls, moment: str) -> str:
        if not moment:
            return moment
        try:
            read = datetime.fromisoformat(moment)
        except ValueError:
            read = None
        if read is None or read.utcoffset() != timedelta(0):
            raise ValueError("is no moment in UTC such as 2026-12-04T17:00+00:00")
        # Written alike, so that moments can be compared as texts.
        return read.isoformat(timespec="minutes")

    @field_validator("zone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError("is no time zone such as Europe/Berlin or UTC") from None
        return name

    @field_validator("return_address")
    @classmethod
    def _web_address(cls, address: str) -> str:
        if address and (not address.startswith(("https://", "http://")) or " " in address):
            raise ValueError("must be a web address that begins with https://")
        return address

    @model_validator(mode="after")
    def _code_is_there(self) -> "StudyTerms":
        if "$code" in self.return_address and not self.code:
            raise ValueError(
                "the return address has $code in it, and there is no completion code: give one, or"
                " take $code out"
            )
        return self


class ConsentVersion(Record):
    """A text of consent; what was agreed to stays as it was read."""

    version: int
    """1 is that of the frozen plan."""
    sha: str
    """SHA-256 of the text in UTF-8."""
    text: str
    at: str


class SeatTerms(Record):
    """What an expert agreed to."""

    seat: str
    consent: int = 0
    """Which version; 0 where it was agreed to before versions were kept."""
    units: int = 0
    """How many units."""
    at: str = ""
    refused: bool = False
    """Whether the expert said no to more units: the list does not grow again."""


class PersonDetails(Record):
    """Who sits at a seat. It lies apart from answers, is in no export but lists of people, and can
    be erased.
    """

    seat: str
    name: str
    address: str = ""
    """For e-mail."""
    prolific: str = ""
    """The participant's id at the service that recruited them (PROLIFIC_PID)."""
    prolific_study: str = ""
    prolific_session: str = ""
    recruited: bool = False
    """Whether the seat is a place for whoever comes by the recruiting link."""
