"""What the columns of a file stand for: proposed by their names, decided by a person."""

from typing import NamedTuple

import streamlit as st
from pydantic import ValidationError

from components.shell.text import inline
from core.importing.making import LONGEST_SAID
from core.importing.mapping import Mapping, Way, longest_texts, proposed, proposed_title
from core.importing.names import FIELDS, PLACES, Place, match_columns
from core.importing.sheets import Sheet
from core.literature.importing.text import plain
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
NEEDED: tuple[Place, ...] = ("topic",)
FIRST: tuple[Place, ...] = ("method", "topic")
"""What is asked for openly; the rest is folded."""
CALLED: dict[Place, str] = {"method": "Column of who or what wrote it"}
ABOUT: dict[Place, str] = {
    "method": (
        "A person, a group or a system; the arena calls it the method, and compares what one wrote"
        " with what others wrote. Where nothing is said, the name of the file stands for it."
    ),
    "model": "The language model behind it, if any.",
    "topic": "Texts on the same topic are compared with one another.",
    "category": "The field of the topic.",
    "source": "Where it is from; the file and the row where nothing is given.",
}
EXAMPLES: dict[Place, str] = {
    "topic": "what they are about, e.g. naps and memory",
}


class ChosenMapping(NamedTuple):
    mapping: Mapping | None = None
    """None where it is not said what holds the text; what else is not said has a stand-in, to read
    by.
    """
    lacking: str = ""
    """What has to be said before the file can be imported, as a sentence; empty where nothing."""


def draw(sheet: Sheet, key: str) -> ChosenMapping:
    """Draw the choices, filled in as proposed, and return the mapping, or what it lacks."""
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
        longest = "" if guess else longest_texts(sheet)
        if longest:
            guess = proposed(sheet, kind, (longest,))
        way: Way = st.segmented_control(
            "The text is in",
            OFFERED[kind],
            default=guess.way if guess else "text",
            format_func=WAYS.__getitem__,
            key=f"{key}:{kind}:way",
            required=True,
        )
    here = f"{key}:{kind}:{way}"
    known = guess if guess and guess.way == way else None
    columns: tuple[str, ...] = ()
    title = ""
    fields: dict[str, str] = {}
    if way == "text":
        title, columns = _texts(sheet, kind, known, here)
        if longest and columns == (longest,):
            st.caption(
                f"“{inline(longest, 60)}” is taken for the text: nothing else in the file is nearly"
                " as long. Choose other columns if it is not."
            )
    else:
        cells = st.columns(min(4, len(FIELDS[way])))
        for n, name in enumerate(FIELDS[way]):
            with cells[n % len(cells)]:
                likely = known.fields.get(name) if known else None
                fields[name] = _column(label(name), sheet, likely, f"{here}:{name}") or ""
    places, constants = _places(sheet, guess, key)
    if "method" not in {**places, **constants}:
        constants["method"] = _file_name(sheet)
    try:
        mapping = Mapping(
            kind=kind,
            way=way,
            columns=columns,
            title=title,
            fields=fields,
            places=places,
            constants=constants,
        )
    except ValidationError as error:
        fault = fault_in_words(error.errors()[0])
        said = f"{inline(fault[:1].upper() + fault[1:], 500)}. Choose above what holds the text."
        return ChosenMapping(lacking=said)
    lacking = [place for place in NEEDED if place not in {**places, **constants}]
    if lacking and sheet.rows:
        said = (
            f"Say the {' and the '.join(lacking)} above: choose a column, or write one for all"
            " rows."
        )
        stand_ins = mapping.constants | dict.fromkeys(lacking, "-")
        return ChosenMapping(mapping.model_copy(update={"constants": stand_ins}), said)
    return ChosenMapping(mapping)


def _texts(
    sheet: Sheet, kind: Kind, known: Mapping | None, here: str
) -> tuple[str, tuple[str, ...]]:
    """Draw which column is the title, where there can be one, and which are the text."""
    title, texts = "", st.container()
    if kind == "idea":
        beside, texts = st.columns([1, 2])
        likely = known.title if known else proposed_title(sheet)
        about = "It names the idea in lists and stands above its text. It may be none."
        with beside:
            options = ("", *sheet.columns)
            title = st.selectbox(
                "Title column",
                options,
                index=options.index(likely),
                # A list that begins with a choice made cannot be emptied.
                format_func=lambda name: _short(name) if name else "none",
                key=f"{here}:title",
                help=about,
            )
    with texts:
        columns = st.multiselect(
            "Columns of the text (needed)",
            sheet.columns,
            default=known.columns if known else (),
            format_func=_short,
            key=f"{here}:columns",
            placeholder="one or several",
            help="Several become one text, in which each begins with its column's name.",
        )
    return title, tuple(columns)


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
    others = [place for place in PLACES if place not in FIRST]
    cells = st.columns(len(FIRST))
    said = [f"{place}: {_short(likely[place])}" for place in others if place in likely]
    with st.expander(inline(f"Model, category and source ({', '.join(said) or 'none'})", 400)):
        cells += st.columns(len(others))
    examples = EXAMPLES | {"method": f"{_file_name(sheet)}, unless you say another"}
    for cell, place in zip(cells, (*FIRST, *others), strict=True):
        with cell:
            name = CALLED.get(place, f"{label(place)} column")
            name += " (needed)" if place in NEEDED else ""
            if column := _column(name, sheet, likely.get(place), f"{key}:{place}", ABOUT[place]):
                columns[place] = column
            typed = st.text_input(
                "or one value for all rows",
                (guess.constants if guess else {}).get(place, ""),
                key=f"{key}:{place}:all",
                max_chars=LONGEST_SAID,
                placeholder=examples.get(place),
            )
            if typed and typed.strip():
                constants[place] = typed.strip()
    return columns, constants


def _file_name(sheet: Sheet) -> str:
    """Return what stands for who wrote the ideas where a file does not say it."""
    name = plain(sheet.name.rpartition(".")[0] or sheet.name)
    return name[:LONGEST_SAID].strip() or "imported"


def _column(
    name: str, sheet: Sheet, chosen: str | None, key: str, about: str | None = None
) -> str | None:
    index = sheet.columns.index(chosen) if chosen in sheet.columns else None
    return st.selectbox(
        name,
        sheet.columns,
        index=index,
        format_func=_short,
        key=key,
        placeholder="none",
        help=about,
    )


def _short(column: str) -> str:
    return column if len(column) <= 60 else f"{column[:57]} ..."
