"""A session from its first text to its end, by an organiser in one browser and an expert in
another; every press a double one.
"""

import re

import pytest

from core.store import Store
from tests.support.arena_kit import METHODS, entries
from tests.support.browser import App, browsing, needs_browser, rest

pytestmark = [pytest.mark.browser, needs_browser]
TOPICS = ("sleep", "light")
NAMES = ("Ada", "Grace", "Rosalind")


@pytest.fixture
def app(tmp_path):
    store = Store(tmp_path / "data")
    store.entries.add(tuple((one, one.method) for one in entries(store, METHODS, TOPICS)))
    made = App(tmp_path / "data", words=True).start()
    yield made
    made.kill()


def test_an_organiser_takes_a_session_from_the_first_text_to_its_end(app):
    store = Store(app.data)
    with browsing() as page:
        page.goto(f"{app.url}/sessions?view=new&collection=test")
        page.get_by_label("Name, for you").fill("A pilot")
        page.get_by_label("Name, for you").press("Tab")
        page.get_by_role("button", name="Set up the draft").dblclick()
        page.wait_for_url(re.compile("session="))
        (study,) = store.studies.listed()
        assert study.plan.name == "A pilot"

        page.get_by_role("radio", name="Experts").click()
        page.get_by_role("textbox", name="Names, one a line").fill("\n".join(NAMES))
        page.get_by_role("button", name="Add seats and make links").dblclick()
        page.get_by_text("3 links, shown this once").wait_for()
        assert [one.name for one in store.seats.of(study.id)] == list(NAMES)
        assert "tab=Experts" in page.url
        link = page.locator("code", has_text="annotate?seat=").first.inner_text().strip()

        page.get_by_role("radio", name="Open it").click()
        page.get_by_role("button", name="Open the session").click()
        page.get_by_role("dialog").get_by_role("button", name="Open", exact=True).dblclick()
        page.get_by_text("0 of 18 answers").wait_for()
        assert store.studies.get(study.id).state == "open"

        _an_expert_agrees(link)
        page.get_by_text("1 of 3 experts begun").wait_for()  # The table looks again by itself.
        page.reload()
        page.get_by_text("1 of 3 experts begun").wait_for()
        assert page.get_by_text(METHODS[0], exact=True).count() == 0

        page.get_by_role("button", name="Close the session").click()
        page.get_by_role("button", name="Close it").dblclick()
        page.get_by_role("radio", name="By source").click()
        page.get_by_label("Your name, kept with the act").fill("Ada")
        page.get_by_role("button", name="Reveal sources").dblclick()
        page.get_by_text("Sources were revealed").wait_for()
        rest(page)
        assert page.get_by_test_id("stAlertContentError").count() == 0
        assert [one.what for one in store.studies.events(study.id)].count("unblinded") == 1


def _an_expert_agrees(link: str) -> None:
    """Open a link in a browser of its own and agree."""
    assert link.startswith("http://127.0.0.1")
    with browsing() as expert:
        expert.goto(link)
        expert.get_by_role("button", name="I agree, and take part").click()
        expert.get_by_role("button", name="Go on to a practice unit").wait_for()
