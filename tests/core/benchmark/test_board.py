"""The leaderboard: the published one comes out as published, and one of our own as its definitions
say, whatever is missing.
"""

import csv

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.benchmark.results.board import TABLE, Board, BoardRow, Spread, board, pareto, published
from core.benchmark.results.measures import FIGURES, floors
from core.records import GroupSums
from core.statistics.intervals import wilson

NOTHING = dict.fromkeys(GroupSums._fields, 0)
FIVE = FIGURES[:-1]


def group(
    model: int,
    keyword: int,
    originality: float = 0,
    feasibility: float = 0,
    clarity: float = 0,
    fluency: float | None = 7,
    judgments: int = 6,
    pairs: int = 1,
) -> GroupSums:
    """Return sums of judgments that all gave the same scores."""
    pairs = 0 if fluency is None else pairs
    return GroupSums(
        **NOTHING
        | {
            "model": model,
            "keyword": keyword,
            "ideas": 2,
            "judgments": judgments,
            "originality": originality * judgments,
            "feasibility": feasibility * judgments,
            "clarity": clarity * judgments,
            "pairs": pairs,
            "fluency": (fluency or 0) * pairs,
        }
    )


def chance(seed: int, models: int, keywords: int, missing: float = 0.0) -> list[GroupSums]:
    rng = np.random.default_rng(seed)
    return [
        group(
            m,
            k,
            *rng.integers(1, 11, 3).tolist(),
            fluency=float(rng.choice([1, 4, 7, 10])),
            judgments=int(rng.integers(1, 7)),
        )
        for k in range(keywords)
        for m in range(models)
        if rng.random() >= missing
    ]


def values(row: BoardRow) -> dict[str, float | None]:
    return {name: getattr(row, name).value for name in FIGURES}


# -- what was published ------------------------------------------------------------------------


def test_the_published_average_is_the_mean_of_the_five_for_all_41_models():
    rows = published().rows
    assert len(rows) == 41
    for row in rows:
        assert row.average.value == pytest.approx(
            np.mean([getattr(row, name).value for name in FIVE]), abs=0.008 + 1e-9
        ), row.model


def test_the_published_board_stands_in_the_published_order():
    found = published()
    with TABLE.open(newline="") as file:
        lines = list(csv.DictReader(file))
    averages = [float(line["average"]) for line in lines]
    assert averages == sorted(averages, reverse=True)
    assert [row.average.value for row in found.rows] == averages
    assert {row.model: row.rank for row in found.rows} == {
        line["model"]: averages.index(float(line["average"])) + 1 for line in lines
    }
    assert [(row.model, row.open) for row in found.rows[:3]] == [
        ("claude-3.7-sonnet:thinking", False),
        ("deepseek-r1", True),
        ("claude-3.7-sonnet", False),
    ]
    assert found.rows[0].flexibility == Spread(value=7.04, low=6.97, high=7.08)


def test_the_published_board_says_what_is_odd_about_it():
    found = published()
    assert found.published
    assert sum(row.model.startswith("gemin-") for row in found.rows) == 5
    assert any("gemin-" in note for note in found.notes)
    assert any("too narrow" in note for note in found.notes)
    assert all(row.tied == () for row in found.rows)
    assert pareto(found) == {"claude-3.7-sonnet:thinking", "deepseek-r1"}


def test_the_published_energy_adds_up():
    with TABLE.with_name("table4_energy.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 41
    assert sum(float(line["total_kwh"]) for line in lines) == pytest.approx(5027.45, abs=0.05)
    assert sum(bool(line["critic_kwh"]) for line in lines) == 10


# -- a board of our own ------------------------------------------------------------------------


def test_figures_are_means_over_keywords_and_not_over_judgments():
    rows = board(
        [
            group(0, 0, 10, 4, 7, fluency=10, judgments=1),
            group(0, 1, 4, 4, 4, fluency=4, judgments=9),
        ],
        ["m"],
    ).rows
    assert values(rows[0]) == pytest.approx(
        {
            "originality": 7,
            "feasibility": 4,
            "clarity": 5.5,
            "fluency": 7,
            "flexibility": 4 + 0.3 * (7.75 - 4),
            "average": np.mean([7, 4, 5.5, 7, 5.125]),
        }
    )


def test_flexibility_is_numpys_thirtieth_percentile_over_keywords_that_have_all_four():
    groups = chance(3, 1, 37)
    whole = [
        np.mean(
            [
                one.originality / one.judgments,
                one.feasibility / one.judgments,
                one.clarity / one.judgments,
                one.fluency / one.pairs,
            ]
        )
        for one in groups
    ]
    without_a_pair = [group(0, 90 + k, 1, 1, 1, fluency=None) for k in range(5)]
    found = board(groups + without_a_pair, ["m"]).rows[0]
    assert found.flexibility.value == pytest.approx(np.percentile(whole, 30))
    assert (
        found.flexibility.n,
        found.average.n,
        found.fluency.n,
        found.originality.n,
        found.keywords,
    ) == (37, 37, 37, 42, 42)


@given(st.lists(st.tuples(st.integers(1, 40), st.integers(0, 4)), min_size=1, max_size=30))
def test_a_floor_is_the_percentile_of_the_values_each_as_often_as_it_was_drawn(drawn):
    scores, often = np.array(drawn, dtype=float).T
    with_a_gap = np.append(scores, np.nan), np.append(often, 3)
    found = floors(with_a_gap[0], with_a_gap[1][None])[0]
    repeated = np.repeat(scores, often.astype(int))
    assert (
        np.isnan(found)
        if not len(repeated)
        else found == pytest.approx(np.percentile(repeated, 30))
    )


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.permutations(range(4)))
def test_the_order_of_models_changes_nothing(seed, order):
    groups, names = chance(seed, 4, 14, missing=0.1), [f"m{n}" for n in range(4)]
    moved = [one._replace(model=order.index(one.model)) for one in groups]
    one, other = (
        board(groups, names, resamples=60),
        board(moved[::-1], [names[n] for n in order], resamples=60),
    )
    assert [(row.model, row.rank, row.tied, row.keywords) for row in one.rows] == [
        (row.model, row.rank, row.tied, row.keywords) for row in other.rows
    ]
    for row, twin in zip(one.rows, other.rows, strict=True):
        for name in FIGURES:
            assert [*getattr(row, name).model_dump().values()] == pytest.approx(
                [*getattr(twin, name).model_dump().values()]
            )


@settings(max_examples=10)
@given(st.integers(1, 10), st.sampled_from([1, 4, 7, 10]), st.integers(10, 40))
def test_a_constant_board_has_wilsons_intervals_on_the_scale_and_nobody_apart(
    score, fluency, keywords
):
    found = board(
        [
            group(m, k, score, score, score, fluency=fluency)
            for m in range(3)
            for k in range(keywords)
        ],
        ["a", "b", "c"],
        resamples=50,
    )
    for row in found.rows:
        for name in FIGURES:
            one = getattr(row, name)
            assert 1 <= one.low <= one.value + 1e-9
            assert one.value - 1e-9 <= one.high <= 10
            # A quantile is known where all keywords are alike; a mean is not.
            assert (one.high - one.low > 0.5) == (name != "flexibility")
    assert [(row.rank, row.tied) for row in found.rows] == [
        (1, ("b", "c")),
        (1, ("a", "c")),
        (1, ("a", "b")),
    ]


def test_intervals_repeat_with_their_seed_and_move_with_another():
    groups = chance(1, 2, 30)
    assert board(groups, ["a", "b"], seed=4) == board(groups, ["a", "b"], seed=4)
    assert (
        board(groups, ["a", "b"], seed=4).rows[0].average.low
        != board(groups, ["a", "b"], seed=5).rows[0].average.low
    )


# -- ties and ranks ----------------------------------------------------------------------------


def test_a_small_difference_on_every_keyword_counts_though_intervals_overlap():
    rng = np.random.default_rng(5)
    hard = rng.integers(1, 9, 40)
    groups = [
        group(
            m,
            k,
            *(float(hard[k]) + (0.4 if m == 0 else 0) + rng.normal(0, 0.05, 3)).tolist(),
            fluency=7,
        )
        for k in range(40)
        for m in range(3)
    ]
    found = board(groups, ["better", "one", "other"])
    first, second, third = found.rows
    assert first.model == "better"
    assert first.average.low < second.average.value < first.average.value < second.average.high
    assert (first.tied, second.tied, third.tied) == ((), (third.model,), (second.model,))
    assert [row.rank for row in found.rows] == [1, 2, 3]


def test_a_model_of_whom_nothing_was_judged_has_no_figures_and_stands_last():
    failed = GroupSums(**NOTHING | {"model": 1, "keyword": 3, "ideas": 2, "failed": 5})
    found = board([*chance(2, 1, 12), failed], ["judged", "not judged"])
    last = found.rows[-1]
    assert (last.model, last.rank, last.keywords, last.tied) == ("not judged", 2, 0, ())
    assert all(getattr(last, name) == Spread() for name in FIGURES)
    assert found.rows[0].tied == ()
    assert not any("Averages rest on" in note for note in found.notes)


def test_averages_that_rest_on_unequal_keywords_say_on_how_many():
    # One idea of a keyword has nothing it could be compared with.
    single = [
        group(m, k, 5, 6, 7, fluency=None if (m, k) == (1, 3) else 7)
        for m in range(2)
        for k in range(12)
    ]
    found = board(single, ["whole", "less"])
    assert {row.model: (row.average.n, row.keywords) for row in found.rows} == {
        "whole": (12, 12),
        "less": (11, 12),
    }
    assert any(note.startswith("Averages rest on 11 to 12 keywords") for note in found.notes)


def test_without_pairs_there_is_no_fluency_no_flexibility_and_no_average():
    found = board(
        [group(m, k, 5, 6, 7 + m, fluency=None) for m in range(2) for k in range(12)], ["a", "b"]
    )
    for row in found.rows:
        assert (row.fluency.value, row.flexibility.value, row.average.value) == (None, None, None)
        share = (row.feasibility.low - 1) / 9, (row.feasibility.high - 1) / 9
        assert (row.feasibility.value, row.feasibility.n) == (6, 12)
        assert share == pytest.approx(wilson(12 * 5 / 9, 12))
    assert [(row.model, row.rank) for row in found.rows] == [("a", 1), ("b", 1)]
    assert any("No two ideas" in note for note in found.notes)


def test_under_ten_keywords_no_interval_is_given_and_nobody_is_called_better():
    found = board(
        [
            group(m, k, 9 - 5 * m, 9 - 5 * m, 9 - 5 * m, fluency=10 - 6 * m)
            for m in range(2)
            for k in range(9)
        ],
        ["good", "poor"],
    )
    assert [row.rank for row in found.rows] == [1, 2]
    assert all(
        getattr(row, name).low is None and getattr(row, name).value is not None
        for row in found.rows
        for name in FIGURES
    )
    assert [row.tied for row in found.rows] == [("poor",), ("good",)]
    assert any("Intervals take 10 keywords" in note for note in found.notes)


def test_nothing_judged_is_an_empty_board_that_says_so():
    found = board([], ["b", "a"], "Mine")
    assert [(row.model, row.rank, row.average) for row in found.rows] == [
        ("a", 1, Spread()),
        ("b", 1, Spread()),
    ]
    assert found.notes == ("Nothing is judged yet.",)


# -- the front ---------------------------------------------------------------------------------


def placed(**at: tuple[float | None, float | None]) -> Board:
    none = dict.fromkeys(FIGURES, Spread())
    return Board(
        title="",
        rows=tuple(
            BoardRow(
                model=name,
                keywords=1,
                rank=1,
                **none | {"feasibility": Spread(value=f), "originality": Spread(value=o)},
            )
            for name, (f, o) in at.items()
        ),
    )


def test_the_front_holds_whom_no_other_equals_in_both_and_beats_in_one():
    assert pareto(
        placed(a=(9, 2), b=(5, 5), c=(2, 9), beaten=(4, 4), as_feasible=(5, 4), as_original=(1, 9))
    ) == {"a", "b", "c"}
    assert pareto(placed(one=(5, 5), twin=(5, 5), less=(5, 4.999))) == {"one", "twin"}
    assert pareto(placed(a=(5, 5), unknown=(None, 9))) == {"a"}
    assert pareto(placed()) == frozenset()
