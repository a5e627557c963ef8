"""The whole analysis of ratings: figures that know no unit and no names, what is too much for it,
warnings, and tables whose columns can be told apart.
"""

import numpy as np
import pytest

from core.agreement import sheet
from core.agreement.sheet import agreement_sheet
from core.errors import BadInput
from core.statistics.matrix import LARGEST, Matrix, matrix, settled
from core.tables.cells import told_apart


def table(values: np.ndarray, raters: tuple[str, ...] = ()) -> Matrix:
    return Matrix(
        tuple(f"i{n:03}" for n in range(len(values))),
        raters or tuple(f"e{n}" for n in range(values.shape[1])),
        values.astype(float),
    )


def scores(seed: int = 2, n: int = 30, k: int = 5) -> np.ndarray:
    """Return scores with a decimal, so that means of the same scores in another order differ in
    their last digits.
    """
    rng = np.random.default_rng(seed)
    found = np.round(5 + 1.5 * rng.normal(size=(n, 1)) + rng.normal(size=(n, k)), 1)
    found[n // 2 :][rng.random((n - n // 2, k)) < 0.1] = np.nan
    return found


def figures(
    values: np.ndarray, raters: tuple[str, ...] = (), models: frozenset[str] = frozenset(("e0",))
) -> dict[tuple[str, str], np.ndarray]:
    found = agreement_sheet({"c": table(values, raters)}, models)
    return {
        (one.name, one.about): np.array([one.value, one.low, one.high, one.p], dtype=float)
        for one in found.statistics
    }


@pytest.mark.parametrize(("times", "plus"), [(1e-8, 0), (1e-5, 0), (1e6, 0), (1, 1e6)])
def test_no_figure_but_the_error_depends_on_the_unit_of_the_scores(times, plus):
    plain, other = figures(scores()), figures(times * scores() + plus)
    for name, values in plain.items():
        np.testing.assert_allclose(
            other[name] / (times if "error" in name[0] else 1),
            values,
            rtol=1e-4,
            atol=1e-6,
            err_msg=str(name),
        )


def test_no_figure_depends_on_what_raters_are_called():
    """Means of one idea's scores are summed in the order of names; ties of them must stay ties."""
    values, turned = scores(3, 40, 6), (0, 4, 2, 5, 3, 1)
    plain, other = figures(values), figures(values[:, turned])
    against = "c, e0 against the expert mean"
    for name in (
        ("human ceiling (Spearman's rho)", "c"),
        ("Spearman's rho", against),
        ("Kendall's tau-b", against),
    ):
        np.testing.assert_allclose(other[name], plain[name], atol=1e-9, err_msg=str(name))


def test_means_that_are_equal_share_a_rank_however_they_were_summed():
    assert 0.1 + 0.2 + 0.3 != 0.3 + 0.2 + 0.1
    first, second = settled(np.array([0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1]))
    assert first == second
    assert settled(np.array([7.0, 22 / 3, np.nan]))[:2].tolist() == pytest.approx(
        [7.0, 22 / 3], abs=1e-11
    )
    assert np.isnan(settled(np.array([np.nan]))).all()


@pytest.mark.parametrize("score", [1e90, -2 * LARGEST])
def test_scores_that_would_overflow_are_refused(score):
    with pytest.raises(BadInput, match="too large"):
        matrix([("i1", "Ada", score)])


def test_the_ceiling_counts_the_ideas_it_is_taken_over():
    values = np.full((40, 3), np.nan)
    values[:12] = scores(4, 12, 3)[:, :1] + np.random.default_rng(1).normal(size=(12, 3))
    values[12:, 0] = 5
    ceilings = agreement_sheet({"c": table(values)}).agreement.criteria["c"].ceilings
    assert (ceilings.pearson.mean.n, ceilings.error.mean.n) == (12, 12)
    assert "over 12 ideas" in ceilings.pearson.mean.how


def test_more_than_can_be_analysed_is_a_sentence(monkeypatch):
    monkeypatch.setattr(sheet, "MOST_IDEAS", 20)
    with pytest.raises(BadInput, match="30 ideas, 5 raters and 1 criteria; 20, 300 and 30 are"):
        agreement_sheet({"c": table(scores())})
    monkeypatch.setattr(sheet, "MOST_IDEAS", 30)
    monkeypatch.setattr(sheet, "MOST_COMPARED", 30 * 25 * 2)
    assert agreement_sheet({f"c{n}": table(scores()) for n in range(2)})
    with pytest.raises(BadInput, match=r"and 3 criteria; .* not all as many together"):
        agreement_sheet({f"c{n}": table(scores()) for n in range(3)})
    with pytest.raises(BadInput, match="and 31 criteria"):
        agreement_sheet({f"c{n}": table(scores()) for n in range(31)})


def test_of_very_many_raters_and_criteria_no_pairs_are_made(monkeypatch):
    monkeypatch.setattr(sheet, "MOST_PAIRED", 25)
    few = agreement_sheet({"c": table(scores())})
    assert len(few.agreement.criteria["c"].between) == 10
    many = agreement_sheet({f"c{n}": table(scores()) for n in range(2)})
    assert [one.between for one in many.agreement.criteria.values()] == [(), ()]
    assert (
        many.agreement.criteria["c0"].alphas[0].value == few.agreement.criteria["c"].alphas[0].value
    )
    assert not any(one.name.startswith("pairs-") for one in many.tables)
    assert any("Not every two of the 5 raters" in one for one in many.warnings)


def test_a_crowd_of_which_each_rates_a_few_ideas_has_figures():
    values = np.full((150, 150), np.nan)
    drawn = np.random.default_rng(7).integers(1, 6, (150, 3)).astype(float)
    for item in range(150):
        for seat in range(3):
            values[item, (item * 3 + seat) % 150] = drawn[item, seat]
    found = agreement_sheet({"c": table(values, tuple(f"e{n}" for n in range(150)))})
    assert len(found.experts) == 150
    assert found.agreement.criteria["c"].alphas[0].value is not None


def test_one_rater_spelled_in_two_ways_is_pointed_out():
    found = agreement_sheet({"c": table(scores(), ("ADA", "Ada", "Bo", "Cy", "Di"))})
    said = (
        "'ADA' and 'Ada' differ in capitals only. If they are one rater, write the name in one way."
    )
    assert [one for one in found.warnings if "capitals" in one] == [said]
    assert not any("capitals" in one for one in agreement_sheet({"c": table(scores())}).warnings)


def test_columns_of_a_table_can_be_told_apart_whatever_raters_are_called():
    assert told_apart(("Rater", "Rater", "Rater (2)", "Bo")) == (
        "Rater",
        "Rater (2)",
        "Rater (2) (2)",
        "Bo",
    )
    found = agreement_sheet({"Idea": table(scores(), ("Expert", "Rater", "Bo", "Cy", "Di"))})
    assert all(len(set(one.head)) == len(one.head) for one in found.tables)
