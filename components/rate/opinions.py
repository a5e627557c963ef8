"""What people said of ideas, put together: the latest word of each rater counts, everything is
kept.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import mean, stdev
from typing import NamedTuple

from core.records import Ranking
from core.store.ideas import RatingGiven
from core.tables.sheets import rows_as_csv

CRITERIA = ("Novelty", "Feasibility", "Significance", "Clarity", "Effectiveness")
"""Those of the idea arena (Chain of Ideas, section 4)."""
T_95 = (
    12.71,
    4.30,
    3.18,
    2.78,
    2.57,
    2.45,
    2.36,
    2.31,
    2.26,
    2.23,
    2.20,
    2.18,
    2.16,
    2.14,
    2.13,
    2.12,
    2.11,
    2.10,
    2.09,
    2.09,
)
"""Student's t, two-sided 95 %, for 1 to 20 degrees of freedom; beyond that 2.09 errs on the wide
side.
"""


class Mark(NamedTuple):
    """The ratings that count of one idea on one criterion."""

    scores: tuple[int, ...]
    mean: float
    half: float | None
    """Half the width of the 95 % t-interval of the mean; None for a single rating, and where all
    are alike: they do not show how sure the mean is.
    """


def marks(given: Iterable[RatingGiven]) -> dict[tuple[str, str], Mark]:
    """Return, by (idea, criterion), the latest score of every rater."""
    latest: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for one in given:
        latest[one.rating.idea, one.rating.criterion][one.rating.rater] = one.rating.score
    found = {}
    for where, by_rater in latest.items():
        scores, half = tuple(by_rater.values()), None
        n = len(scores)
        if len(set(scores)) > 1:
            t = T_95[min(n - 2, len(T_95) - 1)]
            half = t * stdev(scores) / n**0.5
        found[where] = Mark(scores, mean(scores), half)
    return found


class RankedPlace(NamedTuple):
    """Where an idea stands in a ranking of so many; tied ideas share the mean of their places."""

    at: float
    of: int

    @property
    def share(self) -> float:
        """How far down it stands: 0 is first, 1 last."""
        return (self.at - 1) / (self.of - 1)


def places(
    rankings: Iterable[tuple[Ranking, str]], ideas: Sequence[str], criterion: str
) -> dict[str, tuple[RankedPlace, ...]]:
    """Return, by idea, its place in the latest ranking of every rater on a criterion.

    `rankings` come newest first. A ranking that covers more ideas than these is read as a ranking
    of these.
    """
    seen: set[str] = set()
    found: dict[str, list[RankedPlace]] = defaultdict(list)
    for ranking, _ in rankings:
        groups = [
            group for whole in ranking.groups if (group := [one for one in whole if one in ideas])
        ]
        ranked = sum(map(len, groups))
        if ranking.criterion != criterion or ranking.rater in seen or ranked < 2:
            continue
        seen.add(ranking.rater)
        before = 0
        for group in groups:
            for one in group:
                found[one].append(RankedPlace(before + (len(group) + 1) / 2, ranked))
            before += len(group)
    return {one: tuple(said) for one, said in found.items()}


def table(
    given: Iterable[RatingGiven], rankings: Iterable[tuple[Ranking, str]], titles: Mapping[str, str]
) -> str:
    """Return every rating and ranking as CSV, oldest first; times in UTC, one line a rating or a
    place.
    """
    rows: list[tuple[str, ...]] = [
        (
            one.at,
            "rating",
            one.rating.rater,
            one.rating.idea,
            titles.get(one.rating.idea, ""),
            one.rating.criterion,
            str(one.rating.score),
        )
        for one in given
    ]
    for ranking, at in rankings:
        rows += [
            (at, "place", ranking.rater, idea, titles.get(idea, ""), ranking.criterion, str(place))
            for place, group in enumerate(ranking.groups, 1)
            for idea in group
            if idea in titles
        ]
    head = ("time_utc", "kind", "rater", "idea", "title", "criterion", "value")
    return rows_as_csv([head, *sorted(rows)])
