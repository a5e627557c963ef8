"""A case study is watched in a real browser: it plays at once, the keyboard steps through it, a
reload keeps the moment, a file opens or says why not.
"""

import re

import pytest

from core.store import Store
from tests.support.browser import App, browsing, needs_browser, rest
from tests.support.case_kit import contents, packed_bytes

pytestmark = [pytest.mark.browser, needs_browser]


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    app = App(tmp_path_factory.mktemp("cases") / "data", words=True).start()
    yield app
    app.kill()


def steps(page) -> int:
    """Return how many steps are settled on the screen."""
    text = page.get_by_test_id("stProgress").inner_text()
    return int(re.search(r"(\d+) of \d+ steps", text).group(1))


def at(page) -> float:
    """Return the second the address names."""
    return float(re.search(r"at=([\d.]+)", page.url).group(1))


def control(page, key: str):
    """Return the button with this key."""
    return page.locator(f".st-key-{key}").get_by_role("button").first


def settle(page, what: str, gone: bool = False) -> None:
    """Wait until the line of progress says this, or no longer does."""
    page.wait_for_function(
        """([what, gone]) => {
        const line = document.querySelector('[data-testid=stProgress]')
        return line && line.innerText.includes(what) !== gone
    }""",
        arg=[what, gone],
    )


def test_it_plays_at_once_steps_by_keyboard_and_a_reload_keeps_the_moment(app):
    with browsing() as page:
        page.goto(app.url)
        control(page, "case-play-orexin-novelty").click()
        control(page, "case-hold").wait_for()
        page.wait_for_url(re.compile(r"run=case-\w+&at="))
        first = at(page)
        page.wait_for_function(
            "first => +new URL(location).searchParams.get('at') > first + 1", arg=first
        )
        before = page.evaluate("history.length")
        page.wait_for_timeout(2200)
        assert page.evaluate("history.length") == before, (
            "each second became a page to go back through"
        )
        page.mouse.click(640, 5)
        page.keyboard.press(" ")
        control(page, "case-go").wait_for()
        for _ in range(4):
            page.keyboard.press("ArrowRight")
            rest(page, 200)
        held, kept = steps(page), at(page)
        assert held >= 7
        page.reload()
        settle(page, f"{held} of 39")
        assert (steps(page), at(page)) == (held, kept)
        rest(page)
        page.keyboard.press("ArrowLeft")
        settle(page, f"{held} of 39", gone=True)
        assert steps(page) < held
        page.keyboard.press("End")
        settle(page, "The end")
        page.get_by_role("button", name="Play again").first.wait_for()
        assert page.get_by_test_id("stException").count() == 0


@pytest.mark.soak
def test_the_space_bar_is_left_to_what_has_the_focus(app):
    with browsing() as page:
        page.goto(app.url + "/cases")
        control(page, "case-play-orexin-novelty").click()
        control(page, "case-hold").wait_for()
        rest(page, 200)
        control(page, "case-hold").click()
        control(page, "case-go").wait_for()
        control(page, "case-first").click()
        settle(page, "0 of 39")
        control(page, "case-next").focus()
        page.keyboard.press(" ")
        settle(page, "3 of 39")
        rest(page, 200)
        assert control(page, "case-go").is_visible(), "the space bar pressed the button and played"
        assert steps(page) == 3
        page.get_by_role("combobox", name="Speed").focus()
        page.keyboard.press("ArrowRight")
        rest(page, 200)
        assert steps(page) == 3
        control(page, "case-go").focus()
        page.keyboard.press(" ")
        control(page, "case-hold").wait_for()
        page.keyboard.press(" ")
        control(page, "case-go").wait_for()


@pytest.mark.soak
def test_nothing_jumps_while_text_grows(app):
    with browsing() as page:
        page.goto(app.url + "/cases")
        control(page, "case-play-chain-reasoning-to-ideation").click()
        control(page, "case-hold").wait_for()
        choice = page.get_by_role("radiogroup", name="What to look at")
        choice.wait_for()
        seen = set()
        for _ in range(12):
            seen.add(round(choice.bounding_box()["y"]))
            page.wait_for_timeout(400)
        assert len(seen) == 1, seen


@pytest.mark.soak
def test_the_projector_fills_one_screen_and_can_be_left(app):
    with browsing(dark=True) as page:
        page.set_viewport_size({"width": 1280, "height": 720})
        page.goto(app.url + "/cases")
        control(page, "case-play-orexin-feasibility").click()
        control(page, "case-hold").wait_for()
        rest(page, 200)
        control(page, "case-projector").click()
        page.get_by_text("Leave").first.wait_for()
        page.keyboard.press("Home")
        rest(page, 200)
        for _ in range(6):
            page.keyboard.press("ArrowRight")
            rest(page, 200)
            assert (
                page.evaluate(
                    "(() => { const main = document.querySelector('[data-testid=stMain]'); return"
                    " main.scrollHeight - main.clientHeight })()"
                )
                <= 0
            )
        assert not page.get_by_test_id("stSidebar").is_visible()
        page.keyboard.press("Escape")
        page.get_by_text("All case studies").wait_for()
        assert "projector" not in page.url


def test_a_tampered_file_gets_a_sentence_and_a_whole_one_plays(app):
    store = Store(app.data)
    with browsing() as page:
        page.goto(app.url + "/cases")
        picker = page.locator("input[type=file]")
        picker.set_input_files(
            {
                "name": "case.json",
                "mimeType": "application/json",
                "buffer": packed_bytes().replace(b"What it shows.", b"Another."),
            }
        )
        page.get_by_text("Nothing was opened").wait_for()
        picker.set_input_files(
            {"name": "case.json", "mimeType": "application/json", "buffer": packed_bytes()}
        )
        page.wait_for_url(re.compile("run=case-"))
        before = contents(store)
        control(page, "case-go").click()
        control(page, "case-hold").wait_for()
        rest(page, 200)
        control(page, "case-last").click()
        settle(page, "The end")
        assert contents(store) == before
