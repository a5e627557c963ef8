"""How far one player stands above another, with intervals over topics that both ratings share."""

import math

import numpy as np
import pytest

from core.judging.ratings import differences, table
from core.judging.votes import MatchCounts


def counted(shares, names=("a", "b")):
    """Return one match a topic between two players; True where the first wins."""
    won = np.zeros((len(shares), 2, 2), dtype=np.int64)
    for topic, first_wins in enumerate(shares):
        won[(topic, 0, 1) if first_wins else (topic, 1, 0)] = 1
    return MatchCounts(tuple(map(str, range(len(shares)))), names, won, np.zeros_like(won))


def test_a_difference_is_the_log_odds_of_winning_on_the_scale_of_ratings():
    held = counted([True] * 30 + [False] * 10)
    (one,) = differences(held, "b", penalty=0)
    # By hand: 30 of 40 won are odds of 3, and 400 log10 3 = 190.8.
    assert one.value == pytest.approx(400 * math.log10(3))
    assert one.low < one.value < one.high
    assert one.low > 0
    assert (one.player, one.other, one.topics) == ("a", "b", 40)


def test_it_is_the_difference_of_the_two_ratings_and_turns_around():
    held = counted([True] * 12 + [False] * 8)
    ratings = {one.player: one.rating for one in table(held).ratings}
    (forward,), (back,) = differences(held, "b"), differences(held, "a")
    assert forward.value == pytest.approx(ratings["a"] - ratings["b"])
    assert (back.value, back.low, back.high) == pytest.approx(
        (-forward.value, -forward.high, -forward.low), abs=1e-6
    )


def test_who_wins_everything_is_held_to_wilsons_share_and_the_sign_test():
    held = counted([True] * 8)
    (one,) = differences(held, "b")
    # By hand: Wilson's lower end of 8 of 8 is 8 / (8 + 1.96^2) = 0.676, odds of 2.083.
    low = 8 / (8 + 1.959964**2)
    assert one.low == pytest.approx(400 * math.log10(low / (1 - low)), abs=0.1)
    assert one.p == pytest.approx(2 / 2**8)


@pytest.mark.parametrize("topics", [2, 5])
def test_few_topics_give_neither_interval_nor_p(topics):
    (one,) = differences(counted([True] * topics), "b")
    assert (one.low, one.high, one.p) == (None, None, None)
    assert one.value > 0


def test_equals_have_an_interval_around_nothing_and_no_small_p():
    (one,) = differences(counted([True, False] * 10), "b")
    assert one.low < 0 < one.high
    assert one.p > 0.5


def test_nobody_is_compared_with_who_never_played():
    assert differences(counted([True] * 8), "c") == ()
