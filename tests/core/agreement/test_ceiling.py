"""The human ceiling, its interval, and how raters go about it."""

import math

import numpy as np
import pytest
from scipy import stats

from core.agreement import ceiling
from core.agreement.conduct import conduct, self_agreement
from core.statistics.bootstrap import over_items
from core.statistics.matrix import Matrix, matrix


def table(values: np.ndarray) -> Matrix:
    return Matrix(
        tuple(f"idea {n:03}" for n in range(values.shape[0])),
        tuple(f"e{n}" for n in range(values.shape[1])),
        values.astype(float),
    )


def test_the_rest_is_everybody_else_who_scored():
    values = np.array([[1, 2, 6], [4, np.nan, 8], [5, np.nan, np.nan]])
    np.testing.assert_array_equal(ceiling.rests(values), [[4, 3.5, 1.5], [8, 6, 4], [np.nan, 5, 5]])


def test_resamples_are_the_measure_of_the_drawn_items():
    rng = np.random.default_rng(3)
    x, y = rng.integers(1, 6, 14).astype(float), rng.integers(1, 6, 14).astype(float)
    x[2] = np.nan
    drawn = rng.multinomial(14, np.full(14, 1 / 14), size=5).astype(float)
    kinds = (ceiling._PEARSON, ceiling._SPEARMAN, ceiling._ERROR)
    found = [ceiling._resample(kind, x, y, drawn) for kind in kinds]
    for row, *ours in zip(drawn, *found, strict=True):
        at = np.repeat(np.arange(14), row.astype(int))
        at = at[at != 2]
        assert ours == pytest.approx(
            [
                stats.pearsonr(x[at], y[at])[0],
                stats.spearmanr(x[at], y[at])[0],
                np.abs(x[at] - y[at]).mean(),
            ]
        )


def test_the_ceilings_interval_covers_what_the_plan_gives():
    """Quality 1 and noise 1.2 of 5 experts: r of one with the mean of 4 is 1 / sqrt((1 + 1.44) (1 +
    1.44 / 4)).
    """
    rng, truth, hits = np.random.default_rng(8), 1 / math.sqrt(2.44 * 1.36), 0
    for _ in range(100):
        found = ceiling.ceilings(
            table(rng.normal(size=(25, 1)) + 1.2 * rng.normal(size=(25, 5))), "x", resamples=300
        ).pearson.mean
        hits += found.low <= truth <= found.high
    assert hits >= 90, hits


def test_an_expert_without_a_figure_is_left_out_by_name_and_number():
    values = np.random.default_rng(1).integers(1, 10, (20, 4)).astype(float)
    values[:, 3] = 5
    found = ceiling.ceilings(table(values), "x").spearman
    assert "the same score" in found.each["e3"].refused
    assert found.mean.raters == 3
    assert "1 of the 4 experts left out" in found.mean.how
    assert found.mean.value == pytest.approx(
        np.mean([one.value for one in found.each.values() if one.value is not None])
    )


def test_a_lone_expert_has_no_ceiling():
    assert (
        "2 or more are needed; there is 1"
        in ceiling.ceilings(table(np.arange(20.0)[:, None]), "x").pearson.mean.refused
    )
    assert (
        "Only 9 ideas"
        in ceiling.ceilings(table(np.random.default_rng(0).random((9, 3))), "x").error.mean.refused
    )


def test_an_interval_needs_a_measure_that_varies_and_is_defined():
    assert over_items(lambda drawn: np.ones(len(drawn)), 20) is None
    assert over_items(lambda drawn: drawn[:, 0], 1) is None
    some = np.arange(20.0)
    assert over_items(lambda drawn: np.where(drawn[:, 0] > 0, drawn @ some, np.nan), 20) is None
    low, high = over_items(lambda drawn: drawn @ some / drawn.sum(axis=1), 20)
    half = stats.t.ppf(0.975, 19) * some.std(ddof=1) / 20**0.5
    assert (low, high) == pytest.approx((9.5 - half, 9.5 + half), abs=0.4)


def test_straight_lining_is_the_same_score_on_every_criterion():
    lines = {
        "one": [(f"{n:02}", "ann", float(n % 5)) for n in range(20)],
        "two": [(f"{n:02}", "ann", float(n % 5 if n < 15 else 9)) for n in range(20)],
    }
    found = conduct({name: matrix(column) for name, column in lines.items()}, "ann")
    assert (found.straight.value, found.straight.n, found.straight.unit) == (0.75, 20, "units")
    assert found.straight.low < 0.75 < found.straight.high
    one, two = ([score for _, _, score in lines[name]] for name in ("one", "two"))
    assert found.spread.value == pytest.approx(
        math.sqrt((np.var(one, ddof=1) + np.var(two, ddof=1)) / 2)
    )
    assert found.spread.low < found.spread.value < found.spread.high


def test_straight_lining_needs_several_criteria_and_units():
    column = matrix([(f"{n:02}", "ann", float(n)) for n in range(20)])
    assert "one criterion only" in conduct({"one": column}, "ann").straight.refused
    few = matrix([(f"{n}", "ann", 3.0) for n in range(9)])
    assert (
        conduct({"one": few, "two": few}, "ann").straight.refused
        == "ann scored 9 units on several criteria: a share needs 10."
    )
    assert "9 units" in conduct({"one": few, "two": few}, "ann").spread.refused
    assert conduct({"one": column, "two": column}, "ben").straight.refused
    flat = matrix([(f"{n:02}", "ann", 7.0) for n in range(20)])
    assert conduct({"one": flat, "two": flat}, "ann").spread.value == 0
    assert conduct({"one": flat, "two": flat}, "ann").spread.low is None


def test_a_unit_scored_on_one_criterion_is_no_straight_line():
    one, two = (
        matrix([(f"{n:02}", "ann", 4.0) for n in range(20)]),
        matrix([(f"{n:02}", "ann", 4.0 + n % 2) for n in range(12)]),
    )
    found = conduct({"one": one, "two": two}, "ann").straight
    assert (found.n, found.value) == (12, 0.5)


def test_repeats_say_how_far_raters_agree_with_themselves():
    pairs = [(float(n % 7), float(n % 7 + (n % 3 == 0))) for n in range(21)]
    found = self_agreement(pairs, "clarity")
    assert found.same.value == pytest.approx(14 / 21)
    assert found.same.reading == "Asked again, experts gave the same score 14 of 21 times."
    assert found.difference.value == pytest.approx(7 / 21)
    assert 0.9 < found.icc.value < 1
    assert (found.icc.name, found.icc.unit) == ("ICC(A,1)", "repeats")
    assert "A first and a second score agree to" in found.icc.reading


def test_few_repeats_are_refused_and_equal_ones_have_no_icc():
    assert (
        self_agreement([(1.0, 1.0)], "x").same.refused
        == "Only 1 score was asked for again: 10 are needed."
    )
    assert all(one.value is None for one in self_agreement([], "x").__dict__.values())
    flat = self_agreement([(4.0, 4.0)] * 12, "x")
    assert flat.same.value == 1
    assert flat.icc.refused
