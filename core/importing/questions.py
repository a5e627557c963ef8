"""Research questions with their reviews from a file, for a training: a table, a JSON list, or an
object a line.
"""

from core.errors import BadInput
from core.importing.decoding import unsound
from core.importing.names import first_few, only_column
from core.importing.reading import read
from core.importing.sheets import RefusedRow, Row
from core.importing.sheets import refused as refuse
from core.records import TrainingQuery

QUESTION = ("question", "research question", "query")
REVIEW = ("review", "literature review", "background")
SEED = ("seed", "seed paper", "paper", "doi", "id")
"""What the columns may be called, the likeliest first."""


def questions_in(
    name: str, data: bytes
) -> tuple[tuple[TrainingQuery, ...], tuple[RefusedRow, ...]]:
    """Return the questions of a file, each once, and the rows that were not taken; raises BadInput
    for one without a column of questions, or with no question.
    """
    sheet = read(name, data)
    question = only_column(name, sheet.columns, QUESTION)
    if not question:
        raise BadInput(
            f"{name} has no column `question`; it has {first_few(sheet.columns)}. `review` and"
            " `seed` (the paper a question was made from) are read too."
        )
    review, seed = (only_column(name, sheet.columns, names) for names in (REVIEW, SEED))
    found: dict[TrainingQuery, None] = {}
    refused = [*sheet.refused]
    for row in sheet.rows:
        if not (asked := _cell(row, question)):
            refused.append(RefusedRow(where=row.where, reason="It has no question."))
            continue
        told = {"review": _cell(row, review), "seed": _cell(row, seed)}
        if what := next(filter(None, map(unsound, (asked, *told.values()))), ""):
            refused.append(refuse(row.where, asked, what))
            continue
        found[TrainingQuery(question=asked, **told)] = None
    if not found:
        raise BadInput(f"{name} holds no question. Import one a row, in a column `question`.")
    return tuple(found), tuple(refused)


def _cell(row: Row, column: str) -> str:
    return row.cells.get(column, "").strip() if column else ""
