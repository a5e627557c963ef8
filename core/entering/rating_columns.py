"""Which columns of a file of ratings name the idea, the rater and the criterion, and which hold scores: guessed, said, and decided by a person."""
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from pydantic import ValidationError, model_validator

from core.agreement.matrix import LARGEST
from core.entering.names import simple
from core.entering.rating_names import (
    MISSING,
    PLACES,
    QUALITIES,
    SCORES,
    SOURCES,
    TOPICS,
    UNNAMED,
    beside,
    head_names,
)
from core.entering.sheets import Refused, Row
from core.errors import BadInput, MappingNeeded
from core.records import Record
from core.records.faults import fault_in_words

Heads = Literal["score", "criteria", "raters", "rater:criterion", "criterion:rater"]
HEADS: dict[Heads, str] = {
    "score": "one column of scores",
    "criteria": "a column of scores for each criterion",
    "raters": "a column of scores for each rater",
    "rater:criterion": "a column of scores for each rater and criterion, as `rater:criterion`",
    "criterion:rater": "a column of scores for each criterion and rater, as `criterion:rater`",
}
"""What the names of the columns that hold scores name."""
SINGLE = ("item", "rater", "criterion", "repeat", "last", "attention", "kind", "source", "topic")
"""Fields of a layout that hold one column, or none."""
MOST_SOURCES = 20
"""Sources that are compared with one another; a column with more says where each idea is from."""
YES, NO = ("yes", "y", "true", "1"), ("no", "n", "false", "0")
PEOPLE, MODEL = "expert", "model"
"""What a column that says who judged has in it."""


class Layout(Record):
    """What the columns of a file of ratings stand for."""

    item: str
    """Names the idea."""
    within: tuple[str, ...] = ()
    """Further columns that tell ideas apart, where `item` alone does not."""
    rater: str = ""
    """Names the rater; empty where the columns of scores do, or where nothing does: then each row is a
    review by nobody knows whom."""
    criterion: str = ""
    """Names the criterion; empty where the columns of scores do, or there is one only."""
    scores: tuple[str, ...]
    heads: Heads
    repeat: str = ""
    """Says which time an idea was rated, 1, 2, ...: second times are kept apart."""
    last: str = ""
    """Says whether a score is the last one given; others were revised, and do not count."""
    attention: str = ""
    """Says whether this is a check of attention, which does not count."""
    kind: str = ""
    """Says who rated: expert or model."""
    source: str = ""
    """Says what an idea comes from: sources are compared with one another."""
    topic: str = ""
    """Says what an idea is on."""

    @model_validator(mode="after")
    def _everything_is_named_once(self) -> "Layout":
        columns = [*filter(None, (getattr(self, field) for field in SINGLE if field not in ("source", "topic"))), *self.scores]
        if len({*columns, *self.within}) < len(columns) + len(self.within):
            raise ValueError("one column is named for two things")
        if {self.source, self.topic} & {*columns} - {""} or (self.source and self.source == self.topic):
            raise ValueError("one column is named for two things")
        if not self.scores:
            raise ValueError("no column of scores is named")
        if self.heads == "score" and len(self.scores) > 1:
            raise ValueError("several columns of scores are named, and not what their names stand for")
        if self.rater and self.heads not in ("score", "criteria"):
            raise ValueError("the rater is named by a column and by the columns of scores")
        if self.criterion and self.heads not in ("score", "raters"):
            raise ValueError("the criterion is named by a column and by the columns of scores")
        if self.reviews and self.repeat:
            raise ValueError("which time it was is named, and nothing names the rater who rated again")
        return self

    @property
    def reviews(self) -> bool:
        """Whether nothing names the rater, so that reviews are all that can be counted."""
        return not self.rater and self.heads in ("score", "criteria")

    @property
    def used(self) -> tuple[str, ...]:
        """Every column that is read."""
        named = (*(getattr(self, field) for field in SINGLE), *self.within, *self.scores)
        return tuple(dict.fromkeys(filter(None, named)))

    @property
    def said(self) -> str:
        """What stands for what, in a sentence."""
        more = len(self.scores) - 12
        parts = [f"ideas in {' within '.join(map(repr, (self.item, *self.within)))}",
                 f"raters in {self.rater!r}" if self.rater else "",
                 f"criteria in {self.criterion!r}" if self.criterion else "",
                 f"{HEADS[self.heads]}: {', '.join(map(repr, self.scores[:12]))}" + (f" and {more} more" if more > 0 else ""),
                 "no column names the rater, so that each row is one review" if self.reviews else "",
                 f"repeats in {self.repeat!r}" if self.repeat else "",
                 f"only what is last by {self.last!r}" if self.last else "",
                 f"without checks of attention by {self.attention!r}" if self.attention else "",
                 f"experts and models by {self.kind!r}" if self.kind else "",
                 f"sources in {self.source!r}" if self.source else "",
                 f"topics in {self.topic!r}" if self.topic else ""]
        return f"Read as {'; '.join(filter(None, parts))}."


class RatingSheet(NamedTuple):
    """The rows of a file of ratings before anybody has said what their columns are."""

    name: str
    format: str
    encoding: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    refused: tuple[Refused, ...]

    def values(self, column: str) -> list[str]:
        """Return the cells of a column that say something."""
        return [cell for row in self.rows if (cell := row.cells.get(column, "").strip())]


def number(cell: str) -> float | None:
    """Return the number a cell holds, None where it says that there is none; raises ValueError for anything else.

    A decimal comma is read as one, unless three digits follow it: that may stand for thousands. Numbers above 1e9 are no scores.
    """
    said = " ".join(cell.split())
    if said.casefold() in MISSING:
        return None
    if re.fullmatch(r"[+-]?\d{1,12},\d{3}", said):
        raise ValueError(f"{said!r} may be thousands or decimals; write it with a point")
    plain = said.replace(",", ".") if re.fullmatch(r"[+-]?\d{0,12},\d{1,12}", said) else said
    if not re.fullmatch(r"[+-]?(\d{1,12}(\.\d{0,12})?|\.\d{1,12})(e[+-]?\d{1,2})?", plain, re.IGNORECASE | re.ASCII):
        raise ValueError(f"{said[:60]!r} is not a number")
    if abs(found := float(plain)) > LARGEST:
        raise ValueError(f"{said[:60]!r} is too large for a score")
    return found


def guessed(sheet: RatingSheet, given: Mapping[str, Any] | None = None) -> Layout:
    """Guess by names and numbers what the columns stand for, apart from the fields of a Layout that are given ("" says there is no such column).

    Long: columns for idea and rater, and one for the score (with one for the criterion) or one for each criterion. Wide: a column for the idea, and one for
    each criterion, each rater, or each `rater:criterion`; which of these must be plain from their names. Raises MappingNeeded where it is not, and where no
    scores are found; BadInput where what is given does not fit.
    """
    said = dict(given or {})
    known = {*filter(None, (said.get(field) for field in SINGLE)), *said.get("within", ())}
    free = [column for column in sheet.columns if column not in (*known, *said.get("scores", ()))]
    layout: dict[str, Any] = {field: _place(sheet, said, free, field) for field in PLACES}
    layout["item"] = layout["item"] or _first(sheet, free, bool(layout["rater"]))
    free = [one for one in free if one != layout["item"]]
    if not layout["rater"] and "rater" not in said and (name := _named_by(sheet, free, layout["item"])):
        layout["rater"] = name
        free.remove(name)
    scores = said.get("scores") or [one for one in free if not beside(one) and _numeric(sheet, one)]
    if doubled := [one for one in scores if "scores" not in said and re.sub(r" \(\d+\)$", "", one) in set(scores) - {one}]:
        raise MappingNeeded(f"{sheet.name} has a column of scores twice, {doubled[0]!r}. Give each a name of its own, or say which columns hold scores.")
    if not layout["item"] or not scores:
        raise MappingNeeded(f"{sheet.name} has no column of numbers beside one that names the idea. Say what its columns are: {_some(sheet.columns)}.")
    if layout["rater"] and layout["criterion"] and "scores" not in said:
        scores = [next((column for name in SCORES for column in scores if simple(column) == name), scores[0])]
    free = [one for one in free if one not in scores]
    return laid_out({**layout, "within": tuple(said.get("within", ())), "scores": tuple(scores),
                     "heads": said.get("heads") or _heads(sheet, scores, layout), **_groups(sheet, said, free, layout["item"])})


def _place(sheet: RatingSheet, said: Mapping[str, Any], free: list[str], field: str) -> str:
    """Return the column of a field, as given or by its name, and take it from those that are free."""
    if field in said:
        return str(said[field])
    found = next((column for name in PLACES[field] for column in free if simple(column) == name), "")
    cells = {cell.casefold() for cell in sheet.values(found)} if found else set()
    # A moment, or the minutes a review took, is called `time` too, and a kind of idea `kind`.
    fits = {"repeat": "1" in cells <= {"1", "2", "3"}, "attention": cells <= {*YES, *NO},
            "kind": bool(cells) and cells <= {PEOPLE, MODEL}}
    if not found or not fits.get(field, True):
        return ""
    free.remove(found)
    return found


def _first(sheet: RatingSheet, free: Sequence[str], rater_known: bool) -> str:
    """Return the first column that may name the idea, where none is called so; one of numbers only if nothing else can be meant."""
    first = next((column for column in free if simple(column) not in SCORES and not beside(column) and simple(column) not in (*SOURCES, *TOPICS)), "")
    if not first or not _numeric(sheet, first):
        return first
    # Numbers under a name are scores where raters have a column (ideas stand in columns then), or where names of rows stand before them.
    return UNNAMED if UNNAMED in free else "" if rater_known else "" if head_names(first) else first


def _named_by(sheet: RatingSheet, free: Sequence[str], item: str) -> str:
    """Return a column called `name` that names raters: an idea has several of them, and they have several ideas."""
    name = next((column for column in free if simple(column) in ("name", "names", "user name")), "")
    pairs = {(row.cells.get(item, ""), row.cells[name]) for row in sheet.rows if row.cells.get(name, "").strip()} if name else set()
    ideas, raters = ({pair[part] for pair in pairs} for part in (0, 1))
    return name if len(pairs) > max(len(ideas), len(raters)) else ""


def _heads(sheet: RatingSheet, scores: Sequence[str], layout: Mapping[str, Any]) -> Heads:
    if layout["rater"]:
        return "score" if layout["criterion"] or (len(scores) == 1 and simple(scores[0]) in SCORES) else "criteria"
    if len(scores) == 1 and simple(scores[0]) in SCORES:
        return "score"
    halves = [column.partition(":") for column in scores]
    if not layout["criterion"] and all(before.strip() and after.strip() for before, _, after in halves):
        left, right = (len({simple(half) for half in side} & QUALITIES) for side in zip(*((before, after) for before, _, after in halves), strict=True))
        if left != right:
            return "criterion:rater" if left > right else "rater:criterion"
    named = {head_names(column) for column in scores}
    if named == {"rater"}:
        return "raters"
    if "criterion" in named and "rater" not in named and not layout["criterion"]:
        return "criteria"
    raise MappingNeeded(f"The columns {_some(scores)} of {sheet.name} hold scores, and nothing says whether they are criteria or raters.")


def _groups(sheet: RatingSheet, said: Mapping[str, Any], free: Sequence[str], item: str) -> dict[str, str]:
    """Return the columns of sources and topics: those by whose names ideas can be grouped."""
    found = {field: str(said.get(field, "")) for field in ("source", "topic")}
    ideas = set(sheet.values(item))
    if "source" not in said:
        found["source"] = next((column for name in SOURCES for column in free if simple(column) == name
                                and 1 < len(set(sheet.values(column))) <= min(MOST_SOURCES, len(ideas) - 1)), "")
    if "topic" not in said and found["source"]:
        topics = (column for name in TOPICS for column in free if simple(column) == name)
        found["topic"] = next((one for one in topics if len(_pairs(sheet, item, one)) <= len(ideas)), "")
    return found


def _pairs(sheet: RatingSheet, item: str, column: str) -> set[tuple[str, str]]:
    return {(row.cells.get(item, "").strip(), row.cells.get(column, "").strip()) for row in sheet.rows if row.cells.get(item, "").strip()}


def laid_out(fields: Mapping[str, Any]) -> Layout:
    """Make a layout of what a person chose; raises BadInput that says what does not fit."""
    try:
        return Layout.model_validate(fields)
    except ValidationError as error:
        wrong = error.errors()[0]
        raise BadInput(f"The columns cannot be read so: {fault_in_words(wrong)}.") from None


def _numeric(sheet: RatingSheet, column: str) -> bool:
    """Return whether at least half of what a column says is numbers."""
    hits = cells = 0
    for row in sheet.rows:
        try:
            hits += (found := number(row.cells.get(column, ""))) is not None
            cells += found is not None
        except ValueError:
            cells += 1
    return hits > 0 and 2 * hits >= cells


def _some(columns: Sequence[str]) -> str:
    return ", ".join(repr(one) for one in columns[:20]) + (f" and {len(columns) - 20} more" if len(columns) > 20 else "")
