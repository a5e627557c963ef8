"""Bringing a store of an earlier main up to date: all steps or none, after a copy was made."""

import gzip
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import StoreFailed, StoreUnusable
from core.store import Store, migrations
from core.store.backups.restoring import restore
from core.store.backups.snapshot import check_database, copy_database
from tests import DATA, ROOT

STORES = sorted((DATA / "stores").glob("*.db.gz"))


@pytest.fixture(params=STORES, ids=lambda path: path.name.removesuffix(".db.gz"))
def folder(request, tmp_path) -> Path:
    """A data folder as an earlier main left it."""
    data = tmp_path / "data"
    data.mkdir()
    with gzip.open(request.param) as packed, (data / "foundry.db").open("wb") as whole:
        shutil.copyfileobj(packed, whole)
    return data


@pytest.fixture
def one_more(monkeypatch):
    """A step that no store has taken: the newest ones lack no other."""

    def m997_one_more(db) -> None:
        db.executescript("CREATE TABLE one_more (n INTEGER)")

    monkeypatch.setitem(migrations.STEPS, m997_one_more.__name__, m997_one_more)


def held(path: Path) -> list[str]:
    """Return all that a database holds, as SQL, and its schema."""
    with closing(sqlite3.connect(path)) as connection:
        return sorted(connection.iterdump())


def copies(folder: Path) -> list[Path]:
    return sorted((folder / "backups").glob("*"))


@pytest.mark.usefixtures("one_more")
def test_a_copy_of_what_was_there_is_made_first_and_leads_back(folder):
    before = held(folder / "foundry.db")
    runs = len(Store(folder).runs.listed(limit=1000))
    (copy,) = copies(folder)
    assert copy.name.startswith("before-update-from-m0")
    assert copy.stat().st_mode & 0o777 == 0o600
    assert held(copy) == before
    assert check_database(copy) != list(migrations.STEPS)
    assert restore(copy, folder.parent / "back").runs >= runs
    assert len(Store(folder.parent / "back").runs.listed(limit=1000)) == runs
    Store(folder)
    assert copies(folder) == [copy]


def test_a_step_that_fails_undoes_those_before_it_and_says_so(folder, monkeypatch):
    before = held(folder / "foundry.db")

    def m998_more(db) -> None:
        db.executescript("CREATE TABLE more (n INTEGER); UPDATE runs SET title = 'changed';")

    def m999_fails(db) -> None:
        db.execute("CREATE TABLE most (n INTEGER)")
        raise ZeroDivisionError("a mistake in a step")

    for step in (m998_more, m999_fails):
        monkeypatch.setitem(migrations.STEPS, step.__name__, step)
    for _ in range(2):
        with pytest.raises(
            StoreUnusable, match=r"could not be brought up to date \(ZeroDivisionError: a mistake"
        ) as told:
            Store(folder)
        assert "Nothing was changed. Start the version of the program" in str(told.value)
        assert held(folder / "foundry.db") == before
    (copy,) = copies(folder)
    assert f"The newest backup is {copy}" in str(told.value)
    monkeypatch.undo()
    assert Store(folder).runs.listed(limit=1)


KILLED = """
import os, sys
from pathlib import Path
from core.store import Store, migrations
def m999_cut(db):
    db.execute("CREATE TABLE most (n INTEGER)")
    os._exit(9)
migrations.STEPS["m999_cut"] = m999_cut
Store(Path(sys.argv[1]))
"""


def test_a_process_that_dies_in_the_middle_leaves_the_store_as_it_was(folder):
    before = held(folder / "foundry.db")
    done = subprocess.run([sys.executable, "-c", KILLED, folder], cwd=ROOT, check=False)
    assert done.returncode == 9
    assert held(folder / "foundry.db") == before
    assert Store(folder).runs.listed(limit=1)


@pytest.mark.usefixtures("one_more")
def test_without_a_copy_nothing_is_changed(folder):
    before = held(folder / "foundry.db")
    (folder / "backups").write_text("a file where the folder should be")
    with pytest.raises(StoreFailed):
        Store(folder)
    assert held(folder / "foundry.db") == before


def test_a_new_store_needs_no_copy(tmp_path):
    Store(tmp_path / "data")
    assert copies(tmp_path / "data") == []


def test_a_copy_that_is_half_written_is_not_taken_for_one(tmp_path, monkeypatch):
    store = Store(tmp_path / "data")
    target = tmp_path / "copy.db"
    copy_database(store.connections.connection, target)
    whole = target.read_bytes()

    def full(*_) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("core.store.backups.snapshot.settle", full)
    with pytest.raises(StoreUnusable, match="is full"):
        copy_database(store.connections.connection, target)
    assert target.read_bytes() == whole
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["copy.db"]
