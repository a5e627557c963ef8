"""Home: what goes on, what can be started, what is connected."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.support.scripted import refine_script, refinement, runner_of
from tests.support.visiting import ROOT, host, links, said, settled


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script([True, False, False]))
    host(monkeypatch, runner)
    return runner


def home() -> AppTest:
    return settled(AppTest.from_file(str(ROOT / "app.py"), default_timeout=20).run())


def test_a_newcomer_is_told_what_to_do_and_what_answers(runner):
    shown = said(home())
    assert "Nothing here yet" in shown
    assert "built-in (rule-based, for trying things out)" in shown
    assert "no cap set" in shown


def test_runs_are_there_to_go_on_with_newest_state_first(runner):
    finished, waiting = refinement(runner), refinement(runner)
    runner.work(finished.id)
    app = home()
    opened = [link.query_string for link in links(app) if link.query_string.startswith("run=")]
    assert f"run={finished.id}" in opened
    assert f"run={waiting.id}" in opened


def test_runs_stand_under_what_they_wait_for(runner):
    finished, stopped = refinement(runner), refinement(runner)
    asks = refinement(runner, people=("optimizer",))
    runner.work(finished.id)
    runner.work(asks.id)
    runner.store.runs.release(stopped.id, runner.store.runs.get(stopped.id).epoch, "stopped", "")
    app = home()
    headings = [one.value for one in app.subheader]
    assert headings[1:4] == ["Waiting for you", "To resume", "Recent"]
    opened = [link.query_string for link in links(app) if link.query_string.startswith("run=")]
    assert opened[:3] == [f"run={run.id}" for run in (asks, stopped, finished)]


def test_a_topic_is_carried_to_the_page_that_builds_the_chain(runner):
    app = home()
    app.text_area(key="home:topic").set_value("naps & memory")
    app.button(key="home:chain").click().run()
    assert app.text_area(key="chains:topic").value == "naps & memory"
