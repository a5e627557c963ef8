"""Backups: made while the program is in use, checked, kept for some days, and gone back to."""

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core import VERSION, doctor, settings
from core.errors import BadInput, StoreFailed, StoreUnusable
from core.runs.leases import me
from core.store import Store, migrations
from core.store.backups import backup, restoring, schedule
from core.store.backups.backup import ABOUT, DATABASE
from core.store.backups.schedule import back_up_if_due, due, keep_backing_up
from core.store.backups.snapshot import check_database, check_own, copy_database
from tests import ROOT
from tests.conftest import make_run
from tests.support.scripted import runner_of
from tests.support.waiting import until


@pytest.fixture
def folder(tmp_path) -> Path:
    return tmp_path / "elsewhere"


def closed(store: Store) -> Path:
    """Close what this thread has open, and return the data folder."""
    store.connections.connection.close()
    return store.folder


def files(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as packed:
        return sorted(packed.namelist())


def test_all_that_runs_need_is_in_it_and_nothing_else(store, folder):
    run = make_run(store).id
    spool = store.spool(run, 1)
    spool.open()
    spool.keep(1, "an answer that is not in the database yet")
    for name in ("policies/mine/model.safetensors", f"trainings/{run}/checkpoint-1/whole.json"):
        (store.folder / name).parent.mkdir(parents=True)
        (store.folder / name).write_bytes(b"weights")
    for name in ("models/base.safetensors", "logs/foundry.jsonl", "notes.txt"):
        (store.folder / name).parent.mkdir(exist_ok=True)
        (store.folder / name).write_bytes(b"not needed")
    made = backup.make(store, folder)
    assert files(made.path) == sorted(
        [
            *(ABOUT, DATABASE, "policies/mine/model.safetensors", f"spool/{run}/1.jsonl"),
            f"trainings/{run}/checkpoint-1/whole.json",
        ]
    )
    about = backup.contents(made.path)
    assert (about["program"], about["steps"]) == (VERSION, list(migrations.STEPS))
    assert made.path.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in folder.iterdir()] == [made.path.name]
    restored = restoring.restore(made.path, folder / "new")
    assert (restored.runs, restored.aside) == (1, None)
    again = Store(folder / "new")
    assert again.spool(run, 2).left() == ["an answer that is not in the database yet"]
    assert (folder / "new/policies/mine/model.safetensors").read_bytes() == b"weights"
    modes = {path.stat().st_mode & 0o077 for path in (folder / "new").rglob("*")}
    assert modes == {0}


def test_it_is_of_one_moment_while_others_write(store, folder):
    """Each transaction writes the same number twice: half of one would show two."""
    store.connections.write("CREATE TABLE pairs (n INTEGER)")
    over = threading.Event()

    def write() -> None:
        n = 0
        while not over.is_set():
            n += 1
            with store.connections.writing() as connection:
                for _ in range(2):
                    connection.execute("INSERT INTO pairs VALUES (?)", (n,))

    writers = [threading.Thread(target=write) for _ in range(2)]
    for writer in writers:
        writer.start()
    try:
        until(lambda: store.connections.number("SELECT count(*) FROM pairs") > 50)
        made = backup.make(store, folder)
        behind = store.connections.number("SELECT count(*) FROM pairs")
        until(lambda: store.connections.number("SELECT count(*) FROM pairs") > behind)
    finally:
        over.set()
        for writer in writers:
            writer.join()
    with zipfile.ZipFile(made.path) as packed:
        packed.extract(DATABASE, folder)
    copy = sqlite3.connect(folder / DATABASE)
    rows, odd = copy.execute("SELECT count(*), count(*) % 2 FROM pairs").fetchone()
    assert (rows > 50, odd) == (True, 0)


def test_old_ones_go_after_some_days_but_never_the_newest(store, folder):
    folder.mkdir()
    names = [f"foundry-2026-01-{day:02}T000000Z.zip" for day in (1, 9, 10)]
    for name in (*names, "mine.zip", "foundry-2026-01-01.zip"):
        (folder / name).write_bytes(b"PK")
    gone = backup.forget(folder, datetime(2026, 1, 10, tzinfo=UTC))
    assert sorted(path.name for path in gone) == names[:2]
    assert backup.forget(folder, datetime(2030, 1, 1, tzinfo=UTC)) == []
    (folder / names[0]).write_bytes(b"PK")
    days = [f"foundry-2026-02-{day:02}T000000Z.zip" for day in range(1, 13)]
    for name in days:
        (folder / name).write_bytes(b"PK")
    made = backup.make(store, folder, keep=3)
    left = sorted(path.name for path in folder.glob("foundry-2026-*T*"))
    newest = [*days[-backup.LEAST + 1 :], made.path.name]
    assert left == sorted(newest), "seven at least, and three days before the last"
    assert {path.name for path in folder.iterdir()} - {*left} == {
        "foundry-2026-01-01.zip",
        "mine.zip",
    }


def test_a_clock_that_is_wrong_once_takes_no_backup_away_and_puts_none_off(
    store, folder, monkeypatch
):
    days = [datetime(2026, 11, day, 8, tzinfo=UTC) for day in (20, 21, 22)]
    wrong, right = datetime(2040, 1, 1, tzinfo=UTC), datetime(2026, 11, 23, 8, tzinfo=UTC)
    wanted = settings.read({}, data=store.folder, backups=folder, backup_every=24.0)

    def back_up(now):
        clock = type("Clock", (datetime,), {"now": classmethod(lambda *_: now)})
        for module in (backup, schedule):
            monkeypatch.setattr(module, "datetime", clock)
        made = back_up_if_due(store, wanted)
        return made and made.made

    wrong_still = wrong + timedelta(days=1)
    for moment in (*days, wrong, wrong_still, right):
        assert back_up(moment) == moment
    kept = [wrong_still, wrong, right, *days[::-1]]
    assert [one.made for one in backup.listed(folder)] == kept
    state, sentence = doctor.told(backup.listed(folder), 24.0, right)
    assert (state, "foundry-2040-01-02T000000Z.zip is of a time to come" in sentence) == (
        "broken",
        True,
    )
    for one in backup.listed(folder)[:2]:
        one.path.unlink()
    assert doctor.told(backup.listed(folder), 24.0, right)[0] == "fine"


def test_a_server_makes_one_when_the_newest_is_too_old(store, folder, caplog):
    wanted = settings.read({}, data=store.folder, backups=folder, backup_every=24.0)
    made = back_up_if_due(store, wanted)
    assert made
    assert back_up_if_due(store, wanted) is None
    assert not due(folder, 24, made.made + timedelta(hours=23))
    assert due(folder, 24, made.made + timedelta(hours=24))
    assert not due(folder, 0, made.made + timedelta(days=999))
    shutil.rmtree(folder)
    folder.write_text("a file where the folder should be")
    assert back_up_if_due(store, wanted) is None
    assert "No backup could be made" in caplog.text


def test_a_server_looks_again_and_again(store, folder, monkeypatch):
    monkeypatch.setattr("core.store.backups.schedule.FIRST", 0.01)
    monkeypatch.setattr("core.store.backups.schedule.AGAIN", 0.01)
    over = threading.Event()
    wanted = settings.read({}, data=store.folder, backups=folder, backup_every=1e-9)
    work = threading.Thread(target=keep_backing_up, args=(store, wanted, over))
    work.start()
    until(lambda: folder.exists() and len(backup.listed(folder)) > 1)
    over.set()
    work.join(20)
    assert not work.is_alive()


def test_two_at_once_are_not_made(store, folder, monkeypatch):
    def write(*given) -> None:
        with pytest.raises(BadInput, match="Another backup is being written"):
            backup.make(Store(store.folder), folder)
        raise StoreFailed("enough")

    monkeypatch.setattr(backup, "_write", write)
    with pytest.raises(StoreFailed, match="enough"):
        backup.make(store, folder)


KILLED = """
import sys, time
from pathlib import Path
from core.store import Store
from core.store.backups import backup
def slow(*given):
    print("begun", flush=True)
    time.sleep(60)
backup.check_database = slow
backup.make(Store(Path(sys.argv[1])), Path(sys.argv[2]))
"""


def test_half_a_backup_of_a_killed_process_is_no_backup_and_goes_with_the_next(store, folder):
    make_run(store)
    child = subprocess.Popen(
        [sys.executable, "-c", KILLED, store.folder, folder], cwd=ROOT, stdout=subprocess.PIPE
    )
    assert child.stdout
    assert child.stdout.readline() == b"begun\n"
    child.send_signal(signal.SIGKILL)
    child.communicate()
    assert any(path.name.endswith(".part") for path in folder.iterdir())
    assert backup.listed(folder) == []
    made = backup.make(store, folder)
    assert [path.name for path in folder.iterdir()] == [made.path.name]


def test_a_disk_that_spoils_what_is_written_is_found_by_reading_it_back(store, folder, monkeypatch):
    write = backup._write

    def spoilt(store, file, copied, moment) -> None:
        write(store, file, copied, moment)
        file.seek(200)
        file.write(b"\xa5" * 50)

    monkeypatch.setattr(backup, "_write", spoilt)
    with pytest.raises(StoreUnusable, match="cannot be read back"):
        backup.make(store, folder)
    assert list(folder.iterdir()) == []


def test_a_damaged_database_is_not_backed_up_as_if_it_were_whole(store, folder, tmp_path):
    for _ in range(50):
        make_run(store)
    source = closed(store) / DATABASE
    sqlite3.connect(source).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with source.open("r+b") as file:
        file.seek(8192)
        file.write(b"\xa5" * 40_000)
    with pytest.raises(StoreFailed, match="damaged"):
        copy_database(sqlite3.connect(source), tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()
    assert not list(tmp_path.glob("*.part"))


# -- going back --------------------------------------------------------------------------------


def test_nothing_is_gone_over_without_being_told_and_what_was_there_is_put_aside(store, folder):
    first = make_run(store).id
    made = backup.make(store, folder)
    second = make_run(store).id
    spool = store.spool(second, 1)
    spool.open()
    spool.keep(1, "of what came later")
    data = closed(store)
    before = (data / DATABASE).read_bytes()
    with pytest.raises(BadInput, match="Add --over to go back"):
        restoring.restore(made.path, data)
    assert (data / DATABASE).read_bytes() == before
    restored = restoring.restore(made.path, data, over=True)
    assert restored.aside
    assert [run.id for run in Store(data).runs.listed()] == [first]
    assert not (data / "spool").exists()
    assert {run.id for run in Store(restored.aside).runs.listed()} == {first, second}
    assert Store(restored.aside).spool(second, 2).left() == ["of what came later"]


def test_nobody_is_at_work_on_the_runs_of_what_was_restored(store, folder, tmp_path):
    run = make_run(store).id
    store.connections.write("UPDATE runs SET state = 'running', owner = ? WHERE id = ?", me(), run)
    made = backup.make(store, folder)
    restoring.restore(made.path, tmp_path / "beside")
    runner, _ = runner_of(tmp_path / "beside", {})
    assert runner.notice_dead() == [run], "the process of then works on the other one"
    assert store.runs.lease(run)["owner"] == me()


def test_it_is_refused_while_the_program_runs(store, folder):
    made = backup.make(store, folder)
    store.runs.listed()
    with pytest.raises(BadInput, match=r"has .*foundry.db open. Stop it first"):
        restoring.restore(made.path, store.folder, over=True)
    assert store.runs.listed() == []


def newer(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES"
            " ('foundry', 'm999_moods', '2027-01-01')"
        )


def repacked(made: Path, change) -> Path:
    """Return a backup with a database that was changed."""
    with zipfile.ZipFile(made) as packed:
        packed.extractall(made.parent / "opened")
    change(made.parent / "opened" / DATABASE)
    target = made.with_name("changed.zip")
    with zipfile.ZipFile(target, "w") as packed:
        for name in (DATABASE, ABOUT):
            packed.write(made.parent / "opened" / name, name)
    return target


BAD = {
    "cut off": (lambda made: made.write_bytes(made.read_bytes()[:-100]), "not a whole one"),
    "spoilt": (
        lambda made: made.write_bytes(
            made.read_bytes()[:300] + b"\xa5" * 99 + made.read_bytes()[399:]
        ),
        "damaged",
    ),
    "no backup": (lambda made: made.write_bytes(b"PK, or rather not" * 9), "no backup of this"),
    "newer": (lambda made: repacked(made, newer).replace(made), "made by a newer version"),
    "other": (
        lambda made: repacked(made, lambda path: path.write_bytes(b"text" * 99)).replace(made),
        "no database of this program",
    ),
}


@pytest.mark.parametrize("how", BAD)
def test_what_is_damaged_newer_or_no_backup_is_refused_and_nothing_changed(store, folder, how):
    run = make_run(store).id
    made = backup.make(store, folder).path
    data = closed(store)
    spoil, sentence = BAD[how]
    spoil(made)
    with pytest.raises(StoreUnusable, match=sentence):
        restoring.restore(made, data, over=True)
    assert [one.id for one in Store(data).runs.listed()] == [run]
    assert not list(data.glob("replaced-*")) + list(data.glob("*.part"))


def test_the_log_of_a_database_that_is_gone_is_not_written_over_the_restored_one(store, folder):
    run = make_run(store).id
    made = backup.make(store, folder).path
    data = folder / "new"
    other = Store(data)
    for _ in range(3):
        make_run(other)
    log = data / f"{DATABASE}-wal"
    left = log.read_bytes()
    assert left, "what a power cut leaves"
    closed(other)
    for path in data.glob(f"{DATABASE}*"):
        path.unlink()
    log.write_bytes(left)
    aside = restoring.restore(made, data).aside
    assert aside is not None
    assert (aside / log.name).read_bytes() == left
    assert [one.id for one in Store(data).runs.listed()] == [run]


def about(text: str):
    """Return what puts this in the place of what a backup says of itself."""

    def change(made: Path) -> None:
        with zipfile.ZipFile(made) as packed:
            database = packed.read(DATABASE)
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr(DATABASE, database)
            packed.writestr(ABOUT, text)

    return change


def holding(*names: str):
    """Return what adds files of these names."""

    def change(made: Path) -> None:
        with zipfile.ZipFile(made, "a") as packed:
            for name in names:
                packed.writestr(name, "x")

    return change


def packed_by(method: int):
    """Return what packs what a backup says of itself in another way."""

    def change(made: Path) -> None:
        with zipfile.ZipFile(made) as packed:
            files = {name: packed.read(name) for name in (DATABASE, ABOUT)}
        with zipfile.ZipFile(made, "w") as packed:
            packed.writestr(DATABASE, files[DATABASE])
            packed.writestr(ABOUT, files[ABOUT], method)

    return change


def locked(made: Path) -> None:
    """Mark every file as one that needs a password."""
    data = bytearray(made.read_bytes())
    at = -1
    while (at := data.find(b"PK\x01\x02", at + 1)) >= 0:
        data[at + 8] |= 1
    made.write_bytes(data)


HOSTILE = {
    "about of 1 MB": (about(" " * 1_000_001), "larger than 1 MB"),
    "about a list": (about("[1]"), "does not say what made it"),
    "about a number": (about("1"), "does not say what made it"),
    "about null": (about("null"), "does not say what made it"),
    "about without steps": (about('{"program": "1", "made": "x"}'), "does not say what made it"),
    "about deep": (about("[" * 200_000), "lies in itself too deeply"),
    "about of digits": (about("9" * 10_000), "no backup of this program"),
    "packed by LZMA": (packed_by(zipfile.ZIP_LZMA), "a way that no backup's is"),
    "packed by BZIP2": (packed_by(zipfile.ZIP_BZIP2), "a way that no backup's is"),
    "locked": (locked, "no backup of this program"),
    "many files": (holding(*(f"spool/{n}/x" for n in range(10_001))), "10,000 are the most"),
    "deep": (holding("policies/" + "a/" * 1_100 + "x"), "more than 12 folders deep"),
    "a sign of control": (holding("policies/a\x01b"), "signs that no name in a backup has"),
    "a backslash": (holding("policies/..\\x"), "signs that no name in a backup has"),
    "a long name": (holding("policies/" + "a" * 201), "longer than 200 bytes"),
}


@pytest.mark.parametrize("how", HOSTILE)
def test_a_hostile_backup_is_refused_in_a_sentence_and_nothing_unpacked(store, folder, how):
    make_run(store)
    made = backup.make(store, folder).path
    change, sentence = HOSTILE[how]
    change(made)
    with pytest.raises(StoreUnusable, match=sentence):
        restoring.restore(made, folder / "new")
    assert not any((folder / "new").iterdir())


ACTING = (
    "CREATE TRIGGER evil AFTER INSERT ON runs BEGIN DELETE FROM studies; END",
    "CREATE VIEW evil AS SELECT * FROM runs",
    "CREATE VIRTUAL TABLE evil USING fts5(x, content='sqlite_master')",
    "CREATE TABLE evil (x, y AS (zeroblob(10)))",
    "CREATE INDEX evil ON runs(length(title))",
    "CREATE INDEX evil ON runs(title) WHERE length(title) > 3",
    "CREATE UNIQUE INDEX evil ON runs(state)",
    "CREATE TABLE evil (x); PRAGMA writable_schema = 1; UPDATE sqlite_master SET rootpage = 0,"
    " sql = 'CREATE\tVIRTUAL TABLE evil USING fts5(x)' WHERE name = 'evil'",
    "DROP TRIGGER search_runs_added; CREATE TRIGGER search_runs_added AFTER INSERT ON runs"
    " BEGIN DELETE FROM studies; END",
    "DROP TABLE notes; CREATE TABLE notes (id INTEGER PRIMARY KEY, run TEXT NOT NULL,"
    " about TEXT NOT NULL, text TEXT NOT NULL CHECK (length(zeroblob(900000000)) > 1),"
    " by TEXT NOT NULL, at TEXT NOT NULL)",
    "ALTER TABLE notes RENAME TO n; CREATE TABLE NOTES (id INTEGER PRIMARY KEY, run TEXT NOT NULL,"
    " about TEXT NOT NULL, text TEXT NOT NULL CHECK (length(zeroblob(900000000)) > 1),"
    " by TEXT NOT NULL, at TEXT NOT NULL)",
)


@pytest.mark.parametrize("sql", ACTING)
def test_a_database_with_what_acts_and_is_none_of_ours_is_neither_restored_nor_backed_up(
    store, folder, sql
):
    def change(path: Path) -> None:
        with sqlite3.connect(path) as connection:
            connection.executescript(sql)

    changed = repacked(backup.make(store, folder).path, change)
    for copy in (changed, changed.parent / "opened" / DATABASE):
        with pytest.raises(
            StoreUnusable, match=r"(?i)in another form .(evil|search_runs_added|notes)"
        ):
            restoring.restore(copy, folder / "new")
        assert not any((folder / "new").iterdir())
    change(store.folder / DATABASE)
    with pytest.raises(StoreUnusable, match="none of this program's"):
        backup.make(store, folder / "more")
    assert not any((folder / "more").iterdir())


def test_entries_without_a_name_are_left_out(store, folder):
    made = backup.make(store, folder).path
    holding(".", "/", "//")(made)
    assert restoring.restore(made, folder / "new").runs == 0


@pytest.mark.parametrize("edition", ["before-house", "before-studies", "edition-1", "edition-2"])
def test_what_earlier_versions_made_by_themselves_is_our_own(tmp_path, edition):
    _unzip(edition, tmp_path / "old.db")
    check_own(tmp_path / "old.db")


def test_names_that_lead_out_of_the_folder_are_left_out(store, folder):
    made = backup.make(store, folder).path
    with zipfile.ZipFile(made, "a") as packed:
        for name in (
            "../out",
            "spool/../../out",
            "/tmp/foundry-out",
            "models/x",
            "spool/r/1.jsonl",
        ):
            packed.writestr(name, "x")
    restoring.restore(made, folder / "deep" / "new")
    assert sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    ) == sorted(
        [
            *(made.name, "deep/new/foundry.db", "deep/new/foundry.gate", "deep/new/logs/gate"),
            *("deep/new/logs/foundry.jsonl", "deep/new/spool/r/1.jsonl"),
        ]
    )
    assert not Path("/tmp/foundry-out").exists()


CUT = """
import os, sys
from pathlib import Path
from core.store.backups import restoring
real, left = {name: getattr(os, name) for name in ("rename", "link", "replace")}, [int(sys.argv[3])]
def cut(name):
    def do(*given, **more):
        if not left[0]:
            os._exit(9)
        left[0] -= 1
        return real[name](*given, **more)
    return do
for name in real:
    setattr(os, name, cut(name))
restoring.restore(Path(sys.argv[1]), Path(sys.argv[2]), over=True)
print("whole")
"""


def test_a_power_cut_at_any_step_leaves_the_one_or_the_other(store, folder):
    first = make_run(store).id
    store.spool(first, 1).open()
    made = backup.make(store, folder).path
    second = make_run(store).id
    data, seen = closed(store), []
    whole = folder / "whole"
    shutil.copytree(data, whole)
    for steps in range(20):
        shutil.rmtree(data)
        shutil.copytree(whole, data)
        done = subprocess.run(
            [sys.executable, "-c", CUT, made, data, str(steps)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        found = {run.id for run in Store(data).runs.listed()}
        assert found in ({first}, {first, second}), (steps, found)
        seen.append(len(found))
        if done.stdout:
            break
    assert done.stdout == "whole\n", done.stderr
    assert seen[0] == 2
    assert seen[-1] == 1


def test_a_copy_of_an_earlier_version_is_brought_up_to_date_after_a_copy(tmp_path):
    """What `restore` puts back is migrated by whoever opens it next, like any store."""
    old = tmp_path / "old.db"
    _unzip("before-studies", old)
    assert check_database(old)[-1] != list(migrations.STEPS)[-1]
    restored = restoring.restore(old, tmp_path / "data")
    assert restored.runs == len(Store(tmp_path / "data").connections.column("SELECT id FROM runs"))
    assert len(list((tmp_path / "data" / "backups").glob("before-update-from-*.db"))) == 1


def test_a_plain_copy_brings_what_was_last_written_beside_it(tmp_path):
    """As it lies there while the program runs, or after it was killed."""
    store = Store(tmp_path / "at-work")
    make_run(store)
    copies = tmp_path / "copies"
    copies.mkdir()
    for file in store.folder.glob(f"{DATABASE}*"):
        shutil.copy(file, copies / file.name)
    assert (copies / f"{DATABASE}-wal").stat().st_size
    restored = restoring.restore(copies / DATABASE, tmp_path / "data")
    assert restored.runs == 1
    assert len(Store(tmp_path / "data").runs.listed()) == 1
    assert (copies / f"{DATABASE}-wal").stat().st_size


def _unzip(name: str, target: Path) -> None:
    import gzip

    from tests import DATA

    with gzip.open(DATA / "stores" / f"{name}.db.gz") as source, target.open("wb") as file:
        shutil.copyfileobj(source, file)


def test_a_server_that_somebody_chose_gets_no_key_of_the_environment(store, monkeypatch):
    from core import doctor
    from core.settings import Settings

    asked = []
    monkeypatch.setattr(doctor, "silent", lambda *_: ())
    monkeypatch.setattr(doctor, "reachable", lambda settings: asked.append(settings) or ())
    monkeypatch.setattr(doctor, "what_is_wrong", lambda settings, _: asked.append(settings) or "")
    keys = {"openai": "sk-of-the-environment", "anthropic": "sk-other"}
    for address in (None, "http://127.0.0.1:9/v1"):
        store.places.choose("address-openai", address)
        asked.clear()
        doctor.examine(Settings(data=store.folder, keys=keys))
        known = {(one.openai_url, one.keys.get("openai")) for one in asked}
        assert known == {(address, None if address else keys["openai"])}
        assert {one.keys["anthropic"] for one in asked} == {"sk-other"}


def test_an_address_or_key_that_cannot_be_used_is_found_by_its_variable(store, monkeypatch):
    from core import doctor
    from core.settings import read

    asked = []
    monkeypatch.setattr(doctor, "silent", lambda name, _: asked.append(name) or ())
    wrong = {
        "OPENAI_BASE_URL": "me:planted@x.example/v1",
        "OLLAMA_HOST": "//me:planted@x.example",
        "ANTHROPIC_API_KEY": "planted\u2019",
        "FOUNDRY_SEMANTIC_SCHOLAR_URL": "http:/me:planted@x.example",
    }
    store.places.choose("source", "semantic-scholar")
    found = doctor.examine(read(wrong, data=store.folder))
    broken = [one.sentence for one in found if one.state == "broken"]
    for variable in wrong:
        assert len([one for one in broken if variable in one]) == 1
    assert "planted" not in repr(found)
    assert asked == ["openalex"]


def test_the_command_line_has_all_three(store, tmp_path, capsys, monkeypatch):
    from core.__main__ import main

    monkeypatch.setattr("core.doctor.reachable", lambda _: ())
    monkeypatch.setattr("core.doctor.silent", lambda *_: ())
    make_run(store)
    data = ("--data", str(store.folder))
    assert main(["backup", "--to", str(tmp_path / "to"), "--keep", "3", *data, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert Path(document["file"]).stat().st_size == document["bytes"]
    assert main(["doctor", *data]) == 0
    assert "1 run, schema" in capsys.readouterr().out
    new = ("--data", str(tmp_path / "new"))
    assert main(["restore", document["file"], *new]) == 0
    assert "as it was in" in capsys.readouterr().out
    assert main(["restore", document["file"], *new]) == 2
    assert "Add --over" in capsys.readouterr().err
    assert main(["restore", document["file"], "--over", *new]) == 0
    assert "lies in" in capsys.readouterr().out
    closed(store)
    (store.folder / DATABASE).write_bytes(b"no database" * 99)
    assert main(["doctor", *data, "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    broken = [one["about"] for one in document["findings"] if one["state"] == "broken"]
    assert broken == ["Database"]
    assert document["broken"] is True
