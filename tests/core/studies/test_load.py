"""Many experts at once: 16 processes lose nothing and store nothing twice, a killed one keeps what
it was told, and a plain BEGIN would not do.
"""

import multiprocessing
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from core.errors import FoundryError, Outdated
from core.store import Store
from core.studies import sitting
from tests.support.sessions import studies_kit as kit

EXPERTS, TABS, UNITS, OVERLAP = 8, 2, 32, 3
EACH = UNITS * OVERLAP // EXPERTS
PAUSE = 0.001
"""Seconds between the first look and the first write of a transaction: what takes its chance to go
wrong then has one.
"""
THINKING = 0.01
"""Seconds between opening a unit and answering it, so that both tabs of an expert often have the
same one open.
"""
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.support.sessions.studies_kit"])


@pytest.fixture(autouse=True)
def _neutral_main(monkeypatch):
    # AppTest leaves its last page behind as the main module, and every process that starts here
    # would run it.
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))


class Tab(NamedTuple):
    """What one tab was told: keys filed, how often another tab was quicker, and what failed."""

    filed: tuple[tuple[str, str], ...]
    """Unit and key of every answer acknowledged as new."""
    again: int
    outdated: int
    failed: str


class Slow(sqlite3.Connection):
    """A connection that takes a moment between looking and writing."""

    begin = "BEGIN IMMEDIATE"

    def execute(self, sql: str, *values: object) -> sqlite3.Cursor:  # type: ignore[override]
        found = super().execute(self.begin if sql == "BEGIN IMMEDIATE" else sql, *values)
        if self.in_transaction and sql.startswith("SELECT seat_units.*"):
            time.sleep(PAUSE)
        return found


class Plain(Slow):
    """The same, with a transaction that takes the write lock when it first writes."""

    begin = "BEGIN"


@contextmanager
def connecting(kind: type[sqlite3.Connection]) -> Iterator[None]:
    connect = sqlite3.connect
    sqlite3.connect = lambda *given, **named: connect(*given, **named, factory=kind)
    try:
        yield
    finally:
        sqlite3.connect = connect


def tab(folder: Path, secret: str, name: str, kind: type[sqlite3.Connection], start: float) -> Tab:
    """Answer what is next until nothing is, every submit sent twice at the same moment under one
    key.
    """
    filed, again, outdated = [], 0, 0
    with connecting(kind), ThreadPoolExecutor(2) as twice:
        try:
            store = Store(folder)
            here = sitting.enter(store, secret)
            time.sleep(max(0.0, start - time.time()))
            for n in count():
                if (one := sitting.upcoming(store, here)) is None:
                    return Tab(tuple(filed), again, outdated, "")
                shown = sitting.show(store, here, one.unit)
                if shown.assignment.done:
                    continue  # The other tab was quicker than the look.
                time.sleep(THINKING)
                sent = [
                    twice.submit(kit.say, store, here, shown, None, f"{name}-{n}") for _ in range(2)
                ]
                try:
                    new = [one.result().new for one in sent]
                except Outdated:
                    outdated += 1
                    continue
                assert sorted(new) == [False, True], "one key was filed as new twice, or never"
                filed.append((one.unit, f"{name}-{n}"))
                again += 1
        except (FoundryError, sqlite3.Error, AssertionError) as error:
            return Tab(tuple(filed), again, outdated, f"{type(error).__name__}: {error}")
    raise AssertionError


def held(store: Store) -> kit.Held:
    session = kit.opened(
        store, experts=EXPERTS, texts=UNITS, overlap=OVERLAP, repeats=0, attention=0
    )
    for n in range(EXPERTS):
        session.at_work(n)
    return session


def worked(session: kit.Held, kind: type[sqlite3.Connection]) -> list[Tab]:
    """Let every expert work in two tabs, each a process of its own."""
    start = time.time() + 1.0  # All of them at once, however long each takes to start.
    with ProcessPoolExecutor(EXPERTS * TABS, mp_context=PROCESSES) as pool:
        tabs = [
            pool.submit(tab, session.store.folder, session.secret(n), f"{n}-{k}", kind, start)
            for n in range(EXPERTS)
            for k in range(TABS)
        ]
        return [one.result() for one in tabs]


def nothing_lost_or_doubled(session: kit.Held, tabs: list[Tab]) -> None:
    assert [one.failed for one in tabs if one.failed] == []
    answers = session.store.study_work.answers(session.study.id)
    told = {
        (session.seats[n // TABS].id, unit, key)
        for n, one in enumerate(tabs)
        for unit, key in one.filed
    }
    assert {(one.seat, one.unit, one.key) for one in answers} == told, (
        "an answer that was acknowledged is lost, or one that was not is there"
    )
    assert len(answers) == len(told) == UNITS * OVERLAP
    assert set(Counter(one.unit for one in answers).values()) == {OVERLAP}
    assert set(Counter(one.seat for one in answers).values()) == {EACH}
    assert {(one.version, one.stage) for one in session.store.study_work.all(session.study.id)} == {
        (1, 1)
    }


@pytest.fixture
def session(tmp_path: Path) -> kit.Held:
    return held(Store(tmp_path))


def test_sixteen_processes_lose_nothing_and_store_nothing_twice(session):
    tabs = worked(session, Slow)
    nothing_lost_or_doubled(session, tabs)
    assert sum(one.outdated for one in tabs) > 0, "the tabs never met: the test shows nothing"
    assert {seat.step for seat in session.store.seats.of(session.study.id)} == {"afterwards"}


def test_a_plain_begin_would_not_do(session):
    tabs = worked(session, Plain)
    with pytest.raises(AssertionError):
        nothing_lost_or_doubled(session, tabs)
    assert any("is locked" in one.failed for one in tabs)


# -- killed ------------------------------------------------------------------------------------


def submits(folder: Path, secret: str, first: int, told: Connection) -> None:
    """Revise units without end, and say so after each acknowledgement."""
    store = Store(folder)
    here = sitting.enter(store, secret)
    for n in count(first):
        shown = sitting.show(store, here, sitting.listed(store, here)[n % EACH].unit)
        kit.say(store, here, shown, key=f"k{n}")
        told.send(n)


def test_a_process_killed_among_submits_loses_nothing_it_was_told(session):
    acknowledged: list[int] = []
    for kill_after in (1, 3, 7, 20, 31):
        mine, theirs = PROCESSES.Pipe(duplex=False)
        child = PROCESSES.Process(
            target=submits,
            args=(session.store.folder, session.secret(), 100 * len(acknowledged), theirs),
        )
        child.start()
        theirs.close()
        for _ in range(kill_after):
            assert mine.poll(20), "the process files nothing"
            acknowledged.append(mine.recv())
        child.kill()
        child.join()
        while mine.poll():  # What it still said before it died.
            try:
                acknowledged.append(mine.recv())
            except (EOFError, OSError):
                break
    answers = session.store.study_work.answers(session.study.id)
    keys = Counter(one.key for one in answers)
    assert {f"k{n}" for n in acknowledged} <= set(keys)
    assert set(keys.values()) == {1}
    assert len(keys) - len(acknowledged) <= 5, "at most one a kill was filed and not told"
    versions = {one.unit: one.version for one in session.store.study_work.of(session.seats[0].id)}
    assert {unit: n for unit, n in versions.items() if n} == Counter(one.unit for one in answers), (
        "an answer without its version, or the other way round"
    )
    assert session.store.connections.row("PRAGMA integrity_check") == {"integrity_check": "ok"}
    assert kit.work_through(session.store, session.at_work()) == sum(
        not n for n in versions.values()
    ), "the next one at this seat goes on"
