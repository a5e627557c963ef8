"""How sure a figure is: 95 % intervals that know their observations come in clusters, and a reason where none can be given."""
import math
from collections.abc import Callable
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special  # type: ignore[import-untyped]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
LEVEL = 0.95
RESAMPLES = 1_000
FEWEST = 10
"""Observations a share needs, and clusters a bootstrap needs to be worth more than Wilson's interval."""
UNDEFINED = 0.05
"""The share of resamples in which a figure may be undefined before its interval is refused."""


class Figure(NamedTuple):
    """A figure with its 95 % interval; what is None could not be given, and `note` says why, or what to mind."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    how: str = ""
    """How the interval was made."""
    note: str = ""

    def through(self, change: Callable[[float], float]) -> "Figure":
        """Return the figure on another scale; `change` must rise."""
        value, low, high = (None if one is None else change(one) for one in self[:3])
        return self._replace(value=value, low=low, high=high)


def refused(n: int, note: str) -> Figure:
    """Return the figure that cannot be given, with the reason."""
    return Figure(None, None, None, n, note=note)


def wilson(hits: float, n: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share of n > 0 independent observations."""
    z, p = NormalDist().inv_cdf((1 + LEVEL) / 2), hits / n
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low, high = (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)
    # At no hits, and at nothing but hits, the formula's ends are 0 and 1 exactly, and rounding would miss them.
    return 0.0 if hits == 0 else low, 1.0 if hits == n else high


def t_width(degrees: int) -> float:
    """Return how many standard errors a 95 % interval reaches to either side, by Student's t."""
    return float(special.stdtrit(degrees, (1 + LEVEL) / 2))


def resampled(sums: Floats, resamples: int, seed: int) -> Floats:
    """Return the totals of clusters drawn with replacement: (clusters, ...) becomes (resamples, ...)."""
    clusters = len(sums)
    drawn = np.random.default_rng(seed).multinomial(clusters, np.full(clusters, 1 / clusters), size=resamples)
    flat = drawn.astype(np.float64) @ sums.reshape(clusters, -1).astype(np.float64)
    return flat.reshape(resamples, *sums.shape[1:])


def percentiles(values: Floats, clusters: int) -> tuple[float, float] | None:
    """Return the middle 95 % of a figure over resamples of so many clusters (nan where it is undefined), or None where too many are undefined.

    The percentiles are Hesterberg's expanded ones (2015): with few clusters they lie further out, as Student's t does, since resampling alone is too narrow.
    """
    known = values[np.isfinite(values)]
    if clusters < 2 or len(known) < (1 - UNDEFINED) * len(values):
        return None
    tail = 100 * NormalDist().cdf(-math.sqrt(clusters / (clusters - 1)) * t_width(clusters - 1))
    low, high = np.percentile(known, [tail, 100 - tail])
    return float(low), float(high)


def by_cluster(clusters: npt.NDArray[np.generic], *columns: npt.ArrayLike) -> Floats:
    """Return the sum of every column in every cluster: (clusters, columns)."""
    _, at = np.unique(clusters, return_inverse=True)
    return np.stack([np.bincount(at, weights=np.asarray(column, dtype=np.float64)) for column in columns], axis=-1)


def ratio(sums: Floats) -> Floats:
    """Return the first column by the second; nan where that is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = sums[..., 0] / sums[..., 1]
    return found


def by_t(sums: Floats) -> tuple[float, float] | None:
    """Return the 95 % interval of the ratio of totals from (clusters, 2), by Student's t on its linearised standard error; None of one cluster.

    A bootstrap of k clusters never leaves their range, which alone misses the truth once in 2^(k - 1) times; t does not stop there.
    """
    clusters = len(sums)
    if clusters < 2:
        return None
    hits, n = sums.sum(axis=0)
    left = sums[:, 0] - hits / n * sums[:, 1]
    half = t_width(clusters - 1) * math.sqrt(clusters / (clusters - 1) * float(left @ left)) / n
    return float(hits / n - half), float(hits / n + half)


def share(hits: npt.NDArray[np.bool_], topics: Ints, what: str, seed: int = 0) -> Figure:
    """Return a share over observations that come from topics; `what` names the observations in the reason of a refusal.

    The interval is a bootstrap over topics. With fewer than 10 topics that is too narrow, and so is Wilson's, which takes the observations as independent
    where the criteria of one ballot are not: the wider end of Wilson's and of Student's t over topics is given. Where all topics are alike, or there is one,
    it is Wilson's; `how` says which.
    """
    n = len(hits)
    if n < FEWEST:
        return refused(n, f"Only {n} {what}: a share needs {FEWEST}.")
    value, sums = float(hits.mean()), by_cluster(topics, hits, np.ones(n))
    ends = percentiles(ratio(resampled(sums, RESAMPLES, seed)), len(sums)) if len(sums) >= FEWEST else by_t(sums)
    spread = ends is not None and ends[0] < ends[1]
    if ends and spread and len(sums) >= FEWEST:
        return Figure(value, *ends, n, f"bootstrap over {len(sums)} topics")
    low, high = wilson(float(hits.sum()), n)
    topics_said = "1 topic" if len(sums) == 1 else f"{len(sums)} topics"
    how = f"Wilson's, observations of {topics_said} taken as independent"
    if ends and spread:
        return Figure(value, max(0.0, min(low, ends[0])), min(1.0, max(high, ends[1])), n, f"{how}, or Student's t over them: the wider end of either")
    return Figure(value, low, high, n, how)
