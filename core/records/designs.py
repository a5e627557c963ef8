"""Choosing between ideas of several branches, and the experiment that would test the chosen one."""

from typing import Annotated, Literal

from pydantic import Field

from core.records.base import Record, Text
from core.records.chains import Search
from core.records.refinement import Remark

Side = Literal["first", "second", "tie"]
CRITERIA = ("novelty", "significance", "clarity", "feasibility", "effectiveness")
"""The five criteria ideas are compared by (Chain of Ideas, section 3.4)."""


class Comparison(Record):
    """Which of two ideas is better, criterion by criterion, and the reason for the whole."""

    reason: Text
    novelty: Side
    significance: Side
    clarity: Side
    feasibility: Side
    effectiveness: Side


class BranchMatch(Record):
    """Two branches' ideas compared once, in the order they were shown."""

    first: int
    second: int
    comparison: Comparison

    def points(self, branch: int) -> float:
        """Return the branch's criteria won, a tie counting half, 0 to 5."""
        mine = "first" if branch == self.first else "second"
        sides = [getattr(self.comparison, name) for name in CRITERIA]
        return sides.count(mine) + 0.5 * sides.count("tie")


class PairwiseChoice(Record):
    """Which of several goes on, by all comparisons in both orders that could be used."""

    best: int
    points: dict[int, float]
    matches: tuple[BranchMatch, ...]
    reason: Text
    by_share: Annotated[bool, Field(exclude_if=lambda so: not so)] = False
    """Whether shares decided, since some were in fewer comparisons than others."""

    def most(self, n: int) -> int:
        """Return how many points one could have won: none where it was in no comparison."""
        return len(CRITERIA) * sum(n in (one.first, one.second) for one in self.matches)

    def share(self, n: int) -> float:
        """Return the share of them that it won, 0 where it was in no comparison."""
        return self.points.get(n, 0.0) / (self.most(n) or 1)

    def worth(self, n: int) -> float:
        """Return what one counted with in the choice: its share, or its points."""
        return self.share(n) if self.by_share else self.points.get(n, 0.0)

    @property
    def uneven(self) -> bool:
        """Whether some were in fewer comparisons than others, whose points do not compare."""
        return len({self.most(n) for n in self.points}) > 1


class Selection(PairwiseChoice):
    """Which branch's idea goes on."""


class IdeaChoice(PairwiseChoice):
    """Which of several ideas of one branch stands for it."""


class Design(Record):
    """An experiment that would test an idea (Chain of Ideas, section 2.4)."""

    setup: Text
    models: Text
    datasets: Text
    baselines: Text
    metrics: Text
    procedure: Annotated[tuple[Text, ...], Field(min_length=1)]
    analysis: Text


class DesignReview(Record):
    """Whether somebody else could run a design, and what to look up before refining it."""

    clear: bool
    complete: bool
    named: bool
    """Datasets, models and metrics are named, not only described."""
    runnable: bool
    remarks: tuple[Remark, ...] = ()
    queries: Annotated[tuple[Text, ...], Field(max_length=3)] = ()


class DesignRound(Record):
    """One round of refining a design: the review, what was looked up for it, the refined design."""

    n: int
    review: DesignReview
    searches: tuple[Search, ...] = ()
    design: Design
