"""What a person may change about a run: its name, its tags, whether it is put away, whether it
stays.
"""

import streamlit as st

from components.runs.states import active, taken
from components.shell import services
from components.shell.text import counted, inline
from core.errors import BadInput
from core.records import Run
from core.runs.catalogue import entry


def draw(run: Run) -> None:
    """Draw name and tags to change, and the ways to put the run away."""
    with st.form(f"runs:marks:{run.id}", border=False):
        name, tags, save = st.columns([4, 3, 1], vertical_alignment="bottom")
        title = name.text_input(
            "Name", run.title, key=f"runs:name:{run.id}", max_chars=200, persist_state="session"
        )
        said = tags.text_input(
            "Tags, separated by commas",
            ", ".join(run.tags),
            key=f"runs:tags:{run.id}",
            persist_state="session",
        )
        if save.form_submit_button("Save", icon=":material/check:"):
            services.store().runs.change(
                run.id, title=" ".join(title.split()) or run.title, tags=split(said)
            )
            st.rerun()
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


def split(tags: str) -> tuple[str, ...]:
    """Return tags typed with commas between, each once, in the order typed."""
    return tuple(dict.fromkeys(tag.strip()[:40] for tag in tags.split(",") if tag.strip()))


@st.dialog("Delete this run?", icon=":material/delete:")
def _confirm(run: Run) -> None:
    made = int(services.store().runs.spent(run.id)["runs"])
    st.markdown(f"**{inline(run.title, 200)}**")
    cells = entry(run.config).cells
    parts = ", its ideas, judgments and comparisons" if cells else " with request and reply"
    others = f", with the {counted(made, 'run')} it started" if made else ""
    st.markdown(
        f"**What goes:** {taken(run)}{parts}, the record of {counted(run.calls, 'call')} and what"
        f" each cost, and what the run has to show{others}."
    )
    st.markdown(
        "**What stays:** ideas you saved from it, papers in the library, forks of it, and the"
        " month's total spend."
    )
    st.markdown("This cannot be undone.")
    if st.button(
        "Delete for good",
        type="primary",
        key="runs:delete-for-good",
        on_click=_delete,
        args=(run.id,),
    ):
        st.rerun()


def _delete(run_id: str) -> None:
    try:
        services.runner().delete(run_id)
        st.query_params.pop("run", None)
    except BadInput as error:
        st.toast(inline(str(error)), icon=":material/info:")
