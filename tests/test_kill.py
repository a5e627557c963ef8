"""A process killed at any moment loses nothing that was paid: resumed, the run ends as if it had
never been disturbed.
"""

import json
import os
import random
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from core import settings
from core.__main__ import main
from core.records import Run
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store
from tests.conftest import WordEmbedder
from tests.support.forks import Command
from tests.support.killing import is_quiet
from tests.support.playing import actor
from tests.support.servers.openai_server import OpenAIServer
from tests.support.waiting import until

WIDTH = 2
"""How many model calls a refinement has under way at once at the most: a verdict and the next
review.
"""


@dataclass
class Victim:
    """One run in a data folder of its own, worked on by processes that get killed."""

    folder: Path
    server: OpenAIServer
    rounds: int
    keys: list[str] = field(default_factory=list)
    in_flight: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.store = Store(self.folder)

    @property
    def run(self) -> Run:
        return self.store.runs.listed()[0]

    def spawn(self) -> Command:
        """Start the run, or resume it, in a process of its own."""
        begun = self.store.runs.listed()
        words = ["resume", begun[0].id, "--json"] if begun else self.beginning
        return Command(words, {**os.environ, **self.environment})

    @property
    def beginning(self) -> list[str]:
        """The words that begin the run."""
        return [
            "refine",
            "--topic",
            "sleep and memory",
            "--max-rounds",
            str(self.rounds),
            "--seed",
            "7",
            "--model",
            "openai:test-model",
            "--cheap-model",
            "openai:test-model",
            "--json",
        ]

    @property
    def environment(self) -> dict[str, str]:
        """Where its model and its data are."""
        return {"OPENAI_BASE_URL": self.server.url, "FOUNDRY_DATA": str(self.folder)}

    def asked(self) -> int:
        """Return how many of the run's steps asked the model."""
        return sum(step.kind == "model" for step in self.store.steps.outline(self.run.id))

    def kill(self, child: Command, after: int, later: float) -> None:
        """Kill the process once the run has `after` more steps, and so many seconds later; note
        what was under way.
        """
        begun = self.store.runs.listed()
        goal, deadline = (begun[0].steps if begun else 0) + after, time.monotonic() + 30
        while time.monotonic() < deadline and child.poll() is None:
            begun = self.store.runs.listed()
            if begun and begun[0].steps >= goal:
                break
            time.sleep(0.005)
        time.sleep(later)
        child.send_signal(signal.SIGSTOP)
        # What was sent is heard late on a busy machine.
        until(lambda: is_quiet(self.server))
        self.in_flight.append(len(self.server.calls) - self.asked() - sum(self.in_flight))
        stored = {step.key for step in self.store.steps.outline(self.run.id)}
        self.keys.append(
            next(
                (
                    one.key
                    for one in self.store.steps.partials(self.run.id)
                    if one.key not in stored
                ),
                f"after {len(stored)} steps",
            )
        )
        child.kill()
        child.communicate()


def undisturbed(folder: Path, server: OpenAIServer, rounds: int) -> tuple[Store, Run]:
    """Work a run of the same configuration to its end in this process."""
    victim = Victim(folder, server, rounds)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.literature.embeddings.Embedder", lambda _: WordEmbedder())
        for name, value in victim.environment.items():
            patch.setenv(name, value)
        assert main(victim.beginning) == 0
    return victim.store, victim.run


def recovered(folder: Path, server: OpenAIServer) -> None:
    """Start as a server does, and wait until what was interrupted has gone on by itself."""
    shop = Workshop(settings.read({"OPENAI_BASE_URL": server.url}, data=folder))
    shop.embedder = WordEmbedder()  # type: ignore[assignment]
    runner = Runner(shop)
    runner.recover()
    runner.wait(shop.store.runs.listed()[0].id, 120)


def outcome(store: Store, run: Run) -> tuple:
    """Return everything a run is: its steps without times, its products, its counts."""
    steps = [
        (s.key, s.place, s.hash, s.request, s.status, s.reply, s.origin.kind)
        for s in store.steps.of(run.id)
    ]
    return steps, store.steps.products(run.id), run.state, run.steps, run.config


def killed_and_compared(
    tmp_path: Path, kills: int, rounds: int, pace: tuple[int, int], seed: int
) -> Victim:
    dice = random.Random(seed)
    with OpenAIServer(script=actor, latency=0.04) as calm:
        wanted = outcome(*undisturbed(tmp_path / "calm", calm, rounds))
    with OpenAIServer(script=actor, latency=0.04) as server:
        victim = Victim(tmp_path / "killed", server, rounds)
        for _ in range(kills):
            victim.kill(victim.spawn(), dice.randint(*pace), dice.uniform(0, 0.12))
        assert victim.run.state == "running", "nobody was there to say otherwise"
        recovered(victim.folder, server)
        assert outcome(victim.store, victim.run) == wanted
        assert len(server.calls) == victim.asked() + sum(victim.in_flight)
    assert all(0 <= lost <= WIDTH for lost in victim.in_flight), victim.in_flight
    assert victim.run.calls - victim.run.maybe_paid == victim.asked(), (
        "only what was recorded is booked"
    )
    assert sum(victim.in_flight) <= victim.run.maybe_paid <= kills * WIDTH, (
        "and what was under way, as what may have been paid"
    )
    return victim


def test_two_kills_lose_nothing(tmp_path):
    victim = killed_and_compared(tmp_path, kills=2, rounds=7, pace=(5, 13), seed=1)
    assert victim.run.steps >= 28
    assert len(set(victim.keys)) >= 2, victim.keys


@pytest.mark.soak
def test_twenty_five_kills_in_ten_different_keys_lose_nothing(tmp_path):
    victim = killed_and_compared(tmp_path, kills=25, rounds=50, pace=(1, 7), seed=2)
    assert victim.run.steps >= 60
    assert len({key.split("/")[-1] for key in victim.keys}) >= 3
    assert len(set(victim.keys)) >= 10, victim.keys


def test_two_processes_resuming_one_run_do_its_work_once(tmp_path):
    with OpenAIServer(script=actor, latency=0.04) as server:
        victim = Victim(tmp_path, server, rounds=4)
        victim.kill(victim.spawn(), after=3, later=0.0)
        children = [victim.spawn(), victim.spawn()]
        ended = [(child.communicate(timeout=60)[0], child.returncode) for child in children]
        assert sorted(code for _, code in ended) == [0, 2], ended
        assert all(json.loads(out) for out, _ in ended)
        assert len(server.calls) == victim.asked() + sum(victim.in_flight)
