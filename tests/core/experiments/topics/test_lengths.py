"""Ratings by the length of a chain (Chain of Ideas, section 4.5, figure 6) in worlds in which
longer chains are truly better, and in which they are not.
"""

import numpy as np
import pytest

from core.experiments.topics.figures import figures
from core.experiments.topics.results import series
from core.experiments.topics.tables import tables
from core.judging.ratings import differences, table
from core.judging.votes import MatchCounts
from tests.support.topics_kit import (
    WRITER,
    by_length,
    done,
    judge_script,
    writer_script,
)

LENGTHS = tuple(f"chain, 1 branch, length {n}" for n in range(6))
TOPICS, SEEDS = 50, 50


def counted(seed: int, step: float) -> MatchCounts:
    """Return what a noisy judge says of texts by chains of length 0 to 5 on 50 topics, by five
    criteria in both orders: every paper more adds `step` to what a text is worth, whose noise is 1;
    that of the judge is one half.
    """
    chance = np.random.default_rng(seed)
    worth = chance.normal(0, 1, (TOPICS, 6)) + step * np.arange(6)
    won = np.zeros((TOPICS, 6, 6), dtype=np.int64)
    for _ in range(5):
        seen = worth + chance.normal(0, 0.5, worth.shape)
        won += seen[:, :, None] > seen[:, None, :]
    names = tuple(f"length {n}" for n in range(6))
    return MatchCounts(tuple(map(str, range(TOPICS))), names, won, np.zeros_like(won))


def shown(seed: int, step: float) -> bool:
    """Say whether the interval of the difference between lengths 5 and 0 excludes their being
    equal.
    """
    found = {one.player: one for one in differences(counted(seed, step), "length 0")}
    five = found["length 5"]
    return five.low > 0 or five.high < 0


def test_lengths_that_are_all_alike_are_told_apart_in_at_most_7_of_50_seeds(capsys):
    told = sum(shown(seed, 0.0) for seed in range(SEEDS))
    with capsys.disabled():
        print(f"\nequal lengths told apart: {told} of {SEEDS}")
    assert told <= 7


def test_lengths_that_are_truly_better_are_told_apart_in_nearly_all_seeds(capsys):
    told = sum(shown(seed, 0.2) for seed in range(SEEDS))
    with capsys.disabled():
        print(f"\ntruly better lengths told apart: {told} of {SEEDS}")
    assert told >= 45
    # On average ratings rise with every paper.
    mean = np.zeros(6)
    for seed in range(10):
        rated = {one.player: one.rating for one in table(counted(seed, 0.2), resamples=20).ratings}
        mean += [rated[f"length {n}"] for n in range(6)]
    assert (np.diff(mean) > 0).all()


@pytest.fixture(scope="module")
def better(tmp_path_factory):
    """An experiment in which every paper more makes an idea better, on 8 topics."""
    return done(
        tmp_path_factory.mktemp("better"),
        8,
        contenders=LENGTHS,
        writer=writer_script(by_length),
        judge=judge_script(0.3),
    )


def test_longer_chains_that_are_truly_better_have_rising_ratings(better):
    runner, _, _, held = better
    made = next(one for one in tables(runner.store, held) if one.name == "topics-length-ideas")
    assert [row[0].mean for row in made.rows] == [0, 1, 2, 3, 4, 5]
    ratings = [row[3].mean for row in made.rows]
    assert ratings == sorted(ratings)
    last = made.rows[-1][4]
    assert last.low > 0, "length 5 is better than length 0, and the interval says so"


def test_a_length_is_a_series_and_an_ablation_is_none(better):
    _, _, _, held = better
    assert [point.n for point in series(held, "length", WRITER)] == [0, 1, 2, 3, 4, 5]
    assert series(held, "branches", WRITER) == ()


def test_lengths_are_drawn_as_a_line_with_their_intervals(better):
    runner, _, _, held = better
    drawn = {one.name: one for one in figures(runner.store, held, "#222")}
    line = drawn["topics-length-ideas"].figure.data[0]
    assert list(line.x) == [0, 1, 2, 3, 4, 5]
    assert line.mode == "lines+markers"
    assert drawn["topics-ratings-ideas"].figure.data


def test_chains_without_any_effect_of_length_stand_level(tmp_path):
    runner, _, _, held = done(
        tmp_path,
        6,
        contenders=(LENGTHS[0], LENGTHS[2]),
        writer=writer_script(lambda _: 1.0),
        judge=judge_script(1.0),
    )
    made = next(one for one in tables(runner.store, held) if one.name == "topics-length-ideas")
    last = made.rows[-1][4]
    assert last.low < 0 < last.high
