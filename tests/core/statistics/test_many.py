"""Figures of very many observations: the same as of few, in bounded memory."""

from itertools import combinations, product

import numpy as np
import pytest

from core.agreement.answers import PairAnswer
from core.agreement.sides import MOST_PLAYERS, TOO_LARGE, sides
from core.judging import ratings
from core.judging.arena import tables
from core.judging.health import agreement, self_agreement
from core.judging.ratings import PlayerRating, not_separable
from core.judging.votes import PairOutcome, Vote
from core.statistics import intervals
from core.statistics.effects import superiority
from core.statistics.intervals import SHARE, clustered_share, resampled
from core.statistics.mixed import MOST_LEVELS, told_apart
from core.statistics.paired import clustered_ci


def test_how_often_one_source_beats_another_is_what_all_pairs_say():
    chance = np.random.default_rng(1)
    for n, m in ((7, 3), (40, 60)):
        x = chance.integers(1, 6, n).astype(float)
        y = chance.integers(1, 6, m).astype(float)
        pairs = [(a > b) + (a == b) / 2 for a, b in product(x, y)]
        assert superiority(x, y).value == sum(pairs) / len(pairs)
    many = chance.normal(size=30_000)
    assert superiority(many, many).value == 0.5


def test_resamples_in_parts_are_those_of_one_piece(monkeypatch):
    sums = np.random.default_rng(2).integers(0, 5, (50, 3)).astype(float)
    whole = resampled(sums, 90, seed=3)
    monkeypatch.setattr(intervals, "AT_ONCE", 7 * 50)
    assert np.array_equal(resampled(sums, 90, seed=3), whole)


def test_very_many_clusters_are_resampled_by_kind_to_the_same_end(monkeypatch):
    chance = np.random.default_rng(4)
    hits = chance.random(3_000) < 0.3
    clusters = np.arange(3_000) // 2
    scores = hits.astype(float).tolist()
    drawn = clustered_share(hits, clusters)
    of_scores = clustered_ci(scores, clusters.tolist(), SHARE, "topics")
    monkeypatch.setattr(intervals, "MANY", 1_000)
    by_kind = clustered_share(hits, clusters)
    assert drawn.how == by_kind.how == "bootstrap over 1500 topics"
    assert (by_kind.low, by_kind.high) == pytest.approx((drawn.low, drawn.high), abs=2e-3)
    again = clustered_ci(scores, clusters.tolist(), SHARE, "topics")
    assert (again.low, again.high) == pytest.approx((of_scores.low, of_scores.high), abs=2e-3)
    monkeypatch.setattr(intervals, "AT_ONCE", 7)
    assert clustered_share(hits, clusters) == by_kind, "in parts, too"


def test_shares_of_very_many_topics_stay_between_0_and_1():
    rare = clustered_share(np.arange(5_000) < 3, np.arange(5_000))
    assert (rare.value, rare.low) == (0.0006, 0.0)
    assert rare.high == pytest.approx(0.0014, abs=3e-4)
    # One topic has nearly all there is: a third of all resamples are without it.
    clusters = np.concatenate([np.zeros(100_000, dtype=int), np.arange(1, 5_001)])
    one_large = clustered_share(np.arange(105_000) < 100_000, clusters)
    assert one_large.low == 0.0
    assert 0.97 < one_large.high < 1.0


def test_kinds_of_many_columns_keep_their_form(monkeypatch):
    sums = np.random.default_rng(2).integers(0, 3, (60, 2, 2)).astype(float)
    monkeypatch.setattr(intervals, "MANY", 10)
    found = resampled(sums, 2_000, seed=3)
    assert found.shape == (2_000, 2, 2)
    assert found.mean(axis=0) == pytest.approx(sums.sum(axis=0), rel=0.02)


def test_a_judge_asked_a_thousand_times_is_held_against_itself_by_counts():
    def asked(times: int) -> list[Vote]:
        return [
            Vote(
                topic=f"t{n % 12}",
                first="a",
                second="b",
                judge="j",
                winner=("first", "second")[n % 5 > 2],
            )
            for n in range(times)
        ]

    some = asked(120)
    by_topic = [[vote.winner for vote in some if vote.topic == f"t{n}"] for n in range(12)]
    pairs = [one == other for said in by_topic for one, other in combinations(said, 2)]
    found = self_agreement(some)
    assert (found.n, found.value) == (len(pairs), sum(pairs) / len(pairs))
    assert self_agreement(asked(12_000)).n == 12 * 1_000 * 999 // 2


def test_matches_of_two_sides_are_held_against_each_other_by_counts():
    def said(winners: str) -> list[PairOutcome]:
        names = {"a": "a", "b": "b", "t": "tie"}
        return [
            PairOutcome(topic=f"t{n % 10}", a="x", b="y", winner=names[one], judge="j")
            for n, one in enumerate(winners)
        ]

    ours, theirs = said("ab" * 15), said("aabt" * 10)
    pairs = [
        (one.winner, other.winner)
        for one, other in product(ours, theirs)
        if one.topic == other.topic
    ]
    found = agreement(ours, theirs).with_ties
    assert (found.n, found.value) == (
        len(pairs),
        pytest.approx(sum(one == other for one, other in pairs) / len(pairs)),
    )


def test_of_more_levels_than_a_model_is_fitted_with_nothing_is_multiplied():
    scores = 3 * MOST_LEVELS
    ideas = [n // 2 for n in range(scores)]
    found = told_apart({"idea": ideas}, [n % 2 for n in range(scores)])
    assert (found.kept, found.left_out) == ({"idea": ideas}, {})


def test_of_more_ideas_than_can_be_rated_together_this_is_said():
    answers = [
        PairAnswer(f"i{n}", f"i{n + 1}", "ann", "novelty", 1 - 2 * (n % 2), f"i{n + n // 2 % 2}")
        for n in range(MOST_PLAYERS)
    ]
    found = sides(answers, "novelty")
    assert (found.refused, found.ratings) == (TOO_LARGE, ())
    few = sides(answers, "novelty", {f"i{n}": f"s{n % 3}" for n in range(MOST_PLAYERS + 1)})
    assert len(few.ratings) == 3


def test_a_thousand_methods_are_grouped_at_once_and_told_in_few_words():
    rated = [
        PlayerRating(f"m{n:04}", 2_000.0 - n, 1_990.0 - n, 2_010.0 - n, 1, 0, 0, 1)
        for n in range(1_000)
    ]
    groups = not_separable(rated)
    assert len(groups) == 980
    assert all(len(group) == 21 for group in groups)


def test_ratings_of_very_many_methods_stand_without_intervals(monkeypatch):
    points = np.zeros((8, 3, 3))
    points[:, 0, 1] = points[:, 1, 2] = points[:, 2, 0] = 1
    assert np.isfinite(ratings._refit(points, 0.05, 50, 0)).all()
    monkeypatch.setattr(ratings, "MOST_REFITTED", 2)
    assert np.isnan(ratings._refit(points, 0.05, 50, 0)).all()
    assert "at most, and these are 3" in ratings._note(8, 3)
    assert tables.MATCHED >= 60
