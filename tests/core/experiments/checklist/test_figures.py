"""The figures of a checklist experiment against calculations by hand, and what is said of them."""

from statistics import fmean, stdev

import pytest

from core.experiments.checklist.cells import ChecklistExperimentInputs
from core.experiments.checklist.outcome import caveats, independence, outcome, turned
from core.experiments.checklist.published import beside
from core.experiments.checklist.results import (
    ChecklistResults,
    differences,
    losses,
    step_means,
)
from core.experiments.checklist.tables import tables
from core.records import ITEMS, EvolvedCell, TrainedPolicy, TrainingData, TrainingQuery
from core.statistics.intervals import Figure
from core.store import Store

T3 = 3.182446305284263
"""Student's t at 97.5 % with 3 degrees of freedom."""
A, B, P = "model:a", "model:b", "judge:p"
Scores = tuple[int | None, ...]


def scores(total: int, unjudged: bool = False) -> Scores:
    """Return scores of nine items that add up so; of the last item none, if it was unjudged."""
    vector: Scores = (1,) * total + (0,) * (len(ITEMS) - total)
    return (*vector[:-1], None) if unjudged else vector


def cell(n: int, generator: str, provider: str, *totals: int, **more: object) -> EvolvedCell:
    steps = more.pop("steps", tuple(map(scores, totals)))
    return EvolvedCell(
        question=f"q{n}", generator=generator, provider=provider, run="r", steps=steps, **more
    )


def held(*cells: EvolvedCell, **given: object) -> ChecklistResults:
    whole = {
        "topic": "t",
        "data": "d",
        "questions": 4,
        "generators": (A, B),
        "providers": (P,),
        "scorer": "judge:s",
    }
    return ChecklistResults(
        run="x", asked=ChecklistExperimentInputs.model_validate({**whole, **given}), cells=cells
    )


def by_hand() -> ChecklistResults:
    firsts = {A: (3, 4, 5, 4), B: (2, 4, 3, 3)}
    informed = {A: (6, 7, 7, 8), B: (5, 5, 6, 4)}
    alone = {A: (3, 5, 5, 4), B: (2, 4, 4, 3)}
    return held(
        *(
            cell(n, generator, provider, firsts[generator][n], after[generator][n])
            for generator in (A, B)
            for provider, after in (("", alone), (P, informed))
            for n in range(4)
        )
    )


def t_interval(values: list[float]) -> tuple[float, float, float]:
    mean, half = fmean(values), T3 * stdev(values) / len(values) ** 0.5
    return mean, mean - half, mean + half


def test_sums_are_means_over_questions_with_student_s_t():
    found = {
        (one.generator, one.condition and one.condition.provider, one.step): one.means[0].figure
        for one in step_means(by_hand())
    }
    assert set(found) == {
        *((generator, None, 0) for generator in (A, B)),
        *((generator, provider, 1) for generator in (A, B) for provider in ("", P)),
    }
    assert found[A, None, 0][:3] == pytest.approx(t_interval([3, 4, 5, 4]))
    assert found[A, P, 1][:3] == pytest.approx(t_interval([6, 7, 7, 8]))
    assert found[B, "", 1][:3] == pytest.approx(t_interval([2, 4, 4, 3]))
    assert found[A, P, 1].how == "Student's t over 4 questions"


def test_items_are_shares_of_questions():
    (first, *_) = step_means(by_hand())
    shares = [mean.figure.value for mean in first.means[1:]]
    # The sums are 3, 4, 5, 4: the fourth item holds in three of four.
    assert shares == [1, 1, 1, 0.75, 0.25, 0, 0, 0, 0]
    assert all(0 <= mean.figure.low <= mean.figure.high <= 1 for mean in first.means[1:])


def test_differences_are_paired_by_question():
    found = {
        (one.kind, one.a, one.b, one.generator, one.provider): one.figure
        for one in differences(by_hand())
    }
    assert found["informed", "informed", "uninformed", A, P][:3] == pytest.approx(
        t_interval([3, 2, 2, 4])
    )
    assert found["refined", "step 1", "step 0", A, P][:3] == pytest.approx(t_interval([3, 3, 2, 4]))
    assert found["refined", "step 1", "step 0", B, ""][:3] == pytest.approx(
        t_interval([0, 0, 1, 0])
    )
    assert found["generators", A, B, "", P][:3] == pytest.approx(t_interval([1, 2, 1, 4]))


def test_only_questions_that_both_sides_answered_make_a_difference():
    results = held(
        *(cell(n, A, P, 3, 6 + n) for n in range(4)),
        *(cell(n, A, "", 3, 4) for n in range(3)),
        cell(3, A, "", steps=(scores(3),), state="discarded"),
    )
    figure = next(one.figure for one in differences(results) if one.kind == "informed")
    assert (figure.value, figure.n) == (pytest.approx(3.0), 3)
    (alone, *_) = [one for one in losses(results) if not one.condition.provider]
    assert (alone.cells, alone.discarded, alone.failed) == (4, 1, 0)


def test_an_unjudged_item_leaves_the_sum_and_not_the_other_items():
    results = held(
        cell(0, A, P, 3, 6),
        cell(1, A, P, 3, 7),
        cell(2, A, P, steps=(scores(3), scores(5, unjudged=True))),
    )
    after = next(one for one in step_means(results) if one.step == 1)
    total, *items = after.means
    assert (total.figure.value, total.figure.n, total.unjudged) == (6.5, 2, 1)
    assert [mean.unjudged for mean in items] == [0] * 8 + [1]
    assert items[0].figure.n == 3


def test_an_idea_that_ended_early_stands_as_it_ended_and_one_discarded_does_not():
    results = held(
        cell(0, A, P, 9),
        cell(1, A, P, 3, 5),
        cell(2, A, P, steps=(scores(8),), state="discarded"),
        cell(3, A, P, steps=(scores(8),), state="failed"),
    )
    after = next(one for one in step_means(results) if one.step == 1)
    assert (after.means[0].figure.value, after.means[0].figure.n) == (7.0, 2)
    before = next(one for one in step_means(results) if one.step == 0)
    assert before.means[0].figure.n == 4


def test_the_outcome_names_the_best_and_by_how_much():
    best, lead, informed, refined = outcome(by_hand())
    mean, low, high = t_interval([6, 7, 7, 8])
    assert best == (
        f"Revised by the directives of {P}, {A} has the highest mean sum:"
        f" {mean:.2f} [{low:.2f}, {high:.2f}] of 9 items hold, over 4 questions."
    )
    mean, low, high = t_interval([1, 2, 1, 4])
    assert low < 0 < mean
    assert lead == (
        f"It leads {B} by {mean:.2f} [{low:.2f}, {high:.2f}], on 4 questions that both answered;"
        " the interval includes 0, so it may be chance."
    )
    assert "satisfy +2.75 [" in informed
    assert informed.endswith("starting from the same first ideas.")
    assert "changes by +3.00 [" in refined


def test_without_scores_there_is_no_outcome():
    assert outcome(held()) == ()
    assert tables(held()) == ()


def test_the_best_of_two_is_named_first_whatever_their_order():
    turned_round = held(
        *(cell(n, A, P, 3, 4) for n in range(4)), *(cell(n, B, P, 3, 6 + n % 2) for n in range(4))
    )
    assert f"{B} has the highest mean sum" in outcome(turned_round)[0]
    assert outcome(turned_round)[1].startswith(f"It leads {A} by 2.50 [")
    assert turned(Figure(-1.0, -2.0, 0.5, 3))[:3] == (1.0, -0.5, 2.0)


def test_tables_have_a_row_for_each_step_condition_and_comparison():
    items, providers, compared, lost = tables(by_hand())
    lead = [tuple(value.text for value in row[:3]) for row in items.rows]
    assert lead == [
        ("0", A, "– (first idea)"),
        ("0", B, "– (first idea)"),
        ("1", A, "none (the model itself)"),
        ("1", A, P),
        ("1", B, "none (the model itself)"),
        ("1", B, P),
    ]
    assert items.head[3:5] == ("Sum", "Grounding")
    assert [(row[0].text, row[1].text, row[2].mean, row[3].mean) for row in providers.rows] == [
        ("none (the model itself)", A, 4.0, 4.25),
        ("none (the model itself)", B, 3.0, 3.25),
        (P, A, 4.0, 7.0),
        (P, B, 3.0, 5.0),
    ]
    assert len(compared.rows) == 2 + 4 + 2
    assert [row[2].mean for row in lost.rows] == [4.0] * 4
    assert "Scored by judge:s" in items.note


def test_published_tables_stand_beside_and_say_that_they_are():
    known = beside()
    assert set(known) == {"checklist-items", "checklist-providers"}
    for table in known.values():
        assert table.title.endswith("as published")
        assert "scored by another judge, DeepSeek-V3.2" in table.note
    rows = {
        (row[0].text, row[1].text): [value.mean for value in row[2:]]
        for row in known["checklist-items"].rows
    }
    assert len(rows) == 10
    assert rows["1", "EvoIdeator"] == [0.99, 0.31, 0.94, 0.35, 0.58, 0.99, 0.47, 0.18]
    providers = {
        row[0].text: (row[1].mean, row[2].mean, row[2].low)
        for row in known["checklist-providers"].rows
    }
    assert providers["DS v3.2"] == (4.05, 6.02, pytest.approx(5.79))
    # The two tables agree, with Layout (left out of table 1) at nearly 1.
    assert 1 + sum(rows["1", "EvoIdeator"]) == pytest.approx(providers["DS R1 70B Distill"][1])


# -- how far scores can be trusted -----------------------------------------------------------------


class _Policies:
    """A shelf of policies as the store has one: `local:wise` was judged by a model."""

    def __init__(self, judge: str, data: str):
        self.judge, self.data = judge, data

    def get(self, name: str) -> TrainedPolicy:
        return TrainedPolicy(
            name=name,
            run="t",
            step=10,
            base="base",
            base_digest="b",
            data=self.data,
            settings={},
            judge=self.judge,
            curve=(),
            files={},
        )


def test_a_scorer_that_nobody_depends_on_is_said_to_be_independent(store):
    asked = by_hand().asked
    assert caveats(store, asked) == ()
    assert "gave no directives and judged no training" in independence(store, asked)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"providers": ("judge:s",)}, "scores and gives directives as well"),
        ({"generators": ("judge:s", A)}, "scores ideas that it wrote itself"),
        ({"generators": ("local:gone",)}, "papers of local:gone are not here"),
    ],
)
def test_a_scorer_that_is_no_other_model_is_named(store, given, says):
    (said,) = caveats(store, held(**given).asked)
    assert says in said


def test_the_judge_of_a_training_and_questions_it_saw_are_named(store: Store, monkeypatch):
    queries = tuple(TrainingQuery(question=f"Question {n}?", seed=str(n)) for n in range(3))
    mine = store.frozen.keep(TrainingData(training=queries[2:], held_out=queries[:2]))
    other = store.frozen.keep(TrainingData(training=queries[1:], held_out=queries[:1]))
    monkeypatch.setattr(store, "policies", _Policies("judge:s", other), raising=False)
    asked = held(generators=("local:wise", A), data=mine, questions=2).asked
    judged, seen = caveats(store, asked)
    assert judged.startswith("judge:s also judged the training of local:wise")
    assert seen == "local:wise was trained on 1 question of those it answers here."
    monkeypatch.setattr(store, "policies", _Policies("judge:t", mine), raising=False)
    assert caveats(store, asked) == ()


def test_one_that_answered_fewer_questions_is_not_said_to_lead_where_both_answered():
    others = (cell(n, B, P, 3, 9 if n < 4 else 6) for n in range(12))
    best, fewer, lead, *_ = outcome(held(*(cell(n, A, P, 3, 8) for n in range(4)), *others))
    assert f"{A} has the highest mean sum: 8.00" in best
    assert best.endswith("over 4 questions.")
    assert fewer.startswith(f"Not all answered 12 questions ({A} 4):")
    assert lead.startswith(f"Yet {B} leads it by 1.00")


def test_two_that_answered_nothing_in_common_do_not_lead_and_are_not_level():
    _, lead, *_ = outcome(
        held(
            *(cell(n, A, P, 3, 8) for n in range(4)),
            *(cell(n, B, P, 3, 7) for n in range(4, 8)),
        )
    )
    assert lead == f"It and {B} answered no question in common, so neither leads."


def test_two_that_are_level_are_said_to_be():
    level = (cell(n, one, P, 3, 6 + n % 2) for one in (A, B) for n in range(4))
    best, lead, *_ = outcome(held(*level))
    assert f"{A} has the highest mean sum, as high as {B}: 6.50" in best
    assert lead.startswith(f"It is level with {B} on 4 questions that both answered")
