"""The figures of a session: of few answers made at once, of many in a process beside the server."""

import sys
import threading
from pathlib import Path

from pydantic import TypeAdapter
from pydantic_core import to_json

from core.beside import answer_with, bound, run_beside
from core.store import Store
from core.studies.analysis import Analysis, SessionFigures, analysed, figures_of
from core.studies.filed import Filed

AT_ONCE = 2_000
"""Answers of which figures are made where they are asked for: a second or two of one core."""
MEMORY, WORK = 2 << 30, 900
"""Bytes of address space beside what the libraries take, and seconds of the processor."""
ATTENTIVE, BY_LABEL = "attentive", "by label"
_FIGURES = TypeAdapter(SessionFigures)
_one = threading.Lock()
"""Held while a process makes figures: of several at once each would take a core from the pages."""


def analyse(
    store: Store, study_id: str, attentive: bool = False, by_label: bool = False
) -> Analysis:
    """Return the figures of a session as `analysed` does. Raises BadInput for an unknown session,
    and one of which there are none; StoreFailed where a process beside the server could not make
    them.
    """
    if store.study_work.filed(study_id) <= AT_ONCE:
        return analysed(store, study_id, attentive, by_label)
    which = (ATTENTIVE if attentive else "", BY_LABEL if by_label else "")
    words = (str(store.folder), study_id, *which)
    with _one:
        made = _FIGURES.validate_json(run_beside(__name__, words))
    return Analysis(filed=Filed(store, study_id, attentive), **vars(made))


def _answer(folder: str, study: str, who: str, by: str) -> str:
    store = Store(Path(folder))
    found = figures_of(store, Filed(store, study, who == ATTENTIVE), by == BY_LABEL)
    return to_json(found, inf_nan_mode="constants").decode()


if __name__ == "__main__":
    bound(MEMORY, WORK)
    answer_with(lambda: _answer(*sys.argv[1:5]))
