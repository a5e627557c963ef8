"""Finished ratings from a file, analysed as a session's are; nothing of them is kept."""

from collections.abc import Sequence

import streamlit as st

from components.ideas.importing import UPLOADED
from components.sessions import columns, plots, stats
from components.sessions.columns import ColumnReading
from components.sessions.results import parts
from components.sessions.words import PAGE
from components.shell import mistakes, refusals
from components.shell.frame import told
from components.shell.text import counted, inline
from core.agreement.standing_in import EPSILON, Annotators
from core.errors import MappingNeeded
from core.importing.analysis import FileAnalysis, is_export
from core.importing.figuring import FileReading, figures
from core.importing.ratings import opened
from core.importing.sheets import RefusedRow, Sheet
from core.records import digest
from core.refusals import KEPT
from core.statistics.corrections import CORRECTIONS, CorrectionName
from core.tables.sheets import rows_as_csv

SHEET, FOUND, EXPORT = "study:file:sheet", "study:file:found", "study:file:export"


def draw() -> None:
    """Draw the choice of a file, how it is read, what was not taken, and every figure."""
    st.page_link(PAGE, label="All sessions", icon=":material/arrow_back:")
    st.markdown("##### Analyse ratings from a file")
    st.caption(
        "A CSV of ratings or reviews: one rating a row (idea, rater, criterion, score), a column"
        " for each criterion, or a column for each rater. Answers of a session, votes of an arena"
        " and judgments of a benchmark, as exported here, are known by their columns. Commas,"
        " semicolons or tabs. It is read and analysed here, and not kept."
    )
    sheet = _sheet()
    if sheet is None:
        return
    with told():
        key = f"study:file:{digest([sheet.name, sheet.columns, len(sheet.rows)])[:8]}"
        found = _exported(sheet, key)
        if found is None:
            asked = columns.draw(sheet, st.session_state[SHEET][0], key)
            if asked is None:
                return
            found = _analysed(sheet, asked, *_compared_by(asked, key))
        _report(found)
        _figures(found)


def _sheet() -> Sheet | None:
    """Draw the choice of a file and return its rows; one that was read stays until another is
    chosen, or it is removed.
    """
    file = st.file_uploader(
        "File of ratings", type=["csv", "tsv", "txt"], key="study:file", max_upload_size=UPLOADED
    )
    held: tuple[str, Sheet | None] | None = st.session_state.get(SHEET)
    if file is not None and (held is None or held[0] != file.file_id):
        read = None
        with mistakes.kept("study:file"):
            read = opened(file.name, file.getvalue())
        held = st.session_state[SHEET] = (file.file_id, read)
    mistakes.shown("study:file")
    if held is None or held[1] is None:
        return None
    sheet = held[1]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{inline(sheet.name, 100)}**: {inline(sheet.format)} · {inline(sheet.encoding)} ·"
            f" {counted(len(sheet.rows), 'row')}",
            width="content",
        )
        if file is None:
            st.button(
                "Remove the file",
                icon=":material/close:",
                type="tertiary",
                key="study:file-close",
                on_click=_close,
            )
    return sheet


def _close() -> None:
    for name in (SHEET, FOUND, EXPORT):
        st.session_state.pop(name, None)


def _exported(sheet: Sheet, key: str) -> FileAnalysis | None:
    """Return the figures of an export of ours, unless its columns are to be read in another way."""
    if st.session_state.get(f"{key}:own") is False:
        st.toggle("Read it as an export of this program", False, key=f"{key}:own")
        return None
    if not is_export(sheet):
        return None
    try:
        found = _made(EXPORT, sheet, FileReading())
    except MappingNeeded as error:
        st.info(inline(str(error), 600), icon=":material/help:")
        return None
    st.toggle("Read it as an export of this program", True, key=f"{key}:own")
    st.markdown(inline(found.read_as, 600))
    return found


def _compared_by(asked: ColumnReading, key: str) -> tuple[CorrectionName, Annotators]:
    """Draw how sources and judges are compared, where the file has them."""
    correction: CorrectionName = "Holm"
    annotators: Annotators = "experts"
    left, right = st.columns(2)
    if asked.layout.source:
        chosen = left.segmented_control(
            f"Correct p of sources ({inline(asked.layout.source, 60)}) by",
            list(CORRECTIONS),
            default="Holm",
            required=True,
            key=f"{key}:correction",
        )
        correction = "Bonferroni" if chosen == "Bonferroni" else "Holm"
    if asked.models:
        annotators = right.segmented_control(
            "The people who rated are",
            list(EPSILON),
            default="experts",
            required=True,
            key=f"{key}:annotators",
            format_func=lambda kind: f"{kind} (epsilon {EPSILON[kind]:g})",
            help=(
                "How much worse than they a model judge may be, for what it saves, in the test"
                " whether it may stand in for them."
            ),
        )
    return correction, annotators


def _analysed(
    sheet: Sheet, asked: ColumnReading, correction: CorrectionName, annotators: Annotators
) -> FileAnalysis:
    """Return the figures of a file that is read so; raises BadInput."""
    reading = FileReading(
        layout=asked.layout,
        models=asked.models,
        scale=asked.scale,
        correction=correction,
        annotators=annotators,
    )
    return _made(FOUND, sheet, reading)


def _made(name: str, sheet: Sheet, reading: FileReading) -> FileAnalysis:
    """Return the figures, made once for each file and each way to read it."""
    mark = digest([st.session_state[SHEET][0], reading.digest()])
    last: tuple[str, FileAnalysis] | None = st.session_state.get(name)
    if last is None or last[0] != mark:
        with st.spinner("Computing figures…"):
            last = st.session_state[name] = (mark, figures(sheet, reading))
    return last[1]


def _report(found: FileAnalysis) -> None:
    """Say what of the file was taken, and why the rest was not."""
    aside = f" {found.refused_count:,} refused." if found.refused else ""
    st.markdown(
        f"{':material/rule:' if found.refused else ':material/check_circle:'}"
        f" {inline(found.counts, 600)}{aside}"
    )
    if found.unused:
        st.caption(f"Columns that are not used: {inline(', '.join(found.unused), 600)}.")
    if not found.refused:
        return
    with st.expander(f"What was refused, and why ({found.refused_count:,})", expanded=True):
        refusals.draw(
            ({"Where": one.where, "What": one.title, "Why": one.reason} for one in found.refused),
            found.refused_count,
            "study:file:refused",
            "refused cells and rows",
            in_file=len(found.refused),
            reasons=found.refused_by_reason,
            column_config={"Why": st.column_config.TextColumn(width="large")},
        )
        st.download_button(
            f"The first {KEPT:,} (CSV)" if found.more_refused else "The whole report (CSV)",
            as_csv(found.refused),
            "ratings-report.csv",
            "text/csv",
            key="study:file:report",
            icon=":material/download:",
            on_click="ignore",
        )


def as_csv(refused: Sequence[RefusedRow]) -> str:
    """Return one row for each cell or row that was not taken: where it stands, what it is, and
    why.
    """
    rows = ((row.where, row.title, row.reason) for row in refused)
    return rows_as_csv([("where", "what", "why"), *rows])


def _figures(found: FileAnalysis) -> None:
    if found.warnings:
        with st.expander(
            f"Check before publishing a figure ({len(found.warnings)})", icon=":material/info:"
        ):
            st.markdown("\n".join(f"- {inline(one, 400)}" for one in found.warnings))
    if found.parts:
        parts(
            found.parts,
            "study:file",
            lambda name: plots.draw(found.series, name, "study:file"),
            found.contrasts,
        )
    stats.tables(found.tables, "study:file")
