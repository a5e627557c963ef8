"""What of a file was not taken, on screen: the first rows with where they stand and why, and how
many there are in all.
"""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

import streamlit as st

from components.shell.text import inline

DRAWN = 500
"""Rows that are drawn: a browser is sent no more than it can be shown at once."""
LONGEST = 1_000
"""Characters of a cell that are drawn."""
KINDS = 5
"""Kinds of reasons that are named."""


def draw(
    rows: Iterable[Mapping[str, str | int]],
    count: int,
    key: str,
    what: str = "refused rows",
    in_file: int = 0,
    reasons: Mapping[str, int] | None = None,
    column_config: Mapping[str, Any] | None = None,
) -> None:
    """Draw the first of `count` rows that were not taken, and, where there are more, say so: why
    most of them were not, and how many are in the file of them that is offered.
    """
    st.dataframe(
        [
            {name: cell[:LONGEST] if isinstance(cell, str) else cell for name, cell in row.items()}
            for row in islice(rows, DRAWN)
        ],
        hide_index=True,
        key=key,
        column_config=column_config,
    )
    if count <= DRAWN:
        return
    held = f" The file has the first {in_file:,}." if DRAWN < in_file < count else ""
    st.caption(f"{count:,} {what} in all; the first {DRAWN} are shown.{held}")
    if reasons:
        most = sorted(reasons.items(), key=lambda one: -one[1])[:KINDS]
        st.caption("\n".join(f"- {n:,}: {inline(reason, 300)}" for reason, n in most))
