"""A process killed at any moment leaves no call that the account does not hold: what was begun
stands in it as paid perhaps.
"""

import json
import os
import random
import signal
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from core.store import Store
from core.store.spool import Spool
from tests.support.forks import Command
from tests.support.killing import is_quiet
from tests.support.kills.kinds import KINDS
from tests.support.servers.openai_server import OpenAIServer
from tests.support.servers.scholar_server import ScholarServer
from tests.support.waiting import until

WIDTH = 4
"""How many calls a process has under way at the most."""
BEGUN = ("chain", "refine", "experiment", "benchmark")
"""Kinds of runs whose every call is looked for in the account; test_kills.py has the others."""


@dataclass
class Account:
    """What a run is said to have called, headless."""

    state: str
    calls: int
    maybe: int
    unreported: int


@dataclass
class Victim:
    """Runs of one kind in a data folder of their own, one after another, worked on by processes
    that get killed.
    """

    kind: str
    folder: Path
    server: OpenAIServer
    papers: str
    """Where a loopback Semantic Scholar is."""
    maybe: list[int] = field(default_factory=list)
    """Calls that may have been paid, kill by kill."""
    missing: list[int] = field(default_factory=list)
    """Calls at the server that the account does not hold, kill by kill."""
    held: int = 0
    """Calls in the account."""

    def __post_init__(self) -> None:
        self.store = Store(self.folder)

    @property
    def environ(self) -> dict[str, str]:
        return {
            **os.environ,
            "OPENAI_BASE_URL": self.server.url,
            "FOUNDRY_DATA": str(self.folder),
            "FOUNDRY_CALLS": str(WIDTH),
            "FOUNDRY_SEMANTIC_SCHOLAR_URL": self.papers,
        }

    def spawn(self) -> Command:
        """Resume the run, or begin the next one, in a process of its own."""
        begun = self.store.runs.listed(states=("running", "interrupted", "queued"))
        return Command(
            ["resume", begun[0].id, "--json"] if begun else KINDS[self.kind].begin(self.folder),
            self.environ,
        )

    def kill(self, after: int, later: float) -> None:
        """Kill a process once it has made so many more calls, and so many seconds later; one that
        came to its end first is followed by another.
        """
        goal, child = len(self.server.calls) + after, self.spawn()
        deadline = time.monotonic() + 60
        while len(self.server.calls) < goal and time.monotonic() < deadline:
            if child.poll() is not None:
                assert child.returncode == 0, child.communicate()
                child = self.spawn()
            time.sleep(0.002)
        time.sleep(later)
        with suppress(ProcessLookupError):  # It came to its end by itself.
            child.send_signal(signal.SIGKILL)
        child.communicate()
        until(lambda: is_quiet(self.server))
        self._look()

    def _look(self) -> None:
        """Hold the account, as it is shown headless, against what the server heard."""
        held = [self._shown(run.id) for run in self.store.runs.listed(limit=1_000)]
        calls, maybe = sum(one.calls for one in held), sum(one.maybe for one in held)
        self.held = calls
        self.missing.append(max(0, len(self.server.calls) - calls))
        self.maybe.append(maybe - sum(self.maybe))
        assert all(one.unreported >= one.maybe for one in held)

    def _shown(self, run: str) -> Account:
        child = Command(["show", run, "--json"], self.environ)
        said = json.loads(child.communicate(60)[0])
        return Account(
            said["state"],
            said["calls"] + said.get("calls_to_take_in", 0),
            said["calls_maybe_paid"],
            said["calls_unreported"],
        )


def killed(kind: str, folder: Path, kills: int, seed: int) -> Victim:
    """Kill processes that work on runs of a kind, at moments drawn by chance."""
    dice = random.Random(seed)
    with (
        OpenAIServer(script=KINDS[kind].script, latency=0.05, models=("test-model",)) as server,
        ScholarServer() as papers,
    ):
        victim = Victim(kind, folder, server, papers.url)
        for _ in range(kills):
            victim.kill(dice.randint(1, 12), dice.uniform(0, 0.08))
    return victim


@pytest.mark.parametrize("kind", BEGUN)
def test_every_call_is_in_the_account_before_it_arrives_and_no_note_stays(tmp_path, kind):
    """Store and spool are looked into while the server answers, from another connection: what is
    not committed is not there.
    """
    missing: list[int] = []

    def answered(body):
        arrived = len(server.calls)
        # In this order, in which a call goes from one to the next: none is between two looks.
        noted = sum(
            row["begun"] for row in store.connections.rows("SELECT begun FROM reservations")
        )
        spools = [Spool(folder, 0) for folder in (tmp_path / kind / "spool").glob("*")]
        noted += sum(len(one.begun()) for one in spools) + sum(len(one.left()) for one in spools)
        booked = store.connections.row("SELECT coalesce(sum(calls), 0) AS n FROM runs")["n"]
        missing.append(max(0, arrived - noted - booked))
        return KINDS[kind].script(body)

    store = Store(tmp_path / kind)
    with OpenAIServer(script=answered, models=("test-model",)) as server, ScholarServer() as papers:
        child = Victim(kind, tmp_path / kind, server, papers.url).spawn()
        assert json.loads(child.communicate(120)[0])["state"] == "done"
        assert missing == [0] * len(server.calls)
    assert store.connections.rows("SELECT * FROM reservations") == []
    assert not list((tmp_path / kind / "spool").glob("*"))
    assert store.connections.row("SELECT sum(maybe_paid) AS n, sum(calls) AS calls FROM runs") == {
        "n": 0,
        "calls": len(server.calls),
    }


@pytest.mark.parametrize(
    ("kind", "kills"),
    [
        *((kind, 2) for kind in BEGUN),
        *(pytest.param(kind, 25, marks=pytest.mark.soak) for kind in BEGUN),
    ],
)
def test_no_call_is_missing_in_the_account_of_what_was_killed(tmp_path, kind, kills):
    victim = killed(kind, tmp_path / kind, kills, seed=kills)
    print(
        f"\n{kind}: {kills} kills, {len(victim.server.calls)} calls at the server, {victim.held} in"
        f" the account, of these {sum(victim.maybe)} may have been paid, at most"
        f" {max(victim.maybe)} a kill with {WIDTH} calls at once; missing: {sum(victim.missing)}"
    )
    assert victim.missing == [0] * kills
    assert max(victim.maybe) <= 2 * WIDTH, (
        "at most a line of work each: its answer may be here, and not booked yet"
    )
