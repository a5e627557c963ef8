"""The figures of a file of judgements: of a small one made at once, of a large one in a process
beside the server, with as much memory and time as is said here.
"""

import os
import signal
import sys
import threading

from pydantic import ConfigDict, TypeAdapter

from core.agreement.standing_in import Annotators
from core.beside import EndedEarly, bound, run_beside
from core.errors import BadInput, FoundryError, MappingNeeded
from core.importing.analysis import FileAnalysis, of_export, of_scores
from core.importing.rating_columns import Layout
from core.importing.ratings import take_ratings
from core.importing.sheets import Sheet
from core.importing.votes import columns_of
from core.records import Record
from core.statistics.corrections import CorrectionName

AT_ONCE = 1_000
"""Cells of a file of which the figures are made where they are asked for: a second of one core. Not
of votes: of few votes on many methods, too, ratings are made anew a thousand times.
"""
MEMORY = 1 << 30
"""Bytes of address space beside what the libraries take."""
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


class _Answer(Record):
    """What the process says: figures, or a sentence for who chose the file."""

    model_config = ConfigDict(ser_json_inf_nan="constants")

    found: FileAnalysis | None = None
    mistake: str = ""
    of_columns: bool = False
    """Whether a person is to say what the columns are."""


_ASKED = TypeAdapter(tuple[Sheet, FileReading])


def figures(sheet: Sheet, reading: FileReading) -> FileAnalysis:
    """Return what a file says, without the sheet of ratings behind it. Raises BadInput for one
    that cannot be analysed, or takes more memory or time than it may; MappingNeeded where a person
    is to say what its columns are; StoreFailed where no process could do it.
    """
    cells = len(sheet.rows) * len(sheet.columns)
    if cells <= AT_ONCE and not columns_of(sheet):
        return _made(sheet, reading)
    asked = _ASKED.dump_json((sheet, reading)).decode()
    with _one:
        try:
            made = run_beside(__name__, given=asked)
        except EndedEarly as error:
            if error.code != -signal.SIGXCPU:
                raise
            raise BadInput(_too_large(f"longer than {WORK // 60} minutes of one core")) from error
    said = _Answer.model_validate_json(made)
    if said.found is None:
        raise (MappingNeeded if said.of_columns else BadInput)(said.mistake)
    return said.found


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
    return _answered(*_ASKED.validate_json(asked)).model_dump_json()


def _answered(sheet: Sheet, reading: FileReading) -> _Answer:
    try:
        return _Answer(found=_made(sheet, reading))
    except MappingNeeded as error:
        return _Answer(mistake=str(error), of_columns=True)
    except FoundryError as error:
        return _Answer(mistake=str(error))
    except MemoryError:
        return _Answer(mistake=_too_large(f"more than {MEMORY >> 30} GB of memory"))


if __name__ == "__main__":
    os.nice(10)  # The pages go first.
    bound(MEMORY, WORK)
    sys.stdout.write(answer(sys.stdin.read()))
