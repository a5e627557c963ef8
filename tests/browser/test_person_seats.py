"""A person's seats in a real browser: an order by keys that outlives a reload, and a judgment whose
quoted words are tinted in the idea.
"""

import pytest

from core.judging.ranked_sets import RankInputs
from core.methods.evolution import EvolveInputs
from core.methods.presets import NOVELTY
from core.runs.planning import validated
from core.runs.workshop import Workshop
from tests.core.judging.test_checklist_person import OWN, P0
from tests.core.judging.test_ranking_person import ONE
from tests.support.browser import App, browsing, hears, needs_browser, rest
from tests.support.evolving import evolving
from tests.support.scripted import configured
from tests.support.sweep_kit import runner_of

pytestmark = [pytest.mark.browser, needs_browser]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """The app over a ranking and a judgment that wait for a person."""
    data = tmp_path_factory.mktemp("seats") / "data"
    runner, _ = runner_of(data, evolving())
    runner.workshop.named["builtin"] = Workshop.builtin(runner.workshop)
    order = validated(RankInputs, topic="Mine", goals=(NOVELTY,), sets=(ONE,), judged_by="person")
    runs = [
        runner.begin(configured(runner, "rank", order, models={"judge": "builtin"}), "Mine"),
        runner.begin(
            configured(runner, "evolve", validated(EvolveInputs, **P0, idea=OWN, steps=1)), "replay"
        ),
    ]
    assert [runner.work(run.id) for run in runs] == ["waiting", "waiting"]
    app = App(data, words=True).start()
    yield app, *(run.id for run in runs)
    app.kill()


def holds(page, label, text):
    """Wait until a box holds this text: the browser draws it empty, and fills it a moment later."""
    from playwright.sync_api import expect

    expect(page.get_by_label(label)).to_have_value(text)


def test_an_order_is_given_by_keys_and_outlives_a_reload(place):
    app, run, _ = place
    with browsing() as page:
        page.goto(f"{app.url}/ranking?run={run}")
        page.get_by_text("4 candidates without a place yet").wait_for()
        rest(page, 400)
        hears(page, "keys")
        for n, letter in enumerate(("b", "D", "a"), 1):
            page.keyboard.press(letter)
            page.get_by_label(f"Place {n}: {letter.upper()},").wait_for()
        page.keyboard.press("Backspace")
        page.get_by_text("2 candidates without a place yet").wait_for()
        why = page.get_by_label("Place 1: B,")
        why.fill("a bold idea")  # Letters that are typed place nobody.
        why.press("Tab")
        rest(page, 600)
        page.reload()
        page.get_by_text("2 candidates without a place yet").wait_for()
        holds(page, "Place 1: B,", "a bold idea")
        page.get_by_role("button", name="Next best").first.click()
        page.get_by_text("1 candidate without a place yet").wait_for()
        page.get_by_role("button", name="Next best").click()
        page.get_by_role("button", name="Submit the order").click()
        page.get_by_text("Q by you").wait_for()
        assert page.get_by_test_id("stException").count() == 0


def test_words_that_are_quoted_are_tinted_and_a_half_judgment_outlives_a_reload(place):
    app, _, run = place
    with browsing() as page:
        page.goto(f"{app.url}/checklist?run={run}")
        page.get_by_text("7 items not judged yet").wait_for()
        page.get_by_role("button", name="Submit the judgment").scroll_into_view_if_needed()
        beside = page.locator(".st-key-checklist-text").bounding_box()
        assert beside
        assert 0 <= beside["y"] < 300, "the idea stays beside the items"
        assert page.locator("[class*=st-key-checklist-item] input:checked").count() == 0, (
            "nothing is judged beforehand"
        )
        page.locator(".st-key-checklist-item-risk").get_by_text("Not satisfied").click()
        box = page.get_by_label("The words it is about")
        box.fill("The gate may not learn")
        box.press("Tab")
        page.locator("mark[data-items=risk]").wait_for()
        rest(page, 600)
        page.reload()
        page.locator("mark[data-items=risk]").wait_for()
        holds(page, "The words it is about", "The gate may not learn")
        assert page.get_by_test_id("stException").count() == 0
