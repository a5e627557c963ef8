"""The shortlist bench: three branches of two ideas, everything else as it is by default, over
loopback servers of known latency: wall clock by the longest series of calls through all its runs,
and when the first idea stood on a card.
"""

import json
import threading
import time
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from core import settings
from core.methods.inputs import ShortlistInputs
from core.methods.shortlist.so_far import present
from core.records import STAGES, Run, Step
from core.runs.beginning import begin
from core.runs.planning import validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store
from tests.bench.chain import MODEL_S, SOURCE_S, TOPIC, calls, latency, series, serving
from tests.bench.chain import player as chain_player
from tests.support.schema_instances import Body, asked_schema
from tests.support.world import World

CALLS = 256
"""Model calls at once: so many that none queues."""
TARGETS = {"shortlist_ratio": 1.15, "shortlist_first_card_share": 0.5}


def player(body: Body) -> dict[str, Any] | str:
    """Answer like the chain bench's, and find no two ideas to be one, so that all six go on."""
    reply = chain_player(body)
    if "same" in set((asked_schema(body) or {}).get("properties", {})):
        assert isinstance(reply, dict)
        return reply | {"same": False}
    return reply


class Measured(NamedTuple):
    """One shortlist: its wall clock, and its longest series stage by stage."""

    wall: float
    first: float
    """Seconds after which the first card was there."""
    series: dict[str, float]
    """Seconds of waiting for others along the longest series, by stage."""
    calls: int
    in_series: int
    waits: dict[str, float]
    """Seconds between the first and the last step of each stage."""

    @property
    def ratio(self) -> float:
        return self.wall / sum(self.series.values())

    def told(self) -> str:
        stages = "\n".join(
            f"  {stage:10} {self.series.get(stage, 0):6.2f} s in series,"
            f" {self.waits.get(stage, 0):6.2f} s it took"
            for stage in STAGES
        )
        return (
            f"The longest series of a shortlist of 3 x 2 ideas (model {MODEL_S} s, source"
            f" {SOURCE_S} s, limiter off, up to {CALLS} model calls at once: no wave is forced):\n"
            f"{stages}\n  {sum(self.series.values()):.2f} s in series"
            f" ({self.in_series} model calls of {self.calls}), wall clock {self.wall:.2f} s:"
            f" {self.ratio:.3f}"
        )


def shortlist_figures(folder: Path) -> dict[str, float]:
    """Return wall clock by the latencies along the longest series (best of two), and the share of
    the time after which the first card was there.
    """
    graph = folder / "graph.json"
    graph.write_text(json.dumps({"papers": World.make().papers}))
    model = ("tests.support.servers.openai_server", "--latency", str(MODEL_S))
    source = ("--latency", str(SOURCE_S), "--graph", str(graph))
    with (
        serving(*model, "--script", "tests.bench.shortlist:player") as openai,
        serving("tests.support.servers.scholar_server", *source) as scholar,
    ):
        environment = {
            "OPENAI_BASE_URL": openai,
            "FOUNDRY_CALLS": str(CALLS),
            "FOUNDRY_SEMANTIC_SCHOLAR_URL": scholar,
            "FOUNDRY_SEMANTIC_SCHOLAR_INTERVAL": "0",
        }
        runner = Runner(Workshop(settings.read(environment, data=folder)))
        one_shortlist(runner)  # Computes the vectors, imports late, probes the server.
        best = min((one_shortlist(runner) for _ in range(2)), key=lambda one: one.ratio)
    print(best.told())
    share = best.first / best.wall
    print(f"  the first card with a whole idea after {best.first:.2f} s, {share:.2f} of the time")
    return {"shortlist_ratio": best.ratio, "shortlist_first_card_share": share}


def first_card(store: Store, run: Run, over: threading.Event) -> float:
    """Look every quarter of a second, and return after how long a whole idea stood on a card."""
    began = time.perf_counter()
    while not over.wait(0.25):
        if present(store, store.runs.get(run.id)).cards:
            break
    return time.perf_counter() - began


def one_shortlist(runner: Runner) -> Measured:
    """Work one shortlist to its end, every literature call anew, while somebody looks at it, and
    refuse one in which an idea was lost.
    """
    store = runner.store
    store.connections.write("DELETE FROM source_cache")
    inputs = validated(ShortlistInputs, topic=TOPIC, dated="2026-11-25")
    models = {"main": "openai:test-model", "cheap": "openai:test-model"}
    run = begin(
        runner, "shortlist", inputs, "bench", models=models, source="semantic-scholar", seed=7
    )
    seen: list[float] = []
    over = threading.Event()
    looking = threading.Thread(target=lambda: seen.append(first_card(store, run, over)))
    looking.start()
    began = time.perf_counter()
    state = runner.work(run.id)
    wall = time.perf_counter() - began
    over.set()
    looking.join()
    assert state == "done", store.runs.get(run.id).reason
    now = present(store, store.runs.get(run.id))
    assert len(now.rated.order if now.rated else ()) == 6, [one.aside for one in now.ideas]
    assert not any(one.lost for one in now.stages), [one.lost for one in now.stages]
    return measured(store, run, wall, seen[0])


def measured(store: Store, run: Run, wall: float, first: float) -> Measured:
    """Return what a shortlist took: a step that is a run counts as the longest series in it."""

    @cache
    def inside(run_id: str) -> tuple[float, int]:
        steps = list(store.steps.of(run_id))
        return (
            sum(map(latency, series(steps, latency))),
            int(sum(map(calls, series(steps, calls)))),
        )

    def made(step: Step) -> str | None:
        return step.origin.detail.get("run") if step.origin.name == "run" else None

    def cost(step: Step) -> float:
        child = made(step)
        return inside(child)[0] if child else latency(step)

    def asked(step: Step) -> float:
        child = made(step)
        return inside(child)[1] if child else calls(step)

    own = list(store.steps.of(run.id))
    line = series(own, cost)
    by_stage = dict.fromkeys(STAGES, 0.0)
    for step in line:
        by_stage[step.key.partition("/")[0]] += cost(step)  # type: ignore[index]
    whole = store.runs.with_runs_made(store.runs.get(run.id))
    return Measured(
        wall=wall,
        first=first,
        series={str(stage): seconds for stage, seconds in by_stage.items()},
        calls=whole.calls,
        in_series=int(sum(map(asked, series(own, asked)))),
        waits=stage_times(own),
    )


def stage_times(steps: list[Step]) -> dict[str, float]:
    """Return the seconds between the first and the last moment of each stage."""
    found = {}
    for stage in STAGES:
        mine = [step for step in steps if step.key.startswith(f"{stage}/")]
        begun = [datetime.fromisoformat(step.asked) for step in mine]
        ended = [datetime.fromisoformat(step.ended) for step in mine]
        if mine:
            found[str(stage)] = (max(ended) - min(begun)).total_seconds()
    return found
