"""The figures of a session: of few answers made at once, of many in a process beside the server."""

import os
import sys
import threading
from pathlib import Path

from pydantic import TypeAdapter
from pydantic_core import to_json

from core.beside import run_beside
from core.store import Store
from core.studies.analysis import Analysis, SessionFigures, analysed, figures_of
from core.studies.filed import Filed

AT_ONCE = 2_000
"""Answers of which figures are made where they are asked for: a second or two of one core."""
ATTENTIVE = "attentive"
_FIGURES = TypeAdapter(SessionFigures)
_one = threading.Lock()
"""Held while a process makes figures: of several at once each would take a core from the pages."""


def analyse(store: Store, study_id: str, attentive: bool) -> Analysis:
    """Return the figures of a session as `analysed` does. Raises BadInput for an unknown session,
    StoreFailed where a process beside the server could not make them.
    """
    if store.study_work.filed(study_id) <= AT_ONCE:
        return analysed(store, study_id, attentive)
    words = (str(store.folder), study_id, ATTENTIVE if attentive else "")
    with _one:
        made = _FIGURES.validate_json(run_beside(__name__, words))
    return Analysis(filed=Filed(store, study_id, attentive), **vars(made))


if __name__ == "__main__":
    os.nice(10)  # The pages go first.
    folder, study, who = sys.argv[1:4]
    there = Store(Path(folder))
    filed = Filed(there, study, who == ATTENTIVE)
    sys.stdout.buffer.write(to_json(figures_of(there, filed), inf_nan_mode="constants"))
