"""The data sets there are."""

import streamlit as st

from components.runs.states import badge
from components.shell import services
from components.shell.text import ago, inline, money
from core.records import usage

METHODS = ("target-dataset", "seed-dataset")


def draw() -> None:
    """Draw the data sets, newest first, or say what one is for."""
    runs = sorted(
        (
            run
            for method in METHODS
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
                if run.config.method == "target-dataset" and run.steps:
                    st.page_link(
                        "pages/experiments.py",
                        label="Use in an experiment",
                        icon=":material/science:",
                        query_params={"targets": run.id},
                    )
                st.markdown(badge(run), width="content")
            kind = "targets" if run.config.method == "target-dataset" else "questions"
            st.caption(
                f"{kind} · {usage.calls(run.calls, run.maybe_paid)} · {inline(money(run))} ·"
                f" {ago(run.created)}"
            )
