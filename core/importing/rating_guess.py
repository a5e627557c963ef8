"""What the columns of a file of ratings stand for, guessed by their names and numbers where these
are plain.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import MappingNeeded
from core.importing.names import first_few, simple
from core.importing.rating_columns import (
    MODEL,
    MOST_SOURCES,
    NO,
    PEOPLE,
    SINGLE,
    YES,
    Heads,
    Layout,
    make_layout,
    number,
)
from core.importing.rating_names import (
    MODEL_NAME,
    PLACES,
    QUALITIES,
    SCORES,
    SOURCES,
    TOPICS,
    UNNAMED,
    beside,
    head_names,
)
from core.importing.sheets import Sheet


def guess_layout(sheet: Sheet, given: Mapping[str, Any] | None = None) -> Layout:
    """Guess by names and numbers what the columns stand for, apart from the fields of a Layout that
    are given ("" says there is no such column).

    Long: columns for idea and rater, and one for the score (with one for the criterion) or one for
    each criterion. Wide: a column for the idea, and one for each criterion, each rater, or each
    `rater:criterion`; which of these must be plain from their names. Raises MappingNeeded where it
    is not, and where no scores are found; BadInput where what is given does not fit.
    """
    chosen = dict(given or {})
    known = {*filter(None, (chosen.get(field) for field in SINGLE)), *chosen.get("within", ())}
    free = [column for column in sheet.columns if column not in (*known, *chosen.get("scores", ()))]
    layout: dict[str, Any] = {field: _place(sheet, chosen, free, field) for field in PLACES}
    layout["item"] = layout["item"] or _first(sheet, free, bool(layout["rater"]))
    free = [one for one in free if one != layout["item"]]
    if (
        not layout["rater"]
        and "rater" not in chosen
        and (name := _named_by(sheet, free, layout["item"]))
    ):
        layout["rater"] = name
        free.remove(name)
    scores = chosen.get("scores") or [
        one for one in free if not beside(one) and _numeric(sheet, one)
    ]
    if doubled := [
        one
        for one in scores
        if "scores" not in chosen and re.sub(r" \(\d+\)$", "", one) in set(scores) - {one}
    ]:
        raise MappingNeeded(
            f"{sheet.name} has a column of scores twice, {doubled[0]!r}. Give each a name of its"
            " own, or say which columns hold scores."
        )
    if not layout["item"] or not scores:
        raise MappingNeeded(_lacking(sheet, free, layout["item"]))
    if layout["rater"] and layout["criterion"] and "scores" not in chosen:
        scores = [_likeliest(scores, SCORES) or scores[0]]
    free = [one for one in free if one not in scores]
    return make_layout(
        {
            **layout,
            "within": tuple(chosen.get("within", ())),
            "scores": tuple(scores),
            "heads": chosen.get("heads") or _heads(sheet, scores, layout),
            **_groups(sheet, chosen, [*chosen.get("within", ()), *free], layout["item"]),
        }
    )


def _lacking(sheet: Sheet, free: Sequence[str], item: str) -> str:
    """Say what a sheet lacks: a column that names the idea, or one of scores, most of which must be
    numbers.
    """
    called = _likeliest(free, SCORES)
    cells = sheet.values(called)
    words = [cell for cell in cells if not _is_number(cell)]
    if item and words:
        share = f"{len(words)} of {len(cells)} cells"
        return (
            f"{called!r} of {sheet.name} is no column of scores: {share} are no numbers, such as"
            f" {words[0][:40]!r}."
        )
    if item:
        return f"{sheet.name} has no column of numbers beside {item!r}, which names the idea."
    return f"{sheet.name} has no column that names the idea."


def _likeliest(columns: Sequence[str], names: Sequence[str]) -> str:
    """Return the column that is called by the first of these names that is there, or an empty
    string.
    """
    return next((column for name in names for column in columns if simple(column) == name), "")


def _is_number(cell: str) -> bool:
    try:
        return number(cell) is not None
    except ValueError:
        return False


def _place(sheet: Sheet, chosen: Mapping[str, Any], free: list[str], field: str) -> str:
    """Return the column of a field, as given or by its name, and take it from those that are
    free.
    """
    if field in chosen:
        return str(chosen[field])
    found = _likeliest(free, PLACES[field])
    said = [cell.casefold() for cell in sheet.values(found)]
    cells, checks = set(said), sum(cell in YES for cell in said)
    # A moment, or the minutes a review took, is called `time` too, a kind of idea `kind`, and
    # scores `final` or `quality`; where most rows say yes to `attention`, it says who passed.
    fits = {
        "repeat": "1" in cells <= {"1", "2", "3"},
        "criterion": simple(found) not in QUALITIES
        or not _numeric(sheet, found)
        or bool(_likeliest(free, SCORES)),
        "attention": cells <= {*YES, *NO} and 2 * checks <= len(said),
        "last": cells <= {"0", "1"} or not _numeric(sheet, found),
        "kind": bool(cells) and cells <= {PEOPLE, MODEL},
    }
    if not found or not fits.get(field, True):
        return ""
    free.remove(found)
    return found


def _first(sheet: Sheet, free: Sequence[str], rater_known: bool) -> str:
    """Return the first column that may name the idea, where none is called so; one of numbers only
    if nothing else can be meant.
    """
    others = {*SCORES, *SOURCES, *TOPICS}
    may_name = (one for one in free if simple(one) not in others and not beside(one))
    first = next(may_name, "")
    if not first or not _numeric(sheet, first):
        return first
    # Numbers under a name are scores where raters have a column (ideas stand in columns then), or
    # where names of rows stand before them.
    if UNNAMED in free:
        return UNNAMED
    return "" if rater_known or head_names(first) else first


def _named_by(sheet: Sheet, free: Sequence[str], item: str) -> str:
    """Return a column called `name` that names raters: an idea has several of them, and they have
    several ideas.
    """
    name = next((column for column in free if simple(column) in ("name", "names", "user name")), "")
    pairs = set()
    for row in sheet.rows:
        if row.cells.get(name, "").strip():
            pairs.add((row.cells.get(item, ""), row.cells[name]))
    ideas = {idea for idea, _ in pairs}
    raters = {rater for _, rater in pairs}
    return name if len(pairs) > max(len(ideas), len(raters)) else ""


def _heads(sheet: Sheet, scores: Sequence[str], layout: Mapping[str, Any]) -> Heads:
    if layout["rater"]:
        one_score = len(scores) == 1 and simple(scores[0]) in SCORES
        return "score" if layout["criterion"] or one_score else "criteria"
    alone = len(scores) == 1 and head_names(scores[0]) != "rater"
    if alone and (layout["criterion"] or simple(scores[0]) in SCORES):
        return "score"
    halves = [column.partition(":") for column in scores]
    if not layout["criterion"] and all(
        before.strip() and after.strip() for before, _, after in halves
    ):
        left, right = (
            len({simple(half) for half in side} & QUALITIES)
            for side in zip(*((before, after) for before, _, after in halves), strict=True)
        )
        if left != right:
            return "criterion:rater" if left > right else "rater:criterion"
    named = {head_names(column) for column in scores}
    beside_raters = {head_names(column) for column in scores if not MODEL_NAME.search(column)}
    if (
        beside_raters == {"rater"} and "criterion" not in named
    ):  # A model's column may stand beside those of people.
        return "raters"
    if "criterion" in named and "rater" not in named and not layout["criterion"]:
        return "criteria"
    columns = first_few([repr(column) for column in scores])
    raise MappingNeeded(
        f"The columns {columns} of {sheet.name} hold scores, and nothing says whether they are"
        " criteria or raters."
    )


def _groups(
    sheet: Sheet, chosen: Mapping[str, Any], free: Sequence[str], item: str
) -> dict[str, str]:
    """Return the columns of sources and topics: those by whose names ideas can be grouped."""
    found = {field: str(chosen.get(field, "")) for field in ("source", "topic")}
    ideas = set(sheet.values(item))
    if "source" not in chosen:
        most = min(MOST_SOURCES, len(ideas) - 1)
        known = [column for column in free if simple(column) in SOURCES]
        sources = [column for column in known if 1 < len(set(sheet.values(column))) <= most]
        found["source"] = _likeliest(sources, SOURCES)
    if "topic" not in chosen and found["source"]:
        topics = [
            column
            for column in free
            if simple(column) in TOPICS and len(_pairs(sheet, item, column)) <= len(ideas)
        ]
        found["topic"] = _likeliest(topics, TOPICS)
    return found


def _pairs(sheet: Sheet, item: str, column: str) -> set[tuple[str, str]]:
    rows = (row.cells for row in sheet.rows if row.cells.get(item, "").strip())
    return {(cells[item].strip(), cells.get(column, "").strip()) for cells in rows}


def _numeric(sheet: Sheet, column: str) -> bool:
    """Return whether at least half of what a column says is numbers."""
    hits = cells = 0
    # Each is read once: a column of a hundred thousand cells says a few numbers again and again.
    for cell, times in Counter(row.cells.get(column, "") for row in sheet.rows).items():
        try:
            found = number(cell)
        except ValueError:
            cells += times
            continue
        if found is not None:
            hits += times
            cells += times
    return hits > 0 and 2 * hits >= cells
