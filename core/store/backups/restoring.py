"""Going back to a backup: the data folder as it was when the backup was made. What was there
before is put aside, not removed.
"""

import os
import shutil
import sqlite3
import zipfile
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from core.errors import BadInput, StoreUnusable
from core.records import Record
from core.store.backups.backup import BESIDE, DAMAGE, DATABASE, contents
from core.store.backups.snapshot import UNFINISHED, check_database, check_own, settle
from core.store.connection import PATIENCE
from core.store.event_log import EventLog
from core.store.privacy import FILE, private_file, private_folder
from core.store.spool import FOLDER as SPOOL
from core.store.trouble import LITTLE, LOCKED, MAGIC, using

LOG_FILES = (f"{DATABASE}-wal", f"{DATABASE}-shm", f"{DATABASE}-journal")


class Restored(Record):
    """What a data folder was brought back to, and where what it held before lies now."""

    steps: int
    """Of the schema, which the backup has taken."""
    runs: int
    aside: Path | None


def restore(backup: Path, data: Path, *, over: bool = False) -> Restored:
    """Bring a data folder back to a backup, or to a plain copy of a database.

    Nothing is touched before all of the backup was read and found whole. Raises BadInput where the
    folder holds a database and it is not said that the backup goes `over` it, and while the program
    runs on it; StoreUnusable for a file that is damaged, or of a newer version.
    """
    if not backup.is_file():
        raise BadInput(
            f"There is no file {backup}. `python -m core doctor` says where backups are."
        )
    database = data / DATABASE
    if database.exists() and not over:
        raise BadInput(
            f"{database} is there already. Add --over to go back to {backup.name}; what is there"
            " now is then put aside within the data folder."
        )
    fresh = data / f"restoring{UNFINISHED}"
    with using(data, f"restoring {backup}"):
        private_folder(data)
        shutil.rmtree(fresh, ignore_errors=True)  # Of one that was killed.
        private_folder(fresh)
        try:
            _unpack(backup, fresh)
            steps, runs = check_database(fresh / DATABASE), _count_runs(fresh / DATABASE)
            check_own(fresh / DATABASE)
            _let_go(fresh / DATABASE)
            aside = _exchange(fresh, data)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    EventLog(data).tell("backup.restored", runs=runs, steps=len(steps))
    return Restored(steps=len(steps), runs=runs, aside=aside)


def _unpack(backup: Path, fresh: Path) -> None:
    with backup.open("rb") as file:
        plain = file.read(len(MAGIC)) == MAGIC
    # A program that did not end properly leaves its last writes beside the database.
    beside = {tail: backup.with_name(backup.name + tail) for tail in ("", "-wal", "-journal")}
    copied = {tail: path for tail, path in beside.items() if plain and path.is_file()}
    need = sum(path.stat().st_size for path in copied.values())
    if not plain:
        contents(backup)
        with zipfile.ZipFile(backup) as packed:
            need = sum(entry.file_size for entry in packed.infolist())
    if (free := shutil.disk_usage(fresh).free) < need + LITTLE:
        raise StoreUnusable(
            f"{backup.name} takes {need / 1e6:,.0f} MB, and the disk that holds {fresh.parent} has"
            f" {free / 1e6:,.0f} MB free. Make room there; nothing was changed."
        )
    if plain:
        for tail, path in copied.items():
            copy = fresh / (DATABASE + tail)
            shutil.copyfile(path, copy, follow_symlinks=True)
            copy.chmod(FILE)
        if len(copied) > 1:
            _take_in_last_writes(fresh / DATABASE)
        return
    try:
        with zipfile.ZipFile(backup) as packed:
            for entry in packed.infolist():
                name = PurePosixPath(entry.filename)
                if name.parts and name.parts[0] in (DATABASE, *BESIDE):
                    _take_out(packed, entry, fresh, name)
    except DAMAGE as error:
        raise StoreUnusable(f"{backup} is damaged ({error}). Nothing was changed.") from error


def _take_in_last_writes(database: Path) -> None:
    """Bring what stands beside a database into it; raises StoreUnusable where that cannot be."""
    try:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error as error:
        raise StoreUnusable(
            f"What stands beside the copy cannot be taken into it ({error}). Copy the folder again"
            " while the program does not run, or restore a backup. Nothing was changed."
        ) from error
    for name in LOG_FILES:
        database.with_name(name).unlink(missing_ok=True)


def _take_out(
    packed: zipfile.ZipFile, entry: zipfile.ZipInfo, fresh: Path, name: PurePosixPath
) -> None:
    if entry.is_dir() or ".." in name.parts:
        return
    target = fresh.joinpath(*name.parts)
    for folder in reversed(target.relative_to(fresh).parents[:-1]):
        private_folder(fresh / folder)
    private_file(target)
    with packed.open(entry) as source, target.open("wb") as file:
        shutil.copyfileobj(source, file, 2**20)
        file.flush()
        os.fsync(file.fileno())


def _count_runs(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM runs").fetchone()[0])


def _let_go(path: Path) -> None:
    """Have nobody at work on the runs of a database: whoever was, is on the one it is a copy of,
    and may go on there for long.
    """
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE runs SET owner = NULL WHERE state IN ('queued', 'running')")


def _exchange(fresh: Path, data: Path) -> Path | None:
    """Put what a data folder holds aside and the backup in its place; return where it was put.

    At each moment there is a database: a power cut leaves the one or the other.
    """
    gate_file = data / "foundry.gate"
    private_file(gate_file)
    with closing(sqlite3.connect(gate_file, timeout=PATIENCE)) as gate:
        gate.execute("BEGIN EXCLUSIVE")  # No other process opens the database meanwhile.
        aside = None
        there = [name for name in (DATABASE, *LOG_FILES) if (data / name).exists()]
        if DATABASE in there:
            _keep_out_those_at_work(data / DATABASE)
        if there:
            aside = data / f"replaced-{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}"
            private_folder(aside)
            if DATABASE in there:
                _link(data / DATABASE, aside / DATABASE)
            # Also the log of a database that is gone: SQLite would write it over the restored one.
            for name in LOG_FILES:
                with suppress(FileNotFoundError):
                    (data / name).rename(aside / name)
        # Answers that are not in the database belong to the one that is put aside. Weights stay
        # where a backup has none: it is a copy of the database alone.
        for name in (one for one in BESIDE if one == SPOOL or (fresh / one).exists()):
            if (data / name).exists():
                aside = aside or data / f"replaced-{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}"
                private_folder(aside)
                (data / name).rename(aside / name)
            if (fresh / name).exists():
                (fresh / name).rename(data / name)
        settle(fresh / DATABASE, data / DATABASE)
    return aside


def _keep_out_those_at_work(database: Path) -> None:
    """Raise BadInput while a process has the database open: only alone it can leave WAL mode."""
    try:
        with closing(sqlite3.connect(database, timeout=1.0)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in LOCKED:
            raise BadInput(
                f"The program, or another one, has {database} open. Stop it first, then restore."
            ) from error
        # It is damaged, which may be why somebody restores.


def _link(path: Path, target: Path) -> None:
    """Give a file a second name, or copy it where the file system knows no such thing."""
    try:
        os.link(path, target)
    except OSError:
        shutil.copy2(path, target)
