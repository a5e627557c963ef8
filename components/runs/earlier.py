"""The runs a page shows, newest first, each a link to its view."""

from collections.abc import Callable

import streamlit as st

from components.runs import naming
from components.runs.actors import played
from components.runs.states import PAGES, badge
from components.shell import services
from components.shell.text import ago, inline
from core.methods import RefineInputs
from core.methods.evolution import EvolveInputs
from core.records import Run
from core.runs.catalogue import METHODS, entry
from core.training.method import TrainInputs


def draw(method: str, heading: str, empty: str, note: Callable[[Run], str] | None = None) -> None:
    """Draw the runs of the page that shows this method, or say what to do when there is nothing to
    list; `note` says in Markdown what more a page knows of each of its runs.
    """
    st.subheader(heading)
    page = PAGES[method]
    elsewhere = tuple(name for name in METHODS if PAGES.get(name) != page)
    found = services.store().runs.listed(without=elsewhere, limit=8)
    if not found:
        st.info(empty)
    # A link is cut at its edge otherwise, without a sign that there is more.
    st.html("""<style>
        [class*=st-key-earlier-] a[data-testid=stPageLink-NavLink] :is(span, p) {
            white-space: normal; overflow-wrap: anywhere; }
    </style>""")
    for run in found:
        with st.container(border=True, gap="xsmall", key=f"earlier-{run.id}"):
            st.page_link(page, label=inline(run.title, 80), query_params={"run": run.id})
            if idea := naming.made(run):
                st.caption(f":material/lightbulb: {inline(idea, 80)}")
            if note and (said := note(run)):
                st.caption(said)
            other = f"{entry(run.config).label} · " if run.config.method != method else ""
            st.markdown(f"{badge(run)} :gray[{other}{detail(run)}{ago(run.created)}]")


def detail(run: Run) -> str:
    """Say what sets a run apart from others of the same title: the qualities it improves, how many
    ideas, the models that answer.
    """
    kind, details = entry(run.config).inputs, []
    if kind is RefineInputs:
        details += _refinement(run.inputs_as(RefineInputs))
    elif kind is EvolveInputs:
        evolution = run.inputs_as(EvolveInputs)
        details += [f"{evolution.lines} ideas"] if evolution.lines > 1 else []
        details += [] if evolution.informed else ["uninformed"]
        details += ["judged by a person"] if evolution.judged_by == "person" else []
    elif kind is TrainInputs:
        training = run.inputs_as(TrainInputs)
        details += [inline(training.base, 40)]
        details += [] if training.informed else ["uninformed"]
        details += ["judged by code"] if training.judged == "code" else []
    models = dict.fromkeys(run.config.models.values())
    details += [inline(name, 40) for name in models if name not in ("builtin", "")]
    return "".join(f"{text} · " for text in details)


def _refinement(inputs: RefineInputs) -> list[str]:
    """Say which qualities, which variant if not the usual one, and how many ideas if several."""
    details = [", ".join(inline(goal.name, 40) for goal in inputs.play.goals)]
    if inputs.play.printed or inputs.play.variant != "infal":
        details.append(played(inputs.play))
    if inputs.lines > 1 and inputs.only is None:
        details.append(f"{inputs.lines} ideas")
    return details
