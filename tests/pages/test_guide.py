"""The guide and the tour of a first visit."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from components.guide.view import FOLDER, Screenshot, chapters
from components.home import tour
from components.shell.frame import GUIDE, MENU
from core.cases.bundled import bundled, opened
from tests import ROOT
from tests.support.pictures import SHOTS
from tests.support.scripted import chain, refine_script, refinement, runner_of
from tests.support.visiting import host, links, said, settled, visit

NAMES = [one.name for one in chapters()]


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script())
    host(monkeypatch, runner)
    return runner


def home() -> AppTest:
    return settled(AppTest.from_file(str(ROOT / "app.py"), default_timeout=90).run())


def test_every_page_has_its_chapter_and_every_chapter_a_page():
    assert len(NAMES) == 12
    assert {page.chapter for page in MENU} == set(NAMES)


def test_every_picture_is_there_and_made_by_the_script():
    shown = {part.file for one in chapters() for part in one.parts if isinstance(part, Screenshot)}
    assert shown == set((FOLDER / "pictures").glob("*.png"))
    assert {file.stem for file in shown} == set(SHOTS)


@pytest.mark.parametrize("name", NAMES)
def test_a_chapter_opens_by_its_address(runner, name):
    app = visit("guide", chapter=name)
    here = next(one for one in chapters() if one.name == name)
    assert [one.value for one in app.header] == [here.title]
    pages = {page.path.split("/")[-1] for page in MENU if page.chapter == name} - {"guide.py"}
    opened = [link.page for link in links(app) if link.label.startswith("Open ")]
    assert len(opened) == len(pages)


def test_an_unknown_chapter_opens_the_first(runner):
    assert visit("guide", chapter="nowhere").header[0].value == chapters()[0].title


def test_each_screen_leads_to_its_chapter(runner):
    for page in MENU:
        if page.path == GUIDE:
            continue
        app = home() if page.path == "app.py" else visit(Path(page.path).stem)
        ways = [link for link in links(app) if link.query_string == f"chapter={page.chapter}"]
        assert ways, page.title


# -- the tour -------------------------------------------------------------------------------------


def test_the_tour_has_four_steps_and_never_returns(runner):
    app = home()
    assert "New here? 1 of 4" in said(app)
    for n in (2, 3, 4):
        app = settled(app.button(key="home:tour:next").click().run())
        assert f"New here? {n} of 4" in said(app)
    app = settled(app.button(key="home:tour:done").click().run())
    assert "New here?" not in said(app)
    assert "New here?" not in said(home())


def test_the_tour_goes_on_by_itself_from_a_step_that_was_done(runner):
    app = home()
    chain(runner)
    app = settled(app.run())
    assert "New here? 2 of 4" in said(app)
    settled(app.button(key="home:tour:back").click().run())
    assert "New here? 1 of 4" in said(app), "it can be read again"
    settled(app.button(key="home:tour:next").click().run())
    refinement(runner)
    app = settled(app.run())
    assert "New here? 3 of 4" in said(app)


def test_the_tour_goes_on_where_it_was_for_who_comes_back_in_another_tab(runner):
    home()
    chain(runner)
    assert "New here? 2 of 4" in said(home()), "the first step was done elsewhere"
    settled(home().button(key="home:tour:next").click().run())
    assert "New here? 3 of 4" in said(home())
    settled(home().button(key="home:tour:leave").click().run())
    assert "New here?" not in said(home())


def test_to_watch_a_case_study_is_to_have_done_the_first_step(runner):
    home()
    opened(runner.store, bundled()[0].name)
    assert "New here? 2 of 4" in said(home())


def test_the_tour_can_be_left_at_once(runner):
    settled(home().button(key="home:tour:leave").click().run())
    assert runner.store.places.choice(tour.TOUR) == tour.LEFT
    assert "New here?" not in said(home())


def test_who_has_runs_is_not_new_here(runner):
    refinement(runner)
    assert "New here?" not in said(home())
