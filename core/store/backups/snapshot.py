"""A copy of the database as it is at one moment, taken while it is in use, and checked."""

import json
import os
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from urllib.parse import quote

from core.errors import StoreUnusable
from core.store import migrations
from core.store.privacy import private_file
from core.store.trouble import MAGIC, newer, using

ACTING = """
SELECT name, sql FROM sqlite_master m WHERE type IN ('trigger', 'view')
OR type = 'table' AND CASE
    WHEN rootpage = 0 OR lower(name) IN (SELECT value FROM json_each(:tables))
    THEN 1 ELSE EXISTS (SELECT 1 FROM pragma_table_xinfo(m.name) WHERE hidden) END
OR type = 'index' AND sql IS NOT NULL AND
    (EXISTS (SELECT 1 FROM pragma_index_xinfo(m.name) WHERE cid = -2)
    OR EXISTS (SELECT 1 FROM pragma_index_list(m.tbl_name) i WHERE i.name = m.name
        AND (i.partial OR i."unique")))
"""
"""What a database does by itself when rows are read or written: triggers and views, tables that
other code keeps (they have no page of their own), expressions in indexes, columns that are worked
out, what is to be unique; and the tables of these names, in whatever letters, with the checks in
them.
"""
_QUOTES = str.maketrans("", "", '[]`"')
UNFINISHED = ".part"
"""How the name of a file ends that is still being written; whoever finds it later may remove it."""


def copy_database(source: sqlite3.Connection, target: Path) -> Path:
    """Copy an open database to a file that only its owner may read, and return it once it was
    checked; raises StoreFailed. What was there is replaced.

    Others may write meanwhile: the copy is of one moment.
    """
    unfinished = target.with_name(target.name + UNFINISHED)
    with using(target, f"writing the copy {target}"):
        unfinished.unlink(missing_ok=True)
        private_file(unfinished)
        try:
            with closing(sqlite3.connect(unfinished)) as copy:
                source.backup(copy)
                # A reader of a file in WAL mode makes two more beside it.
                copy.execute("PRAGMA journal_mode=DELETE")
            check_database(unfinished)
            settle(unfinished, target)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
    return target


def settle(unfinished: Path, target: Path) -> None:
    """Give a whole file its name, so that it is there after a power cut, too; raises OSError."""
    for path, flags in ((unfinished, os.O_RDONLY), (target.parent, os.O_RDONLY | os.O_DIRECTORY)):
        descriptor = os.open(path, flags)
        try:
            os.fsync(descriptor)
            if path == unfinished:
                unfinished.replace(target)
        finally:
            os.close(descriptor)


def check_database(path: Path) -> list[str]:
    """Read every page of a database that nobody has open, and return the steps of the schema that
    it has taken, in order.

    Raises StoreUnusable where it is damaged, none of this program, or of a newer version.
    """
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise StoreUnusable(f"{path.name} is no database of this program, or not a whole one.")
    try:
        with closing(open_to_read(path)) as connection:
            found = [row[0] for row in connection.execute("PRAGMA integrity_check(3)")]
            taken = steps_taken(connection)
    except sqlite3.DatabaseError as error:
        found, taken = [str(error)], []
    if found != ["ok"]:
        raise StoreUnusable(f"{path.name} is damaged ({'; '.join(found)[:300]}).")
    if not taken:
        raise StoreUnusable(f"{path.name} is a database, but none of this program.")
    if unknown := sorted(set(taken) - migrations.STEPS.keys()):
        raise newer(path, unknown)
    return taken


def check_own(path: Path) -> None:
    """Read what acts in a database that nobody has open; raises StoreUnusable for what no step of
    the schema makes.
    """
    with closing(open_to_read(path)) as connection:
        foreign = {name for name, said in _acting(connection, _tables()) - _own()}
    if foreign:
        named = ", ".join(ascii(name)[1:-1][:60] for name in sorted(foreign)[:5])
        raise StoreUnusable(
            f"The database {path.name} has triggers, views, virtual tables, generated columns,"
            " unique indexes or indexes of expressions that are none of this program's, or a table"
            f" of its own in another form ({named}), and could not be relied on. Remove what is not"
            " its own (DROP TRIGGER, DROP VIEW, DROP TABLE, DROP INDEX) first."
        )


@cache
def _tables() -> tuple[str, ...]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrations.apply(connection)
        found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return tuple(name.lower() for (name,) in found)


@cache
def _own() -> frozenset[tuple[str, str]]:
    """Return what acts after each step: a backup may be of any of them."""
    found: set[tuple[str, str]] = set()
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for step in migrations.STEPS:
            migrations.apply(connection, until=step)
            found |= _acting(connection, _tables())
    return frozenset(found)


def _acting(connection: sqlite3.Connection, tables: tuple[str, ...]) -> set[tuple[str, str]]:
    """Return names and statements; earlier versions, also of sqlite-utils, spaced and quoted some
    in another way.
    """
    found = connection.execute(ACTING, {"tables": json.dumps(tables)})
    return {(name, "".join(sql.translate(_QUOTES).split())) for name, sql in found}


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open a database that is not to be changed; raises sqlite3.Error."""
    return sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True)


def steps_taken(connection: sqlite3.Connection) -> list[str]:
    """Return the names of the schema's steps that a database has taken, in order, as sqlite-utils
    keeps them.
    """
    kept = connection.execute(
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_sqlite_migrations'"
    )
    if kept.fetchone() is None:
        return []
    names = connection.execute(
        "SELECT name FROM _sqlite_migrations WHERE migration_set = ? ORDER BY rowid",
        (migrations.SET,),
    )
    return [name for (name,) in names]
