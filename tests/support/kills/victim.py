"""A run in a data folder of its own that is worked on by one process after another, each of which
is killed at a moment drawn by chance, and held against the run that nobody disturbed.
"""

import os
import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from core.store import Store
from tests.support.browser import App
from tests.support.forks import Command
from tests.support.killing import is_quiet
from tests.support.kills import database
from tests.support.kills.kinds import KINDS
from tests.support.kills.watch import PATIENCE, WIDTH, Tally, Watch
from tests.support.servers.openai_server import OpenAIServer, request_hash
from tests.support.waiting import until

LATENCY = 0.05
"""Seconds the model takes for an answer."""
EARLY = 0.1
"""The share of kills that come while the process is still beginning."""
ARRIVED = 0.5
"""The share of the others that come just after an answer has been sent to its end."""
SERVERS = 0.3
"""The share of processes after the first that are the app, which goes on by itself as it starts."""


class Victim:
    """One run, and what is killed that works on it."""

    def __init__(
        self, tally: Tally, folder: Path, seed: int, server: OpenAIServer, papers: str
    ) -> None:
        data = folder / "killed" / "data"
        self.tally, self.folder, self.seed = tally, folder, seed
        self.kind, self.server, self.papers = KINDS[tally.kind], server, papers
        self.words = self.kind.begin(data, seed)
        self.app = App(data, words=True, **self._given(data, server))
        self._dice = random.Random(f"{tally.kind} {seed}")
        self.watch = Watch(tally, Store(data), server, lambda run: self._fork("show", run))
        self._contents, self._requests = self._undisturbed()
        self._pace = max(2, self._requests.total() // 3)

    def suffer(self, kills: int) -> None:
        """Kill what works on the run, so often or until it is done; then let it come to its end,
        and hold it against the undisturbed one.
        """
        while kills and not self.watch.done:
            kills -= self._kill()
        if not self.watch.done:
            self._end(self._spawn())
        self.watch.close(self._requests)
        found = database.contents(self.watch.store, self.kind.decimals)
        assert found == self._contents, database.differences(found, self._contents)

    # -- what works on it ----------------------------------------------------------------------

    def _given(self, folder: Path, server: OpenAIServer) -> dict[str, str]:
        return {
            "OPENAI_BASE_URL": server.url,
            "FOUNDRY_DATA": str(folder),
            "FOUNDRY_CALLS": str(WIDTH),
            "FOUNDRY_SEMANTIC_SCHOLAR_URL": self.papers,
            "FOUNDRY_SEMANTIC_SCHOLAR_INTERVAL": "0.02",
        }

    def _environ(self) -> dict[str, str]:
        return {**os.environ, **self._given(self.watch.store.folder, self.server)}

    def _fork(self, *words: str) -> Command:
        return Command([*words, "--json"], self._environ())

    def _spawn(self) -> Command | App:
        """Begin the run; or go on with it, as a command or as the app."""
        run = self.watch.run
        if run is None:
            return self.kind.command(self.words, self._environ())
        self.tally.resumes += 1
        if self.kind.in_the_app and self._dice.random() < SERVERS:
            return self.app.start()
        return self.kind.command(["resume", run.id, "--json"], self._environ())

    def _over(self, child: Command | App) -> bool:
        if isinstance(child, App) or child.poll() is None:
            return self.watch.done
        assert child.returncode == 0, child.communicate()
        return True

    def _end(self, child: Command | App) -> None:
        until(lambda: self._over(child), PATIENCE)
        if isinstance(child, App):
            child.kill()
        else:
            child.communicate(timeout=PATIENCE)

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
        if not isinstance(child, App):
            child.communicate(timeout=PATIENCE)
        until(lambda: is_quiet(self.server), PATIENCE)
        self.tally.kills += 1
        self.watch.look(answered)
        return True

    def _moment(self) -> tuple[Callable[[], bool], float]:
        """Draw when the next kill comes: once something is reached, and so many seconds later."""
        server, dice = self.server, self._dice
        if dice.random() < EARLY:
            return (lambda: True), dice.uniform(0, 1)
        more, answered, heard = dice.randint(1, self._pace), server.answered, len(server.calls)
        if dice.random() < ARRIVED:
            return (lambda: server.answered >= answered + more), dice.uniform(0, 0.006)
        return (lambda: len(server.calls) >= heard + more), dice.uniform(0, 1.5 * LATENCY)

    # -- without a kill ------------------------------------------------------------------------

    def _undisturbed(self) -> tuple[Counter[str], Counter[str]]:
        """Work the same run to its end; return what its database says and what was asked."""
        data = self.folder / "calm" / "data"
        words = self.kind.begin(data, self.seed)
        with OpenAIServer(script=self.server.script, models=self.server.models) as server:
            child = self.kind.command(words, {**os.environ, **self._given(data, server)})
            out, err = child.communicate(timeout=PATIENCE)
            assert child.returncode == 0, out + err
        contents = database.contents(Store(data), self.kind.decimals)
        return contents, Counter(map(request_hash, server.calls))


def besiege(kind: str, folder: Path, papers: str, kills: int, seed: int = 0) -> Tally:
    """Kill what works on runs of a kind, each by a seed of its own, so often in all."""
    tally, script = Tally(kind), KINDS[kind].script
    with OpenAIServer(script=script, latency=LATENCY, models=("test-model",)) as server:
        while tally.kills < kills:
            seed += 1
            victim = Victim(tally, folder / str(seed), seed, server, papers)
            victim.suffer(kills - tally.kills)
    return tally
