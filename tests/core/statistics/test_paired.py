"""Paired comparisons: scipy's numbers, effect sizes by their definitions, refusals in sentences,
and improvement that is no ratio.
"""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.statistics.corrections import holm
from core.statistics.paired import (
    REPORTED,
    clustered_ci,
    compare,
    comparisons,
    improvement,
    mean_ci,
)
from tests import ROOT

PUBLISHED = ROOT / "assets" / "experiments" / "infal_tables.json"


def two(a, b):
    return {
        "a": {f"t{n}": one for n, one in enumerate(a)},
        "b": {f"t{n}": one for n, one in enumerate(b)},
    }


def drawn(seed, n, shift=0.1, steps=None):
    dice = np.random.default_rng(seed)
    a, b = dice.random(n) + shift, dice.random(n)
    return (a, b) if steps is None else (np.round(a * steps) / steps, np.round(b * steps) / steps)


@pytest.mark.parametrize(
    ("seed", "n", "steps"),
    [
        (1, 12, None),
        (2, 50, None),
        (3, 80, None),
        (4, 10, 3),
        (5, 40, 3),
        (7, 2, None),
        (8, 300, 3),
        (9, 13, 4),
        (10, 12, 2),
        (11, 14, 3),
    ],
)
def test_both_tests_are_scipys(seed, n, steps):
    a, b = drawn(seed, n, steps=steps)
    found = compare("a", "b", two(a, b))
    t, w = stats.ttest_rel(a, b), stats.wilcoxon(np.round(a - b, 12))
    assert (found.t.statistic, found.t.p) == (
        pytest.approx(t.statistic, rel=1e-9),
        pytest.approx(t.pvalue, rel=1e-9),
    )
    assert (found.wilcoxon.statistic, found.wilcoxon.p) == (
        pytest.approx(w.statistic, rel=1e-9),
        pytest.approx(w.pvalue, rel=1e-9),
    )
    low, high = t.confidence_interval(0.95)
    assert found.difference[:4] == (
        pytest.approx(np.mean(a - b)),
        pytest.approx(low),
        pytest.approx(high),
        n,
    )
    assert (found.n, found.p, REPORTED) == (n, found.t.p, "paired t-test")
    zeros = int((np.round(a - b, 12) == 0).sum())
    assert (f"{zeros} of {n} pairs do not differ" in found.wilcoxon.note) == (zeros > 0)


def test_how_the_wilcoxon_p_value_was_made_is_said():
    said = [
        compare("a", "b", two(*drawn(seed, n, steps=steps))).wilcoxon.note
        for seed, n, steps in ((1, 12, None), (4, 10, 3), (5, 40, 3), (3, 80, None))
    ]
    assert said[0] == "exact p-value"
    assert said[1].startswith("exact p-value over all signs; ")
    assert said[2].startswith("p-value by normal approximation; ")
    assert said[2].endswith("; equal differences share a rank")
    assert said[3] == "p-value by normal approximation"


LEVELS = st.tuples(st.integers(0, 3), st.integers(0, 3))


@given(st.lists(LEVELS, min_size=2, max_size=9).filter(lambda pairs: any(a != b for a, b in pairs)))
def test_exact_p_values_of_tied_pairs_are_those_of_going_through_all_signs(pairs):
    differences = np.array([a - b for a, b in pairs], dtype=float)
    kept = differences[differences != 0]
    ranks = stats.rankdata(np.abs(kept))
    sums = np.array(
        [
            sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign)
            for signs in itertools.product((0, 1), repeat=len(kept))
        ]
    )
    seen = min(ranks[kept > 0].sum(), ranks[kept < 0].sum())
    p = compare("a", "b", two([a / 3 for a, _ in pairs], [b / 3 for _, b in pairs])).wilcoxon.p
    assert p == pytest.approx(min(1, 2 * np.mean(sums <= seen)))


@given(st.lists(LEVELS, min_size=2, max_size=30))
def test_effect_sizes_follow_their_definitions(pairs):
    differences = np.array([a - b for a, b in pairs]) / 3
    found = compare("a", "b", two([a / 3 for a, _ in pairs], [b / 3 for _, b in pairs]))
    if np.ptp(differences) > 1e-9:
        assert found.t.effect == pytest.approx(differences.mean() / differences.std(ddof=1))
    else:
        assert (found.t.p, found.p, found.difference.low) == (None, None, None)
    left = [a - b for a, b in pairs if a != b]
    if left:
        ranks = stats.rankdata(np.abs(left))
        plus = sum(rank for rank, one in zip(ranks, left, strict=True) if one > 0)
        # Kerby (2014): the share of favourable ranks less the share of unfavourable ones.
        assert found.wilcoxon.effect == pytest.approx(2 * plus / ranks.sum() - 1)
    else:
        assert found.wilcoxon.note == "No pair differs."


def test_the_other_way_round_every_sign_turns_and_no_p_value_moves():
    values = two(*drawn(1, 20))
    one, other = compare("a", "b", values), compare("b", "a", values)
    assert (one.t.p, one.wilcoxon.p) == (pytest.approx(other.t.p), pytest.approx(other.wilcoxon.p))
    assert (one.t.effect, one.wilcoxon.effect, one.difference.low) == (
        -other.t.effect,
        -other.wilcoxon.effect,
        -other.difference.high,
    )


def test_only_targets_both_have_are_compared():
    found = compare(
        "a", "b", {"a": {"t": 0.5, "u": 1.0, "v": 0.2}, "b": {"u": 0.5, "v": 0.4, "w": 0.1}}
    )
    assert (found.n, found.difference.value) == (2, pytest.approx(0.15))


def test_too_few_pairs_and_differences_that_are_all_equal_are_refused_in_a_sentence():
    none, one = (
        compare("a", "b", {"a": {"t": 1.0}, "b": {"u": 1.0}}),
        compare("a", "b", two([1], [0])),
    )
    assert (
        none.t.note == none.wilcoxon.note == "A paired test needs 2 pairs or more; there are none."
    )
    assert one.t.note == one.wilcoxon.note == "A paired test needs 2 pairs or more; there is 1."
    assert (one.p, one.p_holm, one.difference.low, one.difference.note) == (
        None,
        None,
        None,
        "One value has no interval.",
    )
    # 2/3 - 1/3 and 1/3 - 0 differ in the last digit only.
    same = compare("a", "b", two([2 / 3, 1 / 3, 1], [1 / 3, 0, 2 / 3]))
    assert same.t.note == "All differences are equal, so that t has nothing to measure the mean by."
    assert (same.p, same.wilcoxon.p, same.wilcoxon.effect) == (None, 0.25, 1)
    level = compare("a", "b", two([0.5, 0.2], [0.5, 0.2]))
    assert (level.t.p, level.wilcoxon.p, level.wilcoxon.note) == (None, None, "No pair differs.")


def test_holms_correction_is_the_textbooks_and_never_below_the_plain_value():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1, 1]
    assert (holm([]), holm([0.2])) == ([], [0.2])


def test_several_comparisons_are_corrected_for_as_many_tests_as_could_be_made():
    a, b = drawn(1, 20, 0.3)
    values = {
        "a": dict(enumerate(map(float, a))),
        "b": dict(enumerate(map(float, b))),
        "same as a": dict(enumerate(map(float, a))),
        "elsewhere": {-1: 1.0},
    }
    found = {(one.a, one.b): one for one in comparisons(values)}
    assert len(found) == 6
    assert [pair for pair, one in found.items() if one.p is not None] == [
        ("a", "b"),
        ("b", "same as a"),
    ]
    assert found["a", "b"].p_holm == pytest.approx(min(1, 2 * found["a", "b"].p))
    assert found["a", "same as a"].p_holm is None


def test_a_mean_has_scipys_t_interval_and_none_where_values_show_no_spread():
    values = drawn(3, 30)[0].tolist()
    found = mean_ci(values)
    assert found[1:3] == pytest.approx(
        stats.t.interval(0.95, 29, np.mean(values), stats.sem(values))
    )
    assert [mean_ci(one).low for one in ([], [0.5], [1.0] * 5)] == [None] * 3
    assert (mean_ci([]).value, mean_ci([1.0] * 5).value) == (None, 1)
    assert (
        mean_ci([1.0] * 5).note
        == "All 5 values are alike, which does not show how sure the figure is."
    )


def test_a_clustered_interval_is_wider_than_one_that_takes_repeats_for_targets():
    dice = np.random.default_rng(8)
    targets = np.repeat(dice.random(40), 5)
    values, names = (
        (targets + dice.normal(0, 0.02, 200)).tolist(),
        [f"t{n // 5}" for n in range(200)],
    )
    found, plain = clustered_ci(values, names), mean_ci(values)
    assert (found.value, found.n, found.note) == (pytest.approx(np.mean(values)), 200, "")
    assert found.high - found.low > 1.8 * (plain.high - plain.low)
    assert found == clustered_ci(values, names), "the same seed, the same interval"
    assert found.low != clustered_ci(values, names, seed=1).low


def test_a_clustered_interval_covers_the_mean():
    inside = 0
    for seed in range(100):
        dice = np.random.default_rng(seed)
        values = (np.repeat(dice.normal(0.5, 0.2, 40), 3) + dice.normal(0, 0.1, 120)).tolist()
        found = clustered_ci(values, [str(n // 3) for n in range(120)], seed=seed)
        inside += found.low <= 0.5 <= found.high
    assert inside >= 90


def test_one_cluster_and_clusters_all_alike_have_no_interval():
    assert (
        clustered_ci([0.1, 0.9], ["t", "t"]).note
        == "All values are of one cluster: no interval can be given."
    )
    assert (
        clustered_ci([0, 1, 0, 1], ["t", "t", "u", "u"]).note
        == "All 2 clusters are alike, which does not show how sure the figure is."
    )
    assert (
        clustered_ci([0, 1, 0.5], ["t", "u", "v"]).note
        == "With 3 clusters the interval is rough; 10 or more are better."
    )


@pytest.mark.parametrize("clusters", [2, 3, 5])
def test_an_interval_of_few_targets_covers_the_truth(clusters):
    dice, inside = np.random.default_rng(clusters), 0
    for _ in range(300):
        values = np.repeat(dice.normal(size=clusters), 4) + dice.normal(size=4 * clusters) / 2
        found = clustered_ci(values.tolist(), [str(n // 4) for n in range(4 * clusters)])
        inside += found.low <= 0 <= found.high
    assert inside >= 0.92 * 300
    assert clustered_ci([], []).value is None


def test_the_papers_322_percent_is_an_improvement_of_221_point_6():
    assert improvement(0.171, 0.550) == pytest.approx(221.6, abs=0.05)
    assert improvement(0.5, 0.25) == -50
    assert improvement(0, 0.5) is None


def test_the_improvement_of_the_published_table_is_reported_so():
    rows = {
        (row["method"], row["model"]): row["q_feasibility"]
        for row in json.loads(PUBLISHED.read_text())["table1"]["rows"]
    }
    assert f"{improvement(rows['initial', 'GPT-4o'], rows['infal', 'GPT-4o']):+.1f} %" == "+221.6 %"
