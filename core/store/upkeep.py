"""Looking after the data folder: its size, emptying it."""

import shutil

from core.errors import BadInput, StoreFailed, boundary
from core.store import Store
from core.store.policies import FOLDER as POLICIES
from core.store.search_index import WORDS
from core.store.spool import FOLDER
from core.store.trouble import using


def size(store: Store) -> int:
    """Return how many bytes the data folder takes; raises StoreFailed."""
    with boundary(StoreFailed, f"measuring {store.folder}"):
        return sum(path.stat().st_size for path in store.folder.rglob("*") if path.is_file())


def wipe(store: Store) -> None:
    """Empty the database for good; backups in the folder stay. Raises BadInput while a run is
    queued or running, StoreFailed.
    """
    with store.connections.writing() as connection:
        if connection.execute("SELECT 1 FROM runs WHERE state IN ('queued', 'running')").fetchone():
            raise BadInput("A run is still queued or running. Stop it first, then wipe.")
        names = [
            row["name"]
            for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        for name in names:
            # The door's salt tells nothing about anybody; without it whoever wipes would be signed
            # out by it.
            # The index of search empties itself.
            if not name.startswith(("_", "sqlite_", WORDS)) and name != "door":
                connection.execute(f'DELETE FROM "{name}"')
        # What is removed from the index stays in its files until it is made anew.
        connection.execute(f"INSERT INTO {WORDS} ({WORDS}) VALUES ('rebuild')")
    with using(store.folder, "giving the emptied database's space back"):
        shutil.rmtree(store.folder / FOLDER, ignore_errors=True)
        shutil.rmtree(store.folder / POLICIES, ignore_errors=True)
        connection.execute("VACUUM")
        store.connections.empty_log()
