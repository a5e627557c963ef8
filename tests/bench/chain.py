"""The chain bench: three branches of five over loopback servers of known latency, and the longest
series of calls, call by call.

The series is read off the places of the recorded steps: within a lane steps follow one another,
lanes of one fork run side by side.
"""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from core import settings
from core.methods.inputs import ChainInputs
from core.records import Chain, Outcome, Run, Step
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.story import Story
from tests import ROOT
from tests.support.playing import actor
from tests.support.schema_instances import Body, asked_schema
from tests.support.scripted import configured
from tests.support.world import World

MODEL_S, SOURCE_S = 0.5, 0.2
"""Seconds the loopback model and the loopback source take for an answer."""
CALLS = 64
"""Model calls at once: so many that none queues."""
TOPIC = (
    "gene neighbourhood transfer; active-site template matching; contrastive sequence pretraining"
)
"""Three lines of development of the world: one query and one branch each, with two hops each way
and no paper in common.
"""
TARGETS = {
    "chain_cold_ratio": 30.0,
    "chain_ratio": 1.15,
    "chain_series_calls": 14,
    "chain_calls": 61,
}


def player(body: Body) -> dict[str, Any] | str:
    """Answer like `actor`, but search for each side of the topic, and in the novelty check for each
    side of each draft.
    """
    if set((asked_schema(body) or {}).get("properties", {})) != {"queries"}:
        return actor(body)
    task = str(body["messages"][-1]["content"])
    sides = task.partition("<topic>")[2].partition("</topic>")[0].strip().split("; ")
    drafted = re.findall(r"[a-z]{5,}", task.partition("<draft>")[2].partition("</draft>")[0])
    return {
        "queries": (
            [f"{side} {word}" for side, word in zip(sides, drafted[1::5], strict=False)]
            if drafted
            else sides
        )
    }


@contextmanager
def serving(*command: str) -> Iterator[str]:
    """Run a loopback server in a process of its own, and yield the address it prints."""
    server = subprocess.Popen(
        [sys.executable, "-m", *command], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout
        yield server.stdout.readline().strip()
    finally:
        server.kill()
        server.wait()


def latency(step: Step) -> float:
    """Return the seconds of waiting for others in a step: its model calls, or its source; an
    embedding counts apart.
    """
    if step.origin.kind == "model":
        return sum(call.latency for call in step.calls)
    return step.latency if step.origin.kind == "source" else 0.0


def calls(step: Step) -> float:
    """Return how many model calls a step took."""
    return float(len(step.calls)) if step.origin.kind == "model" else 0.0


def series(steps: Sequence[Step], cost: Callable[[Step], float], depth: int = 0) -> list[Step]:
    """Return the costliest of all series of steps that had to wait for one another."""

    def mark(step: Step, n: int) -> str:
        return ".".join(step.place.split(".")[:n])

    found: list[Step] = []
    for _, same in groupby(
        sorted(steps, key=lambda step: step.place), key=lambda step: mark(step, 2 * depth + 1)
    ):
        inside = list(same)
        if len(inside[0].place.split(".")) == 2 * depth + 1:
            found += inside
        else:
            lanes = [
                series(list(lane), cost, depth + 1)
                for _, lane in groupby(inside, key=lambda step: mark(step, 2 * depth + 2))
            ]
            found += max(lanes, key=lambda lane: sum(map(cost, lane)))
    return found


@dataclass(frozen=True)
class Measured:
    """One chain run: its wall clock and its steps."""

    wall: float
    steps: list[Step]

    @property
    def line(self) -> list[Step]:
        return series(self.steps, latency)

    @property
    def ratio(self) -> float:
        return self.wall / sum(map(latency, self.line))

    def figures(self) -> dict[str, float]:
        """Return what the targets are set for."""
        longest = series(self.steps, calls)
        return {
            "chain_ratio": self.ratio,
            "chain_series_calls": sum(map(calls, longest)),
            "chain_calls": sum(map(calls, self.steps)),
        }

    def told(self) -> str:
        """Return the series call by call, and what is left of the wall clock."""
        lines = [
            f"  {n:2} {step.origin.kind:8} {latency(step):6.3f} s  {step.key}"
            for n, step in enumerate(filter(latency, self.line), 1)
        ]
        embedding = [
            sum(step.latency for step in steps if step.origin.kind == "computed")
            for steps in (self.line, self.steps)
        ]
        asked = sum(map(latency, self.line))
        nominal = sum(
            calls(step) * MODEL_S + (SOURCE_S if step.origin.kind == "source" else 0)
            for step in self.line
        )
        waits = [
            sum(step.origin.kind == kind for step in self.steps)
            for kind in ("model", "source", "computed")
        ]
        return "\n".join(
            [
                (
                    f"The longest series of calls (model {MODEL_S} s, source {SOURCE_S} s, limiter"
                    f" off, up to {CALLS} model calls at once):"
                ),
                *lines,
                (
                    f"  {asked:.3f} s measured along the series ({nominal:.1f} s by the servers'"
                    f" own latencies); wall clock {self.wall:.3f} s; embedding, vectors cached:"
                    f" {embedding[0]:.3f} s along the series, {embedding[1]:.3f} s in all"
                ),
                (
                    f"  {waits[0]} model steps, {waits[1]} source steps, {waits[2]} embedding steps"
                    " in all"
                ),
            ]
        )


def chain_figures(folder: Path) -> dict[str, float]:
    """Return wall clock by the latencies along the longest series (best of three), model calls in
    series, model calls in all.
    """
    graph = folder / "graph.json"
    graph.write_text(json.dumps({"papers": World.make().papers}))
    model = (
        "tests.support.servers.openai_server",
        "--latency",
        str(MODEL_S),
        "--script",
        "tests.bench.chain:player",
    )
    with (
        serving(*model) as openai,
        serving(
            "tests.support.servers.scholar_server",
            "--latency",
            str(SOURCE_S),
            "--graph",
            str(graph),
        ) as scholar,
    ):
        environment = {
            "OPENAI_BASE_URL": openai,
            "FOUNDRY_CALLS": str(CALLS),
            "FOUNDRY_SEMANTIC_SCHOLAR_URL": scholar,
            "FOUNDRY_SEMANTIC_SCHOLAR_INTERVAL": "0",
        }
        runner = Runner(Workshop(settings.read(environment, data=folder)))
        one_chain(
            runner, TOPIC, seed=1
        )  # Computes the vectors, imports what is imported late, probes the server.
        best = min(
            (one_chain(runner, TOPIC, seed) for seed in (2, 3, 4)), key=lambda one: one.ratio
        )
    print(best.told())
    return best.figures()


def one_chain(runner: Runner, topic: str, seed: int) -> Measured:
    """Work one chain to its end, every literature call anew, and check that it is the run the
    figures are meant for.
    """
    runner.store.connections.write("DELETE FROM source_cache")
    inputs = ChainInputs(
        topic=topic, branches=3, length=5, milestone=1_000_000, novelty_rounds=1, refinements=1
    )
    models = dict.fromkeys(("main", "cheap"), "openai:test-model")
    run = runner.begin(
        configured(runner, "chain", inputs, models=models, source="semantic-scholar", seed=seed),
        "bench",
    )
    began = time.perf_counter()
    state = runner.work(run.id)
    wall = time.perf_counter() - began
    assert state == "done", runner.store.runs.get(run.id).reason
    as_meant(runner, run)
    return Measured(wall, list(runner.store.steps.of(run.id)))


def as_meant(runner: Runner, run: Run) -> None:
    """Refuse a run with other than three chains of five, two hops each way, its first candidates
    taken, one novelty round, branches that never met.
    """
    story = Story.of(runner.store, run.id)
    hops = [[link.hop for link in chain.links] for chain in story.all(Chain)]
    assert hops == [["backward", "backward", "anchor", "forward", "forward"]] * 3, hops
    keys = [step.key for step in runner.store.steps.of(run.id)]
    assert not [
        key
        for key in keys
        if "candidate-2" in key or "anchor-2" in key or "idea-2" in key or "again" in key
    ], keys
    assert story.last(Outcome)


def cold_hop(folder: Path) -> dict[str, float]:
    """Return the seconds of one branch from an anchor that 1,000 papers cite, no vector cached, as
    often as the same takes with all vectors there.
    """
    from core.literature.embeddings import Embedder
    from core.store import Store
    from tests.support.hop_kit import Hops, graph
    from tests.support.servers.scholar_server import ScholarServer

    embedder = Embedder(Store(folder / "vectors").library)
    embedder.load()
    took: list[float] = []
    # As long as abstracts usually are: some 200 words.
    papers = [
        paper
        | {
            "abstract": " ".join(
                [str(paper["abstract"])] * (200 // len(str(paper["abstract"]).split()) + 1)
            )
        }
        for paper in graph(1_000)
    ]
    with ScholarServer(papers) as server:
        for n in (1, 2):
            began = time.perf_counter()
            Hops(folder / str(n), server, embedder=embedder, branches=1, length=3)
            took.append(time.perf_counter() - began)
    print(
        "One branch of three papers, its anchor cited by 1,000 papers, models and sources without"
        f" delay: {took[0]:.1f} s cold, {took[1]:.1f} s with the vectors kept"
    )
    return {"chain_cold_ratio": took[0] / took[1]}
