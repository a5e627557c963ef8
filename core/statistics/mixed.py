"""A linear mixed model with crossed random intercepts: score ~ source + (1 | reviewer) + (1 |
topic) + (1 | idea).

Fitted by restricted maximum likelihood as Bates, Mächler, Bolker and Walker (2015), Fitting linear
mixed-effects models using lme4, section 3, write it: the deviance is profiled over the variances
of the intercepts, relative to that of the residuals. Degrees of freedom are Satterthwaite's, from
numerical derivatives (Kuznetsova, Brockhoff and Christensen, 2017, lmerTest). statsmodels fits the
same model, without degrees of freedom and with all levels in one dense group.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from scipy import linalg, optimize  # type: ignore[import-untyped]

from core.statistics.effects import EffectSize
from core.statistics.intervals import Floats, Ints, t_width
from core.statistics.paired import TestedDifference, tested

MOST_LEVELS = 1_500
"""Reviewers and topics together: the fit takes the cube of their number."""
NOTHING = 1e-6
"""A variance, relative to the residuals', below which an intercept is taken not to vary."""
TOLD_APART = 1e-6
"""The smallest eigenvalue of the terms' correlations at which they can be told apart."""
STARTS = (0.3, 2.0)
"""Variances, relative to the residuals', that the search begins with."""
Levels = Sequence[int]
"""The level of every score in a grouping, as a number from 0."""


class MixedFit(NamedTuple):
    """A fitted model."""

    n: int
    sigma: float
    """Standard deviation of the residuals."""
    spread: tuple[float, ...]
    """Standard deviation of each grouping's intercepts, in their order."""
    means: tuple[float, ...]
    """Of each source."""
    deviance: float
    """The restricted deviance, -2 log-likelihood."""
    differences: dict[tuple[int, int], TestedDifference]
    """By two sources, as numbers: the first less the second."""
    effects: dict[tuple[int, int], EffectSize]
    """The same by the standard deviation of all scores of a source, intercepts and residuals
    together (Westfall, Kenny and Judd, 2014); intervals by the delta method.
    """


class RandomIntercepts(NamedTuple):
    """The random intercepts of a model, and those it cannot have."""

    kept: dict[str, Levels]
    left_out: dict[str, str]
    """Why, by name."""


class _Parts(NamedTuple):
    """What a fit takes of the data."""

    freedom: int
    """Scores less sources."""
    groups: tuple[int, ...]
    """Levels of each grouping."""
    products: Floats
    """Cross products of the levels, the sources and the scores, in this order."""


class _Solved(NamedTuple):
    lower: Floats
    """The Cholesky factor of the information on levels and sources."""
    right: Floats
    """What the factor is solved for."""
    beta: Floats
    root: Floats
    """R with R'R the information on the fixed part, at residuals of variance 1."""
    squares: float
    logs: float
    """The log-determinants of the random part and of the information on the fixed part."""


def told_apart(groups: Mapping[str, Levels], sources: Levels) -> RandomIntercepts:
    """Return the intercepts that the scores can tell from each other, from the sources and from the
    residuals; of two that cannot be told apart the first stays.

    Two variances can be told apart where the scores' covariances under them, sources taken out, are
    not multiples of each other (Rao, 1972, Estimation of variance and covariance components in
    linear models: the information matrix is regular).
    """
    kept: dict[str, Levels] = {}
    left_out: dict[str, str] = {}
    for name, levels in groups.items():
        if reason := _plain_reason(name, levels, sources, kept):
            left_out[name] = reason
        elif _regular([*kept.values(), levels], sources):
            kept[name] = levels
        else:
            others = " and ".join(["source", *kept])
            left_out[name] = f"{name} cannot be told apart from {others}"
    return RandomIntercepts({name: kept[name] for name in groups if name in kept}, left_out)


def _plain_reason(name: str, levels: Levels, sources: Levels, kept: Mapping[str, Levels]) -> str:
    """Return why a term is to be left out, where it can be said plainly."""
    different = len(set(levels))
    if different < 2:
        return f"there is one {name} only"
    if different == len(levels):
        return f"each {name} has one score, so that it cannot be told from the residual"
    pairs = set(zip(sources, levels, strict=True))
    if len(pairs) == len(set(sources)):
        return f"each source has one {name}, so that {name} and source cannot be told apart"
    for other, taken in kept.items():
        both = len(set(zip(levels, taken, strict=True)))
        if both == different == len(set(taken)):
            return f"each {name} has one {other} of its own, so that they cannot be told apart"
    return ""


def _regular(groups: Sequence[Levels], sources: Levels) -> bool:
    """Return whether the information on the variances of these groupings and of the residuals is
    regular; of more levels than a fit has it is not asked.
    """
    if any(max(levels) >= MOST_LEVELS for levels in groups):
        return True
    x = _table(sources, sources)
    within = 1 / np.diag(x)
    every = len(groups)
    information = np.zeros((every + 1, every + 1))
    information[every, every] = len(sources) - len(x)
    for k, one in enumerate(groups):
        of_sources = _table(one, sources)
        for m, other in enumerate(groups[: k + 1]):
            left = _table(one, other) - (of_sources * within) @ _table(other, sources).T
            information[k, m] = information[m, k] = float((left**2).sum())
            if m == k:
                information[every, k] = information[k, every] = float(np.trace(left))
    size = np.sqrt(np.diag(information))
    if not size.all():
        return False
    return float(np.linalg.eigvalsh(information / np.outer(size, size))[0]) > TOLD_APART


def _table(one: Levels, other: Levels) -> Floats:
    """Return how many scores are at each level of one grouping and of another."""
    counts = np.zeros((max(one) + 1, max(other) + 1))
    np.add.at(counts, (np.asarray(one), np.asarray(other)), 1.0)
    return counts


def fitted(
    scores: Sequence[float], sources: Levels, groups: Sequence[Levels], intervals: bool = True
) -> MixedFit | None:
    """Fit the model; `groups` are groupings that can be told apart. None where it cannot be fitted.

    An intercept that does not vary is left out, as its variance then is 0. Without `intervals`
    differences and effects are not computed.
    """
    count = max(sources) + 1
    groupings = [np.asarray(levels, dtype=np.int64) for levels in groups]
    levels_in_all = sum(int(levels.max()) + 1 for levels in groupings)
    if levels_in_all > MOST_LEVELS or len(scores) <= count + 1:
        return None
    x = np.eye(count)[np.asarray(sources)]
    y = np.asarray(scores, dtype=np.float64)
    if np.linalg.matrix_rank(x) < count or float(np.ptp(y)) == 0:
        return None
    middle = float(y.mean())
    parts = _parts(y - middle, x, groupings)
    relative = _best(parts)
    varying = np.flatnonzero(relative > NOTHING)
    if len(varying) < len(relative):
        parts = _parts(y - middle, x, [groupings[n] for n in varying])
        relative = _best(parts)
    solved = _solve(parts, relative**0.5)
    total = float(parts.products[-1, -1])
    if solved is None or solved.squares <= 1e-12 * max(total, 1.0):
        return None
    variance = solved.squares / parts.freedom
    spread = np.zeros(len(groupings))
    spread[varying] = (relative * variance) ** 0.5
    phi = np.array([*(relative * variance), variance])
    constant = parts.freedom * float(np.log(2 * np.pi))
    fit = MixedFit(
        n=len(scores),
        sigma=variance**0.5,
        spread=tuple(spread.tolist()),
        means=tuple((solved.beta + middle).tolist()),
        deviance=_deviance(phi, parts) + constant,
        differences={},
        effects={},
    )
    if intervals:
        doubt = _doubt(parts, phi)
        for a, b in combinations(range(count), 2):
            difference = _difference(parts, solved.beta, phi, doubt, a, b)
            fit.differences[a, b] = difference
            fit.effects[a, b] = _effect(difference, phi, doubt)
    return fit


def error_at(
    sources: Levels, groups: Sequence[Levels], variances: Sequence[float]
) -> tuple[float, float]:
    """Return the standard error of the difference of the first two sources at known variances (of
    each grouping's intercepts, and of the residuals last), and its degrees of freedom.
    """
    x = np.eye(max(sources) + 1)[np.asarray(sources)]
    phi = np.maximum(np.asarray(variances, dtype=np.float64), 1e-9)
    groupings = [np.asarray(levels, dtype=np.int64) for levels in groups]
    parts = _parts(np.zeros(len(x)), x, groupings)
    parts.products[-1, -1] = 1.0
    which = np.zeros(x.shape[1])
    which[:2] = 1.0, -1.0
    variance = _variance(phi, parts, which)
    return variance**0.5, _degrees(
        parts, phi, _expected_doubt(sources, groupings, phi), which, variance
    )


def _expected_doubt(sources: Levels, groups: Sequence[Ints], phi: Floats) -> Floats | None:
    """Return the covariance that variances are estimated with: twice the inverse of the information
    on them (Searle, Casella and McCulloch, 1992, Variance components, section 6.6).
    """
    n = len(sources)
    same = [np.equal.outer(levels, levels).astype(np.float64) for levels in groups]
    same.append(np.eye(n))
    whole = sum(v * one for v, one in zip(phi, same, strict=True))
    x = np.eye(max(sources) + 1)[np.asarray(sources)]
    inverse = np.linalg.inv(whole)
    seen = inverse @ x
    left = inverse - seen @ np.linalg.solve(x.T @ seen, seen.T)
    moved = [left @ one for one in same]
    information = np.array([[float((a * b.T).sum()) for b in moved] for a in moved])
    try:
        doubt: Floats = 2 * np.linalg.inv(information)
    except np.linalg.LinAlgError:
        return None
    return doubt


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
    return _Solved(
        lower[:-1, :-1],
        lower[-1, :-1],
        beta,
        root,
        float(lower[-1, -1]) ** 2,
        log_levels + log_fixed,
    )


def _profiled(relative: Floats, parts: _Parts) -> tuple[float, Floats]:
    """Return the restricted deviance at its best residual variance, but for a constant, and its
    slope along each relative variance.

    With B the information on levels and sources, and b its solution, the slope along v is (the sum
    over levels of 1 - inverse(B)_ii, less freedom times that of b_i^2 by the squares) by v.
    """
    at = np.maximum(relative, 1e-8)
    q = sum(parts.groups)
    solved = _solve(parts, at**0.5)
    if solved is None or solved.squares <= 0:
        return 1e300, np.zeros(len(at))
    inverse = linalg.solve_triangular(
        solved.lower, np.eye(len(solved.lower)), lower=True, check_finite=False
    )
    solution = inverse.T @ solved.right
    gone = 1 - (inverse[:, :q] ** 2).sum(axis=0)
    slopes = gone - parts.freedom * solution[:q] ** 2 / solved.squares
    starts = np.cumsum([0, *parts.groups[:-1]])
    value = solved.logs + parts.freedom * float(np.log(solved.squares))
    slope: Floats = np.add.reduceat(slopes, starts) / at
    return value, slope


def _best(parts: _Parts) -> Floats:
    """Return the variances of the intercepts, relative to the residuals', at which the deviance is
    least.
    """
    k = len(parts.groups)
    if not k:
        return np.zeros(0)
    options = {"ftol": 1e-13, "gtol": 1e-7, "maxiter": 500}
    minima = []
    for start in STARTS:
        found = optimize.minimize(
            _profiled,
            np.full(k, start),
            args=(parts,),
            jac=True,
            method="L-BFGS-B",
            bounds=[(0.0, 1e8)] * k,
            options=options,
        )
        minima.append(found)
    best = min(minima, key=lambda minimum: float(minimum.fun))
    relative: Floats = best.x
    return relative


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


def _difference(
    parts: _Parts, beta: Floats, phi: Floats, doubt: Floats | None, a: int, b: int
) -> TestedDifference:
    which = np.zeros(len(beta))
    which[a] = 1.0
    which[b] = -1.0
    variance = _variance(phi, parts, which)
    df = _degrees(parts, phi, doubt, which, variance)
    return tested(float(which @ beta), variance**0.5, df)


def _effect(difference: TestedDifference, phi: Floats, doubt: Floats | None) -> EffectSize:
    total = float(phi.sum())
    value = difference.value / total**0.5
    of_total = 0.0 if doubt is None else max(float(doubt.sum()), 0.0)
    variance = difference.error**2 / total + value**2 * of_total / (4 * total**2)
    half = t_width(difference.df) * variance**0.5
    return EffectSize("d", value, value - half, value + half)


def _doubt(parts: _Parts, phi: Floats) -> Floats | None:
    """Return the covariance of the estimated variances, from the bend of the deviance; None where
    it has none.
    """
    steps = 1e-3 * phi
    moves = np.diag(steps)

    def bend_along(n: int, m: int) -> float:
        corners = 0.0
        for one, two in product((1, -1), repeat=2):
            corner = _deviance(phi + one * moves[n] + two * moves[m], parts)
            corners += one * two * corner
        return corners / (4 * float(steps[n] * steps[m]))

    every = range(len(phi))
    bend = np.zeros((len(phi), len(phi)))
    for n in every:
        for m in range(n + 1):
            bend[n, m] = bend[m, n] = bend_along(n, m)
    try:
        inverse = np.linalg.inv(bend)
    except np.linalg.LinAlgError:
        return None
    doubt: Floats = np.multiply(2.0, inverse)
    return doubt if (np.diag(inverse) > 0).all() else None


def _degrees(
    parts: _Parts, phi: Floats, doubt: Floats | None, which: Floats, variance: float
) -> float:
    """Return Satterthwaite's degrees of freedom: 2 v^2 / var(v), by the delta method."""
    most = float(parts.freedom)
    if doubt is None:
        return most
    steps = 1e-3 * phi
    slope = np.zeros(len(phi))
    for n, move in enumerate(np.diag(steps)):
        ahead = _variance(phi + move, parts, which)
        back = _variance(phi - move, parts, which)
        slope[n] = (ahead - back) / (2 * float(steps[n]))
    of_variance = float(slope @ doubt @ slope)
    if of_variance > 0:
        return min(most, max(1.0, 2 * variance**2 / of_variance))
    return most
