"""Sources compared by scores: per review, per idea, per reviewer, and in a mixed model; each test
with its unit, n, statistic, p and correction, and all of them as a table.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from core.records import NOTHING, Record, Table, Unit, Value
from core.statistics.intervals import ALIKE, Floats, Scale, cut_at, usual_scale
from core.statistics.mixed import fitted
from core.statistics.paired import TestedDifference, holm, tested
from core.statistics.statistic import Statistic, between, p_said, raters_there, refused, shown
from core.tables.cells import Cell, cell, make_table, number

WELCH, PAIRED, MIXED = "Welch's t-test", "paired t-test", "mixed model"

CORRECTED = "Holm"
TESTED = ("difference", "low", "high", "t", "df", "p")
"""What a test fills in of a contrast."""


class Score(NamedTuple):
    """One score of one criterion, with what its idea comes from."""

    item: str
    rater: str
    """Who gave it; empty where nobody knows."""
    source: str
    topic: str
    score: float


class Contrast(Record):
    """One source against another on one criterion, by one test."""

    criterion: str
    one: str
    other: str
    unit: str
    """What counts as one observation."""
    test: str
    n: tuple[int, int] = (0, 0)
    """Observations of each source; of a paired test the same ones."""
    means: tuple[float | None, float | None] = (None, None)
    difference: float | None = None
    """The first source's mean less the second's."""
    low: float | None = None
    high: float | None = None
    t: float | None = None
    df: float | None = None
    p: float | None = None
    """Two-sided."""
    corrected: float | None = None
    """The same after Holm's correction for all pairs of sources of this criterion and test."""
    formula: str = ""
    """Of a mixed model."""
    cut: str = ""
    """That the interval is cut at the ends of the scale, where it is."""
    refused: str = ""
    """Why there is no test; empty where there is one."""

    @property
    def statistic(self) -> Statistic:
        """The difference as it is read beside other figures."""
        about = f"{self.criterion}, {self.one} less {self.other}, per {self.unit}"
        name = "difference of sources"
        n = min(self.n) if self.test == PAIRED else sum(self.n)
        if self.difference is None or self.t is None or self.df is None or self.p is None:
            return refused(name, about, n, self.refused, f"{self.unit}s")
        side = "above" if self.difference >= 0 else "below"
        how = ", ".join(filter(None, (self.test, self.formula, self.cut)))
        p = self.p
        after = ""
        if self.corrected is not None:
            p = self.corrected
            after = f", {p_said(self.corrected)} after {CORRECTED}"
            how += f"; p corrected by {CORRECTED}"
        reading = (
            f"{self.one} stands {shown(abs(self.difference))} points {side} {self.other}: "
            f"a difference of {shown(self.difference)}{between(self.low, self.high)}; "
            f"t({self.df:.1f}) = {shown(self.t)}, {p_said(self.p)}{after}."
        )
        return Statistic(
            name=name,
            about=about,
            value=self.difference,
            low=self.low,
            high=self.high,
            p=p,
            n=n,
            unit=f"{self.unit}s",
            how=how,
            reading=reading,
        )


def contrasts(
    scores: Mapping[str, Sequence[Score]], scales: Mapping[str, Scale] | None = None
) -> tuple[Contrast, ...]:
    """Return every two sources against each other, by criterion and test.

    A review is one score; an idea the mean of its reviews under a source; a reviewer the difference
    of the means given to either source, of those who reviewed both. The mixed model has a random
    intercept for each reviewer (where nobody knows these, for each idea) and each topic.
    Differences and their intervals stay on the criterion's scale; where that is not known, on the
    narrowest of the usual ones that holds its scores. Nothing is tested of a source with a single
    idea.
    """
    found = list[Contrast]()
    for criterion, given in scores.items():
        scale = (scales or {}).get(criterion) or usual_scale(np.array([one.score for one in given]))
        ideas = {
            source: {one.item for one in given if one.source == source}
            for source in _sources(given)
        }
        for made in (
            _unpaired(criterion, given, "review"),
            _unpaired(criterion, given, "idea"),
            _reviewers(criterion, given),
            _models(criterion, given),
        ):
            tested = [_within(_of_several(one, ideas), scale.differences) for one in made]
            stepped = iter(holm([one.p for one in tested if one.p is not None]))
            found += [
                one if one.p is None else one.model_copy(update={"corrected": next(stepped)})
                for one in tested
            ]
    return tuple(found)


def _sources(scores: Iterable[Score]) -> list[str]:
    return sorted({one.source for one in scores})


def _of_several(made: Contrast, ideas: Mapping[str, Collection[str]]) -> Contrast:
    """Return the contrast, or without its test where one idea stands for a source: how its ideas
    vary, it does not show.
    """
    alone = [source for source in (made.one, made.other) if len(ideas[source]) < 2]
    if made.refused or not alone:
        return made
    have = "has" if len(alone) == 1 else "have"
    reason = f"{' and '.join(alone)} {have} one idea only: a test of sources needs 2 of each."
    return _refused(made.model_copy(update=dict.fromkeys(TESTED)), reason)


def _within(made: Contrast, scale: Scale) -> Contrast:
    """Return the contrast with its difference and its interval cut at the ends of the scale."""
    if made.difference is None or made.low is None or made.high is None:
        return made
    ends = made.difference, made.low, made.high
    if all(scale.low <= one <= scale.high for one in ends):
        return made
    difference, low, high = map(scale.cut, ends)
    return made.model_copy(
        update={"difference": difference, "low": low, "high": high, "cut": cut_at(scale)}
    )


def _pairs(scores: Iterable[Score]) -> list[tuple[str, str]]:
    return list(combinations(_sources(scores), 2))


def _refused(made: Contrast, reason: str) -> Contrast:
    return made.model_copy(update={"refused": reason})


def _tested(made: Contrast, difference: TestedDifference) -> Contrast:
    value, low, high, _, t, df, p = difference
    return made.model_copy(update=dict(zip(TESTED, (value, low, high, t, df, p), strict=True)))


def _unpaired(criterion: str, scores: Sequence[Score], unit: str) -> Iterable[Contrast]:
    """Yield Welch's t-test of every two sources over reviews or ideas, each the mean of its
    scores.
    """
    held: dict[str, dict[object, list[float]]] = defaultdict(lambda: defaultdict(list))
    for n, score in enumerate(scores):
        held[score.source][n if unit == "review" else score.item].append(score.score)
    means = {
        source: np.array([np.mean(some) for some in by.values()]) for source, by in held.items()
    }
    for one, other in _pairs(scores):
        made = Contrast(
            criterion=criterion,
            one=one,
            other=other,
            unit=unit,
            test=WELCH,
            n=(len(means[one]), len(means[other])),
            means=(float(means[one].mean()), float(means[other].mean())),
        )
        yield _welch(made, means[one], means[other])


def _welch(made: Contrast, one: Floats, other: Floats) -> Contrast:
    if min(made.n) < 2:
        there = f"there are {made.n[0]} and {made.n[1]}"
        return _refused(made, f"Each source needs 2 {made.unit}s or more; {there}.")
    # Means of thirds that are all the same differ by rounding.
    if max(np.ptp(one), np.ptp(other)) < ALIKE:
        alike = f"All {made.unit}s of a source have the same score"
        return _refused(made, f"{alike}, so that t has nothing to measure by.")
    parts = one.var(ddof=1) / len(one), other.var(ddof=1) / len(other)
    df = sum(parts) ** 2 / (parts[0] ** 2 / (len(one) - 1) + parts[1] ** 2 / (len(other) - 1))
    difference = float(one.mean() - other.mean())
    return _tested(made, tested(difference, float(sum(parts)) ** 0.5, float(df)))


def _reviewers(criterion: str, scores: Sequence[Score]) -> Iterable[Contrast]:
    """Yield a paired t-test of every two sources over the reviewers who reviewed both; nothing
    where reviewers are not known.
    """
    if not all(score.rater for score in scores):
        return
    held: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for score in scores:
        held[score.source][score.rater].append(score.score)
    for one, other in _pairs(scores):
        both = sorted(held[one].keys() & held[other].keys())
        n = len(both)
        made = Contrast(
            criterion=criterion, one=one, other=other, unit="reviewer", test=PAIRED, n=(n, n)
        )
        first, second = (
            np.array([np.mean(held[source][rater]) for rater in both]) for source in (one, other)
        )
        apart = np.round(first - second, 12)
        if n < 2:
            there = raters_there(n)
            yield _refused(made, f"A paired test needs 2 reviewers who reviewed both; {there}.")
        elif not np.ptp(apart):
            alike = "All reviewers have the same difference"
            yield _refused(made, f"{alike}, so that t has nothing to measure it by.")
        else:
            means = (float(first.mean()), float(second.mean()))
            error = float(apart.std(ddof=1)) / n**0.5
            difference = tested(float(apart.mean()), error, n - 1)
            yield _tested(made.model_copy(update={"means": means}), difference)


def _models(criterion: str, scores: Sequence[Score]) -> Iterable[Contrast]:
    """Yield the differences of every two sources in the mixed model."""
    sources = _sources(scores)
    known = all(one.rater for one in scores)
    who = "reviewer" if known else "idea"
    groups = {who: _levels(one.rater if known else one.item for one in scores)}
    if len({one.topic for one in scores}) > 1:
        groups["topic"] = _levels(one.topic or one.item for one in scores)
    # An intercept for each score is the residual, and one for all of them the mean.
    groups = {name: some for name, some in groups.items() if 1 < len(set(some)) < len(scores)}
    formula = " + ".join(("score ~ source", *(f"(1 | {name})" for name in groups)))
    fit = fitted(
        [one.score for one in scores],
        [sources.index(one.source) for one in scores],
        list(groups.values()),
    )
    for n, m in combinations(range(len(sources)), 2):
        times = tuple(sum(one.source == sources[at] for one in scores) for at in (n, m))
        made = Contrast(
            criterion=criterion,
            one=sources[n],
            other=sources[m],
            unit="review",
            test=MIXED,
            formula=formula,
            n=times,
        )
        if fit:
            yield _tested(made, fit.differences[n, m])
        else:
            why = f"too few scores, all of them alike, or too many {who}s"
            yield _refused(made, f"The model cannot be fitted: {why}.")


def _levels(names: Iterable[str]) -> list[int]:
    seen: dict[str, int] = {}
    return [seen.setdefault(name, len(seen)) for name in names]


# -- as a table -----------------------------------------------------------------------------


def table(found: Sequence[Contrast]) -> Table:
    """Return the contrasts as a table, a row for each test."""
    head = (
        "Criterion",
        "First source",
        "Second source",
        "Per",
        "Test",
        "n of the first",
        "n of the second",
        "Mean of the first",
        "Mean of the second",
        "Difference",
        "t",
        "Degrees of freedom",
        "p",
        f"p after {CORRECTED}",
    )
    formulas = " or ".join(sorted({one.formula for one in found if one.formula}))
    return make_table(
        "contrasts",
        "Sources compared",
        head,
        map(_row, found),
        "Differences of means, the first source less the second, with 95 % intervals. p is"
        f" two-sided; {CORRECTED}'s correction is for all pairs of sources of one criterion by"
        " one test. Reviews are taken as independent, which those of one reviewer or one idea"
        f" are not: read them beside ideas, reviewers and the mixed model ({formulas};"
        " restricted maximum likelihood, Satterthwaite's degrees of freedom).",
    )


def _row(one: Contrast) -> tuple[Cell, ...]:
    lacking = Value(text=NOTHING, note=one.refused)

    def figure(part: float | None, digits: int = 2, unit: Unit = "") -> Value:
        return lacking if part is None else number(part, digits, unit)

    return (
        one.criterion,
        one.one,
        one.other,
        one.unit,
        one.test,
        *one.n,
        *map(figure, one.means),
        lacking if one.difference is None else cell(one.statistic, 2),
        figure(one.t),
        figure(one.df),
        figure(one.p, 4, "p"),
        figure(one.corrected, 4, "p"),
    )
