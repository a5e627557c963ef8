"""Baselines and real papers on screen."""

import pytest

from core.methods import BaselineInputs, RealInputs
from tests.support.scripted import PAPERS, baseline_script, configured, runner_of
from tests.support.visiting import host, links, said, settled, visit


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, baseline_script())
    host(monkeypatch, runner)
    return runner


def begun(runner, method, state="done", **more):
    inputs = (
        RealInputs(topic="t", paper=PAPERS[3])
        if method == "real-paper"
        else BaselineInputs(topic="sleep memory 2018", **more)
    )
    run = runner.begin(configured(runner, method, inputs), f"By {method}")
    assert runner.work(run.id) == state, runner.store.runs.get(run.id).reason
    return run


def test_retrieval_shows_idea_experiment_and_what_it_was_prompted_with(runner):
    shown = said(visit("chains", run=begun(runner, "rag").id))
    for text in (
        "Prompted with the 9 nearest papers",
        "Idea 1 from p2018",
        "Retrieved papers (9), nearest to the topic first",
        "“memory study”",
        "2018 · Sleep memory study 2018",
        "1. Sleep.",
        "Asked for: Retrieval-augmented prompting · Built-in papers",
    ):
        assert text in shown, text


def test_direct_prompting_shows_an_idea_and_no_papers(runner):
    shown = said(visit("chains", run=begun(runner, "direct", design=False).id))
    assert "Idea 1 from nothing" in shown
    assert "No experiment was designed." in shown
    assert "Retrieved papers" not in shown


def test_a_real_paper_waits_for_its_topic_and_shows_it_once_confirmed(runner):
    run = begun(runner, "real-paper", "waiting")
    assert "What p2017 is about" in visit("chains", run=run.id).text_area[0].value
    [question] = runner.store.answers.open(run.id)
    runner.answer(run.id, question.key, {"topic": "Naps of athletes"}, "Ada")
    runner.wait(run.id, 20)
    shown = said(visit("chains", run=run.id))
    assert "Naps of athletes" in shown
    assert "Idea of p2017" in shown
    assert "2017 · Sleep memory study 2017" in shown


def test_a_baseline_whose_source_failed_says_so_and_offers_another_try(runner):
    runner.workshop.shelf_like.down = True
    app = visit("chains", run=begun(runner, "rag", "failed").id)
    assert "did not answer" in said(app)
    assert any("topic=" in link.query_string for link in links(app))


@pytest.mark.parametrize(
    ("method", "words"),
    [("rag", "Estimated: at most 3 model calls"), ("direct", "Estimated: at most 2 model calls")],
)
def test_a_baseline_is_started_from_the_same_form(runner, monkeypatch, method, words):
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    runner.store.places.choose("model-main", "scripted:one")
    app = visit("chains", topic="sleep memory")
    settled(app.button_group(key="chains:method").set_value(method).run())
    assert words in said(app)
    settled(app.button(key="chains:go").click().run())
    run = runner.store.runs.listed()[0]
    assert (run.config.method, run.config.inputs["topic"], list(run.config.models)) == (
        method,
        "sleep memory",
        ["main"],
    )


def test_a_real_paper_is_not_started_without_a_paper(runner):
    app = visit("chains")
    settled(app.button_group(key="chains:method").set_value("real-paper").run())
    app.button(key="chains:go").click().run()
    assert "Find the paper first" in said(app)
    assert not runner.store.runs.listed()


def test_runs_of_every_method_of_the_page_are_listed_with_it(runner):
    direct = begun(runner, "direct")
    app = visit("chains")
    assert f"run={direct.id}" in [link.query_string for link in links(app)]
    assert "Direct prompting" in said(app)
    assert "See what it made" in said(visit("runs", run=direct.id))
