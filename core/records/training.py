"""What training a policy leaves behind: drafts with their rewards, what each step learned."""

from typing import Annotated

from pydantic import Field

from core.records.base import Record, Text
from core.records.checklist import Checklist


class TrainingQuery(Record):
    """What one rollout begins with: p0 = (research question, literature review)."""

    question: Text
    review: str = ""
    seed: str = ""
    """Id of the paper it was made from; what is held out is decided by it."""


class TrainingData(Record):
    """The queries a policy is trained on, and those it never sees before it is evaluated."""

    training: Annotated[tuple[TrainingQuery, ...], Field(min_length=1)]
    held_out: tuple[TrainingQuery, ...] = ()


class Turn(Record):
    """One message of a conversation with a policy."""

    role: str
    """`system`, `user` or `assistant`."""
    text: str


Conversation = tuple[Turn, ...]


class Drafted(Record):
    """One reply of a policy as it came, thoughts and all."""

    text: str
    ids: tuple[int, ...]
    """The tokens it was sampled as: decoding and encoding again may give others."""


class Judgement(Record):
    """What a judge says of one draft; `reward` is None where an item could not be judged."""

    reward: float | None
    checklist: Checklist | None = None


class PolicyDraft(Record):
    """One draft of a rollout: what was written, read and judged."""

    written: Drafted
    idea: str = ""
    """Empty: no idea could be read from it, and it is discarded, with a reward of 0."""
    scored: Judgement = Judgement(reward=0.0)


class Rollout(Record):
    """One of the G rollouts of a query: at most K drafts, fewer where one was discarded."""

    query: int
    """Index among the training queries."""
    drafts: tuple[PolicyDraft, ...]

    @property
    def judged(self) -> bool:
        """Whether every draft has a reward; a rollout that lacks one teaches nothing."""
        return all(draft.scored.reward is not None for draft in self.drafts)

    @property
    def total(self) -> float:
        """R, the sum of its rewards (EvoIdeator, equation 5); only of one that is `judged`."""
        assert self.judged
        return sum(draft.scored.reward or 0.0 for draft in self.drafts)


class Learned(Record):
    """What one optimization step did, and what it learned from."""

    step: int
    mean_return: float
    """Mean R over the rollouts that were judged; 0 where none was."""
    by_draft: tuple[float, ...]
    """Mean reward of the first draft, of the second, ..., over the judged rollouts that came to it,
    as far as any did; until edition 5 0 where none did.
    """
    by_item: dict[str, tuple[float, ...]] = {}
    """Mean score of each item in the first draft, in the second, ..., over those that were
    judged.
    """
    discarded: float
    """Share of drafts from which no idea could be read."""
    dropped: float
    """Share of rollouts in which an item stayed unjudged: they taught nothing."""
    alike: float
    """Share of queries whose rollouts all had one return, which taught nothing either; until
    edition 5 those of which none was judged among them.
    """
    tokens: float
    """Mean length of a draft in tokens, thoughts included."""
    loss: float
    kl: float
    """To the reference policy, mean over tokens."""

    @property
    def judged(self) -> bool:
        """Whether any rollout was judged: else there is no mean return."""
        return self.dropped < 1

    @property
    def rewards(self) -> tuple[float, ...]:
        """Mean rewards of the drafts there were: of the first alone where no idea could be read."""
        if not self.judged:
            return ()
        return self.by_draft[:1] if self.discarded == 1 else self.by_draft


class ReadDraft(Record):
    """A draft as a person reads it."""

    text: str
    """The idea, or the whole reply where none could be read."""
    readable: bool
    scored: Judgement


class Examples(Record):
    """A few drafts of one step: the rollouts of its first query with the highest and the lowest
    return.
    """

    step: int
    question: str
    rollouts: tuple[tuple[ReadDraft, ...], ...]
    """Best first; none where no rollout was judged."""


class Trained(Record):
    """What came of a training."""

    steps: int
    first_return: float
    """Mean return of its first steps."""
    last_return: float
    """Mean return of its last steps."""
    averaged: int
    """How many steps the two are means of."""
    checkpoints: tuple[int, ...]
    """The steps of the checkpoints it left."""


class TrainedPolicy(Record):
    """A checkpoint that was put to use: a model called `local:NAME`, with its papers."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,39}$")]
    run: str
    """The training it comes from."""
    step: int
    base: str
    """What was trained, as it was named when the training began."""
    base_digest: str
    """SHA-256 of the base's files."""
    data: str
    """SHA-256 of the TrainingData it learned from."""
    settings: dict[str, object]
    """What the training was asked for."""
    judge: str
    """The model that judged in training; empty where code alone did."""
    curve: tuple[Learned, ...]
    files: dict[str, str]
    """SHA-256 of each file by its name: a policy whose files changed answers nothing."""
