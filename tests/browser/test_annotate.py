"""An expert in a real browser: reloads, double clicks, two tabs, a lost network, a link that ends,
and every byte the server sends searched for sources.
"""

import json
import re

import pytest
from playwright.sync_api import expect

from core.records import FORMS, Idea, RateAnswer, SkipAnswer
from core.store import Store
from core.studies import organising, sitting, texts
from tests.support.browser import RESTS, App, browsing, needs_browser, rest
from tests.support.sessions import studies_kit
from tests.support.sessions.annotate_kit import MARKERS, Wire, counts
from tests.support.sessions.studies_kit import OWN, at_work, work_through
from tests.support.sessions.studies_kit import opened as session

pytestmark = [pytest.mark.browser, needs_browser]
HEARD = ".st-key-seat-foot[data-heard]"
"""The form, once it hears the keyboard."""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("annotate")
    store = Store(folder / "data")
    app = App(folder / "data", words=True).start()
    yield app, store
    app.kill()


@pytest.fixture(scope="module")
def page():
    with browsing() as page:
        page.set_viewport_size({"width": 1280, "height": 800})
        yield page


def working(store, held, n: int = 0):
    """Return what the store has on the n-th expert, brought to the work."""
    here = sitting.enter(store, held.secret(n))
    return here if here.step == "work" else at_work(store, held.secret(n))


def to_work(page, url: str, secret: str) -> None:
    page.goto(f"{url}/annotate?seat={secret}")
    page.wait_for_selector(HEARD)
    rest(page)


def says(page, words: str) -> None:
    """Wait until the button that submits says this."""
    page.wait_for_function(
        "(words) => document.querySelector('.st-key-seat-submit"
        " button')?.innerText.includes(words)",
        arg=words,
    )


def at(page, n: int) -> None:
    """Wait until the n-th unit is on the screen and hears the keyboard.

    The head is drawn before the boxes, and a key in between is of neither unit.
    """
    page.wait_for_function(
        f"""(n) => ({RESTS})()
        && document.querySelector('.st-key-seat-head')?.innerText.trim().startsWith(`${{n}} of`)
        && document.querySelector('.st-key-seat-submit button')?.innerText.match(/answer|place/)""",
        arg=n,
    )
    page.wait_for_selector(HEARD)


def note(page):
    return page.get_by_label(re.compile("^Note"))


def answers(store, held, n: int = 0):
    return [one for one in store.study_work.answers(held.study.id) if one.seat == held.seats[n].id]


def eventually(page, said) -> None:
    for _ in range(100):
        if said():
            return
        page.wait_for_timeout(50)
    assert said()


def draft(store, held, n: int = 0) -> str:
    rows = store.connections.rows("SELECT data FROM study_drafts WHERE seat = ?", held.seats[n].id)
    return "".join(row["data"] for row in rows)


def test_a_reload_in_mid_draft_a_double_click_and_the_back_button_lose_nothing(place, page):
    app, store = place
    held = session(store)
    here = working(store, held)
    order = [one.name for one in here.criteria]
    to_work(page, app.url, held.secret())
    page.keyboard.press("7")
    says(page, "1 to answer")
    note(page).fill("Half a th")
    eventually(page, lambda: "Half a th" in draft(store, held))
    page.reload()
    page.wait_for_selector(HEARD)
    says(page, "1 to answer")
    expect(note(page)).to_have_value("Half a th")
    seven = page.get_by_role("radio", name="7").first
    expect(seven).to_have_attribute("aria-checked", "true")
    page.get_by_role("radio", name="4", exact=True).nth(1).dblclick()
    says(page, "Submit")
    page.locator(".st-key-seat-submit button").dblclick()
    at(page, 2)
    # By keys alone, as fast as they come: all are heard, and the last waits for those before it.
    for key in ("0", "x", "Enter"):
        page.keyboard.press(key)
    at(page, 3)
    page.keyboard.press("5")
    says(page, "1 to answer")
    page.go_back()
    page.wait_for_function(
        "document.querySelector('.st-key-seat-head')?.innerText.trim().startsWith('2 of')"
    )
    page.go_forward()
    at(page, 3)
    says(page, "1 to answer")
    filed = answers(store, held)
    assert [one.answer for one in filed] == [
        RateAnswer(scores={order[0]: 7, order[1]: 4}, note="Half a th"),
        RateAnswer(scores={order[0]: 10, order[1]: None}),
    ]


def test_two_tabs_of_one_seat_file_once_and_the_second_sees_what_the_first_filed(place, page):
    app, store = place
    held = session(store)
    working(store, held)
    with page.context.new_page() as other:
        for tab in (page, other):
            to_work(tab, app.url, held.secret())
        page.bring_to_front()
        for key in ("7", "3"):
            page.keyboard.press(key)
        says(page, "Submit")
        other.bring_to_front()
        other.keyboard.press("2")
        says(other, "Submit")
        page.bring_to_front()
        page.locator(".st-key-seat-submit button").click()
        page.get_by_text("changed in another tab or window meanwhile").wait_for()
        assert answers(store, held) == []
        rest(page, 1_000)  # So that it is no second of a double click.
        page.locator(".st-key-seat-submit button").click()
        at(page, 2)
        other.bring_to_front()
        note(other).fill("Half said")
        other.get_by_text("You answered this in another tab").wait_for()
        expect(note(other)).to_have_value("Half said")
        assert list(answers(store, held)[0].answer.scores.values()) == [2, 3]
        assert "Half said" in draft(store, held)
        # The words above are drawn first, and the button of the form that was outdated stands
        # beside the new one until the drawing is over.
        says(other, "Submit the change")
        rest(other)
        other.locator(".st-key-seat-submit button").dblclick()
        at(other, 2)
    page.bring_to_front()
    assert [one.answer.note for one in answers(store, held)] == ["", "Half said"]


def test_a_press_on_what_was_submitted_a_moment_ago_does_not_lead_back_to_it(place, page):
    app, store = place
    held = session(store)
    working(store, held)
    wire = Wire(app.port)
    try:
        to_work(page, wire.url, held.secret())
        page.keyboard.press("7")
        page.keyboard.press("3")
        says(page, "Submit")
        wire.hold()
        button = page.locator(".st-key-seat-submit button")
        button.click()
        eventually(page, lambda: len(looked_at(store, held)) == 2)
        before = max(looked_at(store, held))
        # The browser has heard nothing of the first press, nor of the address that it led to.
        button.click()
        eventually(page, lambda: max(looked_at(store, held)) > before)
        wire.let_go()
        rest(page, 500)
        at(page, 2)
        page.keyboard.press("5")
        says(page, "1 to answer")
        page.go_back()
        page.wait_for_function(
            "document.querySelector('.st-key-seat-head')?.innerText.trim().startsWith('1 of')"
        )
    finally:
        wire.close()
    assert [list(one.answer.scores.values()) for one in answers(store, held)] == [[7, 3]]


def looked_at(store, held) -> list[str]:
    """Return when each unit of the first expert was last on a screen, of those that were."""
    rows = store.connections.rows(
        "SELECT seen FROM seat_units WHERE seat = ? AND seen != ''", held.seats[0].id
    )
    return [row["seen"] for row in rows]


def test_what_is_typed_while_the_network_is_away_arrives_when_it_is_back(place, page):
    app, store = place
    held = session(store)
    working(store, held)
    wire = Wire(app.port)
    try:
        to_work(page, wire.url, held.secret())
        page.keyboard.press("6")
        says(page, "1 to answer")
        note(page).focus()
        page.keyboard.type("Before")
        eventually(page, lambda: "Before" in draft(store, held))
        page.keyboard.type(" and mean")
        wire.cut()
        page.keyboard.type("while")
        page.wait_for_function("document.querySelector('.st-key-seat-note textarea').disabled")
        assert "No connection" in page.evaluate(
            "getComputedStyle(document.querySelector('.stApp'), '::after').content"
        )
        typed = note(page).input_value()
        assert typed.startswith("Before and mean")
        assert "while" not in draft(store, held)
        wire.mend()
        page.wait_for_function(
            "document.querySelector('.st-key-seat-note textarea')?.disabled === false"
        )
        eventually(page, lambda: f'"{typed}"' in draft(store, held))
        # A box may be drawn anew on the way, and is empty for a moment.
        eventually(page, lambda: note(page).input_value() == typed)
        note(page).press("Escape")
        page.keyboard.press("ArrowDown")
        page.locator(".st-key-seat-scale-1").get_by_role("radio", name="9").click()
        says(page, "Submit")
        page.keyboard.press("Enter")
        at(page, 2)
    finally:
        wire.close()
    assert [one.answer.note for one in answers(store, held)] == [typed]


@pytest.mark.parametrize("end", ["take back", "close"])
def test_a_seat_that_ends_while_it_is_open_says_so_at_the_next_press(place, page, end):
    app, store = place
    held = session(store)
    working(store, held)
    to_work(page, app.url, held.secret())
    if end == "close":
        organising.close(store, held.study.id)
    else:
        organising.take_back(store, held.seats[0].id)
    page.keyboard.press("5")
    page.get_by_text("closed" if end == "close" else "opens no session").wait_for()
    page.wait_for_function("!document.querySelector('.st-key-seat-boxes')")
    expect(page.get_by_test_id("stMain").locator("button")).to_have_count(0)
    page.reload()
    page.get_by_text("closed" if end == "close" else "opens no session").wait_for()
    assert counts(store)["study_answers"] == len(store.study_work.answers(held.study.id)) + others(
        store, held
    )


def others(store, held) -> int:
    return sum(
        len(store.study_work.answers(one.id))
        for one in store.studies.listed()
        if one.id != held.study.id
    )


def test_a_wrong_link_opens_nothing_and_no_other_page(place, page):
    app, store = place
    session(store)
    page.goto(f"{app.url}/annotate?seat={'x' * 43}")
    page.get_by_text("This link opens no session").wait_for()
    assert (
        page.locator("a[href]:not([href^='#'])").evaluate_all(
            "all => all.map((one) => one.outerHTML)"
        )
        == []
    )


@pytest.mark.parametrize("task", ["rate", "rank", "compare", "comment"])
def test_nothing_that_reaches_the_browser_says_where_a_text_is_from(place, page, task):
    app, store = place
    held = session(
        store, task, texts=3, attention=0, repeats=0, overlap=3, hidden_target=task == "rank"
    )
    received: list[bytes] = []
    page.on(
        "websocket",
        lambda wire: wire.on(
            "framereceived",
            lambda said: received.append(said if isinstance(said, bytes) else said.encode()),
        ),
    )
    page.goto(f"{app.url}/annotate?seat={held.secret()}")
    for words in ("I agree", "Go on to a practice"):
        page.get_by_role("button", name=words).click()
    page.wait_for_selector(HEARD)
    sitting.practised(store, sitting.enter(store, held.secret()))
    page.reload()
    page.wait_for_selector(HEARD)
    first, *_ = sitting.listed(store, sitting.enter(store, held.secret()))
    page.locator(f"text={first.shown[0]}").first.wait_for()
    assert (store.study_work.answers(held.study.id), draft(store, held)) == ((), "")
    work_through(store, sitting.enter(store, held.secret()))
    page.reload()
    page.get_by_text("The last questions").wait_for()
    page.locator(".st-key-seat-finish button").wait_for()
    whole = b"".join(received)
    assert b"Thought" in whole or b"Trajectory" in whole
    assert [marker for marker in MARKERS if marker.encode() in whole] == []


# -- what is in view, and what is typed ---------------------------------------------------------

LONG = "Sleep spindles vary with the load of the day before, and nobody knows why they do. " * 6


@pytest.fixture
def long_texts(monkeypatch):
    monkeypatch.setattr(studies_kit, "idea", long_idea)


def long_idea(said: str) -> Idea:
    return Idea(form="six-field", fields={n: f"{said} ({n}). {LONG}" for n in FORMS["six-field"]})


def scores(page) -> int:
    return page.locator('[class*="st-key-seat-scale-"] [role=radio][aria-checked=true]').count()


def marked(page) -> int:
    """Return which criterion keys act on, -1 where none is in view."""
    return page.evaluate(
        """() => [...document.querySelectorAll('[class*="st-key-seat-scale-"]')]
        .findIndex((one) => one.hasAttribute('data-on'))"""
    )


def within_window(page, selector: str) -> bool:
    box = page.locator(selector).first.bounding_box()
    height = page.viewport_size["height"]
    return bool(box) and box["y"] >= -2 and box["y"] + box["height"] <= height + 2


def test_each_unit_opens_at_its_top_with_the_first_criterion_in_sight_and_focus(
    place, page, long_texts
):
    app, store = place
    names = ("novelty", "clarity", "feasibility", "significance", "effectiveness")
    held = session(store, criteria=tuple(map(texts.criterion, names)))
    working(store, held)
    to_work(page, app.url, held.secret())
    first = '[class*="st-key-seat-scale-0"]'
    for n in (1, 2):
        at(page, n)
        eventually(page, lambda: marked(page) == 0)
        assert within_window(page, first)
        assert page.evaluate(f"document.activeElement.matches('{first}')")
        tops = page.evaluate(
            "[...document.querySelectorAll('[class*=\"st-key-seat-text-\"], .st-key-seat-boxes')]"
            ".map((one) => one.scrollTop)"
        )
        assert set(tops) == {0}
        page.keyboard.press("PageDown")
        for key in ("7", "3", "5", "2", "9"):
            page.keyboard.press(key)
        says(page, "Submit")
        assert marked(page) == 4
        assert scores(page) == 5
        page.keyboard.press("Enter")
    at(page, 3)
    assert len(answers(store, held)) == 2


def test_a_digit_scores_nothing_that_was_scrolled_out_of_the_form_at_1280(place, page, long_texts):
    app, store = place
    names = ("novelty", "clarity", "feasibility", "significance", "effectiveness")
    held = session(store, criteria=tuple(map(texts.criterion, names)))
    working(store, held)
    to_work(page, app.url, held.secret())
    at(page, 1)
    eventually(page, lambda: marked(page) == 0)
    page.locator(".st-key-seat-boxes").hover()
    page.mouse.wheel(0, 4000)
    eventually(page, lambda: marked(page) > 0)
    there = marked(page)
    page.keyboard.press("6")
    eventually(page, lambda: scores(page) == 1)
    chosen = page.locator(f".st-key-seat-scale-{there} [role=radio][aria-checked=true]")
    expect(chosen).to_have_text("6")
    assert page.locator(".st-key-seat-scale-0 [role=radio][aria-checked=true]").count() == 0


def test_on_a_phone_a_unit_opens_at_its_text_and_keys_wait_until_a_criterion_is_reached(
    place, page, long_texts
):
    app, store = place
    held = session(store)
    working(store, held)
    page.set_viewport_size({"width": 390, "height": 844})
    try:
        to_work(page, app.url, held.secret())
        at(page, 1)
        page.wait_for_timeout(600)
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
        assert marked(page) == -1
        for key in ("7", "x", "3"):
            page.keyboard.press(key)
        page.wait_for_timeout(700)
        assert scores(page) == 0
        assert page.locator(".st-key-seat-boxes input:checked").count() == 0
        assert draft(store, held) == ""
        # No text scrolls in a box of its own, and nothing is wider than the screen.
        boxed = page.evaluate(
            "[...document.querySelectorAll('[class*=\"st-key-seat-text-\"], .st-key-seat-boxes')]"
            ".filter((one) => one.scrollHeight > one.clientHeight + 1"
            " && getComputedStyle(one).overflowY !== 'visible').length"
        )
        assert boxed == 0
        page.locator(".st-key-seat-scale-0").scroll_into_view_if_needed()
        eventually(page, lambda: marked(page) == 0)
        assert page.evaluate("document.activeElement.matches('.st-key-seat-scale-0')")
        page.keyboard.press("7")
        eventually(page, lambda: scores(page) == 1)
        page.keyboard.press("4")
        says(page, "Submit")
        page.keyboard.press("Enter")
        at(page, 2)
        page.wait_for_timeout(600)
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
    finally:
        page.set_viewport_size({"width": 1280, "height": 800})
    assert [list(one.answer.scores.values()) for one in answers(store, held)] == [[7, 4]]


CLIPPED = """() => [...document.querySelectorAll('.stMain *')].filter((one) => {
    const box = one.getBoundingClientRect()
    return box.width > 0 && box.height > 0 && (box.right > innerWidth + 1 || box.left < -1)
      && getComputedStyle(one).position !== 'fixed' && !one.closest('[aria-hidden=true]')
      && !one.matches('input') && !one.closest('[data-testid=stBidiComponentRegular], iframe')
  }).map((one) => one.outerHTML.slice(0, 120))"""
CUT = """() => [...document.querySelectorAll('.stMain :is(button, p)')].filter((one) =>
    one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1
    && getComputedStyle(one).overflowX !== 'visible').map((one) => one.outerHTML.slice(0, 160))"""


@pytest.mark.parametrize("task", ["rate", "rank", "compare", "comment"])
def test_on_a_phone_nothing_is_clipped(place, page, task):
    app, store = place
    held = session(store, task, attention=0)
    page.set_viewport_size({"width": 390, "height": 844})
    try:
        page.goto(f"{app.url}/annotate?seat={held.secret()}")
        page.get_by_role("button", name="I agree").wait_for()
        assert (page.evaluate(CLIPPED), page.evaluate(CUT)) == ([], [])
        working(store, held)
        to_work(page, app.url, held.secret())
        if task == "rank":
            for n in (1, 2):
                page.locator(".st-key-seat-pool button:visible").first.click()
                page.wait_for_function(
                    "(n) => document.querySelectorAll('.st-key-seat-pool [class*=seat-place-]')"
                    ".length === n",
                    arg=3 - n,
                )
        if task == "comment":
            page.get_by_role("button", name="Remark on a passage").click()
            page.get_by_label("Your remark").wait_for()
        assert (page.evaluate(CLIPPED), page.evaluate(CUT)) == ([], [])
        work_through(store, sitting.enter(store, held.secret()))
        page.reload()
        page.locator(".st-key-seat-finish button").wait_for()
        assert (page.evaluate(CLIPPED), page.evaluate(CUT)) == ([], [])
    finally:
        page.set_viewport_size({"width": 1280, "height": 800})


def test_a_note_typed_a_moment_before_a_reload_is_there(place, page):
    app, store = place
    held = session(store)
    working(store, held)
    to_work(page, app.url, held.secret())
    for words in ("Half a thought", " and the other half"):
        note(page).focus()
        page.keyboard.press("End")
        page.keyboard.type(words)
        page.wait_for_timeout(300)
        page.reload()
        page.wait_for_selector(HEARD)
        eventually(page, lambda words=words: note(page).input_value().endswith(words))
    eventually(page, lambda: '"Half a thought and the other half"' in draft(store, held))
    expect(note(page)).to_have_value("Half a thought and the other half")
    # What the store has, the browser lets go of.
    eventually(page, lambda: left_behind(page) == [])
    page.locator(".st-key-seat-kept").get_by_text("Saved at").wait_for()
    expect(page.locator(".st-key-seat-kept")).to_contain_text("the note")


def left_behind(page) -> list[str]:
    return page.evaluate(
        "Object.keys(localStorage).filter((one) => one.startsWith('foundry-seat'))"
    )


def test_typing_without_a_pause_is_kept_while_it_goes_on_and_nothing_typed_is_lost(place, page):
    app, store = place
    held = session(store)
    working(store, held)
    to_work(page, app.url, held.secret())
    note(page).focus()
    whole = ""
    # What waited for a pause in typing would never be kept.
    while "abc" not in draft(store, held) and len(whole) < 1_000:
        page.keyboard.type("abc ", delay=40)
        whole += "abc "
    assert len(whole) < 1_000
    eventually(page, lambda: f'"{whole}"' in draft(store, held))
    expect(note(page)).to_have_value(whole)
    eventually(page, lambda: left_behind(page) == [])


def test_what_one_seat_typed_is_not_read_by_another_in_the_same_browser(place, page):
    app, store = place
    held = session(store)
    for n in (0, 1):
        working(store, held, n)
    to_work(page, app.url, held.secret())
    note(page).focus()
    page.keyboard.type("Mine alone")
    page.goto(f"{app.url}/annotate?seat={held.secret(1)}")
    page.wait_for_selector(HEARD)
    page.wait_for_timeout(800)
    expect(note(page)).to_have_value("")
    assert draft(store, held, 1) == ""
    to_work(page, app.url, held.secret())
    eventually(page, lambda: note(page).input_value() == "Mine alone")
    # What is typed and submitted at once is let go of, too.
    page.keyboard.press("7")
    page.keyboard.press("3")
    note(page).focus()
    page.keyboard.press("End")
    page.keyboard.type("!")
    page.keyboard.press("Control+Enter")
    at(page, 2)
    eventually(page, lambda: left_behind(page) == [])
    assert [one.answer.note for one in answers(store, held)] == ["Mine alone!"]


def test_an_order_waits_until_every_text_was_opened(place, page):
    app, store = place
    held = session(store, "rank", attention=0, repeats=0)
    working(store, held)
    to_work(page, app.url, held.secret())
    for key in ("1", "2", "3"):
        page.keyboard.press(key)
    says(page, "2 texts not opened yet")
    page.keyboard.press("Enter")
    page.wait_for_timeout(2_000)  # So long it waits for what was pressed before to arrive.
    for n in (1, 0):
        page.locator(".stExpander summary").nth(2 - n).click()
        page.wait_for_function(
            "(n) => document.querySelector('.st-key-seat-submit button').innerText.includes(n)",
            arg="1 text not" if n else "Submit",
        )
        rest(page)
        expect(page.locator(".stExpander details[open]")).to_have_count(3 - n)
    assert answers(store, held) == []
    page.keyboard.press("Enter")
    eventually(page, lambda: len(answers(store, held)) == 1)
    # The same set by the other criterion: its texts are known.
    at(page, 2)
    expect(page.get_by_text(re.compile("not opened yet", re.I))).to_have_count(0)


# -- a rubric of one's own ---------------------------------------------------------------------


def test_digits_score_what_has_points_numbers_are_typed_and_reasons_kept(place, page):
    app, store = place
    held = session(store, criteria=OWN, attention=0, repeats=0)
    working(store, held)
    to_work(page, app.url, held.secret())
    listed = store.seats.get(held.seats[0].id).criteria
    keys = {"novelty": "6", "worth": "42", "ethics": "1"}
    for n, name in enumerate(listed):
        page.evaluate("() => document.activeElement?.blur()")
        while not page.locator(f".st-key-seat-scale-{n}[data-on]").count():
            page.keyboard.press("ArrowDown" if _marked(page) < n else "ArrowUp")
        if name == "wishes":
            box = page.locator(f".st-key-seat-scale-{n} textarea")
            box.fill("A longer trial.")
            box.blur()
            continue
        page.keyboard.type(keys[name])
        if name == "worth":
            page.keyboard.press("Enter")
    # A reason that is asked for is named, and Enter goes to where it is written.
    says(page, "1 to answer: why, for novelty")
    expect(page.get_by_label("Why? (required)")).to_have_count(1)
    page.evaluate("() => document.activeElement?.blur()")
    page.keyboard.press("Enter")
    why = page.locator(".st-key-seat-boxes textarea:focus")
    why.wait_for()
    assert why.get_attribute("aria-label") == "Why? (required)"
    why.fill("It joins two fields.")
    page.keyboard.press("Escape")
    says(page, "Submit")
    page.reload()
    page.wait_for_selector(HEARD)
    says(page, "Submit")
    page.get_by_role("button", name="Submit").click()
    at(page, 2)
    (said,) = store.study_work.answers(held.study.id)
    assert said.answer == RateAnswer(
        scores={"novelty": 6, "worth": 42, "ethics": 1},
        texts={"wishes": "A longer trial."},
        reasons={"novelty": "It joins two fields."},
    )


def _marked(page) -> int:
    return page.evaluate(
        "() => [...document.querySelectorAll('[class*=\"st-key-seat-scale-\"]')]"
        ".findIndex((one) => one.hasAttribute('data-on'))"
    )


def middles(page) -> dict[str, int]:
    """Return how far down the middle of each button that is on the screen is, by what it says."""
    return page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('.stMain button')]
        .filter((one) => one.offsetParent).map((one) => {
            const box = one.getBoundingClientRect()
            return [one.innerText, Math.round(box.y + box.height / 2)]
        }))"""
    )


SEATS = [(task, width) for task in ("rate", "rank", "compare", "comment") for width in (1280, 390)]


@pytest.mark.parametrize(("task", "width"), SEATS)
def test_a_reason_that_is_asked_for_moves_no_button_when_it_is_given(place, page, task, width):
    app, store = place
    held = session(store, task, attention=0, repeats=0)
    working(store, held)
    page.set_viewport_size({"width": width, "height": 800})
    try:
        to_work(page, app.url, held.secret())
        give_reason(page, store, held)
    finally:
        page.set_viewport_size({"width": 1280, "height": 800})


def test_a_unit_is_skipped_with_a_reason_that_is_asked_for(place, page):
    app, store = place
    held = session(store, attention=0, repeats=0)
    working(store, held)
    to_work(page, app.url, held.secret())
    give_reason(page, store, held)
    page.get_by_role("button", name="Skip this unit").click()
    at(page, 2)
    expect(page.get_by_text("Say why you skip this")).to_have_count(0)
    (said,) = store.study_work.answers(held.study.id)
    assert said.answer == SkipAnswer(reason="I wrote it.")
    page.get_by_role("button", name="Back").click()
    page.get_by_text("You skipped this: I wrote it.").wait_for()


@pytest.mark.parametrize("task", ["rate", "rank"])
def test_what_one_goes_to_with_tab_keeps_the_focus_though_the_screen_scrolls(place, page, task):
    app, store = place
    held = session(store, task, attention=0, repeats=0)
    working(store, held)
    page.set_viewport_size({"width": 1280, "height": 500})
    try:
        to_work(page, app.url, held.secret())
        page.get_by_text("Skip or flag this unit").click()
        rest(page, 500)
        page.get_by_label("Why do you skip or flag it?").focus()
        skips = page.get_by_role("button", name="Skip this unit")
        for _ in range(3):
            page.evaluate("document.querySelector('.st-key-seat-boxes').scrollTop = 0")
            page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop = 0")
            rest(page, 300)
            page.keyboard.press("Tab")
            if skips.and_(page.locator(":focus")).count():
                break
        rest(page, 300)
        expect(skips).to_be_focused()
        page.keyboard.press("Enter")
        page.get_by_text("Say why you skip this").wait_for()
    finally:
        page.set_viewport_size({"width": 1280, "height": 800})


def test_enter_after_a_press_of_the_mouse_does_not_press_that_again(place, page):
    app, store = place
    held = session(store, "rank", attention=0, repeats=0)
    working(store, held)
    to_work(page, app.url, held.secret())
    for key in ("1", "2", "3"):
        page.keyboard.press(key)
    says(page, "2 texts not opened yet")
    page.locator(".st-key-seat-undo button:visible").click()
    eventually(page, lambda: _placed(store, held) == 2)
    rest(page, 300)
    page.keyboard.press("Enter")
    page.wait_for_timeout(2_000)  # So long it waits for what was pressed before to arrive.
    rest(page)
    assert _placed(store, held) == 2
    assert answers(store, held) == []


def _placed(store, held) -> int:
    return sum(map(len, json.loads(draft(store, held))["groups"]))


def give_reason(page, store, held) -> None:
    """Press what skips the first unit without its reason, and then give the reason."""
    page.get_by_text("Skip or flag this unit").click()
    rest(page, 500)
    page.get_by_role("button", name="Skip this unit").click()
    asked = page.get_by_text("Say why you skip this")
    asked.wait_for()
    assert store.study_work.answers(held.study.id) == ()
    # It stands where the press was, and stays until the next: nothing moves when the box is left,
    # also where the page is scrolled to its end.
    why = page.get_by_label("Why do you skip or flag it?")
    why.focus()
    rest(page, 300)
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop = 10000")
    rest(page, 300)
    there = middles(page)
    assert within_window(page, ".st-key-seat-beside-skip")
    page.keyboard.type("I wrote it.")
    why.blur()
    eventually(page, lambda: "I wrote it." in draft(store, held))
    rest(page, 300)
    expect(asked).to_be_visible()
    assert middles(page) == there
