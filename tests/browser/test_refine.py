"""The arena in a real browser: keys, picking a remark, and a link that restores the view."""

import re

import pytest
from playwright.sync_api import expect

from core.store import Store
from tests.support.browser import App, browsing, hears, needs_browser, rest
from tests.support.scripted import refine_script, refinement, runner_of

pytestmark = [pytest.mark.browser, needs_browser]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """The app over a finished refinement of four rounds, two of them quiet."""
    data = tmp_path_factory.mktemp("arena") / "data"
    runner, model = runner_of(data, refine_script([True, True, False, False]))
    revise = model.script["revise"]

    def revised(request):
        made = revise(request)
        return made | {
            "changes": [
                {"field": "method", "passage": made["method"], "remarks": ["r1"]},
                {"field": "objective", "passage": made["objective"], "remarks": ["r2"]},
            ]
        }

    model.script |= {
        "revise": revised,
        "review": lambda _: {
            "summary": "Thin.",
            "remarks": [{"id": "r1", "text": "Name it."}, {"id": "r2", "text": "Aim."}],
        },
    }
    run = refinement(runner, rounds=5)
    assert runner.work(run.id) == "done"
    assert Store(data).runs.get(run.id).state == "done"
    app = App(data, words=True).start()
    yield app, run.id
    app.kill()


def is_open(page, round_: str) -> None:
    page.locator("[role=radiogroup][aria-label=Rounds]").get_by_role(
        "radio", name=re.compile(rf"^{round_}\b"), checked=True
    ).wait_for()


def test_keys_remarks_and_links(place):
    app, run = place
    with browsing() as page:
        page.goto(f"{app.url}/refine?run={run}&round=4")
        is_open(page, "4")
        hears(page, "keys")
        for key, round_ in (("ArrowLeft", "3"), ("ArrowLeft", "2"), ("ArrowRight", "3")):
            page.keyboard.press(key)
            is_open(page, round_)
        page.get_by_text("Verdict on version 3").wait_for()
        _one_remark(page)
        page.keyboard.press("n")
        note = page.get_by_label(re.compile("^Note on"))
        note.and_(page.locator(":focus")).wait_for()
        expect(note).to_be_in_viewport(ratio=1)
        page.keyboard.type("can c and n be typed?")
        expect(note).to_have_value("can c and n be typed?")
        page.get_by_text("Keys:").click()
        page.keyboard.press("c")
        page.wait_for_function(
            "(said) => said.every((one) => location.search.includes(one))",
            arg=[f"a={run}%3A1%3A2", f"b={run}%3A1%3A3", "view=compare"],
        )
        page.get_by_role("radio", name="Compare", checked=True).wait_for()
        page.keyboard.press("c")
        is_open(page, "3")
        page.wait_for_function("!location.search.includes('view=')")
        page.keyboard.press("c")
        page.wait_for_function("location.search.includes('view=compare')")
        assert page.get_by_role("dialog").count() == 0
        link = page.url
        page.keyboard.press("ArrowLeft")
        is_open(page, "2")
        page.goto(link)
        page.get_by_role("radio", name="Compare", checked=True).wait_for()
        page.get_by_role("radio", name="Rounds", exact=True).click()
        is_open(page, "3")
        assert page.get_by_test_id("stException").count() == 0


def test_the_focus_goes_along_with_the_arrows(place):
    app, run = place
    with browsing() as page:
        page.goto(f"{app.url}/refine?run={run}&round=4")
        is_open(page, "4")
        hears(page, "keys")
        rounds = page.locator("[role=radiogroup][aria-label=Rounds]")
        rounds.get_by_role("radio", name=re.compile(r"^2\b")).click()
        is_open(page, "2")
        page.keyboard.press("ArrowRight")
        is_open(page, "3")
        rounds.locator(":focus").and_(
            rounds.get_by_role("radio", name=re.compile(r"^3\b"))
        ).wait_for()


def _one_remark(page) -> None:
    """Pick a remark and see only what answers it marked."""
    column = page.get_by_test_id("stColumn").filter(has=page.get_by_role("radio", name="r2"))
    column.get_by_text(re.compile("^method "), exact=False).first.wait_for()
    rest(page)
    marks = column.locator("em")
    both = marks.count()
    column.get_by_role("radio", name="r2").click()
    # The column may be drawn anew meanwhile: it is looked for each time.
    for _ in range(600):
        if 0 < marks.count() < both:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{marks.count()} of {both} are marked")
