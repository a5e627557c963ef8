"""Logistic regression with a small penalty, and intervals that are wide enough for the penalty and
for answers that hang together.
"""

from typing import NamedTuple

import numpy as np

from core.errors import BadInput
from core.judging.ratings import CLOSE, PENALTY
from core.statistics.intervals import Floats, Ints, Z, t_width


class LogisticFit(NamedTuple):
    """Coefficients and two covariances of theirs, (coefficients, coefficients)."""

    values: Floats
    by_information: Floats
    """The inverse of the penalised information: what the answers tell if each is independent, and
    what the penalty takes for known is not left out.
    """
    by_cluster: Floats
    """What the answers tell if only those of different clusters are independent."""
    clusters: int

    def estimate(self, contrasts: Floats) -> tuple[Floats, Floats]:
        """Return the value of contrasts (k, coefficients), and how far their 95 % intervals reach
        to either side: the wider of the two covariances'.
        """

        def variances(covariance: Floats) -> Floats:
            found: Floats = np.einsum("ki,ij,kj->k", contrasts, covariance, contrasts)
            return found

        plain = Z * np.sqrt(variances(self.by_information))
        # Clusters that cancel out leave 0, which rounding may push below.
        errors = np.sqrt(np.maximum(variances(self.by_cluster), 0))
        reach: Floats = np.maximum(plain, t_width(self.clusters - 1) * errors)
        return contrasts @ self.values, reach


def fitted(design: Floats, won: Floats, cluster: Ints) -> LogisticFit:
    """Maximise the log-likelihood - 0.05 * sum of squared coefficients of a design (answers,
    coefficients) and outcomes from 0 to 1, two or more clusters.

    The penalty keeps coefficients finite where an idea is never beaten. It shrinks them, so the
    inverse information holds it: as a normal prior of standard deviation 3.2 log-odds would, far
    wider than strengths are, which makes intervals a little too wide rather than too narrow. Source
    of the clustered covariance: R. M. Bell and D. F. McCaffrey, Bias reduction in standard errors
    for linear regression with multi-stage samples (2002), their jackknife one (CR3), since that of
    K.-Y. Liang and S. L. Zeger (1986) is too small with few clusters.
    """
    values = np.zeros(design.shape[1])
    for _ in range(100):
        slope, bend = _slope_and_bend(design, won, values)
        step = np.linalg.solve(bend, slope)
        lowest = _height(design, won, values) - 1e-12 * len(won)
        while _height(design, won, values + step) < lowest and np.abs(step).max() > CLOSE:
            step = step / 2
        values = values + step
        if np.abs(step).max() < CLOSE:
            return _with_covariances(design, won, values, cluster)
    raise BadInput(
        "The regression on these answers does not settle. Check that they are the answers that were"
        " given."
    )


def _chances(design: Floats, values: Floats) -> Floats:
    found: Floats = np.exp(-np.logaddexp(0, -(design @ values)))
    return found


def _height(design: Floats, won: Floats, values: Floats) -> float:
    odds = design @ values
    return float((won * odds - np.logaddexp(0, odds)).sum() - PENALTY * values @ values)


def _slope_and_bend(design: Floats, won: Floats, values: Floats) -> tuple[Floats, Floats]:
    chance = _chances(design, values)
    slope = design.T @ (won - chance) - 2 * PENALTY * values
    weights = chance * (1 - chance)
    information = (design * weights[:, None]).T @ design
    return slope, information + 2 * PENALTY * np.eye(len(values))


def _with_covariances(design: Floats, won: Floats, values: Floats, cluster: Ints) -> LogisticFit:
    _, information = _slope_and_bend(design, won, values)
    inverse = np.linalg.inv(information).astype(np.float64)
    chance = _chances(design, values)
    residuals = won - chance
    weights = chance * (1 - chance)
    names = np.unique(cluster)
    scores = []
    for name in names:
        mine = cluster == name
        x = design[mine]
        # A cluster's slope, with its residuals as if its answers had no part in the fit.
        leverage = weights[mine, None] * (x @ inverse @ x.T)
        without = np.linalg.solve(np.eye(len(x)) - leverage, residuals[mine])
        scores.append(x.T @ without)
    n = len(names)
    by_score = np.array(scores)
    between = by_score.T @ by_score * ((n - 1) / n)
    return LogisticFit(values, inverse, inverse @ between @ inverse, n)
