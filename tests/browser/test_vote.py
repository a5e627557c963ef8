"""A person judges thirty pairs by keyboard alone, reloads in between, and loses nothing."""

import random
import re
from itertools import product

import pytest
from playwright.sync_api import expect

from core.judging.arena.contests import contested
from core.records import IDEA_CRITERIA
from tests.support.arena_kit import arena_shop, entry, held, six
from tests.support.browser import App, browsing, needs_browser, rest

pytestmark = [pytest.mark.browser, needs_browser]
PAIRS = 30
STRENGTHS = (2, 1, 0, -1, -2)
METHODS = ("chain", "direct", "real paper")
TOPICS = tuple(f"topic {n}" for n in range(10))
MIDDLE = {4: 1, 11: 3, 19: 5, 24: 2}
"""Pairs in which the page is reloaded, after so many answers."""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("vote")
    runner, _ = arena_shop(folder)
    taking_part = [
        entry(runner.store, method, topic, six(f"Idea {n} {'and more ' * 300}"))
        for n, (topic, method) in enumerate(product(TOPICS, METHODS))
    ]
    run = held(runner, taking_part, people_only=True)
    app = App(folder / "data", words=True).start()
    yield app, runner.store, run
    app.kill()


def answered(page, n: int, saved: int) -> None:
    """Wait until the page says, to eyes and to screen readers, that so many qualities of this pair
    are answered and so many pairs saved; then it hears the keyboard.
    """
    page.wait_for_function(
        """([n, saved]) => {
        const has = (selector, words) => document.querySelector(selector)?.innerText.includes(words)
        const left = n === 5 ? "Save, next pair" : `${5 - n} qualit${n === 4 ? "y" : "ies"} left`
        const all = (selector) => [...document.querySelectorAll(selector)]
        const shadow = all('.st-key-vote-keys *').map((one) => one.shadowRoot).find(Boolean)
        const told = shadow?.querySelector('[role=status]')
        const pair = () => parseInt(document.querySelector('.st-key-vote-top').innerText)
        return has('.st-key-vote-top', `${saved} done`)
            && all('button').some((one) => one.innerText.includes(left))
            && told?.textContent.startsWith(`Pair ${pair()}.`)
    }""",
        arg=[n, saved],
    )


def test_thirty_pairs_by_keyboard_with_reloads_lose_nothing(place):
    app, store, run = place
    dice = random.Random(5)
    with browsing() as page:
        page.set_viewport_size({"width": 1280, "height": 720})
        page.goto(f"{app.url}/arena?run={run.id}&vote=1")
        page.get_by_label("Your name").wait_for()
        page.keyboard.press("Tab")
        page.get_by_label("Your name").focus()
        page.keyboard.type("Ada")
        page.keyboard.press("Enter")
        page.wait_for_function("location.search.includes('by=Ada')")
        answered(page, 0, 0)
        pressed = []
        for pair in range(PAIRS):
            keys = [dice.randrange(5) for _ in IDEA_CRITERIA]
            for n, key in enumerate(keys):
                if MIDDLE.get(pair) == n:
                    answered(page, n, pair)
                    page.reload()
                    answered(page, n, pair)
                page.keyboard.press(str(key + 1))
            if MIDDLE.get(pair) == len(keys):
                answered(page, 5, pair)
                page.reload()
                answered(page, 5, pair)
            if pair == 2:
                page.keyboard.press("w")
                page.keyboard.type("The 2nd says 1 thing more.")
                page.keyboard.press("Control+Enter")
            else:
                page.keyboard.press("Enter")
            pressed.append(tuple(STRENGTHS[key] for key in keys))
            if pair < PAIRS - 1:
                answered(page, 0, pair + 1)
            if pair == 15:
                page.reload()
                answered(page, 0, pair + 1)
        page.get_by_text("All 30 pairs judged and saved").wait_for()
        assert page.get_by_test_id("stException").count() == 0
        assert not re.search("|".join(METHODS), page.get_by_test_id("stMain").inner_text())
    ballots = store.ballots.by(run.id, "Ada")
    assert [tuple(one.strength[name] for name in IDEA_CRITERIA) for one in ballots] == pressed
    assert len({one.contest for one in ballots}) == PAIRS
    assert [one.why for one in ballots] == ["", "", "The 2nd says 1 thing more.", *[""] * 27]
    assert store.ballots.half(run.id, "Ada") is None


def test_keys_go_back_and_buttons_do_what_keys_do_once_however_often_clicked(place):
    app, store, run = place
    with browsing() as page:
        page.goto(f"{app.url}/arena?run={run.id}&vote=1&by=Bo")
        answered(page, 0, 0)
        page.keyboard.press("1")
        page.keyboard.press("2")
        page.keyboard.press("Backspace")
        page.keyboard.press("ArrowLeft")
        for key in "545":
            page.keyboard.press(key)
        answered(page, 3, 0)
        page.get_by_role("button", name=re.compile("3 . No difference")).dblclick()
        answered(page, 4, 0)
        page.keyboard.press("3")
        answered(page, 5, 0)
        page.get_by_label(re.compile("^Why")).fill("Half a th")
        rest(page, 600)
        page.reload()
        answered(page, 5, 0)
        expect(page.get_by_label(re.compile("^Why"))).to_have_value("Half a th")
        page.get_by_role("button", name="Save, next pair").dblclick()
        answered(page, 0, 1)
        page.get_by_role("button", name="Previous pair").click()
        answered(page, 5, 1)
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        answered(page, 0, 1)
    first, again = store.ballots.by(run.id, "Bo")
    assert [first.strength[name] for name in IDEA_CRITERIA] == [-2, -1, -2, 0, 0]
    assert [again.strength[name] for name in IDEA_CRITERIA] == [-2, -1, -2, 0, 2]
    assert first.contest == again.contest
    assert first.contest in contested_in(store, run)
    assert (first.why, again.why) == ("Half a th", "Half a th")


def contested_in(store, run):
    from core.judging.arena.competition import lineup_of

    return contested(lineup_of(store, run.id))


def test_a_press_that_did_not_reach_the_server_is_sent_again(place):
    app, store, run = place
    lost = []

    def lose_one(socket) -> None:
        server = socket.connect_to_server()

        def pass_on(message) -> None:
            if lost == [None]:
                lost[0] = message
            else:
                server.send(message)

        socket.on_message(pass_on)

    # A tab of its own: what is between it and the server stays there until it is closed.
    with browsing() as first, first.context.new_page() as page:
        page.route_web_socket("**/_stcore/stream", lose_one)
        page.goto(f"{app.url}/arena?run={run.id}&vote=1&by=Eve")
        answered(page, 0, 0)
        rest(page)
        lost.append(None)
        page.keyboard.press("2")
        answered(page, 1, 0)
        for key in "3451":
            page.keyboard.press(key)
        page.keyboard.press("Enter")
        answered(page, 0, 1)
    assert b"pressed" in lost[0]
    (ballot,) = store.ballots.by(run.id, "Eve")
    assert tuple(ballot.strength[name] for name in IDEA_CRITERIA) == (1, 0, -1, -2, 2)
