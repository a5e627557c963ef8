"""A person's benchmark in a real browser: begun from the page, paused, left, taken up again from
another browser, read, and taken along.
"""

import io
import threading
import zipfile

import pytest

from components.runs.states import active
from components.shell.address import LATE
from core.store import Store
from tests.support.benchmark.bench_kit import script
from tests.support.browser import App, browsing, needs_browser, rest, run_of
from tests.support.servers.openai_server import OpenAIServer
from tests.support.waiting import until

pytestmark = [pytest.mark.browser, needs_browser]
WRITERS, JUDGES = ("openai:a", "openai:b"), ("openai:c", "openai:d", "openai:e")
CALLS = 10 * 2 * (2 * (1 + 3) + 1)
AT_ONCE = 4


def choose(page, name: str, models: tuple[str, ...]) -> None:
    """Take what is chosen out of a field of models and type these."""
    field = page.locator(f'[class*="st-key-bench"][class*="{name}"]').first
    rest(page, 500)  # What was typed before may not have reached the server yet.
    while field.get_by_label("Remove").count():
        field.get_by_label("Remove").first.click()
        rest(page, 500)
    for model in models:
        field.locator("input").fill(model)
        page.get_by_role("option", name=model).first.wait_for()
        field.locator("input").press("Enter")
        rest(page)
    page.keyboard.press("Escape")


def test_a_benchmark_is_begun_paused_left_resumed_and_taken_along(tmp_path):
    pressed = threading.Event()

    def paced(body):
        # It is not over before it is paused, however late that is.
        assert len(model.calls) < CALLS // 3 or pressed.wait(120)
        return script(body)

    with OpenAIServer(
        script=paced, latency=0.1, models=[name.partition(":")[2] for name in (*WRITERS, *JUDGES)]
    ) as model:
        app = App(tmp_path / "data", words=True, OPENAI_BASE_URL=model.url).start()
        try:
            with browsing() as page:
                _begin(page, app)
                run, store = run_of(page), Store(tmp_path / "data")
                until(lambda: _done(store, run))
                page.get_by_role("button", name="Pause").click()
                # It may have come to rest before anybody looked.
                until(lambda: store.runs.lease(run)["asked_to"] or not active(store.runs.get(run)))
                pressed.set()
                page.get_by_text("Paused as asked").wait_for()
            paid, done = len(model.calls), _done(store, run)
            assert 0 < done == paid < CALLS
            with browsing() as page:
                page.goto(f"{app.url}/benchmark")
                page.get_by_role("link", name="Ten keywords").click()
                page.get_by_text(f"{CALLS - done} answers left").wait_for()
                assert len(model.calls) == paid
                page.get_by_role("button", name="Resume").click()
                page.get_by_text("Nothing is left to ask.").wait_for()
                assert len(model.calls) == CALLS == _done(store, run)
                # The server counts a call until its thread goes on, when the next one may have
                # begun.
                assert AT_ONCE <= model.most_in_flight <= AT_ONCE + 2
                _read(page, tmp_path)
                _take_along(page, store, run)
                assert page.get_by_test_id("stException").count() == 0
        finally:
            app.kill()


def _done(store: Store, run: str) -> int:
    return sum(
        n for (_, _, state), n in store.benchmarks.sums.tally(run).items() if state == "done"
    )


def _begin(page, app: App) -> None:
    page.goto(f"{app.url}/benchmark")
    page.get_by_role("tab", name="New benchmark").click()
    page.get_by_role("button", name="Start the benchmark").wait_for()
    rest(page)
    page.get_by_label("Name", exact=True).fill("Ten keywords")
    page.keyboard.press("Enter")
    rest(page)
    choose(page, "models", WRITERS)
    choose(page, "judges", JUDGES)
    page.get_by_text("Calls at once", exact=True).click()
    page.get_by_label("At once to openai").fill(str(AT_ONCE))
    page.keyboard.press("Enter")
    page.get_by_text(f"{AT_ONCE} calls at once for openai").wait_for()
    page.get_by_text(f"{CALLS} calls", exact=True).wait_for()
    page.get_by_role("button", name="Start the benchmark").dblclick()
    page.get_by_role("button", name="Pause").wait_for()


def _read(page, folder) -> None:
    """Look at the results and take the figure along that stands first."""
    page.get_by_role("tab", name="Results").click()
    page.get_by_role("heading", name="Average of each model").wait_for()
    rest(page)
    assert "view=results" in page.url
    chart = page.locator(".js-plotly-plot").first
    chart.hover()
    with page.expect_download() as waiting:
        chart.locator('[data-title^="Download plot"]').click()
    figure = folder / "figure.svg"
    waiting.value.save_as(figure)
    drawn = figure.read_text()
    assert drawn.startswith("<svg")
    assert all(f">{name.partition(':')[2]}<" in drawn for name in WRITERS)
    page.wait_for_timeout(1_000 * LATE)
    page.go_back()
    page.get_by_role("tab", name="Progress", selected=True).wait_for()
    rest(page)
    assert "view=" not in page.url, "the page went somewhere else by itself"
    page.wait_for_timeout(1_000 * LATE)
    page.go_forward()
    page.get_by_role("tab", name="Results", selected=True).wait_for()
    rest(page)


def _take_along(page, store: Store, run: str) -> None:
    page.get_by_role("tab", name="Export").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Report, tables and figures (zip)").click()
    with zipfile.ZipFile(io.BytesIO(waiting.value.path().read_bytes())) as held:
        names, report = held.namelist(), held.read("report.md").decode()
    assert {"report.md", "report.html", "config.json", "figures.html"} <= set(names)
    assert "Ten keywords" in report
    assert all(name in report for name in WRITERS)
    assert len(store.runs.listed(method="bench")) == 1
