"""Human validation of a benchmark's judges: a sample for experts, the session it is rated in, and
how judges compare.
"""

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from components.ideas.importing import UPLOADED
from components.sessions import columns as study_columns
from components.sessions import plots as study_plots
from components.sessions import stats as study_stats
from components.sessions.results import parts
from components.shell import mistakes, services
from components.shell import table as experiment_table
from components.shell.clicks import do_once
from components.shell.frame import told
from components.shell.text import ago, counted, inline
from core.agreement.sheet import headline
from core.benchmark import BenchInputs
from core.benchmark.sampling import (
    FEWEST,
    MOST,
    PUBLISHED,
    By,
    idea_at,
    keys_handed,
    rating_sheet,
    source,
)
from core.benchmark.validation import (
    GivenRatings,
    Validated,
    compare_judges,
    of_file,
    of_session,
    sessions,
    summary,
)
from core.beside import EndedEarly
from core.errors import BadInput
from core.importing.benchmarked import draw_sample, session_of
from core.importing.ratings import opened
from core.importing.sheets import Sheet
from core.records import Run, Study, digest
from core.store.entries import Bunch
from core.studies.analysis import CriterionStatistics
from core.studies.series import of_ratings

BYS: dict[By, str] = {"score": "Thirds of the score", "model": "Models"}
STATES = {
    "draft": "draft: add experts there, then open it",
    "open": "open: experts are at work",
    "closed": "closed: reveal its sources there",
}
EXPERTS = 6
"""Experts of the published validation."""


def draw(run: Run) -> None:
    """Draw samples, sessions, and the comparison; refuses with a reason where nothing was
    judged.
    """
    asked = run.inputs_as(BenchInputs)
    _, judged = services.store().benchmarks.sums.accepted(run.id)
    if not asked.judges:
        st.info(
            "This benchmark has no judges, so there is nothing to hold against experts.",
            icon=":material/balance:",
        )
        return
    st.caption(
        "Do the judges see what experts see? Experts rate a sample of ideas blind; then the mean"
        f" of the {counted(asked.judges_each, 'judge')} drawn for each idea is held against the"
        " mean of the experts. The paper uses the mean of its whole panel: give the panel seats"
        " in the session to have that beside."
    )
    st.markdown("##### 1. Draw a sample")
    if judged < FEWEST:
        st.info(
            f"{counted(judged, 'idea')} of this benchmark {'is' if judged == 1 else 'are'} judged"
            f" so far; a sample needs {FEWEST}.",
            icon=":material/hourglass_empty:",
        )
    else:
        _sample(run, judged)
    held = services.store().entries.holding(source(run.id, ""))
    if held:
        st.markdown("##### 2. Have experts rate it")
        for one in held:
            _handed(run, asked, one)
    there = sessions(services.store(), run.id)
    for study in there:
        _session(study)
    if held:
        st.markdown("##### 3. Compare")
        rated = [key for one in held for key in keys_handed(services.store(), run.id, one.name)]
        _compare(run, tuple(one for one in there if one.unblinded), rated)


# -- the sample --------------------------------------------------------------------------------


def _sample(run: Run, judged: int) -> None:
    key, most = f"bench:sample:{run.id}", min(judged, MOST)
    n, by, seed = st.columns([2, 3, 2])
    n.number_input(
        f"Ideas ({FEWEST} to {most})",
        FEWEST,
        most,
        min(PUBLISHED, most),
        key=f"{key}:n",
        help="The published validation took 22. Every expert reads all.",
    )
    by.segmented_control(
        "Drawn evenly over",
        list(BYS),
        default="score",
        required=True,
        key=f"{key}:by",
        format_func=BYS.__getitem__,
    )
    seed.number_input(
        "Seed", 0, 2**31 - 1, 1, key=f"{key}:seed", help="The same seed draws the same ideas."
    )
    st.text_input(
        "Collection it is put into",
        key=f"{key}:name",
        max_chars=200,
        placeholder="Named by what is drawn",
    )
    st.button("Draw it", icon=":material/casino:", key=f"{key}:go", on_click=_draw, args=(run, key))
    mistakes.shown("bench:sample")
    if said := st.session_state.get(f"{key}:said"):
        st.caption(inline(said))


def _draw(run: Run, key: str) -> None:
    """Draw a sample into a collection of its own, once however often it was pressed; a callback."""
    store = services.store()
    (n, by, seed, name) = (
        st.session_state[f"{key}:{part}"] for part in ("n", "by", "seed", "name")
    )
    with mistakes.kept("bench:sample"):
        st.session_state[f"{key}:said"] = do_once(
            f"{key}:once",
            [n, by, seed, name],
            lambda: draw_sample(store, run, n, by, seed, name or "").note,
        )


def _handed(run: Run, asked: BenchInputs, one: Bunch) -> None:
    """Draw a sample and what can be done with it."""
    key = f"bench:sample:{run.id}:{one.name}"
    with st.container(border=True, gap="small"):
        st.markdown(
            f"**{inline(one.name, 200)}** :gray[{counted(one.entries, 'idea')} by"
            f" {counted(one.methods, 'model')}, drawn {ago(one.at)}]"
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.number_input(
                "Experts for each idea", 1, 50, EXPERTS, key=f"{key}:experts", width=170
            )
            st.checkbox(
                f"Seats for the whole panel ({len(asked.judges)})",
                key=f"{key}:panel",
                help=(
                    "Every judge of the panel gets a seat in the session and reads the whole"
                    " sample, in the session's words. Their mean, an idea's own model left out,"
                    " then stands beside. Nothing is asked before the session is open and you"
                    " say so."
                ),
            )
            st.button(
                "Set up a session",
                icon=":material/groups:",
                key=f"{key}:session",
                on_click=_set_up,
                args=(one.name, asked, key),
            )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.download_button(
                "Rating sheet (CSV)",
                lambda: _sheet(run, one.name),
                f"{run.id}-rating-sheet.csv",
                "text/csv",
                key=f"{key}:sheet",
                icon=":material/download:",
                on_click="ignore",
                type="tertiary",
                help=(
                    "For experts without this program: blind names and texts, with empty columns"
                    " for scores. Bring the filled-in sheets back below, in one file."
                ),
            )
            st.page_link(
                "pages/sessions.py",
                label="Set it up by hand",
                icon=":material/edit_note:",
                query_params={"view": "new", "collection": one.name},
            )
        mistakes.shown(key)


def _set_up(collection: str, asked: BenchInputs, key: str) -> None:
    """Make the draft of a session on a sample, once however often it was pressed; a callback."""
    experts = int(st.session_state[f"{key}:experts"])
    panel = st.session_state[f"{key}:panel"]
    models = tuple(dict.fromkeys(one.model for one in asked.judges if panel))
    with mistakes.kept(key):
        do_once(
            f"{key}:session:once",
            [collection, experts, models],
            lambda: session_of(services.store(), collection, experts, models).id,
        )


def _sheet(run: Run, collection: str) -> str:
    words = [one.text for one in services.store().benchmarks.keywords(run.id)]
    return rating_sheet(
        run.id,
        [
            cell
            for key in keys_handed(services.store(), run.id, collection)
            if (cell := idea_at(services.store(), run.id, key))
        ],
        words,
    )


def _session(study: Study) -> None:
    said = "closed, sources revealed" if study.unblinded else STATES[study.state]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(
            "pages/sessions.py",
            label=f"Session “{inline(study.plan.name, 120)}”",
            icon=":material/groups:",
            query_params={"session": study.id},
        )
        st.markdown(f":gray-badge[{said}]", width="content")


# -- judges against experts -----------------------------------------------------------------------

SESSION, FILE = "A session", "A file of ratings"
FOUND_KEY = "bench:validation"
SHEET = f"{FOUND_KEY}:sheet"


def _compare(run: Run, studies: Sequence[Study], keys: Sequence[str]) -> None:
    """Draw the choice of ratings and what they say; `keys` are the ideas that were handed over."""
    way = st.segmented_control(
        "Ratings from", (SESSION, FILE), default=SESSION, required=True, key=f"{FOUND_KEY}:way"
    )
    if way == SESSION:
        st.session_state.pop(SHEET, None)  # Its file went with the box.
    with told():
        found = _of_session(run, studies) if way == SESSION else _of_file(run, keys)
        if found is not None:
            _figures(run, *found)


def _of_session(run: Run, studies: Sequence[Study]) -> tuple[Validated, str] | None:
    if not studies:
        st.info(
            "No session on this sample is closed and has its sources revealed yet. Sources stay"
            " hidden while answers may come; then its ratings are matched here.",
            icon=":material/hourglass_empty:",
        )
        return None
    names = {one.id: one.plan.name for one in studies}
    chosen = st.selectbox(
        "Session", list(names), format_func=names.__getitem__, key=f"{FOUND_KEY}:session"
    )
    mark = digest(
        [
            run.id,
            chosen,
            services.store().study_work.filed(chosen),
            services.store().studies.get(chosen).unblinded,
            _judged(run),
        ]
    )
    return _compare_once(run, mark, lambda: of_session(services.store(), chosen, run.id)), mark


def _of_file(run: Run, keys: Sequence[str]) -> tuple[Validated, str] | None:
    file = st.file_uploader(
        "Rating sheets, filled in (one CSV)",
        ["csv", "tsv", "txt"],
        key=f"{FOUND_KEY}:file",
        max_upload_size=UPLOADED,
    )
    if file is None:
        st.session_state.pop(SHEET, None)
        st.caption(
            "One row for each idea and rater, as the rating sheet has it. It is read and analysed"
            " here, and not kept."
        )
        return None
    sheet = _opened(file)
    key = f"{FOUND_KEY}:file:{digest([sheet.name, sheet.columns, len(sheet.rows)])[:8]}"
    asked = study_columns.draw(sheet, file.file_id, key)
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
            _judged(run),
        ]
    )

    def read() -> GivenRatings:
        ratings = asked.ratings()
        found = of_file(ratings.by_rater, frozenset(asked.models), run.id, keys)
        refused = tuple(f"{one.where}: {one.reason}" for one in ratings.refused[:20])
        return found._replace(left_out=(*refused, *found.left_out))

    return _compare_once(run, mark, read), mark


def _opened(file: UploadedFile) -> Sheet:
    """Return the rows of a file, read once for each that is chosen; raises BadInput."""
    held: tuple[str, Sheet | str] | None = st.session_state.get(SHEET)
    if held is None or held[0] != file.file_id:
        sheet: Sheet | str
        try:
            sheet = opened(file.name, file.getvalue())
        except BadInput as error:
            sheet = str(error)
        held = st.session_state[SHEET] = (file.file_id, sheet)
    if isinstance(held[1], str):
        raise BadInput(held[1])
    return held[1]


def _judged(run: Run) -> str:
    """Return what changes as judgments come; while they come, figures stay as they are."""
    return services.store().benchmarks.sums.stamp(run.id) if run.state != "running" else ""


def _compare_once(run: Run, mark: str, read: Callable[[], GivenRatings]) -> Validated:
    """Return the figures, made once for each set of ratings; raises BadInput."""
    last = st.session_state.get(f"{FOUND_KEY}:found")
    if last is None or last[0] != mark:
        with st.spinner("Computing figures…"):
            last = st.session_state[f"{FOUND_KEY}:found"] = mark, _found(run, read)
    found: Validated | str = last[1]
    if isinstance(found, str):
        raise BadInput(found)
    return found


def _found(run: Run, read: Callable[[], GivenRatings]) -> Validated | str:
    """Return the figures, or why there are none: what took too long would again."""
    try:
        return compare_judges(services.store(), run.id, read())
    except BadInput as error:
        return str(error)
    except EndedEarly as error:
        if not error.would_again:
            raise
        return str(error)


def _figures(run: Run, found: Validated, mark: str) -> None:
    sheet = found.sheet
    st.caption(
        f"{counted(sheet.ideas, 'idea')}, {counted(len(sheet.experts), 'expert')}, {sheet.scores:,}"
        " scores, judges' means among them."
    )
    for note in found.notes:
        st.markdown(f":material/info: {inline(note, 400)}")
    key = f"{FOUND_KEY}:{run.id}:{mark[:8]}"
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
            f"Check before publishing a figure ({len(sheet.warnings)})", icon=":material/info:"
        ):
            st.markdown("\n".join(f"- {inline(one, 400)}" for one in sheet.warnings))
    study_stats.tables(sheet.tables, key)
