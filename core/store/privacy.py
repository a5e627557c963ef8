"""Whose the data folder is: nobody's but the user's who runs the program, whatever the umask
says.
"""

import logging
import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from core.errors import StoreUnusable

log = logging.getLogger("foundry.store")
FOLDER, FILE = 0o700, 0o600
OWN = (
    *("foundry.db*", "foundry.gate*", "foundry.backup", "spool", "spool/**/*"),
    *("policies", "policies/**/*", "backups", "backups/*", "replaced-*", "logs", "logs/*"),
)
"""What the program makes under these names alone; backups are named by people."""
NAMES = re.compile(r"\w[\w.+-]{0,199}")
BACKUPS = ("*.db", "*.db-wal", "*.db-shm", "*.db-journal", "*.db.part")


def private_folder(folder: Path) -> None:
    """Make a folder that only its owner may enter, if it is not there; raises OSError."""
    folder.mkdir(mode=FOLDER, parents=True, exist_ok=True)


def within(folder: Path, name: str) -> Path:
    """Return what is called so in a folder. Raises StoreUnusable for a name that leads out of it:
    a database that others made may have a run of any name.
    """
    if not NAMES.fullmatch(name):
        raise StoreUnusable(
            f"{name[:80]!r} in the database is no name of a folder. Somebody else made this"
            " database; use another one, or a backup of your own."
        )
    return folder / name


def private_file(path: Path) -> None:
    """Make an empty file that only its owner may read, if it is not there; raises OSError.

    SQLite gives the files that it makes beside a database the rights of the database. An existing
    file is not touched: to close it would take from this process every lock that SQLite holds on
    it.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, FILE))


def tighten(folder: Path) -> None:
    """Remove other users' permissions on the data folder and its files; warn if there were any."""
    shared = _shared(folder)
    if not shared and folder.stat().st_uid != os.geteuid():
        log.warning(
            "The data folder %s belongs to another user of this machine, who can exchange the files"
            " in it. Choose a folder of your own with FOUNDRY_DATA.",
            folder,
        )
    paths = [*([] if shared else [folder]), *_kept(folder, OWN if shared else (*OWN, *BACKUPS))]
    found = [path for path in paths if _open_to_others(path)]
    refused = [path for path in found if not _take_away(path)]
    if mended := [path for path in found if path not in refused]:
        log.warning(
            "Other users of this machine could reach %s. Now only the user who runs this program"
            " can.",
            _named(mended),
        )
    if refused:
        log.warning(
            "Other users of this machine can reach %s, and the rights could not be changed. Give"
            " the data folder to the user who runs this program, with rights 700.",
            _named(refused),
        )
    if shared and _open_to_others(folder):
        log.warning(
            "The data folder %s is open to other users of this machine, and is left so, since"
            " others keep things there. Choose a folder of its own with FOUNDRY_DATA.",
            folder,
        )


def _shared(folder: Path) -> bool:
    """Say whether a folder is for more than this program: a home, the root, or one where all may
    write, as /tmp.
    """
    return folder.resolve() in (Path.home(), Path("/")) or bool(
        folder.stat().st_mode & stat.S_ISVTX
    )


def _kept(folder: Path, patterns: tuple[str, ...]) -> Iterator[Path]:
    for path in dict.fromkeys(
        path for pattern in patterns for path in sorted(folder.glob(pattern))
    ):
        if not path.is_symlink():
            yield path


def _open_to_others(path: Path) -> bool:
    try:
        return bool(path.stat().st_mode & 0o077)
    except FileNotFoundError:  # SQLite takes its files away as the last connection is closed.
        return False


def _take_away(path: Path) -> bool:
    try:
        path.chmod(path.stat().st_mode & 0o700)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _named(paths: list[Path]) -> str:
    rest = f" and {len(paths) - 5} more" if len(paths) > 5 else ""
    return ", ".join(map(str, paths[:5])) + rest
