"""Krippendorff's alpha against his worked example, its definition, and planted agreement."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.alpha import Level, alpha, alphas, tally
from core.statistics.matrix import Matrix

_ = np.nan
LEVELS: tuple[Level, ...] = get_args(Level)
KRIPPENDORFF = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
        [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
    ]
).T
"""Krippendorff (2011), part C: 12 units by 4 observers, the last unit with a single score."""


def table(values: np.ndarray) -> Matrix:
    return Matrix(
        tuple(f"idea {n:03}" for n in range(values.shape[0])),
        tuple(f"e{n}" for n in range(values.shape[1])),
        values.astype(float),
    )


@pytest.mark.parametrize(
    ("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_the_worked_example_comes_out_as_published(level, published):
    found = alpha(table(KRIPPENDORFF), "example", level)
    assert round(found.value, 3) == published
    assert (found.n, found.raters) == (11, 4)
    assert "1 idea with a single score left out" in found.how
    assert found.low < found.value < found.high


def by_definition(values: np.ndarray, level: str) -> float:
    """Alpha as Krippendorff writes it: coincidences of pairs, and a distance for each two
    values.
    """
    scores = sorted({one for one in values.ravel() if np.isfinite(one)})
    coincidences = np.zeros((len(scores), len(scores)))
    for unit in values:
        known = [scores.index(one) for one in unit if np.isfinite(one)]
        for a, one in enumerate(known):
            for b, other in enumerate(known):
                if a != b:
                    coincidences[one, other] += 1 / (len(known) - 1)
    n = coincidences.sum(axis=0)

    def distance(c: int, k: int) -> float:
        if level == "nominal":
            return float(c != k)
        if level == "interval":
            return (scores[c] - scores[k]) ** 2
        low, high = sorted((c, k))
        return (n[low : high + 1].sum() - (n[c] + n[k]) / 2) ** 2

    squares = np.array([[distance(c, k) for k in range(len(scores))] for c in range(len(scores))])
    return 1 - (n.sum() - 1) * (coincidences * squares).sum() / (np.outer(n, n) * squares).sum()


@given(st.integers(0, 10_000), st.integers(2, 5), st.sampled_from(LEVELS))
def test_the_fast_form_is_the_definition(seed, raters, level):
    rng = np.random.default_rng(seed)
    values = np.where(rng.random((14, raters)) < 0.2, np.nan, rng.integers(1, 7, (14, raters)))
    values[:10, :2] = rng.integers(1, 7, (10, 2))
    values = values[np.isfinite(values).sum(axis=1) >= 2]
    assert alphas(*tally(table(values)), np.ones((1, len(values))), level)[0] == pytest.approx(
        by_definition(values, level)
    )


@pytest.mark.parametrize("level", LEVELS)
def test_a_resample_is_the_table_with_items_repeated(level):
    rng = np.random.default_rng(1)
    values = rng.integers(1, 6, (12, 3)).astype(float)
    drawn = rng.multinomial(12, np.full(12, 1 / 12), size=4).astype(float)
    found = alphas(*tally(table(values)), drawn, level)
    assert found == pytest.approx(
        [by_definition(np.repeat(values, row.astype(int), axis=0), level) for row in drawn]
    )


def test_chance_alone_gives_0_and_says_so():
    found = alpha(table(np.random.default_rng(4).integers(1, 11, (60, 4))), "x", "ordinal")
    assert found.low < 0 < found.high
    assert "chance is not ruled out" in found.reading


def test_full_agreement_is_1_without_an_interval():
    found = alpha(table(np.tile(np.arange(12.0)[:, None], 3)), "x", "interval")
    assert found.value == pytest.approx(1)
    assert found.low is None
    assert "no interval" in found.how


def test_too_little_is_refused_with_the_reason():
    assert (
        alpha(table(KRIPPENDORFF[:9]), "x", "ordinal").refused
        == "Only 9 of 9 ideas got two scores or more: alpha needs 10."
    )
    assert (
        "2 experts or more; there is 1" in alpha(table(KRIPPENDORFF[:, :1]), "x", "ordinal").refused
    )
    assert "All scores are equal" in alpha(table(np.full((12, 3), 4)), "x", "interval").refused


def test_the_interval_is_the_same_each_time_and_covers_planted_agreement():
    """Scores of variance 1 + 1: alpha (interval) is half, in 200 sets of 30 ideas by 4 (plain
    percentiles cover 175).
    """
    rng, hits = np.random.default_rng(7), 0
    for _ in range(200):
        found = alpha(
            table(np.round(4 * (rng.normal(size=(30, 1)) + rng.normal(size=(30, 4))))),
            "x",
            "interval",
        )
        hits += found.low <= 0.5 <= found.high
    assert hits >= 180, hits
    same = table(KRIPPENDORFF)
    assert alpha(same, "x", "ordinal") == alpha(same, "x", "ordinal")
    assert alpha(same, "x", "ordinal", seed=1).low != alpha(same, "x", "ordinal").low


def test_of_too_many_different_scores_no_interval_is_made():
    scores = np.random.default_rng(1).random((5_000, 2))
    found = alpha(table(scores), "reviews", "ordinal")
    assert found.value is None
    assert "10,000 different scores on 5,000 ideas" in found.refused
    rounded = alpha(table(scores.round(2)), "reviews", "ordinal")
    assert rounded.low is not None
    assert "bias-corrected bootstrap over 5000 ideas" in rounded.how
