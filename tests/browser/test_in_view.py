"""What was wished for stays in view while the page is drawn slowly around it."""

import pytest

from components.shell.in_view import FOLLOWS, TOP
from tests.support.browser import browsing, needs_browser

pytestmark = [pytest.mark.browser, needs_browser]
PAGE = """
<div class="stApp" data-test-script-state="running">
  <div data-testid="stMain" style="height: 700px; overflow: auto">
    <div id="above" style="height: 300px"></div>
    <div class="st-key-opened" hidden style="height: 100px">Opened</div>
    <div style="height: 3000px"></div>
  </div>
</div>
"""
BEGINS = """async ([source, data]) => {
    const module = await import("data:text/javascript," + encodeURIComponent(source))
    module.default({ data, parentElement: document.body })
}"""
TOP_OF = "document.querySelector('.st-key-opened').getBoundingClientRect().top"
AT_PLACE = f"Math.abs({TOP_OF} - 70) < 2"
DRAWN = "document.querySelector('.stApp').dataset.testScriptState = 'notRunning'"


def grown(page, height: int) -> None:
    """Let what stands above take so many pixels."""
    page.evaluate(f"document.getElementById('above').style.height = '{height}px'")


def begun(page) -> None:
    """Open a page that is still being drawn, and wish for what is not there yet."""
    page.set_content(PAGE)
    page.evaluate(BEGINS, [FOLLOWS, {"wish": 1, "target": "opened", "top": TOP}])
    page.wait_for_timeout(300)
    page.evaluate("document.querySelector('.st-key-opened').hidden = false")


def test_what_was_wished_for_stays_in_view_while_what_stands_above_grows():
    with browsing() as page:
        begun(page)
        page.wait_for_timeout(300)
        assert page.evaluate(TOP_OF) > 60, "near enough: nothing was moved"
        grown(page, 1500)
        page.wait_for_function(AT_PLACE)
        grown(page, 900)
        page.wait_for_function(AT_PLACE)
        page.evaluate(DRAWN)
        page.wait_for_timeout(1000)
        grown(page, 1200)
        page.wait_for_timeout(500)
        assert page.evaluate(TOP_OF) == pytest.approx(370, abs=2), "all was drawn: it rests"


def test_whoever_scrolls_is_not_led_back():
    with browsing() as page:
        begun(page)
        grown(page, 1500)
        page.wait_for_function(AT_PLACE)
        page.mouse.move(400, 400)
        page.mouse.wheel(0, -400)
        page.wait_for_function(f"{TOP_OF} > 400")
        page.evaluate(DRAWN)
        page.wait_for_timeout(1000)
        assert page.evaluate(TOP_OF) > 400
