"""A run in a data folder of its own that is worked on by one process after another, each of which
is killed at a moment drawn by chance, and held against the run that nobody disturbed.
"""

import json
import os
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from core.benchmark.conducting.kept import left
from core.records import Run
from core.store import Store
from core.store.unheard import NOBODYS
from tests.support.browser import App
from tests.support.forks import Command
from tests.support.killing import is_quiet
from tests.support.kills import database
from tests.support.kills.kinds import KINDS
from tests.support.servers.openai_server import OpenAIServer, request_hash
from tests.support.waiting import until

WIDTH = 4
"""How many calls a process has under way at the most."""
HELD = 2 * WIDTH
"""How many calls a kill may cost: one for each line of work whose answer is here and not stored
yet, beside those that are out."""
LATENCY = 0.05
"""Seconds the model takes for an answer."""
EARLY = 0.1
"""The share of kills that come while the process is still beginning."""
ARRIVED = 0.5
"""The share of the others that come just after an answer has been sent to its end."""
SERVERS = 0.3
"""The share of processes after the first that are the app, which goes on by itself as it starts."""
PATIENCE = 60
"""Seconds within which a process must have come as far as it is to be killed."""


@dataclass
class Tally:
    """What came of the kills of one kind of run."""

    kind: str
    runs: int = 0
    kills: int = 0
    resumes: int = 0
    calls: int = 0
    """At the server."""
    repeats: int = 0
    """Requests that were served more often than in the undisturbed run."""
    in_flight: list[int] = field(default_factory=list)
    """Calls made and not stored, kill by kill."""
    arrived: int = 0
    """Of these, whose answer was sent to its end before the kill, at least."""
    unaccounted: int = 0
    """Calls made and not in the account, the most after any kill."""

    def row(self) -> tuple[object, ...]:
        return (
            *(self.kind, self.runs, self.kills, self.resumes, self.calls, self.repeats),
            *(sum(self.in_flight), max(self.in_flight, default=0), self.arrived, self.unaccounted),
        )


HEAD = (
    *("kind", "runs", "kills", "resumes", "calls", "repeats"),
    *("in flight", "most a kill", "arrived", "unaccounted"),
)


class Victim:
    """One run, and what is killed that works on it."""

    def __init__(
        self, tally: Tally, folder: Path, seed: int, server: OpenAIServer, papers: str
    ) -> None:
        self.tally, self.folder, self.seed = tally, folder, seed
        self.server, self.papers = server, papers
        self.words = KINDS[tally.kind].begin(folder / "killed" / "data", seed)
        self.store = Store(folder / "killed" / "data")
        self.app = App(
            folder / "killed" / "data", words=True, **self._given(self.store.folder, server)
        )
        self._dice = random.Random(f"{tally.kind} {seed}")
        self._before = len(server.calls)
        self._lost = 0
        self._steps: dict[tuple[str, str], str] = {}
        self._calm, self._requests = self._undisturbed()
        self._pace = max(2, self._requests.total() // 3)

    def suffer(self, kills: int) -> None:
        """Kill what works on the run, so often or until it is done; then let it come to its end,
        and hold it against the undisturbed one.
        """
        while kills and not self.done:
            kills -= self._kill()
        if not self.done:
            self._end(self._spawn())
        self._compare()

    @property
    def run(self) -> Run | None:
        return next(iter(self.store.runs.listed()), None)

    @property
    def done(self) -> bool:
        run = self.run
        assert not run or run.state in ("queued", "running", "interrupted", "done"), run.reason
        return run is not None and run.state == "done"

    # -- what works on it ----------------------------------------------------------------------

    def _given(self, folder: Path, server: OpenAIServer) -> dict[str, str]:
        return {
            "OPENAI_BASE_URL": server.url,
            "FOUNDRY_DATA": str(folder),
            "FOUNDRY_CALLS": str(WIDTH),
            "FOUNDRY_SEMANTIC_SCHOLAR_URL": self.papers,
            "FOUNDRY_SEMANTIC_SCHOLAR_INTERVAL": "0.02",
        }

    def _command(self, *words: str) -> Command:
        return Command([*words], {**os.environ, **self._given(self.store.folder, self.server)})

    def _spawn(self) -> Command | App:
        """Begin the run; or go on with it, as a command or as the app."""
        run = self.run
        if run is None:
            return self._command(*self.words)
        self.tally.resumes += 1
        if self._dice.random() < SERVERS:
            return self.app.start()
        return self._command("resume", run.id, "--json")

    def _over(self, child: Command | App) -> bool:
        if isinstance(child, App) or child.poll() is None:
            return self.done
        assert child.returncode == 0, child.communicate()
        return True

    def _end(self, child: Command | App) -> None:
        until(lambda: self._over(child), PATIENCE)
        if isinstance(child, App):
            child.kill()
        else:
            child.communicate(PATIENCE)

    # -- a kill --------------------------------------------------------------------------------

    def _kill(self) -> bool:
        """Kill a process that works on the run; return False if it came to its end first."""
        reached, later = self._moment()
        child, deadline = self._spawn(), time.monotonic() + PATIENCE
        while not reached():
            if self._over(child):
                self._end(child)
                return False
            assert time.monotonic() < deadline, "the process makes no calls"
            time.sleep(0.001)
        time.sleep(later)
        answered = self.server.answered
        child.kill()
        if isinstance(child, Command):
            child.communicate(PATIENCE)
        until(lambda: is_quiet(self.server))
        self.tally.kills += 1
        self._look(answered)
        return True

    def _moment(self) -> tuple[Callable[[], bool], float]:
        """Draw when the next kill comes: once something is reached, and so many seconds later."""
        server, dice, self._answered = self.server, self._dice, self.server.answered
        if dice.random() < EARLY:
            return (lambda: True), dice.uniform(0, 1)
        more, before = dice.randint(1, self._pace), len(server.calls)
        if dice.random() < ARRIVED:
            goal = self._answered + more
            return (lambda: server.answered >= goal), dice.uniform(0, 0.006)
        return (lambda: len(server.calls) >= before + more), dice.uniform(0, 1.5 * LATENCY)

    def _look(self, answered: int) -> None:
        """Hold what is stored against what the server heard and what was stored before."""
        database.check(self.store)
        steps = database.steps(self.store)
        assert self._steps.items() <= steps.items(), "a step is lost, or another than it was"
        heard, written = len(self.server.calls) - self._before, self._written()
        in_flight = heard - written - self._lost
        assert 0 <= in_flight <= HELD, f"{in_flight} calls made are not stored"
        stored = written - self._stored
        self.tally.arrived += max(0, answered - self._answered - stored)
        self.tally.in_flight.append(in_flight)
        self.tally.unaccounted = max(self.tally.unaccounted, heard - self._accounted())
        assert self.tally.unaccounted == 0, "calls made that the account does not hold"
        self._lost, self._steps, self._stored = heard - written, steps, written

    _stored = 0
    """Calls that were written down by the last kill."""

    def _written(self) -> int:
        """Return how many calls that came to their end are written down."""
        rows = self.store.connections.row("SELECT sum(calls - maybe_paid) AS n FROM runs")
        return int((rows and rows["n"]) or 0) + sum(map(self._heard, self.store.runs.listed()))

    def _heard(self, run: Run) -> int:
        """Return how many answers of a benchmark are in its spool and not in the database yet."""
        if run.config.method != "bench" or not (self.store.folder / "spool" / run.id).exists():
            return 0
        answers = left(self.store.spool(run.id, NOBODYS))
        return len(self.store.benchmarks.taken(run.id, list(answers)))

    def _accounted(self) -> int:
        """Return how many calls `show` says that the run has made."""
        run = self.run
        if run is None:
            return 0
        said = json.loads(self._command("show", run.id, "--json").communicate(PATIENCE)[0])
        return int(said["calls"]) + int(said.get("calls_to_take_in", 0))

    # -- the end -------------------------------------------------------------------------------

    def _undisturbed(self) -> tuple[Counter[str], Counter[str]]:
        """Work the same run to its end; return what its database says and what was asked."""
        folder = self.folder / "calm" / "data"
        words = KINDS[self.tally.kind].begin(folder, self.seed)
        with OpenAIServer(script=self.server.script, models=self.server.models) as server:
            child = Command(words, {**os.environ, **self._given(folder, server)})
            out, err = child.communicate(PATIENCE)
            assert child.returncode == 0, out + err
        return database.contents(Store(folder)), Counter(map(request_hash, server.calls))

    def _compare(self) -> None:
        until(lambda: not any(database.under_way(self.store).values()))
        database.check(self.store)
        assert self._steps.items() <= database.steps(self.store).items(), "a step is lost"
        found = database.contents(self.store)
        assert found == self._calm, database.differences(found, self._calm)
        asked = Counter(map(request_hash, self.server.calls[self._before :]))
        assert not self._requests - asked, "a call was left out"
        repeats = (asked - self._requests).total()
        assert repeats == self._lost, "what is asked again is what was in flight, and no more"
        assert self._written() == self._requests.total(), "each answer is booked once"
        self.tally.unaccounted = max(self.tally.unaccounted, asked.total() - self._accounted())
        self.tally.repeats += repeats
        self.tally.calls += asked.total()
        self.tally.runs += 1


def besiege(kind: str, folder: Path, papers: str, kills: int, seed: int = 0) -> Tally:
    """Kill what works on runs of a kind, each by a seed of its own, so often in all."""
    tally = Tally(kind)
    script = KINDS[kind].script
    with OpenAIServer(script=script, latency=LATENCY, models=("test-model",)) as server:
        while tally.kills < kills:
            seed += 1
            victim = Victim(tally, folder / str(seed), seed, server, papers)
            victim.suffer(kills - tally.kills)
    return tally
