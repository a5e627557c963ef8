"""What an experiment found: the papers' tables, figures and tests under one filter, as far as cells
are there; and all of it as files.
"""

import io
import json
import zipfile
from collections import defaultdict
from functools import partial
from typing import NamedTuple

import streamlit as st

from components.runs import export as run_export
from components.runs.states import active
from components.shell import services
from components.shell import table as experiment_table
from components.shell.colours import ink
from components.shell.plots import tool_bar
from components.shell.text import counted, inline
from core.experiments.figures import figures
from core.experiments.findings import Findings
from core.experiments.found import findings
from core.experiments.progress import CellProgress, progress
from core.experiments.published import beside
from core.experiments.results import Results, collect
from core.experiments.tables import tables
from core.records import Cell, Made, Run, Table
from core.tables.sheets import sheet

TESTS = "tests"
"""The table of paired tests, which has a view of its own."""


class ResultFilter(NamedTuple):
    """What of an experiment is looked at; None lets all through."""

    method: str | None = None
    model: str | None = None
    indicator: str | None = None
    judge: str | None = None
    category: str | None = None

    def lets(self, shown: CellProgress) -> bool:
        """Say whether a cell passes the filter; every judge ranks every cell, so no cell is left
        out by its judge.
        """
        cell = shown.cell
        return (
            self.method in (None, cell.method)
            and self.model in (None, cell.model)
            and self.indicator in (None, cell.indicator)
            and self.category in (None, shown.category)
        )


def found(run: Run, wanted: ResultFilter) -> tuple[Results, Findings]:
    """Return what is there so far, under a filter; raises BadInput."""
    methods, models, indicators, _, categories = (filter(None, (name,)) for name in wanted)
    results = collect(services.store(), run.id).only(
        methods=tuple(methods),
        models=tuple(models),
        indicators=tuple(indicators),
        judge=wanted.judge or "",
        categories=tuple(categories),
    )
    return results, findings(results, run.title)


def _partial(run: Run, results: Results) -> bool:
    """Say whether figures are of what is there so far; return whether there are any."""
    if results.unfinished:
        done = len({one.cell for one in results.made})
        st.info(
            f"Partial: {counted(done, 'cell')} of {len(results.planned)} so far. Every figure is of"
            " what is there, and will change."
            + (" It is looked at again every ten seconds." if active(run) else ""),
            icon=":material/pending:",
        )
    if not results.made:
        st.caption("Nothing is written yet. Results appear with the first cell.")
    return bool(results.made)


def draw_tables(run: Run, wanted: ResultFilter) -> None:
    """Draw the papers' tables but for the tests."""
    results, said = found(run, wanted)
    if _partial(run, results):
        _each([table for table in tables(said) if table.name != TESTS], said, f"results:{run.id}")
        if results.ranked:
            return
        if results.judges:
            st.caption("No rankings yet: Q appears with the first.")
        else:
            st.caption("No rankings: this experiment has no judge. Add one above.")


def draw_tests(run: Run, wanted: ResultFilter) -> None:
    """Draw the paired tests between methods."""
    results, said = found(run, wanted)
    if not _partial(run, results):
        return
    held = [table for table in tables(said) if table.name == TESTS]
    if not held:
        st.caption("A test needs two methods of one model that were ranked on the same targets.")
    _each(held, said, f"tests:{run.id}")


def _each(held: list[Table], said: Findings, key: str) -> None:
    """Draw tables, each with what InfAL published in its place."""
    known = beside(said)
    for table in held:
        experiment_table.draw(table, key)
        if table.name in known:
            with st.expander(
                "The same table of InfAL, as published",
                icon=":material/menu_book:",
                key=f"{key}:{table.name}:published",
            ):
                experiment_table.draw(known[table.name], key)


def draw_figures(run: Run, wanted: ResultFilter) -> None:
    """Draw every figure there are points for, each with its table."""
    results, said = found(run, wanted)
    if not _partial(run, results):
        return
    drawn = figures(results, said, ink())
    if not drawn:
        st.caption("Figures need at least one ranking, or one idea that went through rounds.")
    for one in drawn:
        st.markdown(f"##### {inline(one.title)}")
        key = f"figures:{run.id}:{one.name}"
        config = tool_bar(f"{run_export.named(run)}-{one.name}")
        st.plotly_chart(one.figure, key=key, config=config, theme=None)
        with st.expander("The same as a table", key=f"{key}:table"):
            rows = experiment_table.rows(one.table)
            st.dataframe(rows, hide_index=True, key=f"{key}:rows")
            st.download_button(
                "CSV",
                partial(sheet, one.table),
                f"{one.table.name}.csv",
                "text/csv",
                key=f"{key}:csv",
                icon=":material/download:",
                on_click="ignore",
            )


def draw_files(run: Run, wanted: ResultFilter) -> None:
    """Draw the export: every table, the cells with their ideas, and all in one file."""
    results, said = found(run, wanted)
    _partial(run, results)
    held, name = (*tables(said), *beside(said).values()), run_export.named(run)
    st.caption(
        "The zip holds every table as CSV, LaTeX and Markdown, InfAL's published ones with them,"
        " the tables behind the figures, and the cells with their ideas, Q and runs as JSON lines."
        " Figures are exported as SVG with the camera above each."
    )
    with st.container(horizontal=True):
        st.download_button(
            "Everything (zip)",
            lambda: zip_all(run, results, said),
            f"{name}.zip",
            "application/zip",
            key="files:zip",
            type="primary",
            icon=":material/folder_zip:",
            on_click="ignore",
        )
        st.download_button(
            "Cells with ideas (JSON lines)",
            lambda: cells(run, results),
            f"{name}-cells.jsonl",
            "application/jsonl",
            key="files:cells",
            icon=":material/data_object:",
            on_click="ignore",
        )
    for table in held:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(inline(table.title, 120), width="stretch")
            for label, ending, kind, make in experiment_table.FILES:
                st.download_button(
                    label,
                    partial(make, table),
                    f"{name}-{table.name}.{ending}",
                    kind,
                    key=f"files:{table.name}:{ending}",
                    icon=":material/download:",
                    on_click="ignore",
                    type="tertiary",
                )


def zip_all(run: Run, results: Results, said: Findings) -> bytes:
    """Return every table and every cell in one file."""
    drawn = [one.table for one in figures(results, said, ink())]
    published = beside(said).values()
    named = {table.name: table for table in (*tables(said), *published, *drawn)}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, table in named.items():
            for _, ending, _, make in experiment_table.FILES:
                file.writestr(f"{ending}/{name}.{ending}", make(table))
        file.writestr("cells.jsonl", cells(run, results))
    return out.getvalue()


def cells(run: Run, results: Results) -> str:
    """Return every cell as a line of JSON: what it is of, its state, its runs, its ideas, Q by
    judge.
    """
    made, planned, lines = {one.cell: one for one in results.made}, frozenset(results.planned), []
    q: defaultdict[Cell, dict[str, tuple[float, ...]]] = defaultdict(dict)
    for said in results.standings:
        q[said.cell][said.judge] = said.q
    for one in progress(services.store(), run).cells:
        if one.cell not in planned:
            continue
        nothing = Made(cell=one.cell, run="", state="failed")
        written = made.get(one.cell, nothing).model_dump(mode="json")
        fields = {
            **one.cell.model_dump(),
            **one.model_dump(include={"title", "category", "state", "reason"}),
            "runs": {piece.name: piece.run for piece in one.pieces},
            **{name: written[name] for name in ("ideas", "rounds", "converged")},
            "q": q[one.cell],
        }
        lines.append(json.dumps(fields, ensure_ascii=False))
    return "".join(f"{line}\n" for line in lines)
