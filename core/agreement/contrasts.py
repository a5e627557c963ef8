"""Sources compared by scores: per review, per idea, per reviewer, and in a mixed model; each test
with its unit, n, statistic, p and correction.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy import special  # type: ignore[import-untyped]

from core.records import NOTHING, Record, Table, Value
from core.statistics.intervals import ALIKE, LEVEL, Floats, Scale, cut_at, usual_scale
from core.statistics.mixed import MixedFit, fitted
from core.statistics.paired import holm
from core.statistics.statistic import Statistic, between, p_said, shown
from core.tables.cells import cell, count

WELCH, PAIRED, MIXED = "Welch's t-test", "paired t-test", "mixed model"

CORRECTED = "Holm"


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
        name, n = "difference of sources", min(self.n) if self.test == PAIRED else sum(self.n)
        if self.difference is None or self.t is None or self.df is None or self.p is None:
            return Statistic(
                name=name,
                about=about,
                n=n,
                unit=f"{self.unit}s",
                reading=self.refused,
                refused=self.refused,
            )
        side = "above" if self.difference >= 0 else "below"
        after = (
            f", {p_said(self.corrected)} after {CORRECTED}" if self.corrected is not None else ""
        )
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
            p=self.p if self.corrected is None else self.corrected,
            n=n,
            unit=f"{self.unit}s",
            how=", ".join(filter(None, (self.test, self.formula, self.cut)))
            + (f"; p corrected by {CORRECTED}" if self.corrected is not None else ""),
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
        for test in (_reviews, _ideas, _reviewers, _models):
            tested = (_of_several(one, ideas) for one in test(criterion, given))
            found += _corrected([_within(one, scale.differences) for one in tested])
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
    nothing = dict.fromkeys(("difference", "low", "high", "t", "df", "p"))
    said = (
        f"{' and '.join(alone)} {'has' if len(alone) == 1 else 'have'} one idea only: a test of"
        " sources needs 2 of each."
    )
    return made.model_copy(update={**nothing, "refused": said})


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


def _corrected(found: Sequence[Contrast]) -> list[Contrast]:
    stepped = iter(holm([one.p for one in found if one.p is not None]))
    return [
        one if one.p is None else one.model_copy(update={"corrected": next(stepped)})
        for one in found
    ]


def _pairs(scores: Iterable[Score]) -> list[tuple[str, str]]:
    return list(combinations(_sources(scores), 2))


def _reviews(criterion: str, scores: Sequence[Score]) -> Iterable[Contrast]:
    return _unpaired(criterion, scores, "review", lambda n, _: (n,))


def _ideas(criterion: str, scores: Sequence[Score]) -> Iterable[Contrast]:
    return _unpaired(criterion, scores, "idea", lambda _, score: (score.item,))


def _unpaired(
    criterion: str,
    scores: Sequence[Score],
    unit: str,
    key: Callable[[int, Score], tuple[object, ...]],
) -> Iterable[Contrast]:
    """Yield Welch's t-test of every two sources over units, each the mean of its scores."""
    held: dict[str, dict[tuple[object, ...], list[float]]] = defaultdict(lambda: defaultdict(list))
    for n, score in enumerate(scores):
        held[score.source][key(n, score)].append(score.score)
    means = {
        source: np.array([np.mean(some) for some in by.values()]) for source, by in held.items()
    }
    for one, other in _pairs(scores):
        yield _welch(
            Contrast(
                criterion=criterion,
                one=one,
                other=other,
                unit=unit,
                test=WELCH,
                n=(len(means[one]), len(means[other])),
                means=(float(means[one].mean()), float(means[other].mean())),
            ),
            means[one],
            means[other],
        )


def _welch(made: Contrast, one: Floats, other: Floats) -> Contrast:
    if min(made.n) < 2:
        return made.model_copy(
            update={
                "refused": (
                    f"Each source needs 2 {made.unit}s or more; there are {made.n[0]} and"
                    f" {made.n[1]}."
                )
            }
        )
    parts = one.var(ddof=1) / len(one), other.var(ddof=1) / len(other)
    # Means of thirds that are all the same differ by rounding.
    if max(np.ptp(one), np.ptp(other)) < ALIKE:
        return made.model_copy(
            update={
                "refused": (
                    f"All {made.unit}s of a source have the same score, so that t has nothing to"
                    " measure by."
                )
            }
        )
    df = sum(parts) ** 2 / (parts[0] ** 2 / (len(one) - 1) + parts[1] ** 2 / (len(other) - 1))
    return _tested(made, float(one.mean() - other.mean()), float(sum(parts)) ** 0.5, float(df))


def _tested(made: Contrast, difference: float, error: float, df: float) -> Contrast:
    t, half = difference / error, float(special.stdtrit(df, (1 + LEVEL) / 2)) * error
    return made.model_copy(
        update={
            "difference": difference,
            "low": difference - half,
            "high": difference + half,
            "t": t,
            "df": df,
            "p": float(2 * special.stdtr(df, -abs(t))),
        }
    )


def _reviewers(criterion: str, scores: Sequence[Score]) -> Iterable[Contrast]:
    """Yield a paired t-test of every two sources over the reviewers who reviewed both; nothing
    where reviewers are not known.
    """
    if not all(one.rater for one in scores):
        return
    held: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for score in scores:
        held[score.source][score.rater].append(score.score)
    for one, other in _pairs(scores):
        both = sorted(held[one].keys() & held[other].keys())
        pairs = np.array(
            [(np.mean(held[one][rater]), np.mean(held[other][rater])) for rater in both]
        ).reshape(-1, 2)
        made = Contrast(
            criterion=criterion,
            one=one,
            other=other,
            unit="reviewer",
            test=PAIRED,
            n=(len(both), len(both)),
        )
        apart = np.round(pairs[:, 0] - pairs[:, 1], 12)
        if len(both) < 2:
            yield made.model_copy(
                update={
                    "refused": (
                        "A paired test needs 2 reviewers who reviewed both; there"
                        f" {'is 1' if both else 'are none'}."
                    )
                }
            )
        elif not np.ptp(apart):
            yield made.model_copy(
                update={
                    "refused": (
                        "All reviewers have the same difference, so that t has nothing to measure"
                        " it by."
                    )
                }
            )
        else:
            made = made.model_copy(
                update={"means": (float(pairs[:, 0].mean()), float(pairs[:, 1].mean()))}
            )
            yield _tested(
                made,
                float(apart.mean()),
                float(apart.std(ddof=1)) / len(both) ** 0.5,
                len(both) - 1,
            )


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
    fit: MixedFit | None = fitted(
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
        if fit is None:
            yield made.model_copy(
                update={
                    "refused": (
                        "The model cannot be fitted: too few scores, all of them alike, or too"
                        f" many {who}s."
                    )
                }
            )
            continue
        found = fit.differences[n, m]
        yield made.model_copy(
            update={
                "difference": found.value,
                "low": found.low,
                "high": found.high,
                "t": found.t,
                "df": found.df,
                "p": found.p,
            }
        )


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
    return Table(
        name="contrasts",
        title="Sources compared",
        head=head,
        rows=tuple(map(_row, found)),
        note=(
            "Differences of means, the first source less the second, with 95 % intervals. p is"
            f" two-sided; {CORRECTED}'s correction is for all pairs of sources of one criterion by"
            " one test. Reviews are taken as independent, which those of one reviewer or one idea"
            f" are not: read them beside ideas, reviewers and the mixed model ({formulas};"
            " restricted maximum likelihood, Satterthwaite's degrees of freedom)."
        ),
    )


def _row(one: Contrast) -> tuple[Value, ...]:
    lacking = Value(text=NOTHING, note=one.refused)
    means = (lacking if mean is None else Value(mean=mean, digits=2) for mean in one.means)
    apart = cell(one.statistic, 2) if one.difference is not None else lacking
    numbers = (lacking if part is None else Value(mean=part, digits=2) for part in (one.t, one.df))
    chances = (
        lacking if part is None else Value(mean=part, unit="p", digits=4)
        for part in (one.p, one.corrected)
    )
    return (
        Value(text=one.criterion),
        Value(text=one.one),
        Value(text=one.other),
        Value(text=one.unit),
        Value(text=one.test),
        *map(count, one.n),
        *means,
        apart,
        *numbers,
        *chances,
    )
