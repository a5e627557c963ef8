"""The published results of LiveIdeaBench, drawn in the same figures as a benchmark of one's own,
and marked as published everywhere.
"""

import streamlit as st

from components.benchmark.results.against import beside
from components.benchmark.results.board import ORDER, explained, ranked
from components.benchmark.results.parts import chart, picked
from components.shell.colours import ink
from core.benchmark import tables
from core.benchmark.board import published
from core.benchmark.figures import board as figures_board
from core.benchmark.figures import usage as figures_usage
from core.benchmark.figures.drawing import MARKED

NAMES = {
    "leaderboard": "Leaderboard",
    "trade-off": "Trade-off",
    "general": "General ranking",
    "energy": "Energy",
}
HEADED = f"{MARKED[:1].upper()}{MARKED[1:]}"
KEY, FILE = "bench:published", "liveideabench-published"


def draw() -> None:
    """Draw one of the published figures."""
    st.caption(
        f"{HEADED}: 41 models, 1,180 keywords, ten judges; supplementary tables 3 and 4. Nothing"
        " here was measured by this program."
    )
    {"leaderboard": _leaderboard, "trade-off": _trade_off, "general": _general, "energy": _energy}[
        picked("Figures", NAMES, f"{KEY}:figures")
    ]()


def _leaderboard() -> None:
    board = published()
    st.markdown(f"##### Leaderboard, {MARKED}")
    ranked(tables.board(board), f"{KEY}:leaderboard", FILE)
    by = st.selectbox(
        "Figure",
        list(ORDER),
        key=f"{KEY}:by",
        format_func=ORDER.__getitem__,
        persist_state="session",
        width=200,
    )
    if one := figures_board.standing(published(), ink(), by=by):
        chart(
            one,
            KEY,
            FILE,
            "Mark: the figure over all keywords; bar: 95 % interval, as published.",
            tabled=False,
        )


def _trade_off() -> None:
    if one := figures_board.trade_off(published(), ink()):
        chart(one, KEY, FILE, f"{HEADED}. {explained(published())}")


def _general() -> None:
    beside(published(), KEY, FILE)


def _energy() -> None:
    chart(
        figures_usage.published_energy(ink()),
        KEY,
        FILE,
        "Estimated by the authors with EcoLogits. Ten models were judges too.",
    )
