"""A general ranking of models from a table somebody brings in: who stands how high, by whatever its
columns are called.
"""

import re
from collections.abc import Sequence
from itertools import islice

from core.benchmark.panel import base, organisation
from core.errors import BadInput
from core.importing.decoding import opened
from core.importing.delimited import read_table
from core.importing.names import match_columns, names_in, simple
from core.importing.rating_columns import number
from core.importing.sheets import RefusedRow, Row
from core.literature.importing.text import plain
from core.records import Panelist

MOST_MODELS = 2_000
LONGEST_NAME = 200
COLUMNS: dict[str, tuple[str, ...]] = {
    "model": ("model", "model name", "llm", "language model", "name", "system"),
    "score": names_in(
        """
        score, global average, livebench average, overall, overall score, total score,
        average, average score, mean, rating, elo, arena score, arena elo, index,
        intelligence index, points, value
        """
    ),
    "organisation": names_in(
        """
        organisation, organization, org, vendor, developer, provider, company, creator,
        lab
        """
    ),
    "base": ("base", "base model", "family"),
}
"""What the columns may be called, the likeliest first."""


def general_ranking(data: bytes, name: str) -> tuple[Panelist, ...]:
    """Return the models of a table with a column of models and one of scores, the higher the
    better, best first; raises BadInput.

    Organisation and base model are taken from columns of these names, else guessed by the model's
    name. One row that cannot be used refuses the table: a ranking with a gap would form another
    panel.
    """
    name, text, _ = opened(name, data)
    table = read_table(name, text, each="a model")
    parts = list(islice(table.parts, MOST_MODELS + 1))
    columns = [one for one in table.columns if not _numbers_rows(one, parts)]
    places = _places(name, columns)
    found: dict[str, Panelist] = {}
    spelled: list[str] = []
    for row in parts:
        one = _model(name, row, places)
        if one.model.casefold() in found:
            raise BadInput(
                f"{name}, {row.where}: {one.model!r} is there twice. Leave one of the rows out."
            )
        found[one.model.casefold()] = one
        if isinstance(row, Row):
            spelled.append(plain(row.cells[places["score"]]))
        if len(found) > MOST_MODELS:
            raise BadInput(
                f"{name} has more than {MOST_MODELS:,} models. Leave out those that are not needed."
            )
    if not found:
        raise BadInput(
            f"{name} names no model. Each row under the column names is a model and its score."
        )
    _refuse_thousands(name, spelled)
    return tuple(sorted(found.values(), key=lambda one: (-(one.rank or 0.0), one.model)))


def _numbers_rows(column: str, parts: Sequence[Row | RefusedRow]) -> bool:
    """Say whether a column called so only numbers the rows, as the one that pandas saves does."""
    cells = [row.cells.get(column, "") for row in parts if isinstance(row, Row)]
    numbers = [str(n) for n in range(len(cells) + 1)]
    return simple(column) == "index" and len(cells) > 1 and cells in (numbers[:-1], numbers[1:])


def _refuse_thousands(name: str, scores: Sequence[str]) -> None:
    """Raise BadInput where points may stand between thousands: a figure below ten, with three
    decimals, beside none but whole ones of three digits.
    """
    pointed = [one for one in scores if re.fullmatch(r"[1-9]\.\d{3}", one, re.ASCII)]
    rest = [one for one in scores if one not in pointed]
    if pointed and rest and all(re.fullmatch(r"\d{3}", one, re.ASCII) for one in rest):
        raise BadInput(
            f"{name}: the score {pointed[0]!r} stands beside {rest[0]!r}; if its point stands for"
            " thousands, leave it out, and otherwise write all scores with decimals."
        )


def _places(name: str, columns: Sequence[str]) -> dict[str, str]:
    places = match_columns(columns, COLUMNS)
    for what, hint in (
        ("model", "call the one that names the models `model`"),
        ("score", "call the one with the scores `score` (the higher the better)"),
    ):
        if what not in places:
            position = ""
            if what == "score" and {"rank", "position"} & set(map(simple, columns)):
                position = " A rank counts the other way round and says less."
            some = ", ".join(map(repr, columns[:12]))
            raise BadInput(f"{name} has no column {what!r}, but {some}; {hint}.{position}")
    return places


def _model(name: str, row: Row | RefusedRow, places: dict[str, str]) -> Panelist:
    if isinstance(row, RefusedRow):
        raise BadInput(f"{name}, {row.where}: {row.reason}")
    cells = {what: plain(row.cells.get(column, "")) for what, column in places.items()}
    if not 0 < len(cells["model"]) <= LONGEST_NAME:
        raise BadInput(
            f"{name}, {row.where}: "
            + (
                f"the model's name has more than {LONGEST_NAME} characters."
                if cells["model"]
                else "no model is named."
            )
        )
    if cells["model"][0] in "=+@-":
        raise BadInput(
            f"{name}, {row.where}: {cells['model'][:60]!r} is a formula and no model's name."
        )
    try:
        score = number(re.sub(r" ?%$", "", cells["score"]))
    except ValueError as error:
        raise BadInput(
            f"{name}, {row.where}: the score of {cells['model']!r} cannot be used: {error}."
        ) from None
    if score is None:
        raise BadInput(
            f"{name}, {row.where}: {cells['model']!r} has no score. Give it one, or leave the row"
            " out."
        )
    return Panelist(
        model=cells["model"],
        organisation=cells.get("organisation") or organisation(cells["model"]),
        base=cells.get("base") or base(cells["model"]),
        rank=score,
    )
