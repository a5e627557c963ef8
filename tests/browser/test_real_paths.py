"""The same job in the browser through LangChain and semanticscholar, both real, against loopback
servers.
"""

import re

import pytest

from core.records import Chain, Outcome
from core.store import Store
from core.story import Story
from tests.support.browser import App, browsing, needs_browser, run_of
from tests.support.playing import converging
from tests.support.servers.openai_server import OpenAIServer
from tests.support.servers.scholar_server import ScholarServer

pytestmark = [pytest.mark.browser, needs_browser]
TOPIC = "language model agents that propose research ideas"


def connect(page, app: App) -> None:
    """Use the server that the environment names for everything, by one click on Home."""
    page.goto(app.url)
    page.get_by_role("button", name="Use for everything").click()
    page.get_by_text("Model for everything: openai:test-model").wait_for()


def build(page, app: App) -> str:
    page.goto(f"{app.url}/chains?topic={TOPIC.replace(' ', '+')}")
    source = page.get_by_role("combobox", name="Where to look for papers")
    source.fill("Semantic scholar")
    source.press("Enter")
    page.get_by_text("some 200 million papers").wait_for()
    page.get_by_role("button", name="Build the chain").click()
    return run_of(page)


def test_the_job_runs_through_langchain_and_semantic_scholar_with_text_as_it_is_written(tmp_path):
    data = tmp_path / "data"
    with OpenAIServer(latency=0.1, script=converging) as model, ScholarServer() as scholar:
        app = App(
            data,
            words=True,
            OPENAI_BASE_URL=model.url,
            OPENAI_API_KEY="of-the-environment",
            FOUNDRY_SEMANTIC_SCHOLAR_URL=scholar.url,
            FOUNDRY_SEMANTIC_SCHOLAR_INTERVAL="0",
        ).start()
        try:
            with browsing() as page:
                connect(page, app)
                chain = build(page, app)
                page.get_by_role("link", name="Refine this idea").click(timeout=60_000)
                page.get_by_role("button", name="Refine", exact=True).click()
                # On a busy machine it may be through before it is drawn for the first time.
                begun = re.compile(r"round \d+ of at most \d+, begun|Converged")
                page.get_by_text(begun).first.wait_for()
                refined = run_of(page)
                page.get_by_text("Converged").wait_for(timeout=60_000)
        finally:
            app.kill()
    store = Store(data)
    assert len(Story.of(store, chain).last(Chain).papers) == 5
    assert all(
        paper.source == "semantic-scholar" for paper in Story.of(store, chain).last(Chain).papers
    )
    assert Story.of(store, refined).last(Outcome).round == 5
    assert {
        step.origin.name for step in store.steps.of(refined) if step.origin.kind == "model"
    } == {"openai:test-model"}
    assert all(body.get("stream") for body in model.calls)
