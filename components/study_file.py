"""Finished ratings from a file, analysed as a session's are; nothing of them is kept."""
import csv
import io
from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from components import mistakes, study_columns, study_plots, study_stats
from components.frame import told
from components.idea_import import UPLOADED
from components.opinions import harmless
from components.study_columns import Reading
from components.study_results import parts
from components.study_words import PAGE
from components.text import counted, inline
from core.agreement.sheet import AgreementSheet, agreement_sheet, headline
from core.entering.rating_columns import RatingSheet
from core.entering.ratings import Ratings, opened, taken
from core.entering.sheets import Refused
from core.records import digest
from core.studies.analysis import Part
from core.studies.series import Series, of_ratings

SHEET, FOUND = "study:file:sheet", "study:file:found"


class Analysed(NamedTuple):
    ratings: Ratings
    sheet: AgreementSheet
    series: Series


def draw() -> None:
    """Draw the choice of a file, how it is read, what was not taken, and every figure."""
    st.page_link(PAGE, label="All sessions", icon=":material/arrow_back:")
    st.markdown("##### Analyse ratings from a file")
    st.caption("A CSV with one rating a row (idea, rater, criterion, score), with a column for each criterion, or with a column for each rater. "
               "Commas, semicolons or tabs. It is read and analysed here, and not kept.")
    sheet = _sheet()
    if sheet is None:
        return
    with told():
        asked = study_columns.draw(sheet, f"study:file:{digest([sheet.name, sheet.columns, len(sheet.rows)])[:8]}")
        if asked is None:
            return
        found = _analysed(sheet, asked)
        _report(found.ratings)
        _figures(found)


def _sheet() -> RatingSheet | None:
    """Draw the choice of a file and return its rows; one that was read stays until another is chosen, or it is put away."""
    file = st.file_uploader("File of ratings", type=["csv", "tsv", "txt"], key="study:file", max_upload_size=UPLOADED)
    held: tuple[str, RatingSheet | None] | None = st.session_state.get(SHEET)
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
        st.markdown(f"**{inline(sheet.name, 100)}**: {inline(sheet.format)} · {inline(sheet.encoding)} · {counted(len(sheet.rows), 'row')}", width="content")
        if file is None:
            st.button("Put it away", icon=":material/close:", type="tertiary", key="study:file-close", on_click=_close)
    return sheet


def _close() -> None:
    for name in (SHEET, FOUND):
        st.session_state.pop(name, None)


def _analysed(sheet: RatingSheet, asked: Reading) -> Analysed:
    """Return the figures, made once for each file and each way to read it; raises BadInput."""
    mark = digest([st.session_state[SHEET][0], asked.layout.model_dump(mode="json"), asked.models, asked.scale])
    last = st.session_state.get(FOUND)
    if last is None or last[0] != mark:
        with st.spinner("Taking the figures ..."):
            ratings = taken(sheet, asked.layout, asked.models, asked.scale)
            made = agreement_sheet(ratings.by_criterion, ratings.models, ratings.repeats)
            last = st.session_state[FOUND] = (mark, Analysed(ratings, made, of_ratings(made.agreement, ratings.by_criterion)))
    found: Analysed = last[1]
    return found


def _report(ratings: Ratings) -> None:
    """Say what of the file was taken, and why the rest was not."""
    said = [f"{len(ratings.scores):,} scores taken"]
    said += [f"{counted(ratings.empty, 'empty cell')}"] if ratings.empty else []
    said += [f"{ratings.revised:,} revised later"] if ratings.revised else []
    said += [f"{len(ratings.repeats):,} asked again"] if ratings.repeats else []
    said += [f"{len(ratings.refused):,} refused"] if ratings.refused else []
    st.markdown(f"{':material/rule:' if ratings.refused else ':material/check_circle:'} {' · '.join(said)}")
    if not ratings.refused:
        return
    with st.expander(f"What was refused, and why ({len(ratings.refused)})", expanded=True):
        st.dataframe([{"Where": one.where, "What": one.title, "Why": one.reason} for one in ratings.refused[:500]], hide_index=True, key="study:file:refused",
                     column_config={"Why": st.column_config.TextColumn(width="large")})
        st.download_button("The whole report (CSV)", as_csv(ratings.refused), "ratings-report.csv", "text/csv", key="study:file:report",
                           icon=":material/download:", on_click="ignore")


def as_csv(refused: Sequence[Refused]) -> str:
    """Return one row for each cell or row that was not taken: where it stands, what it is, and why."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\r\n")
    lines.writerow(("where", "what", "why"))
    lines.writerows([harmless(cell) for cell in (one.where, one.title, one.reason)] for one in refused)
    return out.getvalue()


def _figures(found: Analysed) -> None:
    sheet = found.sheet
    st.caption(f"{counted(sheet.ideas, 'idea')}, {counted(len(sheet.experts), 'expert')}, {counted(len(sheet.models), 'model')}; {sheet.scores:,} scores from "
               f"{sheet.lowest:g} to {sheet.highest:g}.")
    again = (Part("", (sheet.repeats.same, sheet.repeats.difference, sheet.repeats.icc)),) if sheet.repeats else ()
    made = (*(Part(name, headline(one)) for name, one in sheet.agreement.criteria.items()), *again)
    parts(made, "study:file", lambda name: study_plots.draw(found.series, name, "study:file"))
    if sheet.warnings:
        with st.expander(f"To mind before a figure is printed ({len(sheet.warnings)})", icon=":material/info:"):
            st.markdown("\n".join(f"- {inline(one, 400)}" for one in sheet.warnings))
    study_stats.tables(sheet.tables, "study:file")
