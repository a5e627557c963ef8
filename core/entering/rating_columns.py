"""Which columns of a file of ratings name the idea, the rater and the criterion, and which hold scores: guessed, said, and decided by a person."""
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from pydantic import ValidationError, model_validator

from core.agreement.matrix import LARGEST
from core.entering.names import simple
from core.entering.sheets import Refused, Row
from core.errors import BadInput
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
ITEMS = ("idea", "item", "label", "idea id", "item id", "ideaid", "itemid", "proposal", "paper", "paper id", "submission", "text", "text id", "document",
         "subject", "target", "case", "unit", "id", "title", "name")
RATERS = ("rater", "rater id", "annotator", "annotator id", "judge", "judge id", "expert", "expert id", "reviewer", "reviewer id", "evaluator", "assessor",
          "coder", "scorer", "seat", "participant", "participant id", "worker", "worker id", "user", "email", "email address", "e mail", "who", "by")
CRITERIA = ("criterion", "quality", "dimension", "aspect", "indicator", "attribute", "metric", "measure", "question")
SCORES = ("score", "rating", "value", "grade", "points", "mark", "answer")
REPEATS = ("time", "repeat", "occasion")
LASTS = ("last", "latest", "final")
PLACES: dict[str, tuple[str, ...]] = {"rater": RATERS, "criterion": CRITERIA, "item": ITEMS, "repeat": REPEATS, "last": LASTS}
"""Names of the columns that say something of a score, by field of a layout, the likeliest first."""
UNNAMED = "column 1"
"""What a first column without a name is called: the row names of a table that a program wrote."""
BESIDE = ("index", "row", "n", "no", "nr", "position", "stage", "round", "seconds", "minutes", "active", "active seconds", "duration", "year", "date", "moment",
          "timestamp", "note", "comment", "side", "topic", "version", "confidence", "familiarity", "age", "words", "length", UNNAMED)
"""Names of columns that are neither, whatever numbers they hold."""
SUMMARIES = frozenset(("average", "avg", "mean", "median", "total", "sum", "std", "sd", "standard deviation", "variance", "minimum", "maximum", "count",
                       "grand total", "subtotal", "average score", "mean score", "total score", "sum of scores", "mean rating", "average rating"))
"""What columns, lines and raters are called that sum up others: to count them as a judgement would make agreement look better than it is."""
MISSING = frozenset(("", "na", "n/a", "n.a.", "#n/a", "nan", "none", "null", "-", "--", "–", "—", ".", "?", "missing", "not applicable", "don't know",
                     "cannot judge"))
"""Cells that say there is no score."""
QUALITIES = frozenset(("novelty", "originality", "feasibility", "clarity", "significance", "effectiveness", "excitement", "overall", "quality", "impact",
                       "relevance", "soundness", "interestingness", "specificity", "validity", "creativity", "usefulness"))
"""Criteria by whose names `criterion:rater` is told from `rater:criterion`."""


class Layout(Record):
    """What the columns of a file of ratings stand for."""

    item: str
    """Names the idea."""
    rater: str = ""
    """Names the rater; empty where the columns of scores do."""
    criterion: str = ""
    """Names the criterion; empty where the columns of scores do, or there is one only."""
    scores: tuple[str, ...]
    heads: Heads
    repeat: str = ""
    """Says which time an idea was rated, 1, 2, ...: second times are kept apart."""
    last: str = ""
    """Says whether a score is the last one given; others were revised, and do not count."""

    @model_validator(mode="after")
    def _everything_is_named_once(self) -> "Layout":
        columns = [one for one in (self.item, self.rater, self.criterion, self.repeat, self.last, *self.scores) if one]
        if len(set(columns)) < len(columns):
            raise ValueError("one column is named for two things")
        if not self.scores:
            raise ValueError("no column of scores is named")
        if self.heads == "score" and len(self.scores) > 1:
            raise ValueError("several columns of scores are named, and not what their names stand for")
        if self.rater and self.heads not in ("score", "criteria"):
            raise ValueError("the rater is named by a column and by the columns of scores")
        if not self.rater and self.heads in ("score", "criteria"):
            raise ValueError("nothing names the rater: name its column, or say that the columns of scores are raters")
        if self.criterion and self.heads not in ("score", "raters"):
            raise ValueError("the criterion is named by a column and by the columns of scores")
        return self

    @property
    def used(self) -> tuple[str, ...]:
        """Every column that is read."""
        return tuple(one for one in (self.item, self.rater, self.criterion, self.repeat, self.last, *self.scores) if one)

    @property
    def said(self) -> str:
        """What stands for what, in a sentence."""
        parts = [f"ideas in {self.item!r}", f"raters in {self.rater!r}" if self.rater else "", f"criteria in {self.criterion!r}" if self.criterion else "",
                 f"{HEADS[self.heads]}: {', '.join(map(repr, self.scores[:12]))}" + (f" and {len(self.scores) - 12} more" if len(self.scores) > 12 else ""),
                 f"repeats in {self.repeat!r}" if self.repeat else "", f"only what is last by {self.last!r}" if self.last else ""]
        return f"Read as {'; '.join(filter(None, parts))}."


class RatingSheet(NamedTuple):
    """The rows of a file of ratings before anybody has said what their columns are."""

    name: str
    format: str
    encoding: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    refused: tuple[Refused, ...]


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
    each rater, or for each `rater:criterion`. Raises BadInput where that cannot be told, or what is given does not fit.
    """
    said = dict(given or {})
    named = [one for one in (said.get(field) for field in PLACES) if one]
    free = [column for column in sheet.columns if column not in (*named, *said.get("scores", ()))]

    def place(field: str) -> str:
        if field in said:
            return str(said[field])
        found = next((column for name in PLACES[field] for column in free if simple(column) == name), "")
        found = _small(sheet, found) if field == "repeat" else found
        if found:
            free.remove(found)
        return found

    layout: dict[str, Any] = {field: place(field) for field in PLACES}
    layout["item"] = layout["item"] or _first(sheet, free, bool(layout["rater"]))
    beside = {*ITEMS, *BESIDE, *REPEATS, *SUMMARIES}
    scores = said.get("scores") or [one for one in free if one != layout["item"] and simple(one) not in beside and _numeric(sheet, one)]
    if doubled := [one for one in scores if "scores" not in said and re.sub(r" \(\d+\)$", "", one) in set(scores) - {one}]:
        raise BadInput(f"{sheet.name} has a column of scores twice, {doubled[0]!r}. Give each a name of its own, or say which columns hold scores.")
    if not layout["item"] or not scores:
        raise BadInput(f"{sheet.name} has no column of numbers beside one that names the idea. Say what its columns are: {_some(sheet.columns)}.")
    if layout["rater"] and layout["criterion"] and "scores" not in said:
        scores = [next((column for name in SCORES for column in scores if simple(column) == name), scores[0])]
    return laid_out({**layout, "scores": tuple(scores), "heads": said.get("heads") or _heads(scores, layout)})


def _first(sheet: RatingSheet, free: Sequence[str], rater_known: bool) -> str:
    """Return the first column that may name the idea, where none is called so; one of numbers only if nothing else can be meant."""
    first = next((column for column in free if simple(column) not in (*SCORES, *BESIDE, *SUMMARIES)), "")
    if not first or not _numeric(sheet, first):
        return first
    # Numbers under a name are scores where raters have a column (ideas stand in columns then), or where names of rows stand before them.
    return UNNAMED if UNNAMED in free else "" if rater_known else first


def _heads(scores: Sequence[str], layout: Mapping[str, Any]) -> Heads:
    if not layout["rater"]:
        return _wide(scores, layout["criterion"])
    return "score" if layout["criterion"] or (len(scores) == 1 and simple(scores[0]) in SCORES) else "criteria"


def laid_out(fields: Mapping[str, Any]) -> Layout:
    """Make a layout of what a person chose; raises BadInput that says what does not fit."""
    try:
        return Layout.model_validate(fields)
    except ValidationError as error:
        wrong = error.errors()[0]
        raise BadInput(f"The columns cannot be read so: {fault_in_words(wrong)}.") from None


def _wide(scores: Iterable[str], criterion: str) -> Heads:
    halves = [column.partition(":") for column in scores]
    if criterion or not all(before.strip() and after.strip() for before, _, after in halves):
        return "raters"
    left, right = ({simple(half) for half in side} for side in ([before for before, _, _ in halves], [after for _, _, after in halves]))
    return "criterion:rater" if len(left & QUALITIES) > len(right & QUALITIES) else "rater:criterion"


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


def _small(sheet: RatingSheet, column: str) -> str:
    """Return a column's name if it counts times: a moment is called `time` too."""
    return column if column and all(re.fullmatch(r"[1-9]|", row.cells.get(column, "").strip()) for row in sheet.rows) else ""


def _some(columns: Sequence[str]) -> str:
    return ", ".join(repr(one) for one in columns[:20]) + (f" and {len(columns) - 20} more" if len(columns) > 20 else "")
