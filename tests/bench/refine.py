"""The refinement bench: ten forced rounds over a loopback model of known latency, as we play them
and as Algorithm 1 is printed.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from core import settings
from core.methods import RefineInputs
from core.methods.presets import NOVELTY
from core.records import Step
from core.runs.planning import played, validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from tests.bench.chain import calls, latency, series, serving
from tests.support.scripted import configured

LATENCY = 0.5
"""Seconds the loopback model takes for an answer."""
ROUNDS = 10
# 0.588 is 1/1.7: at least 1.7 times faster than the printed algorithm.
TARGETS = {
    "refinement_ratio": 1.10,
    "refinement_by_printed": 0.588,
    "refinement_calls_a_round": 3,
    "refinement_series_calls": 2 + 2 * ROUNDS,
}


@dataclass(frozen=True)
class Measured:
    """One refinement: its wall clock in seconds, and its steps."""

    wall: float
    steps: list[Step]

    @property
    def asked(self) -> float:
        """The seconds measured along the longest series of calls."""
        return sum(map(latency, series(self.steps, latency)))

    @property
    def in_series(self) -> int:
        return int(sum(map(calls, series(self.steps, calls))))

    def of_round(self, n: int) -> int:
        """Return how many calls round `n` took."""
        return int(sum(calls(step) for step in self.steps if step.key.startswith(f"round-{n}/")))


def refinement_figures(folder: Path) -> dict[str, float]:
    """Return wall clock by the latencies along the series, and by the printed algorithm's wall
    clock (each the best of three), and what was asked.
    """
    with serving(
        "tests.support.servers.openai_server",
        "--latency",
        str(LATENCY),
        "--script",
        "tests.support.playing:actor",
    ) as url:
        runner = Runner(
            Workshop(settings.read({"OPENAI_BASE_URL": url, "FOUNDRY_CALLS": "16"}, data=folder))
        )
        one_refinement(
            runner, rounds=1
        )  # Imports what is imported late, loads the embedding model, probes the server.
        ours = [one_refinement(runner) for _ in range(3)]
        printed = [one_refinement(runner, printed=True) for _ in range(3)]
    as_meant(ours, printed)
    best, theirs = min(ours, key=lambda one: one.wall / one.asked), min(one.wall for one in printed)
    print(told(best, min(printed, key=lambda one: one.wall)))
    return {
        "refinement_ratio": best.wall / best.asked,
        "refinement_by_printed": min(one.wall for one in ours) / theirs,
        "refinement_calls_a_round": max(best.of_round(n) for n in range(1, ROUNDS + 1)),
        "refinement_series_calls": best.in_series,
    }


def one_refinement(runner: Runner, rounds: int = ROUNDS, printed: bool = False) -> Measured:
    """Refine from a topic alone, without papers, until the limit: every verdict sees an
    improvement.
    """
    play = played("infal", (NOVELTY,), rounds, 1 if printed else 2, printed=printed)
    inputs = validated(RefineInputs, topic="sleep and memory", play=play, k=0)
    run = runner.begin(
        configured(runner, "refine", inputs, models={"main": "openai:test-model"}), "bench"
    )
    began = time.perf_counter()
    state = runner.work(run.id)
    wall = time.perf_counter() - began
    assert state == "done", runner.store.runs.get(run.id).reason
    return Measured(wall, runner.store.steps.of(run.id))


def as_meant(ours: Iterable[Measured], printed: Iterable[Measured]) -> None:
    """Refuse figures of games other than those compared: 3 calls a round and 2 in the last, two in
    series; as printed 4 a round, all in series.
    """
    for one in ours:
        assert [one.of_round(n) for n in range(1, ROUNDS + 1)] == [3] * (ROUNDS - 1) + [2]
        assert one.in_series == 2 + 2 * ROUNDS
    for one in printed:
        assert [one.of_round(n) for n in range(1, ROUNDS + 1)] == [4] * ROUNDS
        assert one.in_series == sum(map(calls, one.steps)) == 2 + 4 * ROUNDS


def told(ours: Measured, printed: Measured) -> str:
    """Return both wall clocks beside what was waited for."""
    return "\n".join(
        f"{name}: {one.in_series} calls in series, {one.asked:.3f} s measured along them; wall"
        f" clock {one.wall:.3f} s"
        for name, one in (("as played here", ours), ("as printed", printed))
    )
