"""Agreement on comparisons: extremes by hand, kappa and alpha against their formulas whatever ideas
are called, majorities, repeats, and refusals.
"""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.agreement.answers import PairAnswer, checked
from core.agreement.pairs import majority, pair_agreement
from core.errors import BadInput
from core.statistics.alpha import alpha
from core.statistics.matrix import matrix

PAIRS = list(combinations("abcdef", 2))
"""15 pairs of 6 ideas."""


def answers(strengths, rater="ann", criterion="novelty", **more):
    """Return one rater's answers on as many pairs as there are strengths."""
    return [
        PairAnswer(a, b, rater, criterion, strength, a, **more)
        for (a, b), strength in zip(PAIRS, strengths, strict=False)
    ]


def drawn(seed, raters=4, noise=1.0, pairs=15):
    """Return the answers of experts who see the same quality, each with noise of their own."""
    dice = np.random.default_rng(seed)
    quality = dice.normal(0, 1, pairs)
    return [
        one
        for n in range(raters)
        for one in answers(
            np.clip(np.round(quality + dice.normal(0, noise, pairs)), -2, 2).astype(int).tolist(),
            f"e{n}",
        )
    ]


def renamed(given, names):
    return [one._replace(a=names[one.a], b=names[one.b], left=names[one.left]) for one in given]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"b": "a"}, "compared 'a' with itself"),
        ({"strength": 3}, "answered 3 on 'a' and 'b'; answers run from -2 to 2"),
        ({"left": "c"}, "'c' is said to stand left of a pair it does not belong to"),
        ({}, "answered 'novelty' on 'a' and 'b' twice; number the repeats"),
    ],
)
def test_answers_that_cannot_be_are_refused_in_a_sentence(change, said):
    one = answers([1])[0]
    with pytest.raises(BadInput, match=said):
        checked([one, one._replace(**change)])


def test_an_answer_reads_the_same_from_every_side():
    one = PairAnswer("z", "b", "ann", "novelty", 2, "b")
    assert (one.pair, one.lead, one.right, one.for_left) == (("b", "z"), -2, "z", -2)


def test_experts_who_say_the_same_agree_fully():
    said = [1, -1, 0, 2, -2] * 3
    found = pair_agreement(
        [*answers(said), *answers(said, "bob"), *answers(said, "cat")], "novelty"
    )
    for one in (
        *found.experts,
        *found.ceiling,
        *found.pairs["ann", "bob"],
        found.nominal,
        found.ordinal,
    ):
        assert one.value == pytest.approx(1), one.name
    # Wilson's lower end at nothing but hits: n / (n + z^2).
    assert found.experts.with_ties.low == pytest.approx(15 / (15 + 1.96**2), abs=1e-3)
    assert found.experts.without_ties.n == 12, "three of the pairs are ties"


def test_contrary_experts_agree_on_nothing():
    said = [1, -1, 2, -2, 1] * 3
    found = pair_agreement([*answers(said), *answers([-one for one in said], "bob")], "novelty")
    assert [one.value for one in found.experts] == pytest.approx([0, 0, -1])
    assert found.nominal.value < -0.9


def test_with_ties_and_without_count_what_they_say():
    """By hand: of 15 pairs, 6 the same winner, 2 both a tie, 4 a tie and a winner, 3 contrary."""
    ann, bob = [1] * 6 + [0] * 2 + [0] * 4 + [1] * 3, [2] * 6 + [0] * 2 + [1] * 4 + [-1] * 3
    found = pair_agreement([*answers(ann), *answers(bob, "bob")], "novelty").pairs["ann", "bob"]
    assert found.with_ties.value == pytest.approx(8 / 15)
    assert (found.without_ties.value, found.without_ties.n) == (None, 9)
    assert (
        found.without_ties.refused
        == "agreement without ties needs 10 pairs of ideas to be taken over; there are 9."
    )
    # From both sides ann says win : tie : loss = 9 : 12 : 9 of 30, bob 13 : 4 : 13.
    expected = (9 * 13 * 2 + 12 * 4) / 900
    assert found.with_ties.chance == pytest.approx(expected)
    assert found.kappa.value == pytest.approx((8 / 15 - expected) / (1 - expected))


@given(st.permutations("uvwxyz"))
@settings(max_examples=15)
def test_no_value_but_alphas_changes_with_what_ideas_are_called(names):
    given_, called = drawn(3), dict(zip("abcdef", names, strict=True))
    one, other = (
        pair_agreement(given_, "novelty", {"e3"}),
        pair_agreement(renamed(given_, called), "novelty", {"e3"}),
    )
    for left, right in (
        (one.experts, other.experts),
        (one.ceiling, other.ceiling),
        (one.models["e3"], other.models["e3"]),
    ):
        assert [found.value for found in left] == pytest.approx([found.value for found in right])


@pytest.mark.parametrize("level", ["nominal", "ordinal"])
def test_alpha_is_krippendorffs_over_every_pair_once(level):
    given_ = drawn(5)[:-4]
    triples = [
        (str(one.pair), one.rater, float(np.sign(one.lead) if level == "nominal" else one.lead))
        for one in given_
    ]
    found = getattr(pair_agreement(given_, "novelty"), level)
    assert found.value == pytest.approx(alpha(matrix(triples), "novelty", level).value)
    assert (found.n, found.raters) == (15, 4)
    assert found.low < found.value < found.high
    assert found.how.startswith("each pair once, seen from the first in the alphabet; ")


def test_alpha_of_pairs_is_that_of_the_textbook_by_hand():
    """Two raters on ten pairs, nine the same: ann names the first of six, bob of seven; both
    answers of a pair are one coincidence each way.
    """
    found = pair_agreement(
        [*answers([1] * 6 + [-1] * 4), *answers([1] * 7 + [-1] * 3, "bob")], "novelty"
    ).nominal
    # 20 values, 13 of the one and 7 of the other: 1 - (n - 1) * 2 / (13 * 7 * 2).
    assert found.value == pytest.approx(1 - 19 * 2 / (2 * 13 * 7))


def test_one_answer_on_every_pair_is_no_agreement_beyond_chance():
    found = pair_agreement([*answers([1] * 15), *answers([1] * 15, "bob")], "novelty")
    assert "give one answer on every pair" in found.nominal.refused


def test_intervals_of_agreement_cover_the_long_run_in_nine_of_ten_simulations():
    """Three experts, of one pair alike with probability 0.6 for a winner that is fixed, or a coin:
    truth by arithmetic.
    """
    sharp, covered = 0.6, np.zeros(2)
    truth = (1 + sharp**2) / 2
    for seed in range(100):
        dice = np.random.default_rng(seed)
        better = dice.integers(2, size=15)
        said = [
            np.where(dice.random(15) < sharp, better, dice.integers(2, size=15)) * 2 - 1
            for _ in range(3)
        ]
        found = pair_agreement(
            [one for n, row in enumerate(said) for one in answers(row.tolist(), f"e{n}")], "novelty"
        )
        covered += [
            found.experts.with_ties.low <= truth <= found.experts.with_ties.high,
            found.nominal.low <= 2 * truth - 1 <= found.nominal.high,
        ]
    assert covered.min() >= 90, covered


def test_a_majority_needs_more_than_any_other_answer():
    assert majority([2, 1, -1]) == 1
    assert majority([0, 0, -2]) == 0
    assert majority([1, -1]) is None
    assert majority([]) is None


def test_models_meet_the_majority_of_all_experts_and_experts_that_of_the_others():
    said = {"ann": 1, "bob": 1, "cat": -1, "gpt": 2}
    found = pair_agreement(
        [one for rater, strength in said.items() for one in answers([strength] * 15, rater)],
        "novelty",
        {"gpt"},
    )
    assert found.models["gpt"].with_ties.value == 1
    # Of ann's others one says a and one b: no majority. Both of cat's say a.
    assert found.by_expert["ann"].with_ties.value is None
    assert found.by_expert["cat"].with_ties.value == 0
    assert (found.ceiling.with_ties.value, found.ceiling.with_ties.n) == (0, 15)
    assert "gpt" not in found.by_expert
    assert ("ann", "gpt") in found.pairs
    assert found.experts.with_ties.value == pytest.approx(1 / 3), "experts only"
    experts = pair_agreement(
        [one for rater in ("ann", "bob", "cat") for one in answers([said[rater]] * 15, rater)],
        "novelty",
    )
    assert (found.nominal, found.ordinal, found.ceiling) == (
        experts.nominal,
        experts.ordinal,
        experts.ceiling,
    )


def test_a_second_asking_counts_for_self_agreement_alone():
    said, again = drawn(1, raters=2), answers([1] * 5 + [-1] * 10, "e0", repeat=2)
    first = [np.sign(one.lead) for one in said[:15]]
    found, without = pair_agreement([*again, *said], "novelty"), pair_agreement(said, "novelty")
    assert found.experts == without.experts
    assert found.ordinal == without.ordinal
    assert found.repeats.value == pytest.approx(
        np.mean([one == other for one, other in zip(first, [1] * 5 + [-1] * 10, strict=True)])
    )
    assert found.repeats_by["e0"].value == found.repeats.value
    assert "there are none" in found.repeats_by["e1"].refused
    assert "there are none" in without.repeats.refused


def test_a_second_answer_without_a_first_is_in_no_figure():
    said = drawn(1, raters=2)
    late = answers([1] * 10, "gpt", repeat=1)[:6] + answers([1] * 15, "gpt", repeat=2)[6:]
    with_late = pair_agreement([*said, *late], "novelty", {"gpt"})
    alone = pair_agreement([*said, *late[:6]], "novelty", {"gpt"})
    assert with_late.models == alone.models
    assert with_late.pairs["e0", "gpt"].with_ties.n == 6
    assert with_late.pairs == alone.pairs


def test_both_weak_is_a_share_of_answers_by_itself():
    weak = [*answers([0] * 6, both_weak=True), *answers([0] * 15)[6:]]
    found = pair_agreement([*weak, *answers([1] * 15, "gpt")], "novelty", {"gpt"})
    assert found.both_weak.value == pytest.approx(6 / 15)
    assert found.both_weak_by["gpt"].value == 0
    assert 0.1 < found.both_weak_by["gpt"].high < 0.3
    assert found.both_weak.reading.startswith(
        "Both ideas are called weak in 0.40 (95 % interval 0."
    )


def test_criteria_are_taken_apart():
    given_ = [
        *answers([1] * 15),
        *answers([1] * 15, "bob"),
        *answers([-1] * 15, criterion="clarity"),
        *answers([1] * 15, "bob", "clarity"),
    ]
    assert pair_agreement(given_, "novelty").experts.with_ties.value == 1
    assert pair_agreement(given_, "clarity").experts.with_ties.value == 0


def test_too_little_and_nothing_but_ties_are_refused_with_a_reason():
    alone, few = (
        pair_agreement(answers([1] * 15), "novelty"),
        pair_agreement(drawn(1, pairs=9), "novelty"),
    )
    for one in (*alone.experts, *alone.ceiling, alone.nominal, alone.ordinal):
        assert one.refused == f"{one.name} needs answers of 2 raters or more; there is 1."
    for one in (*few.experts, *few.pairs["e0", "e1"], few.nominal, few.ordinal, few.both_weak):
        assert one.value is None
        assert "needs 10 pairs of ideas" in one.refused
    ties = pair_agreement([*answers([0] * 15), *answers([0] * 15, "bob")], "novelty")
    assert ties.experts.with_ties.value == 1
    assert "only ever call a tie" in ties.experts.kappa.refused
    assert "only ever call a tie" in ties.ordinal.refused
    assert "there are none" in pair_agreement([], "novelty").both_weak.refused


def test_a_criterion_with_a_comma_in_its_name_does_not_run_into_the_sentence():
    found = pair_agreement(
        [one._replace(criterion="novel, and bold") for one in drawn(1)], "novel, and bold"
    )
    assert found.experts.with_ties.reading.startswith("The same answer of three, two experts: ")
    assert found.experts.with_ties.about == "novel, and bold, two experts"
