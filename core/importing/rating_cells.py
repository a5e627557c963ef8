"""What every cell of a file of ratings says: a score with whose it is and of what, that there is
none, or why it cannot be used.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.importing.names import simple
from core.importing.rating_columns import MODEL, NO, YES, Layout, number
from core.importing.rating_names import SUMMARIES
from core.importing.sheets import RefusedRow, Row, Sheet, refused
from core.literature.importing.text import plain
from core.records import digest

LONGEST_NAME = 120
"""Characters of an idea's, a rater's or a criterion's name that are kept."""
ONLY = "score"
"""What the criterion is called where a file names none."""
UNSEEN = "\u200b\u200c\u200d\u2060\ufeff"
"""Signs without width that programs leave at the ends of names."""


class ImportedRating(NamedTuple):
    """One score that can be used."""

    item: str
    rater: str
    """Where nobody knows who rated, where the review stands."""
    criterion: str
    score: float


class RatingCell(NamedTuple):
    where: str
    rating: ImportedRating
    time: int
    source: str = ""
    topic: str = ""


class Cells(NamedTuple):
    """What became of the cells of a table."""

    good: list[RatingCell]
    relisted: list[RatingCell]
    bad: list[RefusedRow]
    empty: int
    revised: int
    checks: int
    models: frozenset[str]
    again: int


def every_cell(sheet: Sheet, layout: Layout, scale: tuple[float, float] | None) -> Cells:
    """Return what became of every cell of scores; a row that says the same as an earlier one of
    another source is that review listed again.
    """
    good, relisted, bad = list[RatingCell](), list[RatingCell](), list[RefusedRow]()
    empty, revised, checks, again, models, seen = (
        0,
        0,
        0,
        0,
        set[str](),
        dict[tuple[str, ...], Row](),
    )
    for row in sheet.rows:
        if says(row, layout.last, NO):
            revised += 1
        elif says(row, layout.attention, YES):
            checks += 1
        else:
            same = row
            if layout.source and layout.source not in layout.within:
                cells = (row.cells.get(name, "") for name in sheet.columns if name != layout.source)
                same = seen.setdefault(tuple(cells), row)
            more = same is not row and same.cells.get(layout.source, "") != row.cells.get(
                layout.source, ""
            )
            again += more
            if says(row, layout.kind, (MODEL,)):
                models.add(name_of(row.cells.get(layout.rater, "")))
            for found in _cells(row._replace(where=same.where) if more else row, layout, scale):
                if isinstance(found, RatingCell):
                    (relisted if more else good).append(found)
                elif found is None:
                    empty += not more
                elif not more:
                    bad.append(found)
    return Cells(good, relisted, bad, empty, revised, checks, frozenset(models), again)


def says(row: Row, column: str, words: Sequence[str]) -> bool:
    return bool(column) and row.cells.get(column, "").strip().casefold() in words


def _cells(
    row: Row, layout: Layout, scale: tuple[float, float] | None
) -> Iterator[RatingCell | RefusedRow | None]:
    """Yield what became of every cell of scores in a row: a rating, a refusal, or None for one that
    says there is none.
    """
    parts = [name_of(row.cells.get(column, "")) for column in (*layout.within, layout.item)]
    item = name_of(" / ".join(parts))
    rater, criterion, source, topic = (
        name_of(row.cells.get(column, "")) if column else ""
        for column in (layout.rater, layout.criterion, layout.source, layout.topic)
    )
    time = row.cells.get(layout.repeat, "").strip() or "1" if layout.repeat else "1"
    if wrong := _wrong(layout, parts, rater, criterion, time):
        yield refused(row.where, item, wrong)
        return
    for column in layout.scores:
        who, what = _names_of(column, layout, row.where if layout.reviews else rater, criterion)
        names = (item, "" if layout.reviews else who, what if what != ONLY else "")
        title = ", ".join(filter(None, names))
        try:
            score = number(row.cells.get(column, ""))
        except ValueError as error:
            yield refused(row.where, title, str(error))
            continue
        if score is None:
            yield None
        elif scale and not scale[0] <= score <= scale[1]:
            ends = f"which runs from {scale[0]:g} to {scale[1]:g}"
            yield refused(row.where, title, f"{score:g} is out of scale, {ends}")
        else:
            rating = ImportedRating(item, who, what, score)
            yield RatingCell(row.where, rating, int(time), source, topic)


def _wrong(layout: Layout, parts: Sequence[str], rater: str, criterion: str, time: str) -> str:
    """Return why nothing of a row can be used, or nothing."""
    columns = (*layout.within, layout.item, layout.rater, layout.criterion)
    names = (*parts, rater, criterion)
    lacking = [column for column, name in zip(columns, names, strict=True) if column and not name]
    if lacking:
        where = ", ".join(map(repr, lacking))
        return f"nothing stands in {where}, so that it is not known whose score of what this is"
    if summing := next((name for name in (*parts, rater) if simple(name) in SUMMARIES), ""):
        other = "call it something else if it is an idea or a rater of its own"
        return f"{summing!r} sums up others; {other}"
    if not re.fullmatch("[1-9]", time):
        return f"{layout.repeat!r} says {time[:40]!r}; which time it was is a number, 1, 2, ..."
    return ""


def _names_of(column: str, layout: Layout, rater: str, criterion: str) -> tuple[str, str]:
    """Return the rater and the criterion of a column of scores."""
    before, _, after = (name_of(part) for part in column.partition(":"))
    match layout.heads:
        case "score":
            return rater, criterion or ONLY
        case "criteria":
            return rater, name_of(column)
        case "raters":
            return name_of(column), criterion or ONLY
        case "rater:criterion":
            return before, after or ONLY
        case "criterion:rater":
            return after or before, before if after else ONLY


def name_of(cell: str) -> str:
    """Return a name as it is kept: on one line, and a text that is used as one cut, with what tells
    it from others that begin alike.
    """
    name = plain(cell).strip(UNSEEN)
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 8]} {digest(name)[:7]}"
