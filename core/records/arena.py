"""What is judged, as frozen copies, and who said which of two is better."""

from typing import Annotated, Literal

from pydantic import StringConstraints

from core.records.base import Record, Text
from core.records.designs import Side

Kind = Literal["idea", "design"]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
IDEA_CRITERIA = ("novelty", "significance", "clarity", "feasibility", "effectiveness")
"""Chain of Ideas, section 3.4: Novelty, Significance, Clarity, Feasibility, Expected Effectiveness.
"""
DESIGN_CRITERIA = ("feasibility", "technical_quality", "clarity")
"""For experiment designs: Feasibility, Technical Quality, Clarity."""
FIVE_WAY = (2, 1, 0, -1, -2)
"""What a person says of a pair on one criterion: the first is much better, better, a tie, the
second is better, much better.
"""


class Entry(Record):
    """A text that is judged: a frozen copy, known by its hash, with where it comes from."""

    id: str
    """Made from everything below it: the same entry is kept once."""
    kind: Kind
    sha: str
    """SHA-256 of the frozen text (store.frozen)."""
    method: Name
    model: str = ""
    topic: Name
    category: str = ""
    source: str = ""
    """Run and place, or file and row."""
    collection: Name
    """What it was brought in with: an import, a sweep, a run."""


class Designs(Record):
    """Which of two experiment designs is better, criterion by criterion (Chain of Ideas, section
    3.4).
    """

    reason: Text
    feasibility: Side
    technical_quality: Side
    clarity: Side


class Contest(Record):
    """Two methods' texts on one topic; `a` comes before `b` in the alphabet, whoever is shown
    first.
    """

    topic: Name
    a: Name
    b: Name


class Ballot(Record):
    """One judgment of one contest in one order, criterion by criterion."""

    arena: str
    contest: Contest
    first: Name
    """Which method's text stood first."""
    sides: dict[str, Side]
    """By criterion."""
    strength: dict[str, int] = {}
    """A person's five-way answers by criterion (2 .. -2, positive for the first); empty for models.
    """
    judge: Text
    person: bool = False
    why: str = ""
    repeat: int = 1
    key: str
    """The client's own key: filed twice, it is kept once."""
    at: str = ""


class HalfBallot(Record):
    """A person's half-filled ballot: what a reload must not lose."""

    arena: str
    judge: str
    contest: Contest
    first: Name
    strength: dict[str, int] = {}
    why: str = ""
    n: int = 0
    """How many ballots this person had filed on the contest before: sent twice, a ballot has one
    key.
    """


class Seat(Record):
    """A method's text on one topic as it is shown in an arena, by the hash of the frozen copy;
    empty where there is none, with the reason.
    """

    topic: Name
    method: Name
    sha: str = ""
    length: int = 0
    """Characters as shown."""
    reason: str = ""


class Lineup(Record):
    """What an arena shows to judges and to people: fixed before the first match."""

    seats: tuple[Seat, ...]
    common: bool
    """Whether every text is in the common form."""


class Played(Record):
    """How an arena's matches ended: a match whose judge gave no usable answer is missing, and
    counted.
    """

    contests: int
    matches: int
    judged: int
    failed: dict[str, int] = {}
    """By judge."""
    reason: str = ""
    """What the first of the failures said."""
