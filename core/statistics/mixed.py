"""A linear mixed model with crossed random intercepts: score ~ source + (1 | reviewer) + (1 |
topic).

Fitted by restricted maximum likelihood as Bates, Mächler, Bolker and Walker (2015), Fitting linear
mixed-effects models using lme4, section 3, write it: the deviance is profiled over the standard
deviations of the intercepts, relative to that of the residuals. Degrees of freedom are
Satterthwaite's, from numerical derivatives (Kuznetsova, Brockhoff and Christensen, 2017, lmerTest).
"""

from collections.abc import Sequence
from functools import partial
from itertools import permutations, product
from typing import NamedTuple

import numpy as np
from scipy import optimize  # type: ignore[import-untyped]

from core.statistics.intervals import Floats, Ints
from core.statistics.paired import TestedDifference, tested

MOST_LEVELS = 1_500
"""Reviewers and topics together: the fit takes the cube of their number."""
NOTHING = 1e-4
"""A standard deviation, relative to the residuals', below which an intercept is taken not to vary.
"""


class MixedFit(NamedTuple):
    """A fitted model."""

    n: int
    sigma: float
    """Standard deviation of the residuals."""
    spread: tuple[float, ...]
    """Standard deviation of each grouping's intercepts, in their order."""
    differences: dict[tuple[int, int], TestedDifference]
    """By two sources, as numbers: the first less the second."""


class _Parts(NamedTuple):
    """What a fit takes of the data."""

    freedom: int
    """Scores less sources."""
    groups: tuple[int, ...]
    """Levels of each grouping."""
    products: Floats
    """Cross products of the levels, the sources and the scores, in this order."""


class _Solved(NamedTuple):
    beta: Floats
    root: Floats
    """R with R'R the information on the fixed part, at residuals of variance 1."""
    squares: float
    logs: float
    """The log-determinants of the random part and of the information on the fixed part."""


def fitted(
    scores: Sequence[float], sources: Sequence[int], groups: Sequence[Sequence[int]]
) -> MixedFit | None:
    """Fit the model; `groups` holds, by grouping, the level of every score as a number from 0. None
    where it cannot be fitted.

    An intercept that does not vary is left out, as its variance then is 0.
    """
    count = max(sources) + 1
    groupings = [np.asarray(levels, dtype=np.int64) for levels in groups]
    groupings = [levels for levels in groupings if 1 < len(np.unique(levels)) < len(levels)]
    levels_in_all = sum(int(levels.max()) + 1 for levels in groupings)
    if levels_in_all > MOST_LEVELS or len(scores) <= count + 1:
        return None
    x = np.eye(count)[np.asarray(sources)]
    y = np.asarray(scores, dtype=np.float64)
    if np.linalg.matrix_rank(x) < count or float(np.ptp(y)) == 0:
        return None
    parts = _parts(y, x, groupings)
    theta = _best(parts)
    varying = np.flatnonzero(theta > NOTHING)
    if len(varying) < len(theta):
        parts = _parts(y, x, [groupings[n] for n in varying])
        theta = _best(parts)
    solved = _solve(parts, theta)
    total = float(parts.products[-1, -1])
    if solved is None or solved.squares <= 1e-12 * max(total, 1.0):
        return None
    variance = solved.squares / parts.freedom
    sigma = variance**0.5
    spread = np.zeros(len(groupings))
    spread[varying] = theta * sigma
    phi = np.array([*(theta**2 * variance), variance])
    differences = {
        (a, b): _difference(parts, solved.beta, phi, a, b) for a, b in permutations(range(count), 2)
    }
    return MixedFit(len(scores), sigma, tuple(spread.tolist()), differences)


def _parts(y: Floats, x: Floats, groups: Sequence[Ints]) -> _Parts:
    sizes = [int(levels.max()) + 1 for levels in groups]
    *starts, q = np.cumsum([0, *sizes]).tolist()
    fixed = np.column_stack([x, y])
    width = q + fixed.shape[1]
    products = np.zeros((width, width))
    products[q:, q:] = fixed.T @ fixed
    rows = [levels + start for levels, start in zip(groups, starts, strict=True)]
    for row in rows:
        for other in rows:
            np.add.at(products, (row, other), 1.0)
        for n, column in enumerate(fixed.T, start=q):
            np.add.at(products[:, n], row, column)
    products[q:, :q] = products[:q, q:].T
    return _Parts(len(y) - x.shape[1], tuple(sizes), products)


def _solve(parts: _Parts, theta: Floats) -> _Solved | None:
    """Solve for the fixed part: one Cholesky factor holds all there is to know."""
    q = sum(parts.groups)
    fixed = len(parts.products) - q
    scale = np.concatenate([np.repeat(theta, parts.groups), np.ones(fixed)])
    penalty = np.diag(np.repeat((1.0, 0.0), (q, fixed)))
    scaled = scale[:, None] * parts.products * scale
    try:
        lower = np.linalg.cholesky(scaled + penalty)
    except np.linalg.LinAlgError:
        return None
    root = lower[q:-1, q:-1].T
    beta = np.linalg.solve(root, lower[-1, q:-1])
    logs = np.log(np.diag(lower))
    log_levels = 2 * float(logs[:q].sum())
    log_fixed = 2 * float(logs[q:-1].sum())
    return _Solved(beta, root, float(lower[-1, -1]) ** 2, log_levels + log_fixed)


def _profiled(theta: Floats, parts: _Parts) -> float:
    """Return the restricted deviance at its best residual variance, but for a constant."""
    solved = _solve(parts, np.abs(theta))
    if solved is None or solved.squares <= 0:
        return float("inf")
    return solved.logs + parts.freedom * float(np.log(solved.squares))


def _best(parts: _Parts) -> Floats:
    """Return the standard deviations of the intercepts, relative to the residuals', at which the
    deviance is least.
    """
    k = len(parts.groups)
    if not k:
        return np.zeros(0)
    options = {"xatol": 1e-7, "fatol": 1e-9, "maxiter": 2_000}
    minimize = partial(optimize.minimize, method="Nelder-Mead", options=options)
    minima = [minimize(_profiled, np.full(k, start), args=(parts,)) for start in (0.2, 1.0)]
    best = min(minima, key=lambda minimum: float(minimum.fun))
    theta: Floats = np.abs(best.x)
    return theta


def _deviance(phi: Floats, parts: _Parts) -> float:
    """Return the restricted deviance at these variances: of each grouping's intercepts, and of the
    residuals last.
    """
    solved = _solve_at(phi, parts)
    residual = float(phi[-1])
    log_residual = parts.freedom * float(np.log(residual))
    return solved.logs + log_residual + solved.squares / residual


def _variance(phi: Floats, parts: _Parts, which: Floats) -> float:
    """Return the variance of a mix of the fixed part at these variances."""
    root = _solve_at(phi, parts).root
    seen = np.linalg.solve(root.T, which)
    return float(phi[-1]) * float(seen @ seen)


def _solve_at(phi: Floats, parts: _Parts) -> _Solved:
    theta = np.sqrt(np.maximum(phi[:-1], 0) / phi[-1])
    solved = _solve(parts, theta)
    assert solved is not None
    return solved


def _difference(parts: _Parts, beta: Floats, phi: Floats, a: int, b: int) -> TestedDifference:
    which = np.zeros(len(beta))
    which[a] = 1.0
    which[b] = -1.0
    variance = _variance(phi, parts, which)
    df = _degrees(parts, phi, which, variance)
    return tested(float(which @ beta), variance**0.5, df)


def _degrees(parts: _Parts, phi: Floats, which: Floats, variance: float) -> float:
    """Return Satterthwaite's degrees of freedom: 2 v^2 / var(v), by the delta method."""
    steps = 1e-3 * phi
    moves = np.diag(steps)

    def slope_along(n: int) -> float:
        ahead = _variance(phi + moves[n], parts, which)
        back = _variance(phi - moves[n], parts, which)
        return (ahead - back) / (2 * float(steps[n]))

    def bend_along(n: int, m: int) -> float:
        corners = 0.0
        for one, two in product((1, -1), repeat=2):
            corner = _deviance(phi + one * moves[n] + two * moves[m], parts)
            corners += one * two * corner
        return corners / (4 * float(steps[n] * steps[m]))

    every = range(len(phi))
    slope = np.array([slope_along(n) for n in every])
    bend = np.array([[bend_along(n, m) for m in every] for n in every])
    most = float(parts.freedom)
    try:
        doubt = float(slope @ np.linalg.solve(bend / 2, slope))
    except np.linalg.LinAlgError:
        return most
    if doubt > 0:
        return min(most, max(1.0, 2 * variance**2 / doubt))
    return most
