"""A linear mixed model with crossed random intercepts: score ~ source + (1 | reviewer) + (1 |
topic).

Fitted by restricted maximum likelihood as Bates, Mächler, Bolker and Walker (2015), Fitting linear
mixed-effects models using lme4, section 3, write it: the deviance is profiled over the standard
deviations of the intercepts, relative to that of the residuals. Degrees of freedom are
Satterthwaite's, from numerical derivatives (Kuznetsova, Brockhoff and Christensen, 2017, lmerTest).
"""

from collections.abc import Sequence
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

    n: int
    p: int
    groups: tuple[int, ...]
    """Levels of each grouping."""
    products: Floats
    """Cross products of the levels, the sources and the scores, in this order."""


class _Solved(NamedTuple):
    beta: Floats
    root: Floats
    """R with R'R the information on the fixed part, at residuals of variance 1."""
    squares: float
    log_levels: float
    """The log-determinant of the random part."""


def fitted(
    scores: Sequence[float], sources: Sequence[int], groups: Sequence[Sequence[int]]
) -> MixedFit | None:
    """Fit the model; `groups` holds, by grouping, the level of every score as a number from 0. None
    where it cannot be fitted.

    An intercept that does not vary is left out, as its variance then is 0.
    """
    count = max(sources) + 1
    wanted = [np.asarray(one, dtype=np.int64) for one in groups]
    wanted = [one for one in wanted if 1 < len(np.unique(one)) < len(one)]
    if sum(int(one.max()) + 1 for one in wanted) > MOST_LEVELS or len(scores) <= count + 1:
        return None
    x = np.eye(count)[np.asarray(sources)]
    y = np.asarray(scores, dtype=np.float64)
    if np.linalg.matrix_rank(x) < count or float(np.ptp(y)) == 0:
        return None
    parts = _parts(y, x, wanted)
    theta = _best(parts)
    kept = [n for n, one in enumerate(theta) if one > NOTHING]
    if len(kept) < len(theta):
        parts = _parts(y, x, [wanted[n] for n in kept])
        theta = theta[kept]
        theta = _best(parts) if kept else theta
    solved = _solve(parts, theta)
    if solved is None or solved.squares <= 1e-12 * max(float(parts.products[-1, -1]), 1.0):
        return None
    variance = solved.squares / (parts.n - parts.p)
    spread = np.zeros(len(wanted))
    spread[kept] = theta * variance**0.5
    phi = np.array([*(theta**2 * variance), variance])
    return MixedFit(
        parts.n,
        variance**0.5,
        tuple(float(one) for one in spread),
        {
            (a, b): _difference(parts, solved.beta, phi, a, b)
            for a in range(count)
            for b in range(count)
            if a != b
        },
    )


def _parts(y: Floats, x: Floats, groups: Sequence[Ints]) -> _Parts:
    sizes = tuple(int(one.max()) + 1 for one in groups)
    ends = np.cumsum((0, *sizes))
    q = int(ends[-1])
    p = x.shape[1]
    fixed = np.column_stack([x, y])
    products = np.zeros((q + p + 1, q + p + 1))
    products[q:, q:] = fixed.T @ fixed
    levels = [one + start for one, start in zip(groups, ends[:-1], strict=True)]
    for one in levels:
        for other in levels:
            np.add.at(products, (one, other), 1.0)
        for n, column in enumerate(fixed.T):
            np.add.at(products[:, q + n], one, column)
    products[q:, :q] = products[:q, q:].T
    return _Parts(len(y), p, sizes, products)


def _solve(parts: _Parts, theta: Floats) -> _Solved | None:
    """Solve for the fixed part: one Cholesky factor holds all there is to know."""
    q = sum(parts.groups)
    p = parts.p
    scale = np.concatenate([np.repeat(theta, parts.groups), np.ones(p + 1)])
    penalty = np.diag(np.repeat((1.0, 0.0), (q, p + 1)))
    try:
        lower = np.linalg.cholesky(scale[:, None] * parts.products * scale + penalty)
    except np.linalg.LinAlgError:
        return None
    root = lower[q : q + p, q : q + p].T
    right = lower[q + p, q : q + p]
    levels = 2 * float(np.log(np.diag(lower)[:q]).sum())
    return _Solved(np.linalg.solve(root, right), root, float(lower[-1, -1]) ** 2, levels)


def _profiled(theta: Floats, parts: _Parts) -> float:
    """Return the restricted deviance at its best residual variance, but for a constant."""
    solved = _solve(parts, np.abs(theta))
    free = parts.n - parts.p
    if solved is None or solved.squares <= 0:
        return float("inf")
    return (
        solved.log_levels
        + 2 * float(np.log(np.diag(solved.root)).sum())
        + free * float(np.log(solved.squares))
    )


def _best(parts: _Parts) -> Floats:
    """Return the standard deviations of the intercepts, relative to the residuals', at which the
    deviance is least.
    """
    k = len(parts.groups)
    if not k:
        return np.zeros(0)
    tries = [
        optimize.minimize(
            _profiled,
            np.full(k, start),
            args=(parts,),
            method="Nelder-Mead",
            options={"xatol": 1e-7, "fatol": 1e-9, "maxiter": 2_000},
        )
        for start in (0.2, 1.0)
    ]
    found: Floats = np.abs(min(tries, key=lambda one: float(one.fun)).x)
    return found


def _deviance(phi: Floats, parts: _Parts) -> float:
    """Return the restricted deviance at these variances: of each grouping's intercepts, and of the
    residuals last.
    """
    solved = _solve(parts, np.sqrt(np.maximum(phi[:-1], 0) / phi[-1]))
    assert solved is not None
    logs = solved.log_levels + 2 * float(np.log(np.diag(solved.root)).sum())
    return logs + (parts.n - parts.p) * float(np.log(phi[-1])) + solved.squares / float(phi[-1])


def _variance(phi: Floats, parts: _Parts, which: Floats) -> float:
    """Return the variance of a mix of the fixed part at these variances."""
    solved = _solve(parts, np.sqrt(np.maximum(phi[:-1], 0) / phi[-1]))
    assert solved is not None
    seen = np.linalg.solve(solved.root.T, which)
    return float(phi[-1]) * float(seen @ seen)


def _difference(parts: _Parts, beta: Floats, phi: Floats, a: int, b: int) -> TestedDifference:
    which = np.zeros(parts.p)
    which[a], which[b] = 1.0, -1.0
    variance = _variance(phi, parts, which)
    df = _degrees(parts, phi, which, variance)
    return tested(float(which @ beta), variance**0.5, df)


def _degrees(parts: _Parts, phi: Floats, which: Floats, variance: float) -> float:
    """Return Satterthwaite's degrees of freedom: 2 v^2 / var(v), by the delta method."""
    steps = 1e-3 * phi
    moves = np.diag(steps)

    def slope_along(n: int) -> float:
        ahead, back = (_variance(phi + sign * moves[n], parts, which) for sign in (1, -1))
        return (ahead - back) / (2 * float(steps[n]))

    def bend_along(n: int, m: int) -> float:
        corners = sum(
            one * two * _deviance(phi + one * moves[n] + two * moves[m], parts)
            for one in (1, -1)
            for two in (1, -1)
        )
        return corners / (4 * float(steps[n] * steps[m]))

    every = range(len(phi))
    slope = np.array([slope_along(n) for n in every])
    bend = np.array([[bend_along(n, m) for m in every] for n in every])
    try:
        doubt = float(slope @ np.linalg.solve(bend / 2, slope))
    except np.linalg.LinAlgError:
        doubt = 0.0
    most = float(parts.n - parts.p)
    return min(most, max(1.0, 2 * variance**2 / doubt)) if doubt > 0 else most
