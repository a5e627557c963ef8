"""Search by keyboard, in a browser: opened from anywhere but a field, followed by arrows and
Enter.
"""

import pytest
from playwright.sync_api import expect

from core.records import Idea
from core.store import Store
from tests.conftest import make_run
from tests.support.browser import App, browsing, hears, needs_browser, rest

pytestmark = [pytest.mark.browser, needs_browser]
FRAME = "getComputedStyle(document.querySelector('.stMain'), '::before').content"
SLOW = 30_000
"""Milliseconds within which a busy machine has drawn something for the first time."""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("search")
    store = Store(folder / "data")
    for text in ("Quokkas nap in the shade.", "Quokkas dream of “leaves”."):
        store.ideas.save(Idea(form="hypothesis", fields={"hypothesis": text}), None, "typed")
    run = make_run(store, method="refine", inputs={"topic": "quokka sleep"})
    store.runs.release(run.id, 0, "stopped")
    app = App(folder / "data", words=True, FOUNDRY_RESUME="0").start()
    yield app, run.id
    app.kill()


def ask(page, key: str, words: str):
    """Open the search by a key and type."""
    hears(page, "search")
    page.keyboard.press(key)
    expect(page.get_by_role("dialog").get_by_role("searchbox")).to_be_focused(timeout=SLOW)
    hears(page, "walks")
    page.keyboard.type(words)


def test_everything_is_found_and_opened_without_a_mouse(place):
    app, run = place
    with browsing() as page:
        page.goto(f"{app.url}/ideas?ideas:starred=true")
        expect(page.get_by_text("No idea matches")).to_be_visible(timeout=SLOW)
        rest(page)

        # From a list to what it hides: the address says it, and the way back leads back.
        ask(page, "/", "quokkas nap")
        expect(page.get_by_role("dialog").get_by_role("link")).to_have_count(1, timeout=SLOW)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.get_by_text("Quokkas nap in the shade.").last).to_be_visible(timeout=SLOW)
        page.wait_for_function("location.search.includes('idea=')")
        rest(page)
        page.reload()
        expect(page.get_by_text("Quokkas nap in the shade.").last).to_be_visible(timeout=SLOW)
        rest(page)

        # A key that is typed into a field is text.
        page.get_by_role("button", name="All ideas").focus()
        page.keyboard.press("Enter")
        rest(page)
        field = page.get_by_role("searchbox")
        field.focus()
        page.keyboard.press("/")
        page.keyboard.press("Control+k")
        expect(field).to_have_value("/")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.keyboard.press("Enter")
        page.evaluate("document.activeElement.blur()")
        rest(page)

        # The button may be drawn a moment after the keys are heard: the press counts, once.
        button = page.locator(".st-key-search-open").element_handle()
        button.evaluate("node => node.classList.remove('st-key-search-open')")
        page.keyboard.press("/")
        page.keyboard.press("Control+k")
        page.wait_for_timeout(200)
        expect(page.get_by_role("dialog")).to_have_count(0)
        button.evaluate("node => node.classList.add('st-key-search-open')")
        expect(page.get_by_role("dialog").get_by_role("searchbox")).to_be_focused(timeout=SLOW)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        rest(page)

        # On to another page: three steps down, over both ideas, to the run.
        ask(page, "Control+k", "quokka")
        found = page.get_by_role("dialog").get_by_role("link")
        expect(found).to_have_count(3, timeout=SLOW)
        for n in range(3):
            page.keyboard.press("ArrowDown")
            expect(found.nth(n)).to_be_focused()
        page.keyboard.press("ArrowUp")
        expect(found.nth(1)).to_be_focused()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_url(f"{app.url}/refine?run={run}")
        expect(page.get_by_role("dialog")).to_have_count(0)

        # Enter at once, while the words are on their way, opens the first of what they find.
        rest(page)
        ask(page, "/", "quokkas dream")
        page.keyboard.press("Enter")
        page.wait_for_url(f"{app.url}/ideas?idea=*")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.get_by_text("Quokkas dream of").last).to_be_visible(timeout=SLOW)
        rest(page)
        there = page.url

        # Closed by Escape, it leaves the page as it is.
        rest(page)
        ask(page, "/", "zzzz")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Nothing holds all these words")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert page.url == there

        # A radio button takes no letters: search opens from it.
        page.goto(f"{app.url}/guide")
        rest(page)
        page.get_by_role("radio").nth(1).focus()
        ask(page, "/", "quokka")


def test_an_order_put_together_by_hand_is_one_step_of_the_way_back(place):
    app, _ = place
    with browsing() as page:
        page.goto(f"{app.url}/rate")
        expect(page.get_by_role("button", name="All kept (2)")).to_be_visible(timeout=SLOW)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator(".stMain")).to_be_focused()
        assert page.evaluate(FRAME) == "none", "the page itself is framed"
        page.get_by_role("button", name="All kept (2)").click()
        page.get_by_role("tab", name="Rank").click(timeout=SLOW)
        place_it = page.get_by_role("button", name="Place", exact=True)
        expect(place_it).to_have_count(2, timeout=SLOW)
        rest(page)
        before = page.evaluate("history.length")
        for left in (1, 0):
            place_it.first.click()
            expect(place_it).to_have_count(left, timeout=SLOW)
        page.wait_for_function("new URL(location).searchParams.get('order')?.includes(',')")
        assert page.evaluate("history.length") == before
        page.reload()
        expect(page.get_by_text("Every idea has a place.")).to_be_visible(timeout=SLOW)
        page.get_by_label("Your name").fill("Ana")
        page.get_by_role("button", name="Submit the ranking").click()
        expect(page.get_by_text("Your ranking is kept")).to_be_visible(timeout=SLOW)
        page.wait_for_function("location.search.includes('Summary')")
        rest(page)
        page.reload()
        rest(page)
        expect(page.get_by_role("tab", name="Summary")).to_have_attribute("aria-selected", "true")
        page.goto(f"{app.url}/rate")
        page.get_by_role("button", name="See it").click(timeout=SLOW)
        expect(page.get_by_role("tab", name="Summary")).to_have_attribute(
            "aria-selected", "true", timeout=SLOW
        )
        rest(page)
