"""Statistics as they are read: value, interval, what is counted, and one line in words; what could
not be given says why.
"""

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from components.shell import table as experiment_table
from components.shell.text import counted, inline
from core.records import Table
from core.statistics.statistic import Statistic, p_said, shown


def draw(found: Sequence[Statistic]) -> None:
    """Draw statistics as a table, and below it those that could not be given, each reason once."""
    if given := [one for one in found if one.value is not None]:
        p = any(one.p is not None for one in given)
        # The same figure by two methods is told apart by how each came about.
        often = Counter((one.name, one.about) for one in given)
        st.table(
            [_row(one, p, often[one.name, one.about] > 1) for one in given],
            border="horizontal",
            hide_index=True,
        )
    reasons: dict[str, list[str]] = {}
    for one in found:
        if one.refused:
            reasons.setdefault(one.refused, []).append(
                f"{one.name} ({one.about})" if one.about else one.name
            )
    for reason, names in reasons.items():
        more = f" and {len(names) - 4} more" if len(names) > 4 else ""
        st.markdown(
            f":material/hourglass_empty: {inline(', '.join(names[:4]) + more, 400)}:"
            f" {inline(reason, 400)}"
        )


def _row(one: Statistic, p: bool, apart: bool) -> dict[str, str]:
    # What publications print a figure as stands beside its name where that differs.
    label = f" (printed as {inline(one.label, 300)})" if one.label else ""
    about = f"{one.about}; {one.how}" if apart and one.how else one.about
    interval = "none"
    if one.low is not None and one.high is not None:
        interval = f"{_digits(one.low, one)} to {_digits(one.high, one)}"
    row = {
        "Figure": f"**{inline(one.name, 80)}**{label} :gray[{inline(about, 200)}]",
        "Value": _digits(one.value or 0.0, one),
        _firm("95 % interval"): _firm(interval),
        "n": _firm(counted(one.n, one.unit.removesuffix("s"))),
    }
    if p:
        row["p"] = ""
        if one.p is not None:
            row["p"] = _firm(inline(p_said(one.p).removeprefix("p ").removeprefix("= ")))
    row["In words"] = inline(one.reading, 500)
    return row


def _firm(text: str) -> str:
    """Return a text that is not broken at its spaces."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def _digits(number: float, one: Statistic) -> str:
    """Return a number with the digits its figure deserves: coefficients are published with three,
    ratings about 1000 with none.
    """
    ends = [end for end in (one.value, one.low, one.high) if end is not None]
    size = max(map(abs, ends))
    if size <= 1:
        return f"{round(number, 3) + 0.0:.3f}"
    return shown(number) if size < 100 else f"{number:.0f}"


def tables(found: Sequence[Table], key: str) -> None:
    """Draw a choice of tables, and the chosen one with its files."""
    held = {one.name: one for one in found if one.rows}
    if not held:
        return
    with st.expander(
        f"Tables and files ({len(held)})", icon=":material/table:", key=f"{key}:tables"
    ):
        name = st.selectbox(
            "Table", list(held), format_func=lambda one: held[one].title, key=f"{key}:table"
        )
        if name in held:
            experiment_table.draw(held[name], key)
