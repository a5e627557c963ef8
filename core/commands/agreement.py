"""Agreement of finished ratings: a file in, every figure with its interval out; nothing is kept."""

import argparse
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.agreement.standing_in import EPSILON
from core.commands.options import Answer, Verbs, Words, add_tables, reply
from core.commands.rating_options import add_columns, layout_given, read, sheet_of
from core.export.dumps import dump_all
from core.export.tables import write_tables
from core.importing.analysis import FileAnalysis, of_export, of_scores
from core.importing.ratings import Ratings
from core.importing.sheets import Sheet
from core.records import Table
from core.runs.workshop import Workshop
from core.statistics.corrections import CORRECTIONS

SHOWN = (
    *("source-means", "contrasts", "agreement", "models", "standing-in", "severity", "raters"),
    "repeats",
)
"""Tables that are printed where no document is asked for; all of them are in the document."""
WORDED = (
    "ICC(A,k)",
    "ICC(C,k)",
    "Krippendorff's alpha (interval)",
    "human ceiling (Pearson's r)",
    "Pearson's r",
)
"""Figures that are read out; the document reads out all."""
NAMED = 20
"""Refused cells that are printed one by one."""


def agreement(_: Workshop, args: argparse.Namespace) -> Answer:
    rows = sheet_of(args)
    ratings = None
    # Whoever says what the columns are is not told otherwise by their names.
    found = None if layout_given(args) else of_export(rows)
    if found is None:
        ratings = read(rows, args)
        found = of_scores(ratings, args.correction, args.annotators)
    if args.to:
        write_tables(found.tables, args.to, args.table)
    analysis = found.sheet.model_dump(mode="json", exclude={"tables"}) if found.sheet else {}
    analysis["warnings"] = list(found.warnings)
    return reply(
        "analysed",
        file=describe_file(rows, found, ratings),
        analysis=analysis,
        statistics=dump_all(found.statistics),
        contrasts=dump_all(found.contrasts),
        tables={one.name: one.model_dump(mode="json") for one in found.tables},
        **({} if args.json else {"in_words": read_out(rows, found)}),
    )


def describe_file(rows: Sheet, found: FileAnalysis, ratings: Ratings | None) -> dict[str, Any]:
    """Return how a file was read, and everything in it that was not taken."""
    more = (
        {
            "layout": ratings.layout.model_dump(mode="json"),
            "scores": len(ratings.scores),
            "empty": ratings.empty,
            "revised": ratings.revised,
            "attention": ratings.checks,
            "repeats": len(ratings.repeats),
            "models": sorted(ratings.models),
            "models_said": ratings.models_said,
        }
        if ratings
        else {}
    )
    return {
        "name": rows.name,
        "format": rows.format,
        "encoding": rows.encoding,
        "holds": found.holds,
        "read_as": found.read_as,
        "counts": found.counts,
        "unused": list(found.unused),
        **more,
        "refused": dump_all(found.refused),
        "more_refused": found.more_refused,
        "refused_by_reason": found.refused_by_reason,
    }


def read_out(rows: Sheet, found: FileAnalysis) -> str:
    """Return the analysis as a person reads it: how the file was read, the tables, what they say in
    words, and what to mind.
    """
    shown = [one for one in found.tables if one.name in SHOWN] or found.tables
    said = [
        f"{one.about}, {one.name}: {one.reading}" for one in found.statistics if one.name in WORDED
    ]
    unused = f"Not used: {', '.join(map(repr, found.unused))}." if found.unused else ""
    file = f"{rows.name} ({rows.format}; {rows.encoding})"
    head = "\n".join(filter(None, (file, found.read_as, unused, found.counts)))
    parts = (
        head,
        *map(align, shown),
        _list("In words", said),
        _list("Mind", found.warnings),
        _list_refused(found),
    )
    return "\n\n".join(filter(None, parts))


def _list_refused(found: FileAnalysis) -> str:
    lines = []
    for row in found.refused[:NAMED]:
        title = f" ({row.title})" if row.title else ""
        lines.append(f"{row.where}{title}: {row.reason}")
    if found.refused_count > NAMED:
        listed = f"the first {len(found.refused):,}" if found.more_refused else "all"
        lines.append(f"and {found.refused_count - NAMED} more (--json lists {listed})")
    return _list(f"Not taken: {found.refused_count}", lines)


def _list(heading: str, lines: Sequence[str]) -> str:
    return f"{heading}\n" + "\n".join(f"- {one}" for one in lines) if lines else ""


def align(table: Table) -> str:
    """Return a table as plain text, turned on its side where that makes it narrower."""
    grid = (table.head, *(tuple(value.said for value in row) for row in table.rows))
    on_its_side = tuple(zip(*grid, strict=True))
    ways = _columns(grid), _columns(on_its_side)
    narrower = min(ways, key=lambda lines: max(map(len, lines)))
    return "\n".join((table.title, *narrower, *textwrap.wrap(table.note, 120)))


def _columns(grid: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
    return [
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in grid
    ]


def add_comparing(made: Words) -> None:
    """Add the option that says how p-values of several comparisons are corrected."""
    made.add_argument(
        "--correction",
        choices=tuple(CORRECTIONS),
        default="Holm",
        help="how p is corrected for the pairs of sources (default Holm)",
    )


def words(verbs: Verbs) -> None:
    """Add the verb of this room."""
    made = verbs.add("agreement", agreement)
    made.add_argument("file", type=Path)
    add_columns(made)
    add_comparing(made)
    kind = "what kind of people the raters are, by which a model judge may be worse than they"
    made.add_argument(
        "--annotators", choices=tuple(EPSILON), default="experts", help=f"{kind} (default experts)"
    )
    add_tables(made, "agreement")
