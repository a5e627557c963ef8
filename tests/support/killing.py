"""Killing a process that works on a run, once it has made so many calls, and what comes after."""

import signal
import subprocess
import time

from tests.support.forks import Command
from tests.support.servers.openai_server import OpenAIServer


def kill(child: subprocess.Popen | Command, server: OpenAIServer, after: int) -> None:
    """Kill the process once it has made so many more calls."""
    goal, deadline = len(server.calls) + after, time.monotonic() + 30
    while len(server.calls) < goal and time.monotonic() < deadline and child.poll() is None:
        time.sleep(0.005)
    assert child.poll() is None, child.communicate()
    child.send_signal(signal.SIGKILL)
    child.communicate()


def is_quiet(server: OpenAIServer, seconds: float = 0.05) -> bool:
    """Say whether all that was sent has been heard, and nothing more comes for so long; what a
    killed client sent may still be on its way.
    """
    before = len(server.calls)
    time.sleep(seconds)
    return server.in_flight == 0 and len(server.calls) == before
