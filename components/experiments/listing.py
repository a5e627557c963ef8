"""The experiments there are, each with its state, its cells and its cost."""

import streamlit as st

from components.experiments import words
from components.runs.states import badge
from components.shell import services
from components.shell.paging import ROWS, skipped
from components.shell.text import ago, inline, money
from core.errors import FoundryError
from core.experiments.progress import progress
from core.records import Run, usage


def draw(method: str = "sweep") -> None:
    """Draw the experiments, newest first, or say what to do where there is none."""
    runs = services.store().runs
    total = runs.count(method=method)
    if not total:
        st.info(
            "No experiment yet. Gather targets under “Data sets”, or paste the abstract of a paper;"
            " then choose methods and models under “New experiment”.",
            icon=":material/science:",
        )
        return
    rows = st.container()
    found = runs.listed(method=method, limit=ROWS, skip=skipped(total, "experiments:page"))
    with rows:
        for run in found:
            _row(run)


def _row(run: Run) -> None:
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.page_link(
                "pages/experiments.py",
                label=f"**{inline(run.title, 100)}**",
                query_params={"run": run.id},
            )
            st.space("stretch")
            st.markdown(badge(run), width="content")
        whole = words.summed(services.store(), run)
        extends = f" · extends {inline(run.parent)}" if run.parent else ""
        st.markdown(
            f"{_cells(run)} :gray[{usage.calls(whole.calls, whole.maybe_paid)} ·"
            f" {inline(money(whole))} · {ago(run.created)}{extends}]"
        )


def _cells(run: Run) -> str:
    try:
        return words.badges(progress(services.store(), run).counts)
    except (FoundryError, ValueError):  # An experiment of an earlier version stays in the list.
        return ":gray-badge[cells of an earlier version]"
