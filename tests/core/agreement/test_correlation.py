"""Correlations and errors of two raters against scipy's own figures and published formulas."""

import math

import numpy as np
import pytest
from scipy import stats

from core.statistics.correlation import kendall, mean_absolute_error, midranks, pearson, spearman
from core.statistics.statistic import p_said

RNG = np.random.default_rng(11)
X = RNG.integers(1, 11, 24).astype(float)
Y = np.clip(np.round(0.6 * X + RNG.normal(0, 2, 24)), 1, 10)


def test_pearson_is_scipys_with_fishers_interval():
    found, known = pearson(X, Y, "x"), stats.pearsonr(X, Y)
    assert (found.value, found.p) == pytest.approx((known.statistic, known.pvalue))
    assert (found.low, found.high) == pytest.approx(tuple(known.confidence_interval(0.95)))


def test_spearman_is_scipys_with_bonett_and_wrights_interval():
    found, known = spearman(X, Y, "x"), stats.spearmanr(X, Y)
    assert (found.value, found.p) == pytest.approx((known.statistic, known.pvalue))
    half = 1.959963984540054 * math.sqrt((1 + known.statistic**2 / 2) / 21)
    assert (found.low, found.high) == pytest.approx(
        tuple(math.tanh(math.atanh(known.statistic) + end) for end in (-half, half))
    )
    np.testing.assert_array_equal(midranks(X), stats.rankdata(X))


def test_spearmans_interval_covers_the_planted_rho():
    rng, rho, hits = np.random.default_rng(5), 0.7, 0
    truth = 6 / math.pi * math.asin(rho / 2)
    for _ in range(300):
        one = rng.normal(size=30)
        found = spearman(one, rho * one + math.sqrt(1 - rho**2) * rng.normal(size=30), "x")
        hits += found.low <= truth <= found.high
    assert hits >= 276, hits


def test_kendall_is_scipys():
    found, known = kendall(X, Y, "x"), stats.kendalltau(X, Y)
    assert (found.value, found.p) == pytest.approx((known.statistic, known.pvalue))
    half = 1.959963984540054 * math.sqrt(0.437 / 20)
    assert found.high == pytest.approx(math.tanh(math.atanh(known.statistic) + half))


def test_mean_absolute_error_has_students_interval():
    found, errors = mean_absolute_error(X, Y, "x", "llm and the mean of 6 experts"), np.abs(X - Y)
    assert found.value == pytest.approx(errors.mean())
    assert (found.low, found.high) == pytest.approx(
        stats.t.interval(0.95, 23, errors.mean(), errors.std(ddof=1) / 24**0.5)
    )
    assert found.reading.startswith("llm and the mean of 6 experts differ by ")


@pytest.mark.parametrize("measure", [pearson, spearman, kendall, mean_absolute_error])
def test_only_items_of_both_count_and_few_are_refused(measure):
    one, other = X.copy(), Y.copy()
    one[:3], other[2:5] = np.nan, np.nan
    assert measure(one, other, "x").value == measure(X[5:], Y[5:], "x").value
    assert measure(one, other, "x").n == 19
    one[10:] = np.nan
    assert measure(one, other, "x").refused == "Only 5 ideas have a score of both: 10 are needed."


@pytest.mark.parametrize("measure", [pearson, spearman, kendall])
def test_a_side_that_does_not_vary_is_refused_and_a_line_has_no_interval(measure):
    assert "the same score" in measure(np.full(24, 5.0), Y, "x").refused
    straight = measure(np.arange(12.0), np.arange(12.0) * 2 + 1, "x")
    assert straight.value == pytest.approx(1)
    assert (straight.low, straight.high) == (None, None)
    assert straight.p < 1e-6
    assert measure(np.arange(12.0), -np.arange(12.0), "x").value == pytest.approx(-1)


def test_what_is_not_significant_is_said_to_be_so():
    noise = np.random.default_rng(2).normal(size=(2, 30))
    found = pearson(*noise, "x")
    assert not found.significant
    assert "not significant at 0.05" in found.reading
    assert "chance alone could give it" in found.reading
    assert pearson(X, Y, "x").significant
    assert "not significant" not in pearson(X, Y, "x").reading


def test_p_values_are_printed_as_papers_do():
    assert [p_said(one) for one in (3e-6, 0.0054, 0.0518, 0.42)] == [
        "p < 0.0001",
        "p = 0.0054",
        "p = 0.0518",
        "p = 0.42",
    ]
