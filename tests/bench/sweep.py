"""The experiment bench: 160 cells over a loopback model of known latency and a limit of 8 calls:
how well the limit is used until the last calls.
"""

import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from core import settings
from core.experiments import SweepInputs
from core.experiments.progress import progress
from core.experiments.targets import freeze
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import Run, Step, Stopping
from core.runs.beginning import begin
from core.runs.planning import validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store
from tests.bench.chain import serving
from tests.support.sweep_kit import target

LATENCY, LIMIT = 0.5, 8
"""Seconds the loopback model takes for an answer, and calls at once."""
MODELS = ("openai:first-model", "openai:second-model")
TARGETS = {"sweep_idle_share": 0.10}
"""The share of the limit that is not used until fewer than 8 calls remain to begin: at most a
tenth.
"""
Calls = Sequence[tuple[float, float]]
"""When each call began and ended, in seconds."""


def sweep_figures(folder: Path, targets: int = 10) -> dict[str, float]:
    """Return the share of the limit that lay idle while a matrix of 4 methods, 2 models, 2
    indicators and 10 targets was filled, two ideas a cell.
    """
    with serving(
        "tests.support.servers.openai_server",
        "--latency",
        str(LATENCY),
        "--script",
        "tests.support.playing:converging",
    ) as url:
        runner = Runner(
            Workshop(
                settings.read({"OPENAI_BASE_URL": url, "FOUNDRY_CALLS": str(LIMIT)}, data=folder)
            )
        )
        for name in MODELS:
            runner.workshop.test_model(name)  # Finds out what the server can do, once.
        run, wall = filled(runner, targets)
    held = calls(runner.store, run)
    used = utilisation(held)
    print(
        f"{targets * 16} cells, {len(held)} calls in {wall:.0f} s: {used:.3f} of {LIMIT} calls at"
        f" once in use until fewer than {LIMIT} remain to begin;"
        f" {len(held) * LATENCY / LIMIT / wall:.3f} counting what the server takes alone, over the"
        " whole"
    )
    return {"sweep_idle_share": 1 - used}


def filled(runner: Runner, targets: int) -> tuple[Run, float]:
    """Fill the matrix and return its run and the wall clock in seconds."""
    inputs = validated(
        SweepInputs,
        topic="bench",
        methods=("initial", "self-reflection", "infal", "no-optimizer"),
        models=MODELS,
        indicators=(NOVELTY, FEASIBILITY),
        targets=freeze(runner.store, [target(n) for n in range(targets)]),
        n=2,
        repeats=2,
        rules=Stopping(max_rounds=2),
        judges=MODELS[:1],
    )
    run = begin(runner, "sweep", inputs, "bench", seed=7)
    began = time.perf_counter()
    state = runner.work(run.id)
    wall = time.perf_counter() - began
    assert state == "done", runner.store.runs.get(run.id).reason
    assert progress(runner.store, run).counts["done"] == 16 * targets
    return run, wall


def calls(store: Store, run: Run) -> Calls:
    """Return when every call of an experiment began and ended, in the order they began."""
    steps = [
        step
        for one in store.runs.listed(sweep=run.id, limit=10_000)
        for step in store.steps.of(one.id)
        if step.calls
    ]
    return sorted(_of(step) for step in steps)


def _of(step: Step) -> tuple[float, float]:
    ended = datetime.fromisoformat(step.ended).timestamp()
    return ended - sum(call.latency for call in step.calls), ended


def utilisation(held: Calls) -> float:
    """Return the sum of call times by the limit times the wall clock, up to the moment when fewer
    calls than the limit remain to begin.
    """
    first, last = held[0][0], held[-LIMIT][0]
    return sum(min(ended, last) - began for began, ended in held if began < last) / (
        LIMIT * (last - first)
    )
