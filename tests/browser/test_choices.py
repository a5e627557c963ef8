"""What a choice opens is seen at once, at 1280 by 800; and what a double click or a reload did is
what the screen says.
"""

import gzip

import pytest

from core.store import Store
from tests import ROOT
from tests.support.browser import App, browsing, needs_browser, rest

pytestmark = [pytest.mark.browser, needs_browser]
CHAIN, REFINEMENT = "48db9d24", "ee971dd5"
"""Finished runs of the stored main."""
IN_VIEW = """node => {
    const { top, bottom } = node.getBoundingClientRect();
    return top >= 0 && top < innerHeight - 100 && bottom > 100;
}"""
IDEAS = """title,idea,method,topic
Naps before exams,A nap of twenty minutes before an exam restores recall.,A,sleep
Cooling the neck,Cooling the neck for ten minutes shortens sleep onset.,A,sleep
Blue filters,Blue filters on lamps advance the sleep phase of students.,B,sleep
"""


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """The app on a store of an earlier main."""
    data = tmp_path_factory.mktemp("choices") / "data"
    data.mkdir()
    packed = ROOT / "tests/data/stores/before-house.db.gz"
    (data / "foundry.db").write_bytes(gzip.decompress(packed.read_bytes()))
    app = App(data, words=True, FOUNDRY_RESUME="0").start()
    yield app
    app.kill()


def seen(page, key: str) -> bool:
    """Wait until the container of this key is in the window, and say whether it came to be."""
    page.locator(f".st-key-{key}").first.wait_for()
    rest(page)
    page.wait_for_timeout(300)  # The page scrolls.
    return page.locator(f".st-key-{key}").first.evaluate(IN_VIEW)


def test_what_a_choice_opens_is_in_view(app):
    with browsing() as page:
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(f"{app.url}/chains?run={CHAIN}")
        page.get_by_role("button", name="See the whole idea").click()
        assert seen(page, "chains-idea"), "the whole idea"
        page.locator("[data-testid=stMain]").evaluate("main => main.scrollTo(0, 0)")
        chart = page.locator(".js-plotly-plot").first
        chart.scroll_into_view_if_needed()
        rest(page)
        point = chart.locator(".scatterlayer .point").last.bounding_box()
        page.mouse.click(point["x"] + point["width"] / 2, point["y"] + point["height"] / 2)
        assert seen(page, "chains-paper"), "a paper of the graph"
        page.goto(f"{app.url}/refine?run={REFINEMENT}")
        page.get_by_text("Refined idea").first.wait_for()
        rest(page)
        assert page.get_by_text("Refined idea").first.evaluate(IN_VIEW), "the result"
        assert page.get_by_text("First idea").first.evaluate(IN_VIEW), "beside it the first"
        assert page.get_by_test_id("stException").count() == 0


def test_double_clicks_and_reloads_tell_the_truth_on_ideas_and_arena(app, tmp_path):
    store = Store(app.data)
    (tmp_path / "mine.csv").write_text(IDEAS)
    with browsing() as page:
        page.goto(f"{app.url}/ideas?ideas:add=From+a+file")
        page.locator("input[type=file]").set_input_files(tmp_path / "mine.csv")
        page.get_by_role("button", name="Import", exact=True).wait_for()
        rest(page)
        page.get_by_role("button", name="Import", exact=True).dblclick()
        page.get_by_text("3 taken, 0 known already, 0 refused").wait_for()
        page.goto(f"{app.url}/ideas")
        page.get_by_text("Cooling the neck").first.wait_for()
        rest(page)
        assert store.ideas.count() == 3
        page.get_by_role("button", name="Keep", exact=True).first.dblclick()
        page.wait_for_function("() => document.body.innerText.includes('kept just now')")
        rest(page)
        assert [one.kept for one in store.ideas.listed()].count(True) == 1
        for title in ("Naps before exams", "Cooling the neck", "Blue filters"):
            page.get_by_text(title, exact=True).first.click()
            rest(page)
        page.reload()
        page.get_by_text("3 picked:").wait_for()
        page.get_by_role("button", name="Compare in the arena").last.click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Name of the collection").fill("Three of mine")
        dialog.get_by_role("button", name="Compare in the arena").dblclick()
        page.get_by_role("button", name="Open the arena").wait_for()
        rest(page)
        (made,) = [one for one in store.entries.bunches() if one.name == "Three of mine"]
        assert made.entries == 3
        before = store.runs.count(method="arena")
        page.get_by_text("People only").click()
        rest(page)
        page.get_by_role("button", name="Open the arena").dblclick()
        page.locator(".stMarkdownBadge", has_text="Open for votes").wait_for()
        page.reload()
        page.locator(".stMarkdownBadge", has_text="Open for votes").wait_for()
        assert store.runs.count(method="arena") == before + 1
        assert page.get_by_text("3 pairs of 3 texts by 2 methods on 1 topic").count() == 1
        page.get_by_role("link", name="Open the voting screen").click()
        page.get_by_label("Your name, or a name of your choice").fill("Ada")
        page.get_by_role("button", name="Begin").click()
        page.get_by_text("Which idea is more novel?").wait_for()
        assert "vote=1" in page.url
        assert page.get_by_test_id("stException").count() == 0
