"""A file of people to invite: which of its columns are names and addresses, and which rows cannot
be taken, by where they stand.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from core.errors import BadInput, MappingNeeded
from core.importing import decoding
from core.importing.delimited import read_table
from core.importing.names import first_few, names_in, simple
from core.importing.sheets import RefusedRow, Row, Sheet, refused, require_columns
from core.literature.importing.text import plain
from core.studies.inviting import ADDRESS, MOST, Invited
from core.studies.organising import NAME

WHOLE = names_in("name, full name, expert, expert name, participant, person, reviewer, who")
FIRST = names_in("first name, firstname, given name, forename, vorname")
LAST = names_in("last name, lastname, surname, family name, nachname")
MAIL = names_in(
    "email, e mail, mail, email address, e mail address, mail address, address, e mail adresse"
)


class PeopleColumns(NamedTuple):
    """Which columns are what; several of names are joined by a space."""

    names: tuple[str, ...]
    address: str = ""


class InvitedFile(NamedTuple):
    """The people of a file, and the rows that were not taken, with the reason."""

    people: tuple[Invited, ...]
    refused: tuple[RefusedRow, ...]


def opened(name: str, data: bytes) -> Sheet:
    """Read the rows of a CSV of people (commas, semicolons, tabs or bars); raises BadInput for a
    file that holds none.
    """
    name, text, encoding = decoding.opened(name, data)
    found = read_table(name, re.sub(r"\A\s*sep=.\n", "\n", text), "a person")
    parts: list[Row | RefusedRow] = []
    for part in found.parts:
        parts.append(part)
        if len(parts) > MOST:
            raise BadInput(f"{name} has more than {MOST:,} rows. Split it, and bring the parts.")
    rows = tuple(one for one in parts if isinstance(one, Row))
    broken = tuple(one for one in parts if isinstance(one, RefusedRow))
    if not rows and not broken:
        raise BadInput(
            f"{name} holds nobody under its line of column names ({first_few(found.columns)})."
            " Its first line names the columns, such as name and e-mail."
        )
    return Sheet(name, found.format, encoding, found.columns, rows, broken)


def guess_columns(sheet: Sheet) -> PeopleColumns:
    """Return which columns are names and addresses, by what they are called. Raises MappingNeeded
    where that is not plain.
    """
    if people := [column for column in sheet.columns if ADDRESS.fullmatch(column)]:
        raise MappingNeeded(
            f"The first line of {sheet.name} should name the columns, and holds {people[0]}. Write"
            " a line such as name,e-mail above it."
        )
    address = _only(sheet, MAIL, "address")
    first, last = _only(sheet, FIRST, "first name"), _only(sheet, LAST, "last name")
    if first and last:
        return PeopleColumns((first, last), address)
    if whole := _only(sheet, WHOLE, "name"):
        return PeopleColumns((whole,), address)
    raise MappingNeeded(
        f"It is not plain which column of {sheet.name} holds the names; it has"
        f" {first_few(sheet.columns)}. Say which one does."
    )


def plain_columns(sheet: Sheet) -> PeopleColumns:
    """Return what of the columns is plain, where all of it is not: nothing for the rest."""
    first, last, whole, address = (_named(sheet, names) for names in (FIRST, LAST, WHOLE, MAIL))
    names: tuple[str, ...] = ()
    if len(first) == len(last) == 1:
        names = (*first, *last)
    elif len(whole) == 1:
        names = (whole[0],)
    return PeopleColumns(names, address[0] if len(address) == 1 else "")


def _named(sheet: Sheet, names: tuple[str, ...]) -> list[str]:
    return [column for column in sheet.columns if simple(column) in names]


def _only(sheet: Sheet, names: tuple[str, ...], what: str) -> str:
    found = _named(sheet, names)
    if len(found) > 1:
        raise MappingNeeded(
            f"{sheet.name} has {len(found)} columns that may hold the {what}: {first_few(found)}."
            " Say which one does."
        )
    return found[0] if found else ""


def take_people(sheet: Sheet, columns: PeopleColumns) -> InvitedFile:
    """Return the people of a file; raises BadInput for columns that it does not have."""
    require_columns(sheet, (name for name in (*columns.names, columns.address) if name))
    parts = list(_people(sheet, columns))
    people = tuple(one for _, one in parts if isinstance(one, Invited))
    wrong = tuple(one for _, one in parts if isinstance(one, RefusedRow))
    return InvitedFile(people, (*sheet.refused, *wrong))


def _people(sheet: Sheet, columns: PeopleColumns) -> Iterator[tuple[str, Invited | RefusedRow]]:
    times = Counter[str]()
    for row in sheet.rows:
        cells = (plain(row.cells.get(name, "")) for name in columns.names)
        address = row.cells.get(columns.address, "").strip() if columns.address else ""
        name = " ".join(" ".join(cells).split()) or address
        times.update({f"name {name.casefold()}", f"address {address.casefold()}"})
        if reason := _wrong(name, address, times):
            yield row.where, refused(row.where, name or address, reason)
        else:
            yield row.where, Invited(name, address)


def _wrong(name: str, address: str, times: Counter[str]) -> str:
    """Say what is wrong with a person, or nothing."""
    if not name:
        return "there is neither a name nor an address"
    if len(name) > NAME:
        return f"the name has more than {NAME} characters"
    if address and not ADDRESS.fullmatch(address):
        return f"{address[:80]!r} is no address for e-mail"
    if times[f"name {name.casefold()}"] > 1:
        return "this name stands in a row above; tell the two apart"
    if address and times[f"address {address.casefold()}"] > 1:
        return "this address stands in a row above"
    return ""
