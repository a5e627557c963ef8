"""A session in which experts submit and a model judges, on a server that is killed again and again:
every expert comes back to the address of the seat, and goes on with what is shown there.
"""

import http.client
import os
import random
import time
import urllib.error
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from core.records import digest
from core.store import Store
from tests.support.browser import App
from tests.support.forks import Command
from tests.support.killing import is_quiet, kill
from tests.support.kills import database
from tests.support.kills.watch import PATIENCE, WIDTH, Tally, Watch
from tests.support.playing import actor
from tests.support.servers.openai_server import OpenAIServer, request_hash
from tests.support.sessions import studies_kit as kit
from tests.support.waiting import until
from tests.support.wire import interact

EXPERTS, UNITS = 4, 40
MODEL = "openai:test-model"
LATENCY = 0.5
"""Seconds the model judge takes for an answer: it is at work for as long as many a kill."""
GONE = (OSError, http.client.HTTPException)
"""What one gets from a server that is not there any more."""


class Spot(NamedTuple):
    """What is asked of one seat at one place of its list, as the names of the boxes say it."""

    seat: str
    position: str
    stage: str


class Expert:
    """One seat, whose answers depend on who sits there and on what is asked alone."""

    def __init__(self, app: App, name: str, secret: str, units: dict[str, str], pause: float):
        self.app, self.name, self.secret, self.pause = app, name, secret, pause
        self.units = units
        """The unit at each place of the seat's list."""
        self.submitted: list[Spot] = []
        """What was sent, oldest first, and again."""
        self.told: set[Spot] = set()
        """What was acknowledged: the next unit was drawn."""
        self.lost = 0
        """Submits that went out and were never answered."""
        self._drafted: set[Spot] = set()

    def work(self) -> None:
        """Answer whatever is shown until nothing is; come back when the server is gone."""
        deadline = time.monotonic() + 10 * PATIENCE
        while time.monotonic() < deadline:
            try:
                return self._visit()
            except GONE:
                time.sleep(0.05)
        raise AssertionError("the work does not come to its end")

    def _visit(self) -> None:
        screen = interact(self.app, page="annotate", query_params={"seat": [self.secret]})
        while spot := _spot(screen):
            assert spot not in self.told, "an answer that was acknowledged is asked for again"
            time.sleep(self.pause)
            if spot not in self._drafted:
                screen = interact(
                    self.app,
                    session_id=screen["session_id"],
                    widget_state=_answered(self.name, self.units[spot.position], screen),
                )
                self._drafted.add(spot)
            buttons = [key for key in _keys(screen) if key.startswith("seat:submit:")]
            assert buttons, "what was filled in is lost, or cannot be submitted"
            screen = self._submit(screen["session_id"], buttons[0], spot)

    def _submit(self, session: str, button: str, spot: Spot) -> dict:
        self.submitted.append(spot)
        try:
            screen = interact(self.app, session_id=session, trigger={"key": button})
        except GONE as error:
            refused = isinstance(error, urllib.error.URLError)
            if refused and isinstance(error.reason, ConnectionRefusedError):
                self.submitted.pop()  # Nobody was there to hear it.
            else:
                self.lost += 1
            raise
        assert _spot(screen) != spot, "the unit submitted is still on the screen"
        self.told.add(spot)
        return screen


def _keys(screen: dict) -> list[str]:
    return [one["key"] for one in screen["actions"]]


def _spot(screen: dict) -> Spot | None:
    key = next((key for key in _keys(screen) if ":score:" in key), None)
    return Spot(*key.split(":")[1:4]) if key else None


def _answered(name: str, unit: str, screen: dict) -> dict[str, object]:
    """Return what is filled in."""
    score = 1 + int(digest([name, unit])[:6], 16) % 10
    scores: dict[str, object] = {key: score for key in _keys(screen) if ":score:" in key}
    notes = {key: f"{name} on {unit}: naïve?" for key in _keys(screen) if key[-5:] == ":note"}
    return scores | notes


class Session:
    """A session at work in a data folder of its own, and what is killed that serves it."""

    def __init__(self, folder: Path, seed: int, server: OpenAIServer):
        self.store, self.server, self.dice = Store(folder / "data"), server, random.Random(seed)
        # Of several criteria each seat has an order of its own, and its judge another question.
        asked = {"criteria": (kit.criterion("novelty"),), "repeats": 0, "attention": 0}
        self.held = kit.opened(self.store, experts=EXPERTS, texts=UNITS, overlap=EXPERTS, **asked)
        given = {"OPENAI_BASE_URL": server.url, "FOUNDRY_CALLS": str(WIDTH)}
        self._environ = {**os.environ, **given, "FOUNDRY_DATA": str(self.store.folder)}
        agent = {"STREAMLIT_SERVER_ENABLE_AGENT_API": "true"}
        self.app = App(self.store.folder, words=True, **given, **agent)
        for n in range(EXPERTS):
            self.held.at_work(n)
        self.positions: dict[tuple[str, str, int], str] = {}
        """Where a unit stands in the list of a seat, by seat, unit and time."""
        self.experts = []
        for seat in self.held.seats:
            units: dict[str, str] = {}
            for one in self.store.study_work.of(seat.id):
                units[str(one.position)] = one.unit
                self.positions[seat.id, one.unit, one.time] = str(one.position)
            secret, pause = self.held.secrets[seat.id], self.dice.uniform(0, 0.05)
            self.experts.append(Expert(self.app, seat.name, secret, units, pause))
        self.people, self.judge = Tally("session"), Tally("a judge beside", beside=True)
        self.watch = Watch(self.judge, self.store, server, lambda run: self.command("show", run))

    def command(self, *words: str) -> Command:
        return Command([*words, "--json"], self._environ)

    def hold(self, kills: int) -> None:
        """Let everybody work to the end while what serves them is killed so often."""
        seat = ("study", "judge", self.held.study.id, "--judge", MODEL, "--at-once", "2")
        if kills:
            kill(self.command(*seat), self.server, 3)
            self._look_at_judge(self.server.answered)
            self.judge.resumes += 1
        else:
            self.command(*seat).communicate(timeout=PATIENCE)
        self.app.start()
        with ThreadPoolExecutor(EXPERTS) as pool:
            work = [pool.submit(one.work) for one in self.experts]
            try:
                for _ in range(kills):
                    self._kill(work)
                for one in work:
                    one.result()
            finally:
                until(lambda: all(one.done() for one in work), PATIENCE)
        until(lambda: self.watch.done, PATIENCE)
        self.app.kill()

    def _kill(self, work: list[Future[None]]) -> None:
        at_work = not self.watch.done
        goal = self._sent() + self.dice.randint(1, 5)
        until(lambda: self._sent() >= goal or all(one.done() for one in work), PATIENCE)
        assert not any(one.done() and one.exception() for one in work), work
        assert not all(one.done() for one in work), "the experts are done before the kills are"
        time.sleep(self.dice.uniform(0, 0.08))
        told, lost = [spot for one in self.experts for spot in one.told], self._lost()
        answered = self.server.answered
        self.app.kill()
        self.people.kills += 1
        time.sleep(0.1)  # Everybody has noticed.
        self._look_at_people(told, lost)
        if at_work:
            self._look_at_judge(answered)
            self.judge.resumes += 1
        self.app.start()
        self.people.resumes += 1

    def _sent(self) -> int:
        return sum(len(one.submitted) for one in self.experts)

    def _lost(self) -> int:
        return sum(one.lost for one in self.experts)

    def _look_at_people(self, told: list[Spot], lost: int) -> None:
        database.check(self.store)
        stored = self._stored()
        missing = [spot for spot in told if spot not in stored]
        self.people.unaccounted = max(self.people.unaccounted, len(missing))
        assert not missing, "an answer that was acknowledged is lost"
        assert set(stored.values()) <= {1}, "an answer is there twice"
        untold = stored.keys() - {spot for one in self.experts for spot in one.told}
        in_flight = self._lost() - lost
        # Several kills may each leave some that were filed and not told; they are shown no more.
        assert len(untold) <= self._lost(), "more was filed than was sent"
        assert in_flight <= EXPERTS
        self.people.in_flight.append(in_flight)
        self.people.arrived += len(untold) - self._untold
        self._untold = len(untold)

    _untold = 0

    def _stored(self) -> Counter[Spot]:
        people = {seat.id for seat in self.held.seats}
        return Counter(
            Spot(one.seat, self.positions[one.seat, one.unit, one.time], str(one.stage))
            for one in self.store.study_work.answers(self.held.study.id)
            if one.seat in people
        )

    def _look_at_judge(self, answered: int) -> None:
        until(lambda: is_quiet(self.server), PATIENCE)
        self.judge.kills += 1
        self.watch.look(answered)

    def outcome(self) -> list[tuple[object, ...]]:
        """Return every answer, by who gave it to what, and how each seat and unit stands."""
        names = {seat.id: seat.name for seat in self.store.seats.of(self.held.study.id)}
        answers = self.store.study_work.answers(self.held.study.id)
        said = [
            (names[one.seat], one.unit, one.time, one.stage, digest(one.answer.model_dump()))
            for one in answers
        ]
        stand = [
            (name, one.unit, one.time, one.stage, one.version)
            for seat, name in names.items()
            for one in self.store.study_work.of(seat)
        ]
        steps = [(one.name, one.step) for one in self.store.seats.of(self.held.study.id)]
        return [*sorted(said), *sorted(stand), *sorted(steps)]

    def close(self, requests: Counter[str]) -> None:
        """Count what the experts sent, and hold the judge's calls against the undisturbed ones."""
        self.watch.close(requests)
        sent = Counter(spot for one in self.experts for spot in one.submitted)
        stored = self._stored()
        assert stored.keys() == sent.keys()
        assert set(stored.values()) == {1}
        self.people.calls, self.people.repeats = sent.total(), sent.total() - len(sent)
        self.people.runs += 1


def besiege_session(folder: Path, kills: int, seed: int = 0) -> tuple[Tally, Tally]:
    """Hold a session whose server is killed so often, and the same one undisturbed; return what
    came of it for the experts and for the model that judges beside them.
    """
    with OpenAIServer(script=actor) as server:
        calm = Session(folder / "calm", seed, server)
        calm.hold(0)
        requests = Counter(map(request_hash, server.calls))
    with OpenAIServer(script=actor, latency=LATENCY) as server:
        session = Session(folder / "killed", seed, server)
        session.hold(kills)
        session.close(requests)
    assert session.outcome() == calm.outcome()
    return session.people, session.judge
