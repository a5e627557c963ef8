"""A table of figures as blocks."""

from core.export.blocks import Blocks, Heading, Table, said
from core.records import Table as Figures


def grid(held: Figures) -> Blocks:
    """Write a table under its title and what it is of, with its note; a table without rows is left
    out.
    """
    if not held.rows:
        return ()
    whole = held.caption.endswith(".")
    title = (
        held.caption
        if held.title in held.caption
        else ": ".join(filter(None, (held.title, "" if whole else held.caption)))
    )
    rows = tuple(tuple(value.said for value in row) for row in held.rows)
    return (
        Heading(title),
        *((said(held.caption),) if whole else ()),
        Table(held.head, rows),
        *((said(held.note),) if held.note else ()),
    )
