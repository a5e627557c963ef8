"""A command that is broken off while it works parks its run and says so."""

import json
import os
import signal
import threading
from contextlib import suppress

import pytest

from core.__main__ import main
from core.store import Store
from tests.support.forks import Command
from tests.support.headless import KEY, MODEL
from tests.support.playing import actor
from tests.support.servers.openai_server import OpenAIServer
from tests.support.waiting import until


@pytest.mark.parametrize("how", ["interrupted", "stopped from elsewhere"])
def test_a_command_that_is_broken_off_parks_the_run_and_says_so(tmp_path, how, capsys):
    free = threading.Event()

    def paced(body):
        assert len(server.calls) < 8 or free.wait(150), (
            "the run waits for its end to be asked for, however late that is"
        )
        return actor(body)

    with OpenAIServer(script=paced, latency=0.1) as server:
        env = {
            **os.environ,
            "OPENAI_BASE_URL": server.url,
            "OPENAI_API_KEY": KEY,
            "FOUNDRY_DATA": str(tmp_path),
        }
        words = [
            "refine",
            "--topic",
            "retrieval of learned operators",
            "--model",
            MODEL,
            "--max-rounds",
            "50",
            "--json",
        ]
        child = Command(words, env)
        # On a busy machine a command takes minutes until it asks anything.
        until(lambda: len(server.calls) >= 4, 240)
        if how == "interrupted":
            child.send_signal(signal.SIGINT)
            # Not free before it has heard, which on a busy machine takes longer than its calls.
            with suppress(AssertionError):
                until(lambda: "Stopping." in child.errors or child.poll() is not None, 120)
            assert "Stopping." in child.errors, child.errors
            free.set()
            until(lambda: child.poll() is not None, 60)
        else:
            assert (
                main(
                    ["stop", Store(tmp_path).runs.listed()[0].id, "--data", str(tmp_path), "--json"]
                )
                == 0
            )
            assert json.loads(capsys.readouterr().out)["note"] == "asked to stop"
        free.set()
        out, err = child.communicate(timeout=60)
    document = json.loads(out)
    assert (child.returncode, document["state"]) == (4, "stopped")
    assert document["steps"] >= 3
    assert "Traceback" not in err
