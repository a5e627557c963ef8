"""The data folder is its owner's alone, whatever the umask is and whoever makes a file."""

import logging
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from core.errors import StoreUnusable
from core.store import Store
from core.store.backups.backup import make
from core.store.backups.snapshot import copy_database
from core.store.privacy import within
from core.training.method import folder_of
from tests.support.browser import ROOT

WORK = """
import os, sys
from pathlib import Path
from core.store import Store
from core.store.backups.backup import make
from core.store.backups.snapshot import copy_database
from tests.conftest import make_run
os.umask(0o022)
store = Store(Path(sys.argv[1]))
run = make_run(store)
spool = store.spool(run.id, 1)
spool.open()
spool.keep(1, "an answer")
spool.drop([1])
spool.keep(2, "x" * 5_000_000)
copy_database(store.connections.connection, store.folder / "first.db")
make(store, store.folder / "backups")
with store.connections.writing() as connection:
    connection.execute("INSERT INTO choices VALUES ('a', 'b')")
    for path in (store.folder, *store.folder.rglob("*")):
        print(oct(path.stat().st_mode & 0o777), path.is_dir(), path.relative_to(store.folder))
"""


def modes(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder.parent)): oct(stat.S_IMODE(path.stat().st_mode))
        for path in (folder, *folder.rglob("*"))
    }


def test_a_new_data_folder_is_its_owners_alone_under_an_open_umask(tmp_path):
    folder = tmp_path / "some" / "data"
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", WORK, folder],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=True,
    )
    seen = {
        name: (mode, kind)
        for mode, kind, name in (line.split() for line in done.stdout.splitlines())
    }
    assert {
        "foundry.db",
        "foundry.db-wal",
        "foundry.db-shm",
        "foundry.gate",
        "first.db",
        "spool",
        "backups",
    } <= set(seen)
    assert any(name.endswith(".zip") for name in seen)
    assert any(name.endswith("1.jsonl") for name in seen)
    assert {
        name: mode
        for name, (mode, kind) in seen.items()
        if mode != ("0o700" if kind == "True" else "0o600")
    } == {}
    assert "could reach" not in done.stderr
    assert {mode for name, mode in modes(folder).items() if name.endswith(".db")} == {"0o600"}


def test_what_an_earlier_version_left_open_is_tightened_and_said(tmp_path, caplog):
    folder = tmp_path / "data"
    store = Store(folder)
    copy_database(store.connections.connection, folder / "older.db")
    make(store, folder / "backups")
    (folder / "spool" / "run0").mkdir(parents=True)
    (folder / "spool" / "run0" / "1.jsonl").write_bytes(b"0 an answer\n")
    (folder / "notes.txt").write_text("mine")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    with caplog.at_level(logging.WARNING):
        Store(folder)
        found = modes(folder)
        assert found.pop("data/notes.txt") == "0o644"
        assert {name for name, mode in found.items() if mode not in ("0o700", "0o600")} == set()
        [said] = [record.getMessage() for record in caplog.records]
        assert f"Other users of this machine could reach {folder}, " in said
        assert "more. Now only the user who runs this program can." in said
        caplog.clear()
        Store(folder)
    assert not caplog.records


def test_a_folder_that_others_use_is_left_as_it_is_but_for_the_programs_files(tmp_path, caplog):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    (shared / "theirs.db").write_bytes(b"x")
    (shared / "theirs.db").chmod(0o644)
    Store(shared)
    found = modes(shared)
    assert (found["shared"], found["shared/theirs.db"], found["shared/foundry.db"]) == (
        "0o1777",
        "0o644",
        "0o600",
    )
    assert "Choose a folder of its own with FOUNDRY_DATA" in caplog.text


def test_a_folder_of_another_user_is_said_to_be_one(tmp_path, monkeypatch, caplog):
    Store(tmp_path / "data")
    other = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: other)
    Store(tmp_path / "data")
    assert "belongs to another user of this machine" in caplog.text


def test_a_link_out_of_the_folder_changes_nothing_there(tmp_path):
    elsewhere = tmp_path / "elsewhere.db"
    elsewhere.write_bytes(b"x")
    elsewhere.chmod(0o644)
    Store(tmp_path / "data")
    (tmp_path / "data" / "link.db").symlink_to(elsewhere)
    Store(tmp_path / "data")
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o644


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_belongs_to_somebody_else_is_said_and_does_not_keep_the_program_from_starting():
    """Another user opens a folder that is not theirs, where all may write; outside pytest's own
    folder, which any other pytest on this machine closes to them.
    """
    with tempfile.TemporaryDirectory(prefix="foundry-theirs-") as held:
        Path(held).chmod(0o711)
        opened_by_somebody_else(Path(held) / "data")


def opened_by_somebody_else(folder):
    Store(folder)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o777 if path.is_dir() else 0o666)
    script = """
import logging, os, sys
from pathlib import Path
from core.store import Store
logging.basicConfig(level=logging.WARNING)
os.setgid(65534); os.setuid(65534)
Store(Path(sys.argv[1]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script, folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if "ModuleNotFoundError" in done.stderr or "Permission denied: '/work" in done.stderr:
        pytest.skip("the program's own folder is closed to other users here")
    assert done.returncode == 0, done.stderr
    assert "the rights could not be changed" in done.stderr


@pytest.mark.parametrize(
    "name", ["../../victim", "..", ".", "", "/etc", "a/b", "a\\b", "-x", "a\0"]
)
def test_a_run_of_a_strange_database_has_no_folder_outside_its_own(tmp_path, name):
    with pytest.raises(StoreUnusable, match="no name of a folder"):
        Store(tmp_path).spool(name, 3)
    with pytest.raises(StoreUnusable, match="no name of a folder"):
        folder_of(tmp_path, name)
    assert within(tmp_path, "9fa7b379") == tmp_path / "9fa7b379"
