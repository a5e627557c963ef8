"""InfAL: `infal-main`, `infal-ablations`, `infal-judges`, `infal-cost` (tables 1 to 14, figure 3).

An idea is worth the number of its version, a published one what is said here, by quality; judges
rank by worth. Size small has two published ideas, one text a cell, and two rounds at most.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from core.export.reproduced import Reproduced, figures
from core.models.port import Request
from core.records import Value
from core.runs.recipe_data import small_targets
from core.runs.runner import Runner
from tests.support.golden_kit import at, column, held, paired_by_t, table
from tests.support.scripted import generation, refine_script
from tests.support.sweep_kit import runner_of

WRITER, JUDGE, OTHER = "scripted:one", "scripted:judge", "scripted:other"
FIRST, SECOND = (one.idea.text[:40] for one in small_targets()[:2])
"""How the published ideas begin: of teams of language models, of neural solvers."""
CATEGORIES = ("Language models for research", "Neural solvers of differential equations")
INITIAL, REFLECTION, INFAL, REBUTTAL = (
    "Initial idea",
    "Self-reflection",
    "InfAL",
    "Review & Rebuttal",
)
TARGETS = {
    ("novelty", FIRST): 0.5,
    ("novelty", SECOND): 1.5,
    ("feasibility", FIRST): -1.0,
    ("feasibility", SECOND): 0.5,
}
"""What a published idea is worth: of novelty the first lies below version 1, the second below
version 2 alone; of feasibility the first lies below every version, the second below version 1.
"""
Worth = Callable[[str, str], float]
WILSON = 2 / (2 + 1.959963984540054**2)
"""Where Wilson's interval of two hits of two begins; it ends at 1."""


def verdict(request: Request) -> object:
    """Whoever reads the review finds novelty better each time, feasibility the first time alone;
    whoever does not (Review & Rebuttal, no optimizer) finds nothing better.
    """
    n, goal = generation(request.values["older"]), request.values["goal"].name
    better = request.values["review"] is not None and (goal == "novelty" or n == 0)
    return {"improved": better, "reason": "By the rule."}


def reflect(request: Request) -> object:
    """Nobody improves by reflecting alone."""
    asked = refine_script((False,))["reflect"]
    return asked(request)


def ranking(worth: Worth) -> Callable[[Request], object]:
    """Return a judge who puts the idea that is worth most first; `worth` is that of a published
    one, by quality and by how it begins.
    """

    def rank(request: Request) -> object:
        goal, candidates = request.values["goal"].name, request.values["candidates"]
        target = FIRST if any(FIRST in one.idea.text for one in candidates) else SECOND
        published = worth(goal, target)
        scored = {
            one.label: published if target in one.idea.text else float(generation(one.idea))
            for one in candidates
        }
        best = sorted(scored, key=scored.__getitem__, reverse=True)
        return {"places": [{"label": name, "reason": "By worth."} for name in best]}

    return rank


def plain(goal: str, target: str) -> float:
    return TARGETS[goal, target]


def hold(
    folder,
    name: str,
    models: Sequence[str] = (WRITER,),
    judges: Sequence[str] = (JUDGE,),
    worths: dict[str, Worth] | None = None,
    script: dict | None = None,
) -> tuple[Runner, Reproduced]:
    said = {"verdict": verdict, "reflect": reflect} | (script or {})
    runner, made = runner_of(folder, said, (*models, *judges))
    for judge in judges:
        made[judge].script["rank"] = ranking((worths or {}).get(judge, plain))
    return runner, held(runner, name, models, judges)


def check_mean(value: Value, one: float, other: float) -> None:
    """Compare the mean of two targets: Wilson's interval where both are 0 or both 1, else
    Student's t with one degree of freedom, cut at 0 and 1.
    """
    mean, reach, _ = paired_by_t((one, other)) if one != other else (one, 0.0, 1.0)
    assert (value.mean, value.n) == (pytest.approx(mean), 2)
    low, high = max(0, mean - reach), min(1, mean + reach)
    if one == other:
        low, high = (WILSON, 1.0) if one == 1 else (0.0, 1 - WILSON)
    assert (value.low, value.high) == (pytest.approx(low), pytest.approx(high))


# -- infal-main ------------------------------------------------------------------------------------

QS = {
    # Version 0 beats a published idea of feasibility alone, and only the first.
    (INITIAL, "novelty"): (0, 0),
    (INITIAL, "feasibility"): (1, 0),
    # Both stop after one round with version 1, which the second one's novelty is above.
    (REFLECTION, "novelty"): (1, 0),
    (REFLECTION, "feasibility"): (1, 1),
    (REBUTTAL, "novelty"): (1, 0),
    (REBUTTAL, "feasibility"): (1, 1),
    # InfAL writes version 2, the last idea, whether it stopped there or not.
    (INFAL, "novelty"): (1, 1),
    (INFAL, "feasibility"): (1, 1),
}
"""Q of the two targets, by method and quality: 1 where the published idea is worst of the two."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """`infal-main`."""
    return hold(tmp_path_factory.mktemp("main"), "infal-main")


def test_quality_is_the_share_of_published_ideas_that_are_beaten(whole):
    """Table 1."""
    _, one = whole
    assert one.missing == ()
    made = table(one, "quality")
    for (method, goal), qs in QS.items():
        check_mean(at(made, f"Q {goal}", method=method), *qs)
    # From a mean of 0.5 to one of 1; from 0 there is no change in percent.
    assert column(made, "Change feasibility") == ["–", "+100.0 %", "+100.0 %", "+100.0 %"]
    assert set(column(made, "Change novelty")) == {"–"}


def test_rounds_and_convergence_are_those_of_the_verdicts(whole):
    """Tables 2 and 8."""
    _, one = whole
    rounds, ends = table(one, "rounds"), table(one, "convergence")
    taken = {REFLECTION: 1, REBUTTAL: 1, INFAL: 2}
    for method, n in taken.items():
        assert column(rounds, method) == [str(n)] * 2
        assert at(ends, "Median rounds", method=method, quality="novelty").mean == n
    # Version 2 of a novelty that goes on is no convergence within two rounds.
    share = {
        (method, goal): at(ends, "Converged within 2 rounds", method=method, quality=goal).mean
        for method in taken
        for goal in ("novelty", "feasibility")
    }
    assert share.pop((INFAL, "novelty")) == 0
    assert set(share.values()) == {1}


def test_paired_tests_are_those_of_two_differences(whole):
    """Table 6."""
    _, one = whole
    made = table(one, "tests")
    order = (INITIAL, REFLECTION, INFAL, REBUTTAL)
    tested = 0
    for goal in ("novelty", "feasibility"):
        for n, a in enumerate(order):
            for b in order[n + 1 :]:
                lead = {"quality": goal, "method": a, "compared_with": b}
                differences = [x - y for x, y in zip(QS[a, goal], QS[b, goal], strict=True)]
                far = at(made, "Difference", **lead)
                assert far.mean == pytest.approx(sum(differences) / 2)
                if differences[0] == differences[1]:
                    assert at(made, "p", **lead).mean is None
                    continue
                tested += 1
                mean, reach, p = paired_by_t(differences)
                ends = (max(-1, mean - reach), min(1, mean + reach))
                assert (far.low, far.high) == pytest.approx(ends)
                assert at(made, "p", **lead).mean == pytest.approx(p)
                # 0 and 1: mean 1/2, standard deviation 1/sqrt(2); t = 1, and p = 1/2.
                side = math.copysign(1, mean)
                assert p == pytest.approx(0.5)
                assert at(made, "d_z", **lead).mean == pytest.approx(side / math.sqrt(2))
                # Of seven p of one half each is corrected to 1.
                assert at(made, "p (Holm)", **lead).mean == 1
                # One pair does not differ; of the other both signs are as likely.
                assert at(made, "p (Wilcoxon)", **lead).mean == 1
                assert at(made, "Rank-biserial r", **lead).mean == side
    assert tested == 7


def test_quality_by_category_is_that_of_its_target(whole):
    """Tables 9 to 14."""
    _, one = whole
    names = {
        "initial": INITIAL,
        "self-reflection": REFLECTION,
        "infal": INFAL,
        "review-rebuttal": REBUTTAL,
    }
    for goal in ("novelty", "feasibility"):
        for slug, method in names.items():
            made = table(one, f"categories-{goal}-{slug}")
            shown = {row[0].said: row[1].mean for row in made.rows}
            assert shown == dict(zip(CATEGORIES, QS[method, goal], strict=True))


def test_quality_by_round_is_that_of_every_version(whole):
    """Figure 3."""
    runner, one = whole
    drawn = {one.name: one for one in figures(runner.store, one)}
    assert drawn.keys() == {"mean-q", "q-by-round", "rounds"}
    made = drawn["q-by-round"].table
    by_round = {
        # Version 0, 1, 2 of novelty beat none, the first, both; of feasibility one, both, both.
        (INFAL, "novelty"): [0, 0.5, 1],
        (INFAL, "feasibility"): [0.5, 1, 1],
        (REFLECTION, "novelty"): [0, 0.5],
        (REFLECTION, "feasibility"): [0.5, 1],
        (REBUTTAL, "novelty"): [0, 0.5],
        (REBUTTAL, "feasibility"): [0.5, 1],
    }
    for (method, goal), expected in by_round.items():
        shown = [
            at(made, "Mean Q", method=method, quality=goal, round=str(n)).mean
            for n in range(len(expected))
        ]
        assert shown == pytest.approx(expected), (method, goal)
    lines = {tuple(trace.y) for trace in drawn["q-by-round"].figure.data if len(trace.x or ()) == 3}
    assert lines == {(0, 0.5, 1), (0.5, 1, 1)}, "InfAL's two lines are drawn as they stand"
    ends = drawn["rounds"].table
    last = at(ends, "Share of ideas", method=INFAL, quality="novelty", rounds="not by 2")
    assert last.mean == 1


# -- infal-ablations -------------------------------------------------------------------------------


def test_ablations_stop_where_their_actors_do(tmp_path):
    """Table 3: without a discriminator nothing stops a text; without an optimizer nobody has a
    review to judge by, which the rule takes for no improvement.
    """
    _, one = hold(tmp_path, "infal-ablations")
    assert one.missing == ()
    made = table(one, "ablation")
    expected = {
        INFAL: ((1, 1), (1, 1), 2),
        "Without discriminator": ((1, 1), (1, 1), 2),
        "Without optimizer": ((1, 0), (1, 1), 1),
    }
    for method, (novelty, feasibility, rounds) in expected.items():
        check_mean(at(made, "Q novelty", method=method), *novelty)
        check_mean(at(made, "Q feasibility", method=method), *feasibility)
        assert at(made, "Rounds novelty", method=method).mean == rounds
        assert at(made, "Rounds feasibility", method=method).mean == rounds
    assert [own.name for own, _ in one.drawn] == ["ablation", "quality", "tests"]


# -- infal-judges ----------------------------------------------------------------------------------


def wavering() -> Worth:
    """Return what the first judge sees: of the first target's novelty every other time more than
    any version has, of all else less.
    """
    times: Counter[tuple[str, str]] = Counter()

    def worth(goal: str, target: str) -> float:
        times[goal, target] += 1
        return 9 if (goal, target, times[goal, target]) == ("novelty", FIRST, 1) else -1

    return worth


def strict(goal: str, target: str) -> float:
    """Return what the other judge sees: the first one's novelty, and the second one's feasibility,
    above all versions.
    """
    return 9 if (goal, target) in (("novelty", FIRST), ("feasibility", SECOND)) else -1


def test_judges_stand_side_by_side_and_repeats_show_their_spread(tmp_path):
    """Tables 4 and 5."""
    worths = {JUDGE: wavering(), OTHER: strict}
    runner, one = hold(tmp_path, "infal-judges", judges=(JUDGE, OTHER), worths=worths)
    assert one.missing == ()
    made = table(one, "judges")
    # Once 0 and once 1 on the first target is one half; the second is beaten both times.
    check_mean(at(made, "Q novelty", judge=JUDGE), 0.5, 1)
    check_mean(at(made, "Q feasibility", judge=JUDGE), 1, 1)
    check_mean(at(made, "Q novelty", judge=OTHER), 0, 1)
    check_mean(at(made, "Q feasibility", judge=OTHER), 1, 0)
    spread = table(one, "repeatability")
    # The mean over both targets is 1/2 in one repeat, 1 in the other: 3/4, with a variance of
    # (1/4)^2 + (1/4)^2 = 1/8.
    lead = {"quality": "novelty"}
    mean = at(spread, "Mean Q", **lead)
    middle, reach, _ = paired_by_t((0.5, 1.0))
    assert (mean.mean, mean.n) == (pytest.approx(middle), 2)
    assert (mean.low, mean.high) == pytest.approx((max(0, middle - reach), min(1, middle + reach)))
    assert at(spread, "Variance", **lead).mean == pytest.approx(1 / 8)
    assert at(spread, "Standard deviation", **lead).mean == pytest.approx(math.sqrt(1 / 8))
    assert at(spread, "Variance", quality="feasibility").mean == 0
    drawn = {one.name: one for one in figures(runner.store, one)}
    points = drawn["judges-scripted-judge-and-scripted-other"].table
    pairs = {
        tuple(row[points.head.index(f"Q by {name}")].mean for name in (JUDGE, OTHER))
        for row in points.rows
    }
    assert pairs == {(0.5, 0), (1, 1), (1, 0)}


# -- infal-cost ------------------------------------------------------------------------------------

PRICES = {"openai:gpt-4o": (2.5e-6, 10e-6), "openai:gpt-4o-mini": (0.15e-6, 0.6e-6)}
"""US dollars a token in and out, as in the price list."""


def test_an_idea_costs_what_its_calls_do(tmp_path):
    """Table 7."""

    def stop_on_the_second(request: Request) -> object:
        """Only in the field of the first published idea do ideas get better."""
        return {"improved": request.values["area"] == CATEGORIES[0], "reason": "By the rule."}

    models = tuple(PRICES)
    _, one = hold(tmp_path, "infal-cost", models=models, script={"verdict": stop_on_the_second})
    assert one.missing == ()
    made = table(one, "costs")
    for model, (price_in, price_out) in PRICES.items():
        # Every call takes 100 tokens in and 50 out.
        a_call = 100 * price_in + 50 * price_out
        # On the first target a first idea, then review, revision and verdict twice: 7 calls. On the
        # second the same once, and the review of the revision, which is written beside the verdict:
        # 5 calls. For either quality: a mean of 6 over targets that differ by 2.
        mean, reach, _ = paired_by_t((7 * a_call, 5 * a_call))
        value = at(made, "InfAL", model=model)
        assert (value.mean, value.n) == (pytest.approx(mean), 4)
        assert (value.low, value.high) == (0, pytest.approx(mean + reach)), "no cost is below 0"
    # Every idea that was written beats both published ones but the second one's novelty, at which
    # version 1 stops.
    for model in models:
        check_mean(at(table(one, "quality"), "Q novelty", model=model), 1, 0)
        check_mean(at(table(one, "quality"), "Q feasibility", model=model), 1, 1)
