"""How sure a figure is: 95 % intervals that know their observations come in clusters, and a reason
where none can be given.

One rule for each kind of figure, and no interval beyond what the figure can be:
- A mean of scores, Q or places (`paired.clustered_ci`, `paired.mean_ci`): a bootstrap over
  clusters; under 10 clusters Student's t over them, cut at the ends of the scale.
  Where all clusters are alike, neither has a width: Wilson's then, with each taken for as spread as
  the scale allows.
- A share (`clustered_share`): the same, and under 10 clusters the wider end of Wilson's and of
  Student's t.
- A difference of two means: as a mean, on the scale of differences, from -(highest - lowest) to
  +(highest - lowest).
- A coefficient from -1 to 1 (alpha, kappa, r, ICC): what its source says, cut at -1 and 1; of
  resamples that are all alike there is none.
- A rating or log-odds, which has no ends (`core.judging.ratings`, `core.agreement.logistic`):
  nothing is cut.
- A cost or another amount: as a mean, cut at 0; where all are alike there is none, since nothing
  says how large an amount may be.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special  # type: ignore[import-untyped]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
LEVEL = 0.95
RESAMPLES = 1_000
TOPIC = ("topic", "topics")
FEWEST = 10
"""Observations a share needs, and clusters a bootstrap needs to be worth more than Wilson's
interval.
"""
MANY = 4_000
"""Clusters above which those that are alike are drawn together: the same bootstrap, sooner."""
NORMAL = NormalDist()
Z = NORMAL.inv_cdf((1 + LEVEL) / 2)
"""How many standard errors a 95 % interval reaches to either side, by the normal distribution."""
AT_ONCE = 4_000_000
"""Counts held at once, so that resampling many units takes no more memory than resampling few."""
ALIKE = 1e-12
"""Values, or figures of resamples, that lie no further apart differ by rounding."""
NODES = np.polynomial.legendre.leggauss(120)
"""Points from -1 to 1 that a distribution is averaged over, and their weights."""
UNDEFINED = 0.05
"""The share of resamples in which a figure may be undefined before its interval is refused."""


class Scale(NamedTuple):
    """What a figure can be, from the lowest to the highest; infinite where there is no end."""

    low: float
    high: float

    @property
    def differences(self) -> "Scale":
        """The scale of differences of two figures of this one."""
        return Scale(self.low - self.high, self.high - self.low)

    @property
    def ends(self) -> bool:
        """Whether it ends on both sides."""
        return math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high

    def cut(self, value: float) -> float:
        """Return the value, or the end of the scale that it lies beyond."""
        return min(max(value, self.low), self.high)


SHARE = Scale(0.0, 1.0)
COEFFICIENT = Scale(-1.0, 1.0)
SCORE = Scale(1.0, 10.0)
"""Shares and Q; correlations and agreement beyond chance; what ideas are scored on."""
AMOUNT = Scale(0.0, math.inf)
FREE = Scale(-math.inf, math.inf)
"""Costs and distances; ratings and log-odds."""


USUAL = (
    SHARE,
    Scale(1.0, 4.0),
    Scale(1.0, 5.0),
    Scale(1.0, 7.0),
    SCORE,
    Scale(0.0, 10.0),
    Scale(0.0, 100.0),
)
"""Scales that people score on, from narrow to wide."""


def usual_scale(values: Floats) -> Scale:
    """Return the narrowest of the usual scales that holds all values, of which one at least is
    finite; else from the lowest to the highest of them.
    """
    known = values[np.isfinite(values)]
    low = float(known.min())
    high = float(known.max())
    # Nothing but ones is no share: those who score from 0 to 1 give less than 1, too.
    usual = USUAL if low < 1 else USUAL[1:]
    for scale in usual:
        if scale.low <= low and high <= scale.high:
            return scale
    return Scale(low, high)


class Figure(NamedTuple):
    """A figure with its 95 % interval; what is None could not be given, and `note` says why, or
    what to mind.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    how: str = ""
    """How the interval was made."""
    note: str = ""

    def through(self, change: Callable[[float], float]) -> "Figure":
        """Return the figure on another scale; `change` must rise."""
        value, low, high = (None if part is None else change(part) for part in self[:3])
        return self._replace(value=value, low=low, high=high)

    def within(self, scale: Scale) -> "Figure":
        """Return the figure with its interval cut at the ends of its scale, and `how` saying so
        where it is.
        """
        if self.low is None or self.high is None:
            return self
        low = scale.cut(self.low)
        high = scale.cut(self.high)
        if (low, high) == (self.low, self.high):
            return self
        return self._replace(low=low, high=high, how=f"{self.how}, {cut_at(scale)}")


def cut_at(scale: Scale) -> str:
    """Say that an interval is cut at the ends of its scale."""
    return f"cut at {scale.low:g}" + (f" and {scale.high:g}" if scale.ends else "")


def refused(n: int, note: str) -> Figure:
    """Return the figure that cannot be given, with the reason."""
    return Figure(None, None, None, n, note=note)


def wilson(hits: float, n: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share of n > 0 independent observations."""
    p = hits / n
    z_squared = Z * Z
    middle = p + z_squared / (2 * n)
    variance = p * (1 - p) / n + z_squared / (4 * n * n)
    half = Z * math.sqrt(variance)
    shrunk = 1 + z_squared / n
    # At no hits, and at nothing but hits, the formula's ends are 0 and 1 exactly, and rounding
    # would miss them.
    low = 0.0 if hits == 0 else (middle - half) / shrunk
    high = 1.0 if hits == n else (middle + half) / shrunk
    return low, high


def wilson_mean(mean: float, n: int, scale: Scale) -> tuple[float, float]:
    """Return Wilson's 95 % interval of the mean of n > 0 independent values on a scale with ends.

    A value between the ends varies less than one that is always at one end or the other, so that
    the interval is rather too wide. It is for values that are all alike, which do not show how far
    they vary.
    """
    width = scale.high - scale.low
    share_of_width = (scale.cut(mean) - scale.low) / width
    low, high = wilson(share_of_width * n, n)
    low = scale.low + width * low
    high = scale.low + width * high
    return scale.cut(low), scale.cut(high)


def of_alike(value: float, n: int, scale: Scale, clusters: int, unit: str) -> Figure:
    """Return the mean of n values in clusters that all have the same mean: with Wilson's interval
    over clusters, or none where the scale has no ends.
    """
    if not scale.ends:
        note = f"All {clusters} {unit} are alike, which does not show how sure the figure is."
        return Figure(value, None, None, n, note=note)
    how = f"Wilson's over {clusters} {unit}, which are all alike"
    return Figure(value, *wilson_mean(value, clusters, scale), n, how)


def t_width(degrees: float) -> float:
    """Return how many standard errors a 95 % interval reaches to either side, by Student's t."""
    return float(special.stdtrit(degrees, (1 + LEVEL) / 2))


def bootstrap_reach(clusters: int) -> float:
    """Return how many standard deviations of resamples a 95 % interval reaches to either side:
    wider than the normal's 1.96, since resampling a few clusters is too narrow.
    """
    return math.sqrt(clusters / (clusters - 1)) * t_width(clusters - 1)


def t_chance(t: float, degrees: float) -> float:
    """Return the two-sided p-value of Student's t."""
    return float(2 * special.stdtr(degrees, -abs(t)))


def noncentral_t(t: float, degrees: float, noncentrality: float) -> float:
    """Return how often Student's noncentral t is at most so large, to five digits: the normal
    distribution averaged over that of the standard deviation (scipy's own gives nan in its tails).
    """
    least, most = special.chdtri(degrees, (1 - 1e-12, 1e-12))
    low, high = math.sqrt(least / degrees), math.sqrt(most / degrees)
    nodes, weights = NODES
    spreads = low + (high - low) * (nodes + 1) / 2
    logs = (degrees - 1) * np.log(spreads) - degrees * spreads**2 / 2
    density = np.exp(logs - logs.max()) * weights
    below = special.ndtr(t * spreads - noncentrality)
    return float((density * below).sum() / density.sum())


def draw(chance: np.random.Generator, units: int, resamples: int) -> Floats:
    """Return how often each of so many units is in each resample: (resamples, units)."""
    return chance.multinomial(units, np.full(units, 1 / units), size=resamples).astype(np.float64)


@lru_cache(maxsize=4)
def draws(units: int, seed: int, resamples: int) -> Floats:
    """Return the draw that a seed gives; kept, since most figures of one analysis are taken over
    equally many units.
    """
    drawn = draw(np.random.default_rng(seed), units, resamples)
    drawn.flags.writeable = False
    return drawn


def totals(sums: Floats, drawn: Floats) -> Floats:
    """Return what sums (units, ...) come to in each resample: (resamples, ...)."""
    flat = drawn @ sums.reshape(len(sums), math.prod(sums.shape[1:])).astype(np.float64)
    return flat.reshape(len(drawn), *sums.shape[1:])


def over_draws(
    measure: Callable[[Floats], Floats],
    units: int,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Floats:
    """Return a measure in every resample of so many units, one or more: (resamples, ...).

    `measure` takes how often each unit is in each resample, (some of the resamples, units), and
    returns its values, (as many, ...): of many units a few resamples are held at once.
    """
    if units * resamples <= AT_ONCE:
        return measure(draws(units, seed, resamples))
    generator = np.random.default_rng(seed)
    most = max(1, AT_ONCE // units)
    found = []
    for drawn in range(0, resamples, most):
        part = draw(generator, units, min(most, resamples - drawn))
        found.append(measure(part))
    return np.concatenate(found)


def resampled(sums: Floats, resamples: int = RESAMPLES, seed: int = 0) -> Floats:
    """Return the totals of clusters drawn with replacement: (clusters, ...) becomes (resamples,
    ...).
    """
    if len(sums) > MANY:
        return _resampled_by_kind(sums, resamples, seed)
    return over_draws(lambda drawn: totals(sums, drawn), len(sums), seed, resamples)


def _resampled_by_kind(sums: Floats, resamples: int, seed: int) -> Floats:
    flat = sums.reshape(len(sums), math.prod(sums.shape[1:]))
    kinds, alike = np.unique(flat, axis=0, return_counts=True)
    generator = np.random.default_rng(seed)
    most = max(1, AT_ONCE // len(kinds))
    found = []
    for done in range(0, resamples, most):
        size = min(most, resamples - done)
        drawn = generator.multinomial(len(sums), alike / len(sums), size=size)
        found.append(drawn.astype(np.float64) @ kinds)
    return np.concatenate(found).reshape(resamples, *sums.shape[1:])


def percentiles(values: Floats, clusters: int) -> tuple[float, float] | None:
    """Return the middle 95 % of a figure over resamples of so many clusters (nan where it is
    undefined), or None where too many are undefined.

    The percentiles are Hesterberg's expanded ones (2015): with few clusters they lie further out,
    as Student's t does, since resampling alone is too narrow.
    """
    known = values[np.isfinite(values)]
    if clusters < 2 or len(known) < (1 - UNDEFINED) * len(values):
        return None
    tail = 100 * NORMAL.cdf(-bootstrap_reach(clusters))
    low, high = np.percentile(known, [tail, 100 - tail]).tolist()
    return low, high


def by_cluster(clusters: npt.NDArray[np.generic], *columns: npt.ArrayLike) -> Floats:
    """Return the sum of every column in every cluster: (clusters, columns)."""
    _, at = np.unique(clusters, return_inverse=True)
    return np.stack(
        [np.bincount(at, weights=np.asarray(column, dtype=np.float64)) for column in columns],
        axis=-1,
    )


def ratio(sums: Floats) -> Floats:
    """Return the first column by the second; nan where that is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        quotient: Floats = sums[..., 0] / sums[..., 1]
    return quotient


def by_t(sums: Floats) -> tuple[float, float] | None:
    """Return the 95 % interval of the ratio of totals from (clusters, 2), by Student's t on its
    linearised standard error; None of one cluster.

    A bootstrap of k clusters never leaves their range, which alone misses the truth once in 2^(k -
    1) times; t does not stop there.
    """
    clusters = len(sums)
    if clusters < 2:
        return None
    hits, n = sums.sum(axis=0)
    quotient = hits / n
    residuals = sums[:, 0] - quotient * sums[:, 1]
    squares = float(residuals @ residuals)
    error = math.sqrt(clusters / (clusters - 1) * squares)
    half = t_width(clusters - 1) * error / n
    return float(quotient - half), float(quotient + half)


def few(n: int) -> str:
    """Begin the sentence that says how few there are: "Only 3", or "No"."""
    return f"Only {n}" if n else "No"


def share(
    hits: Bools, topics: Ints, what: str, seed: int = 0, unit: tuple[str, str] = TOPIC
) -> Figure:
    """Return a share over observations that come from topics, as `clustered_share` does; refused
    under 10.

    `what` names the observations in the reason of a refusal, `unit` what they come from, one and
    several.
    """
    return share_of_sums(by_cluster(topics, hits, np.ones(len(hits))), what, seed, unit)


def share_of_sums(sums: Floats, what: str, seed: int = 0, unit: tuple[str, str] = TOPIC) -> Figure:
    """Return a share as `share` does, from hits and observations by topic: (topics, 2)."""
    n = int(sums[:, 1].sum())
    if n < FEWEST:
        return refused(n, f"{few(n)} {what}: a share needs {FEWEST}.")
    return _clustered_share(sums, unit, seed)


def clustered_share(
    hits: Bools, clusters: npt.NDArray[np.generic], unit: tuple[str, str] = TOPIC, seed: int = 0
) -> Figure:
    """Return a share of one observation or more that come in clusters; `unit` says what one and
    several clusters are.

    The interval is a bootstrap over clusters. With fewer than 10 that is too narrow, and so is
    Wilson's, which takes the observations as independent where those of one cluster are not: the
    wider end of Wilson's and of Student's t over clusters is given. Where all clusters are alike,
    or there is one, it is Wilson's; `how` says which.
    """
    return _clustered_share(by_cluster(clusters, hits, np.ones(len(hits))), unit, seed)


def _clustered_share(sums: Floats, unit: tuple[str, str], seed: int) -> Figure:
    hits, n = (int(column) for column in sums.sum(axis=0))
    value = hits / n
    if n < 2:
        return Figure(value, None, None, n, note="One value has no interval.")
    of = len(sums)
    counted = f"{of} {unit[of > 1]}"
    enough = of >= FEWEST
    ends = percentiles(ratio(resampled(sums, seed=seed)), of) if enough else by_t(sums)
    if ends and ends[1] - ends[0] <= ALIKE:
        ends = None
    if ends and enough:
        return Figure(value, *ends, n, f"bootstrap over {counted}")
    low, high = wilson(hits, n)
    how = f"Wilson's, observations of {counted} taken as independent"
    if not ends:
        return Figure(value, low, high, n, how)
    low = SHARE.cut(min(low, ends[0]))
    high = SHARE.cut(max(high, ends[1]))
    return Figure(value, low, high, n, f"{how}, or Student's t over them: the wider end of either")
