"""Caps and stops of an experiment hold for all of its runs."""

import threading
import time
from collections import Counter

import pytest

from core.experiments.progress import progress
from core.records import Stopping
from tests.support.scripted import refine_script, resumed
from tests.support.sweep_kit import asked_for, experiment, runner_of
from tests.support.waiting import SOON


def test_the_cap_of_a_sweep_holds_over_all_its_runs_together_and_raising_it_goes_on(tmp_path):
    runner, models = runner_of(tmp_path)
    run = experiment(runner, cap_tokens=7_000)
    assert runner.work(run.id) == "capped"
    held = runner.store.runs.get(run.id)
    assert "the cap of the whole experiment of 7,000 tokens" in held.reason
    spent = runner.store.runs.spent(run.id)
    assert 0 < spent["calls"] < 30
    assert {one.state for one in runner.store.runs.listed(sweep=run.id)} <= {"capped", "done"}
    assert progress(runner.store, run).counts["running"] == 0
    runner.store.runs.change(run.id, cap_tokens=1_000_000)
    assert resumed(runner, run.id) == "done"
    assert progress(runner.store, run).counts["done"] == 2
    asked_once = Counter(
        (request.prompt, request.text, request.seed)
        for model in models.values()
        for request in model.requests
    )
    assert set(asked_once.values()) == {1}, "nothing was asked twice"


def test_the_months_cap_holds_for_a_sweeps_runs(tmp_path, monkeypatch):
    monkeypatch.setattr("core.models.prices.estimate", lambda *_: 0.5)
    monkeypatch.setattr("core.models.prices.price", lambda *_: 0.5)
    monkeypatch.setattr("core.models.asking.price", lambda *_: 0.5)
    runner, models = runner_of(tmp_path)
    runner.store.places.choose("month-cap-usd", "4.00")
    run = experiment(runner)
    assert runner.work(run.id) == "capped"
    assert "this month's cap" in runner.store.runs.get(run.id).reason
    assert asked_for(models).total() <= 8


@pytest.mark.parametrize(
    ("when", "reason"), [("now", "Stopped as asked."), ("after calls", "Paused as asked")]
)
def test_stopping_a_sweep_stops_its_runs_within_a_second_and_it_goes_on_from_there(
    tmp_path, when, reason
):
    plain, reached = refine_script((True, False))["review"], threading.Event()

    def slow(request):
        reached.set()
        time.sleep(1.0)
        return plain(request)

    runner, models = runner_of(
        tmp_path, {"review": slow, "verdict": lambda _: {"improved": True, "reason": "Better."}}
    )
    run = experiment(runner, rules=Stopping(max_rounds=20, patience=1))
    runner.start(run.id)
    assert reached.wait(10)
    began = time.monotonic()
    runner.stop(run.id, when)
    runner.wait(run.id, 60)
    assert time.monotonic() - began < SOON, "twenty rounds take twenty seconds"
    held = runner.store.runs.get(run.id)
    assert (held.state, reason in held.reason) == ("stopped", True), held.reason
    assert {
        one.state
        for one in runner.store.runs.listed(sweep=run.id)
        if not one.cell.startswith("initial/")
    } == {"stopped"}
    for model in models.values():
        model.script["review"] = plain
    assert resumed(runner, run.id) == "done"
    asked_once = Counter(
        (request.prompt, request.text, request.seed)
        for model in models.values()
        for request in model.requests
    )
    assert {text for text, n in asked_once.items() if n > 1} == set() or when == "now", (
        "only what was in flight is asked again"
    )


# -- what is refused, and targets --------------------------------------------------------------
