"""EvoIdeator: `evoideator-main` and `evoideator-providers` (tables 1, 2, figures 2, 3).

Seven items hold where an idea says so in its title; Length and Layout, which code decides, always
do. Size small has two questions, and one revision.
"""

import pytest

from core.experiments.checklist.tables import ALONE
from core.export.reproduced import Reproduced, figures
from core.models.port import Request
from core.records import ITEMS, Value
from core.runs.recipe_data import SMALL
from core.runs.runner import Runner
from tests.support.checklist_kit import ANNA, BERT, SCORER, STRONG, WEAK, runner_of
from tests.support.evolving import fixed, idea_with, judged
from tests.support.golden_kit import at, column, held, paired_by_t, table

FIRST = "daytime nap"
"""In the first question that is answered."""
GENERATORS = (WEAK, STRONG)
Sums = tuple[int, int]
BOTH = 2 / (2 + 1.959963984540054**2)
"""Where Wilson's interval of two hits of two begins; it ends at 1."""


def wilson(share: float) -> tuple[float, float]:
    """Return Wilson's interval of a share of two observations."""
    z = 1.959963984540054**2
    middle = (share + z / 4) / (1 + z / 2)
    half = (z * (share * (1 - share) / 2 + z / 16)) ** 0.5 / (1 + z / 2)
    return middle - half, middle + half


def writes(weak: bool) -> dict:
    """Return how a generator writes: the weak one has Writing right at first, on the first question
    Problem too, and follows one directive; the strong one has both right, and follows three, on the
    first question two. Alone neither gains anything, and the weak one loses Writing on the first.
    """

    def is_first(request: Request) -> bool:
        return FIRST in str(request.values["question"])

    def first(request: Request) -> object:
        right = {"writing", "problem"} if is_first(request) or not weak else {"writing"}
        return {"idea": idea_with(right)}

    def revise(request: Request) -> object:
        many = 1 if weak else 2 if is_first(request) else 3
        followed = {one.item for one in request.values["directives"][:many]}
        return {"idea": idea_with(fixed(request.values["idea"].text) | followed)}

    def alone(request: Request) -> object:
        right = fixed(request.values["idea"].text)
        return {"idea": idea_with(right - {"writing"} if weak and is_first(request) else right)}

    return {"evolve-idea": first, "evolve-revise": revise, "evolve-alone": alone}


STEP_0: dict[str, Sums] = {WEAK: (2 + 2, 1 + 2), STRONG: (2 + 2, 2 + 2)}
"""Sums over items of the first ideas on both questions: those of the title, Length and Layout."""
STEP_1: dict[tuple[str, str], Sums] = {
    (WEAK, ALONE): (1 + 2, 1 + 2),
    (WEAK, ANNA): (3 + 2, 2 + 2),
    (STRONG, ALONE): (2 + 2, 2 + 2),
    (STRONG, ANNA): (4 + 2, 5 + 2),
}


def check(value: Value, pair: tuple[float, float], low: float, high: float) -> None:
    """Compare the mean of two questions, its interval by Student's t with one degree of freedom,
    cut at the ends; where both are alike, Wilson's of the share that they are of the scale.
    """
    assert (value.mean, value.n) == (pytest.approx(sum(pair) / 2), 2)
    if pair[0] != pair[1]:
        mean, reach, _ = paired_by_t(pair)
        ends = max(low, mean - reach), min(high, mean + reach)
    else:
        ends = tuple(low + (high - low) * end for end in wilson((pair[0] - low) / (high - low)))
    assert (value.low, value.high) == pytest.approx(ends)


def hold(folder, name: str, judges: tuple[str, ...]) -> tuple[Runner, Reproduced]:
    runner, _ = runner_of(folder, weak=writes(weak=True), strong=writes(weak=False))
    return runner, held(runner, name, GENERATORS, judges)


def test_the_first_question_is_the_one_that_the_rules_are_made_for():
    lines = (SMALL / "questions.jsonl").read_text("utf-8").splitlines()
    assert sum(FIRST in line for line in lines) == 1


@pytest.fixture(scope="module")
def main(tmp_path_factory):
    """`evoideator-main`: informed by Anna, and uninformed."""
    return hold(tmp_path_factory.mktemp("main"), "evoideator-main", (SCORER, ANNA))


def test_items_and_their_sum_are_those_of_every_step(main):
    """Table 1."""
    _, one = main
    assert one.missing == ()
    made = table(one, "checklist-items")
    for generator in GENERATORS:
        lead = {"step": "0", "model": generator}
        check(at(made, "Sum", **lead), STEP_0[generator], 0, 9)
    for (generator, by), sums in STEP_1.items():
        lead = {"step": "1", "model": generator, "directives_by": by}
        check(at(made, "Sum", **lead), sums, 0, 9)
    # The weak one's first ideas have Problem on one question of two: the wider end of Wilson's
    # interval and of Student's t, which is cut at both ends of the scale.
    problem = at(made, "Problem", step="0", model=WEAK)
    assert (problem.mean, problem.low, problem.high) == (0.5, 0, 1)
    writing = at(made, "Writing", step="0", model=WEAK)
    assert (writing.mean, writing.high) == (1, 1)
    assert writing.low == pytest.approx(BOTH)
    assert at(made, "Writing", step="1", model=WEAK, directives_by=ALONE).mean == 0.5
    # Directives come in the order of the checklist: the weak one does something for the first item.
    informed = {
        item.name: at(made, item.name.capitalize(), step="1", model=STRONG, directives_by=ANNA).mean
        for item in ITEMS
    }
    assert informed == {
        "grounding": 1,
        "feasibility": 1,
        "problem": 1,
        "risk": 0.5,
        "method": 0,
        "writing": 1,
        "innovation": 0,
        "length": 1,
        "layout": 1,
    }


def test_differences_are_paired_by_question(main):
    _, one = main
    made = table(one, "checklist-differences")

    def differ(what: str, model: str, by: str, a: Sums, b: Sums) -> None:
        pair = tuple(x - y for x, y in zip(a, b, strict=True))
        value = at(
            made, "Difference of the sum", compared=what, model=model or "–", directives_by=by
        )
        check(value, pair, -9, 9)

    for generator in GENERATORS:
        informed, alone = STEP_1[generator, ANNA], STEP_1[generator, ALONE]
        differ("informed − uninformed", generator, ANNA, informed, alone)
        for by in (ANNA, ALONE):
            after = STEP_1[generator, by]
            differ("step 1 − step 0", generator, by, after, STEP_0[generator])
    for by in (ANNA, ALONE):
        pair = STEP_1[WEAK, by], STEP_1[STRONG, by]
        differ(f"{WEAK} − {STRONG}", "", by, *pair)
    assert len(made.rows) == 2 + 4 + 2


def test_nothing_is_lost_and_every_line_is_drawn(main):
    """Figures 2 and 3."""
    runner, one = main
    lost = table(one, "checklist-discards")
    assert column(lost, "Cells") == ["2"] * 4
    assert column(lost, "Discarded") == column(lost, "Failed") == ["0"] * 4
    drawn = {one.name: one for one in figures(runner.store, one)}
    assert drawn.keys() == {"checklist-sums", "checklist-items"}
    lines = {line.name: list(line.y) for line in drawn["checklist-sums"].figure.data}
    assert lines == {
        f"{generator}, {said}": [sum(STEP_0[generator]) / 2, sum(STEP_1[generator, by]) / 2]
        for generator in GENERATORS
        for by, said in ((ALONE, "without directives"), (ANNA, f"directives by {ANNA}"))
    }
    items = drawn["checklist-items"].figure.data
    # Four lines, each in nine panels; the fourth item of the last is Risk.
    assert len(items) == 4 * 9
    assert list(items[3 * 9 + 3].y) == [0, 0.5]


def test_providers_are_compared_on_the_same_first_ideas(tmp_path):
    """Table 2: Bert finds Grounding right always, so that he gives directives on other items."""

    def lenient(request: Request) -> object:
        if request.values["item"].name == "grounding":
            return {"reason": "It holds.", "score": 1, "directive": None}
        return judged(request)

    runner, _ = runner_of(
        tmp_path,
        weak=writes(weak=True),
        strong=writes(weak=False),
        bert={"checklist-item": lenient},
    )
    one = held(runner, "evoideator-providers", GENERATORS, (SCORER, ANNA, BERT))
    assert one.missing == ()
    made = table(one, "checklist-providers")
    for by in (ANNA, BERT):
        for generator in GENERATORS:
            lead = {"directives_by": by, "model": generator}
            check(at(made, "Step 0", **lead), STEP_0[generator], 0, 9)
    after = {
        # The weak one follows one directive of either; the strong one two or three: as many items
        # come right, whichever they are.
        (ANNA, WEAK): STEP_1[WEAK, ANNA],
        (BERT, WEAK): STEP_1[WEAK, ANNA],
        (ANNA, STRONG): STEP_1[STRONG, ANNA],
        (BERT, STRONG): STEP_1[STRONG, ANNA],
    }
    for (by, generator), sums in after.items():
        check(at(made, "Step 1", directives_by=by, model=generator), sums, 0, 9)
    items = table(one, "checklist-items")
    shown = {
        by: at(items, "Grounding", step="1", model=STRONG, directives_by=by).mean
        for by in (ANNA, BERT)
    }
    assert shown == {ANNA: 1, BERT: 0}, "what a provider finds right is not worked on"
    beside = {own.name: theirs.name for own, theirs in one.tables if theirs}
    assert beside["checklist-providers"] == "published-checklist-providers"
