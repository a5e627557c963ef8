"""What a case study holds: everything of a finished run but its name and who worked on it.

Validation of a list stops at its first fault; otherwise a small file with a fault in every entry
takes gigabytes.
"""

from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, FailFast, Field

from core.records import Ballot, Call, Config, Origin, Paper, Record, Target, Text
from core.records.faults import MOST_VALUES, has_few_parts
from core.store.steps import Product


def _utc(text: str) -> str:
    """Return a moment in UTC, ISO 8601; raises ValueError for what is none."""
    try:
        offset = datetime.fromisoformat(text).utcoffset()
    except ValueError:
        offset = None
    if offset != timedelta(0):
        raise ValueError("is no moment in UTC such as 2026-01-31T12:00:00+00:00")
    return text


Many = Annotated[int, Field(ge=0)]
Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Seconds = Annotated[float, Field(ge=0, le=1e9)]
Moment = Annotated[str, Field(max_length=40), AfterValidator(_utc)]
Name = Annotated[str, Field(pattern=r"^[\w.-]{1,60}$")]
Path = Annotated[
    str, Field(pattern=r"^/?[^\s/\x00-\x1f][^/\x00-\x1f]{0,99}(/[^/\x00-\x1f]{1,100}){0,11}$")
]
"""A place a person would say: `round-4/review`; what a method asks in no further place begins with
a stroke: `/direct-idea`.
"""
Place = Annotated[str, Field(pattern=r"^\d{4,6}(\.\d{3,6}\.\d{4,6}){0,11}$")]
"""Where in the order of asking: sorts as text."""
Sha = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


MOST_PROMPTS = 1_000
"""Prompts that a run names, at most."""
MOST = 20_000
"""Steps of a run, records it has to show, and runs of an experiment, at most."""
LATER = ConfigDict(defer_build=True)
"""For records with places in them: their patterns take a third of a second to compile, and only
case studies need them.
"""


class KeptStep(Record):
    """A step as it stands in its run, with the tries made there."""

    model_config = LATER

    key: Path
    place: Place
    hash: Sha
    status: Literal["done", "failed"]
    request: dict[str, object]
    reply: object
    origin: Origin
    tokens_in: Many | None
    tokens_out: Many | None
    cost: Dollars | None
    latency: Seconds | None
    """None for a text somebody wrote for a case study."""
    tries: Many
    asked: Moment
    ended: Moment
    taken_from: Name | None
    calls: Annotated[tuple[Call, ...], FailFast()]


def _check_size(data: dict[str, object]) -> dict[str, object]:
    if not has_few_parts(data):
        raise ValueError(f"has more than {MOST_VALUES:,} parts")
    return data


def _check_prompts(prompts: object) -> object:
    if isinstance(prompts, dict) and len(prompts) > MOST_PROMPTS:
        raise ValueError(f"has more entries than the {MOST_PROMPTS:,} allowed")
    return prompts


RecordData = Annotated[dict[str, object], AfterValidator(_check_size)]
"""The fields of a record."""


class KeptProduct(Product):
    model_config = LATER

    name: Path
    place: Place
    data: RecordData


class Margin(Record):
    """A note without the run it is in."""

    about: Annotated[Text, Field(max_length=300)]
    text: Text
    by: Text
    at: Moment


class Prompt(Record):
    name: Name
    text: str


class Totals(Record):
    """What the run came to where it was made; `cost` in US dollars."""

    steps: Many
    calls: Many
    tokens_in: Many
    tokens_out: Many
    tokens_expected: Many
    cost: Dollars
    unpriced: Many
    # Left out where there are none: what was packed before keeps its digest.
    unreported: Annotated[Many, Field(exclude_if=lambda calls: not calls)] = 0
    maybe_paid: Annotated[Many, Field(exclude_if=lambda calls: not calls)] = 0
    cost_expected: Annotated[Dollars, Field(exclude_if=lambda dollars: not dollars)] = 0.0


class FrozenText(Record):
    """A text as an arena showed it to whoever judged."""

    kind: Literal["Idea", "Design"]
    data: RecordData


class KeptBallot(Ballot):
    """A ballot without the arena it is in."""

    arena: Annotated[Literal[""], Field(exclude=True)] = ""
    at: Moment


class ArenaWhole(Record):
    """What an arena keeps beside its run: the texts in its line-up, and what was said of them,
    oldest first.
    """

    texts: Annotated[tuple[FrozenText, ...], Field(max_length=5_000), FailFast()]
    ballots: Annotated[tuple[KeptBallot, ...], Field(max_length=100_000), FailFast()]


class KeptRun(Record):
    """A run as it stands: what it was asked for, its steps, what it has to show."""

    model_config = LATER

    created: Moment
    ended: Moment
    parent: Name | None
    fork_at: Path | None
    config: Config
    totals: Totals
    prompts: Annotated[dict[Sha, Prompt], BeforeValidator(_check_prompts)]
    steps: Annotated[tuple[KeptStep, ...], Field(max_length=MOST), FailFast()]
    products: Annotated[tuple[KeptProduct, ...], Field(max_length=MOST), FailFast()]
    notes: Annotated[tuple[Margin, ...], Field(max_length=2_000), FailFast()]
    papers: Annotated[tuple[Paper, ...], Field(max_length=5_000), FailFast()]


class MadeRun(KeptRun):
    """A run that an experiment or a shortlist had made; its prompts are theirs."""

    model_config = LATER

    name: Path
    """Its name within the experiment."""
    id: Name
    """What the experiment's results call it."""
    title: Annotated[str, Field(max_length=300)]
    state: Literal["done", "failed"]
    reason: str
    # Left out where there is none: what was packed before keeps its digest.
    arena: Annotated[ArenaWhole | None, Field(exclude_if=lambda kept: kept is None)] = None


class ExperimentWhole(Record):
    """What the results of an experiment or a shortlist rest on: an experiment's targets, and the
    runs behind cells or stages by name.
    """

    model_config = LATER

    stepwise: bool
    """Whether the runs are there with their steps, or with what they have to show alone."""
    targets: Annotated[tuple[Target, ...], Field(max_length=2_000), FailFast()]
    runs: Annotated[tuple[MadeRun, ...], Field(max_length=MOST), FailFast()]


class Whole(KeptRun):
    """Everything of a finished run but its name and who worked on it."""

    model_config = LATER

    # Left out where there is none: what was packed before keeps its digest.
    arena: Annotated[ArenaWhole | None, Field(exclude_if=lambda kept: kept is None)] = None
    experiment: Annotated[ExperimentWhole | None, Field(exclude_if=lambda kept: kept is None)] = (
        None
    )
