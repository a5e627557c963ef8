"""The data sets there are."""

import streamlit as st

from components.runs.states import badge
from components.shell import services
from components.shell.text import ago, inline, money
from core.records import usage
from core.runs.catalogue import METHODS, entry

DATASETS = tuple(name for name, one in METHODS.items() if one.view == "data set")


def draw() -> None:
    """Draw the data sets, newest first, or say what one is for."""
    runs = sorted(
        (
            run
            for method in DATASETS
            for run in services.store().runs.listed(method=method, limit=20)
        ),
        key=lambda run: run.created,
        reverse=True,
    )
    if not runs:
        st.info(
            "No data set yet. Experiments need targets: published papers that methods compete"
            " with.",
            icon=":material/dataset:",
        )
    for run in runs:
        with st.container(border=True, gap="xsmall"):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.page_link(
                    "pages/experiments.py",
                    label=f"**{inline(run.title, 90)}**",
                    query_params={"run": run.id},
                )
                st.space("stretch")
                made = entry(run.config).makes
                if made == "targets" and run.steps:
                    st.page_link(
                        "pages/experiments.py",
                        label="Use in an experiment",
                        icon=":material/science:",
                        query_params={"targets": run.id},
                    )
                st.markdown(badge(run), width="content")
            st.caption(
                f"{made} · {usage.calls(run.calls, run.maybe_paid)} · {inline(money(run))} ·"
                f" {ago(run.created)}"
            )
