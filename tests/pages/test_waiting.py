"""What a run asks a person, on screen: every open question has its form, and nothing that was typed
is lost.
"""

import pytest

from components.runs import waiting
from components.shell import in_view, person
from core.methods import RealInputs
from core.records import Topic
from core.story import Story
from tests.support.scripted import (
    PAPERS,
    baseline_script,
    chain,
    configured,
    runner_of,
    wide_script,
    wide_source,
)
from tests.support.visiting import host, said, settled, visit


@pytest.fixture
def branches(tmp_path, monkeypatch):
    """A run of three branches that wait for their directions."""
    runner, _ = runner_of(tmp_path, wide_script(), wide_source())
    host(monkeypatch, runner)
    run = chain(runner, topic="sleep 2018", branches=3, length=1, confirm=True)
    assert runner.work(run.id) == "waiting"
    return runner, run


def box(run, n: int, field: str) -> str:
    return f"waiting:{run.id}:branch-{n}/idea-1/direction:{field}"


def test_all_open_questions_are_shown_at_once_with_what_is_proposed(branches):
    _, run = branches
    app = visit("chains", run=run.id)
    assert "3 questions for you; the run goes on once all 3 are answered" in said(app)
    assert "Branch 2, round 1: direction" in said(app)
    assert app.text_area(key=box(run, 3, "direction")).value == "Direction 1"


def test_the_run_goes_on_after_the_last_answer_with_what_was_typed_under_the_name_given(branches):
    runner, run = branches
    app = visit("chains", run=run.id)
    app.text_input(key="waiting:by").set_value("  Ada ")
    app.text_area(key=box(run, 2, "direction")).set_value("Ask the dreamers.")
    for n in (1, 2, 3):
        assert runner.store.runs.get(run.id).state == "waiting"
        assert (in_view.WISH in app.session_state) == (n > 1)
        settled(app.button(key=box(run, n, "confirm")).click().run())
        # What is asked next is brought into view.
        assert app.session_state[in_view.WISH][0] == f"waiting:{run.id}"
    runner.wait(run.id, 20)
    assert runner.store.runs.get(run.id).state == "done"
    assert [one.direction.direction for one in Story.of(runner.store, run.id).branches] == [
        "Direction 1",
        "Ask the dreamers.",
        "Direction 1",
    ]
    assert runner.store.steps.get(run.id, "branch-2/idea-1/direction").origin.name == "Ada"


def test_what_is_typed_for_one_question_outlives_the_answer_to_another(branches):
    _, run = branches
    app = visit("chains", run=run.id)
    app.text_area(key=box(run, 2, "reasoning")).set_value("Half a thought")
    settled(app.button(key=box(run, 1, "confirm")).click().run())
    assert app.text_area(key=box(run, 2, "reasoning")).value == "Half a thought"
    assert "2 questions for you" in said(app)


def test_a_question_answered_elsewhere_while_somebody_types_is_said_and_the_text_is_there(branches):
    runner, run = branches
    app = visit("chains", run=run.id)
    app.text_area(key=box(run, 2, "direction")).set_value("Ask the <b>dreamers</b>.").run()
    runner.answer(run.id, "branch-2/idea-1/direction", {"direction": "D", "reasoning": "R"}, "Bea")
    shown = said(settled(app.run()))
    assert "Branch 2, round 1: direction was answered by Bea meanwhile" in shown
    assert "Ask the <b>dreamers</b>." in shown


def test_an_answer_that_does_not_fit_is_a_sentence_that_stays(branches):
    runner, run = branches
    app = visit("chains", run=run.id)
    app.text_area(key=box(run, 1, "direction")).set_value(" ")
    app = settled(app.button(key=box(run, 1, "confirm")).click().run())
    assert "The answer does not fit. Direction" in said(settled(app.run()))
    assert len(runner.store.answers.open(run.id)) == 3


def test_the_topic_of_a_real_paper_is_confirmed(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, baseline_script())
    host(monkeypatch, runner)
    run = runner.begin(
        configured(runner, "real-paper", RealInputs(topic="t", paper=PAPERS[4])), "A paper"
    )
    assert runner.work(run.id) == "waiting"
    asked = runner.store.answers.open(run.id)[0].key
    app = visit("chains", run=run.id)
    assert PAPERS[4].abstract in said(app)
    app.text_area(key=f"waiting:{run.id}:{asked}:topic").set_value("Sleep in athletes")
    settled(app.button(key=f"waiting:{run.id}:{asked}:confirm").click().run())
    runner.wait(run.id, 20)
    assert runner.store.runs.get(run.id).state == "done"
    assert Story.of(runner.store, run.id).last(Topic).topic == "Sleep in athletes"
    assert runner.store.steps.get(run.id, asked).origin.name == person.NOBODY


def test_a_question_without_a_form_names_another_way_and_the_others_stay(branches):
    runner, run = branches
    runner.store.answers.ask(
        run.id, "a-seat/rating", {"ask": "rating", "shown": {}, "schema": {"title": "Verdict"}}
    )
    app = visit("chains", run=run.id)
    assert "cannot be answered here. Open the run from Runs" in said(app)
    assert app.button(key=box(run, 1, "confirm"))


@pytest.mark.parametrize(
    ("key", "so"),
    [
        ("topic", "Topic"),
        ("branch-2/idea-1/direction", "Branch 2, round 1: direction"),
        ("round-3/verdict", "Round 3: verdict"),
        ("round-0/review", "First idea: review"),
        ("idea-2/round-0/first-idea", "Idea 2: first idea"),
        ("idea-2/round-1/go-ahead", "Idea 2, round 1: go ahead"),
    ],
)
def test_a_question_is_called_by_where_it_is_asked(key, so):
    assert waiting.where(key) == so


@pytest.mark.parametrize(
    ("key", "so"),
    [
        ("person/final/novelty/repeat-1/rank", "your ranking by novelty"),
        ("round-1/verdict", "your verdict (round 1)"),
        ("branch-2/idea-1/direction", "your word on the predicted direction (branch 2, round 1)"),
    ],
)
def test_what_a_run_waits_for_is_said_in_words(key, so):
    assert waiting.wanted(key) == so


def test_a_run_that_waits_can_be_stopped_and_asks_again_when_it_is_resumed(branches):
    runner, run = branches
    app = visit("chains", run=run.id)
    settled(app.button(key="chains:stop").click().run())
    stopped = runner.store.runs.get(run.id)
    assert (stopped.state, runner.store.runs.lease(run.id)["owner"]) == ("stopped", None)
    assert "Resume, and it asks again." in said(app)
    app.text_area(key=box(run, 1, "direction")).set_value("While it rests.")
    settled(app.button(key=box(run, 1, "confirm")).click().run())
    assert runner.store.runs.get(run.id).state == "stopped"
    settled(app.button(key="chains:resume").click().run())
    runner.wait(run.id, 20)
    assert runner.store.runs.get(run.id).state == "waiting"
    app = visit("chains", run=run.id)
    assert "2 questions for you" in said(app)
    for n in (2, 3):
        settled(app.button(key=box(run, n, "confirm")).click().run())
    runner.wait(run.id, 20)
    assert runner.store.runs.get(run.id).state == "done"
    assert Story.of(runner.store, run.id).branches[0].direction.direction == "While it rests."


def test_a_direction_half_typed_outlives_a_reload(branches):
    _, run = branches
    app = visit("chains", run=run.id)
    app.text_area(key=box(run, 2, "reasoning")).set_value("Half a thought").run()
    assert visit("chains", run=run.id).text_area(key=box(run, 2, "reasoning")).value == (
        "Half a thought"
    )
