"""Taking a finished idea along: two clicks to its report, two to its text, its references and its
link.
"""

import json

import pytest

from core.story import Story
from tests.support.scripted import finished_chain, refine_script, refinement, runner_of
from tests.support.visiting import host, visit

REPORTS = ["Word", "PDF", "HTML", "Markdown"]


@pytest.fixture
def chain(tmp_path, monkeypatch):
    runner, _, run = finished_chain(tmp_path, branches=2)
    host(monkeypatch, runner)
    return runner.store, run


def taken(app, key: str) -> tuple[list[str], dict[str, str], str]:
    """Open what takes a run along; return the reports it offers, the texts by their buttons, and
    the query of its link.
    """
    app.session_state[key] = True
    app.run()
    assert not app.exception
    offered = [button.proto.label for button in app.main.get("download_button")]
    (copies,) = (
        one.proto for one in app.main.get("bidi_component") if one.proto.component_name == "copies"
    )
    data = json.loads(copies.json)
    return offered, dict(data["texts"]), data["query"]


def test_of_a_chain_idea_references_and_link_are_copied_and_its_report_downloaded(chain):
    store, run = chain
    app = visit("chains", run=run.id)
    assert not any(one.proto.component_name == "copies" for one in app.main.get("bidi_component"))
    offered, texts, link = taken(app, "chains:result:take")
    assert offered[:8] == [*REPORTS, *REPORTS]
    assert list(texts) == ["Idea", "References", "BibTeX"]
    idea = Story.of(store, run.id).best.idea
    assert texts["Idea"].startswith(f"## {idea.title}\n\n**Motivation.** ")
    assert texts["References"].startswith("Unknown authors (2016). Sleep ")
    assert texts["BibTeX"].startswith("@misc{anonymous2016")
    assert link == f"?run={run.id}"


def test_of_a_refinement_too(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script([True, False, False]))
    run = refinement(runner)
    assert runner.work(run.id) == "done"
    host(monkeypatch, runner)
    offered, texts, link = taken(visit("refine", run=run.id), "refine:end:take")
    assert offered[:8] == [*REPORTS, *REPORTS]
    assert texts["Idea"].startswith("## Version 3\n\n**Problem.** ")
    assert link == f"?run={run.id}"
