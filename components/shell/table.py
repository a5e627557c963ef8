"""A table of an experiment on screen: figures with their intervals, the runs behind a row, and the
same as a file.
"""

import re
from contextlib import suppress
from functools import partial

import streamlit as st

from components.shell import services
from components.shell.text import inline
from core.errors import BadInput
from core.export.tables import markdown
from core.records import Table, Value
from core.tables.latex import latex
from core.tables.sheets import sheet

FILES = (
    ("CSV", "csv", "text/csv", sheet),
    ("LaTeX", "tex", "application/x-tex", latex),
    ("Markdown", "md", "text/markdown", markdown),
)
LIKE = re.compile(r"\(as in (.+)\)$")
MOST = 40
"""Links to runs drawn at once."""


def draw(table: Table, key: str) -> None:
    """Draw a table with its note; its rows lead to the runs behind them."""
    st.markdown(f"##### {inline(table.title, 160)}{printed_as(table)}")
    st.dataframe(rows(table), hide_index=True, key=f"{key}:{table.name}", height="content")
    if table.note:
        st.caption(inline(table.note, 1_500))
    with st.container(horizontal=True):
        save_as(table, f"{key}:{table.name}")
        _behind(table, key)


def printed_as(table: Table) -> str:
    """Return which table or figure of a paper a table is like, where its caption says so, as
    Markdown beginning with a space; nothing otherwise.
    """
    like = LIKE.search(table.caption)
    return f" :gray[as in {inline(like[1], 120)}]" if like else ""


def save_as(table: Table, key: str) -> None:
    """Draw a button for each format that a table can be saved in."""
    for label, ending, kind, make in FILES:
        st.download_button(
            label,
            partial(make, table),
            f"{table.name}.{ending}",
            kind,
            key=f"{key}:{ending}",
            icon=":material/download:",
            on_click="ignore",
            type="tertiary",
        )


def rows(table: Table) -> list[dict[str, str]]:
    """Return the rows as they are read; two columns of one heading stay apart."""
    heads: list[str] = []
    for head in table.head:
        heads.append(head if head not in heads else f"{head} ({heads.count(head) + 1})")
    return [
        {head: read(value) for head, value in zip(heads, row, strict=True)} for row in table.rows
    ]


def read(value: Value) -> str:
    """Return a cell as it is read, with what it is made of."""
    if value.n is None or value.mean is None or value.short:
        return value.said
    return f"{value.said} n={value.n}"


def _behind(table: Table, key: str) -> None:
    held = {
        n: tuple(dict.fromkeys(run for value in row for run in value.runs))
        for n, row in enumerate(table.rows)
    }
    if not any(held.values()):
        return
    with st.popover("Runs behind a row", icon=":material/list_alt:", type="tertiary"):
        names = {
            n: " · ".join(value.text for value in table.rows[n] if value.text) or f"Row {n + 1}"
            for n in held
            if held[n]
        }
        n = st.selectbox(
            "Row", list(names), format_func=names.__getitem__, key=f"{key}:{table.name}:row"
        )
        for run in held.get(n, ())[:MOST]:
            with suppress(BadInput):  # Where it was removed since, the figure stays.
                made = services.store().runs.get(run)
                st.page_link(
                    "pages/runs.py",
                    label=f"{inline(made.cell or made.title, 80)} ({run})",
                    icon=":material/list_alt:",
                    query_params={"run": run},
                )
        if n is not None and len(held[n]) > MOST:
            st.caption(f"and {len(held[n]) - MOST} more, in the CSV of all cells")
