"""The checklist in a real browser: hovering joins passage and directive, words can be selected, the
keyboard reaches all of it, a link restores the view.
"""

import re

import pytest
from playwright.sync_api import expect

from core.methods.evolution import EvolveInputs
from core.runs.planning import validated
from tests.support.browser import App, browsing, needs_browser, rest
from tests.support.evolving import WELL, evolving
from tests.support.scripted import configured, runner_of

pytestmark = [pytest.mark.browser, needs_browser]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """The app over an evolution that waits before its first revision."""
    data = tmp_path_factory.mktemp("checklist") / "data"
    runner, _ = runner_of(data, evolving())
    asked = validated(
        EvolveInputs,
        topic="replay",
        question="How can replay be gated?",
        papers=False,
        steps=3,
        step_in=True,
    )
    run = runner.begin(configured(runner, "evolve", asked), "replay")
    assert runner.work(run.id) == "waiting"
    app = App(data, words=True).start()
    yield app, run.id
    app.kill()


def test_passages_and_directives_belong_together(place):
    app, run = place
    with browsing() as page:
        page.goto(f"{app.url}/checklist?run={run}")
        risk = page.locator("mark[data-items=risk]")
        risk.wait_for()
        method, card = (
            page.locator("mark[data-items=method]"),
            page.locator(".st-key-checklist-item-risk"),
        )
        rest(page)
        expect(method).not_to_have_css("background-color", CLEAR)
        for _ in range(20):
            card.hover()
            if method.evaluate("(one) => getComputedStyle(one).backgroundColor") == CLEAR:
                break
            page.wait_for_timeout(500)  # What is drawn anew moved under the mouse.
        expect(method).to_have_css("background-color", CLEAR)
        expect(risk).not_to_have_css("background-color", CLEAR)
        risk.hover()
        expect(card).to_have_css("outline-style", "solid")
        method.focus()
        expect(page.locator(".st-key-checklist-item-method")).to_have_css("outline-style", "solid")
        assert risk.evaluate("(one) => getComputedStyle(one, '::before').content") == '"4"'
        assert _selected(page) == WELL.replace("keep learning", "keep learning (right: writing)")
        page.get_by_role("radio", name="4 Risk").click()
        page.wait_for_function("location.search.includes('item=risk')")
        page.wait_for_function("document.querySelectorAll('mark.passage').length === 1")
        rest(page)
        card.get_by_text("Follow this directive").click()
        page.get_by_text("It will follow 5 of 6 directives").wait_for()
        page.goto(page.url)
        page.wait_for_function("document.querySelectorAll('mark.passage').length === 1")
        expect(card.get_by_role("checkbox")).not_to_be_checked()
        assert page.get_by_test_id("stException").count() == 0


def test_layout_and_length_are_checked_without_a_model(place):
    app, _ = place
    with browsing() as page:
        page.goto(f"{app.url}/checklist")
        page.get_by_role("radio", name="An idea").click()
        page.get_by_label("The idea", exact=True).fill(
            WELL.replace("We ablate the gate.", "We ablate it. We ablate more. And more.")
        )
        page.get_by_text("Steps in all").click()
        rest(page)
        page.get_by_role("button", name="Check layout and length only").click()
        page.get_by_text(re.compile("Experimental Plan / Evaluation has 4 sentences")).wait_for()
        expect(page.get_by_role("button", name="Evolve", exact=True)).to_be_disabled()


CLEAR = "rgba(0, 0, 0, 0)"


def _selected(page) -> str:
    return page.evaluate(
        """() => {
        const range = document.createRange()
        range.selectNodeContents(document.querySelector('.idea-text'))
        return range.toString()
    }"""
    )
