"""A shortlist in a real browser, without a key: topic, cards, an idea dropped in a copy, the report
with its links, a session over it.
"""

import pytest
from docx import Document
from playwright.sync_api import expect

from tests.support.browser import App, browsing, choose_first, needs_browser, rest, run_of

TOPIC = "Using LLM agents to generate novel research ideas"
WORKS = ("https://doi.org/10.", "https://arxiv.org/abs/")
FIRST_IN_VIEW = """() => {
    const card = document.querySelector('[class*=st-key-shortlist-card]')
    if (!card) return false
    const { top, bottom } = card.getBoundingClientRect()
    return top >= 0 && top < innerHeight && bottom > 0
}"""
pytestmark = [pytest.mark.browser, needs_browser]


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    app = App(tmp_path_factory.mktemp("shortlist") / "data").start()
    yield app
    app.kill()


def test_from_a_topic_to_a_shortlist_that_is_changed_and_handed_on(app, tmp_path):
    with browsing() as page:
        page.goto(app.url)
        page.get_by_text(TOPIC).first.click()
        rest(page)
        page.get_by_role("button", name="Shortlist ideas").dblclick()
        first = run_of(page)
        page.get_by_text("provisional").first.wait_for(timeout=120_000)
        page.wait_for_function(FIRST_IN_VIEW)
        page.get_by_text("Finished").first.wait_for(timeout=360_000)
        assert run_of(page) == first
        rest(page)
        expect(page.get_by_text("provisional")).to_have_count(0)
        cards = page.locator("[class*=st-key-shortlist-card]")
        titles = cards.locator("h4").all_inner_texts()
        assert len(titles) >= 3
        page.wait_for_function(FIRST_IN_VIEW)
        _step(page, app)
        _compare(page)
        _report(page, tmp_path)
        _drop(page, titles)
        _experts(page)
        assert page.get_by_test_id("stException").count() == 0


def _step(page, app) -> None:
    """Follow the small link of a sentence: the words of the step are those of the sentence."""
    link = page.get_by_role("link", name="step", exact=True).first
    sentence = link.locator("xpath=ancestor::p").inner_text().split(" step")[0]
    with page.context.expect_page() as opening:
        link.click()
    opened = opening.value
    opened.get_by_text("Reply", exact=True).wait_for()
    rest(opened)
    assert "step=" in opened.url
    words = sentence.split()[:4]
    expect(opened.locator(".st-key-runs-step-opened")).to_contain_text(" ".join(words))
    opened.close()


def _compare(page) -> None:
    page.get_by_role("button", name="Compare it").first.click()
    rest(page)
    page.get_by_text("One idea", exact=True).wait_for()
    page.wait_for_function("location.search.includes('view=compare')")
    page.reload()
    page.get_by_text("One idea", exact=True).wait_for()


def _report(page, folder) -> None:
    page.get_by_role("button", name="Copy or download").click()
    for name, ending in (("Word", "docx"), ("HTML", "html"), ("JSON bundle", "json")):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=name, exact=True).first.click()
        waiting.value.save_as(folder / f"report.{ending}")
    page.keyboard.press("Escape")
    written = Document(str(folder / "report.docx"))
    links = [link.address for one in written.paragraphs for link in one.hyperlinks]
    works = [link for link in links if link.startswith(WORKS)]
    assert works
    assert works[0] in (folder / "report.html").read_text()
    assert "Where each sentence comes from" in [one.text for one in written.paragraphs]


def _drop(page, titles) -> None:
    """Drop the first idea in a copy, which pays for none of the others again."""
    before = run_of(page)
    page.get_by_role("radio", name="Change", exact=True).click()
    rest(page)
    choose_first(page, "Drop")
    page.keyboard.press("Escape")
    rest(page)
    page.get_by_role("button", name="Make the copy").click()
    page.wait_for_function(f"!location.search.includes('{before}')")
    page.get_by_text("A copy of “").first.wait_for()
    page.get_by_text("Finished").first.wait_for(timeout=120_000)
    rest(page)
    page.get_by_text("dropped by a person").first.wait_for()
    assert page.locator("[class*=st-key-shortlist-card] h4").count() >= len(titles) - 1


def _experts(page) -> None:
    """Open a session over the shortlist in two clicks."""
    page.get_by_role("button", name="Send to experts").click()
    draft = page.get_by_role("button", name="Set up the draft")
    draft.wait_for()
    rest(page)
    draft.click()
    page.get_by_text("Draft", exact=False).first.wait_for()
    page.wait_for_function("location.search.includes('session=')")
