"""Fifty published papers in a real browser: by keyboard alone a person goes through their topics,
and the list is frozen.
"""

import pytest

from core.records import TopicList
from core.runs.workshop import Workshop
from core.story import Story
from tests.support.browser import App, browsing, needs_browser, rest
from tests.support.real_papers_kit import gathered, topic

pytestmark = [pytest.mark.browser, needs_browser]
HERE = "() => document.activeElement.getAttribute('aria-label')"
WORDED = "what too little sleep does to learning"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """The app over a run whose topics wait to be confirmed."""
    data = tmp_path_factory.mktemp("papers") / "data"
    runner, run = gathered(data)
    runner.workshop.named["builtin"] = Workshop.builtin(runner.workshop)
    app = App(data, words=True).start()
    yield app, runner, run.id
    app.kill()


def test_38_topics_are_confirmed_in_one_sitting_by_keyboard(place):
    app, runner, run = place
    with browsing() as page:
        page.goto(f"{app.url}/experiments?run={run}")
        page.get_by_text("12 papers cannot be used").wait_for()
        page.get_by_role("button", name="Confirm 38 topics of 38").wait_for()
        # What draws a kind of box is fetched as the first of it comes, after the page rests.
        page.get_by_label("A study of naps number 0").wait_for()
        page.get_by_label("Topic of paper 1", exact=True).wait_for()
        rest(page, 400)
        keys = page.keyboard
        page.get_by_role("button", name="Leave all out").focus()
        keys.press("Tab")
        assert page.evaluate(HERE) == "A study of naps number 0"
        # The first is worded otherwise, the third left out.
        keys.press("ArrowRight")
        keys.press("ControlOrMeta+a")
        keys.type(WORDED)
        keys.press("ArrowDown")
        assert page.evaluate(HERE) == "Topic of paper 2"
        rest(page, 300)
        keys.press("Home")
        keys.press("ArrowLeft")
        keys.press("ArrowDown")
        assert page.evaluate(HERE) == "A study of naps number 2"
        page.get_by_text("On naps, part 2, and what became of them.").wait_for()
        keys.press("Space")
        page.get_by_role("button", name="Confirm 37 topics of 38").wait_for()
        for _ in range(60):
            keys.press("ArrowDown")
        assert page.evaluate(HERE) == "A study of naps number 49", "the last row is the end"
        page.reload()
        page.get_by_role("button", name="Confirm 37 topics of 38").wait_for()
        rest(page, 400)
        page.get_by_label("A study of naps number 49").focus()
        keys.press("Control+Enter")
        page.get_by_role("button", name="Confirm 37 topics of 38").wait_for(state="detached")
        page.get_by_text("There is no model 'scripted:one'").wait_for()
        assert page.get_by_test_id("stException").count() == 0
    # The server does not know the model of this test, so the run goes on here.
    runner.store.runs.enqueue(run, "me|1|1")
    assert runner.work(run) == "done"
    held = Story.of(runner.store, run).last(TopicList)
    topics = [one.topic for one in held.topics]
    assert len(topics) == 37
    assert topics[:2] == [WORDED, topic(1)]
    assert topic(2) not in topics
