"""The matrix to fill: what is done, running, failed, left; a cell is opened by a click, or from the
list that says the same.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from components.experiments import address
from components.experiments.words import LOOKS, badges, named
from components.runs.states import active
from components.shell import in_view, services
from components.shell.text import counted, inline
from core.experiments.progress import CellProgress, CellProgressState
from core.records import Cell, Run
from core.store.connection import now

WIDE = 12
"""Targets that still have a column each; more are put together by category."""
IN_SIGHT = 5
"""Columns that stand side by side without scrolling."""
OFFERED = 400
"""Cells the list offers at most: a longer one is slow to send, and nobody reads it."""
CELL = "cell"
"""The cell that is open, in the address."""
OPENED = "experiments-opened"
"""The container of the cell that is open."""
MINUTE = 60.0
ROW = 35
"""Height of a row in pixels."""


class MatrixSquare(NamedTuple):
    """What stands at one place of the table: cells of one row, and their state as one."""

    cells: tuple[CellProgress, ...]

    @property
    def state(self) -> CellProgressState:
        """The state that most needs a look."""
        held = {one.state for one in self.cells}
        return next(state for state in ("running", "failed", "left", "done") if state in held)


def draw(run: Run, cells: Sequence[CellProgress], *, judged: bool) -> None:
    """Draw how far it is, and the matrix."""
    counts = Counter(one.state for one in cells)
    st.markdown(badges({state: counts[state] for state in LOOKS}))
    done = counts["done"] + counts["failed"]
    if active(run):
        st.progress(done / len(cells) if cells else 0.0, text=_pace(run, cells))
    rows, columns, squares = table(cells, services.store().sweeps.qs(run.id))
    key = f"experiments:matrix:{run.id}"
    st.dataframe(
        _shade(rows, columns, squares),
        hide_index=True,
        key=key,
        on_select=partial(_open, run.id, key, squares),
        selection_mode="single-cell",
        height=min(ROW * (len(rows) + 1) + 3, 520),
        column_config=_widths(columns, cells),
        alt="Table of cells. The list below has the same content.",
    )
    places = "target."
    if len({one.cell.target for one in cells}) > WIDE:
        places = "category of targets; pick one target from the list below."
    numbers = (
        "This experiment has no judge, so no cell has a Q. It is the share of the other ideas that"
        " a judge puts before the published one."
    )
    if judged:
        numbers = (
            "Numbers are Q by the first judge: 0 where the published idea is best, 1 where it is"
            " worst."
        )
    st.caption(
        "A row for each method and model, a column for each quality and "
        f"{places} {numbers} Click a cell to open it."
    )


def table(
    cells: Sequence[CellProgress], qs: dict[str, float]
) -> tuple[list[dict[str, str]], list[str], dict[tuple[int, str], MatrixSquare]]:
    """Return the rows as they are read, the columns that hold cells, and what stands at each
    place.
    """
    many = len({one.cell.target for one in cells}) > WIDE
    several = len({one.cell.indicator for one in cells}) > 1
    heads = _heads(cells)
    goals = list(dict.fromkeys(one.cell.indicator for one in cells))
    places = dict[tuple[str, str], dict[str, list[CellProgress]]]()
    for one in sorted(cells, key=lambda one: goals.index(one.cell.indicator)):
        place = (one.category or "no category") if many else heads[one.cell.target]
        column = f"{one.cell.indicator}: {place}" if several else place
        places.setdefault((one.cell.method, one.cell.model), {}).setdefault(column, []).append(one)
    columns = list(dict.fromkeys(column for held in places.values() for column in held))
    squares = {
        (n, column): MatrixSquare(tuple(held[column]))
        for n, held in enumerate(places.values())
        for column in held
    }
    rows = [
        {
            "Method": named(method),
            "Model": model,
            **{column: say(squares[n, column], qs) for column in held},
        }
        for n, ((method, model), held) in enumerate(places.items())
    ]
    return rows, columns, squares


def _heads(cells: Sequence[CellProgress]) -> dict[str, str]:
    """Return a short name for each target, each its own."""
    titles = {one.cell.target: one.title for one in cells}
    return {
        sha: f"{n}. {title[:28]}{'…' if len(title) > 28 else ''}"
        for n, (sha, title) in enumerate(titles.items(), 1)
    }


def _widths(columns: Sequence[str], cells: Sequence[CellProgress]) -> dict[str, Any]:
    """Hold method and model in sight while the rest is scrolled, and say a target's whole title
    where its heading is pointed at.
    """
    heads = _heads(cells)
    titles = {heads[one.cell.target]: inline(one.title) for one in cells}
    # What is pinned is written pale (Streamlit 1.67): only where one has to scroll.
    lead = st.column_config.TextColumn(pinned=len(columns) > IN_SIGHT)
    widths = {"Method": lead, "Model": lead}
    for name in columns:
        width = 130 if name in titles else None
        widths[name] = st.column_config.TextColumn(width=width, help=titles.get(name))
    return widths


def say(square: MatrixSquare, qs: dict[str, float]) -> str:
    """Say what became of the cells at a place: sign, word, and Q where there is one."""
    rankings = [
        [piece.name for piece in one.pieces if piece.what == "ranking" and piece.name in qs]
        for one in square.cells
    ]
    look, found = LOOKS[square.state], [qs[names[0]] for names in rankings if names]
    mean = f" {sum(found) / len(found):.2f}" if found else ""
    if len(square.cells) == 1:
        return f"{look.sign} {look.word}{mean}"
    counts = Counter(one.state for one in square.cells)
    parts = [f"{counts['done']} of {len(square.cells)} done"]
    for state in ("running", "failed"):
        if counts[state]:
            parts.append(f"{counts[state]} {LOOKS[state].word}")
    return f"{look.sign} {', '.join(parts)}{mean}"


def _shade(
    rows: list[dict[str, str]], columns: list[str], squares: dict[tuple[int, str], MatrixSquare]
) -> Any:
    import pandas as pd

    frame = pd.DataFrame(rows, columns=["Method", "Model", *columns]).fillna("")
    shades = pd.DataFrame("", index=frame.index, columns=frame.columns)
    for (n, column), square in squares.items():
        shades.loc[n, column] = f"background-color: {LOOKS[square.state].shade}"
    return frame.style.apply(lambda _: shades, axis=None)


def _pace(run: Run, cells: Sequence[CellProgress]) -> str:
    """Say how fast it goes at this moment."""
    since = (datetime.now(UTC) - timedelta(seconds=MINUTE)).isoformat(timespec="milliseconds")
    flying, ended = services.store().sweeps.pace(run.id, min(since, now()))
    fresh = sum(
        one.state in ("done", "failed") and any(piece.name in ended for piece in one.pieces)
        for one in cells
    )
    return (
        f"{counted(fresh, 'cell')} in the last minute · {counted(flying, 'call')} under way or"
        " waiting"
    )


def _open(run: str, key: str, squares: Mapping[tuple[int, str], MatrixSquare]) -> None:
    """Open the cell that was clicked; of several at one place, the first that most needs a look."""
    picked = st.session_state[key]["selection"]["cells"]
    square = squares.get((picked[0][0], picked[0][1])) if picked else None
    if square:
        st.session_state[address.key_of(CELL, run)] = next(
            one.cell.name for one in square.cells if one.state == square.state
        )
        address.say(CELL, run)
        in_view.wish(OPENED)


def pick(run: Run, cells: Sequence[CellProgress]) -> CellProgress | None:
    """Draw the list of cells that says the same as the matrix, and return the one that is open; it
    lives in the address.
    """
    asked = address.asked(CELL, run.id)
    names = {
        one.cell.name: one for n, one in enumerate(cells) if n < OFFERED or one.cell.name == asked
    }

    def say_cell(name: str) -> str:
        one = names[name]
        look = LOOKS[one.state]
        return f"{look.sign} {look.word}: {titled(one.cell)} · {one.title[:90]}"

    picked = address.pick(
        st,
        "Cell",
        list(names),
        CELL,
        run.id,
        opens=OPENED,
        placeholder="Click a cell above, or pick one here",
        format_func=say_cell,
    )
    if len(cells) > len(names):
        st.caption(
            f"The list offers {len(names)} of {len(cells):,} cells; choose a method, a model or a"
            " category above to see others."
        )
    return names.get(picked or "")


def titled(cell: Cell) -> str:
    """Return what a cell is called, without its target."""
    return f"{named(cell.method)} · {cell.model} · {cell.indicator}"
