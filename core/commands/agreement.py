"""Agreement of finished ratings: a file in, every figure with its interval out; nothing is kept."""
import argparse
import re
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.agreement.figures import counted
from core.agreement.sheet import AgreementSheet, agreement_sheet
from core.commands import Answer, Verbs, nothing
from core.entering.rating_columns import HEADS, guessed
from core.entering.ratings import Ratings, opened, taken
from core.errors import BadInput
from core.experiments.latex import latex
from core.experiments.sheets import sheet
from core.export.tables import archive, markdown
from core.records import Table
from core.workshop import Workshop

ENDINGS = {".csv": sheet, ".tex": latex, ".md": markdown}
SHOWN = ("agreement", "models", "severity", "raters", "repeats")
"""Tables that are printed where no document is asked for; all of them are in the document."""
WORDED = ("ICC(A,k)", "ICC(C,k)", "Krippendorff's alpha (interval)", "human ceiling (Pearson's r)", "Pearson's r")
"""Figures that are read out; the document reads out all."""
NAMED = 20
"""Refused cells that are printed one by one."""


def agreement(_: Workshop, args: argparse.Namespace) -> Answer:
    """Say how far experts agree, and models with them, in a CSV of ratings, long or wide; --json gives every figure."""
    ratings = ratings_of(args)
    found = agreement_sheet(ratings.by_criterion, ratings.models, ratings.repeats)
    if args.to:
        write(found, args.to, args.table)
    return {**nothing("analysed"), "file": told(ratings), "analysis": found.model_dump(mode="json", exclude={"tables"}),
            "statistics": [one.model_dump(mode="json") for one in found.statistics],
            "tables": {one.name: one.model_dump(mode="json") for one in found.tables}, **({} if args.json else {"in_words": readable(ratings, found)})}, 0


def ratings_of(args: argparse.Namespace) -> Ratings:
    """Read the ratings as the arguments say, what they leave open guessed; raises BadInput."""
    try:
        data = args.file.read_bytes()
    except OSError as error:
        raise BadInput(f"{args.file} cannot be read ({error.strerror}).") from None
    sheet = opened(args.file.name, data)
    given: dict[str, Any] = {field: said for field in ("item", "rater", "criterion", "repeat", "last", "heads") if (said := getattr(args, field)) is not None}
    if args.score:
        given["scores"] = tuple(args.score)
    if unknown := [one for one in (*given.get("scores", ()), *(said for field, said in given.items() if field not in ("scores", "heads") and said))
                   if one not in sheet.columns]:
        raise BadInput(f"{sheet.name} has no column {', '.join(map(repr, unknown))}. It has {', '.join(sheet.columns[:20])}.")
    if args.no_models and args.model_rater:
        raise BadInput("--model-rater names model judges, and --no-models says there are none. Give one of the two.")
    return taken(sheet, guessed(sheet, given), () if args.no_models else args.model_rater or None, scale_of(args.scale))


def scale_of(said: str | None) -> tuple[float, float] | None:
    """Return the lowest and the highest score of `1-10`; None where nothing is said. Raises BadInput."""
    if said is None:
        return None
    found = re.fullmatch(r"\s*(-?\d+(?:\.\d+)?)\s*(?:-|to|\.\.)\s*(-?\d+(?:\.\d+)?)\s*", said)
    if found is None:
        raise BadInput(f"--scale {said!r}: say the lowest and the highest score, as in 1-10.")
    return float(found[1]), float(found[2])


def told(ratings: Ratings) -> dict[str, Any]:
    """Return how a file was read, and every cell that was not taken."""
    return {"name": ratings.name, "format": ratings.format, "encoding": ratings.encoding, "read_as": ratings.layout.said,
            "layout": ratings.layout.model_dump(mode="json"), "scores": len(ratings.scores), "empty": ratings.empty, "revised": ratings.revised,
            "repeats": len(ratings.repeats), "models": sorted(ratings.models), "models_said": ratings.models_said,
            "refused": [one.model_dump(mode="json") for one in ratings.refused]}


def readable(ratings: Ratings, found: AgreementSheet) -> str:
    """Return the analysis as a person reads it: how the file was read, the tables, what they say in words, and what to mind."""
    tables = [aligned(one) for one in found.tables if one.name in SHOWN]
    said = [f"{one.about}, {one.name}: {one.reading}" for one in found.statistics if one.name in WORDED]
    return "\n\n".join(filter(None, (_file(ratings, found), *tables, _listed("In words", said), _listed("Mind", found.warnings), _refused(ratings))))


def _file(ratings: Ratings, found: AgreementSheet) -> str:
    aside = [counted(ratings.empty, "empty cell") if ratings.empty else "", f"{ratings.revised} revised later" if ratings.revised else "",
             f"{len(ratings.repeats)} asked again" if ratings.repeats else ""]
    return "\n".join((
        f"{ratings.name} ({ratings.format}; {ratings.encoding})", ratings.layout.said,
        f"{counted(found.ideas, 'idea')}, {counted(len(found.experts), 'expert')}, {counted(len(found.models), 'model')} ({ratings.models_said}); "
        f"{found.scores} scores from {found.lowest:g} to {found.highest:g}" + "".join(f", {one}" for one in aside if one) + "."))


def _refused(ratings: Ratings) -> str:
    lines = [f"{one.where} ({one.title}): {one.reason}" if one.title else f"{one.where}: {one.reason}" for one in ratings.refused[:NAMED]]
    more = [f"and {len(ratings.refused) - NAMED} more (--json lists all)"] if len(ratings.refused) > NAMED else []
    return _listed(f"Not taken: {len(ratings.refused)}", [*lines, *more])


def _listed(heading: str, lines: Sequence[str]) -> str:
    return f"{heading}\n" + "\n".join(f"- {one}" for one in lines) if lines else ""


def aligned(table: Table) -> str:
    """Return a table as plain text, turned on its side where that makes it narrower."""
    grid = [list(table.head), *([value.said for value in row] for row in table.rows)]
    text = min((_columns(grid), _columns([list(column) for column in zip(*grid, strict=True)])), key=lambda lines: max(map(len, lines)))
    return "\n".join((table.title, *text, *textwrap.wrap(table.note, 120)))


def _columns(grid: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
    return ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in grid]


def write(found: AgreementSheet, to: Path, name: str) -> None:
    """Write one table as .csv, .tex or .md, or all of them as .zip; raises BadInput."""
    held = {one.name: one for one in found.tables}
    if to.suffix != ".zip" and to.suffix not in ENDINGS:
        raise BadInput(f"{to} is no file that a table can be written to; its name must end in {', '.join(ENDINGS)}, or in .zip for all tables.")
    if to.suffix != ".zip" and name not in held:
        raise BadInput(f"There is no table {name!r}; there are {', '.join(held)}.")
    data = archive(found.tables) if to.suffix == ".zip" else ENDINGS[to.suffix](held[name]).encode()
    try:
        to.write_bytes(data)
    except OSError as error:
        raise BadInput(f"{to} cannot be written ({error.strerror}).") from None


def words(verbs: Verbs) -> None:
    """Add the verb of this room."""
    made = verbs.add("agreement", agreement)
    made.add_argument("file", type=Path)
    columns(made)
    made.add_argument("--table", default="agreement", metavar="NAME", help="with --to: which table (default agreement)")
    made.add_argument("--to", type=Path, help="write a table to this file, .csv, .tex or .md, or all of them to a .zip")


def columns(made: argparse.ArgumentParser) -> None:
    """Add how the columns of a file of ratings are read, to a verb whose `file` it is."""
    made.add_argument("--item", metavar="COLUMN", help="the column that names the idea (default: guessed, like all others)")
    made.add_argument("--rater", metavar="COLUMN", help="the column that names the rater; an empty one says there is none")
    made.add_argument("--criterion", metavar="COLUMN", help="the column that names the criterion; an empty one says there is none")
    made.add_argument("--score", metavar="COLUMN", action="append", help="a column of scores; repeatable")
    made.add_argument("--heads", choices=tuple(HEADS), help="what the names of the columns of scores stand for")
    made.add_argument("--repeat", metavar="COLUMN", help="the column that says which time an idea was rated; an empty one says there is none")
    made.add_argument("--last", metavar="COLUMN", help="the column that says whether a score is the last one given; an empty one says there is none")
    made.add_argument("--model-rater", action="append", metavar="NAME", help="a rater that is a model judge; repeatable (default: guessed by name)")
    made.add_argument("--no-models", action="store_true", help="every rater is a person, whatever the names")
    made.add_argument("--scale", metavar="LOW-HIGH", help="lowest and highest score; others are reported and left out (default: any number stands)")
