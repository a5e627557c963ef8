"""The leaderboard of a benchmark, and what each model pays in feasibility for originality; published results may be shown beside, and never in between."""
import streamlit as st

from components import run_export
from components.bench_results_found import figures, standing
from components.bench_results_parts import chart, table
from components.chain_colours import ink
from core.benchmark import figures_board, tables
from core.benchmark.board import Board
from core.benchmark.findings import BenchFindings
from core.records import Run

ORDER = {name: name.capitalize() for name in tables.SHOWN}
BESIDE = ("Published results are those of LiveIdeaBench's paper (March 2025): other judges, other days, and prompts that are not word by word the same. "
          "They have ranks of their own; a model that stands in both is not the same measurement twice.")
STANDING = "Dot: the figure over all keywords; bar: 95 % interval from resampling keywords (none under 10 keywords)."
PARETO = ("Further up and to the right is better. Size: fluency; colour: flexibility; width of the edge: clarity. Dotted is the Pareto front: no model "
          "is better than one on it in both. {} Point at a mark for its name and figures.")
ALL, FRONT = "Names are drawn where there is room.", "Named are the models on the front."


def leaderboard(run: Run, found: BenchFindings) -> None:
    """Draw the table of all six figures, then one of them as dots."""
    key, file = f"bench:{run.id}", run_export.named(run)
    st.markdown("##### Leaderboard")
    table(tables.board(found.board), f"{key}:leaderboard", file, column_config=pinned())
    with st.container(horizontal=True, vertical_alignment="bottom"):
        by = st.selectbox("Figure", list(ORDER), key=f"{key}:by", format_func=ORDER.__getitem__, persist_state="session", width=200)
        beside = _beside(run)
    if one := standing(found, by, ink(), beside):
        chart(one, key, file, f"{STANDING} {BESIDE if beside else ''}", tabled=beside)
    else:
        st.caption(f"No model has a figure for {by} yet.")


def pinned() -> dict[str, object]:
    """Return how columns of a leaderboard are: models stay in sight."""
    return {"Model": st.column_config.TextColumn(pinned=True), "Rank": st.column_config.Column(pinned=True, width=75),
            "Tied": st.column_config.TextColumn(width=75)}


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
