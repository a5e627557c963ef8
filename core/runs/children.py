"""Runs that are worked on in a process of their own: what they hold in memory, and what may kill
them, is no other run's.
"""

import subprocess
import sys
from pathlib import Path

from core.beside import ROOT, keyless
from core.settings import Settings, spell
from core.store.privacy import within
from core.store.runs import TRAININGS

LOG = "log.txt"


def work_apart(run_id: str, settings: Settings) -> Path:
    """Work on a queued run in a new process until that has ended, and return the file of what it
    said.

    It goes on where this process ends, and is stopped like any run, through the store.
    """
    folder = within(settings.data / TRAININGS, run_id)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOG).open("ab") as log:
        subprocess.run(  # noqa: S603 - our own interpreter, our own words
            [sys.executable, "-m", "core", "train", "worker", run_id],
            cwd=ROOT,
            # No key that was not meant for it: one in the environment may be for another server.
            env={**keyless(), **spell(settings)},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            check=False,
        )
    return folder / LOG
