"""Whether longer ideas score higher: straight lines through two figures of ideas."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from core.records import GroupSums, Record
from core.statistics.clusters import SEED, gathered, over_keywords, spread
from core.statistics.intervals import FEWEST, RESAMPLES, Floats, t_chance, totals
from core.wording.numbers import counted

FLAT = 1e-9
"""A variance below this is rounding: all lengths, or all scores, are equal."""
Over = Literal["model", "all", "within"]


class LineFit(Record):
    """The straight line through one figure of ideas against another: of their score (mean over
    dimensions and judges) against their words.
    """

    model: str = ""
    """Empty for all models together."""
    over: Over
    """One model's ideas; all ideas as they are, where models that write more and score higher make
    a correlation of their own; or all ideas, each held against the mean of its own model.
    """
    n: int
    """Ideas with at least one judgment."""
    mean: float | None = None
    """Of what is held against, such as their length."""
    r: float | None = None
    """Pearson's."""
    low: float | None = None
    high: float | None = None
    slope: float | None = None
    """Points for one more of it: for one word."""
    intercept: float | None = None
    """The score at 0 of it; None of `within`, where the line has no one height."""
    p: float | None = None
    """Of no slope, two-sided, with ideas of one keyword taken as one cluster."""
    shortest: float | None = None
    longest: float | None = None
    """Where the line is drawn from and to: two standard deviations to either side of the mean, not
    beyond what there can be.
    """
    refused: str = ""
    """Why there is no line."""


class FitKind(NamedTuple):
    """What is held against what, in words, and between which values the first can be."""

    flat: str = "of one length"
    level: str = "scored alike"
    least: float = 0.0
    most: float = np.inf
    which: str = ""
    """Which judged ideas, said after the noun."""


def lengths(
    groups: Sequence[GroupSums],
    models: Sequence[str],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> tuple[LineFit, ...]:
    """Return the lines of ideas' scores against their words, as `fits` has them."""
    rows = (
        (one.keyword, one.model, one.rated, one.w, one.ww, one.s, one.ss, one.ws)
        for one in groups
        if one.rated
    )
    return fits(rows, models, FitKind(), seed=seed, resamples=resamples)


def fits(
    rows: Iterable[Sequence[float]],
    models: Sequence[str],
    kind: FitKind,
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> tuple[LineFit, ...]:
    """Return the line of all ideas, of all within their models, and of each model; least squares.

    Rows are (keyword, model, ideas, sum of what is held against, of its squares, sum of scores, of
    their squares, of the products). r has an interval from resampling keywords; p is Student's t on
    the slope's standard error clustered by keyword (Liang and Zeger 1986, with the usual correction
    for few clusters). Refused with a reason under 10 ideas or 10 keywords, and where all lengths or
    all scores are equal.
    """
    sums = gathered(rows, len(models), 6)
    parts: list[tuple[str, Over, Floats]] = [
        ("", "all", sums.sum(axis=1, keepdims=True)),
        ("", "within", sums),
        *((name, "model", sums[:, [m]]) for m, name in enumerate(models)),
    ]

    def correlations(drawn: Floats) -> Floats:
        ideas = totals(sums, drawn)
        each = moments(ideas)
        every: Floats = np.column_stack(
            [_r(moments(ideas.sum(axis=1))), _r(each.sum(axis=1)), _r(each)]
        )
        return every

    found = over_keywords(correlations, len(sums), seed, resamples)
    return tuple(
        _fit(name, over, part, found[:, at], kind) for at, (name, over, part) in enumerate(parts)
    )


def moments(sums: Floats) -> Floats:
    """Return sums of squares and products about the mean, (..., words x words, score x score, words
    x score), from sums (..., 6).
    """
    n, w, ww, s, ss, ws = np.moveaxis(sums, -1, 0)
    n = np.maximum(n, 1)
    return np.stack([ww - w * w / n, ss - s * s / n, ws - w * s / n], axis=-1)


def _r(about: Floats) -> Floats:
    words, scores, both = np.moveaxis(about, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.where(
            (words > FLAT) & (scores > FLAT), both / np.sqrt(words * scores), np.nan
        )
    return found


def _fit(model: str, over: Over, sums: Floats, found: Floats, kind: FitKind) -> LineFit:
    """Return the line through ideas in parts (keywords, parts, 6), each part about its own mean."""
    ideas = sums.sum(axis=0)
    n, keywords = int(ideas[:, 0].sum()), int((sums[..., 0].sum(axis=1) > 0).sum())
    words, scores, both = moments(ideas).sum(axis=0)
    if reason := _reason(n, keywords, words / max(n, 1), scores / max(n, 1), kind):
        return LineFit(model=model, over=over, n=n, refused=reason)
    slope, mean, sd = both / words, ideas[:, 1].sum() / n, np.sqrt(words / n)
    correlation = spread(float(np.clip(both / np.sqrt(words * scores), -1, 1)), found, keywords)
    return LineFit(
        model=model,
        over=over,
        n=n,
        mean=float(mean),
        r=correlation.value,
        low=correlation.low,
        high=correlation.high,
        slope=float(slope),
        intercept=None if over == "within" else float(ideas[:, 3].sum() / n - slope * mean),
        p=_p(sums, float(slope)),
        shortest=float(max(mean - 2 * sd, kind.least)),
        longest=float(min(mean + 2 * sd, kind.most)),
    )


def _reason(n: int, keywords: int, words: float, scores: float, kind: FitKind) -> str:
    if n < FEWEST or keywords < FEWEST:
        return (
            f"Only {counted(n, 'judged idea')}{kind.which} for {counted(keywords, 'keyword')}: a"
            f" line takes {FEWEST} of both."
        )
    if words < FLAT or scores < FLAT:
        return (
            f"All ideas are {kind.flat if words < FLAT else kind.level}, so that nothing can go"
            " together with it."
        )
    return ""


def _p(sums: Floats, slope: float) -> float:
    """Return the p-value of no slope from sums by keyword and part (keywords, parts, 6), ideas of
    one keyword being one cluster.
    """
    ideas = sums.sum(axis=0)
    n = np.maximum(ideas[:, 0], 1)
    w, s = ideas[:, 1] / n, ideas[:, 3] / n
    # Each keyword's share in the normal equations at the slope that was found: the sum of (words -
    # their mean) x (what the line leaves of the score).
    squares = sums[..., 2] - 2 * w * sums[..., 1] + w * w * sums[..., 0]
    products = sums[..., 5] - w * sums[..., 3] - s * sums[..., 1] + w * s * sums[..., 0]
    left = (products - slope * squares).sum(axis=1)[sums[..., 0].sum(axis=1) > 0]
    clusters, all_of_them, fitted = len(left), ideas[:, 0].sum(), (ideas[:, 0] > 0).sum() + 1
    variance = (
        clusters
        / (clusters - 1)
        * (all_of_them - 1)
        / max(all_of_them - fitted, 1)
        * float(left @ left)
        / float(squares.sum()) ** 2
    )
    if variance <= 0:
        return 0.0
    return t_chance(slope / float(np.sqrt(variance)), clusters - 1)
