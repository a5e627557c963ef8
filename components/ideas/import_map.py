"""What the columns of a file stand for: proposed by their names, decided by a person."""

import streamlit as st
from pydantic import ValidationError

from components.shell.text import inline
from core.importing.mapping import Mapping, Way, proposed
from core.importing.names import FIELDS, PLACES, Place, match_columns
from core.importing.sheets import Sheet
from core.records import Kind, label
from core.records.faults import fault_in_words

KINDS: dict[Kind, str] = {"idea": "Ideas", "design": "Experiment designs"}
WAYS: dict[Way, str] = {
    "text": "One text",
    "six-field": "Six fields",
    "chain": "Fields of a chain's idea",
    "design": "Seven parts of a design",
}
OFFERED: dict[Kind, tuple[Way, ...]] = {
    "idea": ("text", "six-field", "chain"),
    "design": ("text", "design"),
}
NEEDED: tuple[Place, ...] = ("method", "topic")
ABOUT: dict[Place, str] = {
    "method": "Who or what wrote it: methods are what is compared.",
    "model": "The language model behind it, if any.",
    "topic": "Texts on the same topic are compared with one another.",
    "category": "The field of the topic.",
    "source": "Where it is from; the file and the row where nothing is given.",
}


def draw(sheet: Sheet, key: str) -> Mapping | None:
    """Draw the choices, filled in as proposed, and return the mapping; None, with the reason, where
    it is not complete.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind: Kind = st.segmented_control(
            "They are",
            list(KINDS),
            default="idea",
            format_func=KINDS.__getitem__,
            key=f"{key}:kind",
            required=True,
        )
        guess = proposed(sheet, kind)
        way: Way = st.segmented_control(
            "The text is in",
            OFFERED[kind],
            default=guess.way if guess else "text",
            format_func=WAYS.__getitem__,
            key=f"{key}:{kind}:way",
            required=True,
        )
    here = f"{key}:{kind}:{way}"
    columns = _columns(sheet, guess, here) if way == "text" else ()
    fields = {} if way == "text" else _fields(sheet, way, guess, here)
    places, constants = _places(sheet, guess, key)
    return _mapping(
        {
            "kind": kind,
            "way": way,
            "columns": columns,
            "fields": fields,
            "places": places,
            "constants": constants,
        },
        sheet,
    )


def _columns(sheet: Sheet, guess: Mapping | None, key: str) -> tuple[str, ...]:
    chosen = st.multiselect(
        "Columns of the text",
        sheet.columns,
        default=guess.columns if guess and guess.way == "text" else (),
        format_func=_named,
        key=f"{key}:columns",
        help="Several become one text, each under its name; a title stands above.",
    )
    return tuple(chosen)


def _fields(sheet: Sheet, way: Way, guess: Mapping | None, key: str) -> dict[str, str]:
    known = guess.fields if guess and guess.way == way else {}
    found: dict[str, str] = {}
    cells = st.columns(min(4, len(FIELDS[way])))
    for n, name in enumerate(FIELDS[way]):
        with cells[n % len(cells)]:
            found[name] = _column(label(name), sheet, known.get(name), f"{key}:{name}") or ""
    return found


def _places(
    sheet: Sheet, guess: Mapping | None, key: str
) -> tuple[dict[Place, str], dict[Place, str]]:
    """Draw, for what is said of an idea, its column and what holds where the column says
    nothing.
    """
    # Where no column is known to hold a text, others may still be known by their names.
    likely = guess.places if guess else match_columns(sheet.columns, PLACES)
    columns: dict[Place, str] = {}
    constants: dict[Place, str] = {}
    for cell, place in zip(st.columns(len(PLACES)), PLACES, strict=True):
        with cell:
            if column := _column(
                f"{label(place)} column", sheet, likely.get(place), f"{key}:{place}", ABOUT[place]
            ):
                columns[place] = column
            typed = st.text_input(
                "else, for all rows",
                (guess.constants if guess else {}).get(place, ""),
                key=f"{key}:{place}:all",
                max_chars=200,
            )
            if typed and typed.strip():
                constants[place] = typed.strip()
    return columns, constants


def _column(
    name: str, sheet: Sheet, chosen: str | None, key: str, about: str | None = None
) -> str | None:
    index = sheet.columns.index(chosen) if chosen in sheet.columns else None
    return st.selectbox(
        name,
        sheet.columns,
        index=index,
        format_func=_named,
        key=key,
        placeholder="none",
        help=about,
    )


def _named(column: str) -> str:
    return column if len(column) <= 60 else f"{column[:57]} ..."


def _mapping(given: dict[str, object], sheet: Sheet) -> Mapping | None:
    try:
        mapping = Mapping.model_validate(given)
    except ValidationError as error:
        said = fault_in_words(error.errors()[0])
        st.info(
            f"{inline(said[:1].upper() + said[1:], 500)}. Choose above what holds the text.",
            icon=":material/arrow_upward:",
        )
        return None
    lacking = [
        place for place in NEEDED if place not in mapping.places and place not in mapping.constants
    ]
    if lacking and sheet.rows:
        st.info(
            f"Say the {' and the '.join(lacking)} above: choose a column, or write what holds for"
            " all rows.",
            icon=":material/arrow_upward:",
        )
        return None
    return mapping
