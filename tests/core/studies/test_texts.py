"""What experts read before they begin: whole for every task, and nothing that a screen would
misread.
"""

from typing import get_args

import pytest

from core.errors import BadInput
from core.records import CRITERIA, DESIGN_CRITERIA, Design, Idea, Kind, Task, Trajectory
from core.studies import languages, texts
from tests.support.sessions import studies_kit as kit

EVERY = [(task, kind) for task in get_args(Task) for kind in get_args(Kind)]


@pytest.mark.parametrize(("task", "kind"), EVERY)
def test_every_task_has_its_texts(task, kind):
    plan = texts.standard(task, "Ours", kind)
    for said in (plan.title, plan.consent, plan.instructions, plan.example):
        assert said
        assert "$" not in said
        assert ("experiment design" in plan.consent) == (
            kind == "design" and task != "comment"
        )  # What is refined is an idea.
    assert (plan.task, plan.kind, bool(plan.criteria)) == (task, kind, task != "comment")


def test_consent_says_what_experts_must_know():
    said = texts.consent("rate")
    for what in (
        "voluntary",
        "withdraw at any time",
        "left out of the analysis",
        "number in place of your name",
        "pause",
        "this program's own database",
    ):
        assert what in said


@pytest.mark.parametrize(("task", "kind"), EVERY)
def test_all_that_is_read_before_the_first_unit_is_read_within_a_minute(task, kind):
    # 238 words a minute (Brysbaert 2019); 40 words more stand in titles, in buttons and in the line
    # on how long it takes; two pages load.
    words = len(f"{texts.consent(task, kind)} {texts.instructions(task, kind)}".split()) + 40
    assert 60 * words / 238 + 3 < 60


def test_only_where_answers_can_be_changed_it_is_said():
    assert [texts.BACK in texts.instructions(task) for task in get_args(Task)] == [
        task != "comment" for task in get_args(Task)
    ]


@pytest.mark.parametrize("preset", texts.PRESETS)
def test_presets_have_anchors_at_both_ends(preset):
    for one in texts.preset(preset):
        assert len({one.meaning, one.low, one.high}) == 3


def test_the_usual_criteria_are_those_of_the_arena():
    assert tuple(one.name for one in texts.criteria("rate")) == CRITERIA
    assert (
        tuple(one.name.replace(" ", "_") for one in texts.criteria("compare", "design"))
        == DESIGN_CRITERIA
    )
    assert texts.criteria("comment") == ()


def test_a_criterion_of_nobody_is_refused_with_those_there_are():
    assert texts.criterion(" Novelty ").name == "novelty"
    with pytest.raises(BadInput, match="novelty, significance"):
        texts.criterion("beauty")


@pytest.mark.parametrize(("task", "kind"), EVERY)
def test_practice_has_as_many_texts_as_the_task_shows(task, kind):
    made = texts.practice(task, kind, texts.criteria(task, kind))
    assert tuple(label for label, _ in made.texts) == made.unit.labels
    assert len(made.texts) == {"rate": 1, "rank": 3, "compare": 2, "comment": 1}[task]
    wanted = Trajectory if task == "comment" else Design if kind == "design" else Idea
    assert all(isinstance(one, wanted) for _, one in made.texts)
    assert bool(made.unit.criterion) == (task == "rank")
    assert made.unit.stages == (2 if task == "comment" else 1)


def test_our_texts_speak_of_the_scales_of_ones_own_rubric_and_of_no_other():
    plan = texts.standard("rate", "own", criteria=kit.OWN, overlap=2)
    assert "1 to 10" not in plan.instructions
    assert plan.instructions.startswith("Answer every question about each text, on the scale")
    assert plan.example.startswith("The example scores from 1 to 10; your questions have scales")
    usual = texts.fitted(plan.model_copy(update={"criteria": texts.criteria("rate")}))
    assert usual.instructions.startswith("Score each text from 1 to 10 on every quality.")
    assert "scales of their own" not in usual.example
    seven = tuple(one.model_copy(update={"highest": 7}) for one in texts.criteria("rate"))
    scaled = texts.standard("rate", "seven", criteria=seven, overlap=2)
    german = languages.in_language(scaled, languages.shipped("de"))
    assert german.instructions.startswith("Beantworten Sie zu jedem Text jede Frage")
    assert "Ihre Fragen haben eigene Skalen" in german.example
    written = plan.model_copy(update={"instructions": "Mine.", "example": "Mine too."})
    assert texts.fitted(written) == written
