"""A case study is watched in a real browser: it plays at once, the keyboard steps through it, a
reload keeps the moment, a file opens or says why not.
"""

import re

import pytest
from playwright.sync_api import expect

from core.cases.bundled import opened as opened_case
from core.cases.replay import html
from core.store import Store
from tests.support.browser import App, browsing, needs_browser, rest
from tests.support.case_kit import contents, finished, packed_bytes

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


def misfits(page) -> list[str]:
    """Return the pages of a replay that do not fit into the window, or are too small to be read in
    the last row: under a fortieth of its height.
    """
    found = []
    while True:
        size, over = page.evaluate(
            """() => {
            const parts = [...document.querySelectorAll('.says, .beside')]
            return [parseFloat(getComputedStyle(parts[0]).fontSize) / window.innerHeight,
                parts.some((one) => one.scrollHeight > one.clientHeight + 1)]
        }"""
        )
        if over or size < 1 / 40:
            found.append(page.locator(".replay").inner_text())
        if "The end" in page.locator(".replay .left").inner_text():
            return found
        page.keyboard.press("ArrowRight")


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
            before = at(page)
            page.keyboard.press("ArrowRight")
            page.wait_for_function(
                "before => +new URL(location).searchParams.get('at') > before", arg=before
            )
            rest(page)
        held, kept = steps(page), at(page)
        assert held >= 7
        page.reload()
        settle(page, f"{held} of 40")
        assert (steps(page), at(page)) == (held, kept)
        rest(page)
        page.keyboard.press("ArrowLeft")
        settle(page, f"{held} of 40", gone=True)
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
        settle(page, "0 of 40")
        control(page, "case-next").focus()
        page.keyboard.press(" ")
        settle(page, "3 of 40")
        rest(page, 200)
        expect(
            control(page, "case-go"), "the space bar pressed the button and played"
        ).to_be_visible()
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


def test_the_projector_is_driven_blind_and_grows_with_the_window(app):
    with browsing(dark=True) as page:
        page.set_viewport_size({"width": 1280, "height": 720})
        page.goto(app.url + "/cases")
        control(page, "case-play-orexin-feasibility").click()
        control(page, "case-hold").wait_for()
        rest(page, 200)
        control(page, "case-projector").click()
        player = page.locator(".replay")
        player.wait_for()
        expect(player).to_have_attribute("data-theme", "dark")
        # Playing went on; the space bar pauses, whatever has the focus.
        expect(player).to_have_attribute("data-going", "true")
        page.get_by_role("button", name="Leave").focus()
        page.keyboard.press(" ")
        expect(player).to_have_attribute("data-going", "false")
        page.keyboard.press("3")
        page.get_by_text("Round 3", exact=True).wait_for()
        expect(player.locator(".beside")).to_contain_text("The changes answer")

        def measured() -> tuple[float, bool]:
            return page.evaluate(
                """() => {
                const find = (name) => [...document.querySelectorAll('*')]
                    .flatMap((one) => [...(one.shadowRoot?.querySelectorAll(name) ?? [])])[0]
                const says = find('.says')
                return [parseFloat(getComputedStyle(says).fontSize),
                    says.scrollHeight <= says.clientHeight + 1]
            }"""
            )

        small, fits = measured()
        assert fits
        page.set_viewport_size({"width": 1920, "height": 1080})
        page.wait_for_function("window.innerHeight === 1080")
        page.wait_for_timeout(100)
        large, fits = measured()
        assert fits
        assert 21 <= small < large
        assert large / small == pytest.approx(1.5, abs=0.1)
        page.keyboard.press("ArrowDown")
        page.get_by_text("Round 4", exact=True).wait_for()
        page.wait_for_timeout(1_200)  # The address says the moment once a second.
        there = at(page)
        page.keyboard.press("?")
        page.locator(".replay .keys").wait_for()
        page.keyboard.press("Escape")  # Closes the help alone.
        page.locator(".replay .keys").wait_for(state="hidden")
        assert "projector" in page.url
        page.keyboard.press("Escape")
        page.get_by_text("All case studies").wait_for()
        page.wait_for_url(lambda url: "projector" not in url and "at=" in url)
        assert at(page) == there


def test_a_page_plays_from_a_file_and_asks_nothing_of_the_network(tmp_path):
    hostile = "</script><img src='http://example.org/x.png' onerror='window.harmed = 1'>"
    runner, run = finished(tmp_path / "data", rounds=1)
    runner.store.notes.add(run.id, "round-1/idea", f"Too broad. {hostile}", "Ada")
    file = tmp_path / "replay.html"
    file.write_text(html(runner.store, run.id, about=hostile), "utf-8")
    with browsing() as page:
        requested, faults = [], []
        page.context.on("request", lambda request: requested.append(request.url))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text))
        page.goto(file.as_uri())
        player = page.locator(".replay")
        assert hostile in player.inner_text(), "it stays text"
        page.get_by_role("combobox", name="Speed").select_option("8")
        page.keyboard.press(" ")
        page.locator(".replay:not([data-page='0'])").wait_for()
        page.get_by_role("button", name="Next").focus()
        page.keyboard.press(" ")
        expect(player, "the space bar pauses").to_have_attribute("data-going", "false")
        held = player.get_attribute("data-page")
        page.wait_for_timeout(300)
        expect(player).to_have_attribute("data-page", held)
        page.keyboard.press("1")
        page.get_by_text("Round 1", exact=True).wait_for()
        assert not page.get_by_text("Too broad").is_visible(), "notes are not in the way"
        page.keyboard.press("n")
        page.get_by_text("Too broad").wait_for()
        page.keyboard.press("n")
        with page.expect_popup() as opened:
            page.keyboard.press("p")
        opened.value.get_by_text("Too broad").wait_for()
        opened.value.close()
        page.keyboard.press(" ")
        page.get_by_role("button", name="Play again").wait_for()
        expect(player).to_contain_text("The end")
        assert page.evaluate("window.harmed === undefined && !document.querySelector('img')")
        assert (requested, faults) == ([file.as_uri()], [])
        store = Store(tmp_path / "cases")
        file.write_text(html(store, opened_case(store, "chain-reasoning-to-ideation").id), "utf-8")
        for size in ({"width": 1280, "height": 720}, {"width": 1920, "height": 1080}):
            page.set_viewport_size(size)
            page.goto(file.as_uri())
            assert not misfits(page)


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
