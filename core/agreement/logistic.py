"""Logistic regression with a small penalty, and intervals that are wide enough for the penalty and
for answers that hang together.
"""

from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from core.errors import BadInput
from core.judging.ratings import CLOSE, PENALTY
from core.statistics.intervals import LEVEL, Floats, Ints, t_width


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
        plain, clustered = (
            np.einsum("ki,ij,kj->k", contrasts, one, contrasts)
            for one in (self.by_information, self.by_cluster)
        )
        found: Floats = np.maximum(
            NormalDist().inv_cdf((1 + LEVEL) / 2) * np.sqrt(plain),
            # Clusters that cancel out leave 0, which rounding may push below.
            t_width(self.clusters - 1) * np.sqrt(np.maximum(clustered, 0)),
        )
        return contrasts @ self.values, found


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
        while (
            _height(design, won, values + step) < _height(design, won, values) - 1e-12 * len(won)
            and np.abs(step).max() > CLOSE
        ):
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
    return slope, (design * (chance * (1 - chance))[:, None]).T @ design + 2 * PENALTY * np.eye(
        len(values)
    )


def _with_covariances(design: Floats, won: Floats, values: Floats, cluster: Ints) -> LogisticFit:
    inverse = np.linalg.inv(_slope_and_bend(design, won, values)[1]).astype(np.float64)
    chance = _chances(design, values)
    left = won - chance
    weights = chance * (1 - chance)
    names = np.unique(cluster)
    scores = np.array(
        [
            _score(design[mine], left[mine], weights[mine], inverse)
            for mine in (cluster == name for name in names)
        ]
    )
    between = scores.T @ scores * ((len(names) - 1) / len(names))
    return LogisticFit(values, inverse, inverse @ between @ inverse, len(names))


def _score(design: Floats, left: Floats, weights: Floats, inverse: Floats) -> Floats:
    """Return a cluster's slope, with what is left of its answers as if they had no part in the
    fit.
    """
    pull = weights[:, None] * (design @ inverse @ design.T)
    found: Floats = design.T @ np.linalg.solve(np.eye(len(left)) - pull, left)
    return found
