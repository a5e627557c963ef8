"""A paper's experiment in a real browser: from the gallery over the estimate to its results, the
experts that are asked, and the zip, opened and counted again.
"""

import csv
import io
import re
import zipfile

import pytest
from playwright.sync_api import expect

from core.store import Store
from tests.support.browser import App, browsing, needs_browser, rest, run_of
from tests.support.dataset_kit import asking
from tests.support.servers.openai_server import OpenAIServer

pytestmark = [pytest.mark.browser, needs_browser]
MODEL, JUDGE = "openai:test-model", "openai:judge-a"
KEY = "sk-planted-recipes-17"


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """The app with a loopback model, whose meaning is that of the real embeddings."""
    data = tmp_path_factory.mktemp("recipes") / "data"
    with OpenAIServer(script=asking) as model:
        app = App(data, OPENAI_BASE_URL=model.url, OPENAI_API_KEY=KEY).start()
        yield app
        app.kill()


def name_model(page, box: str, model: str) -> None:
    """Type a model's name into a choice of several, in place of what was chosen."""
    field = page.get_by_role("combobox", name=re.compile(f"^{box}|{box}$"))
    field.click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("Backspace")
    field.fill(model)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    rest(page, 300)


def test_a_recipe_is_held_from_the_page_and_taken_home(app, tmp_path):
    with browsing() as page:
        page.goto(f"{app.url}/experiments?section=New+experiment")
        page.get_by_role("radio", name="The papers' experiments").click()
        page.get_by_text("coi-arena", exact=True).wait_for()
        page.reload()
        page.get_by_text("coi-arena", exact=True).wait_for()
        page.locator(".st-key-recipes-open-coi-arena button").click()
        page.get_by_text("What this will take").wait_for()
        name_model(page, "Models that write", MODEL)
        name_model(page, "Judges", JUDGE)
        page.get_by_text("Estimated: ").wait_for()
        page.get_by_role("button", name="Start the experiment").dblclick()
        run = run_of(page)
        page.get_by_text("10 done").wait_for(timeout=240_000)
        page.get_by_text("Published values, as published, and ours").wait_for()
        page.get_by_text("Ratings of ideas by criterion").wait_for()
        # Once the run ends this line goes, and what is below moves up, from under the pointer.
        expect(page.get_by_text("Partial: ")).to_have_count(0)
        rest(page)
        assert page.get_by_test_id("stException").count() == 0
        store = Store(app.data)
        assert [one.id for one in store.runs.listed(method="topic-experiment")] == [run]

        page.get_by_role("button", name="Ask experts").click()
        page.get_by_role("button", name="Set up the session").dblclick()
        page.wait_for_url(re.compile("session="))
        page.get_by_text("Preview as an expert").wait_for()
        (study,) = store.studies.listed()
        assert study.plan.task == "compare"

        page.goto(f"{app.url}/experiments?run={run}")
        page.get_by_text("It has no experts yet").wait_for()
        rest(page, 300)
        with page.expect_download() as given:
            page.get_by_role("button", name="Everything (zip)").click()
        given.value.save_as(tmp_path / "all.zip")
        assert page.get_by_test_id("stException").count() == 0
    with zipfile.ZipFile(tmp_path / "all.zip") as whole:
        assert whole.testzip() is None
        files = {name: whole.read(name).decode() for name in whole.namelist()}
    assert {"report.md", "methods.md", "coi-arena.toml", "configuration.json"} <= files.keys()
    assert "figures/topics-ratings-ideas.svg" in files
    assert KEY not in "".join(files.values())
    cells = list(csv.DictReader(io.StringIO(files["data/cells.csv"])))
    assert len(cells) == 10
    spent = {one["label"]: [] for one in cells}
    for one in cells:
        if one["run"]:
            spent[one["label"]].append(int(one["tokens_in"]) + int(one["tokens_out"]))
    costs = {
        row["Contender"]: row
        for row in csv.DictReader(io.StringIO(files["tables/topics-costs.csv"]))
    }
    for label, tokens in spent.items():
        if tokens:
            told = float(costs[label]["Tokens a cell"])
            assert told == pytest.approx(sum(tokens) / len(tokens), abs=0.5)
