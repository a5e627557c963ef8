"""Starting an experiment: who plays, on which models, for what, on which targets; its size and
price stand beside the form as one chooses.
"""

from typing import Any, NamedTuple

import streamlit as st

from components.experiments import address
from components.experiments import goals as experiment_goals
from components.experiments import targets as experiment_targets
from components.experiments.goals import ChosenGoals
from components.experiments.targets import ChosenTargets
from components.experiments.words import ABOUT, SEARCHING, named, size
from components.runs import starting
from components.runs.asking import cap_usd, sampling
from components.runs.models import checklist_judge, judges, several
from components.shell import services
from components.shell.frame import told
from components.shell.text import inline
from core.errors import BadInput
from core.experiments.cells import SweepInputs
from core.experiments.contenders import EVOLVING
from core.literature import SOURCES, label
from core.records import Run, Stopping
from core.runs.beginning import can_be_filled, usual_cap
from core.runs.estimates import of_matrix
from core.runs.planning import validated

PAGE = "experiments"
MODEL = (
    "provider:model, such as ollama:llama3.1 or openai:gpt-4o-mini. Each model fills every role of"
    " a method."
)
NOBODY = (
    "Without a judge, ideas are written but not ranked, so there is no Q: the share of the other"
    " ideas that a judge puts before the published one. Judges can be added later, for the price of"
    " the rankings."
)


class ExperimentFormValues(NamedTuple):
    """Everything the form was told."""

    name: str
    methods: tuple[str, ...]
    models: tuple[str, ...]
    goals: ChosenGoals
    targets: ChosenTargets
    judges: tuple[str, ...]
    rules: dict[str, Any]
    frozen: dict[str, Any]
    """Caps and source."""

    @property
    def wrong(self) -> str:
        """What keeps the experiment from starting, as a sentence; empty where nothing does."""
        if not self.methods:
            return "Choose at least one method."
        if not self.models:
            return "Choose at least one model."
        return self.goals.wrong or self.targets.wrong

    @property
    def inputs(self) -> SweepInputs:
        """What the matrix spans; raises BadInput."""
        if self.wrong:
            raise BadInput(self.wrong)
        return validated(
            SweepInputs,
            topic=self.name.strip() or "Experiment",
            methods=self.methods,
            models=self.models,
            indicators=self.goals.chosen,
            targets=self.targets.targets,
            judges=self.judges,
            **self.rules,
        )


def draw(given: str) -> None:
    """Draw the form, and beside it what it would take; starting opens the experiment. `given` is
    the data set an address named.
    """
    left, right = st.columns([3, 2], gap="large")
    with right:
        ahead = st.container(border=True)
    with left, told():
        asked = _form(given)
        start = st.container()
        with start:
            go = st.button(
                "Start the experiment",
                type="primary",
                icon=":material/play_arrow:",
                key="experiments:go",
            )
        with ahead, told():
            _ahead(asked)
        if go:
            with start, told():
                run = _begin(asked)
                address.go_to(run.id)


def _form(given: str) -> ExperimentFormValues:
    name = starting.name("experiments:name")
    st.session_state.setdefault("experiments:methods", ["infal", "initial"])
    methods = tuple(
        st.multiselect(
            "Methods",
            list(ABOUT),
            key="experiments:methods",
            format_func=named,
            persist_state="session",
            select_all=False,
        )
    )
    for one in methods:
        st.caption(f"**{inline(named(one))}**: {inline(ABOUT[one], 300)}")
    models = several(
        "Models that write",
        "experiments:models",
        "generator",
        (services.workshop().chosen("generator"),),
        MODEL,
        12,
    )
    goals = experiment_goals.draw(PAGE, "Qualities, each with cells of its own")
    targets = experiment_targets.draw(given)
    ranking = judges(PAGE)
    st.caption(
        "Judges see the ideas shuffled and relabelled; who wrote them, and which is the published"
        " one, is hidden from them."
    )
    judging = {}
    if {*methods} & {*EVOLVING}:
        judging["checklist_judge"] = checklist_judge("experiments:checklist-judge")
    rules = {**_rules(), **judging}
    limits = _limits(methods)
    return ExperimentFormValues(name, methods, models, goals, targets, ranking, rules, limits)


def _rules() -> dict[str, Any]:
    with st.expander("Ideas, repeats and rounds"):
        one, two = st.columns(2)
        n = starting.number(
            one,
            "Ideas per cell",
            (SweepInputs, "n"),
            "experiments:n",
            help="The papers use 3.",
        )
        repeats = starting.number(
            two,
            "How often each ranking is asked",
            (SweepInputs, "repeats"),
            "experiments:repeats",
            help="Each time in another order; five give the interval of table 4.",
        )
        most = starting.number(
            one, "Rounds at most", (Stopping, "max_rounds"), "experiments:rounds"
        )
        patience = starting.number(
            two,
            "Stop after this many rounds in a row without improvement",
            (Stopping, "patience"),
            "experiments:patience",
            help="2 as in InfAL, section 3.2.3; 1 as its Algorithm 1 is printed.",
        )
        every = st.checkbox(
            "Rank the ideas of every round, not only the last (figure 3)",
            key="experiments:every",
            persist_state="session",
        )
        same = st.checkbox(
            "Bring all ideas into the same six fields first",
            True,
            key="experiments:same",
            persist_state="session",
            help="A judge could rank form instead of content.",
        )
        at_once = starting.number(
            st, "Cells worked on at once", (SweepInputs, "at_once"), "experiments:at-once"
        )
        area = (
            st.text_input(
                "Research area of targets without a category",
                key="experiments:area",
                persist_state="session",
                placeholder=SweepInputs.model_fields["area"].default,
                help="Actors and judges are told the category of the target, where it has one.",
            )
            or ""
        )
    return {
        "n": n,
        "repeats": repeats,
        "rules": Stopping(max_rounds=most, patience=patience),
        "every_round": every,
        "same_form": same,
        "at_once": at_once,
        **({"area": area.strip()} if area.strip() else {}),
    }


def _limits(methods: tuple[str, ...]) -> dict[str, Any]:
    with st.expander("Caps, sampling and source"):
        usd = cap_usd("experiments:usd", "Cap for all its runs together, $", step=1.0)
        tokens = st.number_input(
            "Cap for all its runs together, tokens",
            min_value=0,
            value=None,
            step=100_000,
            key="experiments:tokens",
            placeholder="twice what is estimated",
            persist_state="session",
        )
        samplings = sampling("experiments")
        searching = [named(name) for name in methods if name in SEARCHING]
        source = (
            st.selectbox(
                "Where methods look for papers",
                tuple(SOURCES),
                format_func=label,
                key="experiments:source",
                persist_state="session",
            )
            if searching
            else "shelf"
        )
        st.caption(
            f"Looked for by: {inline(', '.join(searching))}."
            if searching
            else "None of these methods looks for papers of its own."
        )
    return {
        "cap_usd": usd,
        "cap_tokens": tokens or None,
        "source": source,
        "samplings": samplings,
    }


def _ahead(asked: ExperimentFormValues) -> None:
    """Say before the start how large the matrix is, what it takes, and why it could not be
    filled.
    """
    st.markdown("**What this will be**")
    if asked.wrong:
        st.caption(asked.wrong)
        return
    inputs = asked.inputs
    st.markdown(size(inputs))
    if spoken := experiment_targets.spoken(inputs.targets):
        st.caption(f"Targets: {spoken}.")
    guess = of_matrix(inputs)
    cap = asked.frozen["cap_tokens"] or usual_cap(guess)
    starting.estimated(guess, cap, asked.frozen["cap_usd"])
    if not inputs.judges:
        st.info(NOBODY, icon=":material/balance:")
    with starting.warned():
        can_be_filled(services.workshop(), inputs)


def _begin(asked: ExperimentFormValues) -> Run:
    """Start the experiment, or return the one the same click has just started; raises BadInput."""
    inputs = asked.inputs

    def begin() -> Run:
        run = services.begin("sweep", inputs, inputs.topic, **asked.frozen)
        experiment_goals.keep(asked.goals)
        return run

    return starting.once("experiments", [inputs.model_dump(mode="json"), str(asked.frozen)], begin)
