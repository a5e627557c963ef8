"""One SQLite connection per thread at a time; writes start with BEGIN IMMEDIATE."""

import json
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakSet

from core.errors import StoreFailed, StoreUnusable
from core.memory import whole
from core.records import Record
from core.store import migrations
from core.store.backups.snapshot import copy_database, steps_taken
from core.store.event_log import EventLog
from core.store.privacy import private_file, private_folder, tighten
from core.store.trouble import BACKUPS, advice, cut_off, damaged, explained, newer, using

PATIENCE = 30.0
"""Seconds to wait for a database that another program has locked: as long as a lease is good
without a heartbeat (core/runs/leases.py).
"""
IN_LINE = 10.0
"""Seconds to wait for other threads of this process before that; then SQLite says who has it."""

BRIEF, AGAIN = 0.05, 0.25
"""Seconds that readers are waited for with all writers kept out, and seconds until it is tried
again.
"""

Row = dict[str, Any]
T = TypeVar("T", bound=Record)
Made = TypeVar("Made")
AMONG = "IN (SELECT value FROM json_each(?))"
"""A column is one of a list that is given as JSON: there may be any number."""


def now() -> str:
    """Return this moment in UTC, ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def mended(text: str) -> str:
    """Return text as it can be stored: halves of surrogate pairs joined (a stream may part them),
    those left alone replaced, and NUL too, at which SQLite's own functions end a text.
    """
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return joined.replace("\0", "\ufffd")


def narrow(
    where: str, values: Sequence[object], more: Mapping[str, object]
) -> tuple[str, list[object]]:
    """Add every further condition whose value is not None, and return all with their values."""
    wanted = {condition: value for condition, value in more.items() if value is not None}
    return " AND ".join((where, *wanted)), [*values, *wanted.values()]


def dump(values: Sequence[object] | None) -> str | None:
    """Return values as AMONG takes them; None, which is no condition, stays None."""
    return None if values is None else json.dumps(list(values))


_HERE: "WeakSet[Connections]" = WeakSet()
IDLE = 16
"""Connections of threads that have ended, kept for those to come: a run has hundreds, and to open
one (and read the schema) takes longer than most of what it is opened for.
"""


CACHE = 512
"""Thousands of bytes of the database that one connection keeps: there are dozens, and what one has
let go of the system still holds for all of them.
"""


class _Lent:
    """A thread's connection, handed on as the thread ends."""

    def __init__(self, connection: sqlite3.Connection, idle: list[sqlite3.Connection]):
        self.connection, self._idle = connection, idle

    def __del__(self) -> None:
        with suppress(sqlite3.Error):  # Of one that is closed, or on a disk that fails.
            self.connection.rollback()
            if len(self._idle) < IDLE:
                self._idle.append(self.connection)
            else:
                self.connection.close()


def _folded(said: object) -> str:
    """Return a text without capitals, of whatever script; empty for what is no text."""
    return said.casefold() if isinstance(said, str) else ""


class _Writers:
    """The threads of this process that want to write, first come first served.

    SQLite has whoever finds another at work look again after a while, up to 0.1 s: with many at
    work somebody is passed over for half a minute, and told that the database is locked.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._taken = False

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the turn; who does not get it within IN_LINE goes on without it, and is told by
        SQLite what is the matter.
        """
        held = self._take()
        try:
            yield
        finally:
            if held:
                self._pass_on()

    def _take(self) -> bool:
        called = threading.Event()
        with self._guard:
            if not self._taken:
                self._taken = True
                return True
            self._waiting.append(called)
        try:
            called.wait(IN_LINE)
        except BaseException:  # Ctrl+C: nobody else may wait for who is gone.
            if not self._give_up(called):
                self._pass_on()
            raise
        return not self._give_up(called)

    def _give_up(self, called: threading.Event) -> bool:
        """Leave the line; False where the turn had come."""
        with self._guard:
            waited = called in self._waiting
            if waited:
                self._waiting.remove(called)
            return waited

    def _pass_on(self) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._taken = False


class Connections:
    """Opens the database once per thread and lends the connection out for one read or one write."""

    def __init__(self, path: Path, log: EventLog | None = None):
        self.path, self._log = path, log or EventLog(path.parent)
        self._local = threading.local()
        self._writers = _Writers()
        self._idle: list[sqlite3.Connection] = []
        with using(path, f"opening the database {path}"):
            private_folder(path.parent)
            tighten(path.parent)
            self._migrate()

    def _migrate(self) -> None:
        # A second process that starts at the same moment is kept out, by an exclusive lock file of
        # SQLite's own, from the look at what is missing until it is there.
        gate_file = self.path.with_suffix(".gate")
        private_file(gate_file)
        gate = sqlite3.connect(gate_file, timeout=2 * PATIENCE)
        try:
            gate.execute("BEGIN EXCLUSIVE")
            if self.path.exists() and not self._open_here() and cut_off(self.path):
                raise damaged(self.path, "it is cut off, or no database")
            _HERE.add(self)
            private_file(self.path)
            self._bring_up_to_date()
        finally:
            gate.close()

    def _open_here(self) -> bool:
        """Say whether this process has the database open: then nothing but SQLite may open and
        close its file.

        POSIX takes every lock of a process on a file away as it closes the file once. Another
        process would then find the database unused and remove its log, with what is written there
        from then on.
        """
        return any(other.path.exists() and other.path.samefile(self.path) for other in list(_HERE))

    def _bring_up_to_date(self) -> None:
        """Take the steps of the schema that the database lacks, all or none, after a copy of it was
        made; raises StoreUnusable, and changes nothing, where a newer version of the program has
        been at work, and where a step fails.
        """
        with closing(sqlite3.connect(self.path, timeout=PATIENCE)) as connection:
            taken = steps_taken(connection)
            if unknown := sorted(set(taken) - migrations.STEPS.keys()):
                raise newer(self.path, unknown)
            if not migrations.STEPS.keys() - set(taken):
                return
            if taken:
                # One for each state of the schema, so that a program that is started again and
                # again, and fails each time, does not fill the disk.
                private_folder(self.path.parent / BACKUPS)
                copy_database(connection, self._before(taken[-1]))
        began = time.monotonic()
        try:
            migrations.apply(self.connection)
            self.connection.execute("PRAGMA secure_delete=ON")
        except Exception as error:
            if isinstance(error, sqlite3.Error):
                known = explained(self.path, error)
                if isinstance(known, StoreUnusable):  # Locked, or its disk full: that passes.
                    raise known from error
            raise StoreUnusable(
                f"The database {self.path} could not be brought up to date"
                f" ({type(error).__name__}: {error}). Nothing was changed. Start the version of the"
                f" program that was used before, or choose another data folder with FOUNDRY_DATA."
                f" {advice(self.path.parent)}"
            ) from error
        if taken:
            newest, took = list(migrations.STEPS)[-1], round(time.monotonic() - began, 3)
            self._log.tell("store.updated", before=taken[-1], now=newest, seconds=took)

    def _before(self, step: str) -> Path:
        """Return where the copy lies that was made before steps after this one were taken."""
        number, _, _ = step.partition("_")
        return self.path.parent / BACKUPS / f"before-update-from-{number}.db"

    @property
    def connection(self) -> sqlite3.Connection:
        """The calling thread's own connection."""
        lent: _Lent | None = getattr(self._local, "lent", None)
        if lent is None:
            try:
                connection = self._idle.pop()
            except IndexError:
                connection = self._open()
            lent = self._local.lent = _Lent(connection, self._idle)
        return lent.connection

    def fresh(self) -> sqlite3.Connection:
        """Open a connection that is the caller's to close: for what takes long."""
        return self._open()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=PATIENCE, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        # What is erased is gone from the file, too; a step of the schema turns it off at its end.
        connection.execute("PRAGMA secure_delete=ON")
        connection.execute(f"PRAGMA cache_size=-{CACHE}")
        connection.row_factory = sqlite3.Row
        # SQLite's own `lower` knows no letters but English ones.
        connection.create_function("folded", 1, _folded, deterministic=True)
        return connection

    def empty_log(self) -> None:
        """Write what the log holds into the database and empty it, for what must be gone from both.

        Whoever reads meanwhile (a backup reads all) is waited for, up to PATIENCE, and others may
        write in that time. Not within a transaction. Raises StoreFailed where somebody still reads
        then.
        """
        end = time.monotonic() + PATIENCE
        with using(self.path, "emptying the database's log"), closing(self._open()) as connection:
            connection.execute(f"PRAGMA busy_timeout={BRIEF * 1000:.0f}")
            while connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                if time.monotonic() > end:
                    raise StoreFailed(
                        "What was erased is gone from the database, but not yet from the log beside"
                        f" it: something has been reading the database for {PATIENCE:.0f} s,"
                        " perhaps a backup. It is gone from there once the server was stopped."
                    )
                time.sleep(AGAIN)

    def rows(self, sql: str, *values: object) -> list[Row]:
        """Run a query and return its rows; raises StoreFailed."""
        with using(self.path, "reading the database"):
            return [dict(row) for row in self.connection.execute(sql, values).fetchall()]

    def row(self, sql: str, *values: object) -> Row | None:
        """Run a query and return its first row, or None; raises StoreFailed."""
        found = self.rows(sql, *values)
        return found[0] if found else None

    def tuples(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a query and return its rows as plain tuples; raises StoreFailed."""
        with using(self.path, "reading the database"):
            cursor = self.connection.cursor()
            cursor.row_factory = None
            return cursor.execute(sql, values).fetchall()

    def column(self, sql: str, *values: object) -> list[Any]:
        """Run a query and return the first column of its rows; raises StoreFailed."""
        return [row[0] for row in self.tuples(sql, *values)]

    def value(self, sql: str, *values: object) -> Any | None:
        """Run a query and return the first column of its first row, or None; raises StoreFailed."""
        return next(iter(self.column(sql, *values)), None)

    def number(self, sql: str, *values: object) -> int:
        """Run a query that counts or adds up and return what it finds; raises StoreFailed."""
        return int(self.value(sql, *values) or 0)

    def build(self, kind: Callable[..., Made], sql: str, *values: object) -> list[Made]:
        """Return what `kind` makes of each row, its columns taken by name; raises StoreFailed."""
        return [kind(**row) for row in self.rows(sql, *values)]

    def records(self, kind: type[T], sql: str, *values: object) -> list[T]:
        """Return the records whose JSON a query finds in its first column; raises StoreFailed."""
        return [kind.model_validate_json(data) for data in self.column(sql, *values)]

    def record(self, kind: type[T], sql: str, *values: object) -> T | None:
        """Return the first of `records`, or None; raises StoreFailed."""
        return next(iter(self.records(kind, sql, *values)), None)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Hold the write lock from the first statement on: read-then-write cannot fail half way
        (stack.md, 5).
        """
        with whole(), self._writing() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with using(self.path, "starting to write to the database"):
            connection = self.connection
        if connection.in_transaction:
            yield connection
            return
        with self._writers.turn():
            with using(self.path, "starting to write to the database"):
                connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.commit()
            except sqlite3.Error as error:
                connection.rollback()
                raise explained(self.path, error) from error
            except BaseException:
                connection.rollback()
                raise

    def write(self, sql: str, *values: object) -> int:
        """Run one statement in its own transaction and return the number of rows it touched."""
        with self.writing() as connection:
            return connection.execute(sql, values).rowcount

    def write_all(self, sql: str, rows: Iterable[tuple[object, ...]]) -> int:
        """Run one statement for each of these rows in one transaction and return the number of
        rows it touched.
        """
        with self.writing() as connection:
            return connection.executemany(sql, rows).rowcount
