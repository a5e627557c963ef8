"""Which columns of a file are the text of an idea, and which say who wrote it on what; proposed by
their names, decided by a person.
"""

from statistics import fmean
from typing import Literal

from pydantic import model_validator

from core.importing.names import (
    CHAIN,
    DESIGN_TEXTS,
    FIELDS,
    OTHERS,
    PLACES,
    SIX,
    TEXTS,
    TITLES,
    WRITERS,
    Place,
    match_columns,
    simple,
    title_among,
)
from core.importing.own import OURS, RECORD
from core.importing.sheets import Sheet
from core.records import HEADINGS, Kind, Record

Way = Literal["text", "six-field", "chain", "design"]
SYSTEMS: tuple[tuple[str, frozenset[str]], ...] = (
    ("LiveIdeaBench", frozenset({"keyword", "idea", "idea model"})),
    ("AI-Researcher", frozenset({"problem", "existing methods", "motivation", "proposed method"})),
    ("AI-Researcher", frozenset({"problem statement", "motivation", "proposed method"})),
    ("AI Scientist", frozenset({"name", "title", "experiment", "interestingness"})),
    ("CoI", frozenset({"idea", "experiment", "trend"})),
    ("EvoIdeator", frozenset(simple(name) for name in HEADINGS[1:])),
)
"""Other systems' files, by columns they have."""
ONLY_MODELS = ("LiveIdeaBench",)
"""Those in which every idea comes straight from a model."""
LONG = 60
"""Letters on average from which a column may be taken for texts."""
BY_FAR = 2.0
"""How many times as long as any other's the texts of such a column are."""
_SEVEN = tuple(simple(name) for name in HEADINGS)


class Mapping(Record):
    """What the columns of a file stand for, and what holds for all rows."""

    kind: Kind = "idea"
    way: Way = "text"
    """Whether the text is in one piece (or in columns that become its headings), or in the fields
    of a form.
    """
    columns: tuple[str, ...] = ()
    """Where the way is `text`: the columns it is made of, in their order."""
    title: str = ""
    """Where the way is `text`: the column of the title, which stands above the text; empty for
    none, or for one among the columns that is a title by its name.
    """
    fields: dict[str, str] = {}
    """Otherwise: column by field."""
    places: dict[Place, str] = {}
    """Column by what is said of an idea."""
    constants: dict[Place, str] = {}
    """What holds where there is no column for it, or nothing in it."""

    @model_validator(mode="after")
    def _way_suits_kind(self) -> "Mapping":
        if self.way != "text" and (self.way == "design") != (self.kind == "design"):
            raise ValueError(
                "the fields of an experiment design make a design, and those of an idea make an"
                " idea"
            )
        if self.way != "text" and (
            missing := [name for name in FIELDS[self.way] if not self.fields.get(name)]
        ):
            raise ValueError(f"no column was given for {', '.join(missing)}")
        if self.way == "text" and not self.columns:
            raise ValueError("no column was given for the text")
        if self.title and (self.way != "text" or self.kind == "design"):
            raise ValueError("a column of titles goes with ideas in one text")
        return self

    @property
    def used(self) -> tuple[str, ...]:
        """Every column that is read."""
        title = (self.title,) if self.title else ()
        every = (*title, *self.columns, *self.fields.values(), *self.places.values())
        return tuple(dict.fromkeys(every))

    @property
    def titled(self) -> str:
        """The column of the title, or an empty string."""
        return self.title or (title_among(self.columns) if len(self.columns) > 1 else "")


def proposed(sheet: Sheet, kind: Kind = "idea", otherwise: tuple[str, ...] = ()) -> Mapping | None:
    """Propose what the columns stand for by their names; where no column is known to hold a text,
    these columns do `otherwise`, or the proposal is None.
    """
    columns = sheet.columns
    way, fields = next(
        (
            (way, found)
            for way in (("design",) if kind == "design" else ("six-field", "chain"))
            if len(found := match_columns(columns, FIELDS[way])) == len(FIELDS[way])
        ),
        ("text", {}),
    )
    texts = () if fields else _texts(sheet, kind) or otherwise
    if not fields and not texts:
        return None
    title = "" if fields or kind == "design" else proposed_title(sheet, texts)
    taken = (title, *texts, *fields.values())
    free = [column for column in columns if column not in taken]
    places, system = match_columns(free, PLACES), system_of(sheet)
    constants = {"method": system} if system not in ("", OURS, *ONLY_MODELS) else {}
    if "method" not in places and not constants:
        # Where nothing else tells them apart, models are what is compared, or else people.
        left = [column for column in free if column not in places.values()]
        writer = match_columns(left, {"method": WRITERS}).get("method", "")
        if said := places.get("model", writer):
            places["method"] = said
    read = {"columns": texts, "title": title, "fields": fields}
    about = {"places": places, "constants": constants}
    return Mapping.model_validate({"kind": kind, "way": way, **read, **about})


def longest_texts(sheet: Sheet) -> str:
    """Return the column whose texts are by far the longest, or an empty string."""
    lengths = {name: fmean(map(len, sheet.values(name) or [""])) for name in sheet.columns}
    first, second, *_ = (*sorted(lengths.values(), reverse=True), 0.0, 0.0)
    if first < LONG or first < BY_FAR * second:
        return ""
    return next(name for name, length in lengths.items() if length == first)


def proposed_title(sheet: Sheet, texts: tuple[str, ...] = ()) -> str:
    """Propose the column of the title beside these columns of a text; empty for none."""
    if [simple(name) for name in texts] == [RECORD]:
        return ""
    title = title_among(name for name in sheet.columns if name not in texts)
    if simple(title) != "name" or len(texts) > 1 or system_of(sheet):
        return title
    # Where nothing else says who wrote an idea, a name may be its author's.
    free = [name for name in sheet.columns if name not in (title, *texts)]
    return title if "method" in match_columns(free, PLACES) else ""


def system_of(sheet: Sheet) -> str:
    """Return whose file this looks like, or an empty string."""
    names = {simple(column) for column in sheet.columns}
    return sheet.system or next((system for system, has in SYSTEMS if has <= names), "")


def _texts(sheet: Sheet, kind: Kind) -> tuple[str, ...]:
    """Return the columns a text is made of: one in a form of ours, one that is the whole, or
    several that are its parts.
    """
    names: dict[str, str] = {}
    for name in sheet.columns:
        names.setdefault(simple(name), name)
    if RECORD in names:
        return (names[RECORD],)
    whole = [names[name] for name in (DESIGN_TEXTS if kind == "design" else TEXTS) if name in names]
    parts = _parts(names) if kind == "idea" else ()
    if len(parts) > 2 or (parts and not whole):
        return parts
    # A page of Markdown whose headings are the parts is a whole already.
    return tuple(whole[:1])


def _parts(names: dict[str, str]) -> tuple[str, ...]:
    if "text" in names and {*_SEVEN[1:]} <= names.keys():
        return ()
    known = {*OTHERS, *_SEVEN}.union(*SIX.values(), *CHAIN.values())
    texts = tuple(column for name, column in names.items() if name in known and name not in TITLES)
    return texts if len(texts) > 1 else ()
