"""Chains on screen: started, growing, ended, and what went wrong said."""
import pytest

from core.records import NoveltyCheck
from core.story import Story
from tests.scripted import chain, chain_script, runner_of, small_source
from tests.visiting import host, said, visit


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, chain_script())
    host(monkeypatch, runner)
    return runner


def test_an_empty_topic_gets_a_sentence_and_starts_nothing(runner):
    app = visit("chains")
    app.button(key="chains:go").click().run()
    assert "The topic is empty" in said(app)
    assert not runner.store.runs.listed()


def test_starting_freezes_what_was_asked_and_opens_the_run(runner, monkeypatch):
    runner.store.places.choose("model-main", "scripted:one")
    runner.store.places.choose("model-cheap", "scripted:one")
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    app = visit("chains", topic="sleep memory 2018")
    app.number_input(key="chains:length").set_value(3)
    app.button(key="chains:go").click().run()
    run = runner.store.runs.listed()[0]
    assert run.config.inputs["topic"] == "sleep memory 2018"
    assert run.config.inputs["length"] == 3
    assert app.query_params["run"] == run.id or app.query_params["run"] == [run.id]


def test_a_finished_chain_shows_papers_trend_idea_and_evidence(runner):
    run = chain(runner)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    app = visit("chains", run=run.id)
    shown = said(app)
    for text in ("Finished", "It goes on.", "Direction 1", "Idea 1", "Novelty check, round 1"):
        assert text in shown
    assert len(app.radio(key="chains:paper").options) == 5
    assert any(button.label == "Refine this idea" for button in app.button)


def test_a_source_that_failed_is_no_nothing_found(runner):
    source = small_source()
    runner.workshop.shelf_like = source
    source.down = True
    run = chain(runner)
    assert runner.work(run.id) == "failed"
    shown = said(visit("chains", run=run.id))
    assert "did not answer" in shown
    assert "Nothing was found" not in shown
    assert "Failed" in shown


def test_nothing_found_is_no_failed_source(runner):
    run = chain(runner, topic="zzz")
    runner.workshop.shelf_like = type(small_source())([], {})
    assert runner.work(run.id) == "failed"
    shown = said(visit("chains", run=run.id))
    assert "Nothing was found" in shown
    assert "did not answer" not in shown


def test_markup_in_a_topic_is_shown_as_text(runner):
    topic = "sleep memory <script>alert(1)</script> **bold** $x$ [a](http://b)"
    run = chain(runner, topic=topic)
    runner.store.runs.change(run.id, title=topic)
    runner.work(run.id)
    app = visit("chains", run=run.id)
    title = next(one.value for one in app.subheader if "alert" in one.value)
    assert r"\*\*bold\*\*" in title
    assert r"\<script\>" in title
    assert r"\[a\]" in title


def test_a_novelty_check_names_the_failed_source(runner):
    source = small_source()
    runner.workshop.shelf_like = source
    run = chain(runner)
    real = source.search

    def failing_late(query):
        source.down = query.text == "sleep study"
        try:
            return real(query)
        finally:
            source.down = False

    source.search = failing_late
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    assert Story.of(runner.store, run.id).last(NoveltyCheck).state == "source failed"
    assert "source failed" in said(visit("chains", run=run.id))
