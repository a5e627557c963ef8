"""No interval of any table, figure, paragraph or export leaves its scale, and none rests on a
single idea: over small, skewed and constant data.
"""

import math
import random
import re
from itertools import combinations
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.ranking.orders import sure
from core.agreement.answers import PairAnswer
from core.agreement.contrasts import contrasts
from core.agreement.designs import Score
from core.agreement.hidden import HumanGuess, found_target, hidden_agreement
from core.agreement.orders import order_agreement
from core.agreement.pairs import pair_agreement
from core.agreement.rankings import RankedSet
from core.agreement.sheet import agreement_sheet
from core.agreement.sides import left_share, sides
from core.benchmark.results.findings import findings as bench_findings
from core.experiments.figures import figures
from core.experiments.found import findings
from core.experiments.results import Results
from core.experiments.tables import tables
from core.export.benchmarks import report as benchmark_report
from core.export.ranked import RankedStanding, _places, _q
from core.importing.analysis import of_scores
from core.importing.ratings import read
from core.judging import health
from core.judging.arena.ballots import cast
from core.judging.arena.results import average, judged, results
from core.judging.evolution_tables import Trial, by_provider, per_item, steps_table
from core.judging.ranked_sets import IdeaSet
from core.judging.ranking import TARGET, q_of
from core.records import (
    IDEA_CRITERIA,
    ITEMS,
    Checklist,
    CommentAnswer,
    CompareAnswer,
    Evolved,
    Idea,
    Judged,
    Preference,
    RankAnswer,
    Ranked,
    RateAnswer,
    Standing,
    Table,
)
from core.statistics.intervals import (
    AMOUNT,
    COEFFICIENT,
    FREE,
    SCORE,
    SHARE,
    Scale,
    share,
    usual_scale,
    wilson,
)
from core.statistics.matrix import matrix
from core.statistics.paired import clustered_ci, compare, mean_ci
from core.store import Store
from core.studies import analysis, organising
from core.studies.live import dashboard
from core.studies.paragraph import methods
from core.tables.latex import latex
from tests.core.judging.arena.test_results import line, lineup
from tests.support.benchmark.bench_figures import figures as bench_figures
from tests.support.benchmark.bench_kit import settled_store
from tests.support.measured import cell, made, standings
from tests.support.measured import results as experiment
from tests.support.scales import SAID, bars_stay, cells_stay, on_scale, statistics_stay
from tests.support.sessions import studies_kit as kit

Shape = Literal["constant", "floor", "top", "skewed", "one odd", "any"]
SHAPES: tuple[Shape, ...] = ("constant", "floor", "top", "skewed", "one odd", "any")
seeds, shapes = st.integers(0, 10_000), st.sampled_from(SHAPES)
MANY = settings(max_examples=15)


def chosen(dice: random.Random, shape: Shape, n: int, of: list) -> list:
    """Return n of some values, rising: all the same, at an end, nearly all at one, or any."""
    middle = dice.choice(of)
    match shape:
        case "constant":
            return [middle] * n
        case "floor":
            return [of[0]] * n
        case "top":
            return [of[-1]] * n
        case "one odd":
            return [of[-1] if k == n // 2 else of[0] for k in range(n)]
        case "skewed":
            return [of[-1] if dice.random() < 0.9 else dice.choice(of) for _ in range(n)]
        case _:
            return [dice.choice(of) for _ in range(n)]


# -- means, differences, shares ----------------------------------------------------------------


@settings(max_examples=150)
@given(
    seeds,
    shapes,
    st.integers(2, 14),
    st.integers(1, 4),
    st.sampled_from([SHARE, SCORE, COEFFICIENT, AMOUNT, SCORE.differences]),
)
def test_means_shares_and_differences_stay_and_constant_ones_have_an_interval(
    seed, shape, clusters, each, scale
):
    dice, top = random.Random(seed), scale.high if math.isfinite(scale.high) else 7.0
    of = [scale.low + (top - scale.low) * k / 4 for k in range(5)]
    values = chosen(dice, shape, clusters * each, of)
    names = [f"t{n % clusters}" for n in range(len(values))]
    for found in (mean_ci(values, scale), clustered_ci(values, names, scale, resamples=100)):
        on_scale("mean", found.value, found.low, found.high, scale)
        if scale.ends:
            assert found.low is not None, "equal values have an interval, too"
            assert found.how
    other = chosen(dice, "any", clusters * each, of)
    paired = compare("a", "b", {"a": dict(enumerate(values)), "b": dict(enumerate(other))}, scale)
    on_scale(
        "difference",
        paired.difference.value,
        paired.difference.low,
        paired.difference.high,
        scale.differences,
    )
    hits = np.array([value > np.mean(of) for value in values])
    found = share(hits, np.arange(len(hits)) % clusters, "answers")
    on_scale("share", found.value, found.low, found.high, SHARE)


def test_one_value_one_cluster_or_one_observation_gives_no_interval():
    assert mean_ci([0.5], SHARE).low is None
    assert clustered_ci([0.2, 0.4], ["one", "one"], SHARE).low is None
    assert compare("a", "b", {"a": {"t": 0.1}, "b": {"t": 0.5}}, SHARE).difference.low is None


def test_what_was_printed_beyond_its_scale_is_cut_there_and_says_so():
    printed = mean_ci([0.0, 0.0, 0.6], SHARE)
    assert (printed.low, printed.how) == (0.0, "Student's t over 3 values, cut at 0 and 1")
    printed = clustered_ci([7 / 3, 17 / 3], ["sleep", "light"], SCORE, "topics")
    assert (printed.low, printed.high) == (1, 10), "it was 4.00 [-17.18, 25.18]"
    assert (
        compare(
            "a", "b", {"a": {"t": 1.0, "u": 1.0}, "b": {"t": 0.0, "u": 0.9}}, SHARE
        ).difference.high
        == 1
    )


def test_equal_values_have_wilsons_interval_for_a_mean_of_the_most_spread():
    low, high = wilson(4, 10)
    assert mean_ci([0.4] * 10, SHARE)[1:3] == pytest.approx((low, high))
    assert mean_ci([4.6] * 10, SCORE)[1:3] == pytest.approx((1 + 9 * low, 1 + 9 * high))
    assert mean_ci([0.0] * 10, COEFFICIENT)[1:3] == pytest.approx(
        tuple(2 * end - 1 for end in wilson(5, 10))
    )
    assert mean_ci([3.0] * 10, AMOUNT).low is None, (
        "a cost has no end above, so that equal ones say nothing of how sure they are"
    )


def test_an_interval_of_equal_values_covers_the_mean_they_came_from():
    dice, missed = np.random.default_rng(3), 0
    for _ in range(4_000):
        p = dice.random()
        values = (dice.random(12) < p).astype(float)
        if np.ptp(values) == 0:
            found = mean_ci(values.tolist(), SHARE)
            missed += not found.low <= p <= found.high
    assert missed < 0.05 * 4_000


# -- experiments -------------------------------------------------------------------------------


WHAT = {"q": SHARE, "converged": SHARE, "difference": COEFFICIENT, "cost": AMOUNT}
"""The figures of an experiment that have an interval."""


@MANY
@given(seeds, shapes, st.integers(1, 12), st.integers(1, 4))
def test_an_experiment_stays_in_tables_drawings_and_latex(seed, shape, targets, repeats):
    found = an_experiment(random.Random(seed), shape, targets, repeats)
    said = findings(found)
    held = [
        one.value for _, part in said if isinstance(part, tuple) for one in part if one.what in WHAT
    ]
    for _, part in said:
        for one in part if isinstance(part, tuple) else ():
            scale = WHAT.get(one.what, Scale(0, -1))
            assert one.what in WHAT or one.value.low is None
            if one.what in WHAT:
                on_scale(one.what, one.value.mean, one.value.low, one.value.high, scale)
            if one.what == "q" and one.value.counted == "targets" and one.value.n == 1:
                assert one.value.low is None, "one target gives no interval"
    assert targets == 1 or any(value.low is not None for value in held)
    drawn = figures(found, said, "#000000")
    checked = {(value.low, value.high) for value in held}
    for table in (*tables(said), *(one.table for one in drawn)):
        for value in (value for row in table.rows for value in row):
            if value.low is not None and (value.low, value.high) not in checked:
                on_scale(table.name, value.mean, value.low, value.high, SHARE)
        plus_and_minus_stay(table)
    for one in drawn:
        for axis, scale in AXES.get(one.name, {}).items():
            bars_stay(one.figure, axis, scale)


AXES = {
    "mean-q": {"x": SHARE},
    "repeatability": {"x": SHARE},
    "q-by-round": {"y": SHARE},
    "cost": {"x": AMOUNT, "y": SHARE},
}


def an_experiment(dice: random.Random, shape: Shape, targets: int, repeats: int) -> Results:
    """Return an experiment of three methods whose Q, endings and costs are of a shape."""
    methods, order = ("initial", "infal", "no-optimizer"), [0.0, 1 / 3, 2 / 3, 1.0]
    cells = [cell(method, target=n) for method in methods for n in range(targets)]
    return experiment(
        [
            standings(
                at,
                *chosen(dice, shape, repeats, order),
                by_round=tuple(chosen(dice, shape, 3, order)),
            )
            for at in cells
        ],
        [made(at, (3, 4), tuple(chosen(dice, shape, 2, [False, True]))) for at in cells],
        methods=methods,
        targets=targets,
        categories=("Biology", "Physics"),
        dollars={f"run-{at.name}": chosen(dice, shape, 1, [0.0, 0.1, 3.0])[0] for at in cells},
    )


def plus_and_minus_stay(table: Table) -> None:
    """Check what LaTeX writes as a figure and a width."""
    for mean, half, percent in re.findall(r"\$([\d.]+)_\{\\pm ([\d.]+)\}(\\,\\%)?", latex(table)):
        most = math.inf if table.name in ("costs", "cost-and-q") else 100.1 if percent else 1.001
        assert table.name == "tests" or float(mean) - float(half) >= -0.001, table.name
        assert float(mean) + float(half) <= most, table.name


# -- evolutions and rankings -------------------------------------------------------------------


@MANY
@given(seeds, shapes, st.integers(1, 12), st.integers(1, 3))
def test_checklist_tables_stay(seed, shape, ideas, questions):
    dice, text = random.Random(seed), Idea(form="hypothesis", fields={"hypothesis": "x"})

    def judged_so() -> Checklist:
        scores = chosen(dice, shape, len(ITEMS), [0, 1])
        return Checklist(
            items=tuple(
                Judged(item=item.name, score=score, by="code")
                for item, score in zip(ITEMS, scores, strict=True)
            )
        )

    trials = [
        Trial(
            "g",
            "p",
            "s",
            tuple(Evolved(n=n, idea=text, scores=judged_so()) for n in range(2)),
            question=f"q{k % questions}",
        )
        for k in range(ideas)
    ]
    total = Scale(0.0, float(len(ITEMS)))
    columns = [
        (r".*/Sum|checklist-providers/.*", total),
        *((rf".*/{item.name.capitalize()}", SHARE) for item in ITEMS),
    ]
    n = cells_stay((per_item(trials), by_provider(trials), steps_table(trials)), (), columns)
    assert n or ideas == 1


@MANY
@given(seeds, shapes, st.integers(1, 6))
def test_rankings_stay_in_tables_and_on_screen(seed, shape, repeats):
    dice, names = random.Random(seed), ["a", "b", "c", TARGET]
    text = Idea(form="hypothesis", fields={"hypothesis": "x"})
    rankings = []
    for place in chosen(dice, shape, repeats, [0, 1, 2, 3]):
        order = ["a", "b", "c"]
        order.insert(place, TARGET)
        rankings.append(Ranked(shown=tuple(names), best_first=tuple(order), reasons=("r",) * 4))
    standing = Standing(
        goal="novelty", q=float(np.mean([q_of(one) for one in rankings])), rankings=tuple(rankings)
    )
    stand = RankedStanding(
        "j",
        IdeaSet(
            name="s",
            ideas=dict.fromkeys("abc", text),
            target=text.model_copy(update={"fields": {"hypothesis": "y"}}),
        ),
        "novelty",
        standing,
    )
    q = _q(stand)
    on_scale("Q", q.mean, q.low, q.high, SHARE)
    assert (q.low is None) == (repeats == 1)
    for row in _places(stand):
        on_scale("place", row[2].mean, row[2].low, row[2].high, Scale(1, 4))
    for ends in re.findall(r"interval (-?[\d.]+) to (-?[\d.]+)", sure(standing)):
        assert 0 <= float(ends[0]) <= float(ends[1]) <= 1


# -- ratings of a file or a session ------------------------------------------------------------


@MANY
@given(seeds, shapes, st.integers(1, 13), st.integers(1, 4), st.booleans(), st.booleans())
def test_ratings_stay_in_every_statistic_and_table(seed, shape, items, raters, gaps, told):
    dice, of = random.Random(seed), list(range(1, 11))
    names = [*(f"e{k}" for k in range(raters)), "model"]
    scores = dict(
        zip(
            [(n, rater) for n in range(items) for rater in names],
            chosen(dice, shape, items * len(names), of),
            strict=True,
        )
    )
    ratings = {
        "novelty": matrix(
            (f"i{n}", rater, float(score))
            for (n, rater), score in scores.items()
            if not gaps or (n + len(rater)) % 3
        ),
        "clarity": matrix((f"i{n}", rater, float(dice.choice(of))) for n, rater in scores),
    }
    pairs = [(float(one), float(dice.choice(of))) for one in chosen(dice, shape, 12, of)]
    found = agreement_sheet(ratings, {"model"}, pairs, SCORE if told else None)
    held = statistics_stay(found)
    assert held
    cells_stay(found.tables, held)
    for one in held:
        if one.name == "expert mean" and one.n > 1 and told:
            assert one.low is not None


def test_a_severity_that_the_model_puts_beyond_the_scale_is_cut():
    chain = [
        ("i1", "a", 10),
        ("i1", "b", 1),
        ("i2", "b", 10),
        ("i2", "c", 1),
        *((f"j{n}", "a", 5 + n % 2) for n in range(9)),
        ("j0", "b", 1),
    ]
    ratings = {"novelty": matrix((item, rater, float(score)) for item, rater, score in chain)}
    found = agreement_sheet(ratings, scale=SCORE).agreement.criteria["novelty"].severities
    assert found.raters
    statistics_stay(found)
    assert any("cut at" in one.how for one in (*found.raters.values(), *found.items.values()))


# -- ratings and reviews of a file -------------------------------------------------------------


FILED = {
    "1-10": (SCORE, 1),
    "0-100": (Scale(0, 100), 25),
    "1-5": (Scale(1, 5), 1),
    "-3-3": (Scale(-3, 3), 1),
}


def a_file(
    dice: random.Random, shape: Shape, scale: Scale, step: int, ideas: int, known: bool, told: bool
) -> bytes:
    """Return reviews of ideas from three sources, of which one has a single idea; where the scale
    is not told, both of its ends are given.
    """
    of = list(range(int(scale.low), int(scale.high) + 1, step))
    rows = [
        (f"i{n}", "alone" if not n else ("human", "model")[n % 2], f"t{n // 2 % 3}", who)
        for n in range(ideas)
        for who in "abc"
    ]
    given = chosen(dice, shape, len(rows), of)
    if not told:
        given[0], given[-1] = of[0], of[-1]
    wide = [of[0], of[-1], *(dice.choice(of) for _ in rows[2:])]
    head = ("idea", "condition", "topic", *(["reviewer"] if known else []), "novelty", "clarity")
    lines = [
        (*row[: 3 + known], one, other) for row, one, other in zip(rows, given, wide, strict=True)
    ]
    return "\n".join(",".join(map(str, line)) for line in (head, *lines)).encode()


@given(seeds, shapes, st.integers(4, 16), st.booleans(), st.sampled_from([*FILED]), st.booleans())
def test_a_file_stays_in_contrasts_reviews_and_by_source(seed, shape, ideas, known, name, told):
    (scale, step), dice = FILED[name], random.Random(seed)
    data = a_file(dice, shape, scale, step, ideas, known, told)
    found = of_scores(read("reviews.csv", data, scale=tuple(scale) if told else None))
    assert found.holds == ("ratings" if known else "reviews")
    held = statistics_stay(
        (tuple(part.statistics for part in found.parts), found.sheet, found.series), scale
    )
    columns = [
        (r"contrasts/Mean.*|source-means/.*|by-source/.*|agreement/Mean score|ideas/.*", scale),
        (r"contrasts/Difference", scale.differences),
        (r"contrasts/Size", FREE),
        (r"by-source-figures/Value", FREE),
    ]
    assert cells_stay(found.tables, held, columns)
    for row in next((one.rows for one in found.tables if one.name == "by-source-figures"), ()):
        on = {"mean score": scale, "mean difference": scale.differences}[row[0].said]
        on_scale("by source", row[2].mean, row[2].low, row[2].high, on)
    assert found.contrasts
    for one in found.contrasts:
        on_scale(one.criterion, one.difference, one.low, one.high, scale.differences)
        if "alone" in (one.one, one.other):
            assert (one.low, one.p) == (None, None), (
                f"{one.test}, {one.unit}: nothing is tested of one idea"
            )
            assert one.refused
    for one in held:
        if one.name == "mean score" and ", alone, " in one.about:
            assert one.low is None, "one idea gives no interval"
        if one.name == "mean score" and one.about == "clarity":
            assert one.low is not None
            assert re.search(r"over \d+ ideas", one.how)


def test_a_difference_of_few_extreme_scores_is_cut_and_says_so():
    scores = [
        ("a", "i0", 10),
        ("a", "i1", 10),
        ("a", "i1", 7),
        ("b", "i2", 1),
        ("b", "i3", 1),
        ("b", "i3", 4),
    ]
    some = [
        Score(item, f"r{n}", source, "", float(score))
        for n, (source, item, score) in enumerate(scores)
    ]
    found = {
        f"{one.test}, {one.unit}": one for one in contrasts({"novelty": some}, {"novelty": SCORE})
    }
    welch = found["Welch's t-test, idea"]
    assert (welch.high, welch.cut) == (9, "cut at -9 and 9")
    assert "cut at -9 and 9" in welch.statistic.how
    assert "a difference of 7.50 (95 % interval" in welch.statistic.reading
    assert found["mixed model, review"].high <= 9


def test_means_of_thirds_that_are_all_alike_are_not_told_apart_by_rounding():
    some = [
        Score(f"{source}{n}", f"r{n}{k}", source, "", score)
        for source, given in (("a", (0.1, 0.2, 0.3)), ("b", (0.3, 0.2, 0.1)))
        for n in range(4)
        for k, score in enumerate(given if n % 2 else given[::-1])
    ]
    found = next(one for one in contrasts({"novelty": some}) if one.unit == "idea")
    assert found.p is None
    assert "have the same score" in found.refused


@pytest.mark.parametrize(
    ("scores", "scale"),
    [
        ([1, 5], Scale(1, 5)),
        ([4, 8], SCORE),
        ([0, 1], SHARE),
        ([0, 9], Scale(0, 10)),
        ([-3, 3], Scale(-3, 3)),
        ([20, 90], Scale(0, 100)),
        ([250], Scale(250, 250)),
        ([1, 1], Scale(1, 4)),
    ],
)
def test_without_a_scale_the_narrowest_usual_one_is_taken(scores, scale):
    assert usual_scale(np.array([*scores, np.nan])) == scale


# -- orders, places, pairs ---------------------------------------------------------------------


@MANY
@given(seeds, shapes, st.integers(9, 13), st.integers(1, 3))
def test_orders_and_hidden_targets_stay(seed, shape, sets, raters):
    dice = random.Random(seed)
    orders = [("a", "b", "c"), ("b", "a", "c"), ("c", "b", "a")]
    held = [
        RankedSet(
            f"s{n}",
            {
                rater: tuple((name,) for name in order)
                for rater, order in zip(
                    [*(f"e{k}" for k in range(raters)), "model"],
                    chosen(dice, shape, raters + 1, orders),
                    strict=True,
                )
            },
            "a",
        )
        for n in range(sets)
    ]
    for found in (order_agreement(held, {"model"}), hidden_agreement(held, {"model"})):
        for one in statistics_stay(found):
            if one.value is not None and one.name in ("tau-b", "Q", "A(Q)", "D(S)") and one.n >= 10:
                assert one.low is not None, "sets that are all alike have an interval, too"
    guesses = [
        HumanGuess("e0", f"s{n}", one)
        for n, one in enumerate(chosen(dice, shape, sets, ["a", "b"]))
    ]
    statistics_stay(found_target(held, guesses))


@MANY
@given(seeds, shapes, st.integers(1, 3))
def test_pairs_and_sides_stay(seed, shape, raters):
    dice, names = random.Random(seed), "abcdef"
    pairs = list(combinations(names, 2))
    said = chosen(dice, shape, len(pairs) * raters, [-2, -1, 0, 1, 2])
    answers = [
        PairAnswer(
            a, b, f"e{k}", "novelty", said[n * raters + k], dice.choice((a, b)), dice.random() < 0.1
        )
        for n, (a, b) in enumerate(pairs)
        for k in range(raters)
    ]
    statistics_stay(
        (
            pair_agreement(answers, "novelty"),
            left_share(answers),
            sides(answers, "novelty").positions,
            sides(answers, "novelty").position,
        )
    )
    for one in sides(answers, "novelty").ratings:
        assert one.low is None or one.low <= one.rating <= one.high


# -- arenas ------------------------------------------------------------------------------------


@settings(max_examples=12)
@given(seeds, shapes, st.integers(1, 12), st.booleans())
def test_an_arena_stays_in_ratings_health_and_tables(seed, shape, topics, people):
    dice, shown = random.Random(seed), [f"topic {n:02d}" for n in range(topics)]
    ballots = [
        line(topic, a, b, first, dict.fromkeys(IDEA_CRITERIA, side), judge, person)
        for judge, person in (("j", False), ("k", False), *([("Ada", True)] if people else []))
        for topic in shown
        for a, b in combinations("abc", 2)
        for first, side in zip(
            (a, b)[: 1 if person else 2],
            chosen(dice, shape, 2, ["first", "tie", "second"]),
            strict=False,
        )
    ]
    held = cast(ballots, lineup(("a", "b", "c"), shown), "idea")
    for criterion in (None, "novelty"):
        found = results(held, "models", criterion, resamples=100)
        for one in found.table.ratings:
            assert (one.low is None) == (topics < 6)
            if one.low is not None:
                assert one.low <= one.high
                assert one.high - one.low > 1, "topics that are all alike do not make a rating sure"
                assert math.isfinite(one.low)
                assert math.isfinite(one.high)
        trusted = judged(held, lineup(("a", "b", "c"), shown), criterion)
        for judge in trusted.judges:
            for figure in (
                judge.flips.rate,
                judge.flips.reversed,
                judge.length.longer_wins,
                judge.self_agreement,
            ):
                on_scale(judge.judge, figure.value, figure.low, figure.high, SHARE)
            on_scale(
                "place",
                judge.position.value,
                judge.position.low,
                judge.position.high,
                Scale(-0.5, 0.5),
            )
            on_scale(
                "odds",
                judge.length.odds.value,
                judge.length.odds.low,
                judge.length.odds.high,
                AMOUNT,
            )
        for both in trusted.between.values():
            agreed(both)
    for one in average(held, "models", resamples=100):
        assert one.low is None or one.low <= one.rating <= one.high


def agreed(both: health.Agreement) -> None:
    for figure, scale in (
        (both.with_ties, SHARE),
        (both.without_ties, SHARE),
        (both.kappa, COEFFICIENT),
    ):
        on_scale("agreement", figure.value, figure.low, figure.high, scale)


# -- benchmarks --------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("keywords", [9, 12])
def test_a_benchmark_stays_in_figures_tables_and_drawings(tmp_path, shape, keywords):
    dice, store = random.Random(keywords), Store(tmp_path)
    scores = iter(chosen(dice, shape, 10_000, list(range(1, 11))))
    letters = iter(chosen(dice, shape, 10_000, [1, 4, 7, 10]))
    run = settled_store(
        store,
        models=("openai:a", "openai:b"),
        judges=("openai:c", "openai:d", "openai:e"),
        keywords=[f"word {n}" for n in range(keywords)],
        score=lambda *_: tuple(next(scores) for _ in range(3)),
        fluency=lambda *_: next(letters),
        lost=lambda kind, *_: "again" if kind == "idea" and shape == "top" else "",
    )
    found = bench_findings(store, run.id)
    for row in found.board.rows:
        for name in ("fluency", "feasibility", "clarity", "originality", "flexibility", "average"):
            one = getattr(row, name)
            on_scale(name, one.value, one.low, one.high, SCORE)
            assert (one.low is not None) == (keywords >= 10), name
            assert keywords < 10 or name == "flexibility" or one.high > one.low, (
                "keywords that are all alike do not make a mean sure"
            )
    for domain in found.by_domain:
        on_scale("domain", domain.value.value, domain.value.low, domain.value.high, SCORE)
    for one in found.refusals:
        on_scale("refused", one.share.value, one.share.low, one.share.high, SHARE)
    for one in found.severity:
        on_scale(
            "severity",
            one.deviation.value,
            one.deviation.low,
            one.deviation.high,
            SCORE.differences,
        )
    for one in found.proxies:
        on_scale("proxy", one.distance.value, one.distance.low, one.distance.high, Scale(0, 2))
    for line_of in (
        *found.lengths,
        *(fit for one in found.clarity for fit in one.fits),
        *found.replies.fits,
    ):
        on_scale("r", line_of.r, line_of.low, line_of.high, COEFFICIENT)
    held = statistics_stay(found.agreement)
    columns = [
        (r"(leaderboard|trade-off|by-domain)/.*", Scale(0, math.inf)),
        (r"refusals/Share.*", SHARE),
        (r"judges/Points.*", SCORE.differences),
        (r".*/Pearson r", COEFFICIENT),
        (r"fluency-proxy/.*", Scale(0, 2)),
        (r"agreement/Value", COEFFICIENT),
    ]
    cells_stay(benchmark_report.tables(found).values(), held, columns)
    axes = {
        "leaderboard": SCORE,
        "judges": SCORE.differences,
        "agreement": COEFFICIENT,
        "refusals": SHARE,
        "by-domain": SCORE,
    }
    for drawn in bench_figures(found, "#000000"):
        bars_stay(drawn.figure, "x", axes.get(drawn.name, Scale(-math.inf, math.inf)))


# -- sessions ----------------------------------------------------------------------------------


def answered(task: str, shape: Shape, dice: random.Random):
    def say(here, shown):
        names = [one.name for one in here.criteria]
        match task:
            case "rate":
                return RateAnswer(
                    scores={name: chosen(dice, shape, 3, list(range(1, 11)))[1] for name in names}
                )
            case "rank":
                order = (
                    sorted(shown.unit.labels)
                    if shape != "any"
                    else dice.sample(shown.unit.labels, len(shown.unit.labels))
                )
                return RankAnswer(groups=tuple((label,) for label in order))
            case "compare":
                best = chosen(dice, shape, 3, sorted(shown.unit.labels))[1]
                return CompareAnswer(preferences={name: Preference(better=best) for name in names})
            case _:
                said = chosen(dice, shape, 3, ["no", "partly", "yes"])[1]
                return CommentAnswer(
                    valid=said,
                    answered=said,
                    change={"no": "worse", "partly": "same", "yes": "better"}[said],
                )

    return say


@pytest.mark.parametrize("shape", ["constant", "top", "skewed", "any"])
@pytest.mark.parametrize(
    ("task", "texts"),
    [
        ("rate", 12),
        ("rate", 3),
        ("rank", 33),
        ("compare", 6),
        ("compare", 12),
        ("comment", 12),
        ("comment", 3),
    ],
)
def test_a_session_stays_in_figures_tables_paragraph_and_by_source(tmp_path, task, texts, shape):
    dice, store = random.Random(f"{task} {texts} {shape}"), Store(tmp_path)
    made_of = kit.opened(store, task, 3, texts, overlap=3, attention=0, repeats=0)
    one_method_alone(store, made_of.study.id)
    for n in range(3):
        kit.work_through(store, made_of.at_work(n), answered(task, shape, dice))
    for seat in dashboard(store, made_of.study.id).seats:
        on_scale("left", seat.left.value, seat.left.low, seat.left.high, SHARE)
    organising.close(store, made_of.study.id)
    organising.unblind(store, made_of.study.id, "an organiser")
    found = analysis.analysed(store, made_of.study.id)
    held = statistics_stay(
        (
            tuple(one.statistics for one in found.parts),
            found.series,
            found.sourced,
            found.shown_order,
        )
    )
    ratings = (
        [(r"ideas-.*/Rating|by-source/.*", Scale(-math.inf, math.inf))] if task == "compare" else []
    )
    percent = [(r"rounds/.*", SHARE)] if task == "comment" else []
    whole = {
        "rate": analysis.rated.rated,
        "rank": analysis.ordered.ordered,
        "compare": analysis.compared.compared,
        "comment": analysis.commented.commented,
    }[task](found.filed)
    deep = statistics_stay(whole)
    compared = [
        (r"source-means/.*|contrasts/Mean.*", SCORE),
        (r"contrasts/Difference", SCORE.differences),
        (r"contrasts/Size", FREE),
    ]
    columns = [*ratings, *percent, *compared]
    cells_stay((*found.tables, *found.source_tables), (*held, *deep), columns)
    assert found.sourced is not None
    for one in found.sourced.figures:
        if one.source == "alone" and one.figure.value is not None:
            assert one.figure.low is None, f"{task}: one idea gives no interval"
    text = methods(found).text
    if task != "compare":
        by_source = text.partition("By source")[2].partition("Sources were compared")[0]
        scale = SCORE if task == "rate" else SHARE
        for low, high in SAID.findall(by_source):
            assert scale.low <= float(low) <= float(high) <= scale.high, text
    if "By source" in text and task == "compare":
        assert re.search(r"alone \d+ \(n = ", text), (
            "the rating of one idea has no interval in the paragraph"
        )


def one_method_alone(store: Store, study: str) -> None:
    """Make the first text the only one of its method."""
    label, key = sorted(store.study_keys.items(study).items())[0]
    store.connections.write(
        "UPDATE study_keys SET data = ? WHERE study = ? AND kind = 'item' AND name = ?",
        key.model_copy(update={"method": "alone"}).model_dump_json(),
        study,
        label,
    )
