"""A server that is told to end is gone within ten seconds, and one that starts after a power cut is
clean: every run goes on, and becomes what it would have become.
"""

import json
import os
import shutil
import signal
import socket
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core import settings
from core.doctor import examine
from core.runs.runner import RESTED
from core.store import Store
from core.store.backups import backup
from core.store.backups.snapshot import copy_database
from tests.support.browser import App
from tests.support.headless import KEY
from tests.support.playing import actor
from tests.support.servers.openai_server import OpenAIServer
from tests.support.waiting import until
from tests.support.wire import tab, told
from tests.test_kill import Victim, outcome, recovered, undisturbed

ROUNDS = 4
SECONDS = 10.0
"""After which whoever started a server may kill it (systemd's and Docker's usual wait)."""


@pytest.fixture(scope="module")
def wanted(tmp_path_factory):
    """What the run comes to where nobody disturbs it."""
    with OpenAIServer(script=actor, latency=0.02) as calm:
        return outcome(*undisturbed(tmp_path_factory.mktemp("calm"), calm, ROUNDS))


def half_way(folder: Path, server: OpenAIServer) -> Victim:
    """Return a run whose process was killed in the middle, as by a power cut."""
    victim = Victim(folder, server, ROUNDS)
    victim.kill(victim.spawn(), after=5, later=0.0)
    return victim


def ended(app: App, number: int = signal.SIGTERM) -> float:
    """Send a signal, and return after how many seconds the server was gone."""
    process = app._process
    assert process
    assert process.pid
    began = time.monotonic()
    os.kill(process.pid, number)
    (process.join if hasattr(process, "join") else process.wait)(60)
    took = time.monotonic() - began
    print(f"gone after {took:.1f} s")
    code = process.exitcode if hasattr(process, "exitcode") else process.returncode
    assert code in (-number, 128 + number)
    return took


def serving(folder: Path, server: OpenAIServer, words: bool = True) -> App:
    app = App(folder, words=words, OPENAI_BASE_URL=server.url, OPENAI_API_KEY=KEY)
    return app.start()


def slow_reader(app: App) -> socket.socket:
    """Ask for the front end's largest file, and read none of it."""
    line = socket.create_connection(("127.0.0.1", app.port))
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    files = Path(__import__("streamlit").__file__).parent / "static"
    large = max((one for one in files.rglob("*") if one.is_file()), key=lambda f: f.stat().st_size)
    path = large.relative_to(files).as_posix()
    line.sendall(f"GET /{path} HTTP/1.1\r\nHost: 127.0.0.1:{app.port}\r\n\r\n".encode())
    return line


@pytest.mark.parametrize(
    "words", [True, pytest.param(False, marks=pytest.mark.soak)], ids=["words", "torch"]
)
def test_a_server_with_a_run_in_flight_ends_in_time_and_the_next_one_goes_on(
    tmp_path, wanted, words
):
    """A tab is open, somebody reads a file slowly, and the model takes a minute for its answer."""
    with OpenAIServer(script=actor, latency=0.02) as server:
        victim = half_way(tmp_path / "data", server)
        server.latency, before = 60.0, len(server.calls)
        app = serving(victim.folder, server, words)
        until(lambda: len(server.calls) > before, 60)
        with tab(app) as line, slow_reader(app):
            told(line)
            assert ended(app) < SECONDS
        assert victim.run.state in ("running", "interrupted")
        server.latency, lost = 0.02, len(server.calls) - before
        app = serving(victim.folder, server, words)
        until(lambda: victim.run.state == "done", 60)
        assert ended(app) < SECONDS
        if words:  # With the real embedding model other papers are near, and so other steps.
            assert outcome(victim.store, victim.run) == wanted
        assert lost <= 2
        log = (victim.folder / "logs" / "foundry.jsonl").read_text()
        events = [json.loads(line)["event"] for line in log.splitlines()]
        assert [one for one in events if one.startswith("server.")] == [
            *("server.started", "server.told-to-end"),
            *("server.started", "server.told-to-end", "server.ended"),
        ]
        # One that was noted and had not gone out yet is in the account too.
        spare = victim.run.calls - len(server.calls)
        assert 0 <= spare <= victim.run.maybe_paid, "each stands in the account"


def test_an_answer_that_comes_in_time_is_kept(tmp_path, wanted):
    with OpenAIServer(script=actor, latency=0.02) as server:
        victim = half_way(tmp_path / "data", server)
        maybe = len(server.calls) - victim.asked()
        server.latency, before = 2.0, len(server.calls)
        app = serving(victim.folder, server)
        until(lambda: len(server.calls) > before, 60)
        assert ended(app) < SECONDS
        assert (victim.run.state, victim.run.reason) == ("interrupted", RESTED)
        server.latency = 0.02
        recovered(victim.folder, server)
        assert outcome(victim.store, victim.run) == wanted
        assert len(server.calls) == victim.asked() + maybe, "nothing was asked twice but at the cut"


# -- after a power cut ---------------------------------------------------------------------------


def test_a_start_after_a_power_cut_is_clean(tmp_path, wanted):
    """The log of the database ends anywhere, the spool in half a line, a backup and a copy of a
    database half way.
    """
    with OpenAIServer(script=actor, latency=0.02) as server:
        victim = half_way(tmp_path / "first", server)
        folder = tmp_path / "data"
        log = victim.folder / "foundry.db-wal"
        whole = log.stat().st_size
        assert whole
        for cut in (whole, whole - 1, whole // 2 + 7, 100, 0):
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(victim.folder, folder)
            os.truncate(folder / log.name, cut)
            (folder / "foundry.db-shm").unlink()
            spoil(folder)
            store = Store(folder)
            kept = store.runs.listed()
            assert kept or cut <= 100, "all was in the log; what is lost is what was cut"
            if kept:
                recovered(folder, server)
                assert outcome(store, store.runs.listed()[0]) == wanted, cut
            backups = folder / "backups"
            made = backup.make(store, backups)
            assert sorted(one.name for one in backups.iterdir()) == [made.path.name]
            chosen = settings.read({}, data=folder)
            broken = [one for one in examine(chosen) if one.state == "broken"]
            assert not broken


def spoil(folder: Path) -> None:
    """Leave half of what a process had been writing."""
    for path in (folder / "spool").rglob("*.jsonl"):
        data = path.read_bytes().rstrip(b"\0")
        path.write_bytes(data + b'9 {"id": 9, "text": "half an ans')
    backups = folder / "backups"
    backups.mkdir(mode=0o700)
    stem = f"foundry-{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}"
    (backups / f"{stem}.zip.part").write_bytes(b"PK\x03\x04 half")
    (backups / f"{stem}.db.part").write_bytes(b"SQLite format 3\0 half")


def test_a_copy_is_whole_or_not_there(tmp_path):
    store = Store(tmp_path / "data")
    (tmp_path / "copy.db.part").write_bytes(b"half of an earlier one")
    copy_database(store.connections.connection, tmp_path / "copy.db")
    assert not (tmp_path / "copy.db.part").exists()
