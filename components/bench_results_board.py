"""The leaderboard of a benchmark, and what each model pays in feasibility for originality; published results may be shown beside, and never in between."""
import streamlit as st

from components import run_export
from components.bench_results_found import figures, standing
from components.bench_results_parts import chart, files, rows
from components.chain_colours import ink
from components.text import inline
from core.benchmark import figures_board, tables
from core.benchmark.board import Board
from core.benchmark.figures_drawing import bared
from core.benchmark.findings import BenchFindings
from core.records import NOTHING, Run, Table, Value

ORDER = {name: name.capitalize() for name in tables.SHOWN}
BESIDE = ("Published results are those of LiveIdeaBench's paper (March 2025): other judges, other days, and prompts that are not word by word the same. "
          "They have ranks of their own; a model that stands in both is not the same measurement twice.")
STANDING = "Dot: the figure over all keywords; bar: 95 % interval from resampling keywords (none under 10 keywords)."
PARETO = ("Further up and to the right is better. Size: fluency; colour: flexibility; width of the edge: clarity. Dotted is the Pareto front: no model "
          "is better than one on it in both. {} Point at a mark for its name and figures.")
INTERVAL, TIES = "95 % interval", "Not told apart from"
WHOLE = "Every interval, and who is not told apart from whom"
WIDTHS = {"Rank": st.column_config.NumberColumn(width=52, pinned=True), "Model": st.column_config.TextColumn(width=210, pinned=True),
          "Tied": st.column_config.TextColumn(width=72), "Weights": st.column_config.TextColumn(width=66), INTERVAL: st.column_config.TextColumn(width=104),
          **{name.capitalize(): st.column_config.NumberColumn(width=70 if name == "average" else 80, format="%.2f") for name in tables.SHOWN}}
"""Pixels of the columns: 908 in all is what a screen of 1,280 leaves beside the menu."""
ALL, FRONT = "Names are drawn where there is room.", "Named are the models on the front."


def leaderboard(run: Run, found: BenchFindings) -> None:
    """Draw the table of all six figures, then one of them as dots."""
    key, file = f"bench:{run.id}", run_export.named(run)
    st.markdown("##### Leaderboard")
    ranked(tables.board(found.board), f"{key}:leaderboard", file)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        by = st.selectbox("Figure", list(ORDER), key=f"{key}:by", format_func=ORDER.__getitem__, persist_state="session", width=200)
        beside = _beside(run)
    if one := standing(found, by, ink(), beside):
        chart(one, key, file, f"{STANDING} {BESIDE if beside else ''}", tabled=beside)
    else:
        st.caption(f"No model has a figure for {by} yet.")


def ranked(held: Table, key: str, file: str) -> None:
    """Draw a leaderboard so that it fits beside the menu on a small screen, and all that is in its files unfolded below."""
    st.dataframe(narrow(held), hide_index=True, key=f"{key}:narrow", height="content", column_config=WIDTHS, placeholder=NOTHING,
                 alt="The leaderboard, best first.")
    if held.note:
        st.caption(inline(held.note, 2_000))
    with st.expander(WHOLE if TIES in held.head else "Every interval", key=f"{key}:whole"):
        st.dataframe(rows(held), hide_index=True, key=f"{key}:rows", height="content", alt="The leaderboard with every interval.",
                     column_config={"Model": st.column_config.TextColumn(pinned=True), "Rank": st.column_config.Column(pinned=True, width=60)})
    files(held, key, file)


def narrow(held: Table) -> list[dict[str, object]]:
    """Return the rows of a leaderboard with the interval of the average alone, and without providers where names are clear without."""
    each = [dict(zip(held.head, row, strict=True)) for row in held.rows]
    bare = [bared(cells["Model"].text) for cells in each]
    return [_narrow(cells, name if bare.count(name) == 1 else cells["Model"].text) for cells, name in zip(each, bare, strict=True)]


def _narrow(cells: dict[str, Value], model: str) -> dict[str, object]:
    words: dict[str, object] = {"Model": model, **{name: cells[name].number for name in ("Tied", "Weights") if name in cells}}
    figures = {name.capitalize(): cells[name.capitalize()].mean for name in tables.SHOWN}
    average = {"Average": figures.pop("Average"), INTERVAL: cells["Average"].interval}
    return {"Rank": cells["Rank"].mean, **words, **average, **figures}


def trade_off(run: Run, found: BenchFindings) -> None:
    """Draw originality against feasibility with the Pareto front."""
    beside = _beside(run)
    drawn = figures(found, "trade-off", ink(), beside)
    for one in drawn:
        chart(one, f"bench:{run.id}", run_export.named(run), f"{explained(found.board)} {BESIDE if beside else ''}")


def explained(board: Board) -> str:
    """Say what the marks of the trade-off mean."""
    return PARETO.format(ALL if len(board.rows) <= figures_board.FEW else FRONT)


def _beside(run: Run) -> bool:
    return st.toggle("Show published results beside", key=f"bench:{run.id}:beside", persist_state="session")
