"""Finding the paper a person has in mind: found, nothing found and failed are three things, and a
PDF becomes a paper.
"""

import pytest
from streamlit.testing.v1 import AppTest

from components.library.importing import jobs
from core.records import Search
from core.story import Story
from tests.support.scripted import chain_script, runner_of
from tests.support.servers.pdf_server import pdf
from tests.support.visiting import host, said, settled, visit

FINDER = "chains:finder"


class Form:
    """The form for a real paper, which begins with the search for it."""

    def __init__(self, runner):
        self.runner = runner
        self.app = visit("chains")
        self.app.button_group(key="chains:method").set_value("real-paper")
        settled(self.app.run())

    def find(self, text: str) -> None:
        self.app.text_input(key=f"{FINDER}:text").set_value(text)
        settled(self.app.button(key=f"{FINDER}:go").click().run())

    def worked(self):
        begun = self.runner.store.runs.listed(method="find", limit=1)[0]
        self.runner.work(begun.id)
        settled(self.app.run())
        return self.runner.store.runs.get(begun.id)

    @property
    def text(self) -> str:
        return said(self.app)


@pytest.fixture
def form(tmp_path, monkeypatch):
    runner, model = runner_of(tmp_path, chain_script())
    host(monkeypatch, runner)
    runner.workshop.named["builtin"] = model
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    return Form(runner)


def test_titles_near_what_was_typed_are_offered_and_none_is_chosen_for_a_person(form):
    form.find("sleep memory study 2018")
    assert "Looking in the literature" in form.text
    assert form.worked().state == "done"
    radio = form.app.radio(key=f"{FINDER}:paper")
    assert radio.options[0] == "2018 · Sleep memory study 2018"
    assert radio.value is None
    assert not form.runner.workshop.named["builtin"].requests, "no model is asked for it"


def test_an_empty_search_asks_nothing(form):
    form.find("  ")
    assert "Type a DOI" in form.text
    assert not form.runner.store.runs.listed()


def test_nothing_found_is_said_as_an_answer(form):
    form.find("zzz")
    assert form.worked().state == "done"
    assert "The source was asked and has nothing for “zzz”" in form.text
    assert "The search failed" not in form.text


def test_a_source_that_fails_is_no_nothing_found_and_can_be_asked_again(form):
    source = form.runner.workshop.shelf_like
    source.down = True
    form.find("sleep memory study 2018")
    assert form.worked().state == "failed"
    assert "The search failed, so there may still be results" in form.text
    assert "has nothing for" not in form.text
    source.down = False
    settled(form.app.button(key=f"{FINDER}:run:again").click().run())
    assert form.worked().state == "done"
    assert form.app.radio(key=f"{FINDER}:paper").options


def test_what_was_found_can_be_forgotten(form):
    form.find("sleep memory study 2018")
    form.worked()
    settled(form.app.button(key=f"{FINDER}:paper:forget").click().run())
    assert not any(radio.key == f"{FINDER}:paper" for radio in form.app.radio)


def test_the_cut_off_and_the_ban_list_hold_for_the_search_too(form):
    form.app.date_input(key="chains:before").set_value("2018-01-01")
    form.app.text_area(key="chains:ban").set_value("p2015")
    form.find("sleep memory study 2018")
    form.worked()
    assert {one.id for one in found(form)} == {"p2014", "p2016", "p2017"}


def found(form):
    return (
        Story.of(form.runner.store, form.runner.store.runs.listed(method="find")[0].id)
        .last(Search)
        .papers
    )


def uploaded(form, name: str, data: bytes) -> None:
    """Hand a PDF in and wait until it is read."""
    form.app.radio(key=f"{FINDER}:way").set_value("its PDF")
    settled(form.app.run())
    form.app.file_uploader(key=f"{FINDER}:pdf").upload(name, data, "application/pdf")
    settled(form.app.run())
    settled(form.app.button(key=f"{FINDER}:read").click().run())
    assert jobs().get(form.app.session_state[f"{FINDER}:job"]).wait(30)
    settled(form.app.run())


TITLE = "Naps and the memory of adolescent athletes"
PAGE = "Abstract. We let athletes nap, and their memory improved. " * 20


def test_a_pdf_becomes_a_paper_of_the_library_with_its_text_and_a_second_time_the_same(form):
    for _ in range(2):
        uploaded(form, "naps.pdf", pdf(PAGE, title=TITLE))
        radio = form.app.radio(key=f"{FINDER}:paper")
        assert radio.options == [f"undated · {TITLE}"]
        own = form.runner.store.library.own_papers()
        assert [paper.title for paper in own] == [TITLE]
        assert form.runner.store.library.attached(own[0].id).state == "read"


def test_a_pdf_that_cannot_be_read_is_refused_in_a_sentence(form):
    uploaded(form, "naps.pdf", b"%PDF-1.4 broken")
    assert not form.runner.store.library.own_papers()
    assert "naps.pdf: " in form.text.replace("**", "")


def test_a_pick_stays_where_more_papers_arrive():
    def page():
        import streamlit as st

        from components.library.finder import choose
        from core.records import Paper

        choose(
            "which",
            "Which",
            [Paper(id=name, title=name, year=2020) for name in st.session_state.get("names", "ab")],
            lambda one: one.title,
        )

    app = AppTest.from_function(page).run()
    app.radio(key="which").set_value("b").run()
    app.session_state["names"] = "cab"
    assert app.run().radio(key="which").value == "b"
    app.session_state["names"] = "ca"
    assert app.run().radio(key="which").value is None
