"""The health of judges: intervals that cover the known biases of a simulated judge, ties said, and
no figure from too little.
"""

import math
from itertools import combinations, product

import numpy as np
import pytest

from core.errors import BadInput
from core.judging.health import (
    agreement,
    between_judges,
    cohens_kappa,
    flips,
    length_bias,
    position_bias,
    self_agreement,
    with_people,
)
from core.judging.ranking import order
from core.judging.votes import PairOutcome, Vote
from core.statistics.intervals import Figure, percentiles, share, wilson

QUALITY = np.array([0.9, 0.4, 0.0, -0.3, -1.0])
PAIRS = list(combinations(range(len(QUALITY)), 2))
FIRST, LONGER, TIES = 0.5, 0.8, 0.35
"""The simulated judge: log-odds for the first place, log-odds per unit of ln(length ratio), and how
ready it is to call a tie.
"""


def texts(topics, dice, taste=0.7):
    """Return what a judge sees of every text: its worth (method, topic, length) and its length.
    Better methods write longer texts.
    """
    ln = 6 + 0.5 * QUALITY + dice.normal(0, 0.4, (topics, len(QUALITY)))
    return QUALITY + dice.normal(0, taste, ln.shape) + LONGER * ln, ln


def chances(worth):
    """Return P(first wins), P(second wins), P(tie) by Davidson's model for every topic, pair and
    order: arrays of (topics, pairs, 2).
    """
    a, b = (worth[:, list(side)] for side in zip(*PAIRS, strict=True))
    lead = np.stack([a - b, b - a], axis=-1) + FIRST
    up, down = np.exp(lead / 2), np.exp(-lead / 2)
    return tuple(one / (up + down + TIES) for one in (up, down, TIES))


def simulated(seed, topics=40, taste=0.7):
    """Return the votes of the biased judge on every pair in both orders, and the lengths."""
    dice = np.random.default_rng(seed)
    worth, ln = texts(topics, dice, taste)
    first, second, _ = chances(worth)
    drawn = dice.random(first.shape)
    said = np.where(
        drawn < first, "first", np.where(drawn < first + second, "second", "tie")
    ).tolist()
    votes = [
        Vote(f"t{t}", f"m{pair[way]}", f"m{pair[1 - way]}", said[t][p][way], "x")
        for t in range(topics)
        for p, pair in enumerate(PAIRS)
        for way in (0, 1)
    ]
    return votes, {
        (f"t{t}", f"m{m}"): max(round(1_000 * math.exp(ln[t, m])), 1)
        for t in range(topics)
        for m in range(len(QUALITY))
    }


def truth():
    """Return the judge's true figures: exact probabilities, averaged over the texts of 50,000
    topics.
    """
    first, second, tie = chances(texts(50_000, np.random.default_rng(99))[0])
    same = (
        first[..., 0] * second[..., 1] + second[..., 0] * first[..., 1] + tie[..., 0] * tie[..., 1]
    )
    reversed_ = first[..., 0] * first[..., 1] + second[..., 0] * second[..., 1]
    return 1 - same.mean(), reversed_.mean(), first.sum() / (first + second).sum() - 0.5


def test_intervals_cover_a_simulated_judges_true_flips_and_biases_in_nine_of_ten_simulations():
    # With no taste for single texts, votes with a winner follow the regression's own model
    # (Davidson), so the truth of slope and place is known exactly.
    flip, reverse, place = truth()
    truths = {
        "flip rate": flip,
        "reversed": reverse,
        "position bias": place,
        "length slope": LONGER,
        "length odds": 2**LONGER,
        "position log-odds": FIRST,
    }
    covered = dict.fromkeys(truths, 0)
    for seed in range(200):
        votes, _ = simulated(seed)
        plain, lengths = simulated(1_000 + seed, taste=0.0)
        flipped, length = flips(votes), length_bias(plain, lengths)
        found = (
            flipped.rate,
            flipped.reversed,
            position_bias(votes),
            length.slope,
            length.odds,
            length.position,
        )
        for (name, true), figure in zip(truths.items(), found, strict=True):
            covered[name] += figure.low <= true <= figure.high
    assert min(covered.values()) >= 0.9 * 200, covered
    assert max(covered.values()) < 200, "an interval that always covers says nothing"


def test_quality_is_not_taken_for_length():
    """A fair judge whom length leaves cold, and better methods that write longer: the share of
    longer winners misleads, the slope does not.
    """
    dice, votes, lengths = np.random.default_rng(4), [], {}
    for t in range(60):
        ln = 6 + 0.8 * QUALITY + dice.normal(0, 0.3, len(QUALITY))
        lengths |= {(f"t{t}", f"m{m}"): round(1_000 * math.exp(one)) for m, one in enumerate(ln)}
        for a, b in PAIRS:
            wins = 1 / (1 + math.exp(QUALITY[b] - QUALITY[a]))
            votes += [
                Vote(f"t{t}", f"m{a}", f"m{b}", "first" if dice.random() < wins else "second", "x"),
                Vote(f"t{t}", f"m{b}", f"m{a}", "second" if dice.random() < wins else "first", "x"),
            ]
    found = length_bias(votes, lengths)
    assert found.longer_wins.low > 0.55
    assert found.slope.low < 0 < found.slope.high
    assert found.odds.low < 1 < found.odds.high
    assert found.position.low < 0 < found.position.high


def vote(topic, first, second, winner, judge="x", **more):
    return Vote(topic, first, second, winner, judge, **more)


def both_orders(said, topics=12):
    """The same two verdicts on one pair in every topic."""
    return [
        one
        for n in range(topics)
        for one in (vote(f"t{n}", "a", "b", said[0]), vote(f"t{n}", "b", "a", said[1]))
    ]


@pytest.mark.parametrize(
    ("said", "rate", "reversed_"),
    [
        (("first", "second"), 0, 0),
        (("tie", "tie"), 0, 0),
        (("first", "first"), 1, 1),
        (("second", "second"), 1, 1),
        (("first", "tie"), 1, 0),
    ],
)
def test_a_tie_against_a_winner_is_a_flip_but_no_reversal(said, rate, reversed_):
    found = flips(both_orders(said))
    assert (found.rate.value, found.reversed.value, found.rate.n) == (rate, reversed_, 12)
    assert found.rate.low < found.rate.high, "twelve topics that are all alike are no certainty"
    assert found.rate.how.startswith("Wilson's")


def test_flips_count_only_pairs_one_judge_saw_in_both_orders():
    other = [vote(f"u{n}", "a", "b", "first", "y") for n in range(30)]
    assert flips(both_orders(("first", "first")) + other).rate.n == 12
    found = flips(other).rate
    assert (found.value, found.note) == (
        None,
        "No pairs were judged in both orders by one judge: a share needs 10.",
    )


def test_position_bias_says_where_quality_may_hide_in_it():
    swapped = both_orders(("first", "second"), 20)
    assert (position_bias(swapped).value, position_bias(swapped).note) == (0, "")
    found = position_bias([one for one in swapped if one.first == "a"])
    assert (found.value, found.note) == (
        0.5,
        "20 of the pairs stood in one order only, so quality is not fully taken out.",
    )
    assert (
        position_bias(both_orders(("tie", "tie"), 20)).note
        == "No votes name a winner: a share needs 10."
    )


def test_a_length_slope_is_refused_where_it_cannot_be_told():
    votes, lengths = simulated(1)
    few = length_bias(votes[:20], lengths)
    assert few.slope.value is None
    assert (
        few.slope.note
        == few.position.note
        == f"Only {few.slope.n} votes name a winner: a regression on length needs 50."
    )
    own = {(topic, player): 100 * (1 + int(player[1:])) for topic, player in lengths}
    assert length_bias(votes, own).slope.note.startswith(
        "Every method writes texts of its own length"
    )
    assert length_bias(votes, dict.fromkeys(lengths, 300)).slope.note.startswith(
        "Every method writes texts of its own length"
    )
    always = [
        one._replace(
            winner=(
                "first"
                if lengths[one.topic, one.first] > lengths[one.topic, one.second]
                else "second"
            )
        )
        for one in votes
    ]
    found = length_bias(always, lengths)
    assert found.slope.note.startswith("Length or place decides these votes without exception")
    assert found.longer_wins.value == 1
    few_topics = length_bias([one for one in votes if int(one.topic[1:]) < 8], lengths).slope
    assert (few_topics.low, few_topics.note) == (
        None,
        "Votes are on 8 topics: an interval needs 10.",
    )
    assert few_topics.value is not None
    with pytest.raises(BadInput, match="The length of the text of 'm0' on 't0' is missing or 0"):
        length_bias(votes, lengths | {("t0", "m0"): 0})
    assert length_bias([], {}).slope.value is None


def test_self_agreement_compares_every_two_repeats_of_one_order():
    said = ("first", "first", "second")
    votes = [
        vote(f"t{n}", "a", "b", winner, repeat=k)
        for n in range(12)
        for k, winner in enumerate(said, 1)
    ]
    found = self_agreement(votes)
    assert (found.value, found.n) == (pytest.approx(1 / 3), 12 * 3)
    swapped = [vote(f"t{n}", "b", "a", "first", repeat=4) for n in range(12)]
    assert self_agreement(votes + swapped) == found, "the other order is no repeat"
    assert (
        self_agreement(both_orders(("first", "first"))).note
        == "No pairs of repeats: a share needs 10."
    )


def match(topic, winner, judge, person=False, pair=("a", "b")):
    return PairOutcome(topic, *pair, winner, judge, person)


def test_agreement_with_and_without_ties_and_kappa_are_as_counted_by_hand():
    # 20 pairs: both a 8, both b 4, both tie 2, a against b 2, a against tie 3, tie against b 1.
    said = (
        [("a", "a")] * 8
        + [("b", "b")] * 4
        + [("tie", "tie")] * 2
        + [("a", "b")] * 2
        + [("a", "tie")] * 3
        + [("tie", "b")]
    )
    ours, theirs = (
        [match(f"t{n}", pair[side], "xy"[side]) for n, pair in enumerate(said)] for side in (0, 1)
    )
    found = agreement(ours, theirs)
    assert (found.with_ties.value, found.with_ties.n) == (pytest.approx(14 / 20), 20)
    assert (found.without_ties.value, found.without_ties.n) == (pytest.approx(12 / 14), 14)
    expected = (13 * 8 + 4 * 7 + 3 * 5) / 400
    assert found.kappa.value == pytest.approx((0.7 - expected) / (1 - expected))
    assert found.kappa.low < found.kappa.value < found.kappa.high
    assert found.with_ties.how == "bootstrap over 20 topics"


def test_only_the_same_pair_on_the_same_topic_is_held_against_another():
    ours = [match(f"t{n}", "a", "x") for n in range(12)]
    assert (
        agreement(ours, [match(f"t{n}", "a", "y", pair=("a", "c")) for n in range(12)]).with_ties.n
        == 0
    )
    assert (
        agreement(ours, [match(f"u{n}", "a", "y") for n in range(12)]).with_ties.note
        == "No matches are judged by both: a share needs 10."
    )
    two = agreement(
        ours,
        [
            match(f"t{n}", winner, judge)
            for n in range(12)
            for winner, judge in (("a", "y"), ("b", "z"))
        ],
    )
    assert (two.with_ties.value, two.with_ties.n) == (0.5, 24)


def test_kappa_is_refused_where_both_always_say_one_thing():
    found = agreement(
        [match(f"t{n}", "a", "x") for n in range(12)], [match(f"t{n}", "a", "y") for n in range(12)]
    )
    assert found.with_ties.value == 1
    assert (found.kappa.value, found.kappa.note[:36]) == (
        None,
        "Both sides always say the same one t",
    )
    assert cohens_kappa(np.array([[5.0, 0], [0, 5]])) == 1
    assert cohens_kappa(np.array([[5.0, 5], [5, 5]])) == 0


def test_a_topic_that_was_written_on_several_times_is_one():
    # Two texts of each method on each of six topics; on two of these the judge takes the first.
    votes = []
    for n, seed in product(range(6), (1, 2)):
        said = ("first", "first") if n < 2 else ("first", "second")
        pairs = (("a", "b"), ("b", "a"))
        votes += [
            vote(f"t{n} #{seed}", *pair, winner) for pair, winner in zip(pairs, said, strict=True)
        ]
    base = {f"t{n} #{seed}": f"t{n}" for n, seed in product(range(6), (1, 2))}
    lengths = {(name, method): 10 + len(method) for name in base for method in "ab"}
    lengths |= {(name, "a"): 20 for name in base}
    apart, together = length_bias(votes, lengths), length_bias(votes, lengths, base)
    assert apart.longer_wins.value == together.longer_wins.value
    width = [one.longer_wins.high - one.longer_wins.low for one in (apart, together)]
    assert width[0] < width[1]
    for figure in (position_bias, lambda *given: flips(*given).rate):
        alone, held = figure(votes), figure(votes, base)
        assert alone.value == held.value
        assert alone.high - alone.low < held.high - held.low
    # What was asked of another text is no repeat, and agrees with nothing said of this one.
    assert self_agreement(votes, base).n == 0
    person = [one._replace(judge="Kim", person=True) for one in votes]
    both = with_people({"novelty": [*votes, *person]}, base)["novelty"]
    assert (both.with_ties.value, both.with_ties.n) == (1.0, 12)
    assert between_judges({"x": votes, "Kim": person}, base)["x", "Kim"].with_ties.value == 1.0


def test_judges_are_held_against_each_other_and_against_people_by_criterion():
    votes = [
        one
        for n in range(12)
        for one in (
            vote(f"t{n}", "a", "b", "first", "x"),
            vote(f"t{n}", "a", "b", "first", "y"),
            vote(f"t{n}", "b", "a", "first", "Kim", person=True),
        )
    ]
    by_judge = {name: [one for one in votes if one.judge == name] for name in ("Kim", "x", "y")}
    found = between_judges(by_judge)
    assert {key: one.with_ties.value for key, one in found.items()} == {
        ("Kim", "x"): 0,
        ("Kim", "y"): 0,
        ("x", "y"): 1,
    }
    people = with_people({"novelty": votes, "clarity": votes[:6]})
    assert (people["novelty"].with_ties.value, people["novelty"].with_ties.n) == (0, 24)
    assert (
        people["clarity"].with_ties.note == "Only 4 matches are judged by both: a share needs 10."
    )


def test_wilsons_interval_is_the_published_one():
    # Newcombe (1998), table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    for hits, n, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert wilson(hits, n) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))
    assert wilson(20, 20)[1] == 1


def test_a_share_of_few_topics_says_that_they_are_taken_as_independent():
    hits = np.arange(40) % 3 == 0
    assert share(hits, np.arange(40) // 10, "pairs").how.startswith(
        "Wilson's, observations of 4 topics taken as independent"
    )
    assert share(hits, np.arange(40) // 2, "pairs").how == "bootstrap over 20 topics"


def test_a_share_of_few_topics_covers_the_truth_where_the_criteria_of_a_ballot_go_together():
    dice, covered = np.random.default_rng(7), 0
    for _ in range(200):
        # Eight topics, six pairs each, five criteria of which nine in ten say what the first says.
        one = np.repeat(dice.random((48, 1)) < 0.3, 5, axis=1)
        hits = np.where(dice.random((48, 5)) < 0.9, one, dice.random((48, 5)) < 0.3)
        found = share(hits.ravel(), np.arange(240) // 30, "pairs")
        covered += found.low <= 0.3 <= found.high
    assert covered >= 180


def test_clustered_votes_get_a_wider_interval_than_as_many_independent_ones():
    """Thirty topics whose twenty votes all say the same are worth thirty votes, not 600."""
    hits, topics = np.repeat(np.arange(30) % 2 == 0, 20), np.repeat(np.arange(30), 20)
    clustered, plain = share(hits, topics, "votes"), wilson(300, 600)
    assert clustered.high - clustered.low > 3 * (plain[1] - plain[0])


def test_a_figure_undefined_in_many_resamples_has_no_interval():
    assert percentiles(np.array([1.0, np.nan] * 50), 20) is None
    assert Figure(None, None, None, 3, note="why").through(math.exp).value is None


def standing(seed, shuffled, targets=300, ideas=3, first=0.9, repeats=4):
    """Return per target the mean Q by a ranker that prefers early places, and what one without
    preference would come to on average.

    The ranker is Plackett-Luce: worth + place + Gumbel's noise, best first. So P(target after i) is
    logistic, and Q without preference is known exactly.
    """
    dice = np.random.default_rng(seed)
    names = ["idea 1", "idea 2", "idea 3", "target"]
    found, exact = [], []
    for n in range(targets):
        worth = dict(zip(names, dice.normal(0, 1, ideas + 1), strict=True))
        exact.append(
            np.mean([1 / (1 + math.exp(worth["target"] - worth[name])) for name in names[:-1]])
        )
        qs = []
        for k in range(1, repeats + 1):
            shown = (
                order(names, 11, f"final/target-{n}/repeat-{k}", k)
                if shuffled
                else ("target", *names[:-1])
            )
            score = {
                name: worth[name] - first * at + dice.gumbel() for at, name in enumerate(shown)
            }
            qs.append(sorted(names, key=lambda name: -score[name]).index("target") / ideas)
        found.append(np.mean(qs))
    return np.array(found), np.array(exact)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_shuffling_takes_a_rankers_preference_for_early_places_out_of_q_and_target_first_does_not(
    seed,
):
    for shuffled in (True, False):
        found, exact = standing(seed, shuffled)
        apart = found - exact
        errors = apart.mean() / (apart.std(ddof=1) / len(apart) ** 0.5)
        if shuffled:
            assert abs(errors) <= 3
        else:
            assert errors < -10, "the target, always first, looks far better than it is"
