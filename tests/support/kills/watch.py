"""What the model's server heard, kill by kill, held against what is stored and what is booked."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.benchmark.conducting.kept import left
from core.records import Run
from core.store import Store
from core.store.unheard import NOBODYS
from tests.support.forks import Command
from tests.support.kills import database
from tests.support.servers.openai_server import OpenAIServer, request_hash
from tests.support.waiting import until

WIDTH = 4
"""How many calls a process has under way at the most."""
HELD = 2 * WIDTH
"""How many calls a kill may cost: one for each line of work whose answer is here and not stored
yet, beside those that are out."""
PATIENCE = 900
"""Seconds within which a process must have come as far as it is to be killed, or to its end."""


@dataclass
class Tally:
    """What came of the kills of one kind of run."""

    kind: str
    runs: int = 0
    kills: int = 0
    resumes: int = 0
    calls: int = 0
    """Made, as who was called counts them."""
    repeats: int = 0
    """Calls that were made more often than in the undisturbed run."""
    in_flight: list[int] = field(default_factory=list)
    """Calls made and not stored, kill by kill."""
    arrived: int = 0
    """Of these, whose answer was sent to its end before the kill, at least."""
    unaccounted: int = 0
    """Calls made and not in the account, the most after any kill."""
    beside: bool = False
    """Whether it is killed with another one, which counts the kills."""

    def row(self) -> tuple[object, ...]:
        return (
            *(self.kind, self.runs, self.kills, self.resumes, self.calls, self.repeats),
            *(sum(self.in_flight), max(self.in_flight, default=0), self.arrived, self.unaccounted),
        )


HEAD = (
    *("kind", "runs", "kills", "resumes", "calls", "repeats"),
    *("in flight", "most a kill", "arrived", "unaccounted"),
)


def table(tallies: Sequence[Tally]) -> list[str]:
    """Return what came of all kills as the lines of a table, with what it comes to."""
    whole = Tally("in all")
    for one in tallies:
        whole.kills += 0 if one.beside else one.kills
        whole.resumes += 0 if one.beside else one.resumes
        whole.unaccounted = max(whole.unaccounted, one.unaccounted)
        whole.in_flight += one.in_flight
        for name in ("runs", "calls", "repeats", "arrived"):
            setattr(whole, name, getattr(whole, name) + getattr(one, name))
    rows = [HEAD, *(one.row() for one in (*tallies, whole))]
    return [f"{row[0]:16}" + "".join(f"{cell!s:>12}" for cell in row[1:]) for row in rows]


class Watch:
    """Looks at one run, all it has made with it, after every kill; `show` tells its account as
    anybody may ask for it.
    """

    def __init__(
        self,
        tally: Tally,
        store: Store,
        server: OpenAIServer,
        show: Callable[[str], Command],
    ) -> None:
        self.tally, self.store, self.server, self._show = tally, store, server, show
        self._heard_before = len(server.calls)
        self._answered = server.answered
        self._lost = self._stored = self._maybe = 0
        self._steps: dict[tuple[str, str], str] = {}

    @property
    def run(self) -> Run | None:
        return next(iter(self.store.runs.listed()), None)

    @property
    def done(self) -> bool:
        run = self.run
        assert not run or run.state in ("queued", "running", "interrupted", "done"), run.reason
        return run is not None and run.state == "done"

    def look(self, answered: int) -> None:
        """Hold what is stored against what the server heard, and against what was stored before;
        `answered` is how many answers it had sent when the kill came.
        """
        database.check(self.store)
        steps = database.steps(self.store)
        assert self._steps.items() <= steps.items(), "a step is lost, or another than it was"
        heard, stored = self._heard(), self._written()
        in_flight = heard - stored - self._lost
        assert 0 <= in_flight <= HELD, f"{in_flight} calls made are not stored"
        maybe = self._balance(heard)
        assert in_flight <= maybe - self._maybe <= HELD, "what was in flight may have been paid"
        self.tally.arrived += max(0, answered - self._answered - (stored - self._stored))
        self.tally.in_flight.append(in_flight)
        self._steps, self._stored, self._lost = steps, stored, heard - stored
        self._maybe = maybe
        self._answered = self.server.answered

    def close(self, wanted: Counter[str]) -> None:
        """Hold the whole run against what was asked in the undisturbed one."""
        until(lambda: not any(database.under_way(self.store).values()), PATIENCE)
        database.check(self.store)
        assert self._steps.items() <= database.steps(self.store).items(), "a step is lost"
        asked = Counter(map(request_hash, self.server.calls[self._heard_before :]))
        assert not wanted - asked, "a call was left out"
        repeats = (asked - wanted).total()
        assert repeats == self._lost, "what is asked again is what was in flight, and no more"
        assert self._written() == wanted.total(), "each answer is booked once"
        self._balance(asked.total())
        self.tally.repeats += repeats
        self.tally.calls += asked.total()
        self.tally.runs += 1

    def _heard(self) -> int:
        return len(self.server.calls) - self._heard_before

    def _balance(self, heard: int) -> int:
        """Hold the account against what was heard; return how many calls in it may have been
        paid.
        """
        run, booked, maybe = self.run, 0, 0
        if run:
            out, err = self._show(run.id).communicate(timeout=PATIENCE)
            assert out, err
            said = json.loads(out)
            booked = int(said["calls"]) + int(said.get("calls_to_take_in", 0))
            maybe = int(said["calls_maybe_paid"])
        missing = max(0, heard - booked)
        self.tally.unaccounted = max(self.tally.unaccounted, missing)
        assert missing == 0, f"{missing} of {heard} calls are not in the account"
        return maybe

    def _written(self) -> int:
        """Return how many calls that came to their end are written down."""
        rows = self.store.connections.row("SELECT sum(calls - maybe_paid) AS n FROM runs")
        return int((rows and rows["n"]) or 0) + sum(map(self._spooled, self.store.runs.listed()))

    def _spooled(self, run: Run) -> int:
        """Return how many answers of a benchmark are in its spool and not in the database yet."""
        if run.config.method != "bench" or not (self.store.folder / "spool" / run.id).exists():
            return 0
        answers = left(self.store.spool(run.id, NOBODYS))
        return len(self.store.benchmarks.taken(run.id, list(answers)))
