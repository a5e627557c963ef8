"""A database that is newer, damaged, read-only or locked, and a full disk: a sentence with what to
do, and runs that rest.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from components.access.gate import POLICY
from components.shell import services
from core.errors import NoThread, StoreUnusable
from core.runs.endings import Ending, Endings
from core.runs.leases import me
from core.store import Store
from core.store.backups.restoring import restore
from core.store.backups.snapshot import copy_database
from core.store.connection import Connections
from tests.conftest import make_run
from tests.support import sweep_kit
from tests.support.browser import ROOT, App
from tests.support.headless import KEY, MODEL, cli, server
from tests.support.locking import locked, until_resumed
from tests.support.playing import actor
from tests.support.scripted import FIRST, resumed
from tests.support.servers.openai_server import OpenAIServer
from tests.support.visiting import said, visit
from tests.support.waiting import until
from tests.support.wire import ask, tab, told

__all__ = ["cli", "server"]
OWN_MOUNTS = ["unshare", "--user", "--map-root-user", "--mount"]
CAN_MOUNT = (
    shutil.which("unshare")
    and subprocess.run([*OWN_MOUNTS, "true"], check=False, capture_output=True).returncode == 0
)
needs_mounts = pytest.mark.skipif(not CAN_MOUNT, reason="no file system may be mounted here")


@pytest.fixture
def folder(tmp_path) -> Path:
    """A data folder with a run and two backups, the second of which is the newest."""
    store = Store(tmp_path / "data")
    make_run(store)
    for n, name in enumerate(("later", "earlier")):
        copy = copy_database(store.connections.connection, store.folder / f"{name}.db")
        os.utime(copy, (1_790_000_000 - n, 1_790_000_000 - n))
    with closing(store.connections.connection) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return tmp_path / "data"


def cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def scramble(path: Path) -> None:
    """Leave the first page as it is, and no other."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))


DAMAGES = {
    "garbage": lambda path: path.write_bytes(b"This is no database. " * 500),
    "cut off": cut,
    "scrambled": scramble,
    "a few bytes": lambda path: path.write_bytes(b"SQLite"),
    "emptied": lambda path: path.write_bytes(b""),
}


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_database_is_refused_with_the_newest_backup_and_left_as_it_is(folder, how):
    database = folder / "foundry.db"
    DAMAGES[how](database)
    before = database.read_bytes()
    with pytest.raises(StoreUnusable) as told:
        Store(folder).runs.listed()
    assert f"The database {database} is damaged" in str(told.value)
    assert f"The newest backup is {folder / 'later.db'} of 2026-09-21" in str(told.value)
    assert f"`python -m core restore {folder / 'later.db'} --over`" in str(told.value)
    assert database.read_bytes() == before


def test_the_advice_brings_everything_back(folder):
    scramble(folder / "foundry.db")
    restore(folder / "later.db", folder, over=True)
    assert len(Store(folder).runs.listed()) == 1


def test_a_database_of_a_newer_version_is_refused_before_anything_is_changed(folder):
    with closing(sqlite3.connect(folder / "foundry.db")) as connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('foundry',"
            " 'm999_moods', '2027-01-01')"
        )
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = (folder / "foundry.db").read_bytes()
    with pytest.raises(
        StoreUnusable,
        match=(
            r"was made by a newer version .* does not know m999_moods.*Start the newer"
            r" version.*later\.db"
        ),
    ):
        Store(folder)
    assert (folder / "foundry.db").read_bytes() == before


@pytest.mark.parametrize("how", ["newer", "garbage", "cut off"])
def test_headless_it_is_a_sentence_and_exit_code_three(folder, how, cli):
    if how == "newer":
        with closing(sqlite3.connect(folder / "foundry.db")) as connection:
            connection.execute(
                "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES"
                " ('foundry', 'm999_moods', '2027-01-01')"
            )
            connection.commit()
    else:
        DAMAGES[how](folder / "foundry.db")
    code, document, err = cli("runs", "--data", str(folder))
    assert (code, document["state"]) == (3, "refused")
    assert document["reason"] in err
    assert "later.db" in document["reason"]
    assert "Traceback" not in err


@pytest.mark.parametrize("page", ["runs", "chains", "settings"])
def test_on_screen_it_is_a_sentence_in_the_pages_place(folder, page, monkeypatch):
    DAMAGES["garbage"](folder / "foundry.db")
    monkeypatch.setenv("FOUNDRY_DATA", str(folder))
    services.forget()
    try:
        assert "The newest backup is" in said(visit(page))
        shown = said(visit("annotate", seat="x" * 43))
        assert "The workbench cannot reach its data" in shown
        assert str(folder) not in shown
        monkeypatch.setenv("FOUNDRY_PASSWORD", "a fine pass phrase")
        shown = said(visit(page))
        assert "The workbench cannot reach its data" in shown
        assert str(folder) not in shown
    finally:
        services.forget()


@pytest.mark.parametrize("password", ["", "a fine pass phrase"])
def test_a_server_starts_all_the_same_and_tells_those_who_may_know(folder, password):
    DAMAGES["garbage"](folder / "foundry.db")
    app = App(folder, words=True, **({"FOUNDRY_PASSWORD": password} if password else {})).start()
    try:
        with tab(app) as line:
            heard, _ = told(line)
        page = ask(app, "/")
        shown = (page.read() + heard).replace(b"\\", b"")  # Markdown
        assert (b"later.db" in shown) is (not password)
        assert (str(folder).encode() in shown) is (not password)
        assert (page.status, b"cannot reach its data" in shown) == (
            (503, True) if password else (200, False)
        )
        assert page.headers["Content-Security-Policy"] == POLICY
    finally:
        app.kill()
    written = app.log.read_text()
    assert f"The newest backup is {folder / 'later.db'}" in written
    assert "Traceback" not in written


@needs_mounts
def test_a_read_only_disk_is_said_with_what_to_do(folder):
    script = (
        f'mount --bind "{folder}" "{folder}" && mount -o remount,bind,ro "{folder}" && exec "$@"'
    )
    done = subprocess.run(
        [
            *OWN_MOUNTS,
            "sh",
            "-c",
            script,
            "sh",
            sys.executable,
            "tests/support/worker.py",
            "runs",
            "--data",
            folder,
            "--json",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3, done.stderr
    reason = json.loads(done.stdout)["reason"]
    assert "may not write" in reason
    assert "or choose another data folder with FOUNDRY_DATA" in reason
    assert "later.db" in reason
    assert "Traceback" not in done.stderr


# -- a run that is at work ---------------------------------------------------------------------


def refine(cli, tmp_path: Path):
    idea = tmp_path / "idea.txt"
    idea.write_text(FIRST.text)
    return cli(
        "refine", "--idea", str(idea), "--model", MODEL, "--background", "0", "--max-rounds", "2"
    )


def meddling(server: OpenAIServer, at: int, meddle) -> None:
    """Have something happen while the server answers its call number `at`."""

    def script(body):
        if len(server.calls) == at:
            meddle()
        return actor(body)

    server.script = script


def test_a_locked_database_is_waited_for(cli, tmp_path, server):
    """The lock is given back while the run waits: a backup of somebody's ends."""
    held: list[subprocess.Popen[str]] = []
    store = Store(tmp_path / "data")

    def lock() -> None:
        holder = locked(store.folder)
        held.append(holder.__enter__())
        # It lets go by itself, after the run has come to wait for it.
        subprocess.Popen(["sh", "-c", f"sleep 2; kill {held[-1].pid}"])

    meddling(server, 3, lock)
    code, document, err = refine(cli, tmp_path)
    assert held
    assert (code, document["state"], "Traceback" in err) == (0, "done", False)


def test_a_database_that_stays_locked_parks_the_run_which_can_be_resumed(
    cli, tmp_path, server, monkeypatch
):
    monkeypatch.setattr("core.store.connection.PATIENCE", 0.3)
    store, holders = Store(tmp_path / "data"), []

    def lock() -> None:
        if not holders:
            holders.append(locked(store.folder))
            holders[0].__enter__()

    meddling(server, 3, lock)
    code, document, err = refine(cli, tmp_path)
    assert (code, document["state"]) == (4, "interrupted")
    assert (
        f"The database {store.folder / 'foundry.db'} is locked by another program."
        in document["reason"]
    )
    assert "Traceback" not in err
    # Read while the lock is held: once it is gone, the end that is owed books the rest at any
    # moment.
    paid, held = len(server.calls), store.runs.get(document["run"]).calls
    assert 0 < held < paid
    holders[0].__exit__(None, None, None)
    code, document, _ = until_resumed(cli, document["run"])
    assert (code, document["state"], store.runs.get(document["run"]).state) == (0, "done", "done")
    # What nobody could write down was paid all the same, and stands in the account.
    assert (store.runs.get(document["run"]).calls, store.runs.get(document["run"]).maybe_paid) == (
        len(server.calls),
        paid - held,
    )


def test_a_run_parked_for_a_lock_says_so_once_the_lock_is_gone(cli, tmp_path, server, monkeypatch):
    monkeypatch.setattr("core.store.connection.PATIENCE", 0.1)
    monkeypatch.setattr("core.runs.endings.AGAIN", 0.05)
    store, holders = Store(tmp_path / "data"), []

    def lock() -> None:
        if not holders:
            holders.append(locked(store.folder))
            holders[0].__enter__()

    meddling(server, 2, lock)
    _, document, _ = refine(cli, tmp_path)
    assert store.runs.get(document["run"]).state == "running"
    holders[0].__exit__(None, None, None)
    for _ in range(2_000):
        run = store.runs.get(document["run"])
        if run.state != "running":
            break
        store.connections.rows("SELECT count(*) FROM steps")
    assert run.state == "interrupted"
    assert "is locked by another program" in run.reason


def test_a_full_database_parks_the_run_and_names_the_disk(cli, tmp_path, server, monkeypatch):
    """SQLite says that a database is full where it may grow no further, as where the disk is."""
    store = Store(tmp_path / "data")

    def fill() -> None:
        pages = store.connections.row("PRAGMA page_count")
        assert pages
        most.append(pages["page_count"])

    most: list[int] = []
    opened = Connections.connection.fget
    assert opened

    def narrow(self):
        connection = opened(self)
        if most:
            connection.execute(f"PRAGMA max_page_count = {most[0]}")
        return connection

    monkeypatch.setattr(Connections, "connection", property(narrow))
    meddling(server, 3, fill)
    code, document, err = refine(cli, tmp_path)
    assert (code, document["state"]) == (4, "interrupted")
    assert f"The disk that holds {store.folder} is full" in document["reason"]
    assert "Make room there; then try again, or resume." in document["reason"]
    assert "Traceback" not in err
    most.clear()
    store.connections.connection.execute("PRAGMA max_page_count = 1000000")
    code, document, _ = until_resumed(cli, document["run"])
    assert (code, document["state"]) == (0, "done")


@needs_mounts
@pytest.mark.parametrize(
    "left", [120, *(pytest.param(kb, marks=pytest.mark.soak) for kb in (60, 250))]
)
def test_a_disk_that_fills_up_parks_the_run_and_what_it_has_is_kept(tmp_path, left):
    """A file system of a few megabytes, all of which is taken but for so many kilobytes."""
    small, whole = tmp_path / "small", tmp_path / "whole"
    small.mkdir()
    (tmp_path / "idea.txt").write_text(FIRST.text)
    words = [
        "refine",
        "--idea",
        str(tmp_path / "idea.txt"),
        "--model",
        MODEL,
        "--background",
        "0",
        "--max-rounds",
        "4",
        "--data",
        str(small / "data"),
        "--json",
    ]
    script = (
        f'mount -t tmpfs -o size=8m tmpfs "{small}"'
        ' && "$PYTHON" tests/support/worker.py runs --data'
        f' "{small}/data" >"{tmp_path}/runs" && head -c $(( ($(df --output=avail -k "{small}" |'
        f' tail -1) - {left}) * 1024 )) /dev/zero >"{small}/filler" && {{ "$@"; code=$?; cp -a'
        f' "{small}/data" "{whole}"; exit $code; }}'
    )
    with OpenAIServer(script=lambda body: padded(actor(body))) as server:
        environ = {
            **os.environ,
            "OPENAI_BASE_URL": server.url,
            "OPENAI_API_KEY": KEY,
            "PYTHON": sys.executable,
        }
        done = subprocess.run(
            [
                *OWN_MOUNTS,
                "sh",
                "-c",
                script,
                "sh",
                sys.executable,
                "tests/support/worker.py",
                *words,
            ],
            cwd=ROOT,
            env=environ,
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        document = json.loads(done.stdout)
        assert f"The disk that holds {small / 'data'} is full (" in document["reason"]
        store = Store(whole)
        runs = store.runs.listed()
        if done.returncode == 3:  # Not even the run could be put down.
            assert (runs, document["state"]) == ([], "refused")
            return
        assert (done.returncode, document["state"]) == (4, "interrupted"), done.stderr
        resumed = subprocess.run(
            [
                sys.executable,
                "tests/support/worker.py",
                "resume",
                runs[0].id,
                "--data",
                whole,
                "--json",
            ],
            cwd=ROOT,
            env=environ,
            capture_output=True,
            text=True,
            check=False,
        )
        assert resumed.returncode == 0, resumed.stderr
        assert store.runs.get(runs[0].id).state == "done"
        ended = store.runs.get(runs[0].id)
        assert ended.calls == len(server.calls), (
            "what nobody could write down was paid all the same"
        )


def padded(answer):
    """Make an answer long, so that a disk fills up with few of them."""
    return (
        answer | {"reason": "It improves. " * 2_000}
        if isinstance(answer, dict) and "reason" in answer
        else answer
    )


REFUSE = (
    "CREATE TRIGGER refuse_{0} BEFORE UPDATE OF state ON runs WHEN {1} BEGIN SELECT RAISE(ABORT,"
    " 'not now'); END"
)


def test_an_experiment_rests_where_a_run_of_it_came_to_its_end_and_the_store_did_not_take_that(
    tmp_path,
):
    runner, models = sweep_kit.runner_of(tmp_path)
    run = sweep_kit.experiment(runner)
    runner.store.connections.write(
        REFUSE.format("end", "NEW.state = 'done' AND NEW.sweep IS NOT NULL")
    )
    assert runner.work(run.id) == "interrupted", runner.store.runs.get(run.id).reason
    runner.store.connections.write("DROP TRIGGER refuse_end")
    until(lambda: not runner.store.runs.working())
    assert resumed(runner, run.id) == "done"
    _, straight, _ = sweep_kit.done(tmp_path / "straight")
    assert sweep_kit.asked_for(models) == sweep_kit.asked_for(straight), "nothing is paid twice"


def test_without_a_thread_to_spare_who_worked_on_a_run_waits_until_its_end_is_stored(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("core.runs.endings.AGAIN", 0.02)
    store = Store(tmp_path)
    run = make_run(store).id
    epoch = store.runs.claim(run, me(), 0)
    store.connections.write(REFUSE.format("a", f"NEW.id = '{run}'"))

    def none(*_):
        raise NoThread("This machine gives no more threads.")

    monkeypatch.setattr("core.runs.endings.begin_thread", none)
    ending = Ending(epoch, "done", "", time.time())
    worker = threading.Thread(target=Endings(store).end, args=(run, ending), daemon=True)
    worker.start()
    worker.join(0.2)
    assert worker.is_alive()
    store.connections.write("DROP TRIGGER refuse_a")
    worker.join(20)
    assert store.runs.get(run).state == "done"


def test_an_end_that_the_store_never_takes_keeps_no_other_back_and_adds_no_time(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("core.runs.endings.AGAIN", 0.02)
    store = Store(tmp_path)
    runs = [make_run(store).id for _ in range(2)]
    epochs = [store.runs.claim(run, me(), 0) for run in runs]
    store.connections.write("UPDATE runs SET since = since - 100")
    for name, run in zip("ab", runs, strict=True):
        store.connections.write(REFUSE.format(name, f"NEW.id = '{run}'"))
    endings = Endings(store)
    for run, epoch in zip(runs, epochs, strict=True):
        assert endings.end(run, Ending(epoch, "done", "", time.time() - 50))
    store.connections.write("DROP TRIGGER refuse_b")
    until(lambda: store.runs.get(runs[1]).state == "done")
    assert 49 < store.runs.get(runs[1]).worked < 55, "until it ended, not until that was stored"
    assert store.runs.get(runs[0]).state == "running"
    assert endings.owed(runs[0])
    store.connections.write("DROP TRIGGER refuse_a")
    until(lambda: store.runs.get(runs[0]).state == "done")
