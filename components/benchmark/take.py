"""A benchmark as files: the report with its tables and figures, with or without every answer, and
the run's own bundle.
"""

import tempfile
from pathlib import Path

import streamlit as st

from components.runs import export as run_export
from components.runs.states import active
from components.shell import services
from core.export.benchmark_report import paragraph
from core.export.benchmarks import zipped
from core.records import Run


def draw(run: Run) -> None:
    """Draw what can be taken along; files are made when they are asked for."""
    if active(run):
        st.info(
            "It is still going on: files hold what is there when they are made.",
            icon=":material/pending:",
        )
    name = run_export.named(run)
    st.caption(
        "The report says how far it is, what was found, what failed and why, and how it was held."
        " With it come every table as CSV and LaTeX, the figures, the frozen configuration, and a"
        " codebook. No file holds a key."
    )
    with st.container(horizontal=True):
        st.download_button(
            "Report, tables and figures (zip)",
            lambda: _zip(run, False),
            f"{name}.zip",
            "application/zip",
            key="bench:take:report",
            type="primary",
            icon=":material/folder_zip:",
            on_click="ignore",
        )
        st.download_button(
            "The same with every answer (zip)",
            lambda: _zip(run, True),
            f"{name}-answers.zip",
            "application/zip",
            key="bench:take:answers",
            icon=":material/folder_zip:",
            on_click="ignore",
            help=(
                "Every idea, every judgment with the judge's words, every comparison, and "
                "every call with its raw answer. Of a full sweep this takes minutes."
            ),
        )
    st.markdown("##### Methods, for a paper")
    st.code(paragraph(services.store(), run), language=None, wrap_lines=True)
    st.caption(
        "Numbers are filled in from what is stored. Check every sentence before you print it. The"
        " report says where the benchmark departs from the paper."
    )
    st.page_link(
        "pages/runs.py",
        label="What was frozen when it began",
        icon=":material/list_alt:",
        query_params={"run": run.id},
    )


def _zip(run: Run, answers: bool) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "benchmark.zip"
        zipped(services.store(), run.id, file, answers)
        return file.read_bytes()
