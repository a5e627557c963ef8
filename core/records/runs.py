"""Runs, their frozen configuration, and the steps they paid for."""
from typing import Annotated, Literal

from pydantic import Field

from core.records.base import Record

State = Literal["queued", "running", "waiting", "capped", "stopped", "interrupted", "failed", "done"]
PARKED: tuple[State, ...] = ("waiting", "capped", "stopped", "interrupted")


class Sampling(Record):
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.7
    max_tokens: Annotated[int, Field(ge=64, le=64_000)] = 4_000


class Config(Record):
    """Everything that decides what a run asks, frozen when it starts."""

    method: str
    version: int
    inputs: dict[str, object]
    models: dict[str, str]
    """Model name per role (`main`, `cheap`), as `provider:model` or `builtin`."""
    sampling: Sampling = Sampling()
    prompts: dict[str, str] = {}
    """SHA-256 of each prompt the method uses; the texts are kept in the store."""
    source: str
    seed: int
    cap_usd: float | None = None
    cap_tokens: int | None = None
    edits: dict[str, object] = {}
    """Replies a person put in place of the parent's, by step key (forks only)."""


class Packed(Record):
    """What a case study says of itself, and the SHA-256 of what was in its file."""

    title: str
    about: str = ""
    by: str = ""
    at: str
    """When its run came to its end: a packed file is the same whenever it is made."""
    sha: str
    authored: bool = False
    """Whether its texts were written for it, and by no model."""


class Run(Record):
    id: str
    title: str
    state: State
    reason: str = ""
    config: Config
    parent: str | None = None
    fork_at: str | None = None
    created: str
    updated: str
    ended: str | None = None
    steps: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    unpriced: int = 0
    """Calls whose price is unknown; `cost` says nothing about them."""
    epoch: int = 0
    tags: tuple[str, ...] = ()
    archived: bool = False
    packed: Packed | None = None
    """Set for a case study that was opened here: it plays, and nothing about it changes."""
    sweep: str | None = None
    """The sweep this run was made by: it has its cap and its stops from there."""
    cell: str | None = None
    """The name of the run within its sweep."""


class Origin(Record):
    """Where an answer came from; `authored` marks texts written for a case study."""

    kind: Literal["model", "source", "person", "computed", "authored"]
    name: str
    detail: dict[str, object] = {}


class Call(Record):
    """One try at a model call, paid whether or not its answer was accepted."""

    model: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    """US dollars; None where the price or the usage is unknown, never 0 for unknown."""
    tokens_expected: int = 0
    """An upper guess of the tokens the server did not report: held against a cap on tokens, and no usage."""
    latency: float
    outcome: str
    """`accepted`, or why the answer was refused."""
    raw: str = ""


class Step(Record):
    """One recorded answer of a run, under the name the method gave it."""

    run: str
    key: str
    place: str
    """Where in the order of asking: sorts as text."""
    hash: str
    request: dict[str, object]
    status: Literal["done", "failed"]
    reply: object
    """The accepted reply; for a failure the method went on past, its kind and message."""
    origin: Origin
    calls: tuple[Call, ...] = ()
    latency: float | None = 0.0
    """Seconds; None for a text somebody wrote for a case study."""
    asked: str
    ended: str
    taken_from: str | None = None
    """The parent run this step came from, free of charge."""
