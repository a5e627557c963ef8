"""Lists of people: links and letters to send, who is to be reminded, what is to be paid. They hold
names and addresses, and are written so that only their owner can read them; no other export has any
of it.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from core.errors import BadInput, StoreFailed, boundary
from core.export.writing import require_folder
from core.records import PersonDetails
from core.studies.inviting import Letter, Reminded
from core.studies.paying import HEAD, Payment
from core.tables.sheets import rows_as_csv


def link_of(base: str, secret: str) -> str:
    """Return an expert's link at a server's address."""
    return f"{base.rstrip('/')}/annotate?seat={secret}"


def recruiting_link(base: str, secret: str) -> str:
    """Return the link that a recruiting service is given; Prolific fills in what stands in
    braces.
    """
    ids = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
    filled = "".join(f"&{name}={{{{%{name}%}}}}" for name in ids)
    return f"{base.rstrip('/')}/annotate?join={secret}{filled}"


def links_csv(letters: Iterable[Letter]) -> str:
    """Return links with the letters that bring them, one person a row. A link is in no other file,
    and cannot be written again.
    """
    head = ("name", "address", "link", "subject", "text", "mailto")
    rows = ((one.name, one.address, one.link, one.subject, one.text, one.mailto) for one in letters)
    return rows_as_csv([head, *rows])


def reminders_csv(reminded: Iterable[Reminded], letters: Iterable[Letter]) -> str:
    """Return who is to be reminded, with the letters for them, one person a row."""
    sent = {one.seat: one for one in letters}
    rows: list[tuple[object, ...]] = [
        (
            *("name", "address", "standing", "done", "units", "deadline_near", "last_seen"),
            *("link", "subject", "text", "mailto"),
        )
    ]
    for one in reminded:
        letter = sent[one.seat]
        rows.append(
            (
                *(one.name, one.address, one.standing, one.done, one.units),
                *("yes" if one.near else "no", one.seen),
                *(letter.link, letter.subject, letter.text, letter.mailto),
            )
        )
    return rows_as_csv(rows)


def payments_csv(payments: Iterable[Payment]) -> str:
    """Return what is to be paid, one person a row, in the order of names."""
    rows = (
        ("yes" if value is True else "no" if value is False else value for value in one)
        for one in payments
    )
    return rows_as_csv([tuple(HEAD), *rows])


def people_csv(people: Iterable[PersonDetails]) -> str:
    """Return who sits where: the only file that has names beside seats."""
    fields = tuple(PersonDetails.model_fields)
    return rows_as_csv([fields, *([getattr(one, name) for name in fields] for one in people)])


def write_private(to: Path, text: str) -> None:
    """Write a new file that only its owner can read; raises BadInput where there is one already,
    StoreFailed.
    """
    require_folder(to)
    if to.exists():
        raise BadInput(
            f"{str(to)!r} is there already. Choose another name: links in it could not be written"
            " again."
        )
    with boundary(StoreFailed, f"writing {to}"):
        handle = os.open(to, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode())
