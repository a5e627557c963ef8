"""Sources compared by scores: per review, per idea, per topic, per reviewer, and in a mixed model,
by means and by ranks; each test with its unit, n, statistic, p, correction and effect size.

Which tests a design meets the assumptions of is said by `designs`; how they are shown as a table by
`contrast_tables`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal

import numpy as np

from core.agreement.designs import Assumption, RatingDesign, Score, design_of
from core.records import Record
from core.statistics.corrections import CORRECTIONS, CorrectionName
from core.statistics.effects import (
    EffectSize,
    paired_difference,
    rank_biserial,
    standardised_difference,
    superiority,
)
from core.statistics.intervals import SHARE, Floats, Scale, cut_at, usual_scale
from core.statistics.mixed import MixedFit, RandomIntercepts, fitted, told_apart
from core.statistics.paired import TestedDifference, TestResult, signed_ranks, tested
from core.statistics.statistic import (
    Statistic,
    between,
    p_said,
    raters_there,
    refused,
    shown,
)
from core.statistics.unpaired import mann_whitney, welch

WELCH, PAIRED, MIXED = "Welch's t-test", "paired t-test", "mixed model"
MANN_WHITNEY, WILCOXON = "Mann-Whitney test", "Wilcoxon signed-rank test"
OF_PAIRS = (PAIRED, WILCOXON)
OF_RANKS = (MANN_WHITNEY, WILCOXON)
CHANCE = {MANN_WHITNEY: 0.5, WILCOXON: 0.0}
"""What the effect of a test of ranks is where sources do not differ."""
HOW = {
    WELCH: "interval and p by Student's t with Welch's degrees of freedom",
    PAIRED: "interval and p by Student's t over the pairs' differences, pairs less 1 degrees",
    MIXED: "restricted maximum likelihood; interval and p by Student's t with Satterthwaite's"
    " degrees of freedom",
    MANN_WHITNEY: "two-sided",
    WILCOXON: "two-sided",
}
"""How a test's interval and p are made."""
D, D_Z, SUPERIORITY, BISERIAL = "d", "d_z", "probability of superiority", "rank-biserial r"
HOW_SIZE = {
    (WELCH, D): "by the root of the mean of both variances; interval of Bonett (2008), normal",
    (PAIRED, D_Z): "by the standard deviation of the differences; interval by noncentral t",
    (MIXED, D): "by the root of the sum of all variances; interval by the delta method, Student's"
    " t with the difference's degrees of freedom",
    (MANN_WHITNEY, SUPERIORITY): "U by the number of pairs; Newcombe's (2006) method 5, its"
    " variance lowered for ties as the test's",
    (WILCOXON, BISERIAL): "score interval",
}
"""How an effect and its interval are made, by test and effect."""
TESTED = (
    *("difference", "low", "high", "t", "df", "p"),
    *("ranks", "effect", "size", "size_low", "size_high"),
)
"""What a test fills in of a contrast."""

TestUnit = Literal["review", "idea", "topic", "reviewer"]


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
    """The first source's mean less the second's; none of a test of ranks."""
    low: float | None = None
    high: float | None = None
    t: float | None = None
    df: float | None = None
    ranks: float | None = None
    """U of the first source, or Wilcoxon's smaller sum of signed ranks."""
    p: float | None = None
    """Two-sided."""
    corrected: float | None = None
    """The same, corrected for all pairs of sources of this criterion and test."""
    correction: str = "Holm"
    effect: str = ""
    """What `size` is: d, d_z, probability of superiority, rank-biserial r."""
    size: float | None = None
    size_low: float | None = None
    size_high: float | None = None
    formula: str = ""
    """Of a mixed model."""
    left_out: tuple[str, ...] = ()
    """Terms that the mixed model cannot have, each with the reason."""
    variances: dict[str, float] = {}
    """Of a mixed model: of each term's intercepts and of the residuals, in squared points."""
    binary: bool = False
    """Whether the scores are yes (1) and no (0)."""
    cut: str = ""
    """That the interval is cut at the ends of the scale, where it is."""
    note: str = ""
    """How a p-value of ranks was made, and what pairs it leaves out."""
    mind: str = ""
    """What of the test's assumptions the design does not meet; empty where it meets them."""
    refused: str = ""
    """Why there is no test; empty where there is one."""

    @property
    def at_zero(self) -> tuple[str, ...]:
        """The terms of a mixed model whose variance was estimated at zero."""
        return tuple(f"(1 | {name})" for name, variance in self.variances.items() if not variance)

    @property
    def caveat(self) -> str:
        """What a mixed model's df and p rest on beside its formula; empty where it is nothing."""
        said = []
        if self.at_zero:
            said.append(
                f"singular fit: the variance of {' and '.join(self.at_zero)} was estimated at zero,"
                " and Satterthwaite's degrees of freedom, and so p and the interval, are those of"
                " the model without it"
            )
        if self.binary and self.test == MIXED:
            said.append(
                "yes and no went into it as 1 and 0, a linear probability model with normal"
                " residuals"
            )
        return "; ".join(said)

    @property
    def how(self) -> str:
        """How the difference, its interval and p were made, and the effect with its interval."""
        of_p = f"p corrected by {self.correction}" if self.corrected is not None else ""
        of_size = f"{self.effect}: {HOW_SIZE[self.test, self.effect]}" if self.effect else ""
        parts = (self.test, self.formula, HOW[self.test], self.cut, self.note, self.caveat)
        return "; ".join(filter(None, (*parts, of_p, of_size)))

    @property
    def statistic(self) -> Statistic:
        """The difference, or the effect of a test of ranks, as it is read beside other figures."""
        about = f"{self.criterion}, {self.one} less {self.other}, per {self.unit}"
        of_ranks = self.test in OF_RANKS
        name = self.effect if of_ranks and self.effect else "difference of sources"
        n = min(self.n) if self.test in OF_PAIRS else sum(self.n)
        if self.p is None:
            return refused(name, about, n, self.refused, f"{self.unit}s")
        how = ", ".join(filter(None, (self.test, self.formula, self.cut, self.note, self.caveat)))
        p = self.p
        after = ""
        if self.corrected is not None:
            p = self.corrected
            after = f", {p_said(self.corrected)} after {self.correction}"
            how += f"; p corrected by {self.correction}"
        value, low, high = self.difference, self.low, self.high
        if of_ranks:
            value, low, high = self.size, self.size_low, self.size_high
        reading = f"{self._read_ranks() if of_ranks else self._read_means()}, {p_said(self.p)}"
        return Statistic(
            name=name,
            about=about,
            value=value,
            low=low,
            high=high,
            p=p,
            n=n,
            unit=f"{self.unit}s",
            how=how,
            reading=f"{reading}{after}.",
            chance=CHANCE.get(self.test) or None,
        )

    def _read_means(self) -> str:
        difference = self.difference or 0.0
        side = "above" if difference >= 0 else "below"
        effect = ""
        if self.size is not None:
            effect = f", {self.effect} = {shown(self.size)}"
        return (
            f"{self.one} stands {shown(abs(difference))} points {side} {self.other}: "
            f"a difference of {shown(difference)}{between(self.low, self.high)}{effect};"
            f" t({self.df or 0.0:.1f}) = {shown(self.t or 0.0)}"
        )

    def _read_ranks(self) -> str:
        size = f"{shown(self.size or 0.0)}{between(self.size_low, self.size_high)}"
        if self.test == WILCOXON:
            return (
                f"Of {self.unit}s that saw both, ranks speak for {self.one} against {self.other}"
                f" with a rank-biserial r of {size}; W = {self.ranks or 0.0:g}"
            )
        article = "an" if self.unit == "idea" else "a"
        return (
            f"{article.capitalize()} {self.unit} of {self.one} stands above one of {self.other}"
            f" with a probability of {size}, ties counted half; U = {self.ranks or 0.0:g}"
        )


def contrasts(
    scores: Mapping[str, Sequence[Score]],
    scales: Mapping[str, Scale] | None = None,
    correction: CorrectionName = "Holm",
) -> tuple[Contrast, ...]:
    """Return every two sources against each other, by criterion and test.

    One observation is, by unit: of a review its score; of an idea, a topic or a reviewer the mean
    of its scores under a source. Topics and reviewers are paired where two or more have both
    sources; reviewers who saw one source each are compared as independent. The mixed model has a
    random intercept for each reviewer, topic and idea that the scores can tell apart, and says
    which it leaves out. Differences and their intervals stay on the criterion's scale; where that
    is not known, on the narrowest of the usual ones that holds its scores. Nothing is tested of a
    source with a single idea. p is corrected for all pairs of sources of one criterion by one test.
    """
    found = list[Contrast]()
    binary = {criterion for criterion, scale in (scales or {}).items() if scale == SHARE}
    for criterion, given in scores.items():
        scale = (scales or {}).get(criterion) or usual_scale(np.array([one.score for one in given]))
        ideas = Counter(source for source, _ in {(one.source, one.item) for one in given})
        minds = design_of(given).assumptions
        families = defaultdict[tuple[str, str], list[Contrast]](list)
        for contrast in _every(criterion, given):
            whole = _within(_without_single_ideas(contrast, ideas), scale.differences)
            mind = minds[assumption_of(contrast)]
            families[whole.unit, whole.test].append(
                whole.model_copy(
                    update={"mind": mind, "correction": correction, "binary": criterion in binary}
                )
            )
        for some in families.values():
            corrected = CORRECTIONS[correction]([contrast.p for contrast in some])
            for contrast, p in zip(some, corrected, strict=True):
                found.append(contrast.model_copy(update={"corrected": p}))
    return tuple(found)


def assumption_of(contrast: Contrast) -> Assumption:
    """Return by what a test takes its observations as independent."""
    if contrast.test == MIXED:
        return "mixed"
    if contrast.unit == "reviewer":
        return "reviewer"
    if contrast.unit == "topic":
        return "topic"
    return "idea" if contrast.unit == "idea" else "review"


def designs(scores: Mapping[str, Sequence[Score]]) -> dict[str, RatingDesign]:
    """Return the design of each criterion's scores."""
    return {criterion: design_of(given) for criterion, given in scores.items()}


def _every(criterion: str, given: Sequence[Score]) -> Iterator[Contrast]:
    yield from _unpaired(criterion, given, "review")
    yield from _unpaired(criterion, given, "idea")
    yield from _paired(criterion, given, "topic")
    yield from _paired(criterion, given, "reviewer")
    yield from _models(criterion, given)


def _without_single_ideas(contrast: Contrast, ideas: Mapping[str, int]) -> Contrast:
    """Return the contrast, or without its test where one idea stands for a source: how its ideas
    vary, it does not show.
    """
    alone = [source for source in (contrast.one, contrast.other) if ideas[source] < 2]
    if contrast.refused or not alone:
        return contrast
    have = "has" if len(alone) == 1 else "have"
    reason = f"{' and '.join(alone)} {have} one idea only: a test of sources needs 2 of each."
    empty = {name: Contrast.model_fields[name].default for name in TESTED}
    return _refuse(contrast.model_copy(update=empty), reason)


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


def _with_test(contrast: Contrast, difference: TestedDifference, effect: EffectSize) -> Contrast:
    test = {name: getattr(difference, name) for name in TESTED[1:6]}
    return contrast.model_copy(update={"difference": difference.value, **test, **_effect(effect)})


def _with_ranks(contrast: Contrast, test: TestResult, effect: EffectSize) -> Contrast:
    update = {"ranks": test.statistic, "p": test.p, "note": test.note, **_effect(effect)}
    return contrast.model_copy(update=update)


def _effect(effect: EffectSize) -> dict[str, object]:
    return {
        "effect": effect.name,
        "size": effect.value,
        "size_low": effect.low,
        "size_high": effect.high,
    }


# -- tests of independent observations -------------------------------------------------------


Observations = Mapping[str, Mapping[object, float]]
"""By source: the mean of every review, idea, topic or reviewer."""


def _observed(scores: Sequence[Score], unit: TestUnit) -> Observations:
    several: dict[str, dict[object, list[float]]] = defaultdict(lambda: defaultdict(list))
    for n, score in enumerate(scores):
        key: object = {
            "review": n,
            "idea": score.item,
            "topic": score.topic,
            "reviewer": score.rater,
        }[unit]
        several[score.source][key].append(score.score)
    return {
        source: {key: float(np.mean(some)) for key, some in by_key.items()}
        for source, by_key in several.items()
    }


def _unpaired(criterion: str, scores: Sequence[Score], unit: TestUnit) -> Iterator[Contrast]:
    """Yield Welch's and Mann and Whitney's tests of every two sources over reviews or ideas, each
    the mean of its scores.
    """
    observed = _observed(scores, unit)
    for one, other in _pairs(scores):
        yield from _independent(criterion, one, other, unit, observed)


def _independent(
    criterion: str, one: str, other: str, unit: TestUnit, observed: Observations
) -> Iterator[Contrast]:
    x = np.array(list(observed[one].values()))
    y = np.array(list(observed[other].values()))
    contrast = Contrast(
        criterion=criterion,
        one=one,
        other=other,
        unit=unit,
        test=WELCH,
        n=(len(x), len(y)),
        means=(float(x.mean()), float(y.mean())),
    )
    by_ranks = contrast.model_copy(update={"test": MANN_WHITNEY})
    if min(len(x), len(y)) < 2:
        reason = f"Each source needs 2 {unit}s or more; there are {len(x)} and {len(y)}."
        yield _refuse(contrast, reason)
        yield _refuse(by_ranks, reason)
        return
    difference = welch(x, y)
    if isinstance(difference, str):
        yield _refuse(contrast, f"All {unit}s of a source {difference}.")
    else:
        yield _with_test(contrast, difference, standardised_difference(x, y))
    # Means of thirds are not exact, and ranks would tell them apart.
    x, y = np.round(x, 12), np.round(y, 12)
    test = mann_whitney(x, y)
    if test.p is None:
        yield _refuse(by_ranks, f"All {unit}s have the same score, so that nothing is ranked.")
    else:
        yield _with_ranks(by_ranks, test, superiority(x, y))


# -- tests of pairs ---------------------------------------------------------------------------


def _paired(criterion: str, scores: Sequence[Score], unit: TestUnit) -> Iterator[Contrast]:
    """Yield the paired t-test and Wilcoxon's of every two sources over the reviewers, or topics,
    that have both; nothing where these are not known.

    Reviewers who have one source each are compared as independent, where not two have both.
    """
    names = {score.rater if unit == "reviewer" else score.topic for score in scores}
    if "" in names or (unit == "topic" and len(names) < 2):
        return
    observed = _observed(scores, unit)
    for one, other in _pairs(scores):
        mine, theirs = observed[one], observed[other]
        both = sorted(map(str, mine.keys() & theirs.keys()))
        alone = len(mine) + len(theirs) - 2 * len(both)
        if len(both) >= 2:
            x = np.array([mine[name] for name in both])
            y = np.array([theirs[name] for name in both])
            yield from _of_pairs(criterion, one, other, unit, x, y, alone)
        elif unit == "reviewer" and not both:
            yield from _independent(criterion, one, other, unit, observed)
        elif unit == "reviewer":
            n = len(both)
            reason = f"A paired test needs 2 reviewers who reviewed both; {raters_there(n)}."
            for test in OF_PAIRS:
                contrast = Contrast(
                    criterion=criterion, one=one, other=other, unit=unit, test=test, n=(n, n)
                )
                yield _refuse(contrast, reason)


def _of_pairs(
    criterion: str, one: str, other: str, unit: TestUnit, x: Floats, y: Floats, alone: int
) -> Iterator[Contrast]:
    n = len(x)
    # Thirds are not exact: 2/3 - 1/3 and 1/3 - 0 must be one difference.
    differences = np.round(x - y, 12)
    left_out = f"{alone} {unit}s that have one of the two are left out" if alone else ""
    contrast = Contrast(
        criterion=criterion,
        one=one,
        other=other,
        unit=unit,
        test=PAIRED,
        n=(n, n),
        means=(float(x.mean()), float(y.mean())),
        note=left_out,
    )
    if not np.ptp(differences):
        alike = f"All {unit}s have the same difference"
        yield _refuse(contrast, f"{alike}, so that t has nothing to measure it by.")
    else:
        error = float(differences.std(ddof=1)) / n**0.5
        difference = tested(float(differences.mean()), error, n - 1)
        yield _with_test(contrast, difference, paired_difference(differences))
    by_ranks = contrast.model_copy(update={"test": WILCOXON})
    test = signed_ranks(differences)
    if test.p is None:
        yield _refuse(by_ranks, f"No {unit} puts one source above the other.")
    else:
        whole = "; ".join(filter(None, (test.note, left_out)))
        yield _with_ranks(by_ranks, test._replace(note=whole), rank_biserial(differences))


# -- the mixed model --------------------------------------------------------------------------


def terms(scores: Sequence[Score]) -> RandomIntercepts:
    """Return the random intercepts that scores can tell apart, and why others are left out."""
    groups = dict[str, list[int]]()
    unknown = dict[str, str]()
    if all(score.rater for score in scores):
        groups["reviewer"] = _levels(score.rater for score in scores)
    else:
        unknown["reviewer"] = "nobody knows who wrote a review"
    groups["idea"] = _levels(score.item for score in scores)
    if any(score.topic for score in scores):
        groups["topic"] = _levels(score.topic or score.item for score in scores)
    else:
        unknown["topic"] = "no topics are named"
    sources = _levels(score.source for score in scores)
    found = told_apart(groups, sources)
    order = ("reviewer", "topic", "idea")
    reasons = found.left_out | unknown
    return RandomIntercepts(
        {name: found.kept[name] for name in order if name in found.kept},
        {name: reasons[name] for name in order if name in reasons},
    )


def fit_of(
    scores: Sequence[Score], kept: RandomIntercepts, sources: Sequence[str]
) -> MixedFit | None:
    """Return the mixed model of scores, sources numbered in this order; None where it cannot be
    fitted.
    """
    place = {source: n for n, source in enumerate(sources)}
    return fitted(
        [score.score for score in scores],
        [place[score.source] for score in scores],
        list(kept.kept.values()),
    )


def _models(criterion: str, scores: Sequence[Score]) -> Iterator[Contrast]:
    """Yield the differences of every two sources in the mixed model."""
    times = Counter(score.source for score in scores)
    sources = sorted(times)
    found = terms(scores)
    formula = " + ".join(("score ~ source", *(f"(1 | {name})" for name in found.kept)))
    left_out = tuple(f"(1 | {name}): {why}" for name, why in found.left_out.items())
    fit = fit_of(scores, found, sources)
    variances = dict[str, float]()
    if fit:
        variances = {name: sd**2 for name, sd in zip(found.kept, fit.spread, strict=True)}
        variances["residual"] = fit.sigma**2
    for a, b in combinations(range(len(sources)), 2):
        contrast = Contrast(
            criterion=criterion,
            one=sources[a],
            other=sources[b],
            unit="review",
            test=MIXED,
            formula=formula,
            left_out=left_out,
            variances=variances,
            n=(times[sources[a]], times[sources[b]]),
        )
        if fit is None:
            why = "too few scores, all of them alike, or too many reviewers and ideas"
            yield _refuse(contrast, f"The model cannot be fitted: {why}.")
            continue
        yield _with_test(contrast, fit.differences[a, b], fit.effects[a, b])


def _levels(names: Iterable[str]) -> list[int]:
    seen: dict[str, int] = {}
    return [seen.setdefault(name, len(seen)) for name in names]
