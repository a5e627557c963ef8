"""A policy that was trained here, on screen: it evolves an idea and answers a keyword from real
weights, says whence it comes, and is refused once one of its files has changed.
"""

import pytest

from core.store import Store
from tests.browser.test_benchmark import choose
from tests.cli.test_evolve import evolver
from tests.support.benchmark import bench_kit
from tests.support.browser import App, browsing, needs_browser, rest, run_of
from tests.support.servers.openai_server import OpenAIServer
from tests.support.training.taught_policy import in_use

pytestmark = [pytest.mark.browser, needs_browser]
ORIGIN = "trained here from tiny-qwen3 in run training-1, step 20"


def judge(body):
    """Judge ideas of a benchmark, and everything else by the checklist."""
    about = str(body["messages"][0]["content"])
    bench = about.startswith(("You review scientific ideas", "You compare scientific ideas"))
    return bench_kit.script(body) if bench else evolver(body)


def test_a_trained_policy_answers_says_whence_it_comes_and_is_refused_once_changed(tmp_path):
    data = tmp_path / "data"
    in_use(data)
    store = Store(data)
    store.places.choose("model-main", "openai:judge")
    with OpenAIServer(script=judge, models=["judge"]) as server:
        app = App(data, words=True, OPENAI_BASE_URL=server.url, OMP_NUM_THREADS="1").start()
        try:
            with browsing() as page:
                _evolve(page, app)
                _answer_a_keyword(page, app)
                changed = data / "policies" / "tiny" / "generation_config.json"
                changed.write_text(f"{changed.read_text()} ")
                page.goto(f"{app.url}/checklist")
                _ask(page)
                page.get_by_text("The files of local:tiny have changed").first.wait_for()
                page.get_by_text("to use again, or choose another model").first.wait_for()
                assert page.get_by_test_id("stException").count() == 0
        finally:
            app.kill()
    assert len(store.runs.listed()) == 2


def _evolve(page, app: App) -> None:
    page.goto(f"{app.url}/checklist")
    _ask(page)
    run_of(page)
    page.get_by_text("Naps gate replay").first.wait_for(timeout=180_000)
    page.get_by_text(f"local:tiny: {ORIGIN}").wait_for()
    page.get_by_text("Finished").first.wait_for()


def _ask(page) -> None:
    """Ask for an idea by the policy, with the fields left as they are but for these."""
    page.get_by_label("Topic, or research question").fill("How can replay be gated?")
    page.get_by_text("This is the research question itself").click()
    page.get_by_text("None: only what the model knows").first.click()
    rest(page)
    page.get_by_text("Models and limits").click()
    rest(page, 800)  # A list that is unfolded while the page moves closes again.
    field = page.get_by_role("combobox", name="Generator model")
    field.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    field.press_sequentially("local")
    page.get_by_role("option", name=f"local:tiny ({ORIGIN})").click()
    rest(page)
    page.get_by_role("button", name="Evolve", exact=True).click()


def _answer_a_keyword(page, app: App) -> None:
    page.goto(f"{app.url}/benchmark?section=keyword&keyword=erosion")
    page.get_by_text(f"local:tiny ({ORIGIN})").first.wait_for()
    # The built-in model would compare by meaning, and words stand for that here.
    choose(page, "brainstorm-models", ("local:tiny",))
    page.get_by_role("button", name="Ask them").click()
    run_of(page)
    page.get_by_text("Naps gate replay").first.wait_for(timeout=180_000)
    page.get_by_text(f"local:tiny: {ORIGIN}").wait_for()
    page.get_by_text("Finished").first.wait_for()
