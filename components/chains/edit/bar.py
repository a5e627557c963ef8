"""What a change makes the run do again, what that costs, and making it."""

import streamlit as st

from components.runs.forks import cost
from components.shell import services
from components.shell.text import counted, inline
from core.records import Record, Run
from core.runs.forecast import Forecast, of_edit

PARTS = {
    "relevance": "relevance of papers",
    "choose-reference": "choice of references",
    "extract": "reading",
    "future": "direction",
    "novelty-queries": "novelty check",
    "novelty-verdict": "novelty check",
    "select": "choice between branches",
    "experiment-design": "experiment",
    "design-review": "experiment",
    "design-refine": "experiment",
}
"""What a prompt's step is called where a person reads of it; others are called by their own name.
"""
SHOWN = 9
"""Parts named; what comes behind them is the rest."""


def say(run: Run, at: str, put: Record) -> None:
    """Say what is asked again if `put` takes the place of the step `at`."""
    st.markdown(worded(of_edit(services.store(), run, at, put), run))


def button(run: Run, at: str, put: Record, key: str, said: str, first: bool = True) -> None:
    """Draw the button that makes the fork with `put` in place of the step `at`."""
    if st.button(
        said,
        icon=":material/call_split:",
        type="primary" if first else "secondary",
        key=f"{key}:make",
    ):
        make(run, at, put)


def make(run: Run, at: str, put: Record) -> None:
    """Make the fork, start it and go there; raises BadInput, and then nothing is lost."""
    made = services.runner().fork_edited(run.id, at, put)
    services.runner().start(made.id)
    st.query_params["run"] = made.id
    st.query_params.pop("paper", None)
    st.rerun()


def worded(plan: Forecast, run: Run) -> str:
    """Return what a fork takes in a sentence or two, as Markdown."""
    if not plan.calls:
        return (
            f":material/call_split: Nothing is asked again; all {counted(plan.kept, 'step')} come"
            " over free. The chain as it is now stays."
        )
    parts = list(
        dict.fromkeys(
            PARTS.get(name, name) for name in (key.rsplit("/", 1)[-1] for key in plan.redone)
        )
    )
    named = ", ".join(parts[:SHOWN]) + (" and more" if len(parts) > SHOWN else "")
    read = (
        f" {counted(plan.new, 'paper')} {'is' if plan.new == 1 else 'are'} read."
        if plan.new
        else ""
    )
    calls = f"about {counted(plan.calls, 'model call')}{f' ({inline(named)})' if named else ''}"
    return (
        f":material/call_split: Asked again: {calls}, {cost(plan, run)}, estimated from the last"
        f" run; it may take more.{read} {counted(plan.kept, 'step')}"
        f" {'comes' if plan.kept == 1 else 'come'} over free. The chain as it is now stays."
    )
