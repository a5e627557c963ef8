"""From a row and a mapping to a text that can be judged, or to the reasons why not."""

import json
import re
from collections.abc import Mapping as Given
from typing import Any, NamedTuple

from pydantic import ValidationError

from core.importing.decoding import unsound
from core.importing.mapping import Mapping
from core.importing.names import FIELDS, PLACES, Place, form_of, heading, simple
from core.importing.own import RECORD
from core.importing.sheets import RefusedRow, Row, refused
from core.literature.importing.text import plain
from core.records import FORMS, HEADINGS, Design, Idea, Kind
from core.records.faults import fault_in_words

LONGEST = 20_000
"""Characters a text, or a field of one, may have."""
LONGEST_SAID = 200
"""Characters of a method, a model, a topic or a category."""
NEEDED: tuple[Place, ...] = ("method", "topic")
_HEADED = re.compile(r"^ {0,3}#{1,6}\s+\S", re.MULTILINE)
_TITLED = re.compile(r"\s*#+\s*title\b", re.IGNORECASE)
_NUMBERED = re.compile(r"^\s*(?:[-*]|\d+[.)])\s+")


class Offered(NamedTuple):
    """A text that could be judged, with where it is from."""

    where: str
    record: Idea | Design
    kind: Kind
    said: dict[Place, str]
    title: str


class Wrong(Exception):
    """A row cannot be used; says why in a few words."""


def offer(row: Row, mapping: Mapping, file: str) -> Offered | RefusedRow:
    """Make of a row what the mapping says, or say everything that is wrong with it."""
    wrong: list[str] = []
    about: dict[Place, str] = {}
    record: Idea | Design | None = None
    try:
        record = _record(row, mapping)
    except Wrong as error:
        wrong.append(str(error))
    for place in PLACES:
        try:
            about[place] = _read_place(place, row, mapping)
        except Wrong as error:
            wrong.append(str(error))
    titles = (cell for name, cell in row.cells.items() if simple(name) == "title")
    named = mapping.fields.get("title", "") or mapping.titled
    title = plain(row.cells.get(named, "") or next(titles, ""))[:120]
    if record is None or wrong:
        cells = (row.cells.get(name, "").strip() for name in mapping.columns)
        return refused(row.where, title or next(filter(None, cells), ""), "; ".join(wrong))
    about["source"] = about["source"] or f"{file}, {row.where}"
    shown = record.title if isinstance(record, Idea) else title or record.setup
    # In a file of our own, each row says what it is.
    ours = mapping.columns == (RECORD,) and row.cells.get("kind") == "design"
    kind: Kind = "design" if ours or isinstance(record, Design) else mapping.kind
    return Offered(row.where, record, kind, about, plain(shown)[:120])


def _read_place(place: Place, row: Row, mapping: Mapping) -> str:
    cell = row.cells.get(mapping.places.get(place, ""), "")
    if trouble := unsound(cell):
        raise Wrong(f"{place}: {trouble}")
    text = " ".join((cell.strip() or mapping.constants.get(place, "")).split())
    if not text and place in NEEDED:
        raise Wrong(f"it names no {place}, and none was given for all rows")
    if len(text) > LONGEST_SAID:
        raise Wrong(f"its {place} has {len(text):,} characters; {LONGEST_SAID} are read at most")
    return text


def _record(row: Row, mapping: Mapping) -> Idea | Design:
    if mapping.way == "text":
        return _compose(row, mapping)
    fields = {
        name: _require_sound(row.cells.get(column, ""), name)
        for name, column in mapping.fields.items()
    }
    if missing := [name for name in FIELDS[mapping.way] if not fields[name]]:
        raise Wrong(
            f"nothing stands under {', '.join(f'{mapping.fields[name]!r}' for name in missing)}"
        )
    return _in_form(mapping.way, fields)


def _in_form(way: str, fields: "Given[str, Any]") -> Idea | Design:
    """Return an idea or a design by its fields; raises Wrong."""
    try:
        if way != "design":
            return Idea.model_validate(
                {"form": way, "fields": {name: fields[name] for name in FORMS[way]}}
            )
        steps = fields["procedure"]
        if isinstance(steps, str):  # Its lines, without their numbers.
            unnumbered = (_NUMBERED.sub("", line).strip() for line in steps.splitlines())
            steps = tuple(filter(None, unnumbered))
        return Design.model_validate({**fields, "procedure": steps})
    except ValidationError as error:
        raise Wrong(
            f"{error.errors()[0]['loc'][-1]}: {fault_in_words(error.errors()[0])}"
        ) from None


def _compose(row: Row, mapping: Mapping) -> Idea | Design:
    """Return the idea of these columns: one as it stands, several as paragraphs that begin with
    their names, and above them the title as a line of its own.
    """
    named = mapping.titled
    columns = tuple(name for name in mapping.columns if name != named) or mapping.columns
    written = [(name, _require_sound(row.cells.get(name, ""), name)) for name in columns]
    parts = [(name, text) for name, text in written if text]
    title = " ".join(_require_sound(row.cells.get(named, ""), named).strip("#* ").split())
    if not parts:
        raise Wrong(f"there is no text: nothing stands under {', '.join(map(repr, columns))}")
    if len(parts) > 1:
        text = "\n\n".join(f"{_heading(name)}: {part}" for name, part in parts)
        return of_text(f"{title}\n\n{text}" if title else text, composed=True)
    text = parts[0][1]
    begins = text.partition("\n")[0].strip("#* ").casefold() == title.casefold()
    if not title or _TITLED.match(text):
        return of_text(text)
    return of_text(text if begins else f"{title}\n\n{text}", composed=True)


def _heading(column: str) -> str:
    """Return a column's name as a heading; that of a section of ours is written as ours."""
    name = heading(column)
    return next((ours for ours in HEADINGS if simple(ours) == simple(column)), name).rstrip(": ")


def _require_sound(cell: str, name: str) -> str:
    if trouble := unsound(cell):
        raise Wrong(f"{name}: {trouble}")
    text = cell.strip()
    if len(text) > LONGEST and not text.startswith("{"):
        raise Wrong(
            f"{name} has {len(text):,} characters; {LONGEST:,} are read at most. Shorten it, or"
            " split it into its fields"
        )
    return text


def of_text(text: str, composed: bool = False) -> Idea | Design:
    """Return the idea or the design a text is: one in a form of ours where it is JSON with its
    fields, headed where it has headings or is composed of columns, else one paragraph.

    Raises Wrong.
    """
    if text.startswith("{") and (record := _read_ours(text)):
        return record
    if len(text) > LONGEST:
        raise Wrong(
            f"its text has {len(text):,} characters in all; {LONGEST:,} are read at most. Shorten"
            " it, or split it into its fields"
        )
    ours = all(name.lower() in text.lower() for name in HEADINGS[1:])
    if composed or ours or _HEADED.search(text):
        return _in_form("headed", {"text": text})
    return _in_form("hypothesis", {"hypothesis": text})


def _read_ours(text: str) -> Idea | Design | None:
    """Return the idea or the design that is written as JSON with the fields of one of the forms, or
    None; raises Wrong.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    fields = document.get("fields", document) if isinstance(document, dict) else None
    if not isinstance(fields, dict):
        return None
    if fields.keys() == FIELDS["design"].keys():
        return _in_form("design", fields)
    form = form_of(fields)
    return _in_form(form, fields) if form else None
