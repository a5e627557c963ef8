"""What every view of a benchmark's results shares: a figure with its words, its table and its
files; the choice that lives in the address.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from components.shell import table as experiment_table
from components.shell.plots import tool_bar
from components.shell.text import inline
from components.shell.widget_state import put
from core.benchmark.figures.gallery import Missing
from core.charts.style import DrawnFigure
from core.records import NOTHING, Table, Value

FIGURE = "figure"
"""Which figures are looked at, in the address."""


def pick_figure(label: str, names: Mapping[str, str], key: str) -> str:
    """Draw a choice that lives in the address under FIGURE, and return it; the first goes without
    saying.
    """
    first = next(iter(names))
    asked = st.query_params.get(FIGURE, first)
    # The address goes before what was chosen last: the browser's way back changes it, and nothing
    # else.
    put(key, asked if asked in names else first)
    return str(
        st.pills(
            label,
            list(names),
            key=key,
            required=True,
            format_func=names.__getitem__,
            label_visibility="collapsed",
            on_change=_say,
            args=(key, first),
        )
    )


def _say(key: str, first: str) -> None:
    if st.session_state.get(key) in (None, first):
        st.query_params.pop(FIGURE, None)
    else:
        st.query_params[FIGURE] = st.session_state[key]


def chart(one: DrawnFigure, key: str, file: str, words: str = "", tabled: bool = True) -> None:
    """Draw a figure, what its marks mean, and the same as a table."""
    st.markdown(f"##### {inline(one.title)}")
    st.plotly_chart(
        one.figure, key=f"{key}:{one.name}", config=tool_bar(f"{file}-{one.name}"), theme=None
    )
    if words:
        st.caption(inline(words, 1_500))
    if tabled:
        with st.expander("The same as a table", key=f"{key}:{one.name}:table"):
            table(one.table, f"{key}:{one.name}", file)


def name_missing(several: Sequence[Missing]) -> None:
    """Name figures that are not drawn, and why; one whose drawing failed stands out."""
    for one in several:
        words = f"**{inline(one.title)}** is not drawn. {inline(one.why, 600)}"
        if one.failed:
            st.warning(words, icon=":material/broken_image:")
        else:
            st.caption(words)


def table(held: Table, key: str, file: str, **more: Any) -> None:
    """Draw a table with its note and its files."""
    st.dataframe(
        rows(held),
        hide_index=True,
        key=f"{key}:rows",
        height="content",
        placeholder=NOTHING,
        **more,
    )
    if held.note:
        st.caption(inline(held.note, 2_000))
    files(held, key, file)


def files(held: Table, key: str, file: str) -> None:
    """Draw the downloads of a table."""
    with st.container(horizontal=True):
        for label, ending, kind, make in experiment_table.FILES:
            st.download_button(
                label,
                partial(make, held),
                f"{file}-{held.name}.{ending}",
                kind,
                key=f"{key}:{ending}",
                icon=":material/download:",
                on_click="ignore",
                type="tertiary",
            )


def rows(held: Table) -> list[dict[str, str | int | None]]:
    """Return the rows as they are read; columns of counts stay numbers, so that they sort as such,
    and every column is of one type.
    """
    columns = [_read(column) for column in zip(*held.rows, strict=True)]
    return [dict(zip(held.head, row, strict=True)) for row in zip(*columns, strict=True)]


def _read(column: Sequence[Value]) -> list[str] | list[int | None]:
    filled = [one for one in column if one.text or one.mean is not None]
    if filled and all(map(_is_count, filled)):
        return [None if one.mean is None else int(one.mean) for one in column]
    return [one.said.rjust(4) if one.mean is not None else one.said for one in column]


def _is_count(value: Value) -> bool:
    return not value.text and value.digits == 0 and value.low is None
