"""The log of events: one JSON object a line, of a limited size, and nothing in it that anybody
wrote.
"""

import json
import logging
import threading
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from core.store import Store, event_log
from core.store.event_log import EventLog, listening
from tests.support.headless import KEY, MODEL, cli, server
from tests.support.playing import actor
from tests.support.scripted import FIRST

__all__ = ["cli", "server"]
PLANTED = "Quokkas dream of lighthouses in zinc"
REPLY = "Marmots whistle in iambic tetrameter"


def lines(folder: Path) -> list[dict]:
    return [
        json.loads(line) for line in (folder / "logs" / "foundry.jsonl").read_text().splitlines()
    ]


def test_a_line_says_when_what_and_how_long(tmp_path):
    EventLog(tmp_path).tell("run.done", run="0a1b2c3d", method="refine", seconds=1.5, cap=None)
    (line,) = lines(tmp_path)
    moment = datetime.fromisoformat(line.pop("time"))
    assert moment.utcoffset() == timedelta(0)
    assert line.pop("process") > 0
    assert line == {
        "level": "info",
        "event": "run.done",
        "run": "0a1b2c3d",
        "method": "refine",
        "seconds": 1.5,
    }
    path = tmp_path / "logs" / "foundry.jsonl"
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)


@pytest.mark.parametrize("text", [PLANTED, "two\nlines", "x" * 81, "", "naïve", 'a"b'])
def test_what_is_no_plain_word_is_left_out(tmp_path, text):
    EventLog(tmp_path).tell("run.done", run=text)
    assert "run" not in lines(tmp_path)[0]


def test_files_are_of_a_limited_size_and_number_and_no_line_is_lost_or_broken(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(event_log, "LARGE", 2_000)
    monkeypatch.setattr(event_log, "KEPT", 100)

    def tell(who: int) -> None:
        log = EventLog(tmp_path)  # A lock of its own, as that of another process.
        for n in range(50):
            log.tell("tried", who=who, n=n)

    threads = [threading.Thread(target=tell, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    files = list((tmp_path / "logs").glob("foundry.jsonl*"))
    assert len(files) > 5
    assert max(one.stat().st_size for one in files) <= 2_000
    told = [json.loads(line) for one in files for line in one.read_text().splitlines()]
    assert {(line["who"], line["n"]) for line in told} == {
        (who, n) for who in range(4) for n in range(50)
    }
    monkeypatch.setattr(event_log, "KEPT", 2)
    for n in range(60):
        EventLog(tmp_path / "other").tell("tried", n=n)
    assert len(list((tmp_path / "other" / "logs").glob("foundry.jsonl*"))) == 3


def test_a_disk_that_takes_nothing_stops_nobody(tmp_path):
    (tmp_path / "logs").write_text("a file where the folder should be")
    EventLog(tmp_path).tell("run.done")


def test_of_a_record_only_what_the_program_wrote_is_taken(tmp_path):
    log = logging.getLogger("foundry.runner")
    with listening(EventLog(tmp_path)):
        log.warning("Run %s said %s", "0a1b2c3d", PLANTED)
        log.error(PLANTED)
        try:
            Store(tmp_path).runs.get(PLANTED)
        except Exception:
            log.exception("Run %s met a mistake: %s", "0a1b2c3d", PLANTED)
        logging.getLogger("another.library").warning(f"{PLANTED} {KEY}")
        log.info("Not worth a line")
    log.warning("Not listened to any more")
    told = lines(tmp_path)
    assert [(one["level"], one.get("run"), one.get("error")) for one in told] == [
        ("warning", "0a1b2c3d", None),
        ("error", None, None),
        ("error", "0a1b2c3d", "NotThere"),
        ("warning", None, None),
    ]
    assert told[2]["where"].startswith("core/store/runs.py:")
    assert PLANTED not in (tmp_path / "logs" / "foundry.jsonl").read_text()


def test_no_text_and_no_key_is_in_it_whatever_a_run_meets(cli, server, tmp_path, monkeypatch):
    """One run ends, one is refused in words that repeat the question and the key, one meets a
    mistake of the program whose error says what it had read.
    """
    idea = tmp_path / "idea.txt"
    idea.write_text(f"{FIRST.text}\n{PLANTED}.")
    words = ("refine", "--idea", str(idea), "--model", MODEL, "--background", "0")
    given = (*words, "--max-rounds", "1")

    def telling(body):
        said = actor(body)
        return {**said, "summary": REPLY} if isinstance(said, dict) and "summary" in said else said

    server.script = telling
    assert cli(*given)[0] == 0
    server.refusing = lambda body: (400, f"{PLANTED}, {REPLY}, {KEY}: {body['messages'][-1]}")
    assert cli(*given)[0] == 3

    def mistaken(*_, **__):
        raise ValueError(f"{PLANTED} {REPLY} {KEY}")

    monkeypatch.setattr("core.runs.runner._tell", mistaken)
    assert cli(*given)[0] == 3
    assert cli("backup")[0] == 0
    told = lines(tmp_path / "data")
    assert [one["event"] for one in told] == [
        *("run.begun", "run.done", "run.begun", "run.failed"),
        *("run.begun", "logged", "run.failed", "backup.made"),
    ]
    assert [one["error"] for one in told if one["event"] == "logged"] == ["ValueError"]
    assert all(one["run"] for one in told if one["event"].startswith("run."))
    assert all(one["seconds"] >= 0 for one in told if one["event"] == "run.done")
    data = tmp_path / "data"
    store = Store(data)
    assert any(PLANTED in str(run.config.inputs) for run in store.runs.listed()), "it was there"
    for path in (data / "logs").iterdir():
        text = path.read_text()
        for planted in (PLANTED, REPLY, KEY, FIRST.text, "Quokkas", "sleep and memory"):
            assert planted not in text
