"""A process beside the server, for figures that take long: numpy and Python's own lock would hold
up every page meanwhile, and what needs more memory or time than it may have ends alone.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from core.errors import BadInput, FoundryError, MappingNeeded, StoreFailed, StoreUnusable
from core.settings import PROVIDER_KEYS

ROOT = Path(__file__).parents[1]
ONE_CORE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""Leaves the other cores to the pages."""
REFUSED = 64
"""With what such a process ends that says a sentence and no answer."""
LAST = 5
"""Seconds of the processor that are left to what was told that it takes too long."""
PR_SET_PDEATHSIG = 1
"""Number of Linux's prctl.h."""
KINDS: dict[str, type[FoundryError]] = {
    kind.__name__: kind for kind in (BadInput, MappingNeeded, StoreFailed, StoreUnusable)
}


def keyless() -> dict[str, str]:
    """Return the environment without the keys of model providers, which no such process needs."""
    keys = {name for names in PROVIDER_KEYS.values() for name in names}
    return {name: value for name, value in os.environ.items() if name not in keys}


class EndedEarly(StoreFailed):
    """A process beside the server ended before it had an answer; `code` is how (below zero: by
    which signal).
    """

    def __init__(self, code: int, said: str):
        lines = said.strip().splitlines()
        why = lines[-1][:300] if lines else f"their process ended with {code}."
        if code == -signal.SIGXCPU:
            why = "they take longer than is left to them."
        super().__init__(f"The figures could not be made: {why}")
        self.code = code

    @property
    def would_again(self) -> bool:
        """Whether the next one would end so, too: nobody ended it from without."""
        return self.code not in (-signal.SIGKILL, -signal.SIGTERM)


def run_beside(module: str, words: Sequence[str] = (), given: str = "") -> str:
    """Run a module of ours, which reads what is `given` from stdin, and return what it says.

    Raises what it raised where that is a person's to mend, EndedEarly where it breaks down,
    StoreFailed where no process can be started.
    """
    try:
        done = subprocess.run(  # noqa: S603 (our own interpreter, our own words)
            [sys.executable, "-m", module, *words],
            cwd=ROOT,
            env={**keyless(), **ONE_CORE},
            input=given,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
    except OSError as error:
        raise StoreFailed(
            f"No process could be started for the figures ({type(error).__name__})."
        ) from error
    if done.returncode == REFUSED:
        kind, sentence = json.loads(done.stdout)
        raise KINDS.get(kind, StoreFailed)(sentence)
    if done.returncode:
        raise EndedEarly(done.returncode, done.stderr)
    return done.stdout


def answer_with(make: Callable[[], str]) -> None:
    """Say what is made, as the process that was asked by `run_beside`, or why it cannot be."""
    os.nice(5)  # The pages go first, and yet somebody waits for this.
    end_with_parent()
    try:
        said = make()
    except FoundryError as error:
        sys.stdout.write(json.dumps([type(error).__name__, str(error)]))
        sys.exit(REFUSED)
    sys.stdout.write(said)


def end_with_parent() -> None:
    """Let this process end as the one that waits for its answer does, where the system can."""
    set_option = getattr(ctypes.CDLL(None), "prctl", None)
    if set_option is not None:
        set_option(PR_SET_PDEATHSIG, signal.SIGKILL)


def bound(memory: int, work: int = 0) -> None:
    """Let this process take so many bytes beside what it has, and so many seconds of the processor
    where they are given; it leaves no core dump, and goes first where the machine's memory ends.

    As far as the system can: macOS keeps no limit on address space.
    """
    import resource

    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")
    taken = Path("/proc/self/statm")
    if taken.exists():
        pages = int(taken.read_text().split()[0])
        most = pages * resource.getpagesize() + memory
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    if work:
        # At the first of the two it hears of it (SIGXCPU), at the second it is killed.
        resource.setrlimit(resource.RLIMIT_CPU, (work, work + LAST))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
