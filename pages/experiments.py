"""Experiments: methods, models, qualities and targets, tried together; models compared by the
checklist; and the data sets they are tried on.
"""

import streamlit as st

from components.datasets import form as dataset_form
from components.datasets import view as dataset_view
from components.experiments import novelty, real_papers, topics
from components.experiments import view as experiment_view
from components.experiments.checklist import view as checklist_view
from components.shell import gone
from components.shell.frame import followed, frame
from core.runs.catalogue import entry

# What an address may name for a new experiment; a docstring here would be drawn.
GIVEN = ("targets", "questions", "generators", "recipe")


VIEWS = {
    "data set": dataset_view.whole,
    "checklist": checklist_view.whole,
    "topics": topics.whole,
    "novelty": novelty.whole,
    "real papers": real_papers.whole,
}


def all_of_them(given: dict[str, str]) -> None:
    """Draw the experiments there are, the form for a new one, and the data sets."""
    names = ["Experiments", "New experiment", "Data sets"]
    fresh = "New experiment" if any(given.values()) else None
    there, new, data = st.tabs(
        names, key="section", bind="query-params", on_change="rerun", default=fresh
    )
    if there.open:
        with there:
            experiment_view.listed()
    if new.open:
        with new:
            experiment_view.draw_form(given)
    if data.open:
        with data:
            with st.expander(
                "Build a data set", icon=":material/add:", key="datasets:building", expanded=True
            ):
                dataset_form.draw()
            dataset_view.listed()


with frame("pages/experiments.py"):
    asked = st.query_params.get("run", "")
    given = {name: st.query_params.get(name, "") for name in GIVEN}
    if asked:
        if followed():
            st.query_params["run"] = asked
        if run := gone.found(asked, "pages/experiments.py", "All experiments"):
            VIEWS.get(entry(run.config).view, experiment_view.whole)(run)
    else:
        # So does one away from a run: the address would go on naming the run that was left.
        moved = followed()
        if moved and any(given.values()):
            for name, value in given.items():
                if value:
                    st.query_params[name] = value
        elif moved and not st.query_params:
            st.query_params.clear()
        all_of_them(given)
