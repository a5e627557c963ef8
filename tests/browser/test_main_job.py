"""The whole job in a real browser, without a key: topic, chain, idea, refinement, rating, ranking,
export.
"""

import json
import re
from pathlib import Path

import pytest
from docx import Document
from playwright.sync_api import expect

from tests.support.browser import App, browsing, needs_browser, rest, run_of

pytestmark = [pytest.mark.browser, needs_browser]


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    app = App(tmp_path_factory.mktemp("main-job") / "data").start()
    yield app
    app.kill()


def test_from_a_topic_to_an_exported_refined_idea(app, tmp_path):
    with browsing() as page:
        page.goto(app.url)
        page.get_by_text("orexin levels may improve sleep quality").first.click()
        page.get_by_role("button", name="One chain").click()
        refine = page.get_by_role("link", name="Refine this idea")
        refine.wait_for(timeout=360_000)
        chain = run_of(page)
        rest(page)
        expect(refine, "the result is on top").to_be_in_viewport()
        _take(page, tmp_path)
        page.get_by_role("button", name="See the whole idea").click()
        idea = page.locator(".st-key-chains-idea")
        idea.wait_for()
        expect(idea).to_be_in_viewport()
        expect(idea.get_by_role("heading", name="Idea")).to_be_visible()
        page.get_by_role("button", name="Keep this idea").first.click()
        rest(page)
        page.get_by_text("Kept in Ideas").first.wait_for()
        refine.click()
        page.get_by_role("button", name="Refine", exact=True).wait_for()
        page.go_back()
        page.get_by_text("Edit this chain").wait_for()
        assert run_of(page) == chain
        page.go_forward()
        page.get_by_role("button", name="Refine", exact=True).click()
        assert run_of(page) != chain
        page.get_by_text("Converged").wait_for(timeout=60_000)
        for actor in ("Optimizer", "Generator", "Discriminator"):
            expect(page.get_by_text(actor).first).to_be_visible()
        for version in ("First idea", "Refined idea"):
            heading = page.get_by_role("heading", name=version)
            expect(heading, "side by side, on top").to_be_in_viewport()
        page.get_by_role("button", name="Keep this idea").first.click()
        rest(page)
        page.get_by_text("Kept in Ideas").first.wait_for()
        page.get_by_role("link", name="Steps and export").click()
        _export(page, tmp_path)
        _rate_and_rank(page, app, tmp_path)
        assert page.get_by_test_id("stException").count() == 0


@pytest.mark.parametrize(
    ("letters", "button", "box"),
    [(5_000, "Refine it as an idea", "The idea"), (20_000, "More choices", "Topic")],
)
def test_a_long_text_arrives_whole_on_the_page_that_asks_for_more(app, letters, button, box):
    text = ("Rest and replay. " * 1_500)[:letters].strip()
    with browsing() as page:
        page.goto(app.url)
        page.get_by_label("What do you want ideas about?").fill(text)
        page.get_by_role("button", name=button).click()
        there = page.get_by_label(box, exact=True)
        there.wait_for()
        rest(page)
        expect(there).to_have_value(text)


def _take(page, folder: Path) -> None:
    """Download the report with two clicks and copy from beside it; what was copied is what is
    there.
    """
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy or download").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Word", exact=True).last.click()  # The whole one.
    waiting.value.save_as(folder / "report.docx")
    written = Document(str(folder / "report.docx"))
    links = [link.address for one in written.paragraphs for link in one.hyperlinks]
    assert len(written.inline_shapes) == 1
    assert any(link.startswith("https://doi.org/10.") for link in links)

    def copied(name: str) -> str:
        page.get_by_role("button", name=name, exact=True).click()
        page.get_by_text(f"Copied: {name}.").wait_for()
        return page.evaluate("navigator.clipboard.readText()")

    idea = copied("Idea").splitlines()[0].removeprefix("## ")
    assert idea in [one.text.removeprefix("The idea: ") for one in written.paragraphs]
    assert "https://doi.org/10." in copied("References")
    assert copied("BibTeX").startswith("@")
    rights = page.get_by_text("The link opens the run with every right.")
    assert rights.count() == 0, "nothing is said of a link before one is asked for"
    assert copied("Link to this run") == page.url.split("&")[0]
    expect(rights).to_be_visible()
    page.keyboard.press("Escape")


def _export(page, folder: Path) -> None:
    page.get_by_role("tab", name="Export").click()
    rest(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name=re.compile("bundle", re.IGNORECASE)).click()
    target = folder / "bundle.json"
    waiting.value.save_as(target)
    bundle = json.loads(target.read_text())
    assert bundle["run"]["state"] == "done"
    assert len(bundle["steps"]) == bundle["run"]["steps"]


def _rate_and_rank(page, app: App, folder: Path) -> None:
    page.goto(f"{app.url}/rate")
    rest(page)
    boxes = page.get_by_test_id("stCheckbox")
    boxes.nth(1).wait_for()
    for n in range(2):
        boxes.nth(n).locator("label").click()
        rest(page)
        page.get_by_text(f"The set: {n + 1} idea").wait_for()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Your name").press("Enter")
    page.get_by_role("radio", name="8").first.click()
    rest(page)
    page.get_by_text("1 of 5 chosen").wait_for()
    page.get_by_role("button", name="Submit").click()
    rest(page)
    page.get_by_text("Kept: 1 rating").wait_for()
    page.get_by_role("tab", name="Rank").click()
    rest(page)
    for left in (1, 0):
        page.get_by_role("button", name="Place").first.click()
        rest(page)
        page.get_by_text(f"Not ranked yet ({left})").wait_for()
    page.get_by_role("button", name="Submit").click()
    rest(page)
    page.get_by_text("Your ranking is kept").wait_for()
    page.get_by_role("tab", name="Summary").click()
    page.get_by_text("Ratings by idea and criterion").wait_for()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="All ratings and rankings (CSV)").click()
    target = folder / "ratings.csv"
    waiting.value.save_as(target)
    assert "Ada" in target.read_text()


def test_a_double_click_on_import_shows_what_came_in(app, tmp_path):
    entries = (f"@misc{{k{n}, title={{On naps, part {n}}}, year=201{n}}}" for n in range(5))
    (tmp_path / "five.bib").write_text("\n".join(entries))
    with browsing() as page:
        page.goto(f"{app.url}/library?library:tab=Your+own+papers")
        page.get_by_text("Your own library is empty").wait_for()
        page.locator("input[type=file]").set_input_files(tmp_path / "five.bib")
        page.get_by_text("five.bib").first.wait_for()
        rest(page)
        page.get_by_test_id("stFormSubmitButton").get_by_role("button").dblclick()
        page.get_by_text("5 papers added").wait_for()
        page.reload()
        page.get_by_text("5 papers added").wait_for()
        assert page.get_by_text("Choose a file").count() == 0
