"""Finished ratings from a file: who gave which idea what on which criterion, whatever way the table is laid out; every bad cell is named."""
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.agreement.matrix import Matrix, matrix
from core.entering.decoding import decoded
from core.entering.delimited import headed
from core.entering.names import simple
from core.entering.rating_columns import SUMMARIES, Layout, RatingSheet, guessed, number
from core.entering.reading import within
from core.entering.sheets import Refused, Row, refused
from core.errors import BadInput
from core.literature.importing.text import plain
from core.records import digest

MOST_ROWS = 200_000
LONGEST_NAME = 120
"""Characters of an idea's, a rater's or a criterion's name that are kept."""
ONLY = "score"
"""What the criterion is called where a file names none."""
_MODEL = re.compile(r"(?<![a-z])(llms?|(chat)?gpt|models?|claude|gemini|gemma|llama|mistral|mistralai|mixtral|qwen|deepseek|grok|phi|o[134]|ai|bot|"
                    r"openai|anthropic|openrouter|groq|ollama|google|builtin)(?![a-z])", re.IGNORECASE)
UNSEEN = "\u200b\u200c\u200d\u2060\ufeff"
"""Signs without width that programs leave at the ends of names."""
NO = ("no", "n", "false", "0")


class Rating(NamedTuple):
    """One score that can be used."""

    item: str
    rater: str
    criterion: str
    score: float


class Ratings(NamedTuple):
    """The ratings of a file, how its columns were read, and what of it was not taken."""

    name: str
    format: str
    encoding: str
    layout: Layout
    scores: tuple[Rating, ...]
    repeats: tuple[tuple[float, float], ...]
    """First and second score of every rating that was given again."""
    models: frozenset[str]
    """Raters that are model judges."""
    models_said: str
    """By what they were told apart."""
    refused: tuple[Refused, ...]
    empty: int
    """Cells that say there is no score."""
    revised: int
    """Scores that were given before the last one."""

    @property
    def raters(self) -> tuple[str, ...]:
        """Everybody who rated, by name."""
        return tuple(sorted({one.rater for one in self.scores}))

    @property
    def by_criterion(self) -> dict[str, Matrix]:
        """The ratings as tables, in the order in which the file names its criteria."""
        parts: dict[str, list[tuple[str, str, float]]] = defaultdict(list)
        for one in self.scores:
            parts[one.criterion].append((one.item, one.rater, one.score))
        return {criterion: matrix(found) for criterion, found in parts.items()}


class _Cell(NamedTuple):
    where: str
    rating: Rating
    time: int


def opened(name: str, data: bytes) -> RatingSheet:
    """Read the rows of a CSV (commas, semicolons, tabs or bars; UTF-8, UTF-16 or Latin-1); raises BadInput for a file that holds none."""
    name = plain(name[-300:])[-150:] or "the file"
    within(name, len(data))
    text, said = decoded(name, data)
    # Excel's own line, which says what separates cells; the blank line left keeps the numbers of lines.
    found = headed(name, re.sub(r"\A\s*sep=.\n", "\n", text), "a rating, or all ratings of an idea")
    parts: list[Row | Refused] = []
    for part in found.parts:
        parts.append(part)
        if len(parts) > MOST_ROWS:
            raise BadInput(f"{name} has more than {MOST_ROWS:,} rows. Split it, by criterion for instance.")
    rows = tuple(one for one in parts if isinstance(one, Row))
    if not rows:
        raise BadInput(f"{name} holds no rating under its line of column names ({', '.join(found.columns[:20])}).")
    return RatingSheet(name, found.format, said, found.columns, rows, tuple(one for one in parts if isinstance(one, Refused)))


def read(name: str, data: bytes, layout: Layout | None = None, models: Sequence[str] | None = None, scale: tuple[float, float] | None = None) -> Ratings:
    """Read ratings from a file; what is not given is guessed. Raises BadInput for a file that holds none, and for columns or models it does not have."""
    sheet = opened(name, data)
    return taken(sheet, layout or guessed(sheet), models, scale)


def taken(sheet: RatingSheet, layout: Layout, models: Sequence[str] | None = None, scale: tuple[float, float] | None = None) -> Ratings:
    """Return the ratings of a sheet as the layout says, each cell that cannot be used reported with its place and the reason; raises BadInput.

    `models` names the raters that are model judges; None guesses by their names, an empty tuple says that there are none. `scale` holds the lowest and the
    highest score there can be; None lets any number stand. A rating that is given twice with different scores counts neither time.
    """
    if unknown := [one for one in layout.used if one not in sheet.columns]:
        raise BadInput(f"{sheet.name} has no column {', '.join(map(repr, unknown))}. It has {', '.join(sheet.columns[:20])}.")
    if scale and scale[0] >= scale[1]:
        raise BadInput(f"A scale runs from its lowest to its highest score, as in 1-10; {scale[0]:g} is not below {scale[1]:g}.")
    cells: list[_Cell] = []
    bad, empty, revised = list(sheet.refused), 0, 0
    for row in sheet.rows:
        if _superseded(row, layout):
            revised += 1
            continue
        for found in _cells(row, layout, scale):
            if isinstance(found, _Cell):
                cells.append(found)
            elif found is None:
                empty += 1
            else:
                bad.append(found)
    once, doubled = _once(cells)
    first = {one.rating[:3]: one.rating for one in once if one.time == 1}
    again = {one.rating[:3]: one.rating.score for one in once if one.time == 2}
    if not first:
        raise BadInput(f"No score in {sheet.name} can be used. {layout.said} " + (f"{bad[0].where}: {bad[0].reason}" if bad else "All cells are empty."))
    judges, how = _models({one.rater for one in first.values()}, models)
    return Ratings(sheet.name, sheet.format, sheet.encoding, layout, tuple(first.values()), _pairs(first, again), judges, how,
                   tuple(sorted((*bad, *doubled), key=_line)), empty, revised)


def _pairs(first: dict[tuple[str, str, str], Rating], again: dict[tuple[str, str, str], float]) -> tuple[tuple[float, float], ...]:
    return tuple((first[key].score, score) for key, score in again.items() if key in first)


def _superseded(row: Row, layout: Layout) -> bool:
    return bool(layout.last) and row.cells.get(layout.last, "").strip().casefold() in NO


def _cells(row: Row, layout: Layout, scale: tuple[float, float] | None) -> Iterator[_Cell | Refused | None]:
    """Yield what became of every cell of scores in a row: a rating, a refusal, or None for one that says there is none."""
    item, rater, criterion = (_name(row.cells.get(column, "")) if column else "" for column in (layout.item, layout.rater, layout.criterion))
    lacking = [column for column, name in ((layout.item, item), (layout.rater, rater), (layout.criterion, criterion)) if column and not name]
    if lacking:
        yield refused(row.where, item, f"nothing stands in {', '.join(map(repr, lacking))}, so that it is not known whose score of what this is")
        return
    if summing := next((name for name in (item, rater) if simple(name) in SUMMARIES), ""):
        yield refused(row.where, item, f"{summing!r} sums up others; call it something else if it is an idea or a rater of its own")
        return
    time = row.cells.get(layout.repeat, "").strip() or "1" if layout.repeat else "1"
    if not re.fullmatch("[1-9]", time):
        yield refused(row.where, item, f"{layout.repeat!r} says {time[:40]!r}; which time it was is a number, 1, 2, ...")
        return
    for column in layout.scores:
        who, what = _named(column, layout, rater, criterion)
        title = ", ".join(filter(None, (item, who, what if what != ONLY else "")))
        try:
            score = number(row.cells.get(column, ""))
        except ValueError as error:
            yield refused(row.where, title, str(error))
            continue
        if score is not None and scale and not scale[0] <= score <= scale[1]:
            yield refused(row.where, title, f"{score:g} is out of scale, which runs from {scale[0]:g} to {scale[1]:g}")
        else:
            yield None if score is None else _Cell(row.where, Rating(item, who, what, score), int(time))


def _named(column: str, layout: Layout, rater: str, criterion: str) -> tuple[str, str]:
    """Return the rater and the criterion of a column of scores."""
    before, _, after = (_name(part) for part in column.partition(":"))
    match layout.heads:
        case "score":
            return rater, criterion or ONLY
        case "criteria":
            return rater, _name(column)
        case "raters":
            return _name(column), criterion or ONLY
        case "rater:criterion":
            return before, after or ONLY
        case "criterion:rater":
            return after or before, before if after else ONLY


def _name(cell: str) -> str:
    """Return a name as it is kept: on one line, and a text that is used as one cut, with what tells it from others that begin alike."""
    said = plain(cell).strip(UNSEEN)
    return said if len(said) <= LONGEST_NAME else f"{said[:LONGEST_NAME - 8]} {digest(said)[:7]}"


def _once(cells: list[_Cell]) -> tuple[list[_Cell], list[Refused]]:
    """Return ratings that are given once, and the refusals of the others: of those that say the same all but the first, otherwise all."""
    groups: dict[tuple[object, ...], list[_Cell]] = defaultdict(list)
    for one in cells:
        groups[(one.rating[:3], one.time)].append(one)
    good, bad = list[_Cell](), list[Refused]()
    for same in groups.values():
        alike = len({one.rating.score for one in same}) == 1
        good += same[:1] if alike else []
        for one in same[1:] if alike else same:
            others = ", ".join(dict.fromkeys(other.where for other in same if other is not one))
            said = f"doubled: {one.rating.rater} gave this score already ({others})" if alike else (
                f"doubled: {one.rating.rater} gave it other scores too ({others}); keep the one that counts")
            bad.append(refused(one.where, f"{one.rating.item}, {one.rating.rater}, {one.rating.criterion}", said))
    return good, bad


def _models(raters: set[str], given: Sequence[str] | None) -> tuple[frozenset[str], str]:
    if given is None:
        found = frozenset(one for one in raters if _MODEL.search(one))
        return found, f"guessed by name: {', '.join(sorted(found))}" if found else "guessed by name: none"
    if unknown := [one for one in given if one not in raters]:
        raise BadInput(f"There is no rater {', '.join(map(repr, unknown))}. There are {', '.join(sorted(raters)[:30])}.")
    return frozenset(given), f"as said: {', '.join(sorted(given)) or 'none'}"


def _line(one: Refused) -> tuple[int, str]:
    found = re.search(r"\d+", one.where)
    return (int(found[0]) if found else 0, one.title)
