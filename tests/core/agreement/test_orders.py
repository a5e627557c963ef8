"""Agreement on orders: W against textbooks, tau-b against scipy, Q beside its chance level, and
whether the human idea is found.
"""

from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.agreement.hidden import HumanGuess, found_target, hidden_agreement, target_places
from core.agreement.orders import order_agreement, tau_b
from core.agreement.rankings import RankedSet, mean_ranks
from core.errors import BadInput
from core.judging.ranking import by_chance
from core.statistics.concordance import kendalls_w, of_set
from core.statistics.intervals import wilson

ORDER = (("a",), ("b",), ("c",), ("d",))
ranks = st.lists(st.integers(1, 3), min_size=5, max_size=5).map(stats.rankdata)


def in_order(worth, items="abcd"):
    """Return a ranking by worth, the best first."""
    return tuple((items[n],) for n in np.argsort(-np.asarray(worth)))


def simulated(seed, sets=30, experts=6, models=(("gpt", 1.0),), noise=1.0):
    """Return sets of 4 ideas that experts and models rank by their worth and noise of their own."""
    dice = np.random.default_rng(seed)
    raters = {**{f"e{n}": noise for n in range(experts)}, **dict(models)}
    worth = dice.normal(size=(sets, 4))
    return [
        RankedSet(
            f"s{n}",
            {name: in_order(worth[n] + dice.normal(0, size, 4)) for name, size in raters.items()},
            "a",
        )
        for n in range(sets)
    ]


def alike(n, *rankings, target="a"):
    """Return n sets that are all ranked the same way."""
    return [
        RankedSet(f"s{s}", {f"e{k}": one for k, one in enumerate(rankings)}, target)
        for s in range(n)
    ]


def test_tied_ideas_share_the_mean_of_their_places():
    found = mean_ranks(
        RankedSet("s", {"ann": (("c",), ("a", "d"), ("b",)), "bob": (("a", "b", "c", "d"),)})
    )
    assert found["ann"].tolist() == [2.5, 4, 1, 2.5]
    assert found["bob"].tolist() == [2.5] * 4


@pytest.mark.parametrize(
    "ranking", [(("a",), ("b",)), (("a",), ("a", "b", "c")), (("a", "b"), ("c",), ("x",))]
)
def test_rankings_of_other_ideas_or_of_one_idea_twice_are_refused(ranking):
    with pytest.raises(
        BadInput, match=r"set 's' by '(ann|bob)' must name each of the set's . ideas once"
    ):
        mean_ranks(RankedSet("s", {"ann": (("a",), ("b",), ("c",)), "bob": ranking}))


def test_w_of_siegels_worked_examples():
    """Siegel, Nonparametric Statistics (1956): W = .16 of 3 executives on 6 applicants (p. 229);
    with many ties, W = .828 of 3 judges on 10 (p. 234).
    """
    plain = [[1, 6, 3, 2, 5, 4], [1, 5, 6, 4, 2, 3], [6, 3, 2, 5, 4, 1]]
    tied = [
        [1, 4.5, 2, 4.5, 3, 7.5, 6, 9, 7.5, 10],
        [2.5, 1, 2.5, 4.5, 4.5, 8, 9, 6.5, 10, 6.5],
        [2, 1, 4.5, 4.5, 4.5, 4.5, 8, 8, 8, 10],
    ]
    assert kendalls_w(np.array(plain, dtype=float)) == pytest.approx(0.16, abs=0.005)
    assert kendalls_w(np.array(tied)) == pytest.approx(0.828, abs=0.0005)


def test_w_at_its_ends_and_without_an_order():
    one = np.arange(1.0, 6)
    assert kendalls_w(np.array([one, one, one])) == 1
    assert kendalls_w(np.array([one, one[::-1]])) == 0
    assert np.isnan(kendalls_w(np.full((3, 5), 3.0)))
    assert "ties all ideas" in of_set(np.full((3, 5), 3.0), "s").refused


@given(
    st.lists(ranks, min_size=2, max_size=5).filter(
        lambda said: any(len(set(one)) > 1 for one in said)
    )
)
def test_w_is_the_textbook_formula_with_its_correction_for_ties(said):
    m, n = len(said), 5
    totals = np.sum(said, axis=0)
    ties = sum(
        int(times**3 - times) for one in said for times in np.unique(one, return_counts=True)[1]
    )
    expected = 12 * ((totals - totals.mean()) ** 2).sum() / (m**2 * (n**3 - n) - m * ties)
    assert kendalls_w(np.array(said)) == pytest.approx(expected)


def test_ws_p_value_is_exact_for_few_ideas_and_chi_square_for_many():
    said = np.array([[1.0, 2, 3], [1, 3, 2], [1, 2, 3]])
    values = [
        kendalls_w(np.array(orders, dtype=float))
        for orders in product(permutations((1, 2, 3)), repeat=3)
    ]
    exact = np.mean(np.array(values) >= kendalls_w(said) - 1e-9)
    assert of_set(said, "s").p == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 9_999))
    # Friedman's chi-square is m (n - 1) W.
    many = np.array([stats.rankdata(row) for row in np.random.default_rng(1).normal(size=(4, 9))])
    assert of_set(many, "s").p == pytest.approx(stats.friedmanchisquare(*many.T).pvalue)


@given(ranks, ranks)
def test_tau_b_is_scipys(one, other):
    found, theirs = tau_b(one, other), stats.kendalltau(one, other).statistic
    assert found is None if np.isnan(theirs) else found == pytest.approx(theirs)


def test_identical_orders_agree_fully_with_wilsons_interval_on_each_figures_scale():
    found = order_agreement(alike(12, ORDER, ORDER, ORDER), {"e2"})
    for one in (found.w, found.tau, found.ceiling, found.models["e2"], found.pairs["e0", "e1"]):
        low, _ = wilson(12, 12)
        assert (one.value, one.high, one.n) == (1, 1, 12)
        assert one.low == pytest.approx(low if one.name == "Kendall's W" else 2 * low - 1)
        assert "Wilson's over 12 sets" in one.how
    assert found.w.p == pytest.approx(1e-4)
    assert found.sets[0].models == {"e2": 1}


def test_contrary_orders_disagree_fully():
    found = order_agreement(alike(12, ORDER, ORDER[::-1]))
    assert (found.w.value, found.tau.value, found.ceiling.value) == (0, -1, -1)


def test_agreement_by_chance_is_found_to_be_chance():
    found = order_agreement(simulated(3, sets=40, experts=5, noise=1e6, models=[("gpt", 1e6)]))
    assert found.w.chance == pytest.approx(1 / 6)
    assert found.w.low < 1 / 6 < found.w.high
    assert found.w.p > 0.05
    assert found.tau.low < 0 < found.tau.high


def test_the_mean_order_leaves_out_the_one_it_is_held_against():
    """Three experts on one set, by hand: the model meets all three, an expert only the other
    two.
    """
    said = {
        "ann": ("a", "b", "c", "d"),
        "bob": ("a", "c", "b", "d"),
        "cat": ("d", "c", "b", "a"),
        "gpt": ("a", "b", "c", "d"),
    }
    found = order_agreement(
        [RankedSet("s", {name: tuple((item,) for item in order) for name, order in said.items()})],
        {"gpt"},
    ).sets[0]
    places = {
        name: np.array([order.index(item) + 1 for item in "abcd"]) for name, order in said.items()
    }
    assert found.models["gpt"] == pytest.approx(
        stats.kendalltau(places["gpt"], places["ann"] + places["bob"] + places["cat"]).statistic
    )
    assert found.experts["ann"] == pytest.approx(
        stats.kendalltau(places["ann"], places["bob"] + places["cat"]).statistic
    )
    assert found.experts["cat"] == pytest.approx(-1.0, abs=0.1)


def test_a_models_figure_stands_beside_the_ceiling_and_every_two_raters_have_one():
    found = order_agreement(
        simulated(1, models=[("sharp", 0.1), ("deaf", 1e6)]), {"sharp", "deaf"}, "novelty"
    )
    assert (
        found.models["sharp"].low
        > found.ceiling.high
        > found.ceiling.low
        > found.models["deaf"].high
    )
    assert set(found.pairs) == set(
        combinations(sorted(["deaf", "sharp", *(f"e{n}" for n in range(6))]), 2)
    )
    assert set(found.experts) == {f"e{n}" for n in range(6)}
    assert found.tau.about == "novelty, between experts"
    assert "where chance gives 0.17; significant at 0.05" in found.w.reading


def long_run(sets=200_000):
    """Return the mean W, tau between two of three experts, and tau of one with the mean order of
    the two others, of `simulated` over very many sets.
    """
    dice = np.random.default_rng(99)
    seen = dice.normal(size=(sets, 1, 4)) + dice.normal(size=(sets, 3, 4))
    places = (seen[..., None] <= seen[..., None, :]).sum(axis=-1).astype(float)
    up, down = np.triu_indices(4, 1)
    one, two, rest = (
        np.sign(said[:, up] - said[:, down])
        for said in (places[:, 0], places[:, 1], places[:, 1] + places[:, 2])
    )
    totals = places.sum(axis=1)
    room = np.sqrt(6 * (rest**2).sum(axis=1)).sum()
    return (
        ((totals - 7.5) ** 2).sum(axis=1).mean() / 45,
        (one * two).mean(),
        (one * rest).sum() / room,
    )


def test_intervals_of_w_and_tau_cover_the_long_run_in_nine_of_ten_simulations(monkeypatch):
    monkeypatch.setattr("core.statistics.concordance.PERMUTATIONS", 9)
    truth, covered = long_run(), np.zeros(3)
    for seed in range(100):
        found = order_agreement(simulated(seed, sets=20, experts=3, models=()))
        covered += [
            one.low <= true <= one.high
            for one, true in zip((found.w, found.tau, found.ceiling), truth, strict=True)
        ]
    assert covered.min() >= 90, covered
    assert covered.max() < 100, "an interval that always covers says nothing"


def test_too_little_is_refused_with_a_reason():
    alone = order_agreement(simulated(0, experts=1), {"gpt"})
    for one in (alone.w, alone.tau, alone.ceiling):
        assert one.refused == f"{one.name} needs answers of 2 raters or more; there is 1."
    assert alone.models["gpt"].value is not None
    assert "there are none" in order_agreement([]).w.refused


def test_under_ten_sets_w_tau_and_q_stand_with_their_n_and_no_verdict():
    few = simulated(0, sets=9)
    orders, hidden, ten = (
        order_agreement(few, {"gpt"}),
        hidden_agreement(few, {"gpt"}),
        order_agreement(simulated(0, sets=10), {"gpt"}),
    )
    assert orders.w.value == pytest.approx(np.mean([one.w.value for one in orders.sets]))
    assert hidden.q["e0"].value == pytest.approx(np.mean([target_places(one)["e0"] for one in few]))
    for one in (
        orders.w,
        orders.tau,
        orders.ceiling,
        orders.pairs["e0", "e1"],
        orders.models["gpt"],
        hidden.q_experts,
        hidden.q["gpt"],
    ):
        assert (one.n, one.unit, one.few, one.refused) == (9, "sets", True, "")
        assert (one.low, one.high, one.p) == (None, None, None)
        assert one.how == "9 sets only: no interval, since 10 are needed to say how sure it is"
        assert "significant" not in one.reading
        assert "agree" not in one.reading
    assert "needs 10 sets" in hidden.a["gpt"].refused
    assert not ten.w.few
    assert ten.w.p is not None


def test_a_set_that_only_a_model_ranked_breaks_nothing():
    found = order_agreement(
        [*simulated(2, sets=3, experts=2), RankedSet("alone", {"gpt": ORDER})], {"gpt"}
    )
    assert (found.w.n, found.models["gpt"].n) == (3, 3)
    assert found.sets[3].w.refused


def test_sets_that_one_expert_ranked_or_nobody_orders_count_for_nothing():
    said = simulated(2, sets=12, experts=2, models=())
    flat = RankedSet("flat", {"e0": (("a", "b"),), "e1": (("a", "b"),)})
    alone = RankedSet("alone", {"e0": (("a",), ("b",))})
    found = order_agreement([*said, flat, alone])
    assert found.tau == order_agreement(said).tau
    assert found.w == order_agreement(said).w
    assert found.sets[12].experts == {"e0": None, "e1": None}
    assert found.sets[13].experts == {"e0": None}


def test_q_counts_the_targets_place_among_the_others():
    said = {
        "ann": ORDER,
        "bob": ORDER[::-1],
        "cat": (("b",), ("a", "c", "d")),
        "dan": (("a", "b", "c", "d"),),
    }
    assert target_places(RankedSet("s", said, "a")) == pytest.approx(
        {"ann": 0, "bob": 1, "cat": 2 / 3, "dan": 0.5}
    )
    with pytest.raises(BadInput, match="'x', is not among the ideas"):
        target_places(RankedSet("s", said, "x"))


@pytest.mark.parametrize("ideas", [1, 2, 3, 7])
def test_the_chance_level_of_strict_orders_is_that_of_the_papers(ideas):
    items = "abcdefgh"[: ideas + 1]
    found = hidden_agreement(
        alike(10, tuple((one,) for one in items), tuple((one,) for one in reversed(items)))
    )
    assert found.a_ceiling.chance == pytest.approx(by_chance(ideas))
    assert found.d_ceiling.chance == pytest.approx(1 - by_chance(ideas))
    assert (found.a_ceiling.value, found.d_ceiling.value) == (0, 1)


def test_a_judge_who_ties_everything_is_held_against_its_own_chance_level():
    """In the middle it is never far off: 67 % by chance where a strict order has 58 %."""
    found = hidden_agreement(
        [one._replace(rankings={**one.rankings, "tie": (tuple("abcd"),)}) for one in simulated(5)],
        {"tie", "gpt"},
    )
    assert found.a["tie"].chance == pytest.approx(2 / 3)
    assert found.a["gpt"].chance == pytest.approx(0.5833, abs=1e-4)
    assert found.q["tie"].value == 0.5


def test_a_and_d_are_means_over_the_pairs_of_a_model_and_an_expert():
    sets = simulated(7, sets=20, experts=3)
    found, places = hidden_agreement(sets, {"gpt"}), [target_places(one) for one in sets]
    expected = np.mean(
        [1 - abs(one["gpt"] - one[name]) for one in places for name in ("e0", "e1", "e2")]
    )
    assert found.a["gpt"].value == pytest.approx(expected)
    assert found.d["gpt"].value == pytest.approx(1 - expected)
    assert found.d["gpt"].low == pytest.approx(1 - found.a["gpt"].high)
    assert found.q["e0"].value == pytest.approx(np.mean([one["e0"] for one in places]))
    assert (found.q["e0"].label, found.q["e0"].chance, found.q_experts.n) == ("S", 0.5, 20)
    assert "chance gives 0.58" in found.a["gpt"].reading


def test_sets_without_a_target_have_no_q():
    assert (
        "there are none"
        in hidden_agreement([one._replace(target="") for one in simulated(0)]).q_experts.refused
    )
    assert "there is 1" in hidden_agreement(simulated(0, experts=0), {"gpt"}).a["gpt"].refused


def guesses(items, rater="ann"):
    return [HumanGuess(rater, f"s{n}", item) for n, item in enumerate(items)]


def test_one_experts_guesses_are_tested_as_the_binomial_test_does():
    found = found_target(alike(16, ORDER), guesses("a" * 9 + "b" * 7))
    exact = stats.binomtest(9, 16, 0.25, alternative="greater")
    assert found.p == pytest.approx(exact.pvalue)
    interval = stats.binomtest(9, 16).proportion_ci(method="exact")
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))
    assert (found.value, found.chance, found.n) == (9 / 16, 0.25, 16)
    assert found.reading.startswith(
        "9 of 16 guesses name the target: 0.56 (95 % interval 0.30 to 0.80), more often than"
        " chance, 0.25 (p = 0.0"
    )


def test_sets_of_different_size_are_tested_exactly():
    """Poisson-binomial, against every outcome there is: 2, 3 or 4 ideas a set."""
    sizes = [2, 3, 4] * 4
    sets = [RankedSet(f"s{n}", {"ann": ORDER[:size]}, "a") for n, size in enumerate(sizes)]
    found = found_target(sets, guesses("abaaabaababb"))
    chances = {(): 1.0}
    for size in sizes:
        chances = {
            (*hits, hit): p * (1 / size if hit else 1 - 1 / size)
            for hits, p in chances.items()
            for hit in (0, 1)
        }
    assert found.p == pytest.approx(sum(p for hits, p in chances.items() if sum(hits) >= 7))
    assert found.chance == pytest.approx(np.mean([1 / size for size in sizes]))


def test_experts_of_one_taste_are_not_taken_for_independent():
    """Ten experts who all name the same idea tell as much as one, and as much as one tells about
    the interval.
    """
    sets, said = alike(12, ORDER), "aaaaaabbbbbb"
    one, ten = (
        found_target(sets, guesses(said)),
        found_target(sets, [guess for n in range(10) for guess in guesses(said, f"e{n}")]),
    )
    assert (ten.value, ten.p, ten.raters) == (one.value, pytest.approx(one.p), 10)
    assert ten.low < 0.3
    assert ten.high > 0.7


def test_a_target_that_everybody_finds_has_an_interval_too():
    found = found_target(alike(12, ORDER), [*guesses("a" * 12), *guesses("a" * 12, "bob")])
    assert (found.value, found.high) == (1, 1)
    assert found.low == pytest.approx(stats.binomtest(12, 12).proportion_ci(method="exact").low)
    assert found.p == pytest.approx(0.25**12)


def test_guesses_that_cannot_be_are_refused_and_few_are_not_enough():
    sets = alike(12, ORDER)
    assert (
        found_target(sets, guesses("a" * 9)).refused
        == "target found needs 10 sets to be taken over; there are 9."
    )
    with pytest.raises(BadInput, match="'ann' guessed twice at set 's0'"):
        found_target(sets, [*guesses("a"), *guesses("b")])
    with pytest.raises(BadInput, match="'ann' guessed 'x' at set 's0', which has no such idea"):
        found_target(sets, guesses("x"))


def test_two_sets_of_one_name_are_refused_since_one_would_hide_the_other():
    said = simulated(1, sets=12)
    for figure in (order_agreement, hidden_agreement, lambda sets: found_target(sets, [])):
        with pytest.raises(BadInput, match="Two sets are called"):
            figure([*said, said[0]])
