"""The crowd bench: thirty people on one server, two of them in browsers and 28 on Streamlit's
websocket, while a benchmark of 20,000 cells and five refinements are worked on.

`python -m tests.bench.crowd --minutes 3 --to table.txt` measures and prints; the half hour with
its limits is tests/test_crowd.py (`make soak`).
"""

import argparse
import gzip
import itertools
import os
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import psutil

from components.runs.states import PAGES
from core import settings
from core.methods import RefineInputs
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import RateAnswer
from core.runs.planning import played, validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store
from tests import ROOT
from tests.bench.chain import serving
from tests.support.benchmark.bench_kit import small
from tests.support.browser import App, browsing, close, rest
from tests.support.scripted import configured
from tests.support.sessions import studies_kit
from tests.support.tabs import Tab, sign_in

PASSWORD = "a long pass phrase"
STORED = ROOT / "tests/data/stores/edition-2.db.gz"
"""A store with a run of every kind, for people to read."""
EXPERTS, REFINING, READERS = 10, 5, 12
"""With the one who watches the benchmark 28 on the websocket; two more are in browsers."""
KEYWORDS = 1_112
CELLS = KEYWORDS * 2 * (2 * (1 + 3) + 1)
"""20,016: two models, two ideas and three judges each, one comparison."""
VIEWS, TABS = ("progress", "results", "ideas"), ("Progress", "Agreement")
"""Of the benchmark, and of the session, that people look at."""
LATENCY, CALLS = 1.9, 24
"""Seconds the loopback model takes for an answer; calls at once to it, a half more than usual: so
the benchmark takes nearly the half hour.
"""
ROUNDS = 20
"""Of a refinement, for each of two qualities: it takes three minutes or more."""
THINKS = 3.0, 15.0
"""Seconds a person reads before the next page or answer."""
BEGINS = 30.0
"""Seconds over which people come. What is drawn meanwhile is imported first, and counts apart."""
LOOKS = 5.0
"""Seconds between two looks at the server's memory and work."""
ANSWERS_A_MINUTE = 7
"""More than an expert gives."""


# -- what there is -----------------------------------------------------------------------------


@dataclass
class World:
    """A data folder before the server starts: runs that wait to be resumed, a session, and the
    addresses that people read.
    """

    store: Store
    bench: str
    refinements: list[str]
    session: studies_kit.Held
    addresses: list[tuple[str, str, dict[str, str]]]
    """The name under which drawings are counted, the page, and its query."""


def make_world(folder: Path, url: str, minutes: float) -> World:
    """Fill a data folder with what people will work on and read."""
    folder.mkdir(parents=True)
    with gzip.open(STORED) as packed, (folder / "foundry.db").open("wb") as whole:
        shutil.copyfileobj(packed, whole)
    runner = Runner(Workshop(settings.read({"OPENAI_BASE_URL": url}, data=folder)))
    store = runner.store
    addresses = _readable(store)
    bench = small(
        runner.workshop, [f"keyword {n}" for n in range(KEYWORDS)], judges_each=3, topic="Crowd"
    )
    play = played("infal", (NOVELTY, FEASIBILITY), ROUNDS, 10)
    inputs = validated(RefineInputs, topic="sleep and memory", play=play, k=0)
    made = [
        runner.begin(
            configured(runner, "refine", inputs, models={"main": "openai:test-model"}, seed=n),
            f"Refinement {n}",
        ).id
        for n in range(REFINING * (2 + round(minutes / 2)))
    ]
    for run in (bench.id, *made):
        runner.stop(run)
    session = studies_kit.opened(
        store,
        experts=EXPERTS,
        texts=10 + round(ANSWERS_A_MINUTE * minutes),
        overlap=EXPERTS,
        repeats=0,
        attention=0,
    )
    for n in range(EXPERTS):
        session.at_work(n)
    addresses += [
        *((f"benchmark {view}", "benchmark", {"run": bench.id, "view": view}) for view in VIEWS),
        *(
            (f"sessions {tab}", "sessions", {"session": session.study.id, "tab": tab})
            for tab in TABS
        ),
    ]
    return World(store, bench.id, made, session, addresses)


def _readable(store: Store) -> list[tuple[str, str, dict[str, str]]]:
    """Return every page of the menu, and every finished run with its screen and its steps."""
    from components.shell.frame import MENU

    found: list[tuple[str, str, dict[str, str]]] = [
        (page.title, "" if page.path == "app.py" else Path(page.path).stem, {}) for page in MENU
    ]
    for run in store.runs.listed(states=("done",), limit=100):
        page = Path(PAGES.get(run.config.method, "pages/runs.py")).stem
        found += [
            (f"{page} of a run", page, {"run": run.id}),
            ("runs of a run", "runs", {"run": run.id}),
        ]
    return found


# -- who is there ------------------------------------------------------------------------------


class Submit(NamedTuple):
    """An answer that a person gave and saw taken."""

    seat: str
    unit: str
    scores: tuple[int, ...]
    seconds: float
    at: float


@dataclass
class Crowd:
    """Thirty people until it is time to go; what each one saw is kept."""

    app: App
    world: World
    minutes: float
    started: float = field(default_factory=time.monotonic)
    tabs: list[Tab] = field(default_factory=list)
    submits: list[Submit] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    in_browsers: list[float] = field(default_factory=list)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    @property
    def over(self) -> bool:
        """Say whether it is time to go, or somebody could not go on: then nothing is measured."""
        return bool(self.broken) or time.monotonic() - self.started > 60 * self.minutes

    def run(self) -> None:
        """Let everybody come, work until the time is over, and go."""
        cookie = sign_in(self.app, PASSWORD)
        runs = self.world.refinements
        people: list[Callable[[Tab, random.Random], None]] = [self._watch_benchmark]
        people += [self._refiner(runs[n::REFINING]) for n in range(REFINING)]
        people += [self._expert(n) for n in range(EXPERTS)]
        people += [self._read] * READERS
        threads = [
            threading.Thread(target=self._be, args=(n, person, cookie), name=f"person-{n}")
            for n, person in enumerate(people)
        ]
        threads.append(threading.Thread(target=self._browse, name="browsers"))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _be(self, n: int, person: Callable[[Tab, random.Random], None], cookie: str) -> None:
        dice = random.Random(n)
        time.sleep(BEGINS * n / (1 + REFINING + EXPERTS + READERS))
        invited = 1 + REFINING <= n < 1 + REFINING + EXPERTS
        try:
            with Tab(self.app, "" if invited else cookie) as tab:
                with self._guard:
                    self.tabs.append(tab)
                person(tab, dice)
        except Exception as error:
            self.broken.append(f"person {n}: {type(error).__name__}: {error}")

    def _watch_benchmark(self, tab: Tab, dice: random.Random) -> None:
        bench = self.world.bench
        tab.open("benchmark", "benchmark progress", run=bench)
        _resume(tab)
        while not self.over:
            tab.watch(dice.uniform(*THINKS))
            view = dice.choice(("progress", *VIEWS))
            tab.open("benchmark", f"benchmark {view}", run=bench, view=view)

    def _refiner(self, runs: Sequence[str]) -> Callable[[Tab, random.Random], None]:
        """Return somebody who works on one refinement after the other."""

        def refine(tab: Tab, dice: random.Random) -> None:
            for run in runs:
                tab.open("refine", "refine at work", run=run)
                _resume(tab)
                while not self.over:
                    tab.watch(dice.uniform(*THINKS))
                    tab.open("refine", "refine at work", run=run)
                    if self.world.store.runs.get(run).state not in ("queued", "running"):
                        break
                if self.over:
                    return
            raise AssertionError("there is nothing left to refine")

        return refine

    def _expert(self, n: int) -> Callable[[Tab, random.Random], None]:
        secret, seat = self.world.session.secret(n), self.world.session.seats[n].id
        listed = self.world.store.study_work.of(seat)
        units = {one.position: one.unit for one in listed}

        def rate(tab: Tab, dice: random.Random) -> None:
            tab.open("annotate", "a seat", seat=secret)
            while not self.over:
                tab.watch(dice.uniform(*THINKS))
                scores = []
                for key in list(tab.keys(":score:")):
                    scores.append(dice.randint(1, 10))
                    tab.choose(key, str(scores[-1]))
                    tab.watch(dice.uniform(0.3, 1.0))
                button = next((key for key in tab.keys("seat:submit:")), "")
                assert button, "there is nothing left to rate"
                seconds = tab.press(tab.widgets[button])
                assert button not in tab.widgets, "the unit submitted is still on the screen"
                unit = units[int(button.split(":")[-4])]
                with self._guard:
                    at = time.monotonic() - self.started
                    self.submits.append(Submit(seat, unit, tuple(scores), seconds, at))

        return rate

    def _read(self, tab: Tab, dice: random.Random) -> None:
        while not self.over:
            name, page, query = dice.choice(self.world.addresses)
            tab.open(page, name, **query)
            tab.watch(dice.uniform(*THINKS))

    def _browse(self) -> None:
        """Walk about in two browsers in turn; the one that is left stays open and is drawn anew."""
        dice = random.Random("browsers")
        try:
            with browsing() as one, browsing() as two:
                for page in (one, two):
                    page.goto(f"{self.app.url}/runs")
                    page.get_by_label("Password").fill(PASSWORD)
                    page.get_by_role("button", name="Sign in").click()
                    page.get_by_role("heading", level=1).first.wait_for()
                for page in itertools.cycle((one, two)):
                    if self.over:
                        return
                    name, path, query = dice.choice(self.world.addresses)
                    began = time.perf_counter()
                    page.goto(f"{self.app.url}/{path}?{urlencode(query)}")
                    rest(page)
                    self.in_browsers.append(time.perf_counter() - began)
                    if page.get_by_test_id("stException").count():
                        self.broken.append(f"a browser was shown an exception on {name}")
                    page.wait_for_timeout(1_000 * dice.uniform(*THINKS) / 2)
        except Exception as error:
            self.broken.append(f"a browser: {type(error).__name__}: {error}")
        finally:
            close()  # What drives browsers belongs to this thread.


def _resume(tab: Tab) -> None:
    button = tab.find("resume")
    assert button, f"{tab.name} has no Resume among {list(tab.widgets)}"
    tab.press(button)


# -- what it takes -----------------------------------------------------------------------------


class Look(NamedTuple):
    """The server at one moment: seconds since the start, MB resident, seconds of CPU so far."""

    at: float
    mb: float
    cpu: float
    machine: float
    """Share of the machine's cores in use since the last look."""
    ran: float = 0.0
    waited: float = 0.0
    """Seconds that the thread which sends and receives had a core, and waited for one, so far."""


class Watched:
    """Looks at the server's process every few seconds."""

    def __init__(self, pid: int):
        self._process, self._over = psutil.Process(pid), threading.Event()
        self.looks: list[Look] = []
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        began = time.monotonic()
        psutil.cpu_percent()
        while not self._over.wait(LOOKS):
            used = self._process.cpu_times()
            self.looks.append(
                Look(
                    time.monotonic() - began,
                    self._process.memory_info().rss / 2**20,
                    used.user + used.system,
                    psutil.cpu_percent() / 100,
                    *self._scheduled(),
                )
            )

    def _scheduled(self) -> tuple[float, float]:
        """Read how long the first thread ran and waited, in s, where the system says so (Linux)."""
        account = Path(f"/proc/{self._process.pid}/schedstat")
        if not account.exists():
            return 0.0, 0.0
        ran, waited, _ = map(int, account.read_text().split())
        return ran / 1e9, waited / 1e9

    def end(self) -> list[Look]:
        self._over.set()
        self._thread.join()
        return self.looks


class Measured(NamedTuple):
    """What came of it; see `table` for all of it in words."""

    pages: dict[str, list[float]]
    parts: dict[str, list[float]]
    submits: list[float]
    in_browsers: list[float]
    looks: list[Look]
    broken: list[str]
    errors: list[str]
    lost: list[str]
    answers: int
    cells: int
    refined: int
    failed: list[str]
    minutes: float

    @property
    def all_pages(self) -> list[float]:
        return [one for several in self.pages.values() for one in several]

    @property
    def growth(self) -> float:
        """MB by which the server's memory grew over the last two thirds, by a straight line."""
        last = [one for one in self.looks if one.at > 20 * self.minutes]
        slope = statistics.linear_regression([one.at for one in last], [one.mb for one in last])[0]
        return slope * (last[-1].at - last[0].at)

    @property
    def cores(self) -> float:
        """Cores that the server used, in the mean."""
        first, last = self.looks[0], self.looks[-1]
        return (last.cpu - first.cpu) / (last.at - first.at)

    @property
    def kept_waiting(self) -> float:
        """Share of the time in which the server's first thread had work that it waited for a core,
        since the machine had others to serve.
        """
        first, last = self.looks[0], self.looks[-1]
        ran, waited = last.ran - first.ran, last.waited - first.waited
        return waited / (ran + waited) if ran + waited else float("nan")


def p95(taken: Sequence[float]) -> float:
    return sorted(taken)[int(0.95 * len(taken))] if taken else float("nan")


def measure(folder: Path, minutes: float) -> Measured:
    """Let the crowd in for so many minutes and return what it took."""
    with serving(
        "tests.support.servers.openai_server",
        "--latency",
        str(LATENCY),
        "--script",
        "tests.support.stored:said",
    ) as url:
        world = make_world(folder / "data", url, minutes)
        app = App(
            folder / "data",
            OPENAI_BASE_URL=url,
            FOUNDRY_CALLS=str(CALLS),
            FOUNDRY_WORKERS=str(1 + REFINING),
            FOUNDRY_PASSWORD=PASSWORD,
        ).start()
        try:
            watched = Watched(app.pid)
            crowd = Crowd(app, world, minutes)
            crowd.run()
            looks = watched.end()
        finally:
            app.kill()
    return _counted(world, crowd, looks, minutes)


def _counted(world: World, crowd: Crowd, looks: list[Look], minutes: float) -> Measured:
    pages: dict[str, list[float]] = defaultdict(list)
    parts: dict[str, list[float]] = defaultdict(list)
    for tab in crowd.tabs:
        for one in tab.drawn:
            if one.at - crowd.started > BEGINS:
                (parts if one.part else pages)[one.page].append(one.seconds)
    store = Store(world.store.folder)
    bench = store.benchmarks.sums.tally(world.bench)
    runs = [store.runs.get(run) for run in world.refinements]
    return Measured(
        pages,
        parts,
        [one.seconds for one in crowd.submits],
        crowd.in_browsers,
        looks,
        crowd.broken + [said for tab in crowd.tabs for said in tab.exceptions],
        [said for tab in crowd.tabs for said in tab.errors],
        lost_answers(store, world.session.study.id, crowd.submits),
        len(crowd.submits),
        sum(n for (_, _, state), n in bench.items() if state == "done"),
        sum(run.state == "done" for run in runs),
        [f"{run.title}: {run.reason}" for run in runs if run.state == "failed"]
        + [f"{key}: {n}" for key, n in bench.items() if key[2] == "failed"],
        minutes,
    )


def lost_answers(store: Store, study: str, submits: Sequence[Submit]) -> list[str]:
    """Return what was submitted and is not stored as it was, and what is stored and was not
    submitted.
    """
    stored: dict[tuple[str, str], tuple[int, ...]] = {}
    wrong = []
    for one in store.study_work.answers(study):
        assert isinstance(one.answer, RateAnswer)
        if (one.seat, one.unit) in stored:
            wrong.append(f"{one.seat} {one.unit} is stored twice")
        stored[one.seat, one.unit] = tuple(int(score or 0) for score in one.answer.scores.values())
    for sent in submits:
        kept = stored.pop((sent.seat, sent.unit), None)
        if kept != sent.scores:
            wrong.append(f"{sent.seat} {sent.unit}: sent {sent.scores}, stored {kept}")
    return wrong + [f"{seat} {unit} is stored and was not seen taken" for seat, unit in stored]


def table(found: Measured) -> str:
    """Return all that was measured, as lines to read."""
    lines = [f"{'seconds until drawn':34} {'n':>6} {'p50':>7} {'p95':>7} {'max':>7}"]

    def row(name: str, taken: Sequence[float]) -> None:
        if taken:
            lines.append(
                f"{name:34} {len(taken):>6} {statistics.median(taken):>7.3f} {p95(taken):>7.3f}"
                f" {max(taken):>7.3f}"
            )

    for name, taken in sorted(found.pages.items(), key=lambda one: -p95(one[1])):
        row(name, taken)
    row("ALL PAGES", found.all_pages)
    row("SUBMITS", found.submits)
    row("in browsers, until at rest", found.in_browsers)
    lines.append("")
    for name, taken in sorted(found.parts.items(), key=lambda one: -p95(one[1])):
        row(f"part of {name}", taken)
    mb, load = [one.mb for one in found.looks], os.getloadavg()
    machine = statistics.mean(one.machine for one in found.looks)
    thirds = [mb[len(mb) * n // 3 : len(mb) * (n + 1) // 3] for n in range(3)]
    lines += [
        "",
        f"{found.minutes:g} minutes; memory {mb[0]:.0f} MB at first, {max(mb):.0f} at most,"
        f" {mb[-1]:.0f} at last; by thirds"
        f" {', '.join(f'{statistics.mean(third):.0f}' for third in thirds)};"
        f" {found.growth:+.1f} MB over the last two thirds",
        f"the server used {found.cores:.2f} of {os.cpu_count()} cores; all of the machine"
        f" {machine:.0%}; load at the end {load[0]:.1f}, {load[1]:.1f}, {load[2]:.1f}; of the time"
        f" it had work, its first thread waited {found.kept_waiting:.0%} for a core",
        f"{found.answers} answers submitted, {len(found.lost)} lost or doubled; {found.cells:,}"
        f" cells done; {found.refined} refinements done",
        f"exceptions and broken visits: {len(found.broken)}; errors on screen:"
        f" {len(found.errors)}; failed runs and cells: {len(found.failed)}",
    ]
    said = [*found.broken, *found.lost, *found.failed, *found.errors]
    return "\n".join([*lines, *(f"  {one[:300]}" for one in dict.fromkeys(said))]) + "\n"


def main() -> int:
    """Measure, print and keep the table; returns 0 whatever it says."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=3.0)
    options.add_argument("--to", type=Path, default=ROOT / "crowd.txt")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        said = table(measure(Path(folder), given.minutes))
    given.to.write_text(said)
    print(said)
    return 0


if __name__ == "__main__":
    sys.exit(main())
