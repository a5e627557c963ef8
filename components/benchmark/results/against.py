"""A benchmark's averages against a general ranking that somebody brings."""

import streamlit as st

from components.benchmark.results.parts import chart, table
from components.runs import export as run_export
from components.shell import mistakes
from components.shell.colours import ink
from components.shell.text import counted, inline
from core.benchmark import tables
from core.benchmark.board import Board
from core.benchmark.figures import against as figures_against
from core.benchmark.findings import BenchFindings
from core.benchmark.generality import Against, against
from core.importing.rankings import general_ranking
from core.records import Panelist, Run


def draw(run: Run, found: BenchFindings) -> None:
    """Draw the place to bring a ranking to, and averages against it."""
    beside(found.board, f"bench:{run.id}", run_export.named(run))


def beside(board: Board, key: str, file: str) -> None:
    """Draw a board against a ranking that is brought here, and kept for this visit."""
    ranking = _brought(f"{key}:general")
    if not ranking:
        return
    made = against(board, ranking)
    if one := figures_against.against(made, ink()):
        chart(one, key, file, _read(made))
    else:
        st.info(
            inline(made.refused or made.reading or "No model of this benchmark is in the ranking."),
            icon=":material/link_off:",
        )
        table(tables.against(made), f"{key}:general", file)


def _read(made: Against) -> str:
    missing = (
        f" Left out, not in the ranking or without an average: {', '.join(made.left_out)}."
        if made.left_out
        else ""
    )
    said = figures_against.regressed(made)
    first = f"{said[:1].upper()}{said[1:]}. " if said else ""
    return (
        f"{first}{made.reading or made.refused}{missing}"
        " Models are taken as independent of each other."
    )


def _brought(key: str) -> tuple[Panelist, ...]:
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
            on_change=_read_in,
            args=(key,),
        )
        mistakes.shown(key)
    if held:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":green-badge[:material/check: {counted(len(held), 'model')} ranked]")
            st.button(
                "Take the ranking out",
                icon=":material/close:",
                type="tertiary",
                key=f"{key}:out",
                on_click=st.session_state.pop,
                args=(key, None),
            )
    return held


def _read_in(key: str) -> None:
    if file := st.session_state.get(f"{key}:file"):
        with mistakes.kept(key):
            st.session_state[key] = general_ranking(file.getvalue(), file.name)
