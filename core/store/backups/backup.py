"""Backups: everything a run needs in one file, made while the program is in use, checked by
opening it, and kept for some days.

One ZIP, since the database is not all: answers that came and are not in it yet (`spool`), trained
policies and checkpoints of trainings lie beside it. Nothing else is in it: no keys, no logs, and
not the base models, which are downloaded again. What is in it can be taken out by any program.
"""

import fcntl
import json
import lzma
import os
import re
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO

from core import VERSION
from core.errors import BadInput, StoreUnusable
from core.records import Record
from core.store import Store
from core.store.backups.snapshot import UNFINISHED, check_database, check_own, copy_database, settle
from core.store.policies import FOLDER as POLICIES
from core.store.privacy import FILE, private_file, private_folder
from core.store.runs import TRAININGS
from core.store.spool import FOLDER as SPOOL
from core.store.trouble import BACKUPS, using

DATABASE, ABOUT = "foundry.db", "backup.json"
BESIDE = (SPOOL, POLICIES, TRAININGS)
"""The folders beside the database that runs need."""
PACKED_ALREADY = (".safetensors", ".gguf", ".pt", ".bin")
_NAME = re.compile(r"foundry-(\d{4}-\d\d-\d\dT\d{6}Z)\.zip")
_LEFT = "foundry-*" + UNFINISHED
DAMAGE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError)
"""What reading a damaged ZIP raises, or one that is locked or packed in another way."""
LARGEST_ABOUT = 1_000_000
"""Bytes that what a backup says of itself may have; it has about one thousand."""
MOST_FILES = 10_000
"""Files a backup may hold."""
DEEPEST = 12
"""Folders in one another, with the file; a checkpoint's lie four deep."""
LONGEST_NAME = 200
"""Bytes of a file's or a folder's name: file systems end at 255."""
LEAST = 7
"""Backups that stay, however old they are: a clock may be wrong for days."""
QUICK = 1
"""Of zlib's levels: of a gigabyte it takes seconds, and text shrinks to a quarter."""


class Backup(Record):
    """A backup that is there; `made` in UTC, `size` in bytes."""

    path: Path
    made: datetime
    size: int


def place(store: Store, chosen: Path | None) -> Path:
    """Return the folder of backups: the one that was chosen, else the one in the data folder."""
    return chosen or store.folder / BACKUPS


def listed(folder: Path) -> list[Backup]:
    """Return the backups in a folder, newest first; raises StoreFailed."""
    with using(folder, f"looking for backups in {folder}"):
        found = []
        for path in folder.glob("foundry-*.zip"):
            if match := _NAME.fullmatch(path.name):
                made = datetime.strptime(match[1], "%Y-%m-%dT%H%M%SZ").replace(tzinfo=UTC)
                found.append(Backup(path=path, made=made, size=path.stat().st_size))
    return sorted(found, key=lambda one: one.made, reverse=True)


def make(store: Store, folder: Path, keep: int | None = None) -> Backup:
    """Write a backup into a folder while the program is in use, and return it once it was opened
    and found whole. Of the others those go that are more than `keep` days older than the one before
    it; the newest seven stay, however old they are.

    Raises BadInput while another backup is being written, StoreFailed.
    """
    moment, began = datetime.now(UTC).replace(microsecond=0), time.monotonic()
    target = folder / f"foundry-{moment:%Y-%m-%dT%H%M%SZ}.zip"
    with using(folder, f"writing the backup {target}"), _alone(store):
        private_folder(folder)
        for left in folder.glob(_LEFT):  # Of a process that was killed.
            left.unlink(missing_ok=True)
        unfinished = target.with_name(target.name + UNFINISHED)
        copied = folder / f"{target.stem}.db{UNFINISHED}"
        try:
            with open(unfinished, "wb", opener=_private) as file:
                _write(store, file, copied, moment)
            _check(unfinished)
            settle(unfinished, target)
        finally:
            for path in (unfinished, copied):
                path.unlink(missing_ok=True)
    made = Backup(path=target, made=moment, size=target.stat().st_size)
    gone = list[Path]()
    if keep is not None:
        gone = forget(folder, _before(folder, moment) - timedelta(days=keep), LEAST)
    seconds = round(time.monotonic() - began, 3)
    store.log.tell("backup.made", bytes=made.size, seconds=seconds, removed=len(gone))
    return made


def _before(folder: Path, moment: datetime) -> datetime:
    """Return when the backup before the one of a moment was made, and the moment without one."""
    # Days are counted from there: a clock that is wrong would else take all others away at once.
    return next((one.made for one in listed(folder) if one.made < moment), moment)


def forget(folder: Path, before: datetime, least: int = 1) -> list[Path]:
    """Remove the backups made before a moment, but never the newest, at least so many, and return
    them; raises StoreFailed.
    """
    gone = [one.path for one in listed(folder)[least:] if one.made < before]
    with using(folder, f"removing old backups in {folder}"):
        for path in gone:
            path.unlink(missing_ok=True)
    return gone


def contents(path: Path) -> dict[str, object]:
    """Return what a backup says of itself: `program` (its version), `made` (UTC), `steps` (of the
    schema). Raises StoreUnusable for a file that is none, or not whole, and for one with files
    that no backup has.
    """
    try:
        with zipfile.ZipFile(path) as packed:
            _check_packing(packed)
            if packed.getinfo(ABOUT).file_size > LARGEST_ABOUT:
                raise ValueError(f"{ABOUT} is larger than 1 MB")
            about = json.loads(packed.read(ABOUT))
            packed.getinfo(DATABASE)
            _check_names(packed)
    except RecursionError:
        raise StoreUnusable(f"{_none(path)} ({ABOUT} lies in itself too deeply).") from None
    except (*DAMAGE, KeyError, ValueError, OSError) as error:
        raise StoreUnusable(f"{_none(path)} ({error}).") from error
    if not isinstance(about, dict) or not {"program", "made", "steps"} <= about.keys():
        raise StoreUnusable(f"{_none(path)} ({ABOUT} does not say what made it, and when).")
    return about


def _none(path: Path) -> str:
    return f"{path} is no backup of this program, or not a whole one"


def _check_packing(packed: zipfile.ZipFile) -> None:
    """Raise ValueError for a file that is packed as no backup's is: of the ways there are, only
    these two unpack no more than is read.
    """
    for entry in packed.infolist():
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError("a file in it is packed in a way that no backup's is")


def _check_names(packed: zipfile.ZipFile) -> None:
    """Raise ValueError for more files, or other names of files, than a backup has."""
    if (count := len(packed.infolist())) > MOST_FILES:
        raise ValueError(f"it holds {count:,} files, and {MOST_FILES:,} are the most")
    for name in packed.namelist():
        parts = name.split("/")
        if len(parts) > DEEPEST:
            raise ValueError(f"a file lies more than {DEEPEST} folders deep")
        if not name.isprintable() or "\\" in name:
            raise ValueError("a file's name has signs that no name in a backup has")
        if any(len(part.encode()) > LONGEST_NAME for part in parts):
            raise ValueError(f"a file's name is longer than {LONGEST_NAME} bytes")


@contextmanager
def _alone(store: Store) -> Iterator[None]:
    """Keep all other backups out, of other processes too; the system ends it where this one is
    killed.
    """
    lock = store.folder / "foundry.backup"
    private_file(lock)
    with lock.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadInput("Another backup is being written. Wait until it is ready.") from None
        yield


def _write(store: Store, file: IO[bytes], copied: Path, moment: datetime) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=QUICK) as packed:
        # Before the database: an answer that gets into it meanwhile is there twice, and taken once.
        # The other way round it would be nowhere.
        for folder in BESIDE:
            for path in sorted((store.folder / folder).rglob("*")):
                _add(packed, path, path.relative_to(store.folder).as_posix())
        with closing(store.connections.fresh()) as source:
            copy_database(source, copied)
        steps = check_database(copied)
        check_own(copied)  # Or it could not be restored.
        _add(packed, copied, DATABASE)
        about = {"program": VERSION, "made": moment.isoformat(), "steps": steps}
        packed.writestr(ABOUT, json.dumps(about, indent=1))
    file.flush()


def _add(packed: zipfile.ZipFile, path: Path, name: str) -> None:
    """Add a file; one that its worker takes away meanwhile is settled, and left out."""
    if path.is_symlink() or not path.is_file():
        return
    how = zipfile.ZIP_STORED if path.suffix in PACKED_ALREADY else zipfile.ZIP_DEFLATED
    try:
        packed.write(path, name, compress_type=how)
    except FileNotFoundError:
        return


def _check(path: Path) -> None:
    """Read a backup from its first byte to its last; raises StoreUnusable where it is not as it was
    written.
    """
    contents(path)
    try:
        with zipfile.ZipFile(path) as packed:
            broken = packed.testzip()
    except DAMAGE as error:
        broken = str(error)
    if broken:
        raise StoreUnusable(
            f"The backup cannot be read back ({broken}): the disk that holds {path.parent} may be"
            " failing. What was written was removed; look after the disk."
        )


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, FILE)
