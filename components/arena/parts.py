"""What every view of an arena shares: figures that may be of some votes ago, tables with their
files.
"""

from collections.abc import Callable

import streamlit as st

from components.arena.figures import Latest, What, latest
from components.shell.frame import told
from components.shell.table import save_as
from components.shell.text import counted, inline
from core.judging.arena.sheet import RatingsSheet, Trust, VoteStanding
from core.records import Run, Table

NONE = {
    "models": "No model has judged here.",
    "people": "No person has voted yet. “Votes” has the address to give to people.",
    "both": "No judgments or votes yet.",
}


def followed(
    run: Run, what: What, criterion: str | None, draw: Callable[[RatingsSheet | Trust], None]
) -> None:
    """Draw figures, those of some votes ago while newer ones are being made beside the page."""
    first = latest(run, what, criterion)

    @st.fragment(run_every=1.0 if first.making else None)
    def drawn() -> None:
        with told():
            now = latest(run, what, criterion) if first.making else first
            if first.making and not now.making:
                st.rerun()
            _as_of(now)
            if now.made:
                draw(now.made)

    drawn()


def _as_of(now: Latest) -> None:
    if now.made is None:
        st.info(
            f"Figures for {counted(now.ballots, 'vote')} are being computed and appear here in a"
            " few seconds.",
            icon=":material/hourglass_top:",
        )
    elif now.making:
        st.caption(
            f":material/sync: As of {now.made.ballots:,} of {counted(now.ballots, 'vote')}; newer"
            " figures are being computed."
        )
    else:
        st.caption(f"Of all {counted(now.ballots, 'vote')}.")


def stands(made: RatingsSheet | Trust, who: str) -> tuple[VoteStanding, ...]:
    """Return the sides that are looked at; says so where one has not voted."""
    if not isinstance(made, RatingsSheet):
        return ()
    found = tuple(one for one in made.stands if who in (one.who, "both") and one.ratings.rows)
    if not found:
        st.info(NONE[who], icon=":material/how_to_vote:")
    elif who == "both" and len(found) == 1:
        st.caption(NONE["people" if found[0].who == "models" else "models"])
    return found


def files(table: Table, key: str) -> None:
    """Draw a table's CSV, LaTeX and Markdown."""
    with st.container(horizontal=True):
        save_as(table, key)


def plain(table: Table, key: str) -> None:
    """Draw a table as it is read, with its note and its files."""
    rows = [
        {name: value.said for name, value in zip(table.head, row, strict=True)}
        for row in table.rows
    ]
    st.dataframe(rows, hide_index=True, key=key, height=height(len(rows)))
    if table.note:
        st.caption(inline(table.note, 1_500))
    files(table, key)


def height(rows: int) -> int:
    """Return the height of a table in pixels."""
    return 37 + 35 * min(max(rows, 1), 20)
