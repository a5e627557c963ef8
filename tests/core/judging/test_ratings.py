"""Ratings: the merge rule, Elo against its formula, Bradley-Terry against closed form and another
solver, and intervals only where there can be some.
"""

import math
from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.judging import ratings
from core.judging.ratings import (
    PlayerRating,
    bradley_terry,
    curve,
    elo,
    not_separable,
    over_meetings,
    separable,
    strongly_connected,
    table,
)
from core.judging.votes import PairOutcome, Vote, coded, counts, merged

NAMES = ("ann", "bob", "cat", "dan")
votes_of = st.lists(
    st.tuples(
        st.sampled_from("tuv"),
        st.permutations(NAMES),
        st.sampled_from(["first", "second", "tie"]),
        st.sampled_from(["x", "y"]),
    ),
    min_size=1,
    max_size=40,
    unique_by=lambda one: (one[0], *one[1][:2], one[3]),
)


def cast(drawn):
    return [Vote(topic, names[0], names[1], winner, judge) for topic, names, winner, judge in drawn]


def league(strengths, topics, seed, tie=0.1):
    """Every pair in both orders on every topic, by a judge whose odds are those of the
    strengths.
    """
    dice, votes = np.random.default_rng(seed), []
    for n in range(topics):
        for a, b in permutations(range(len(strengths)), 2):
            wins = 1 / (1 + math.exp(strengths[b] - strengths[a]))
            winner = "tie" if dice.random() < tie else "first" if dice.random() < wins else "second"
            votes.append(Vote(f"t{n}", f"m{a}", f"m{b}", winner, "x"))
    return votes


def both(first, second):
    return merged([Vote("t", "ann", "bob", first, "x"), Vote("t", "bob", "ann", second, "x")])[
        0
    ].winner


@pytest.mark.parametrize(
    ("first", "second", "winner"),
    [
        ("first", "second", "a"),
        ("second", "first", "b"),
        ("tie", "tie", "tie"),
        ("first", "first", "tie"),
        ("second", "second", "tie"),
        ("first", "tie", "a"),
        ("tie", "second", "a"),
        ("second", "tie", "b"),
        ("tie", "first", "b"),
    ],
)
def test_two_orders_merge_by_the_papers_rule(first, second, winner):
    assert both(first, second) == winner


def test_judges_repeats_and_topics_are_merged_apart_and_one_order_alone_is_marked():
    votes = [
        Vote("t", "bob", "ann", "first", "x"),
        Vote("t", "ann", "bob", "tie", "x"),
        Vote("u", "ann", "bob", "first", "x"),
        Vote("t", "ann", "bob", "first", "x", repeat=2),
        Vote("t", "ann", "bob", "second", "x", person=True),
    ]
    assert merged(votes) == [
        PairOutcome("t", "ann", "bob", "b", "x"),
        PairOutcome("u", "ann", "bob", "a", "x", one_sided=True),
        PairOutcome("t", "ann", "bob", "a", "x", repeat=2, one_sided=True),
        PairOutcome("t", "ann", "bob", "b", "x", person=True, one_sided=True),
    ]


def test_a_pair_with_itself_and_one_order_judged_twice_are_refused_in_a_sentence():
    with pytest.raises(BadInput, match="'ann' is paired with itself"):
        merged([Vote("t", "ann", "ann", "first", "x")])
    with pytest.raises(
        BadInput, match=r"'x' judged 'ann' and 'bob' on 't' twice in one order; number the repeats"
    ):
        merged([Vote("t", "bob", "ann", "first", "x"), Vote("t", "bob", "ann", "tie", "x")])


@given(votes_of)
def test_counts_hold_exactly_the_merged_matches(drawn):
    votes = cast(drawn)
    expected = Counter()
    for match in merged(votes):
        expected[match.topic, match.a, match.b, match.winner] += 1
    held = counts(coded(votes))
    found = Counter()
    for (t, topic), (a, one), (b, other) in product(
        enumerate(held.topics), enumerate(held.players), enumerate(held.players)
    ):
        if a < b:
            assert held.tied[t, a, b] == held.tied[t, b, a]
            found += Counter(
                {
                    (topic, one, other, "a"): held.won[t, a, b],
                    (topic, one, other, "b"): held.won[t, b, a],
                    (topic, one, other, "tie"): held.tied[t, a, b],
                }
            )
    assert found == expected


def test_elo_follows_its_formula_to_a_billionth():
    dice = np.random.default_rng(5)
    matches = [
        PairOutcome(
            "t",
            *sorted(dice.choice(NAMES, 2, replace=False)),
            ("a", "b", "tie")[dice.integers(3)],
            "x",
        )
        for _ in range(500)
    ]
    standing = dict.fromkeys(NAMES, 1000.0)
    for one in matches:
        # The logistic curve as a hyperbolic tangent: 1 / (1 + 10^(-d/400)) = (1 + tanh(d ln 10 /
        # 800)) / 2.
        expected = (1 + math.tanh((standing[one.a] - standing[one.b]) * math.log(10) / 800)) / 2
        gained = 4 * ((one.winner == "a") + (one.winner == "tie") / 2 - expected)
        standing[one.a] += gained
        standing[one.b] -= gained
    assert elo(matches) == pytest.approx(standing, abs=1e-9, rel=0)
    assert sum(elo(matches).values()) == pytest.approx(4000, abs=1e-9)


def test_elo_of_one_match_by_hand():
    assert elo([PairOutcome("t", "ann", "bob", "a", "x")]) == {"ann": 1002.0, "bob": 998.0}
    assert elo([PairOutcome("t", "ann", "bob", "tie", "x")]) == {"ann": 1000.0, "bob": 1000.0}
    assert elo([PairOutcome("t", "ann", "bob", "a", "x")], start=1500, k=32) == {
        "ann": 1516.0,
        "bob": 1484.0,
    }


def points(*rows):
    return np.array(rows, dtype=float)


@pytest.mark.parametrize(("won", "lost"), [(10, 1), (3, 2), (1, 7), (100, 1), (4, 4)])
def test_two_players_come_to_the_closed_form_as_the_penalty_goes_to_zero(won, lost):
    apart = 400 * math.log10(won / lost)
    gaps = [
        abs(np.subtract(*bradley_terry(points([0, won], [lost, 0]), penalty)) - apart)
        for penalty in (0.05, 1e-3, 1e-6, 1e-9)
    ]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] < 1e-5
    assert np.subtract(*bradley_terry(points([0, won], [lost, 0]), 0)) == pytest.approx(
        apart, abs=1e-6
    )


def test_a_difference_of_400_means_odds_of_10_to_1():
    assert bradley_terry(points([0, 10], [1, 0]), 0) == pytest.approx([1200, 800], abs=1e-6)


def test_with_the_penalty_two_players_solve_the_penalised_equation():
    a, b = (bradley_terry(points([0, 7], [2, 0])) - 1000) * math.log(10) / 400
    # d/da of 7 log s(a - b) + 2 log s(b - a) - 0.05 (a^2 + b^2) is 0.
    assert 7 / (1 + math.exp(a - b)) - 2 / (1 + math.exp(b - a)) - 0.1 * a == pytest.approx(
        0, abs=1e-9
    )
    assert a == pytest.approx(-b, abs=1e-12)


def by_minorising(won, rounds=20_000):
    """Hunter's iteration for the unpenalised likelihood: strength = wins / sum of games / (own +
    other's strength).
    """
    strength, games = np.ones(len(won)), won + won.T
    for _ in range(rounds):
        strength = won.sum(axis=1) / (games / (strength[:, None] + strength[None, :])).sum(axis=1)
        strength /= np.exp(np.log(strength).mean())
    return 1000 + 400 * np.log10(strength)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_on_a_strongly_connected_set_no_penalty_is_the_unpenalised_solution(seed):
    won = np.random.default_rng(seed).integers(0, 9, (6, 6)) / 2
    np.fill_diagonal(won, 0)
    assert strongly_connected(won)
    assert bradley_terry(won, 0) == pytest.approx(by_minorising(won), abs=1e-6)
    assert bradley_terry(won, 1e-10) == pytest.approx(by_minorising(won), abs=1e-5)


def test_strongly_connected_means_a_chain_of_wins_from_everybody_to_everybody():
    ring = np.roll(np.eye(7), 1, axis=1)
    assert strongly_connected(ring)
    assert not strongly_connected(
        np.where(ring.cumsum(axis=0) > 0, ring, 0) * (np.arange(7) < 6)[:, None]
    )
    assert strongly_connected(points([0, 0.5], [0.5, 0])), "a tie goes both ways"
    assert not strongly_connected(points([0, 3], [0, 0]))


def test_an_undefeated_player_is_finite_with_a_penalty_and_refused_without():
    won = points([0, 20, 20], [0, 0, 12], [0, 8, 0])
    found = bradley_terry(won)
    assert np.isfinite(found).all()
    assert found[0] > found[1] > found[2]
    assert found.mean() == pytest.approx(1000)
    with pytest.raises(BadInput, match="never beaten"):
        bradley_terry(won, 0)
    with pytest.raises(BadInput, match="must be 0 or more"):
        bradley_terry(won, -1)
    found = table(counts(coded(league([9, 0, 0, 0], 12, 1, tie=0))))
    assert (found.ratings[0].player, found.connected) == ("m0", False)


@given(
    st.lists(st.integers(0, 2_000), min_size=20, max_size=20),
    st.sampled_from([1e-9, 1e-4, 0.05, 1.0]),
)
def test_any_results_at_all_give_finite_ratings_where_the_slope_is_zero(drawn, penalty):
    won = np.zeros((5, 5))
    won[~np.eye(5, dtype=bool)] = drawn
    found = bradley_terry(won, penalty)
    theta = (found - 1000) * math.log(10) / 400
    chance = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
    slope = won.sum(axis=1) - ((won + won.T) * chance).sum(axis=1) - 2 * penalty * theta
    assert np.isfinite(found).all()
    assert found.mean() == pytest.approx(1000)
    assert np.abs(slope).max() < 1e-6 * max(1, won.max())


@given(votes_of, st.randoms(use_true_random=False))
def test_neither_the_order_of_votes_nor_the_names_of_players_move_a_rating(drawn, dice):
    votes = cast(drawn)
    plain = {one.player: one.rating for one in table(counts(coded(votes)), resamples=10).ratings}
    shuffled, names = (
        list(votes),
        dict(zip(NAMES, dice.sample(["p", "q", "r", "s"], 4), strict=True)),
    )
    dice.shuffle(shuffled)
    renamed = [
        vote._replace(first=names[vote.first], second=names[vote.second]) for vote in shuffled
    ]
    moved = {one.player: one.rating for one in table(counts(coded(renamed)), resamples=10).ratings}
    assert moved == pytest.approx(
        {names[player]: rating for player, rating in plain.items()}, abs=1e-6
    )


def test_a_table_counts_every_match_and_its_intervals_hold_the_rating():
    found = table(counts(coded(league([1.0, 0.3, 0.0, -1.3], 30, 7))))
    assert (found.connected, found.topics, found.matches, found.note) == (True, 30, 6 * 30, "")
    assert [one.player for one in found.ratings] == ["m0", "m1", "m2", "m3"]
    for one in found.ratings:
        assert one.matches == one.wins + one.losses + one.ties == 3 * 30
        assert one.low < one.rating < one.high
    assert sum(one.wins for one in found.ratings) == sum(one.losses for one in found.ratings)
    assert found == table(counts(coded(league([1.0, 0.3, 0.0, -1.3], 30, 7)))), (
        "the same votes, the same intervals"
    )


def test_intervals_over_topics_cover_true_ratings():
    strengths, inside = np.array([0.8, 0.2, 0.0, -1.0]), 0
    truth = 1000 + strengths * 400 / math.log(10)
    for seed in range(60):
        won, dice = np.zeros((40, 4, 4), dtype=int), np.random.default_rng(seed)
        for a, b in permutations(range(4), 2):
            first = dice.random(40) < 1 / (1 + math.exp(strengths[b] - strengths[a]))
            won[:, a, b] += first
            won[:, b, a] += ~first
        held = counts(coded([]))._replace(
            topics=tuple(map(str, range(40))), players=("0", "1", "2", "3"), won=won, tied=won * 0
        )
        inside += sum(
            one.low <= truth[int(one.player)] <= one.high
            for one in table(held, resamples=300, seed=seed).ratings
        )
    assert inside >= 0.9 * 60 * 4


@pytest.mark.parametrize(("topics", "said"), [(1, "one topic"), (5, "5 topics")])
def test_few_topics_give_ratings_and_no_interval_and_say_so(topics, said):
    found = table(counts(coded(league([1, 0, -1], topics, 3))))
    assert [(one.low, one.high) for one in found.ratings] == [(None, None)] * 3
    assert found.note.startswith(f"All matches are on {said}, so no interval can be given")
    assert (
        table(counts(coded(league([1, 0, -1], 8, 3)))).note
        == "With 8 topics the intervals are rough; 10 or more are better."
    )


def test_equals_are_not_told_apart_because_a_few_topics_happen_to_agree():
    dice = np.random.default_rng(4)
    apart = dict.fromkeys((2, 3, 5, 8), 0)
    for topics in apart:
        for _ in range(60):
            won = np.zeros((topics, 2, 2), dtype=np.int64)
            # Whose text on a topic is better is luck; all five criteria see it.
            ahead = dice.integers(0, 2, topics)
            won[np.arange(topics), ahead, 1 - ahead] = 5
            held = counts(coded([]))._replace(
                topics=tuple(map(str, range(topics))), players=("a", "b"), won=won, tied=won * 0
            )
            apart[topics] += separable(*table(held, resamples=200).ratings)
    assert max(apart.values()) <= 0.15 * 60, apart


def test_a_newcomer_seen_on_few_topics_has_no_interval_while_others_keep_theirs():
    votes = [
        *league([1, 0, -1], 12, 3),
        Vote("t0", "new", "m1", "first", "x"),
        Vote("t0", "m1", "new", "second", "x"),
    ]
    ends = {one.player: one.low for one in table(counts(coded(votes))).ratings}
    assert ends.pop("new") is None
    assert None not in ends.values()
    more = [*votes, *(Vote(f"t{n}", "new", "m2", "tie", "x") for n in range(1, 6))]
    new = next(one for one in table(counts(coded(more))).ratings if one.player == "new")
    assert new.low <= new.rating <= new.high


def test_nothing_played_is_said_and_players_without_a_match_are_left_out():
    assert table(counts(coded([]))) == ((), False, 0, 0, "No match has been played yet.", False)
    held = counts(
        coded([Vote("t", "ann", "bob", "first", "x")])._replace(
            players=["ann", "bob", "cat"], topics=["t", "u"]
        )
    )
    assert [one.player for one in table(held).ratings] == ["ann", "bob"]
    assert curve([]) == []


def rated(player, low, high):
    return PlayerRating(player, 0 if low is None else (low + high) / 2, low, high, 9, 3, 3, 3)


def test_only_intervals_that_lie_apart_separate_and_groups_are_as_large_as_they_can_be():
    ladder = [
        rated("a", 50, 60),
        rated("b", 42, 52),
        rated("c", 35, 45),
        rated("d", 10, 20),
        rated("e", 40, 44),
    ]
    assert separable(ladder[0], ladder[2])
    assert not separable(ladder[0], ladder[1])
    assert not separable(ladder[0], rated("none", None, None))
    assert not_separable(ladder) == [("a", "b"), ("b", "c", "e")]
    assert not_separable([rated("a", 5, 6), rated("b", 1, 2)]) == []


def test_the_curve_ends_at_the_ratings_of_all_matches_and_shows_only_who_has_played():
    votes = league([1, 0, -1], 20, 3)
    matches, final = (
        merged(votes),
        {one.player: one.rating for one in table(counts(coded(votes))).ratings},
    )
    found = curve(matches)
    assert [one.matches for one in found] == [3 * n for n in range(1, 21)]
    assert found[-1].ratings == pytest.approx(final)
    assert found == curve(matches)
    assert [set(one.ratings) for one in curve(matches[:3])] == [
        {"m0", "m1"},
        {"m0", "m1", "m2"},
        {"m0", "m1", "m2"},
    ]
    third = {
        one.player: one.rating
        for one in table(counts(coded(league([1, 0, -1], 20, 3)[: 6 * 7]))).ratings
    }
    assert found[6].ratings == pytest.approx(third), (
        "each point is what a table of those matches says"
    )


def test_meetings_on_one_topic_are_resampled_whole():
    players = ["a", "b", "c", "d"]
    points = np.zeros((6, 4, 4))
    for k, (i, j) in enumerate([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]):
        points[k, i, j], points[k, j, i] = 7, 3
    found = over_meetings(players, points, seed=1)
    assert [one.player for one in found] == players
    assert [(one.matches, one.wins, one.losses) for one in found] == [
        (3, 3, 0),
        (3, 2, 1),
        (3, 1, 2),
        (3, 0, 3),
    ]
    assert [one.rating for one in found] == pytest.approx(
        bradley_terry(points.sum(axis=0)).tolist()
    )
    assert all(one.low < one.rating < one.high for one in found)
    assert over_meetings(players, points, seed=1) == found


def test_with_few_meetings_there_is_no_interval_and_who_met_nobody_is_left_out():
    points = np.zeros((2, 3, 3))
    points[:, 0, 1] = 10
    found = over_meetings(["a", "b", "c"], points)
    assert [(one.player, one.low, one.high) for one in found] == [
        ("a", None, None),
        ("b", None, None),
    ]
    assert not_separable(found) == [("a", "b")]
    assert over_meetings(["a"], np.zeros((0, 1, 1))) == ()


def test_what_is_worked_on_in_parts_comes_to_the_same(monkeypatch):
    dice = np.random.default_rng(5)
    votes = [
        Vote(f"t{t}", f"m{a}", f"m{b}", ("first", "second", "tie")[dice.integers(3)], "j")
        for t in range(8)
        for a, b in permutations(range(6), 2)
    ]
    drawn = counts(coded(votes))
    whole = table(drawn, resamples=300)
    monkeypatch.setattr(ratings, "AT_ONCE", 36 * 7)
    parts = table(drawn, resamples=300)
    assert [one.player for one in parts.ratings] == [one.player for one in whole.ratings]
    for one, other in zip(parts.ratings, whole.ratings, strict=True):
        assert one[1:4] == pytest.approx(other[1:4], abs=1e-6)
