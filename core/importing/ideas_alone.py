"""The ideas of a file by themselves, for whoever goes on with them at once: nothing is filed."""

from typing import NamedTuple

from core.errors import BadInput
from core.importing.making import offer
from core.importing.mapping import proposed
from core.importing.names import first_few
from core.importing.reading import read
from core.importing.sheets import RefusedRow
from core.records import Idea

OF_NOBODY = {"method": "own", "topic": "own"}
"""What a row of a collection has to say, and nobody asks here."""


class IdeasRead(NamedTuple):
    """What a file has."""

    ideas: tuple[Idea, ...]
    refused: tuple[RefusedRow, ...]
    """Rows that could not be used, each with the reason."""


def ideas_in(name: str, data: bytes) -> IdeasRead:
    """Return the ideas of a file (CSV, JSON, JSONL, Markdown), each text once; raises BadInput
    where there is none.
    """
    sheet = read(name, data)
    guess = proposed(sheet, "idea")
    if guess is None:
        raise BadInput(
            f"No column of {sheet.name} is known to hold an idea. Call it “idea” or “text”, or give"
            f" the fields of an idea. It has {first_few(sheet.columns)}."
        )
    mapping = guess.model_copy(update={"places": {}, "constants": OF_NOBODY})
    ideas: dict[str, Idea] = {}
    refused = []
    for row in sheet.rows:
        made = offer(row, mapping, sheet.name)
        if isinstance(made, RefusedRow):
            refused.append(made)
        elif isinstance(made.record, Idea):
            ideas.setdefault(made.record.digest(), made.record)
    if not ideas:
        why = f" The first row: {refused[0].reason}." if refused else ""
        raise BadInput(f"{sheet.name} has no idea that can be used.{why}")
    return IdeasRead(tuple(ideas.values()), tuple(refused))
