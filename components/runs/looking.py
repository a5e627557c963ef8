"""A look into the literature beside the page: a run like any other, polled, to be stopped, its
failure said.
"""

import streamlit as st

from components.runs import states
from components.shell import services
from components.shell.clicks import do_once
from components.shell.text import inline
from core.errors import BadInput
from core.records import Record, Run
from core.story import Story


def begin(
    key: str,
    method: str,
    inputs: Record,
    title: str,
    source: str,
    models: dict[str, str] | None = None,
) -> None:
    """Start a look-up and remember it under this key, or the one that the same click has just
    started; raises BadInput.
    """
    st.session_state[key] = do_once(
        f"{key}:begun",
        [method, inputs.model_dump(mode="json"), source],
        lambda: services.begin(method, inputs, title, source=source, models=models).id,
    )


def answer(key: str) -> Story | None:
    """Draw how the look-up under this key stands, unless it has answered: then return what it
    found.
    """
    if key not in st.session_state:
        return None
    try:
        run = services.store().runs.get(st.session_state[key])
    except BadInput:  # Deleted since.
        del st.session_state[key]
        return None
    if states.active(run):
        st.fragment(_wait, run_every=1)(run.id, key)
    elif run.state == "done":
        return Story.of(services.store(), run.id)
    else:
        _say(run, key)
    return None


def _wait(run_id: str, key: str) -> None:
    run = services.store().runs.get(run_id)
    if not states.active(run):
        st.rerun()
    notes = [part.note for part in services.store().steps.partials(run_id) if part.note]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            ":material/hourglass_top: Looking in the literature"
            + (f": {inline(notes[0], 120)}" if notes else " ..."),
            width="content",
        )
        st.button(
            "Stop looking",
            icon=":material/stop_circle:",
            key=f"{key}:stop",
            on_click=states.attempt,
            args=("stop", run_id),
        )


def _say(run: Run, key: str) -> None:
    failed = run.state == "failed"
    means = "The search failed, so there may still be results. " if failed else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        (st.error if failed else st.warning)(
            f"{means}{inline(run.reason, 600)}",
            icon=":material/error:" if failed else ":material/pause_circle:",
        )
        if run.state == "capped":
            st.page_link(
                "pages/runs.py",
                label="Raise its cap",
                icon=":material/savings:",
                query_params={"run": run.id},
            )
            return
        st.button(
            "Go on looking",
            icon=":material/play_circle:",
            key=f"{key}:again",
            on_click=states.attempt,
            args=("resume", run.id),
        )
