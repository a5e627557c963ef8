"""Rollouts: K drafts of a policy for one query, each judged, the next written from the last and
what the judge found (EvoIdeator, section 3.4).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple, Protocol

from pydantic import Field

from core.desk import Desk
from core.journal import Answer
from core.records import Origin, Record, digest
from core.records.training import (
    Conversation,
    Drafted,
    Judgement,
    PolicyDraft,
    Rollout,
    TrainingQuery,
)


class Policy(Protocol):
    """What is trained: it continues conversations."""

    name: str
    """Base and settings, by which what it wrote is told apart."""

    def write(
        self, conversations: Sequence[Conversation], seed: int, tell: Callable[[int], None]
    ) -> list[Drafted]:
        """Continue each conversation; the same ones with the same seed and weights, alike.

        `tell` is told how many are written; what it raises breaks off.
        """
        ...


@dataclass(frozen=True)
class Environment:
    """What a policy is trained in: the task, how its replies are read, and who judges."""

    begin: Callable[[TrainingQuery], Conversation]
    """The conversation the first draft answers."""
    revise: Callable[[TrainingQuery, PolicyDraft], Conversation]
    """The conversation the next draft answers."""
    read: Callable[[str], str]
    """The idea in a reply; empty where there is none."""
    judge: Callable[[Desk, str], Judgement]


class RolloutShape(Record):
    """How many rollouts a query has, and how many drafts a rollout."""

    rollouts: Annotated[int, Field(ge=2, le=64)] = 8
    """G."""
    drafts: Annotated[int, Field(ge=1, le=10)] = 2
    """K."""


class _RolloutPlace(NamedTuple):
    """Where a rollout stands, and the query it answers."""

    name: str
    n: int
    query: TrainingQuery


def roll_out(
    desk: Desk,
    policy: Policy,
    environment: Environment,
    queries: Sequence[tuple[int, TrainingQuery]],
    shape: RolloutShape,
) -> tuple[Rollout, ...]:
    """Return G rollouts of each query, in the order of the queries; raises what the judge raises.

    What the policy wrote is one step for each round of drafts, and what is asked about a draft
    stands under `query-N/rollout-G/draft-K`. A query may come twice, as where few are gone through
    again within a step: the second time it is `query-N-2`. A rollout ends where no idea can be
    read.
    """
    groups = zip(_names(queries), queries, strict=True)
    places = [
        _RolloutPlace(f"{name}/rollout-{g}", *one)
        for name, one in groups
        for g in range(shape.rollouts)
    ]
    drafts: list[list[PolicyDraft]] = [[] for _ in places]
    for k in range(shape.drafts):
        going = [at for at, before in enumerate(drafts) if all(draft.idea for draft in before)]
        if not going:
            break
        asked = [
            environment.revise(places[at].query, drafts[at][-1])
            if k
            else environment.begin(places[at].query)
            for at in going
        ]
        written = _written(desk, policy, asked, k)
        texts = dict(zip(going, written, strict=True))
        ideas = {at: environment.read(texts[at].text) for at in going}
        readable = {
            f"{places[at].name}/draft-{k}": (at, idea) for at, idea in ideas.items() if idea
        }
        judged = desk.at_each(lambda here, one: environment.judge(here, one[1]), readable)
        scores = {at: score for (at, _), score in zip(readable.values(), judged, strict=True)}
        for at in going:
            found = {"idea": ideas[at], "scored": scores[at]} if at in scores else {}
            drafts[at].append(PolicyDraft(written=texts[at], **found))
    return tuple(
        Rollout(query=one.n, drafts=tuple(made)) for one, made in zip(places, drafts, strict=True)
    )


def _names(queries: Sequence[tuple[int, TrainingQuery]]) -> list[str]:
    """Return under which name each group of rollouts stands; no two are alike."""
    came, names = Counter[int](), list[str]()
    for n, _ in queries:
        came[n] += 1
        names.append(f"query-{n}" if came[n] == 1 else f"query-{n}-{came[n]}")
    return names


def _written(
    desk: Desk, policy: Policy, asked: Sequence[Conversation], k: int
) -> tuple[Drafted, ...]:
    """Have all drafts of one round written together, as one step."""
    shown = digest([[turn.model_dump(mode="json") for turn in turns] for turns in asked])
    # Of the run and the place alone: what was written before, in this life or an earlier one, must
    # not move it.
    seed = int(digest([desk.bench.config.seed, desk.place, k])[:8], 16)
    say = desk.note(f"drafts-{k}")

    def answer() -> Answer:
        written = policy.write(asked, seed, lambda n: say(f"{n} of {len(asked)} drafts written"))
        texts = [draft.model_dump(mode="json") for draft in written]
        return Answer(texts, Origin(kind="computed", name=policy.name))

    reply = desk.step(f"drafts-{k}", {"write": shown, "policy": policy.name}, answer)
    assert isinstance(reply, list)
    return tuple(Drafted.model_validate(one) for one in reply)


@dataclass(frozen=True)
class TrainingRow:
    """One draft as the trainer takes it, with the return of its whole rollout."""

    conversation: Conversation
    ids: tuple[int, ...]
    total: float
    """R of its rollout (EvoIdeator, equation 5)."""
    counts: bool
    """False for a row that only fills the batch, or whose rollout was not judged: nothing is
    learned from its tokens.
    """


def as_rows(
    rollouts: Sequence[Rollout],
    environment: Environment,
    queries: Sequence[TrainingQuery],
    shape: RolloutShape,
) -> list[TrainingRow]:
    """Return G x K rows for each query, in order, every row of a rollout with its R: their mean is
    that of the G returns, so that each token of all drafts gets A_j = R_j - mean(R) (equation 6).

    A rollout that was cut short is filled with rows that do not count; one that was not judged
    gets the others' mean, so that it neither learns nor moves it.
    """
    rows: list[TrainingRow] = []
    for start in range(0, len(rollouts), shape.rollouts):
        group = rollouts[start : start + shape.rollouts]
        totals = [one.total for one in group if one.judged]
        mean = sum(totals) / len(totals) if totals else 0.0
        for one in group:
            query = queries[one.query]
            total = one.total if one.judged else mean
            for k in range(shape.drafts):
                if k >= len(one.drafts):
                    rows.append(
                        TrainingRow(environment.begin(query), rows[-1].ids[-1:], total, False)
                    )
                    continue
                asked = (
                    environment.revise(query, one.drafts[k - 1]) if k else environment.begin(query)
                )
                rows.append(TrainingRow(asked, one.drafts[k].written.ids, total, one.judged))
    return rows
