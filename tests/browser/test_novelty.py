"""A novelty check in a browser: cells by keyboard, quotes side by side, a cell overruled."""

import re

from playwright.sync_api import expect

from core.store import Store
from tests.support.browser import App, browsing, needs_browser
from tests.support.headless import MODEL, cli, server

__all__ = ["cli", "server"]
pytestmark = needs_browser
TEXT = (
    "Naps restore the attention of athletes after a short night. The Fourier neural operator (FNO)"
    " parameterizes the integral kernel of a neural operator directly in Fourier space."
)
FOCUS = """() => {
    let at = document.activeElement
    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
    return at.dataset.place ?? ""
}"""


def test_cells_open_by_keyboard_and_one_is_overruled_for_nothing(cli, tmp_path):
    idea = tmp_path / "idea.txt"
    idea.write_text(TEXT)
    _, made, _ = cli("novelty", str(idea), "--deep", "--model", MODEL, "--papers", "6")
    works = made["matrix"]["works"]
    covering = next(one for one in made["matrix"]["cells"] if one["state"] == "covers")
    n = [work["paper"]["id"] for work in works].index(covering["work"]) + 1
    app = App(tmp_path / "data", OPENAI_API_KEY="none").start()
    try:
        with browsing() as page:
            page.goto(f"{app.url}/novelty?run={made['run']}&cell=1-1")
            page.get_by_text("Claim 1 and work 1").wait_for()
            page.get_by_role("button", name=re.compile("^Claim 1, work 1,")).focus()
            for key in ["ArrowDown", *["ArrowRight"] * (n - 1)]:
                page.keyboard.press(key)
            assert page.evaluate(FOCUS) == f"1.{n - 1}"
            page.keyboard.press("Enter")
            page.get_by_text(f"Claim 2 and work {n}").wait_for()
            assert page.url.endswith(f"cell=2-{n}")
            assert page.evaluate(FOCUS) == f"1.{n - 1}", "the focus stays where it was"
            said = "“The Fourier neural operator (FNO) parameterizes"
            quotes = page.locator(".st-key-novelty-cell p").filter(has_text=said)
            expect(quotes, "the idea's words and the paper's").to_have_count(2)
            page.get_by_text("Overrule this cell").click()
            page.get_by_role("textbox", name="Why").fill("It is a summary.")
            page.get_by_role("button", name="Overrule", exact=True).click()
            page.get_by_text("✎ by").wait_for()
            assert f"cell=2-{n}" in page.url
            assert made["run"] not in page.url
    finally:
        app.kill()
    newest = Store(tmp_path / "data").runs.listed(method="novelty", limit=1)[0]
    assert (newest.parent, newest.state, newest.calls) == (made["run"], "done", 0)
