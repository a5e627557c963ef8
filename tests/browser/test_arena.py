"""Two people at one refinement, in two browsers: what one does the other sees, and neither a reload
nor the end of the server loses anything.
"""

import re
import threading
import time

import pytest
from playwright.sync_api import expect

from core import settings
from core.methods import RefineInputs
from core.methods.presets import NOVELTY
from core.records import Run
from core.runs.planning import played, validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.story import Story
from tests.support.browser import App, browsing, needs_browser, rest
from tests.support.playing import actor
from tests.support.schema_instances import asked_schema
from tests.support.scripted import FIRST, die
from tests.support.servers.openai_server import OpenAIServer

pytestmark = [pytest.mark.browser, needs_browser]
ROUNDS = 4
WRITTEN = re.compile(r"Round \d+ is being written")
REMARK = "Measure it with <i>wearables</i> that schools own."


class Pace:
    """A willing model whose every review has two remarks, and who revises when the test lets it:
    the screen waits in the middle of a round.
    """

    def __init__(self) -> None:
        self._free = threading.Semaphore(0)

    def let(self, revisions: int) -> None:
        for _ in range(revisions):
            self._free.release()

    def __call__(self, body):
        if "expected_impact" in asked_schema(body)["properties"]:
            assert self._free.acquire(timeout=60)
        return reviewing(body)


def reviewing(body):
    made = actor(body)
    assert isinstance(made, dict)
    remarks = [
        {"id": name, "text": f"{text}: {made.get('summary')}", "trait": ""}
        for name, text in (("r1", "Too broad"), ("r2", "Nothing would refute it"))
    ]
    return made | {"remarks": remarks} if "remarks" in made else made


def left_behind(data, url: str) -> tuple[Runner, Run]:
    """Return a refinement that a killed process left behind before its first call."""
    runner = Runner(Workshop(settings.read({"OPENAI_BASE_URL": url}, data=data)))
    inputs = validated(
        RefineInputs,
        topic="sleep of adolescent athletes",
        play=played("infal", (NOVELTY,), ROUNDS, 2),
        idea=FIRST,
        k=0,
    )
    run = runner.begin(
        runner.workshop.config(
            "refine",
            inputs,
            models=dict.fromkeys(("main", "cheap"), "openai:test-model"),
            source="shelf",
        ),
        "Naps",
    )
    die(runner, run.id)
    return runner, run


def stopped(runner: Runner, run: Run) -> int:
    """Wait until the run was stopped and return how many rounds it has."""
    for _ in range(800):
        if runner.store.runs.get(run.id).state == "stopped":
            return Story.of(runner.store, run.id).lines[0].newest
        time.sleep(0.05)
    raise AssertionError(runner.store.runs.get(run.id))


def test_two_browsers_watch_one_run_that_outlives_reload_and_restart(tmp_path):
    pace = Pace()
    with OpenAIServer(script=pace) as model, browsing() as ada, browsing() as bea:
        runner, run = left_behind(tmp_path / "data", model.url)
        app = App(
            tmp_path / "data", words=True, OPENAI_BASE_URL=model.url, FOUNDRY_RESUME="0"
        ).start()
        try:
            for page in (ada, bea):
                page.goto(f"{app.url}/refine?run={run.id}")
                page.get_by_role("button", name="Resume").wait_for()
            ada.get_by_role("button", name="Resume").click()
            ada.get_by_text(WRITTEN).wait_for()
            ada.get_by_role("button", name="Stop before the next revision").click()
            ada.get_by_role("button", name="Stops before the next revision").wait_for()
            ada.wait_for_timeout(1200)  # The runner looks twice a second what is asked of it.
            # What is half typed outlives that the run stops under it.
            remark = ada.get_by_label("A remark of yours, for the next revision")
            remark.press_sequentially(REMARK)
            pace.let(1)
            n = stopped(runner, run)

            # Ada files a remark and Bea declines one; each sees what the other did, without a
            # reload.
            ada.get_by_role("button", name="Resume").wait_for()
            rest(ada, 1_500)
            expect(remark).to_have_value(REMARK)
            ada.get_by_label("Your name").last.fill("Ada")
            ada.get_by_role("button", name="Submit").click()
            bea.get_by_text(re.compile(f"Waits for round {n + 1}")).wait_for()
            expect(bea.get_by_text(REMARK)).to_have_count(1)
            bea.get_by_role("button", name="Decline").first.click()
            ada.get_by_text("remark r1 declined").wait_for()
            ada.get_by_role("button", name="Resume").click()
            bea.get_by_text(WRITTEN).wait_for()

            # A reload in the middle of the round, then the end of the server in the middle of the
            # next.
            bea.reload()
            bea.get_by_text(f"Round {n + 1} is being written").wait_for()
            pace.let(1)
            bea.get_by_text(f"Round {n + 2} is being written").wait_for()
            app.kill()
            before = Story.of(runner.store, run.id).lines[0].rounds
            taken = runner.store.steps.get(run.id, f"round-{n + 1}/wishes")
            runner.store.answers.wish(
                run.id,
                before[n]
                .wishes[0]
                .model_copy(update={"text": "Filed while the server was down.", "id": ""}),
            )
            del app.environ["FOUNDRY_RESUME"]  # From here on a server goes on with what it finds.
            pace.let(2 * ROUNDS)
            app.start()
            for page in (ada, bea):
                page.get_by_text(f"Stopped at the limit of {ROUNDS} rounds").wait_for()
            bea.goto(f"{app.url}/refine?run={run.id}&round={n + 1}")
            bea.get_by_text("declined by a person at this screen").wait_for()
            expect(bea.get_by_text(REMARK)).to_have_count(1)
        finally:
            app.kill()
    after = Story.of(runner.store, run.id).lines[0].rounds
    # What was in flight when the server was killed (a verdict and the next review at most) is asked
    # again, and nothing else is.
    answered = sum(step.origin.kind == "model" for step in runner.store.steps.of(run.id))
    assert answered <= len(model.calls) <= answered + 2
    assert len(before) >= n + 1
    assert after[: len(before)] == before
    assert runner.store.steps.get(run.id, f"round-{n + 1}/wishes") == taken
    assert [(one.n, wish.by) for one in after for wish in one.wishes if wish.text == REMARK] == [
        (n + 1, "Ada")
    ]
    assert [one.n for one in after if one.declined] == [n + 1]
    asked = {
        step.key: str(step.request["text"])
        for step in runner.store.steps.of(run.id)
        if step.key.endswith("/revise")
    }
    assert [key for key, text in asked.items() if "wearables" in text] == [f"round-{n + 1}/revise"]
    assert "Too broad" not in asked[f"round-{n + 1}/revise"]
    late = [one.n for one in after for wish in one.wishes if wish.text.startswith("Filed while")]
    assert len(late) + len(runner.store.answers.pending(run.id)) == 1
    assert all(one > len(before) for one in late)
