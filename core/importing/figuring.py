"""The figures of a file of judgements, made in a process beside the server: a few thousand cells
may take minutes and gigabytes, and nobody knows before.
"""

import signal
import sys
import threading

from pydantic import TypeAdapter
from pydantic_core import to_json

from core.agreement.standing_in import Annotators
from core.beside import EndedEarly, answer_with, bound, run_beside
from core.errors import BadInput, MappingNeeded
from core.importing.analysis import FileAnalysis, of_export, of_scores
from core.importing.rating_columns import Layout
from core.importing.ratings import take_ratings
from core.importing.sheets import Sheet
from core.records import Record
from core.statistics.corrections import CorrectionName

MEMORY = 1 << 30
"""Bytes of address space beside what the libraries take."""
MORE = f"more than {MEMORY >> 30} GB of memory"
WORK = 300
"""Seconds of the processor."""
_one = threading.Lock()
"""Held while a process makes figures: of several at once each would take a core from the pages."""


class FileReading(Record):
    """How a file of judgements is read: as its columns are said to be, or, without a layout, as an
    export of ours.
    """

    layout: Layout | None = None
    models: tuple[str, ...] = ()
    scale: tuple[float, float] | None = None
    correction: CorrectionName = "Holm"
    annotators: Annotators = "experts"


_ASKED = TypeAdapter(tuple[Sheet, FileReading])
_FOUND = TypeAdapter(FileAnalysis)


def figures(sheet: Sheet, reading: FileReading) -> FileAnalysis:
    """Return what a file says, without the sheet of ratings behind it. Raises BadInput for one
    that cannot be analysed, or takes more memory or time than it may; MappingNeeded where a person
    is to say what its columns are; StoreFailed where no process could do it.
    """
    asked = _ASKED.dump_json((sheet, reading)).decode()
    with _one:
        try:
            made = run_beside(__name__, given=asked)
        except EndedEarly as error:
            if error.code == -signal.SIGXCPU:
                longer = f"longer than {WORK // 60} minutes of one core"
                raise BadInput(_too_large(longer)) from error
            if error.code == -signal.SIGABRT:  # How a library in C or Rust ends without memory.
                raise BadInput(_too_large(MORE)) from error
            raise
    return _FOUND.validate_json(made)


def _made(sheet: Sheet, reading: FileReading) -> FileAnalysis:
    if reading.layout is None:
        found = of_export(sheet)
        if found is None:
            raise MappingNeeded(f"{sheet.name} is no export of ours.")
        return found._replace(sheet=None)
    ratings = take_ratings(sheet, reading.layout, reading.models, reading.scale)
    return of_scores(ratings, reading.correction, reading.annotators)._replace(sheet=None)


def _too_large(what: str) -> str:
    return (
        f"The figures of this file take {what}. Split it, by criterion or by topic for instance,"
        " or use `python -m core agreement FILE`, which may take what it needs."
    )


def answer(asked: str) -> str:
    """Return what the process says of a file, both as JSON."""
    sheet, reading = _ASKED.validate_json(asked)
    try:
        return to_json(_made(sheet, reading), inf_nan_mode="constants").decode()
    except MemoryError as error:
        raise BadInput(_too_large(MORE)) from error


if __name__ == "__main__":
    bound(MEMORY, WORK)
    answer_with(lambda: answer(sys.stdin.read()))
