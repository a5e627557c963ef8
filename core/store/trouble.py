"""What to do where the database or its disk refuses: a sentence for each way in which that
happens.
"""

import errno
import os
import pwd
import shlex
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from core.errors import StoreFailed, StoreUnusable, boundary

MAGIC = b"SQLite format 3\0"
BACKUPS = "backups"
"""The folder of backups in the data folder, where no other was chosen."""
LITTLE = 2**20
"""Bytes; with fewer free a disk counts as full."""
LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
FORBIDDEN = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_AUTH,
}
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
CLOSED = (errno.EACCES, errno.EPERM, errno.EROFS)


@contextmanager
def using(path: Path, doing: str) -> Iterator[None]:
    """Turn what SQLite or the disk raises into StoreFailed, with what to do where that is known.

    `path` is the database, or a file or folder beside it.
    """
    with boundary(StoreFailed, doing):
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            if sentence := _sentence(path, error):
                raise StoreUnusable(sentence) from error
            raise


def explained(path: Path, error: sqlite3.Error) -> StoreFailed:
    """Return a write that SQLite refused as what it means to a person."""
    sentence = _sentence(path, error)
    return (
        StoreUnusable(sentence)
        if sentence
        else StoreFailed(f"The database {path} refused a write ({error}).")
    )


def damaged(path: Path, why: str) -> StoreUnusable:
    """Return what to say of a database that cannot be read."""
    return StoreUnusable(
        f"The database {path} is damaged ({why}). Keep it: `sqlite3 foundry.db .recover` on a copy"
        f" saves most of what can be read. {advice(path.parent)}"
    )


def newer(path: Path, unknown: list[str]) -> StoreUnusable:
    """Return what to say of a database that a newer version of the program has changed."""
    return StoreUnusable(
        f"The database {path} was made by a newer version of this program (this one does not know"
        f" {', '.join(unknown)}). Nothing was changed. Start the newer version, or choose another"
        f" data folder with FOUNDRY_DATA. {advice(path.parent)}"
    )


def newest_backup(folder: Path) -> Path | None:
    """Return the backup of a data folder that was written last, as far as it lies there, or
    None.
    """
    copies = [*folder.glob("*.db"), *(folder / BACKUPS).glob("*.db")]
    found = [
        *(path for path in copies if path.name != "foundry.db" and _begins_with(path, MAGIC)),
        *(path for path in (folder / BACKUPS).glob("*.zip") if _begins_with(path, b"PK")),
    ]
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


def advice(folder: Path) -> str:
    """Say how to go back to the newest backup, or that there is none."""
    backup = newest_backup(folder)
    if backup is None:
        return f"There is no backup in {folder}."
    written = datetime.fromtimestamp(backup.stat().st_mtime, UTC).strftime("%Y-%m-%d %H:%M UTC")
    return (
        f"The newest backup is {backup} of {written}: to go back to it, stop the program, run"
        f" `python -m core restore {shlex.quote(str(backup))} --over` on the same data folder, and"
        " start again. Only what was done since then is missing."
    )


def cut_off(path: Path) -> bool:
    """Say whether a database lacks its end: it has fewer pages than it says, and nothing beside it
    that holds the rest.
    """
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        return False
    with path.open("rb") as file:
        head = file.read(100)
    if not head:
        return newest_backup(path.parent) is not None
    if len(head) < 100 or not head.startswith(MAGIC):
        return True
    page, pages = int.from_bytes(head[16:18], "big"), int.from_bytes(head[28:32], "big")
    # Programs before SQLite 3.7 did not keep the number of pages; then these two differ.
    return head[24:28] == head[92:96] and path.stat().st_size < pages * (
        page if page > 1 else 65_536
    )


def _begins_with(path: Path, magic: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(magic)) == magic
    except OSError:
        return False


def _sentence(path: Path, error: sqlite3.Error | OSError) -> str:
    folder = path if path.is_dir() else path.parent
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    number = error.errno if isinstance(error, OSError) else None
    if code in LOCKED:
        return (
            f"The database {path} is locked by another program. Close what has it open, such as a"
            " database browser, or wait until a copy of it that is being made is ready; then try"
            " again, or resume."
        )
    if (
        code == sqlite3.SQLITE_FULL
        or number in FULL
        or (code == sqlite3.SQLITE_IOERR and _free(folder) < LITTLE)
    ):
        return (
            f"The disk that holds {folder} is full ({_free(folder) / 1e6:,.1f} MB free). Make room"
            " there; then try again, or resume. What was stored is kept."
        )
    if code == sqlite3.SQLITE_IOERR or number == errno.EIO:
        return (
            f"The disk that holds {folder} refused to read or write ({error}): your share of it may"
            " be used up, or it may be disconnected or failing. Look after it; then try again, or"
            " resume. What was stored is kept."
        )
    if code in DAMAGED:
        return str(damaged(path, str(error)))
    if code in FORBIDDEN or number in CLOSED:
        return (
            f"{_user()} may not write {path} ({error}). Give that user the right to read and write"
            f" {folder} and everything in it, or choose another data folder with FOUNDRY_DATA. If"
            f" the disk turned read-only by itself, it is failing. {advice(folder)}"
        )
    return ""


def _free(folder: Path) -> int:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return LITTLE


def _user() -> str:
    try:
        return f"The user {pwd.getpwuid(os.geteuid()).pw_name}"
    except KeyError:
        return f"The user {os.geteuid()}"
