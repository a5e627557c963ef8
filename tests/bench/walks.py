"""Three walks through the product, and in how many product files a function is called on each.

`python -m tests.bench.walks` counts, with `-v` it names them: from a topic to the chosen idea, one
round of a refinement, and experts' answers to a statistic, each as far as the screen. Models are a
loopback server; papers and embeddings are made up.
"""

import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from core.methods import RefineInputs
from core.methods.presets import NOVELTY
from core.runs.planning import played, validated
from core.runs.runner import Runner
from core.studies import organising
from tests import ROOT
from tests.support import stored
from tests.support.servers.openai_server import OpenAIServer
from tests.support.sessions import studies_kit
from tests.support.visiting import host, visit

PRODUCT = ("core", "components", "pages", "app.py")


def touched(walk: Callable[[], object]) -> list[str]:
    """Return the product files in which a function was called, in the order of the walk."""
    files: dict[str, None] = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or code.co_name == "<module>":
            return
        if code.co_filename.startswith(f"{ROOT}/"):
            path = Path(code.co_filename).relative_to(ROOT)
            if path.parts[0] in PRODUCT:
                files.setdefault(str(path))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        walk()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    return list(files)


def worked(runner: Runner, begin: stored.Begin, page: str) -> None:
    """Work on a new run to its end and open its page."""
    run = begin(runner)
    assert runner.work(run.id) == "done"
    visit(page, run=run.id)


def answered(runner: Runner, session: studies_kit.Held) -> None:
    """Have three experts answer everything, close the session and open its results."""
    for seat in range(3):
        studies_kit.work_through(runner.store, session.at_work(seat))
    organising.close(runner.store, session.study.id)
    visit("sessions", session=session.study.id, tab="Results")


def main() -> None:
    """Walk three times and print the numbers."""
    models = ("test-model", "other-model")
    with (
        pytest.MonkeyPatch.context() as patch,
        tempfile.TemporaryDirectory() as folder,
        OpenAIServer(script=stored.said, models=models) as server,
    ):
        runner = Runner(stored.StoredShop(Path(folder), server.url))
        host(patch, runner)
        session = studies_kit.opened(runner.store, "rate", experts=3, texts=6, overlap=3)
        for page in ("chains", "refine", "sessions"):
            visit(page)  # What is loaded once is not counted.
        play = played("infal", (NOVELTY,), 1, 2)
        round_of_one = stored.begun(
            "refine", lambda _: validated(RefineInputs, topic="sleep", play=play, k=2, lines=1)
        )
        walks: dict[str, Callable[[], None]] = {
            "a topic to the chosen idea": lambda: worked(runner, stored.chain(), "chains"),
            "one round of a refinement": lambda: worked(runner, round_of_one, "refine"),
            "an expert's answer to a statistic": lambda: answered(runner, session),
        }
        for name, walk in walks.items():
            files = touched(walk)
            rooms = {str(Path(file).parent) for file in files}
            print(f"{name}: {len(files)} files in {len(rooms)} rooms")
            if "-v" in sys.argv:
                print("  ", *files, sep="\n    ")


if __name__ == "__main__":
    main()
