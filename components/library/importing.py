"""Bringing papers in: what to import, how far it is, and what became of it."""

from collections.abc import Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

import streamlit as st

from components.shell import refusals
from components.shell.text import counted, inline
from core.literature import SOURCES
from core.literature.importing import ENDINGS, LARGEST
from core.literature.intake_jobs import ImportJob, Jobs
from core.refusals import KEPT
from core.store.own import ImportReport
from core.tables.sheets import rows_as_csv

ASKED = tuple(name for name in SOURCES if name.startswith(("semantic-scholar", "openalex")))
"""Where DOIs can be looked up."""


class LibraryImportWish(NamedTuple):
    """What somebody wants imported, and where DOIs are to be looked up."""

    files: tuple[tuple[str, bytes], ...]
    listed: str
    source: str

    @property
    def empty(self) -> bool:
        return not self.files and not self.listed.strip()


@cache
def jobs() -> Jobs:
    """Return this server's imports."""
    return Jobs()


def form(last: str = "") -> LibraryImportWish | None:
    """Draw what can be imported and return what is asked for, once the button is pressed; it is
    empty again once the import it asked for, the `last` one, has begun.
    """
    fresh = f":{last}" if last else ""
    # Were it to clear itself as it is sent, a second click would send it empty before the first one
    # was heard.
    with st.form("library:import"):
        files = st.file_uploader(
            "Files: BibTeX, RIS, CSV, lists of DOIs (.txt), PDFs",
            type=list(ENDINGS),
            accept_multiple_files=True,
            key=f"library:files{fresh}",
            max_upload_size=LARGEST // 1_000_000,
        )
        listed = st.text_area(
            "DOIs or arXiv ids, one per line",
            key=f"library:dois{fresh}",
            height=90,
            placeholder="10.1000/xyz123\narXiv:2401.00001",
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            source = st.selectbox(
                "Look DOIs up in",
                ASKED,
                format_func=lambda name: SOURCES[name].partition(":")[0],
                key="library:ask",
            )
            asked = st.form_submit_button(
                "Import", icon=":material/upload:", type="primary", key="library:go"
            )
    if not asked:
        return None
    return LibraryImportWish(tuple((file.name, file.getvalue()) for file in files), listed, source)


def progress(job: ImportJob) -> bool:
    """Draw how far an import is, and, once it is over, what became of it, and say whether somebody
    has seen enough of it.

    The page is drawn anew when it ends.
    """
    live = not job.over

    @st.fragment(run_every=1.0 if live else None)
    def drawn() -> None:
        if live and job.over:
            st.rerun()
        if live:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.progress(
                    len(job.reports) / job.total,
                    text=inline(
                        f"{len(job.reports)} of {counted(job.total, 'import')} done;"
                        f" {job.doing} ...",
                        200,
                    ),
                )
                st.button(
                    "Stop",
                    icon=":material/stop_circle:",
                    key=f"library:stop:{job.id}",
                    on_click=job.stop,
                )
        reports(job)

    with st.container(border=True):
        drawn()
        return not live and st.button(
            "Close", icon=":material/close:", type="tertiary", key=f"library:close:{job.id}"
        )


def reports(job: ImportJob) -> None:
    """Draw what became of the imports that are done: numbers, what was left out with where and why,
    and a file of it.
    """
    for report in job.reports:
        if report.failed:
            st.error(
                f"**{inline(report.name, 100)}**: {inline(report.failed, 1000)}",
                icon=":material/error:",
            )
        else:
            st.markdown(
                f":material/check: **{inline(report.name, 100)}** ({inline(report.format)}):"
                f" {_numbers(report)}"
            )
    if rows := table(job.reports):
        head = ("File", "What", "Where", "Title", "Why")
        refusals.draw(
            (dict(zip(head, row, strict=True)) for row in rows),
            sum(report.skipped_count + report.known_count for report in job.reports),
            f"library:left:{job.id}",
            "entries that were not added",
            in_file=len(rows),
        )
        st.download_button(
            "What was left out (CSV)",
            as_csv(rows),
            "import-report.csv",
            "text/csv",
            key=f"library:csv:{job.id}",
            icon=":material/download:",
            on_click="ignore",
        )


def _numbers(report: ImportReport) -> str:
    counts = (
        f"{counted(len(report.added), 'paper')} added, {report.known_count:,} known already,"
        f" {report.skipped_count:,} skipped"
    )
    if not report.attached:
        return counts
    text = f"text attached, {counted(report.attached.pages, 'page')}"
    return f"{counts}, {text}" if report.added or report.known or report.skipped else text


def table(done: Sequence[ImportReport]) -> list[tuple[str, ...]]:
    """Return one row an entry that was not added, of the first KEPT: file, skipped or known, where,
    title, why.
    """
    rows = (
        (report.name, what, one.where, one.title, one.reason)
        for report in done
        for what, entries in (("skipped", report.skipped), ("known", report.known))
        for one in entries
    )
    return list(islice(rows, KEPT))


def as_csv(rows: Sequence[tuple[str, ...]]) -> str:
    """Return the rows as CSV."""
    return rows_as_csv([("file", "what", "where", "title", "why"), *rows])
