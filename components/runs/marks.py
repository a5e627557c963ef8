"""What a person may change about a run: its name, its tags, whether it is put away, whether it
stays.
"""

import streamlit as st

from components.runs.states import active, taken
from components.shell import mistakes, services
from components.shell.boxes import Box, fill, seen_by, show
from components.shell.text import counted, inline
from core.records import Run
from core.runs.catalogue import entry
from core.store.runs import Extent


def draw(run: Run) -> None:
    """Draw name and tags to change, and the ways to put the run away."""
    fill(_boxes(run))
    with st.form(f"runs:marks:{run.id}", border=False):
        name, tags, save = st.columns([4, 3, 1], vertical_alignment="bottom")
        name.text_input("Name", key=f"runs:name:{run.id}", max_chars=200, persist_state="session")
        tags.text_input(
            "Tags, separated by commas",
            key=f"runs:tags:{run.id}",
            persist_state="session",
        )
        save.form_submit_button("Save", icon=":material/check:", on_click=_save, args=(run.id,))
    with st.container(horizontal=True):
        st.button(
            "Take out of the archive" if run.archived else "Archive",
            icon=":material/archive:",
            key="runs:archive",
            on_click=services.store().runs.change,
            args=(run.id,),
            kwargs={"archived": not run.archived},
            help="An archived run is listed only where Archived is switched on.",
        )
        if st.button(
            "Delete",
            icon=":material/delete:",
            key="runs:delete",
            disabled=active(run),
            help="You are asked once more. An active run has to be stopped first.",
        ):
            _confirm(run)
    mistakes.shown(_wrong(run.id))


def _wrong(run_id: str) -> str:
    """Return where what went wrong with a run's marks is kept."""
    return f"runs:marks:{run_id}"


def _boxes(run: Run) -> dict[str, str]:
    return {f"runs:name:{run.id}": run.title, f"runs:tags:{run.id}": ", ".join(run.tags)}


def _save(run_id: str) -> None:
    """Save what was typed over a run's name and tags; a callback."""
    store, name, tags = services.store(), Box(f"runs:name:{run_id}"), Box(f"runs:tags:{run_id}")
    with mistakes.kept(_wrong(run_id)), seen_by(name):
        with store.connections.writing():
            run = store.runs.get(run_id)
            title = " ".join(name.over(run.title).split()) or run.title
            store.runs.change(run_id, title=title, tags=tags.tags_over(run.tags))
        show(_boxes(store.runs.get(run_id)))


@st.dialog("Delete this run?", icon=":material/delete:")
def _confirm(run: Run) -> None:
    seen = services.store().runs.extent(run)
    st.markdown(f"**{inline(run.title, 200)}**")
    cells = entry(run.config).cells
    parts = ", its ideas, judgments and comparisons" if cells else " with request and reply"
    others = f", with the {counted(seen.runs, 'run')} it started" if seen.runs else ""
    st.markdown(
        f"**What goes:** {taken(run)}{parts}, the record of {counted(run.calls, 'call')} and what"
        f" each cost, and what the run has to show{others}."
    )
    st.markdown(
        "**What stays:** ideas you saved from it, papers in the library, forks of it, and the"
        " month's total spend."
    )
    if run.sweep:
        votes = "its votes and " if run.config.method == "arena" else ""
        st.markdown(
            f"**What run {inline(run.sweep)} loses**, which started this one: {votes}what it took."
            " The texts it has noted stay."
        )
    st.markdown("This cannot be undone.")
    if st.button(
        "Delete for good",
        type="primary",
        key="runs:delete-for-good",
        on_click=_delete,
        args=(run.id, seen),
    ):
        st.rerun()


def _delete(run_id: str, seen: Extent) -> None:
    with mistakes.kept(_wrong(run_id)):
        services.runner().delete(run_id, seen)
        st.query_params.pop("run", None)
