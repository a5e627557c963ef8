"""Whether a judge may stand in: the alternative annotator test against its authors' procedure,
prediction-powered means against ppi-python, refusals, and planted truth.
"""

import math

import numpy as np
import pytest

from core.agreement.standing_in import judge_standing, standings, table
from core.statistics.alternative import _worse, alternative_test
from core.statistics.corrections import benjamini_yekutieli
from core.statistics.intervals import SCORE, Scale, Z
from core.statistics.matrix import matrix
from core.statistics.prediction_powered import powered_mean

WIDE = Scale(-100.0, 100.0)


def annotated():
    """Scores of four experts and a judge on 80 units, some missing."""
    dice = np.random.default_rng(11)
    truth = dice.normal(5.5, 1.5, 80)
    experts = np.clip(np.round(truth[:, None] + dice.normal(0, 1.4, (80, 4))), 1, 10)
    missing = dice.random((80, 4)) < 0.25
    judge = np.clip(np.round(truth + dice.normal(0, 1.2, 80)), 1, 10)
    experts[missing] = np.nan
    judge[::17] = np.nan
    return experts, judge


@pytest.mark.parametrize(
    ("epsilon", "won", "p"),
    [
        (0.2, 0.25, [0.24265854040926865, 0.3870502945648969, 5.451469212311634e-4, 0.0175551936]),
        (0.1, 0.0, [0.572363258715163, 0.7430514293751225, 0.007643273800715079, 0.0841954690]),
    ],
)
def test_scores_give_the_numbers_of_the_authors_procedure(epsilon, won, p):
    """Made with the procedure of github.com/nitaytech/AltTest (alt_test_example.ipynb, commit
    13eada2) on the same scores, with the negative root mean square error.
    """
    found = alternative_test(tuple("abcd"), *annotated(), epsilon)
    assert found.winning_rate == won
    assert found.advantage == pytest.approx(0.6278057745599701)
    assert [one.p for one in found.experts] == pytest.approx(p)
    assert [one.judge for one in found.experts] == pytest.approx(
        [0.5689655172413793, 0.576271186440678, 0.7333333333333333, 0.6326530612244898]
    )


def test_categories_give_the_numbers_of_the_authors_procedure():
    experts, judge = annotated()
    kinds = np.where(np.isnan(experts), np.nan, (experts > 5) * 1.0 + (experts > 7))
    of_judge = np.where(np.isnan(judge), np.nan, (judge > 5) * 1.0 + (judge > 7))
    found = alternative_test(tuple("abcd"), kinds, of_judge, 0.15, "same")
    assert (found.winning_rate, found.passed) == (0.25, False)
    assert found.advantage == pytest.approx(0.8216929173773542)
    assert [one.p for one in found.experts] == pytest.approx(
        [0.024814523931783072, 0.03963209255061592, 0.1340107791251428, 0.005739336412169356]
    )


@pytest.mark.parametrize(
    ("weight", "value", "low", "high"),
    [
        (1.0, 5.20611875, 4.70151195, 5.71072555),
        (None, 5.10404645, 4.64542581, 5.56266709),
        (0.5, 5.10354687, 4.6448456, 5.56224815),
    ],
)
def test_means_are_those_of_ppi_python(weight, value, low, high):
    """ppi-python 0.2.3 (MIT), ppi_mean_pointestimate and ppi_mean_ci on the same scores; its ends
    are of the normal distribution.
    """
    dice = np.random.default_rng(20)
    experts = np.round(dice.normal(5.5, 1.6, 40), 3)
    judge = np.round(0.6 * experts + dice.normal(2.5, 1, 40), 3)
    alone = np.round(0.6 * dice.normal(5.5, 1.6, 160) + dice.normal(2.5, 1, 160), 3)
    found = powered_mean(experts, judge, alone, SCORE, weight)
    assert found.figure.value == pytest.approx(value, abs=1e-8)
    assert found.figure.value - Z * found.error == pytest.approx(low, abs=1e-8)
    assert found.figure.value + Z * found.error == pytest.approx(high, abs=1e-8)
    assert found.figure.low < low < high < found.figure.high  # Student's t is wider.


# -- in words ----------------------------------------------------------------------------------


def rated(units=60, experts=3, judge=0.7, alone=0, seed=4):
    """Return ratings by experts and a judge, whose error has this spread."""
    dice = np.random.default_rng(seed)
    truth = dice.normal(5.5, 1.5, units + alone)
    lines = []
    for n, true in enumerate(truth):
        for k in range(experts if n < units else 0):
            lines.append((f"i{n}", f"E{k}", float(np.clip(round(true + dice.normal()), 1, 10))))
        lines.append((f"i{n}", "judge", float(np.clip(round(true + dice.normal(0, judge)), 1, 10))))
    return matrix(lines)


def standing(given, **how):
    return judge_standing(given, frozenset({"judge"}), "judge", "novelty", scale=SCORE, **how)


def test_a_judge_as_good_as_experts_may_be_quoted_and_a_bad_one_may_not():
    good = standing(rated())
    assert (good.verdict, good.units, good.experts) == ("may be quoted", 60, 3)
    assert "stands in for 3 of 3" in good.said
    assert standing(rated(judge=6.0)).verdict == "may not"


def test_too_little_says_what_is_missing():
    alone = standing(rated(experts=1))
    assert alone.verdict == "too little to say"
    assert "takes two; there is 1. With three" in alone.said
    few = standing(rated(units=49))
    assert "49 units with scores of two experts and of the judge; 50 are needed" in few.said
    assert few.winning.value is None
    two = standing(rated(experts=2))
    assert two.verdict == "may be quoted"
    assert "a third would make a group of them" in two.said


def test_few_units_of_each_expert_are_tested_by_ranks_and_said():
    dice = np.random.default_rng(8)
    lines = []
    for n in range(60):
        true = dice.normal(5.5, 1.5)
        for k in (n % 6, (n + 1) % 6):
            lines.append((f"i{n}", f"E{k}", float(round(true + dice.normal()))))
        lines.append((f"i{n}", "judge", float(round(true + dice.normal(0, 0.6)))))
    found = standing(matrix(lines))
    assert found.experts == 6
    assert "shares 20 units at least" in found.winning.how


def test_the_judge_makes_means_over_more_units_surer():
    found = standing(rated(alone=300)).powered
    assert found.n == 60
    assert "Over all 360 units" in found.reading
    assert "needs 10 units that experts and the judge scored" in standing(rated()).powered.refused


def test_a_table_holds_the_verdict_of_each_judge():
    found = standings({"novelty": rated()}, frozenset({"judge"}), "crowd", SCORE)
    made = table(found)
    assert [value.said for value in made.rows[0][:5]] == [
        "novelty",
        "judge",
        "may be quoted",
        "60",
        "3",
    ]
    assert "epsilon 0.1 (crowd)" in made.note


# -- planted truth -----------------------------------------------------------------------------


def covered(n, more, weight, seed, simulations=2_000):
    """Return how often the interval holds the true mean, 5.5."""
    dice = np.random.default_rng(seed)
    hits = 0
    for _ in range(simulations):
        truth = dice.normal(5.5, 1.5, n + more)
        judge = 0.7 * truth + 2.6 + dice.normal(0, 0.8, n + more)
        found = powered_mean(truth[:n], judge[:n], judge[n:], WIDE, weight).figure
        hits += found.low <= 5.5 <= found.high
    return hits / simulations


def near(share, of, n):
    return abs(share - of) <= 3 * math.sqrt(of * (1 - of) / n)


@pytest.mark.soak
@pytest.mark.parametrize(("n", "more"), [(30, 200), (50, 500), (100, 100)])
@pytest.mark.parametrize("weight", [1.0, None], ids=["plain", "tuned"])
def test_prediction_powered_intervals_hold_the_truth(n, more, weight):
    share = covered(n, more, weight, seed=77)
    print(f"{n} of experts, {more} of the judge alone, weight {weight}: covered {share}")
    assert near(share, 0.95, 2_000)


@pytest.mark.soak
def test_a_judge_worse_by_epsilon_is_seldom_taken_for_an_expert():
    """At rho_f = rho_h - epsilon exactly every single test rejects in 5 %; after the correction
    rejections are false in 5 % of studies at most.
    """
    dice = np.random.default_rng(9)
    single = any_won = 0
    studies = 2_000
    for _ in range(studies):
        # Each expert against the judge: the human is nearer in 45 %, the judge in 25 %, else both.
        p = [_worse(dice.choice([1.0, -1.0, 0.0], 60, p=[0.45, 0.25, 0.3]), 0.2) for _ in range(3)]
        single += p[0] <= 0.05
        any_won += min(benjamini_yekutieli(p)) <= 0.05
    print(f"single tests {single / studies}, any expert after correction {any_won / studies}")
    assert near(single / studies, 0.05, studies)
    assert any_won / studies <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / studies)
