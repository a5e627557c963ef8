"""Home: what goes on, what can be started, what is connected."""

import pytest
from streamlit.testing.v1 import AppTest

from components.shell import cached
from core.models.reach import Reachable
from core.runs.catalogue import METHODS, ROLES
from tests.support.scripted import refine_script, refinement, runner_of
from tests.support.visiting import ROOT, host, links, said, settled


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script([True, False, False]))
    host(monkeypatch, runner)
    return runner


def home() -> AppTest:
    return settled(AppTest.from_file(str(ROOT / "app.py"), default_timeout=90).run())


def test_a_newcomer_is_told_what_it_is_and_what_answers(runner):
    shown = said(home())
    assert "From a topic to research ideas worth working on" in shown
    assert "Looks for papers in: Built-in papers." in shown
    assert "The built-in papers cover 3 fields only: LLM reasoning to research ideation;" in shown
    assert "Connect a source" in shown
    assert "Model for everything: **built-in (rule-based, for trying things out)**" in shown
    assert "no cap set" in shown


def test_with_another_source_nothing_is_said_of_the_fields_of_the_built_in_papers(runner):
    runner.store.places.choose("source", "library")
    shown = said(home())
    assert "Looks for papers in: Own literature." in shown
    assert "fields only" not in shown


@pytest.mark.parametrize(
    ("source", "silent", "says"),
    [
        ("semantic-scholar|openalex", (), ""),
        (
            "semantic-scholar|openalex",
            ("semantic-scholar",),
            "Semantic Scholar does not answer from here now\\. OpenAlex is asked instead",
        ),
        (
            "semantic-scholar|openalex",
            ("semantic-scholar", "openalex"),
            "Semantic Scholar and OpenAlex do not answer from here now\\. No paper would be found",
        ),
        ("library", (), "Your own literature holds no papers yet"),
    ],
)
def test_what_is_promised_is_true_for_the_source_that_is_chosen(
    runner, monkeypatch, source, silent, says
):
    assert "less than a minute, free." in said(home())
    runner.store.places.choose("source", source)
    monkeypatch.setattr(cached, "silent", lambda *_: silent)
    cached.silent_services.clear()
    app = home()
    assert ("less than a minute, free." in said(app)) == (source == "library")
    assert ("over the network, which takes some minutes more" in said(app)) == ("|" in source)
    assert [one.value for one in app.warning if says and says in one.value] or not says
    assert bool(says) == bool(app.warning)


def test_the_menu_stands_in_groups(runner):
    menu: dict[str, list[str]] = {"": []}
    for node in home().sidebar:
        if node.type == "caption":
            menu[node.value] = []
        elif node.type == "page_link":
            menu[[*menu][-1]].append(node.proto.label)
    assert menu == {
        "": ["Home"],
        "Create": ["Shortlist", "Chains", "Refine", "Checklist"],
        "Judge": ["Novelty", "Rate", "Ranking", "Arena", "Sessions"],
        "Measure": ["Experiments", "Benchmark", "Training"],
        "Keep": ["Ideas", "Library", "Case studies", "Runs", "Settings", "Guide"],
    }


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
    assert headings[:3] == ["Waiting for you", "To resume", "Your latest results"]
    opened = [link.query_string for link in links(app) if link.query_string.startswith("run=")]
    assert opened[:3] == [f"run={run.id}" for run in (asks, stopped, finished)]
    assert "Resume goes on where it was" in said(app)


def test_a_stopped_run_is_resumed_where_it_is_listed(runner):
    stopped = refinement(runner)
    runner.store.runs.release(stopped.id, runner.store.runs.get(stopped.id).epoch, "stopped", "")
    settled(home().button(key=f"home:{stopped.id}:resume").click().run())
    runner.wait(stopped.id)
    assert runner.store.runs.get(stopped.id).state == "done"


def test_a_result_is_named_by_its_idea_with_the_topic_beside(runner):
    finished = refinement(runner)
    runner.work(finished.id)
    opened = [link.label for link in links(home()) if link.query_string == f"run={finished.id}"]
    assert opened == ["Version 3"]
    shown = [one.value for one in home().markdown]
    assert any(f":gray-badge[{METHODS['refine'].label}]" in one for one in shown)
    assert finished.title in said(home())


@pytest.mark.parametrize(("key", "method"), [("home:go", "shortlist"), ("home:chain", "chain")])
def test_one_button_begins_a_run_on_the_topic_and_opens_it(runner, monkeypatch, key, method):
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    runner.workshop.use_for_everything("scripted:one", "scripted:one")
    app = home()
    app.text_area(key="home:topic").set_value("naps & memory")
    app.button(key=key).click().run()
    (run,) = runner.store.runs.listed()
    assert (run.config.method, run.config.inputs["topic"]) == (method, "naps & memory")
    assert app.query_params["run"] == run.id


def test_without_a_topic_it_says_what_to_do_and_begins_nothing(runner):
    app = home()
    app.button(key="home:go").click().run()
    assert [one.value for one in app.error] == [
        "Say what you want ideas about, or pick one of the topics\\."
    ]
    assert runner.store.runs.listed() == []


@pytest.mark.parametrize(
    ("pressed", "box"), [("home:more", "shortlist:topic"), ("home:refine", "refine:idea")]
)
def test_a_long_text_is_carried_whole_to_the_page_that_asks_for_more(runner, pressed, box):
    app, text = home(), "naps & memory " * 1_500
    app.text_area(key="home:topic").set_value(text)
    app.button(key=pressed).click().run()
    assert app.text_area(key=box).value == text.strip()


def test_a_model_that_was_found_is_used_for_everything_after_one_click(runner, monkeypatch):
    found = Reachable(
        provider="scripted", how="key found in KEY", main="scripted:one", cheap="scripted:one"
    )
    monkeypatch.setattr(cached, "reachable", lambda settings: (found,))
    app = home()
    settled(app.button(key="home:use:scripted").click().run())
    assert {runner.workshop.chosen(role) for role in ROLES} == {"scripted:one"}
    assert not [one for one in home().button if one.key == "home:use:scripted"]
