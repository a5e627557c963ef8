"""Judges against experts: ratings from a session or a file, matched to their ideas, and every
figure of how they go together.
"""

from collections.abc import Callable, Sequence

import streamlit as st

from components.ideas.importing import UPLOADED
from components.sessions import columns as study_columns
from components.sessions import plots as study_plots
from components.sessions import stats as study_stats
from components.sessions.results import parts
from components.shell import services
from components.shell import table as experiment_table
from components.shell.frame import told
from components.shell.text import counted, inline
from core.agreement.sheet import headline
from core.benchmark.validation import (
    GivenRatings,
    Validated,
    of_file,
    of_session,
    summary,
    validated,
)
from core.importing.rating_columns import RatingSheet
from core.importing.ratings import opened, taken
from core.records import Run, Study, digest
from core.studies.analysis import CriterionStatistics
from core.studies.series import of_ratings

SESSION, FILE = "A session", "A file of ratings"
KEY = "bench:validation"


def draw(run: Run, studies: Sequence[Study], keys: Sequence[str]) -> None:
    """Draw the choice of ratings and what they say; `keys` are the ideas that were handed over."""
    way = st.segmented_control(
        "Ratings from", (SESSION, FILE), default=SESSION, required=True, key=f"{KEY}:way"
    )
    with told():
        found = _of_session(run, studies) if way == SESSION else _of_file(run, keys)
        if found is not None:
            _figures(run, *found)


def _of_session(run: Run, studies: Sequence[Study]) -> tuple[Validated, str] | None:
    if not studies:
        st.info(
            "No session on this sample is closed and has its key open yet. Sources stay hidden"
            " while answers may come; then its ratings are matched here.",
            icon=":material/hourglass_empty:",
        )
        return None
    names = {one.id: one.plan.name for one in studies}
    chosen = st.selectbox(
        "Session", list(names), format_func=names.__getitem__, key=f"{KEY}:session"
    )
    mark = digest(
        [
            run.id,
            chosen,
            services.store().study_work.filed(chosen),
            services.store().studies.get(chosen).unblinded,
        ]
    )
    return _made(run, mark, lambda: of_session(services.store(), chosen, run.id)), mark


def _of_file(run: Run, keys: Sequence[str]) -> tuple[Validated, str] | None:
    file = st.file_uploader(
        "Rating sheets, filled in (one CSV)",
        ["csv", "tsv", "txt"],
        key=f"{KEY}:file",
        max_upload_size=UPLOADED,
    )
    if file is None:
        st.caption(
            "One row for each idea and rater, as the rating sheet has it. It is read and analysed"
            " here, and not kept."
        )
        return None
    sheet = opened(file.name, file.getvalue())
    asked = study_columns.draw(
        sheet, f"{KEY}:file:{digest([sheet.name, sheet.columns, len(sheet.rows)])[:8]}"
    )
    if asked is None:
        return None
    mark = digest(
        [
            run.id,
            file.file_id,
            asked.layout.model_dump(mode="json"),
            asked.models,
            asked.scale,
            list(keys),
        ]
    )
    return _made(run, mark, lambda: _read(run, sheet, asked, keys)), mark


def _read(
    run: Run, sheet: RatingSheet, asked: study_columns.ColumnReading, keys: Sequence[str]
) -> GivenRatings:
    ratings = taken(sheet, asked.layout, asked.models, asked.scale)
    found = of_file(ratings.by_rater, ratings.models, run.id, keys)
    refused = tuple(f"{one.where}: {one.reason}" for one in ratings.refused[:20])
    return found._replace(left_out=(*refused, *found.left_out))


def _made(run: Run, mark: str, read: Callable[[], GivenRatings]) -> Validated:
    """Return the figures, made once for each set of ratings; raises BadInput."""
    last = st.session_state.get(f"{KEY}:found")
    if last is None or last[0] != mark:
        with st.spinner("Taking the figures ..."):
            last = st.session_state[f"{KEY}:found"] = (
                mark,
                validated(services.store(), run.id, read()),
            )
    found: Validated = last[1]
    return found


def _figures(run: Run, found: Validated, mark: str) -> None:
    sheet = found.sheet
    st.caption(
        f"{counted(sheet.ideas, 'idea')}, {counted(len(sheet.experts), 'expert')}, {sheet.scores:,}"
        " scores, judges' means among them."
    )
    for note in found.notes:
        st.markdown(f":material/info: {inline(note, 400)}")
    key = f"{KEY}:{run.id}:{mark[:8]}"
    experiment_table.draw(summary(found), key)
    series = of_ratings(sheet.agreement, found.ratings)
    parts(
        tuple(
            CriterionStatistics(name, headline(one))
            for name, one in sheet.agreement.criteria.items()
        ),
        key,
        lambda name: study_plots.draw(series, name, key),
    )
    if sheet.warnings:
        with st.expander(
            f"To mind before a figure is printed ({len(sheet.warnings)})", icon=":material/info:"
        ):
            st.markdown("\n".join(f"- {inline(one, 400)}" for one in sheet.warnings))
    study_stats.tables(sheet.tables, key)
