"""Runs, their frozen configuration, and the steps they paid for."""

from typing import Annotated, Literal, TypeVar

from pydantic import FailFast, Field

from core.records.base import Record

Inputs = TypeVar("Inputs", bound=Record)

State = Literal[
    "queued", "running", "waiting", "capped", "stopped", "interrupted", "failed", "done"
]
PARKED: tuple[State, ...] = ("waiting", "capped", "stopped", "interrupted")


Hand = Literal["writer", "reader", "judge"]
"""What a call is for: writing something new, saying what a text says, deciding between or about
texts.
"""
EDITION = 5
"""The edition of the methods that new runs follow.

1: what runs followed that began before November 2026: one sampling for everybody, other steps and
texts here and there. They go on as they began. 2: after the audit against the papers (spec,
"Corrections (2026-11-22)"). 3: a chain's novelty verdict is given claim by claim, and what is not
to be repeated is said so; ideas of one branch keep to directions of their own. 4: where comparisons
could not be used, shares of what could be won decide between ideas; an experiment reads nothing
from the day on which a preprint of a topic's or target's paper came out, and ranks ideas that
stopped early as they ended; a novelty check takes entries of one paper for one, and two papers of
one title for two; an evolution that ends by one judge's word says by whose. 5: a shortlist joins no
two ideas of which its judge said that they are two; ideas refined together stand in the ranking of
a round as they ended, where they ended before it; a training's means leave out steps in which
nothing was judged.
"""


class Sampling(Record):
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.7
    max_tokens: Annotated[int, Field(ge=64, le=64_000)] = 4_000
    """Tokens a reply may have at first; one that is cut off is asked again with more."""


SAMPLINGS: dict[Hand, Sampling] = {
    "writer": Sampling(),
    "reader": Sampling(temperature=0),
    "judge": Sampling(temperature=0),
}
"""How calls are sampled unless told otherwise: judges say the same of the same, so that repeats
differ by the order shown alone.
"""


class Config(Record):
    """Everything that decides what a run asks, frozen when it starts."""

    method: str
    version: int
    inputs: dict[str, object]
    models: dict[str, str]
    """Model name per role (`main`, `cheap`), as `provider:model` or `builtin`."""
    sampling: Sampling = Sampling()
    """How writers are sampled; everybody, in runs of the first edition and in benchmarks."""
    # The three below are left out where they say nothing new: a configuration is part of what an
    # experiment asked.
    samplings: Annotated[dict[Hand, Sampling], Field(exclude_if=lambda given: not given)] = {}
    """How readers and judges are sampled."""
    edition: Annotated[int, Field(ge=1, le=EDITION, exclude_if=lambda edition: edition == 1)] = 1
    """Which edition of its method the run follows, its forks and extensions included."""
    thinking: Annotated[
        tuple[str, ...], Field(exclude_if=lambda models: not models), FailFast()
    ] = ()
    """Models that were known to think before they answer: they are not asked to plan first."""
    prompts: dict[str, str] = {}
    """SHA-256 of each prompt the method uses; the texts are kept in the store."""
    source: str
    seed: int
    cap_usd: float | None = None
    cap_tokens: int | None = None
    cap_chosen: Annotated[bool, Field(exclude_if=lambda chosen: chosen)] = True
    """Whether somebody chose the cap on tokens; otherwise the program set it, because a run must
    end in any case.
    """
    recipe: Annotated[str, Field(exclude_if=lambda sha: not sha)] = ""
    """SHA-256 of the Reproduction it is a run of; empty for all others."""
    edits: dict[str, object] = {}
    """Replies a person put in place of the parent's, by step key (forks only)."""

    def sampled(self, hand: Hand) -> Sampling:
        """Return how a call of this kind is sampled."""
        return self.samplings.get(hand, self.sampling)

    def inputs_as(self, kind: type[Inputs]) -> Inputs:
        """Read what the run was asked for; raises ValidationError where it does not fit."""
        return kind.model_validate(self.inputs)

    @property
    def writer(self) -> str:
        """The role that writes the ideas."""
        return "generator" if "generator" in self.models else "main"

    @property
    def topic(self) -> str:
        """What the run is about; empty for one that was asked for none."""
        return str(self.inputs.get("topic", ""))


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
    # Left out where there are none: what was packed and exported before stays as it is.
    unreported: Annotated[int, Field(exclude_if=lambda calls: not calls)] = 0
    """Calls whose server reported no usage; `tokens_in` and `tokens_out` say nothing about them."""
    maybe_paid: Annotated[int, Field(exclude_if=lambda calls: not calls)] = 0
    """Calls that were begun and whose end nobody heard, among those unreported and unpriced."""
    epoch: int = 0
    tags: tuple[str, ...] = ()
    archived: bool = False
    packed: Packed | None = None
    """Set for a case study that was opened here: it plays, and nothing about it changes."""
    sweep: str | None = None
    """The sweep this run was made by: it has its cap and its stops from there."""
    cell: str | None = None
    """The name of the run within its sweep."""
    worked: float = 0.0
    """Seconds it was worked on, up to when it last came to rest."""
    since: float | None = None
    """Since when it is worked on now, in seconds since 1970; None at rest."""

    def inputs_as(self, kind: type[Inputs]) -> Inputs:
        """Read what it was asked for; raises ValidationError where it does not fit."""
        return self.config.inputs_as(kind)


class Origin(Record):
    """Where an answer came from; `authored` marks texts written for a case study."""

    kind: Literal["model", "source", "person", "computed", "authored"]
    name: str
    detail: dict[str, object] = {}


REFUSED_KEPT = 20_000
"""Characters of a refused answer, and of its thoughts, that are kept: a server may write any number
of those.
"""
MAYBE_PAID = "may have been paid"
"""How the outcome of a call begins whose end nobody heard."""
KILLED = f"{MAYBE_PAID}: the process that asked ended before the answer was stored"


def kept(said: str, outcome: str) -> str:
    """Return what is kept of what a model wrote: all where that was accepted, else its
    beginning.
    """
    return said if outcome == "accepted" else said[:REFUSED_KEPT]


class Call(Record):
    """One try at a model call, paid whether or not its answer was accepted."""

    model: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    """US dollars; None where the price or the usage is unknown, never 0 for unknown."""
    tokens_expected: int = 0
    """An upper guess of the tokens the server did not report: held against a cap on tokens, and no
    usage.
    """
    cost_expected: Annotated[float, Field(exclude_if=lambda dollars: not dollars)] = 0.0
    """An upper guess of what a call costs whose price is known and whose usage is not: held against
    a cap in dollars.
    """
    latency: float
    outcome: str
    """`accepted`, or why the answer was refused."""
    raw: str = ""
    """What was answered, as far as `kept` keeps it."""
    # Left out where there is none: what was stored and packed before keeps its digest.
    thoughts: Annotated[str, Field(exclude_if=lambda said: not said)] = ""
    """What the model thought before it answered; no part of `raw`."""
    tokens_thought: Annotated[int | None, Field(exclude_if=lambda tokens: tokens is None)] = None
    """How many of `tokens_out` it thought with, where the server said."""
    tokens_cached: Annotated[int | None, Field(exclude_if=lambda tokens: tokens is None)] = None
    """How many of `tokens_in` the server had kept from an earlier call, which cost less, where it
    said.
    """

    @property
    def unreported(self) -> bool:
        """Whether the server did not report what the call used."""
        # The built-in model uses no tokens and costs nothing; whoever else is not known to have
        # used any has no known cost.
        return self.cost is None and (self.tokens_in is None or self.tokens_out is None)

    @property
    def maybe_paid(self) -> bool:
        """Whether nobody heard how the call ended."""
        return self.outcome.startswith(MAYBE_PAID)

    @property
    def thoughts_length(self) -> int:
        """Length of the thoughts in characters."""
        return len(self.thoughts)


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
