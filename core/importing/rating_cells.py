"""What every cell of a file of ratings says: a score with whose it is and of what, that there is
none, or why it cannot be used.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from core.errors import MappingNeeded
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
MOST_REFUSED = 100_000
"""Cells that are named with what is wrong: half of the longest file of one score a row. Each takes
as much as five scores.
"""
UNSEEN = "\u200b\u200c\u200d\u2060\ufeff"
"""Signs without width that programs leave at the ends of names."""


class ImportedRating(NamedTuple):
    """One score that can be used."""

    item: str
    rater: str
    """Where nobody knows who rated, where the review stands."""
    criterion: str
    score: float


class RatedRow(NamedTuple):
    """What a row says that can be used; what it says of all of its scores stands here once."""

    where: str
    time: int
    source: str
    topic: str
    ratings: list[ImportedRating]


class Cells(NamedTuple):
    """What became of the cells of a table."""

    good: list[RatedRow]
    relisted: list[RatedRow]
    bad: list[RefusedRow]
    empty: int
    revised: int
    checks: int
    models: frozenset[str]
    again: int


class _Head(NamedTuple):
    """What the name of a column of scores says; None where the rows say it."""

    column: str
    rater: str | None
    criterion: str | None


class _Read(NamedTuple):
    """What became of the cells of a row."""

    good: RatedRow
    bad: list[RefusedRow]
    empty: int


def every_cell(sheet: Sheet, layout: Layout, scale: tuple[float, float] | None) -> Cells:
    """Return what became of every cell of scores; a row that says the same as an earlier one of
    another source is that review listed again. Raises MappingNeeded where more cells cannot be used
    than are named.
    """
    good, relisted, bad = list[RatedRow](), list[RatedRow](), list[RefusedRow]()
    empty, revised, checks, again, models, seen = (
        0,
        0,
        0,
        0,
        set[str](),
        dict[tuple[str, ...], Row](),
    )
    read_row = _row_reader(layout, scale)
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
            found = read_row(row._replace(where=same.where) if more else row)
            (relisted if more else good).append(found.good)
            if not more:
                empty += found.empty
                bad += found.bad
                require_few(sheet, layout, bad)
    return Cells(good, relisted, bad, empty, revised, checks, frozenset(models), again)


def require_few(sheet: Sheet, layout: Layout, bad: Sequence[RefusedRow]) -> None:
    """Raise MappingNeeded where more cells cannot be used than are named."""
    if len(bad) > MOST_REFUSED:
        raise MappingNeeded(
            f"More than {MOST_REFUSED:,} cells of {sheet.name} cannot be used. {layout.said}"
            f" {bad[0].where}: {bad[0].reason}"
        )


def says(row: Row, column: str, words: Sequence[str]) -> bool:
    return bool(column) and row.cells.get(column, "").strip().casefold() in words


def _row_reader(layout: Layout, scale: tuple[float, float] | None) -> Callable[[Row], _Read]:
    """Return what reads the cells of scores of a row. Names of columns are made once, and those of
    ideas and raters once for all rows that have them.
    """
    heads = [_head(column, layout) for column in layout.scores]
    named = cache(name_of)
    sums = cache(_sums_up)
    # Most cells say one of a few numbers.
    number_in = lru_cache(maxsize=1_000)(number)

    def read(row: Row) -> _Read:
        parts = [named(row.cells.get(column, "")) for column in (*layout.within, layout.item)]
        item = named(" / ".join(parts))
        rater, criterion, source, topic = (
            named(row.cells.get(column, "")) if column else ""
            for column in (layout.rater, layout.criterion, layout.source, layout.topic)
        )
        time = row.cells.get(layout.repeat, "").strip() or "1" if layout.repeat else "1"
        if wrong := _wrong(layout, parts, rater, criterion, time, sums):
            nothing = RatedRow(row.where, 1, source, topic, [])
            return _Read(nothing, [refused(row.where, item, wrong)], 0)
        of_row = (row.where if layout.reviews else rater, criterion or ONLY)
        good, bad, empty = list[ImportedRating](), list[RefusedRow](), 0
        for head in heads:
            who = of_row[0] if head.rater is None else head.rater
            what = of_row[1] if head.criterion is None else head.criterion
            try:
                score = number_in(row.cells.get(head.column, ""))
                if score is not None:
                    _require_on(scale, score)
            except ValueError as error:
                names = (item, "" if layout.reviews else who, what if what != ONLY else "")
                title = ", ".join(filter(None, names))
                bad.append(refused(row.where, title, str(error)))
                continue
            if score is None:
                empty += 1
            else:
                good.append(ImportedRating(item, who, what, score))
        return _Read(RatedRow(row.where, int(time), source, topic, good), bad, empty)

    return read


def _require_on(scale: tuple[float, float] | None, score: float) -> None:
    """Raise ValueError for a score that is not on the scale."""
    if scale and not scale[0] <= score <= scale[1]:
        ends = f"which runs from {scale[0]:g} to {scale[1]:g}"
        raise ValueError(f"{score:g} is out of scale, {ends}")


def _sums_up(name: str) -> bool:
    return simple(name) in SUMMARIES


def _wrong(
    layout: Layout,
    parts: Sequence[str],
    rater: str,
    criterion: str,
    time: str,
    sums: Callable[[str], bool],
) -> str:
    """Return why nothing of a row can be used, or nothing; `sums` says which names sum up
    others.
    """
    columns = (*layout.within, layout.item, layout.rater, layout.criterion)
    names = (*parts, rater, criterion)
    lacking = [column for column, name in zip(columns, names, strict=True) if column and not name]
    if lacking:
        where = ", ".join(map(repr, lacking))
        return f"nothing stands in {where}, so that it is not known whose score of what this is"
    if summing := next(filter(sums, (*parts, rater)), ""):
        other = "call it something else if it is an idea or a rater of its own"
        return f"{summing!r} sums up others; {other}"
    if not re.fullmatch("[1-9]", time):
        return f"{layout.repeat!r} says {time[:40]!r}; which time it was is a number, 1, 2, ..."
    return ""


def _head(column: str, layout: Layout) -> _Head:
    """Return what the name of a column of scores says."""
    before, _, after = (name_of(part) for part in column.partition(":"))
    match layout.heads:
        case "score":
            return _Head(column, None, None)
        case "criteria":
            return _Head(column, None, name_of(column))
        case "raters":
            return _Head(column, name_of(column), None)
        case "rater:criterion":
            return _Head(column, before, after or ONLY)
        case "criterion:rater":
            return _Head(column, after or before, before if after else ONLY)


def name_of(cell: str) -> str:
    """Return a name as it is kept: on one line, and a text that is used as one cut, with what tells
    it from others that begin alike.
    """
    name = plain(cell).strip(UNSEEN)
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 8]} {digest(name)[:7]}"
