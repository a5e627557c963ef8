"""Human validation of a benchmark's judges: a sample for experts, the session it is rated in, and
how judges compare.
"""

import streamlit as st

from components.benchmark import validation_results
from components.shell import mistakes, services
from components.shell.text import ago, counted, inline
from core.benchmark import BenchInputs
from core.benchmark.sampling import (
    FEWEST,
    MOST,
    PUBLISHED,
    By,
    handed,
    idea_at,
    rating_sheet,
    source,
)
from core.benchmark.validation import sessions
from core.importing.benchmarked import sampled, session_of
from core.records import Run, Study
from core.store.entries import Bunch
from core.studies import organising

BYS: dict[By, str] = {"score": "Thirds of the score", "model": "Models"}
STATES = {
    "draft": "draft: add experts there, then open it",
    "open": "open: experts are at work",
    "closed": "closed: open its key there",
}
EXPERTS = 6
"""Experts of the published validation."""


def draw(run: Run) -> None:
    """Draw samples, sessions, and the comparison; refuses with a reason where nothing was
    judged.
    """
    asked = BenchInputs.model_validate(run.config.inputs)
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
        " mean of the experts. The paper takes the mean of its whole panel: give the panel seats"
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
        rated = [key for one in held for key in handed(services.store(), run.id, one.name)]
        validation_results.draw(run, tuple(one for one in there if one.unblinded), rated)


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
    """Draw a sample into a collection of its own; a callback."""
    store = services.store()
    (n, by, seed, name) = (
        st.session_state[f"{key}:{part}"] for part in ("n", "by", "seed", "name")
    )
    with mistakes.kept("bench:sample"):
        st.session_state[f"{key}:said"] = sampled(store, run, n, by, seed, name or "").note


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
    """Make the draft of a session on a sample; a callback."""
    store = services.store()
    experts = int(st.session_state[f"{key}:experts"])
    panel = st.session_state[f"{key}:panel"]
    with mistakes.kept(key), store.connections.writing():
        study = session_of(store, collection, experts)
        for one in asked.judges if panel else ():
            organising.add_model(store, study.id, one.model)


def _sheet(run: Run, collection: str) -> str:
    words = [one.text for one in services.store().benchmarks.keywords(run.id)]
    return rating_sheet(
        run.id,
        [
            cell
            for key in handed(services.store(), run.id, collection)
            if (cell := idea_at(services.store(), run.id, key))
        ],
        words,
    )


def _session(study: Study) -> None:
    said = "closed, key open" if study.unblinded else STATES[study.state]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(
            "pages/sessions.py",
            label=f"Session “{inline(study.plan.name, 120)}”",
            icon=":material/groups:",
            query_params={"session": study.id},
        )
        st.markdown(f":gray-badge[{said}]", width="content")
