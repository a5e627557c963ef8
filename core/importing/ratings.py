"""Finished ratings from a file: who gave which idea what on which criterion, whatever way the table
is laid out; every bad cell is named.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from core.errors import BadInput, MappingNeeded
from core.importing import decoding
from core.importing.answers import SCALE, of_ours
from core.importing.delimited import read_table
from core.importing.names import first_few
from core.importing.rating_cells import (
    MOST_REFUSED,
    ImportedRating,
    RatedRow,
    every_cell,
    require_few,
)
from core.importing.rating_columns import Layout
from core.importing.rating_guess import guess_layout
from core.importing.rating_names import MODEL_NAME
from core.importing.sheets import RefusedRow, Row, Sheet, refused, require_columns
from core.statistics.intervals import SCORE, Scale
from core.statistics.matrix import Matrix, matrix

MOST_ROWS = 200_000
MOST_CELLS = 4_000_000
"""Of a file, whatever they hold: the 20 columns of our widest export in as many rows. Each takes
some 85 bytes as long as the file is open.
"""
MOST_SCORES = 1_000_000
"""Cells of scores that are taken: 2,000 ideas by 16 raters on 30 criteria, or 5 columns of the most
rows. Each takes some 300 bytes and 10 microseconds.
"""
MOST_PLACES = 6_000_000
"""Of all tables together: 2,000 ideas by 100 raters on 30 criteria."""
NAMED = 3
"""Other rows that are named where one is given twice."""

_Given = tuple[int, tuple[str, ...]]
"""Which time, and who rated what on which criterion."""


class SourcedScore(NamedTuple):
    """A score with what its idea comes from; an idea may be listed under several sources."""

    rating: ImportedRating
    source: str
    topic: str


class Ratings(NamedTuple):
    """The ratings of a file, how its columns were read, and what of it was not taken."""

    name: str
    format: str
    encoding: str
    layout: Layout
    scores: tuple[ImportedRating, ...]
    repeats: tuple[tuple[float, float], ...]
    """First and second score of every rating that an expert gave again."""
    models: frozenset[str]
    """Raters that are model judges."""
    models_said: str
    """By what they were told apart."""
    refused: tuple[RefusedRow, ...]
    empty: int
    """Cells that say there is no score."""
    revised: int
    """Scores that were given before the last one."""
    checks: int = 0
    """Rows that check attention, and count in no figure."""
    listed: tuple[SourcedScore, ...] = ()
    """Every score under every source that its idea is listed under; empty where no sources are
    known.
    """
    again: int = 0
    """Reviews that are listed under one more source: they count once, but with each of these."""
    unused: tuple[str, ...] = ()
    """Columns that are not read."""
    scale: Scale | None = None
    """What all was scored on; None where nobody says."""
    alone: int = 0
    """Scores that count in no figure: given a second time where there is no first, or a third."""

    @property
    def raters(self) -> tuple[str, ...]:
        """Everybody who rated, by name; nobody where reviews do not say who wrote them."""
        return () if self.layout.reviews else tuple(sorted({one.rater for one in self.scores}))

    @property
    def by_rater(self) -> dict[str, Matrix]:
        """The ratings as tables; raises MappingNeeded where nobody knows who rated."""
        if self.layout.reviews:
            unknown = "names no rater, and experts are what judges are held against"
            raise MappingNeeded(f"{self.name} {unknown}. Say which column names the rater.")
        return self.by_criterion

    @property
    def by_criterion(self) -> dict[str, Matrix]:
        """The ratings as tables, in the order in which the file names its criteria; raises BadInput
        for tables larger than anything that is analysed.

        Where nobody knows who rated, columns are the first, second, ... review of each idea.
        """
        parts: dict[str, list[tuple[str, str, float]]] = defaultdict(list)
        times: Counter[tuple[str, str]] = Counter()
        for one in self.scores:
            who = one.rater
            if self.layout.reviews:
                times[one.criterion, one.item] += 1
                who = f"review {times[one.criterion, one.item]}"
            parts[one.criterion].append((one.item, who, one.score))
        places = sum(
            len({item for item, _, _ in some}) * len({who for _, who, _ in some})
            for some in parts.values()
        )
        if places > MOST_PLACES:
            raise BadInput(
                f"The ratings of {self.name} would make tables of {places:,} places, of ideas by"
                f" raters; {MOST_PLACES:,} are made at most. Is the right column taken for the"
                " idea, and for the rater? Otherwise split the file, by topic or criterion."
            )
        return {criterion: matrix(found) for criterion, found in parts.items()}


def opened(name: str, data: bytes) -> Sheet:
    """Read the rows of a CSV (commas, semicolons, tabs or bars; UTF-8, UTF-16 or Latin-1); raises
    BadInput for a file that holds none.
    """
    name, text, encoding = decoding.opened(name, data)
    # Excel's own line, which says what separates cells; the blank line left keeps the numbers of
    # lines.
    found = read_table(
        name, re.sub(r"\A\s*sep=.\n", "\n", text), "a rating, or all ratings of an idea"
    )
    parts: list[Row | RefusedRow] = []
    cells = 0
    for part in found.parts:
        parts.append(_without_loss(part))
        if len(parts) > MOST_ROWS:
            raise BadInput(
                f"{name} has more than {MOST_ROWS:,} rows. Split it, by criterion for instance."
            )
        cells += len(part.cells) if isinstance(part, Row) else 0
        if cells > MOST_CELLS:
            raise BadInput(
                f"{name} has more than {MOST_CELLS:,} cells in its {len(found.columns)} columns."
                " Leave out columns that are not needed, or split it, by topic for instance."
            )
    rows = tuple(one for one in parts if isinstance(one, Row))
    broken = tuple(one for one in parts if isinstance(one, RefusedRow))
    if not rows:
        first = f": {broken[0].where}, {broken[0].clause}" if broken else ""
        raise BadInput(
            f"{name} holds no rating under its line of column names"
            f" ({first_few(found.columns)}){first}."
        )
    return Sheet(
        name,
        found.format,
        encoding,
        found.columns,
        rows,
        broken,
    )


def _without_loss(part: Row | RefusedRow) -> Row | RefusedRow:
    """Refuse a row that lost a byte: which columns count is not known yet."""
    if not isinstance(part, Row):
        return part
    what = next(filter(None, map(decoding.lost_in, part.cells.values())), "")
    return refused(part.where, "", what) if what else part


def read(
    name: str,
    data: bytes,
    layout: Layout | None = None,
    models: Sequence[str] | None = None,
    scale: tuple[float, float] | None = None,
) -> Ratings:
    """Read ratings from a file; what is not given is guessed. Raises BadInput for a file that holds
    none, and for columns or models it does not have.
    """
    sheet = opened(name, data)
    return take_ratings(sheet, layout or guess_layout(sheet), models, scale)


def take_ratings(
    sheet: Sheet,
    layout: Layout,
    models: Sequence[str] | None = None,
    scale: tuple[float, float] | None = None,
) -> Ratings:
    """Return the ratings of a sheet as the layout says, each cell that cannot be used reported with
    its place and the reason; raises BadInput.

    `models` names the raters that are model judges; None guesses by their names, an empty tuple
    says that there are none. `scale` holds the lowest and the highest score there can be; None lets
    any number stand. A rating that is given twice with different scores counts neither time.
    """
    require_columns(sheet, layout.used)
    if scale and scale[0] >= scale[1]:
        raise BadInput(
            f"A scale runs from its lowest to its highest score, as in 1-10; {scale[0]:g} is not"
            f" below {scale[1]:g}."
        )
    _require_not_too_many(sheet, layout)
    read = every_cell(sheet, layout, scale)
    once, doubled = (
        (_named_apart(read.good), []) if layout.reviews else _once(sheet, layout, read.good)
    )
    bad = tuple(sorted((*sheet.refused, *read.bad, *doubled), key=_line))
    first = [row for row in once if row.time == 1]
    again = [row for row in once if row.time == 2]
    taken = {row.where for row in once if row.ratings}
    _require_most(sheet, layout, taken, bad, any(row.ratings for row in first))
    _require_apart(sheet, layout, [*first, *read.relisted])
    scores = tuple(one for row in first for one in row.ratings)
    raters = set() if layout.reviews else {one.rater for one in scores}
    judges, how = _models(raters, models, layout, read.models)
    asked = {one[:3] for row in (*again, *read.relisted) for one in row.ratings}
    known = {one[:3]: one.score for one in scores if one[:3] in asked} if asked else {}
    repeats = tuple(
        (known[one[:3]], one.score)
        for row in again
        for one in row.ratings
        if one[:3] in known and one.rater not in judges
    )
    later = [row for row in once if row.time > 2]
    alone = sum(one[:3] not in known for row in again for one in row.ratings)
    alone += sum(len(row.ratings) for row in later)
    listed = (
        *_sourced(first),
        *(one for one in _sourced(read.relisted) if one.rating[:3] in known),
    )
    scored_on = Scale(*scale) if scale else None
    # An export of one of our sessions is on their scale.
    if not scale and of_ours(sheet):
        fits = all(SCORE.low <= one.score <= SCORE.high for row in once for one in row.ratings)
        scored_on = SCORE if fits else None
        if SCALE in sheet.columns:
            scored_on = _named_scale(sheet)
    return Ratings(
        sheet.name,
        sheet.format,
        sheet.encoding,
        layout,
        scores,
        repeats,
        judges,
        how,
        bad,
        read.empty,
        read.revised,
        read.checks,
        listed,
        read.again,
        tuple(one for one in sheet.columns if one not in layout.used),
        scored_on,
        alone,
    )


def _require_not_too_many(sheet: Sheet, layout: Layout) -> None:
    """Raise BadInput for more scores than are taken, before any is."""
    cells = len(sheet.rows) * len(layout.scores)
    if cells > MOST_SCORES:
        raise BadInput(
            f"{sheet.name} has {cells:,} cells of scores, {len(layout.scores)} in each of"
            f" {len(sheet.rows):,} rows; {MOST_SCORES:,} are read at most. Split the file, by topic"
            " for instance, or say that fewer columns hold scores."
        )


def _require_most(
    sheet: Sheet,
    layout: Layout,
    taken: AbstractSet[str],
    bad: Sequence[RefusedRow],
    any_first: bool,
) -> None:
    """Raise MappingNeeded where most rows hold nothing that can be used: it is the columns then
    that are misread, not the rows that are wrong.
    """
    lost = {one.where for one in bad} - taken
    if any_first and len(lost) <= len(taken):
        return
    first = f"{bad[0].where}: {bad[0].reason}" if bad else "All cells are empty."
    if not any_first:
        raise MappingNeeded(f"No score in {sheet.name} can be used. {layout.said} {first}")
    raise MappingNeeded(
        f"Of {len(lost) + len(taken):,} rows in {sheet.name}, {len(lost):,} would be refused."
        f" {layout.said} {first}"
    )


def _require_apart(sheet: Sheet, layout: Layout, rows: Sequence[RatedRow]) -> None:
    """Raise MappingNeeded where most ideas stand under several sources: they are rather numbered
    anew for each.
    """
    sources: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.source and row.ratings:
            sources[row.ratings[0].item].add(row.source)
    several = sorted(item for item, some in sources.items() if len(some) > 1)
    if 2 * len(several) > len(sources):
        raise MappingNeeded(
            f"{len(several)} of {len(sources)} ideas in {sheet.name} stand under several names in"
            f" {layout.source!r}, such as {several[0]!r}. If ideas are numbered anew for each,"
            f" {layout.source!r} is needed to tell them apart; if it is not what ideas come from,"
            " leave it unused."
        )


def _sourced(rows: Sequence[RatedRow]) -> Iterator[SourcedScore]:
    """Yield the scores of rows that say what their idea comes from."""
    for row in rows:
        if row.source:
            for one in row.ratings:
                yield SourcedScore(one, row.source, row.topic)


def _named_apart(rows: Sequence[RatedRow]) -> list[RatedRow]:
    """Return reviews with one score on a criterion, the last: two columns may be called the same
    but for signs without width.
    """
    return [
        row._replace(ratings=list({one.criterion: one for one in row.ratings}.values()))
        for row in rows
    ]


def _once(
    sheet: Sheet, layout: Layout, rows: list[RatedRow]
) -> tuple[list[RatedRow], list[RefusedRow]]:
    """Return rows with the ratings that are given once, and the refusals of the others: of those
    that say the same all but the first, otherwise all. Raises MappingNeeded where these are more
    than are named.
    """
    groups = _given_again(rows)
    if not groups:
        return rows, []
    bad, left_out = list[RefusedRow](), set[int]()
    for same in groups.values():
        alike = len({one.score for _, one in same}) == 1
        for where, one in same[1:] if alike else same:
            left_out.add(id(one))
            others = _others(one, same)
            said = (
                f"doubled: {one.rater} gave this score already ({others})"
                if alike
                else (
                    f"doubled: {one.rater} gave it other scores too ({others}); keep the one that"
                    " counts"
                )
            )
            bad.append(refused(where, f"{one.item}, {one.rater}, {one.criterion}", said))
            require_few(sheet, layout, bad)
    good = [
        row._replace(ratings=[one for one in row.ratings if id(one) not in left_out])
        for row in rows
    ]
    return good, bad


def _given_again(rows: Sequence[RatedRow]) -> dict[_Given, list[tuple[str, ImportedRating]]]:
    """Return the ratings that are given more than once, each with where it stands; not all where
    they are more than are named, which is refused anyway.
    """
    seen: dict[int, set[tuple[str, ...]]] = defaultdict(set)
    doubled: dict[int, set[tuple[str, ...]]] = defaultdict(set)
    more = 0
    for row in rows:
        known, again = seen[row.time], doubled[row.time]
        for one in row.ratings:
            if one[:3] in known:
                again.add(one[:3])
                more += 1
            known.add(one[:3])
        if more > MOST_REFUSED:
            break
    groups: dict[_Given, list[tuple[str, ImportedRating]]] = defaultdict(list)
    for row in rows if more else ():
        some = doubled.get(row.time, set())
        for one in row.ratings:
            if one[:3] in some:
                groups[row.time, one[:3]].append((row.where, one))
    return groups


def _others(one: ImportedRating, same: Sequence[tuple[str, ImportedRating]]) -> str:
    """Name the first of the other rows that say the same, and how many more there are."""
    some = [where for where, other in same[: NAMED + 1] if other is not one][:NAMED]
    more = len(same) - 1 - len(some)
    return ", ".join(dict.fromkeys(some)) + (f" and {more:,} more" if more else "")


def _models(
    raters: AbstractSet[str], given: Sequence[str] | None, layout: Layout, marked: AbstractSet[str]
) -> tuple[frozenset[str], str]:
    if given is not None:
        if unknown := [one for one in given if one not in raters]:
            raise BadInput(
                f"There is no rater {', '.join(map(repr, unknown))}. There are"
                f" {', '.join(sorted(raters)[:30])}."
            )
        return frozenset(given), f"as said: {', '.join(sorted(given)) or 'none'}"
    if layout.kind:
        found, how = frozenset(raters & marked), f"by {layout.kind!r}"
    else:
        found = frozenset(one for one in raters if MODEL_NAME.search(one))
        how = "guessed by name"
    return found, f"{how}: {', '.join(sorted(found)) or 'none'}"


def _line(row: RefusedRow) -> tuple[int, str]:
    found = re.search(r"\d+", row.where)
    return (int(found[0]) if found else 0, row.title)


def _named_scale(sheet: Sheet) -> Scale | None:
    """Return the scale that an export of ours names for its rows; None where they have several."""
    named = {row.cells.get(SCALE, "") for row in sheet.rows} - {""}
    found = {re.fullmatch(r"(-?\d+) to (-?\d+)", one) for one in named}
    ends = [(float(one[1]), float(one[2])) for one in found if one]
    return Scale(*ends[0]) if len(named) == len(ends) == 1 else None
