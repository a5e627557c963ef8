"""How the columns of a file of ratings are read, as said on the command line: by options of their
own, or with --map.
"""

import argparse
import re
from collections.abc import Sequence
from typing import Any

from core.commands.options import add_flag, add_repeatable, pick
from core.errors import BadInput, MappingNeeded
from core.files import read_bytes
from core.importing.rating_columns import HEADS, SINGLE
from core.importing.rating_guess import guess_layout
from core.importing.ratings import Ratings, opened, take_ratings
from core.importing.sheets import Sheet, require_columns

ALSO = {"idea": "item", "time": "repeat"}
"""What fields of a layout are called here, too."""
COLUMNS = {"score": "score", "criteria": "criteria", "raters": "raters"}
"""Columns of scores, by what their names stand for."""
FIELDS = ("idea", *(one for one in SINGLE if one != "item"), "within")
SHORT = {
    "item": "names the idea",
    "rater": "names the rater",
    "criterion": "names the criterion",
    "repeat": "says which time an idea was rated",
    "last": "says whether a score is the last one given",
    "source": "says what ideas come from, to compare sources",
    "topic": "says what ideas are on",
}
"""Fields that have an option of their own, with what their columns say."""


def ratings_of(args: argparse.Namespace) -> Ratings:
    """Read the ratings as the arguments say, what they leave open guessed; raises BadInput."""
    return read(sheet_of(args), args)


def sheet_of(args: argparse.Namespace) -> Sheet:
    """Read the rows of the file; raises BadInput."""
    return opened(args.file.name, read_bytes(args.file))


def layout_given(args: argparse.Namespace) -> dict[str, Any]:
    """Return the fields of a layout that the arguments name; raises BadInput for a --map that names
    none.
    """
    given = pick(args, *SHORT, "heads")
    if args.score:
        given["scores"] = tuple(args.score)
    for one in args.map:
        what, sign, column = one.partition("=")
        field = ALSO.get(what, what)
        if not sign or what not in (*FIELDS, *COLUMNS) or (not column and what not in FIELDS[1:]):
            raise BadInput(
                f"--map {one!r}: say WHAT=COLUMN, where WHAT is one of"
                f" {', '.join((*FIELDS, *COLUMNS))}. After all but idea and columns of scores,"
                " nothing says that there is no such column."
            )
        if what in COLUMNS:
            given["scores"] = (*given.get("scores", ()), column)
            given |= {"heads": what} if what != "score" else {}
        elif what == "within":
            given["within"] = (*given.get("within", ()), *filter(None, (column,)))
        else:
            given[field] = column
    return given


def read(sheet: Sheet, args: argparse.Namespace) -> Ratings:
    """Read the rows as the arguments say, what they leave open guessed; raises BadInput."""
    given = layout_given(args)
    named = (
        *given.get("scores", ()),
        *given.get("within", ()),
        *(
            said
            for field, said in given.items()
            if isinstance(said, str) and said and field != "heads"
        ),
    )
    require_columns(sheet, named)
    if args.no_models and args.model_rater:
        raise BadInput(
            "--model-rater names model judges, and --no-models says there are none. Give one of the"
            " two."
        )
    try:
        return take_ratings(
            sheet,
            guess_layout(sheet, given),
            () if args.no_models else args.model_rater or None,
            scale_of(args.scale),
        )
    except MappingNeeded as error:
        raise MappingNeeded(f"{error} Nothing was computed. {how_to_say(sheet.columns)}") from None


def how_to_say(columns: Sequence[str]) -> str:
    """Return how to say what columns are."""
    more = f" and {len(columns) - 30} more" if len(columns) > 30 else ""
    return (
        "Say what the columns are, each with --map WHAT=COLUMN: idea, rater (or `rater=` where no"
        " column names raters: then each row is one review), criterion, source, topic; and every"
        " column of scores as criteria=COLUMN, raters=COLUMN or score=COLUMN, by what its name"
        " names. --heads criteria or --heads raters says it of all columns of scores at once. The"
        f" file has the columns {', '.join(columns[:30])}{more}."
    )


def scale_of(said: str | None) -> tuple[float, float] | None:
    """Return the lowest and the highest score of `1-10`; None where nothing is said. Raises
    BadInput.
    """
    if said is None:
        return None
    found = re.fullmatch(r"\s*(-?\d+(?:\.\d+)?)\s*(?:-|to|\.\.)\s*(-?\d+(?:\.\d+)?)\s*", said)
    if found is None:
        raise BadInput(f"--scale {said!r}: say the lowest and the highest score, as in 1-10.")
    return float(found[1]), float(found[2])


def add_columns(made: argparse.ArgumentParser) -> None:
    """Add how the columns of a file of ratings are read, to a verb whose `file` it is."""
    maps = f"what a column is: {', '.join((*FIELDS, *COLUMNS))}; repeatable (default: guessed)"
    add_repeatable(made, "--map", maps, "WHAT=COLUMN")
    for field, names in SHORT.items():
        made.add_argument(
            *((f"--{field}", "--by") if field == "source" else (f"--{field}",)),
            metavar="COLUMN",
            help=f"the column that {names}; an empty one says there is none",
        )
    score = "a column of scores; repeatable"
    made.add_argument("--score", metavar="COLUMN", action="append", help=score)
    heads = "what the names of the columns of scores stand for"
    made.add_argument("--heads", choices=tuple(HEADS), help=heads)
    models = "a rater that is a model judge; repeatable (default: guessed by name)"
    made.add_argument("--model-rater", action="append", metavar="NAME", help=models)
    people = "every rater is a person, whatever the names"
    add_flag(made, "--no-models", people)
    scale = (
        "lowest and highest score; others are reported and left out (default: any number stands)"
    )
    made.add_argument("--scale", metavar="LOW-HIGH", help=scale)
