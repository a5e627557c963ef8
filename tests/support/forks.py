"""Processes of their own that can be killed, and start at once: forks of one that has imported what
they need.
"""

import functools
import multiprocessing
import os
import signal
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

from tests import ROOT
from tests.support import worker


class Fork(multiprocessing.context.ForkServerProcess):
    """A fork that is told of no main module: where a screen was drawn in this process, that is the
    script of its page, which runs nowhere else.
    """

    def start(self) -> None:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            super().start()
        finally:
            sys.modules["__main__"] = main


@functools.cache
def forks() -> multiprocessing.context.ForkServerContext:
    """Return what forks; its process takes some five seconds of a processor to start, once, and an
    app or a command without it nearly as many each time.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.support.preloaded"])
    context.Process = Fork  # type: ignore[misc]
    return context


class Command:
    """`python tests/support/worker.py` with these words and this environment.

    It can be asked and killed like a `subprocess.Popen` whose outputs are piped.
    """

    def __init__(self, words: list[str], environ: Mapping[str, str]):
        self._folder = tempfile.TemporaryDirectory()
        self._said = [Path(self._folder.name) / name for name in ("out", "err")]
        self._process = forks().Process(target=_work, args=(words, dict(environ), self._said))
        self._process.start()

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        """Return its exit code, or None while it is there."""
        self._process.join(0)
        return self._process.exitcode

    @property
    def errors(self) -> str:
        """What it said on stderr so far."""
        return self._said[1].read_text() if self._said[1].exists() else ""

    def send_signal(self, number: signal.Signals) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, number)

    def kill(self) -> None:
        self._process.kill()

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Wait for its end and return what it said; fails if it takes longer than `timeout`
        seconds.
        """
        self._process.join(timeout)
        assert self._process.exitcode is not None, f"still there after {timeout} seconds"
        out, err = (file.read_text() for file in self._said)
        return out, err


def _work(words: list[str], environ: dict[str, str], said: list[Path]) -> None:
    for stream, file in zip((1, 2), said, strict=True):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), stream)
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(ROOT)
    sys.exit(worker.work(words))
