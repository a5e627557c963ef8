"""The library on screen."""
import pytest

from core.records import Paper
from tests.conftest import make_run
from tests.scripted import refine_script, runner_of
from tests.visiting import host, links, said, settled, visit


@pytest.fixture
def store(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script())
    return host(monkeypatch, runner)


def paper(n: int, **more) -> Paper:
    return Paper(id=f"p{n}", title=f"Paper {n}", year=2000 + n, source="shelf", **more)


def opened(app, key: str):
    app.session_state[key] = True
    return settled(app.run())


def test_no_papers_yet_leads_to_chains(store):
    app = visit("library")
    assert "met no papers yet" in said(app)
    assert any("chains" in link.page for link in links(app))


def test_a_paper_names_its_ids_its_text_and_the_runs_that_met_it(store):
    run = make_run(store)
    store.library.add_papers(run.id, [paper(1, abstract="On <b>naps</b>.", doi="10.1/x", arxiv="2401.00001", authors=("A. Author",))])
    app = opened(visit("library"), "library:met:p1")
    text = said(app)
    assert "https://doi.org/10.1/x" in text
    assert "https://arxiv.org/abs/2401.00001" in text
    assert not [one for one in app.markdown if "<b>" in one.value]
    assert any(link.query_string == f"run={run.id}" for link in links(app))


def test_an_address_that_is_no_web_address_is_no_link(store):
    store.library.add_papers(make_run(store).id, [paper(1, url="javascript:alert(1)")])
    assert "javascript" not in said(opened(visit("library"), "library:met:p1"))


def test_a_deleted_run_leaves_its_papers(store):
    run = make_run(store)
    store.library.add_papers(run.id, [paper(1)])
    store.runs.delete(run.id)
    assert "Paper 1" in said(opened(visit("library"), "library:met:p1"))


def test_search_and_page_come_from_the_address(store):
    store.library.add_papers(make_run(store).id, [paper(n) for n in range(25)])
    assert "Paper 3" not in said(visit("library")).split("\n")
    assert "**Paper 3**" in said(visit("library", **{"library:met-page": "2"}))
    assert "**Paper 17**" in said(visit("library", **{"library:met": "paper 17"}))
    assert "No paper of your runs" in said(visit("library", **{"library:met": "nowhere"}))


def test_the_shelf_says_who_wrote_its_summaries_and_where_it_was_checked(store):
    app = visit("library", **{"library:tab": "Built-in shelf"})
    assert "Orexin" in str([one.options for one in app.get("button_group")])
    app = opened(app, "library:shelf:shelf:brown2020fewshot")
    assert "summary written for the shelf" in said(app)
    assert "Checked at" in said(app)


def test_the_shelf_is_searched_for_words_without_the_embedding_model(store):
    text = said(visit("library", **{"library:tab": "Built-in shelf", "library:shelf": "few-shot learners"}))
    assert "Language Models are Few-Shot Learners" in text
    assert "Nothing on the shelf fits" in said(visit("library", **{"library:tab": "Built-in shelf", "library:shelf": "zzqx"}))


def test_searching_by_meaning_says_that_the_model_is_not_loaded(store, monkeypatch):
    from components import services

    monkeypatch.setattr(services.workshop().embedder, "state", "not loaded", raising=False)
    app = visit("library", **{"library:tab": "Built-in shelf", "library:meaning": "true"})
    assert "not loaded" in said(app)
    assert app.button(key="library:load")
