"""The figures of a session: of few answers made at once, of many in a process beside the server."""

import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter
from pydantic_core import to_json

from core.beside import answer_with, bound, run_beside
from core.records import SourceGrouping, Study
from core.store import Store
from core.studies.analysis import Analysis, SessionFigures, analysed, figures_of
from core.studies.filed import AsRead, Filed
from core.studies.grouping import in_force

AT_ONCE, FEW = 500, 30
"""Answers, and seats, of which figures are made where they are asked for: a second or two of one
core. Every two raters are held against each other.
"""
MEMORY, WORK = 2 << 30, 900
"""Bytes of address space beside what the libraries take, and seconds of the processor."""
ATTENTIVE, BY_LABEL = "attentive", "by label"
_FIGURES = TypeAdapter(SessionFigures)
_one = threading.Lock()
"""Held while a process makes figures: of several at once each would take a core from the pages."""


class _Asked(NamedTuple):
    """What figures are of."""

    folder: str
    study: Study
    attentive: bool
    by_label: bool
    read: AsRead
    grouping: SourceGrouping | None


class _Made(NamedTuple):
    asked: _Asked
    figures: SessionFigures


_last: list[_Made] = []
"""The figures made last: whoever waited for them need not make them again."""


def analyse(
    store: Store, study_id: str, attentive: bool = False, by_label: bool = False
) -> Analysis:
    """Return the figures of a session as `analysed` does. Raises BadInput for an unknown session,
    and one of which there are none; StoreFailed where a process beside the server could not make
    them.
    """
    if store.study_work.filed(study_id) <= AT_ONCE and len(store.seats.of(study_id)) <= FEW:
        return analysed(store, study_id, attentive, by_label)
    with _one:
        # Read before, so that figures and what is said of them are of the same answers.
        filed = Filed(store, study_id, attentive)
        blind = by_label or not filed.study.unblinded
        grouping = None if blind else in_force(store, study_id)
        asked = _Asked(str(store.folder), filed.study, attentive, blind, filed.as_read, grouping)
        if not _last or _last[0].asked != asked:
            _last[:] = [_Made(asked, _beside(asked))]
        return Analysis(filed=filed, **vars(_last[0].figures))


def _beside(asked: _Asked) -> SessionFigures:
    which = (ATTENTIVE if asked.attentive else "", BY_LABEL if asked.by_label else "")
    words = (asked.folder, asked.study.id, *which)
    return _FIGURES.validate_json(run_beside(__name__, words, asked.read.model_dump_json()))


def _answer(words: Sequence[str], read: str) -> str:
    folder, study, who, by = words
    store = Store(Path(folder))
    filed = Filed(store, study, who == ATTENTIVE, AsRead.model_validate_json(read))
    found = figures_of(store, filed, by == BY_LABEL)
    return to_json(found, inf_nan_mode="constants").decode()


if __name__ == "__main__":
    bound(MEMORY, WORK)
    answer_with(lambda: _answer(sys.argv[1:5], sys.stdin.read()))
