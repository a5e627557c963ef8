"""Sources compared by scores: per review, per idea, per reviewer, and in a mixed model; each test
with its unit, n, statistic, p and correction, and all of them as a table.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
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

    One observation is, by unit: of a review its score; of an idea the mean of its reviews under a
    source; of a reviewer the difference between the means he or she gave the two sources (only of
    those who reviewed both). The mixed model has a random intercept for each reviewer (where these
    are unknown, for each idea) and each topic.
    Differences and their intervals stay on the criterion's scale; where that is not known, on the
    narrowest of the usual ones that holds its scores. Nothing is tested of a source with a single
    idea.
    """
    found = list[Contrast]()
    for criterion, given in scores.items():
        scale = (scales or {}).get(criterion) or usual_scale(np.array([one.score for one in given]))
        ideas = Counter(source for source, _ in {(one.source, one.item) for one in given})
        for contrasts_of_test in (
            _unpaired(criterion, given, "review"),
            _unpaired(criterion, given, "idea"),
            _reviewers(criterion, given),
            _models(criterion, given),
        ):
            tested = [
                _within(_without_single_ideas(contrast, ideas), scale.differences)
                for contrast in contrasts_of_test
            ]
            corrected = holm([contrast.p for contrast in tested])
            found += [
                contrast.model_copy(update={"corrected": p})
                for contrast, p in zip(tested, corrected, strict=True)
            ]
    return tuple(found)


def _without_single_ideas(contrast: Contrast, ideas: Mapping[str, int]) -> Contrast:
    """Return the contrast, or without its test where one idea stands for a source: how its ideas
    vary, it does not show.
    """
    alone = [source for source in (contrast.one, contrast.other) if ideas[source] < 2]
    if contrast.refused or not alone:
        return contrast
    have = "has" if len(alone) == 1 else "have"
    reason = f"{' and '.join(alone)} {have} one idea only: a test of sources needs 2 of each."
    return _refuse(contrast.model_copy(update=dict.fromkeys(TESTED)), reason)


def _within(contrast: Contrast, scale: Scale) -> Contrast:
    """Return the contrast with its difference and its interval cut at the ends of the scale."""
    if contrast.difference is None or contrast.low is None or contrast.high is None:
        return contrast
    ends = [contrast.difference, contrast.low, contrast.high]
    inside = list(map(scale.cut, ends))
    if inside == ends:
        return contrast
    update = dict(zip(TESTED[:3], inside, strict=True))
    return contrast.model_copy(update=update | {"cut": cut_at(scale)})


def _pairs(scores: Iterable[Score]) -> list[tuple[str, str]]:
    return list(combinations(sorted({one.source for one in scores}), 2))


def _refuse(contrast: Contrast, reason: str) -> Contrast:
    return contrast.model_copy(update={"refused": reason})


def _with_test(contrast: Contrast, difference: TestedDifference) -> Contrast:
    test = {name: getattr(difference, name) for name in TESTED[1:]}
    return contrast.model_copy(update={"difference": difference.value, **test})


def _unpaired(criterion: str, scores: Sequence[Score], unit: str) -> Iterable[Contrast]:
    """Yield Welch's t-test of every two sources over reviews or ideas, each the mean of its
    scores.
    """
    by_source: dict[str, dict[object, list[float]]] = defaultdict(lambda: defaultdict(list))
    for n, score in enumerate(scores):
        key = n if unit == "review" else score.item
        by_source[score.source][key].append(score.score)
    for one, other in _pairs(scores):
        x = np.array([np.mean(several) for several in by_source[one].values()])
        y = np.array([np.mean(several) for several in by_source[other].values()])
        contrast = Contrast(
            criterion=criterion,
            one=one,
            other=other,
            unit=unit,
            test=WELCH,
            n=(len(x), len(y)),
            means=(float(x.mean()), float(y.mean())),
        )
        yield _welch(contrast, x, y)


def _welch(contrast: Contrast, x: Floats, y: Floats) -> Contrast:
    n, m = contrast.n
    if min(n, m) < 2:
        reason = f"Each source needs 2 {contrast.unit}s or more; there are {n} and {m}."
        return _refuse(contrast, reason)
    # Means of thirds that are all the same differ by rounding.
    if max(np.ptp(x), np.ptp(y)) < ALIKE:
        alike = f"All {contrast.unit}s of a source have the same score"
        return _refuse(contrast, f"{alike}, so that t has nothing to measure by.")
    of_x = x.var(ddof=1) / n
    of_y = y.var(ddof=1) / m
    variance = of_x + of_y
    df = variance**2 / (of_x**2 / (n - 1) + of_y**2 / (m - 1))
    difference = float(x.mean() - y.mean())
    return _with_test(contrast, tested(difference, float(variance) ** 0.5, float(df)))


def _reviewers(criterion: str, scores: Sequence[Score]) -> Iterable[Contrast]:
    """Yield a paired t-test of every two sources over the reviewers who reviewed both; nothing
    where reviewers are not known.
    """
    if not all(score.rater for score in scores):
        return
    by_source: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for score in scores:
        by_source[score.source][score.rater].append(score.score)
    for one, other in _pairs(scores):
        both = sorted(by_source[one].keys() & by_source[other].keys())
        n = len(both)
        contrast = Contrast(
            criterion=criterion, one=one, other=other, unit="reviewer", test=PAIRED, n=(n, n)
        )
        x = np.array([np.mean(by_source[one][rater]) for rater in both])
        y = np.array([np.mean(by_source[other][rater]) for rater in both])
        differences = np.round(x - y, 12)
        if n < 2:
            there = raters_there(n)
            yield _refuse(contrast, f"A paired test needs 2 reviewers who reviewed both; {there}.")
        elif not np.ptp(differences):
            alike = "All reviewers have the same difference"
            yield _refuse(contrast, f"{alike}, so that t has nothing to measure it by.")
        else:
            means = (float(x.mean()), float(y.mean()))
            error = float(differences.std(ddof=1)) / n**0.5
            difference = tested(float(differences.mean()), error, n - 1)
            yield _with_test(contrast.model_copy(update={"means": means}), difference)


def _models(criterion: str, scores: Sequence[Score]) -> Iterable[Contrast]:
    """Yield the differences of every two sources in the mixed model."""
    times = Counter(score.source for score in scores)
    sources = sorted(times)
    who, names = "idea", [score.item for score in scores]
    if all(score.rater for score in scores):
        who, names = "reviewer", [score.rater for score in scores]
    groups = {who: _levels(names)}
    if len({score.topic for score in scores}) > 1:
        groups["topic"] = _levels(score.topic or score.item for score in scores)
    # An intercept for each score is the residual, and one for all of them the mean.
    groups = {name: some for name, some in groups.items() if 1 < len(set(some)) < len(scores)}
    formula = " + ".join(("score ~ source", *(f"(1 | {name})" for name in groups)))
    fit = fitted(
        [score.score for score in scores],
        [sources.index(score.source) for score in scores],
        list(groups.values()),
    )
    for one, other in combinations(sources, 2):
        contrast = Contrast(
            criterion=criterion,
            one=one,
            other=other,
            unit="review",
            test=MIXED,
            formula=formula,
            n=(times[one], times[other]),
        )
        if fit:
            difference = fit.differences[sources.index(one), sources.index(other)]
            yield _with_test(contrast, difference)
        else:
            why = f"too few scores, all of them alike, or too many {who}s"
            yield _refuse(contrast, f"The model cannot be fitted: {why}.")


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
