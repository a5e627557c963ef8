"""What each method is asked for: checked when a run starts, frozen with it."""

from datetime import date
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from core.literature.paper_ids import wanted_id
from core.literature.port import Query
from core.literature.ranking import let_through
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import (
    Idea,
    Indicator,
    Paper,
    Play,
    Record,
    RepeatedDirection,
    Round,
    Stage,
    Stopping,
    Text,
)
from core.records.novelty import MOST_WORKS


def _day(text: str) -> str:
    """Return the day as YYYY-MM-DD; raises ValueError for what is no day."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ValueError("is no date; write it as YYYY-MM-DD") from None


def _banned(text: str) -> str:
    """Return `doi:...` or `arxiv:...` for a paper called by either, in whatever spelling; a
    source's own id as it stands.
    """
    return wanted_id(text) or text.strip()


Day = Annotated[str, AfterValidator(_day)]
Topical = Annotated[str, Field(min_length=1)]
Part = Literal["chain", "order", "future", "entities"]
"""What an ablation leaves out (Chain of Ideas, section 4.2): `chain` retrieves papers and makes no
hops; `order` shuffles a chain and hides its dates.

In runs of the first edition `chain` shuffled, and left the dates.
"""


class Looking(Record):
    """What every look into the literature obeys."""

    topic: Topical
    before: Day | None = None
    """YYYY-MM-DD; only papers before that day."""
    ban: tuple[Annotated[str, AfterValidator(_banned)], ...] = ()
    """Papers never to be used: DOIs and arXiv ids as people write them, or ids of the source."""

    def query(self, text: str) -> Query:
        """Return a query that obeys the cut-off and the ban list."""
        return Query(text=text, before=self.before, ban=self.ban)


class ChainInputs(Looking):
    """What a chain of ideas is asked for (defaults: Chain of Ideas, section 3.1)."""

    branches: Annotated[int, Field(ge=1, le=8)] = 3
    length: Annotated[int, Field(ge=0, le=8)] = 5
    """Papers per branch at most; 0 takes five retrieved papers in no order (section 4.5)."""
    milestone: Annotated[int, Field(ge=1)] = 1000
    anchors: tuple[Paper, ...] = ()
    """Papers the first branches start from, instead of a search."""
    without: tuple[Part, ...] = ()
    full_text: bool = True
    """Whether open-access PDFs are fetched and read; otherwise the abstracts serve."""
    confirm: bool = False
    """Whether a person confirms or edits each predicted direction before it is drafted."""
    novelty_rounds: Annotated[int, Field(ge=1, le=10)] = 3
    # Left out at its default, so that the digests by which experiments find their runs stay.
    ideas: Annotated[int, Field(ge=1, le=5, exclude_if=lambda ideas: ideas == 1)] = 1
    """How many of the candidate directions of a branch become an idea; the best of them stands for
    the branch.
    """
    design: bool = True
    """Whether an experiment is designed for the best idea."""
    refinements: Annotated[int, Field(ge=0, le=3)] = 1
    """How often the experiment design is reviewed and refined."""
    known: Annotated[
        tuple[RepeatedDirection, ...], Field(exclude_if=lambda directions: not directions)
    ] = ()
    """What a novelty check found covered already: not to be repeated from the first round on."""

    @model_validator(mode="after")
    def _anchors_are_allowed(self) -> "ChainInputs":
        if self.anchors and (self.length == 0 or len(self.anchors) > self.branches):
            raise ValueError(
                f"{len(self.anchors)} papers to start from need as many branches, and a length of"
                " at least 1"
            )
        passed = let_through(self.anchors, self.query(self.topic))
        for paper in self.anchors:
            if paper not in passed:
                raise ValueError(
                    f"{paper.title!r} is on the ban list, given twice, or not known to be older"
                    f" than {self.before}"
                )
        return self

    def is_milestone(self, paper: Paper) -> bool:
        """Whether the paper has more citations than the threshold; an unknown count is no
        milestone.
        """
        return paper.citations is not None and paper.citations > self.milestone


class CandidateInputs(Looking):
    """Which papers could come next to one of a chain."""

    of: Paper
    hop: Literal["forward", "backward"]
    anchor: Paper
    line: tuple[Paper, ...] = ()
    """The part of the chain a candidate has to come after (forward) or before (backward), in time
    order.
    """
    held: tuple[Paper, ...] = ()
    """The whole chain: what is in it is no candidate."""
    judged: Annotated[int, Field(ge=0, le=10)] = 3
    """How many of the nearest are judged for relevance."""
    full_text: bool = False
    """Whether the paper's own text is looked into for how it cites its references, where the source
    does not say.
    """


class NoveltyInputs(Looking):
    """What a novelty check is asked for."""

    idea: Idea
    dated: Day
    """The idea's own date, YYYY-MM-DD: nothing from then on anticipates it."""
    depth: Literal["quick", "deep"] = "deep"
    """`quick`: what the novelty loop of a chain asks; `deep`: claim by claim."""
    papers: Annotated[int, Field(ge=1, le=MOST_WORKS)] = 12
    """Near works that are read, at most."""
    around: Annotated[int, Field(ge=0, le=5)] = 3
    """Near works whose references and citations are looked at."""
    full_text: bool = True
    """Whether open-access PDFs are fetched and read; otherwise the abstracts serve."""
    from_run: str | None = None


class BaselineInputs(Looking):
    """What a baseline is asked for: a topic, and whether to design an experiment."""

    design: bool = True


class RealInputs(Record):
    """The published paper whose idea competes (Chain of Ideas, section 3.3)."""

    topic: Topical
    """Its title, until the extracted topic is confirmed."""
    paper: Paper
    full_text: bool = True
    # Left out at its default, so that what was stored before has the same digest.
    confirm: Annotated[bool, Field(exclude_if=lambda asks: asks)] = True
    """Whether a person confirms the extracted topic; in an experiment the list of topics has it."""


class Leg(Record):
    """How the game was played up to a round, before somebody branched off."""

    upto: Annotated[int, Field(ge=0)]
    play: Play


class RefineInputs(Record):
    """What a refinement is asked for (defaults: InfAL, section 4)."""

    topic: Topical
    area: Text = "the field of the topic"
    play: Play
    earlier: tuple[Leg, ...] = ()
    """What was played before: each leg up to its round, the oldest first; `play` holds from there
    on.
    """
    idea: Idea | None = None
    # Left out where there are none, so that the digests by which experiments find runs stay.
    firsts: Annotated[tuple[Idea, ...], Field(exclude_if=lambda ideas: not ideas)] = ()
    """First ideas that were written elsewhere, one for each line: all refiners of an experiment
    start from the same.
    """
    context: tuple[Paper, ...] = ()
    k: Annotated[int, Field(ge=0, le=20)] = 5
    """How many papers are looked for where none is given; 0 plays without any."""
    lines: Annotated[int, Field(ge=1, le=8)] = 1
    """How many ideas are refined side by side (n per target; the papers take 3)."""
    only: Annotated[int, Field(ge=1)] | None = None
    """Which of them goes on, in a branch of a run that had several."""
    target: Idea | None = None
    """The idea of a published paper, to be ranked among ours."""
    repeats: Annotated[int, Field(ge=1, le=9)] = 4
    """How often each ranking is asked, every time in another order; four put one idea, or three,
    and the target in every place equally often.
    """
    same_form: bool = True
    """Whether ideas are brought into six fields before they are ranked, so that form does not
    decide.
    """
    checklist: bool = False
    """Whether every version is judged by the checklist too: its sum is one more score beside Q
    (EvoIdeator, section 3.1).
    """
    from_run: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _was_one_goal(cls, given: object) -> object:
        """Read what runs of version 1 were asked for."""
        if not isinstance(given, dict) or "goal" not in given or "play" in given:
            return given
        return {
            **{name: value for name, value in given.items() if name not in ("goal", "rules")},
            "play": {"goals": [given["goal"]], "rules": given.get("rules", Stopping())},
        }

    @model_validator(mode="after")
    def _can_be_asked(self) -> "RefineInputs":
        if self.play.variant == "initial" and self.idea and not self.earlier:
            raise ValueError(
                "the initial idea is what the generator writes; leave out the idea, or choose"
                " another variant"
            )
        if self.firsts and (self.idea or len(self.firsts) != self.lines):
            raise ValueError(
                f"{len(self.firsts)} first ideas are given: as many are refined, and no other idea"
            )
        if self.firsts and self.play.variant == "initial" and not self.earlier:
            raise ValueError(
                "the initial idea is what the generator writes; leave out the first ideas, or"
                " choose another variant"
            )
        if self.only and self.only > self.lines:
            raise ValueError(f"there are {self.lines} ideas, not {self.only}")
        return self

    def at(self, n: int) -> Play:
        """Return how round `n` is played."""
        return next((leg.play for leg in self.earlier if n <= leg.upto), self.play)

    def is_judged(self, n: int) -> bool:
        """Whether somebody is to say of round `n` if it improved the idea."""
        return self.at(n).variant != "no-discriminator"

    def counts(self, done: Round) -> bool:
        """Whether the version of a round counts as better than the one before: by its verdict, and
        where nobody is to give one, always. A verdict that was lost is none for it.
        """
        return done.verdict.improved if done.verdict else not self.is_judged(done.n)


class ShortlistInputs(Looking):
    """What a shortlist from a topic is asked for."""

    branches: Annotated[int, Field(ge=0, le=8)] = 3
    """Branches of the chain it explores with; 0 explores nothing and begins with `own`."""
    ideas: Annotated[int, Field(ge=1, le=5)] = 2
    """Ideas of each branch."""
    length: Annotated[int, Field(ge=0, le=8)] = 5
    novelty_rounds: Annotated[int, Field(ge=1, le=10)] = 3
    full_text: bool = True
    own: tuple[Idea, ...] = ()
    """Ideas of one's own, which enter after exploring."""
    goals: Annotated[tuple[Indicator, ...], Field(max_length=4)] = (NOVELTY, FEASIBILITY)
    """Qualities to refine for, one refinement after the other; none refines nothing."""
    rules: Stopping = Stopping(max_rounds=3, patience=1)
    revise: bool = False
    """Whether the refined idea is judged by the checklist and revised once."""
    dated: Day
    """The day on which the ideas are written, YYYY-MM-DD: nothing from then on anticipates them."""
    papers: Annotated[int, Field(ge=1, le=MOST_WORKS)] = 12
    """Near works that are read for each refined idea, at most."""
    keep: Annotated[int, Field(ge=1, le=10)] = 3
    """Ideas on the shortlist."""
    designs: Annotated[int, Field(ge=0, le=10)] = 1
    """For how many of them, the first ones, an experiment is designed."""
    designs_for: Annotated[tuple[int, ...], Field(exclude_if=lambda numbers: not numbers)] = ()
    """Ideas that an experiment is designed for besides, by number."""
    checklist: bool = True
    """Whether the compared ideas are judged by the checklist too."""
    ask_after: tuple[Stage, ...] = ()
    """Stages after which the run waits for a person."""
    at_once: Annotated[int, Field(ge=1, le=64)] = 12
    """Runs that are worked on at once."""

    @model_validator(mode="after")
    def _begins_with_something(self) -> "ShortlistInputs":
        if not self.branches and len(self.own) < 2:
            raise ValueError("to begin without exploring, give two ideas of your own or more")
        if len({goal.name.casefold() for goal in self.goals}) < len(self.goals):
            raise ValueError("two of the qualities have the same name")
        if "shortlist" in self.ask_after:
            raise ValueError("after the last stage there is nothing left to ask about")
        return self
