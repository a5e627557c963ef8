"""A benchmark's averages against a general ranking that somebody brings."""

import streamlit as st

from components.benchmark.form.panel import taking_out
from components.benchmark.results.parts import chart, table
from components.runs import export as run_export
from components.shell import mistakes
from components.shell.colours import ink
from components.shell.text import inline
from core.benchmark.figures import against as figures_against
from core.benchmark.results import tables
from core.benchmark.results.board import Board
from core.benchmark.results.findings import BenchFindings
from core.benchmark.results.generality import Against, against
from core.importing.rankings import general_ranking
from core.records import Panelist, Run


def draw(run: Run, found: BenchFindings) -> None:
    """Draw the place to bring a ranking to, and averages against it."""
    beside(found.board, f"bench:{run.id}", run_export.named(run))


def beside(board: Board, key: str, file: str) -> None:
    """Draw a board against a ranking that is brought here, and kept for this visit."""
    ranking = _ask_for_ranking(f"{key}:general")
    if not ranking:
        return
    made = against(board, ranking)
    if one := figures_against.against(made, ink()):
        chart(one, key, file, _word(made))
    else:
        st.info(
            inline(made.refused or made.reading or "No model of this benchmark is in the ranking."),
            icon=":material/link_off:",
        )
        table(tables.against(made), f"{key}:general", file)


def _word(made: Against) -> str:
    words = []
    if line := figures_against.regressed(made):
        words.append(f"{line[:1].upper()}{line[1:]}.")
    words.append(made.reading or made.refused)
    if made.left_out:
        left_out = ", ".join(made.left_out)
        words.append(f"Left out, not in the ranking or without an average: {left_out}.")
    return " ".join([*words, "Models are taken as independent of each other."])


def _ask_for_ranking(key: str) -> tuple[Panelist, ...]:
    held: tuple[Panelist, ...] = st.session_state.get(key, ())
    with st.expander("A general ranking", key=f"{key}:place:{bool(held)}", expanded=not held):
        st.caption(
            "A CSV with the columns model and score, the higher the better; such as LiveBench's"
            " average. It is kept for this visit only. Models are matched by name, without"
            " provider."
        )
        st.file_uploader(
            "Ranking (CSV)",
            ["csv", "tsv", "txt"],
            key=f"{key}:file",
            max_upload_size=5,
            on_change=_take_in,
            args=(key,),
        )
        mistakes.shown(key)
    if held:
        taking_out(held, key, f"{key}:out")
    return held


def _take_in(key: str) -> None:
    if file := st.session_state.get(f"{key}:file"):
        with mistakes.kept(key):
            st.session_state[key] = general_ranking(file.getvalue(), file.name)
