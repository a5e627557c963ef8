"""Starting a checklist experiment: who writes, who gives directives, who scores, on which held-out
questions; its size and price stand beside the form as one chooses.
"""

from typing import Any, NamedTuple

import streamlit as st

from components.experiments import address
from components.runs import starting
from components.runs.asking import cap_usd, sampling
from components.runs.models import called, known_models, several
from components.shell import services
from components.shell.frame import told
from components.shell.text import ago, counted, inline
from core.errors import BadInput
from core.experiments.checklist import ChecklistExperimentInputs
from core.experiments.checklist.cells import Mode, conditions
from core.experiments.checklist.outcome import caveats, independence
from core.records import Run, TrainingData
from core.runs.beginning import can_be_evolved, usual_cap
from core.runs.estimates import of_checklist_experiment
from core.runs.planning import validated
from core.training.data import HELD_OUT, built_by, split

PAGE = "checklist-experiments"
WAYS: dict[Mode, str] = {
    "informed": "By directives of a judge",
    "uninformed": "By the model itself",
}
KEPT = 60
"""Data sets, and earlier experiments, that are looked through for questions."""


class ChosenQuestions(NamedTuple):
    data: str = ""
    """SHA-256 of the TrainingData."""
    answered: int = 0
    wrong: str = ""
    """What keeps an experiment from starting, as a sentence."""


class ChecklistExperimentFormValues(NamedTuple):
    """Everything the form was told."""

    name: str
    questions: ChosenQuestions
    generators: tuple[str, ...]
    modes: tuple[Mode, ...]
    providers: tuple[str, ...]
    scorer: str
    rules: dict[str, int]
    frozen: dict[str, Any]
    """Caps and sampling."""

    @property
    def wrong(self) -> str:
        """What keeps the experiment from starting, as a sentence; empty where nothing does."""
        if self.questions.wrong:
            return self.questions.wrong
        if not self.generators:
            return "Choose at least one model that writes."
        if not self.modes:
            return "Choose how ideas are revised."
        if "informed" in self.modes and not self.providers:
            return "Choose a model that gives directives, or have ideas revised by the model alone."
        return "" if self.scorer else "Choose the model that scores."

    @property
    def inputs(self) -> ChecklistExperimentInputs:
        """What the experiment spans; raises BadInput."""
        if self.wrong:
            raise BadInput(self.wrong)
        return validated(
            ChecklistExperimentInputs,
            topic=self.name.strip() or "Checklist experiment",
            data=self.questions.data,
            questions=self.questions.answered,
            generators=self.generators,
            modes=self.modes,
            providers=self.providers,
            scorer=self.scorer,
            **self.rules,
        )


def draw(given: str, writers: str) -> None:
    """Draw the form, and beside it what it would take; starting opens the experiment. `given` is
    the data an address named, `writers` the models, with commas between them.
    """
    left, right = st.columns([3, 2], gap="large")
    with right:
        ahead = st.container(border=True)
    with left, told():
        asked = _form(given, tuple(filter(None, writers.split(","))))
        start = st.container()
        with start:
            go = st.button(
                "Start the experiment",
                type="primary",
                icon=":material/play_arrow:",
                key=f"{PAGE}:go",
            )
        with ahead, told():
            _ahead(asked)
        if go:
            with start, told():
                run = _begin(asked)
                address.go_to(run.id)


def _form(given: str, writers: tuple[str, ...]) -> ChecklistExperimentFormValues:
    name = starting.name(f"{PAGE}:name")
    questions = _questions(given)
    main = services.workshop().chosen("generator")
    generators = several(
        "Models that write and revise",
        f"{PAGE}:generators",
        "generator",
        writers or (() if main == "builtin" else (main,)),
        "provider:model, or local:NAME for a policy that was trained here; take its base along to"
        " see what training changed.",
        8,
    )
    picked = st.segmented_control(
        "Ideas are revised",
        list(WAYS),
        default=list(WAYS),
        selection_mode="multi",
        format_func=WAYS.__getitem__,
        key=f"{PAGE}:modes",
        persist_state="session",
    )
    modes = tuple(mode for mode in WAYS if mode in picked)
    providers: tuple[str, ...] = ()
    if "informed" in modes:
        judge = services.workshop().chosen("judge")
        providers = several(
            "Models that give directives",
            f"{PAGE}:providers",
            "judge",
            () if judge == "builtin" else (judge,),
            "Each one's directives are followed separately (EvoIdeator, table 2). With the judge of"
            " a training alone it is table 1.",
            4,
        )
    scorer = _scorer()
    return ChecklistExperimentFormValues(
        name, questions, generators, modes, providers, scorer, _rules(), _limits()
    )


def _questions(given: str) -> ChosenQuestions:
    """Draw the choice of held-out questions; `given` is a run or a hash that an address named."""
    offered = _offered()
    if given and given not in offered:
        offered = {given: f"Data {given[:12]}", **offered}
    if not offered:
        return ChosenQuestions(
            wrong="Gather questions first: build a data set of research questions under “Data"
            " sets”."
        )
    key = f"{PAGE}:questions"
    if given and st.session_state.get(f"{key}:given") != given:
        st.session_state[f"{key}:given"] = st.session_state[key] = given
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    name = left.selectbox(
        "Questions",
        list(offered),
        format_func=offered.__getitem__,
        key=key,
        persist_state="session",
        help="Each has a literature review. Only those held out from training are answered.",
    )
    return _held_out(str(name), right)


def _offered() -> dict[str, str]:
    """Return what there is to choose from: data sets of questions by run, and by hash the data
    that earlier trainings and experiments used.
    """
    runs = services.store().runs
    found = {
        run.id: f"{run.title[:70]} ({ago(run.created)})"
        for run in runs.listed(method="seed-dataset", limit=KEPT)
    }
    for run in runs.listed(methods=("train", "checklist-experiment"), limit=KEPT):
        sha = str(run.config.inputs.get("data", ""))
        if sha and sha not in found:
            found[sha] = f"As in “{run.title[:60]}” ({ago(run.created)})"
    return found


def _held_out(name: str, place: Any) -> ChosenQuestions:
    """Draw how many questions are held out and answered, and return them; raises BadInput."""
    store = services.store()
    if len(name) < 64:
        queries = built_by(store, name)
        most = len(queries) - 1
        if most < 1:
            return ChosenQuestions(wrong="One question is too few: one is always left to train on.")
        held_out = place.number_input(
            "Held out",
            1,
            most,
            min(HELD_OUT, most),
            key=f"{PAGE}:held-out:{name}",
            persist_state="session",
            help="The paper holds out 96. The same number parts the data the same way, so give the"
            " one a training had.",
        )
        name = store.frozen.keep(split(queries, int(held_out)))
    there = len(store.frozen.get(name, TrainingData).held_out)
    if not there:
        return ChosenQuestions(name, 0, "These data hold out no question. Hold out some.")
    count = st.number_input(
        "Questions answered",
        1,
        there,
        there,
        key=f"{PAGE}:count:{name}",
        persist_state="session",
        help="The first so many of those held out.",
    )
    return ChosenQuestions(name, int(count))


def _scorer() -> str:
    key = f"{PAGE}:scorer"
    offered = list(dict.fromkeys([services.workshop().chosen("judge"), *known_models("judge")]))
    offered = [name for name in offered if name != "builtin"]
    said = st.session_state.get(key)
    picked = st.selectbox(
        "Model that scores",
        [*offered, *([said] if said and said not in offered else [])],
        index=None,
        key=key,
        format_func=called,
        accept_new_options=True,
        persist_state="session",
        placeholder="Pick one, or type provider:model",
        help="Choose another model than those that give directives or judged a training: else it"
        " may find what it asked for itself.",
    )
    return (picked or "").strip()


def _rules() -> dict[str, int]:
    with st.expander("Steps and pace"):
        one, two = st.columns(2)
        kind = ChecklistExperimentInputs
        steps = starting.number(
            one,
            "Ideas one after the other",
            (kind, "steps"),
            f"{PAGE}:steps",
            help="2 as in the paper: a first idea and one revision.",
        )
        at_once = starting.number(
            two, "Questions worked on at once", (kind, "at_once"), f"{PAGE}:at-once"
        )
    return {"steps": steps, "at_once": at_once}


def _limits() -> dict[str, Any]:
    with st.expander("Caps and sampling"):
        usd = cap_usd(f"{PAGE}:usd", "Cap for all its runs together, $", step=1.0)
        tokens = st.number_input(
            "Cap for all its runs together, tokens",
            min_value=0,
            value=None,
            step=100_000,
            key=f"{PAGE}:tokens",
            placeholder="twice what is estimated",
            persist_state="session",
        )
        samplings = sampling(PAGE, ("writer", "judge"))
    return {"cap_usd": usd, "cap_tokens": tokens or None, "samplings": samplings}


def _ahead(asked: ChecklistExperimentFormValues) -> None:
    """Say before the start how large it is, what it takes, and how far its scores can be
    trusted.
    """
    st.markdown("**What this will be**")
    if asked.wrong:
        st.caption(asked.wrong)
        return
    inputs, store = asked.inputs, services.store()
    ways = len(conditions(inputs)) // len(inputs.generators)
    cells = inputs.questions * len(conditions(inputs))
    st.markdown(
        f"{counted(inputs.questions, 'question')} × {counted(len(inputs.generators), 'model')} ×"
        f" {counted(ways, 'way')} of revising = **{counted(cells, 'cell')}**, all from the same"
        " first ideas"
    )
    guess = of_checklist_experiment(inputs)
    cap = asked.frozen["cap_tokens"] or usual_cap(guess)
    starting.estimated(guess, cap, asked.frozen["cap_usd"])
    if caveats(store, inputs):
        st.warning(inline(independence(store, inputs), 1_500), icon=":material/balance:")
    else:
        st.caption(inline(independence(store, inputs), 600))
    with starting.warned():
        can_be_evolved(services.workshop(), inputs)


def _begin(asked: ChecklistExperimentFormValues) -> Run:
    """Start the experiment, or return the one the same click has just started; raises BadInput."""
    inputs = asked.inputs

    def begin() -> Run:
        return services.begin("checklist-experiment", inputs, inputs.topic, **asked.frozen)

    return starting.once(PAGE, [inputs.model_dump(mode="json"), str(asked.frozen)], begin)
