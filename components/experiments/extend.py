"""Extending an experiment: failed cells tried again, or more methods, models, qualities, targets
and judges; only what is new is paid.
"""

import streamlit as st

from components.experiments import address
from components.experiments import goals as experiment_goals
from components.experiments.targets import datasets
from components.experiments.words import ABOUT, named, size
from components.runs.models import several
from components.runs.states import active
from components.shell import services
from components.shell.frame import told
from components.shell.text import counted, inline
from core.errors import BadInput
from core.experiments.cells import SweepInputs
from core.experiments.progress import ExperimentProgress
from core.records import Run
from core.runs.estimates import worded
from core.runs.extending import extend, new_in_matrix
from core.runs.planning import validated


def draw(run: Run, found: ExperimentProgress) -> None:
    """Draw what can be done about an experiment that rests."""
    if run.packed:
        st.caption("This experiment is a case study: it is read, and nothing is added to it.")
        return
    if active(run):
        return
    asked = run.inputs_as(SweepInputs)
    failed = [one for one in found.cells if one.state == "failed"]
    if failed:
        with st.container(border=True), told():
            st.markdown(
                f":red-badge[:material/error: {counted(len(failed), 'cell')} failed] What failed,"
                " and why:"
            )
            st.dataframe(
                [
                    {
                        "Method": named(one.cell.method),
                        "Model": one.cell.model,
                        "Quality": one.cell.indicator,
                        "Target": one.title,
                        "Why": one.reason,
                    }
                    for one in failed
                ],
                hide_index=True,
                key="extend:failed",
                height=min(35 * (len(failed) + 1) + 3, 260),
            )
            if st.button(
                "Try the failed ones again",
                icon=":material/refresh:",
                key="extend:again",
                help=(
                    "A new experiment that takes over everything that is there; only the failed"
                    " cells are asked for again."
                ),
            ):
                _open(run, asked)
    with (
        st.expander(
            "Add methods, models, qualities, targets or judges",
            icon=":material/add:",
            key="extend:more",
        ),
        told(),
    ):
        _more(run, asked, len(failed))


def _more(run: Run, asked: SweepInputs, failed: int) -> None:
    st.caption(
        "What is there is taken over free; only what is new is paid. The extension is an experiment"
        " of its own, with the caps of this one."
    )
    left, right = st.columns(2)
    with left:
        methods = tuple(
            st.multiselect(
                "More methods",
                [name for name in ABOUT if name not in asked.methods],
                key="extend:methods",
                format_func=named,
                select_all=False,
            )
        )
        models = several(
            "More models that write", "extend:models", "generator", (), "provider:model", 12
        )
    with right:
        judges = several(
            "More judges",
            "extend:judges",
            "judge",
            (),
            "They rank what is there, and what comes.",
            6,
        )
        targets = datasets("extend:datasets")
    with st.expander("More qualities", key="extend:qualities", type="compact"):
        st.session_state.setdefault("extend:goals", [])
        goals = experiment_goals.draw("extend", "Qualities to add")
    grown = {
        "methods": methods,
        "models": models,
        "judges": judges,
        "targets": targets,
        "indicators": goals.chosen,
    }
    grown = {
        name: tuple(dict.fromkeys((*getattr(asked, name), *more))) for name, more in grown.items()
    }
    if all(more == getattr(asked, name) for name, more in grown.items()):
        st.caption("Choose something to add.")
        return
    whole = validated(SweepInputs, **{**asked.model_dump(), **grown})
    st.markdown(size(whole))
    guess = worded(new_in_matrix(asked, whole, run.config.edition))
    again = ""
    if failed:
        again = f" {counted(failed, 'failed cell')} will be tried again too; that comes on top."
    st.caption(f"New: {inline(guess, 1_000)}{again}")
    if st.button("Extend the experiment", type="primary", icon=":material/add:", key="extend:go"):
        experiment_goals.keep(goals)
        _open(run, whole)


def _open(run: Run, inputs: SweepInputs) -> None:
    """Start the extension and go there; raises BadInput."""
    runner = services.runner()
    made = extend(runner, run.id, inputs)
    runner.start(made.id)
    for name in list(st.session_state):
        if str(name).startswith("extend:"):
            del st.session_state[name]
    address.go_to(made.id)


def extends(run: Run) -> None:
    """Draw the way to the experiment this one extends, and to those that extend it."""
    runs = services.store().runs
    with st.container(horizontal=True):
        if run.parent:
            try:
                st.page_link(
                    "pages/experiments.py",
                    label=(
                        f"Extends {inline(runs.get(run.parent).title, 60)} ({inline(run.parent)})"
                    ),
                    icon=":material/call_merge:",
                    query_params={"run": run.parent},
                )
            except BadInput:
                st.caption(
                    "Extends an experiment that was removed; what it took over from there is kept."
                )
        for one in runs.children(run.id)[:5]:
            st.page_link(
                "pages/experiments.py",
                label=f"Extended by {inline(one.id)} ({counted(one.steps, 'step')})",
                icon=":material/call_split:",
                query_params={"run": one.id},
            )
