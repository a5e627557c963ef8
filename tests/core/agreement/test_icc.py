"""Intraclass correlation against published examples and planted truth, and the table of ratings it
is taken over.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import BadInput
from core.statistics.icc import NAMES, absolute, anova, consistency, iccs, of_mean
from core.statistics.matrix import Matrix, matrix

SHROUT_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]],
    dtype=float,
)
"""Shrout and Fleiss (1979), table 2."""
ANXIETY = np.array(
    [
        [3, 3, 3, 4, 5, 5, 2, 3, 5, 2, 2, 6, 1, 5, 2, 2, 1, 2, 4, 3],
        [3, 6, 4, 6, 2, 4, 2, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1, 3, 3, 4],
        [2, 1, 4, 4, 3, 2, 1, 6, 1, 1, 1, 2, 3, 3, 1, 1, 3, 3, 2, 2],
    ],
    dtype=float,
).T
"""20 people by 3 raters, the data of R's irr, whose manual prints ICC(A,1) = 0.198 with -0.039 <
ICC < 0.494.
"""


def table(values: np.ndarray) -> Matrix:
    return Matrix(
        tuple(f"idea {n:03}" for n in range(values.shape[0])),
        tuple(f"e{n}" for n in range(values.shape[1])),
        values.astype(float),
    )


def test_shrout_and_fleiss_come_out_as_published():
    found = anova(SHROUT_FLEISS)
    assert [round(one, 2) for one in absolute(found)] == [0.29, 0.02, 0.76]
    assert [round(one, 2) for one in consistency(found)] == [0.71, 0.34, 0.95]
    assert [round(of_mean(one, 4), 2) for one in absolute(found)] == [0.62, 0.07, 0.93]
    assert [round(of_mean(one, 4), 2) for one in consistency(found)] == [0.91, 0.68, 0.99]


def test_the_example_of_irr_comes_out_as_printed():
    first = iccs(table(ANXIETY), "anxiety")[0]
    assert (first.name, first.n, first.raters) == ("ICC(A,1)", 20, 3)
    assert [round(one, 3) for one in (first.value, first.low, first.high)] == [0.198, -0.039, 0.494]
    assert "includes 0" in first.reading
    assert "3 experts" in first.how


def test_intervals_cover_planted_reliability():
    """Quality 1, severity 0.6, noise 1.2: the share of 200 sets in which the truth lies in the
    interval.
    """
    rng, n, k, hits = np.random.default_rng(3), 20, 5, np.zeros(4)
    single = np.array([1 / (1 + 0.36 + 1.44), 1 / (1 + 1.44)])
    truth = [single[0], of_mean(single[0], k), single[1], of_mean(single[1], k)]
    for _ in range(200):
        found = iccs(
            table(
                rng.normal(size=(n, 1)) + 0.6 * rng.normal(size=k) + 1.2 * rng.normal(size=(n, k))
            ),
            "x",
        )
        hits += [one.low <= right <= one.high for one, right in zip(found, truth, strict=True)]
    # 0.95 of 200 gives 0.92 or more with probability 0.96; the seed is fixed.
    assert (hits / 200 >= 0.92).all(), hits / 200
    assert (hits / 200 <= 0.99).all(), hits / 200


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.floats(0.5, 3), st.integers(2, 6))
def test_severity_lowers_agreement_and_leaves_consistency(seed, shift, k):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(15, 1)) * 2 + rng.normal(size=(15, k))
    values -= values.mean(axis=0)
    even = iccs(table(values), "x")
    strict = iccs(table(values - shift * np.arange(k)), "x")
    assert [one.value for one in even[2:]] == pytest.approx([one.value for one in strict[2:]])
    assert strict[0].value < even[0].value or even[0].value <= 0
    assert all(one.low < one.value < one.high for one in (*even, *strict) if one.low is not None)


def test_names_say_which_form_and_where_labels_differ():
    found = iccs(table(ANXIETY), "anxiety")
    assert tuple(one.name for one in found) == NAMES
    assert 'LiveIdeaBench prints this consistency form as "ICC(A,k)"' in found[3].label
    assert "ICC(2,1)" in found[0].label


def test_small_tables_are_refused_with_the_reason():
    assert iccs(table(ANXIETY[:9]), "x")[3].refused.startswith(
        "Only 9 of 9 ideas were rated by all 3 experts: an ICC needs 10."
    )
    assert "needs 2 experts or more; there is 1" in iccs(table(ANXIETY[:, :1]), "x")[0].refused
    assert "there are none" in iccs(table(ANXIETY[:, :0]), "x")[0].refused
    assert all(
        one.value is None and one.reading == one.refused for one in iccs(table(ANXIETY[:9]), "x")
    )


def test_incomplete_designs_say_what_is_left_out_and_point_to_alpha():
    values = ANXIETY.copy()
    values[:5, 0] = np.nan
    found = iccs(table(values), "x")[3]
    assert found.n == 15
    assert "5 ideas that not all rated left out (Krippendorff's alpha" in found.how
    assert found.value == pytest.approx(iccs(table(ANXIETY[5:]), "x")[3].value)
    values[:11, 0] = np.nan
    assert "Only 9 of 20 ideas" in iccs(table(values), "x")[3].refused
    assert "Krippendorff's alpha" in iccs(table(values), "x")[3].refused


def test_no_variance_is_no_agreement():
    turned = np.array([[1, 5], [5, 1]] * 6, dtype=float)
    assert "same mean score" in iccs(table(turned), "x")[0].refused
    assert "same mean score" in iccs(table(np.full((12, 3), 7.0)), "x")[0].refused


def test_full_agreement_has_a_value_and_no_interval():
    column = np.arange(12.0)[:, None]
    same = iccs(table(np.tile(column, 3)), "x")
    assert [(one.value, one.low) for one in same] == [(1.0, None)] * 4
    assert "do not disagree" in same[0].how
    shifted = iccs(table(column + np.array([0, 1, 2.0])), "x")
    assert 0.5 < shifted[0].value < 1
    assert shifted[3].value == 1.0
    assert shifted[0].p == 0.0


def test_the_table_refuses_a_doubled_score_and_what_is_no_number():
    with pytest.raises(BadInput, match="'ann' rated 'a' twice"):
        matrix([("a", "ann", 1), ("b", "ann", 2), ("a", "ann", 1)])
    with pytest.raises(BadInput, match="not a number"):
        matrix([("a", "ann", float("nan"))])


def test_the_table_does_not_depend_on_the_order_of_lines():
    lines = [("b", "bob", 1.0), ("a", "ann", 2.0), ("a", "bob", 3.0)]
    one, other = matrix(lines), matrix(lines[::-1])
    assert (one.items, one.raters) == (other.items, other.raters) == (("a", "b"), ("ann", "bob"))
    np.testing.assert_array_equal(one.values, [[2, 3], [np.nan, 1]])
    np.testing.assert_array_equal(one.values, other.values)


def test_choosing_raters_drops_items_without_a_score():
    found = matrix([("a", "ann", 1.0), ("b", "bob", 2.0), ("c", "ann", 3.0), ("c", "bob", 4.0)])
    assert found.only({"ann"}).items == ("a", "c")
    assert found.without({"ann"}).items == ("b", "c")
    assert found.complete().items == ("c",)
    assert matrix([]).values.shape == (0, 0)


def test_raters_who_contradict_each_other_are_not_said_to_agree_by_chance():
    x = np.random.default_rng(0).normal(size=30)
    found = iccs(
        table(np.column_stack([x, -x + 0.1 * np.random.default_rng(1).normal(size=30)])), "x"
    )[2]
    assert found.high < 0
    assert found.reading.endswith("That is less than chance gives: raters contradict each other.")
    assert "includes 0" not in found.reading
