"""The data set of questions: sampled by a fixed seed, prepared side by side, never paid twice, and
every loss said.
"""

import re

import pytest

from core.errors import ModelFailed
from core.export.datasets import numbers, usable
from core.export.markdown import markdown
from core.methods.seed_dataset import SeedInputs
from core.records import Gathered, LeftOut, Prepared
from core.runs.estimates import of_run, plan
from core.story import Story
from tests.conftest import SmallSource
from tests.support.dataset_kit import DataSource, found, named, question_script, seed
from tests.support.scripted import configured, die, fresh, prompts_asked, resumed, runner_of

PAPERS = [found(n) for n in range(8)]


def dataset(tmp_path, script=None, source=None, works=6, **asked):
    """Begin a data set of so many works; return the runner, the model, the source and the run."""
    source = source or DataSource(PAPERS, [seed(n) for n in range(works)])
    runner, model = runner_of(tmp_path, script or question_script(), source)
    inputs = SeedInputs(**({"works": works, "at_once": 2} | asked))
    return (
        runner,
        model,
        source,
        runner.begin(
            configured(runner, "seed-dataset", inputs, cap_tokens=10_000_000), "A data set"
        ),
    )


def test_every_sampled_work_becomes_a_question_shown_in_its_place(tmp_path):
    runner, _, source, run = dataset(tmp_path)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    story = Story.of(runner.store, run.id)
    assert {place for place, record in story.parts if isinstance(record, Prepared)} == {
        f"question/W{n}" for n in range(6)
    }
    assert story.last(Gathered) == Gathered(wanted=6, found=6, qualified=6)
    assert {one.seed.id for one in usable(story)} == {f"openalex:W{n}" for n in range(6)}
    assert source.asked[:2] == [("sample", "1"), ("sample", "2")]


def test_the_estimate_is_what_is_asked(tmp_path):
    runner, model, _, run = dataset(tmp_path)
    runner.work(run.id)
    assert (
        plan("seed-dataset", run.config.inputs)[0].total()
        == of_run(run).calls
        == len(model.requests)
        == 18
    )


def test_a_failed_work_is_shown_as_failed_and_the_others_go_on(tmp_path):
    def asks(request):
        return (
            ModelFailed("The model gave no usable answer.")
            if named(request) == "openalex:W2"
            else {"question": "By which means do naps help?"}
        )

    runner, _, _, run = dataset(tmp_path, question_script(question=asks))
    assert runner.work(run.id) == "done"
    story = Story.of(runner.store, run.id)
    assert [one.paper.id for one in story.all(LeftOut)] == ["openalex:W2"]
    assert "no usable answer" in story.last(LeftOut).reason
    ended = story.last(Gathered)
    assert (ended.found, ended.left_out) == (5, 1)
    assert "the model failed at 1" in ended.reason


def test_where_the_model_fails_at_every_work_the_run_has_failed(tmp_path):
    runner, _, _, run = dataset(
        tmp_path, question_script(keywords=lambda _: {"keywords": ["sleep"]}), works=2
    )
    assert runner.work(run.id) == "failed"
    assert runner.store.runs.get(run.id).reason.startswith(
        "No question came of any of the 2 works."
    )


def test_a_failed_work_is_tried_again_in_a_fork_that_pays_for_it_alone(tmp_path):
    down = [True]

    def asks(request):
        return (
            ModelFailed("Gone.")
            if down[0] and named(request) == "openalex:W2"
            else {"question": "By which means do naps help?"}
        )

    runner, model, _, run = dataset(tmp_path, question_script(question=asks))
    runner.work(run.id)
    down[0], before = False, len(model.requests)
    fork = runner.fork(run.id, "question/W2/question", lambda config: config)
    assert runner.work(fork.id) == "done"
    assert Story.of(runner.store, fork.id).last(Gathered).found == 6
    assert len(model.requests) - before == 3


def test_a_rejected_question_says_why_and_is_no_part_of_the_data_set(tmp_path):
    runner, _, _, run = dataset(
        tmp_path, source=DataSource(PAPERS[:3], [seed(n) for n in range(2)]), works=2
    )
    assert runner.work(run.id) == "done"
    story = Story.of(runner.store, run.id)
    assert (usable(story), len(numbers(story)["rejected"])) == ((), 2)
    assert "2 questions were rejected" in story.last(Gathered).reason


def test_a_source_that_gives_fewer_works_is_said(tmp_path):
    source = DataSource(
        PAPERS, [seed(1), seed(1), seed(2).model_copy(update={"abstract": ""}), seed(3)]
    )
    runner, _, _, run = dataset(tmp_path, source=source, works=50)
    runner.work(run.id)
    ended = Story.of(runner.store, run.id).last(Gathered)
    assert (ended.qualified, ended.found) == (2, 2)
    assert "the source gave 2 works of 2025 with an abstract" in ended.reason


def test_a_source_that_fails_in_the_middle_ends_the_run_and_one_resume_asks_all_of_it_again(
    tmp_path,
):
    runner, model, source, run = dataset(tmp_path, at_once=6)

    def asks(request):
        source.down = True
        return {"question": "By which means do naps help?"}

    model.script["question"] = asks
    assert runner.work(run.id) == "failed"
    assert "did not answer" in runner.store.runs.get(run.id).reason
    assert Story.of(runner.store, run.id).all(Prepared) == ()
    source.down = False
    model.script["question"] = lambda _: pytest.fail("a question was paid twice")
    assert resumed(runner, run.id) == "done"
    assert Story.of(runner.store, run.id).last(Gathered).found == 6
    assert prompts_asked(model).count("question") == 6


def test_killed_in_the_middle_it_goes_on_and_pays_nothing_twice(tmp_path):
    runner, model, _, run = dataset(tmp_path, at_once=1)
    calls = []

    def dies(request):
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return {"question": "By which means do naps help?"}

    model.script["question"] = dies
    with pytest.raises(KeyboardInterrupt):
        runner.work(run.id)
    before = {one.key for one in runner.store.steps.outline(run.id)}
    shown = len(Story.of(runner.store, run.id).all(Prepared))
    assert shown == 3
    die(runner, run.id)
    again = fresh(runner)
    again.notice_dead()
    assert resumed(again, run.id) == "done"
    assert Story.of(again.store, run.id).last(Gathered).found == 6
    # The call that was in flight is the only one made twice.
    assert len(model.requests) == 18 + 1
    assert before < {one.key for one in again.store.steps.outline(run.id)}


def test_a_report_tells_each_question_each_loss_and_the_numbers(tmp_path):
    def asks(request):
        return (
            ModelFailed("Gone.")
            if named(request) == "openalex:W1"
            else {"question": "By which means do naps help?"}
        )

    runner, _, _, run = dataset(tmp_path, question_script(question=asks), works=2)
    runner.work(run.id)
    text = markdown(runner.store, run.id)
    assert "By which means do naps help" in text
    assert "Naps matter" in text
    assert re.search("Left out: .*A sampled work, number 1 of its kind", text)
    assert "1 of 2; 2 qualified, 1 of those that were tried were left out." in text
    assert "It has not ended" not in text


def test_the_same_seed_gives_the_same_data_set(tmp_path):
    made = []
    for folder in ("one", "two"):
        runner, _, _, run = dataset(tmp_path / folder)
        runner.work(run.id)
        made.append(usable(Story.of(runner.store, run.id)))
    assert made[0] == made[1]


def test_a_source_that_cannot_sample_is_a_sentence(tmp_path):
    runner, _, _, run = dataset(tmp_path, source=SmallSource(PAPERS, {}))
    assert runner.work(run.id) == "failed"
    assert "cannot draw works at random; OpenAlex can" in runner.store.runs.get(run.id).reason


def test_a_year_without_works_is_a_sentence(tmp_path):
    runner, _, _, run = dataset(tmp_path, source=DataSource(PAPERS, []), works=3)
    assert runner.work(run.id) == "failed"
    assert "has no work of 2025 with an abstract" in runner.store.runs.get(run.id).reason


def test_there_are_bounds():
    with pytest.raises(ValueError, match="works"):
        SeedInputs(works=10_001)
