"""Finished ratings from a file: who gave which idea what on which criterion, whatever way the table
is laid out; every bad cell is named.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from core.errors import BadInput, MappingNeeded
from core.importing import decoding
from core.importing.answers import SCALE, of_ours
from core.importing.delimited import read_table
from core.importing.names import first_few
from core.importing.rating_cells import ImportedRating, RatingCell, every_cell
from core.importing.rating_columns import Layout
from core.importing.rating_guess import guess_layout
from core.importing.rating_names import MODEL_NAME
from core.importing.sheets import RefusedRow, Row, Sheet, refused, require_columns
from core.statistics.intervals import SCORE, Scale
from core.statistics.matrix import Matrix, matrix

MOST_ROWS = 200_000
MOST_PLACES = 6_000_000
"""Of all tables together: 2,000 ideas by 100 raters on 30 criteria."""
NAMED = 3
"""Other rows that are named where one is given twice."""


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
    for part in found.parts:
        parts.append(part)
        if len(parts) > MOST_ROWS:
            raise BadInput(
                f"{name} has more than {MOST_ROWS:,} rows. Split it, by criterion for instance."
            )
    rows = tuple(one for one in parts if isinstance(one, Row))
    if not rows:
        raise BadInput(
            f"{name} holds no rating under its line of column names ({first_few(found.columns)})."
        )
    return Sheet(
        name,
        found.format,
        encoding,
        found.columns,
        rows,
        tuple(one for one in parts if isinstance(one, RefusedRow)),
    )


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
    read = every_cell(sheet, layout, scale)
    once, doubled = (read.good, []) if layout.reviews else _once(read.good)
    bad = tuple(sorted((*sheet.refused, *read.bad, *doubled), key=_line))
    first = {one.rating[:3]: one for one in once if one.time == 1}
    again = {one.rating[:3]: one.rating.score for one in once if one.time == 2}
    _require_most(sheet, layout, {one.where for one in once}, bad, bool(first))
    _require_apart(sheet, layout, [*first.values(), *read.relisted])
    raters = set() if layout.reviews else {one.rating.rater for one in first.values()}
    judges, how = _models(raters, models, layout, read.models)
    repeats = tuple(
        (first[key].rating.score, score)
        for key, score in again.items()
        if key in first and key[1] not in judges
    )
    listed = tuple(
        SourcedScore(one.rating, one.source, one.topic)
        for one in (*first.values(), *read.relisted)
        if one.source and one.rating[:3] in first
    )
    scored_on = Scale(*scale) if scale else None
    # An export of one of our sessions is on their scale.
    if not scale and of_ours(sheet):
        fits = all(SCORE.low <= one.rating.score <= SCORE.high for one in once)
        scored_on = SCORE if fits else None
        if SCALE in sheet.columns:
            scored_on = _named_scale(sheet)
    return Ratings(
        sheet.name,
        sheet.format,
        sheet.encoding,
        layout,
        tuple(one.rating for one in first.values()),
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


def _require_apart(sheet: Sheet, layout: Layout, cells: Sequence[RatingCell]) -> None:
    """Raise MappingNeeded where most ideas stand under several sources: they are rather numbered
    anew for each.
    """
    sources: dict[str, set[str]] = defaultdict(set)
    for one in cells:
        if one.source:
            sources[one.rating.item].add(one.source)
    several = sorted(item for item, some in sources.items() if len(some) > 1)
    if 2 * len(several) > len(sources):
        raise MappingNeeded(
            f"{len(several)} of {len(sources)} ideas in {sheet.name} stand under several names in"
            f" {layout.source!r}, such as {several[0]!r}. If ideas are numbered anew for each,"
            f" {layout.source!r} is needed to tell them apart; if it is not what ideas come from,"
            " leave it unused."
        )


def _once(cells: list[RatingCell]) -> tuple[list[RatingCell], list[RefusedRow]]:
    """Return ratings that are given once, and the refusals of the others: of those that say the
    same all but the first, otherwise all.
    """
    groups: dict[tuple[object, ...], list[RatingCell]] = defaultdict(list)
    for one in cells:
        groups[(one.rating[:3], one.time)].append(one)
    good, bad = list[RatingCell](), list[RefusedRow]()
    for same in groups.values():
        alike = len({one.rating.score for one in same}) == 1
        good += same[:1] if alike else []
        for one in same[1:] if alike else same:
            others = _others(one, same)
            said = (
                f"doubled: {one.rating.rater} gave this score already ({others})"
                if alike
                else (
                    f"doubled: {one.rating.rater} gave it other scores too ({others}); keep the one"
                    " that counts"
                )
            )
            bad.append(
                refused(
                    one.where,
                    f"{one.rating.item}, {one.rating.rater}, {one.rating.criterion}",
                    said,
                )
            )
    return good, bad


def _others(one: RatingCell, same: Sequence[RatingCell]) -> str:
    """Name the first of the other rows that say the same, and how many more there are."""
    some = [other.where for other in same[: NAMED + 1] if other is not one][:NAMED]
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
