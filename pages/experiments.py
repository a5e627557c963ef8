"""Experiments: methods, models, qualities and targets, tried together; and the data
sets they are tried on.
"""

import streamlit as st

from components.datasets import form as dataset_form
from components.datasets import view as dataset_view
from components.experiments import form as experiment_form
from components.experiments import view as experiment_view
from components.shell import gone
from components.shell.frame import followed, frame
from core.runs.catalogue import entry


def all_of_them(targets: str) -> None:
    """Draw the experiments there are, the form for a new one, and the data sets."""
    names = ["Experiments", "New experiment", "Data sets"]
    fresh = "New experiment" if targets else None
    there, new, data = st.tabs(
        names, key="section", bind="query-params", on_change="rerun", default=fresh
    )
    if there.open:
        with there:
            experiment_view.listed()
    if new.open:
        with new:
            experiment_form.draw(targets)
    if data.open:
        with data:
            with st.expander(
                "Build a data set", icon=":material/add:", key="datasets:building", expanded=True
            ):
                dataset_form.draw()
            dataset_view.listed()


with frame("pages/experiments.py"):
    asked, given = st.query_params.get("run", ""), st.query_params.get("targets", "")
    if asked:
        if followed():
            st.query_params["run"] = asked
        if run := gone.found(asked, "pages/experiments.py", "All experiments"):
            built = entry(run.config).view == "data set"
            (dataset_view if built else experiment_view).whole(run)
    else:
        # So does one away from a run: the address would go on naming the run that was left.
        moved = followed()
        if moved and given:
            st.query_params["targets"] = given
        elif moved and not st.query_params:
            st.query_params.clear()
        all_of_them(given)
