"""Comparisons of sources: the mixed model against lme4's published fits, effect sizes against their
definitions, and planted truth.
"""

import csv
import math
from collections import Counter, defaultdict
from itertools import product

import numpy as np
import pytest
from scipy import stats

from core.agreement.contrast_tables import contrast_table, variance_table
from core.agreement.contrasts import contrasts, terms
from core.agreement.designs import Score
from core.agreement.power import PowerDesign, as_scores, drawn
from core.statistics.corrections import benjamini_yekutieli, bonferroni
from core.statistics.effects import (
    paired_difference,
    rank_biserial,
    standardised_difference,
    superiority,
)
from core.statistics.intervals import SHARE, Scale
from core.statistics.mixed import fitted, told_apart
from tests import ROOT

WIDE = Scale(-100.0, 100.0)
SIMPLE, MIXED = 2_000, 500
"""Simulated studies, of simple tests and of the mixed model."""
SEED = 20_260_101


def levels(names):
    known = {}
    return [known.setdefault(name, len(known)) for name in names]


def example(name, score, *columns):
    rows = list(csv.DictReader((ROOT / "tests" / "data" / f"{name}.csv").open()))
    groups = [levels([tuple(map(row.get, column)) for row in rows]) for column in columns]
    return [float(row[score]) for row in rows], groups


# -- the mixed model against published fits ----------------------------------------------------


def test_crossed_intercepts_are_those_of_lme4():
    """Penicillin, diameter ~ 1 + (1 | plate) + (1 | sample): Bates, lme4: Mixed-effects modeling
    with R, section 2.1.2.
    """
    y, groups = example("penicillin", "diameter", ("plate",), ("sample",))
    found = fitted(y, [0] * len(y), groups)
    assert found.deviance == pytest.approx(330.8606, abs=5e-5)
    assert found.spread == pytest.approx((0.84671, 1.93156), abs=5e-5)
    assert [one**2 for one in found.spread] == pytest.approx([0.71691, 3.73092], abs=2e-5)
    assert found.sigma == pytest.approx(0.54992, abs=5e-6)
    assert found.means == pytest.approx((22.9722,), abs=5e-5)


def test_nested_intercepts_are_those_of_lme4():
    """Pastes, strength ~ 1 + (1 | sample) + (1 | batch): the same book, section 2.2.1 by REML."""
    y, groups = example("pastes", "strength", ("batch", "cask"), ("batch",))
    found = fitted(y, [0] * len(y), groups)
    assert found.deviance == pytest.approx(246.9907, abs=5e-5)
    assert found.spread == pytest.approx((2.90407, 1.28736), abs=2e-4)
    assert found.sigma == pytest.approx(0.82341, abs=5e-5)


def test_terms_that_cannot_be_told_apart_are_left_out_by_name():
    def score(n, rater, topic):
        return Score(f"i{n}", rater, "ab"[n % 2], topic, float(n % 7))

    one_each = [score(n, f"r{n % 4}", f"t{n}") for n in range(24)]
    found = terms(one_each)
    assert set(found.kept) == {"reviewer"}
    assert found.left_out == {
        "topic": "each topic has one score, so that it cannot be told from the residual",
        "idea": "each idea has one score, so that it cannot be told from the residual",
    }
    twice = [score(n, f"r{k}", f"t{n}") for n in range(12) for k in range(3)]
    assert terms(twice).left_out == {
        "topic": "each topic has one idea of its own, so that they cannot be told apart"
    }
    by_source = [score(n, f"r{n % 2}", "") for n in range(12) for _ in range(2)]
    assert terms(by_source).left_out == {
        "reviewer": (
            "each source has one reviewer, so that reviewer and source cannot be told apart"
        ),
        "topic": "no topics are named",
    }
    unknown = [score(n, "", "t") for n in range(12) for _ in range(2)]
    assert terms(unknown).left_out == {
        "reviewer": "nobody knows who wrote a review",
        "topic": "there is one topic only",
    }


def test_a_term_that_is_a_mix_of_others_is_left_out():
    # Two reviewers, each with one score of every idea: what ideas and reviewers leave, nothing
    # else can take.
    cells = list(product(range(6), range(2)))
    sources = [0] * len(cells)
    groups = {
        "idea": [idea for idea, _ in cells],
        "pair": [who if idea < 3 else 2 + who for idea, who in cells],
        "again": [who if idea < 3 else 2 + who for idea, who in cells],
    }
    found = told_apart(groups, sources)
    assert set(found.kept) == {"idea", "pair"}
    assert found.left_out["again"].startswith("each again has one pair of its own")


# -- effects and corrections -------------------------------------------------------------------


def test_effects_are_as_they_are_defined():
    dice = np.random.default_rng(5)
    x, y = dice.normal(0.6, 1, 17), dice.normal(0, 1.4, 23)
    d = standardised_difference(x, y)
    spread = math.sqrt((x.var(ddof=1) + y.var(ddof=1)) / 2)
    assert d.value == pytest.approx((x.mean() - y.mean()) / spread)
    above = superiority(x, y)
    u = stats.mannwhitneyu(x, y).statistic
    assert above.value == pytest.approx(u / (17 * 23))
    assert above.low < above.value < above.high
    apart = superiority(x + 100, y)
    assert apart.high == 1.0
    assert apart.low > 0.8
    signed = rank_biserial(x)
    w = stats.wilcoxon(x).statistic
    side = -1 if signed.value < 0 else 1
    assert signed.value == pytest.approx(side * (1 - 4 * w / (17 * 18)))
    one_sided = rank_biserial(np.abs(x) + 0.1)
    assert one_sided.value == 1.0 == one_sided.high
    assert one_sided.low > 0.5
    paired = paired_difference(x)
    t = paired.value * 17**0.5
    assert stats.nct.cdf(t, 16, paired.low * 17**0.5) == pytest.approx(0.975)
    assert stats.nct.cdf(t, 16, paired.high * 17**0.5) == pytest.approx(0.025)


def test_two_pairs_that_hardly_differ_have_an_interval():
    for sign in (1, -1):
        found = paired_difference(sign * np.array([3.0, 3.001]))
        assert found.low < found.value < found.high


def test_without_ties_superiority_excludes_a_half_where_the_test_rejects():
    dice = np.random.default_rng(6)
    for _ in range(60):
        x, y = dice.normal(dice.choice([0.0, 0.6]), 1, 24), dice.normal(size=18)
        found = superiority(x, y)
        plain = stats.mannwhitneyu(x, y, method="asymptotic", use_continuity=False).pvalue
        assert (found.low > 0.5 or found.high < 0.5) == (plain < 0.05)


def test_corrections_are_scipys_and_their_definitions():
    p = [0.001, 0.04, 0.03, 0.2, 0.012]
    by = stats.false_discovery_control(p, method="by")
    assert benjamini_yekutieli(p) == pytest.approx(by.tolist())
    assert bonferroni([0.01, None, 0.6]) == [0.02, None, 1.0]


def test_a_correction_is_named_where_its_p_stands():
    dice = np.random.default_rng(1)
    some = [
        Score(f"{s}{n}", f"r{k}", s, "", 5 + dice.normal())
        for s in "abc"
        for n in range(6)
        for k in range(2)
    ]
    found = contrasts({"novelty": some}, {"novelty": WIDE}, "Bonferroni")
    assert "p after Bonferroni" in contrast_table(found).head
    for one in found:
        assert one.corrected == pytest.approx(min(1.0, 3 * one.p))
        assert "after Bonferroni" in one.statistic.reading


def test_what_a_design_does_not_meet_is_said_of_each_test():
    design = PowerDesign(ideas=6, experts=5, overlap=3, topics=3)
    scores = as_scores(design, drawn(design, np.random.default_rng(0)))
    every = {(one.unit, one.test): one.mind for one in contrasts({"c": scores}, {"c": WIDE})}
    assert "12 ideas have several" in every["review", "Welch's t-test"]
    assert "5 reviewers reviewed several ideas" in every["idea", "Welch's t-test"]
    assert "not of other ideas" in every["reviewer", "paired t-test"]
    assert every["review", "mixed model"] == ""


def test_reviewers_with_one_source_each_are_compared_as_independent():
    dice = np.random.default_rng(2)
    some = [
        Score(f"{s}{r}{n}", f"{s}-{r}", s, "", 5 + dice.normal())
        for s in "ab"
        for r in range(8)
        for n in range(3)
    ]
    found = [one for one in contrasts({"c": some}, {"c": WIDE}) if one.unit == "reviewer"]
    assert [(one.test, one.n, one.mind) for one in found] == [
        ("Welch's t-test", (8, 8), ""),
        ("Mann-Whitney test", (8, 8), ""),
    ]


# -- planted truth -----------------------------------------------------------------------------


def independent(dice, effect):
    """Reviews by different reviewers of different ideas, 24 and 36 of the sources."""
    for source, n, mean in (("a", 24, effect), ("b", 36, 0.0)):
        for k in range(n):
            yield Score(f"{source}{k}", f"{source}r{k}", source, "", mean + dice.normal())


def of_ideas(dice, effect):
    """Ideas that vary, each with three reviewers of its own."""
    for source, n, mean in (("a", 16, effect), ("b", 24, 0.0)):
        for k in range(n):
            idea = mean + dice.normal(0, 0.7)
            for r in range(3):
                score = idea + dice.normal(0, 0.9)
                yield Score(f"{source}{k}", f"{source}{k}-{r}", source, "", score)


def of_reviewers(dice, effect):
    """Reviewers that vary, each with two ideas of their own of both sources."""
    for r in range(20):
        who = dice.normal(0, 0.8)
        for source, mean in (("a", effect), ("b", 0.0)):
            for k in range(2):
                yield Score(f"{source}{r}-{k}", f"r{r}", source, "", mean + who + dice.normal())


def of_topics(dice, effect):
    """Topics that vary, each with two ideas of both sources and reviewers of their own."""
    for t in range(20):
        topic = dice.normal(0, 0.8)
        for source, mean in (("a", effect), ("b", 0.0)):
            for k in range(2):
                name = f"{source}{t}-{k}"
                yield Score(name, f"r-{name}", source, f"t{t}", mean + topic + dice.normal())


SPREADS = {"review": 1.0, "idea": (0.49 + 0.81 / 3) ** 0.5, "reviewer": 1.0, "topic": 1.0}
"""Standard deviation of one observation; of reviewers and topics, of their difference."""


def truths(unit, paired, effect):
    """What the difference and the effects truly are."""
    spread = SPREADS[unit]
    d = effect / spread
    if paired:
        # The mean of two differences lies above 0 with this chance.
        above = float(stats.norm.cdf(d * 2**0.5))
        return {"difference": effect, "d_z": d, "rank-biserial r": 2 * above - 1}
    return {
        "difference": effect,
        "d": d,
        "probability of superiority": float(stats.norm.cdf(d / 2**0.5)),
    }


CASES = [
    ("review", independent, "Welch's t-test", "Mann-Whitney test"),
    ("idea", of_ideas, "Welch's t-test", "Mann-Whitney test"),
    ("reviewer", of_reviewers, "paired t-test", "Wilcoxon signed-rank test"),
    ("topic", of_topics, "paired t-test", "Wilcoxon signed-rank test"),
]


def within(share, of, n):
    return abs(share - of) <= 3 * math.sqrt(of * (1 - of) / n)


@pytest.mark.soak
@pytest.mark.parametrize(("unit", "make", "means", "ranks"), CASES, ids=lambda one: str(one)[:12])
def test_simple_tests_hold_their_level_and_their_intervals(unit, make, means, ranks):
    from core.agreement import contrasts as room

    way = room._unpaired if unit in ("review", "idea") else room._paired
    for effect in (0.0, 0.6):
        dice = np.random.default_rng(SEED + round(10 * effect))
        rejected, covered = Counter(), Counter()
        for _ in range(SIMPLE):
            scores = list(make(dice, effect))
            for one in way("c", scores, unit):
                rejected[one.test] += one.p < 0.05
                true = truths(unit, one.test in room.OF_PAIRS, effect)
                if one.difference is not None:
                    covered["difference"] += one.low <= true["difference"] <= one.high
                covered[one.effect] += one.size_low <= true[one.effect] <= one.size_high
        minds = {
            one.mind
            for one in contrasts({"c": scores}, {"c": WIDE})
            if (one.unit, one.test) in ((unit, means), (unit, ranks))
        }
        print(f"{unit}, effect {effect}: rejected", {k: v / SIMPLE for k, v in rejected.items()})
        print(f"{unit}, effect {effect}: covered", {k: v / SIMPLE for k, v in covered.items()})
        assert minds == {""}, "the design is to meet the assumptions"
        if not effect:
            for test in (means, ranks):
                assert within(rejected[test] / SIMPLE, 0.05, SIMPLE), test
        for name, times in covered.items():
            assert within(times / SIMPLE, 0.95, SIMPLE), name


@pytest.mark.soak
@pytest.mark.parametrize(
    "design",
    [
        PowerDesign(ideas=12, experts=8, overlap=3, topics=6, of_reviewers=0.25, of_ideas=0.2),
        PowerDesign(ideas=14, experts=9, overlap=3, topics=1, of_reviewers=0.3, of_ideas=0.25),
    ],
    ids=["six-topics", "one-topic"],
)
def test_the_mixed_model_holds_its_level_and_its_intervals(design):
    for effect in (0.0, 0.5):
        planted = design.model_copy(update={"difference": effect})
        dice = np.random.default_rng(SEED + round(10 * effect))
        rejected, covered, times = Counter(), Counter(), defaultdict(int)
        for _ in range(MIXED):
            scores = as_scores(planted, drawn(planted, dice))
            for one in contrasts({"c": scores}, {"c": WIDE}):
                name = f"{one.test}, {one.unit}"
                times[name] += 1
                rejected[name] += one.p < 0.05
                if one.low is not None:
                    covered[name] += one.low <= effect <= one.high
                if one.test == "mixed model":
                    covered["d"] += one.size_low <= effect <= one.size_high
                else:
                    assert one.mind, f"{name}: the screen is to warn"
        print(f"effect {effect}: rejected", {k: v / times[k] for k, v in rejected.items()})
        print(f"effect {effect}: covered", {k: v / MIXED for k, v in covered.items()})
        mixed = "mixed model, review"
        if not effect:
            assert within(rejected[mixed] / MIXED, 0.05, MIXED)
        assert within(covered[mixed] / MIXED, 0.95, MIXED)
        assert within(covered["d"] / MIXED, 0.95, MIXED)


def test_one_simulated_study_is_read_by_every_test():
    """The soak runs above, once each, so that they are known to run."""
    dice = np.random.default_rng(3)
    for unit, make, means, ranks in CASES:
        found = contrasts({"c": list(make(dice, 0.5))}, {"c": WIDE})
        by = {one.test: one for one in found if one.unit == unit}
        assert {means, ranks} <= set(by)
        assert by[means].mind == ""
        assert by[means].low < by[means].high
        assert by[ranks].size_low < by[ranks].size < by[ranks].size_high


def test_a_variance_at_zero_and_a_question_of_yes_and_no_are_said_with_what_rests_on_them():
    given = []
    for n, source in enumerate("abab"):
        # Reviewers take turns in being strict, so that none of them is.
        for m in range(4):
            score = float((n % 2 == 0) ^ (m % 2 == n // 2))
            given.append(Score(f"i{n}", f"r{m}", source, "", score))
    (mixed,) = (
        one for one in contrasts({"fund": given}, {"fund": SHARE}) if one.test == "mixed model"
    )
    assert mixed.at_zero == ("(1 | reviewer)", "(1 | idea)")
    assert mixed.variances["residual"] > 0
    assert "singular fit: the variance of (1 | reviewer) and (1 | idea)" in mixed.how
    assert "degrees of freedom, and so p and the interval, are those of the model without it" in (
        mixed.statistic.how
    )
    assert "linear probability model" in mixed.how
    notes = {row[1].text: row[-1].text for row in variance_table([mixed]).rows}
    assert notes["(1 | idea)"] == "at zero: left out of the degrees of freedom"
    assert notes["residual"] == ""
