"""Beginning a training: what it learns from, which model, who judges, how it learns; what it takes,
said before the start.
"""

from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from components.runs import earlier, starting
from components.runs.asking import cap_usd
from components.runs.models import called, judging
from components.shell import services
from components.shell.frame import told
from components.shell.text import inline
from components.training import data, learning
from components.training.data import ChosenData
from core.errors import BadInput, FoundryError
from core.records import Run
from core.runs.beginning import usual_cap
from core.runs.estimates import Estimate, estimate
from core.runs.planning import validated
from core.runs.training_time import foresee, in_words
from core.training import bases
from core.training.evolving import Judged, Reward
from core.training.learning import Learning, require_packages
from core.training.method import TrainInputs

INSTALL = ".venv/bin/pip install -r requirements-train.txt"
DOWNLOAD = "hf download Qwen/Qwen3-4B"
JUDGED: dict[Judged, str] = {
    "model": "A language model, all nine items",
    "code": "Code alone, Layout and Length (free)",
}
INFORMED = {
    True: "By the judge's directives (informed)",
    False: "Without directives (uninformed)",
}
REWARDS: dict[Reward, str] = {
    "lexicographic": "Lexicographic: primary items first",
    "sum": "Sum: how many items hold",
}


class TrainingForm(NamedTuple):
    """Everything the form was told."""

    name: str
    data: ChosenData
    base: str
    way: dict[str, Any]
    """Who judges, how drafts are revised, and the reward."""
    judge: str
    """Empty where code alone judges."""
    how: Learning
    caps: dict[str, Any]

    def inputs(self, digest: str) -> TrainInputs:
        """Return what the run is asked for, of a base with this digest; raises BadInput."""
        if self.data.data is None:
            raise BadInput(self.data.wrong)
        if not self.base:
            raise BadInput("Choose a base: the language model that is trained.")
        return validated(
            TrainInputs,
            topic=self.name or f"{self.base}, {self.how.steps} steps",
            data=self.data.data.digest(),
            base=self.base,
            base_digest=digest,
            how=self.how,
            **self.way,
        )


def draw(given: str) -> None:
    """Draw the form, what it would take, and the trainings there are; beginning one opens it. The
    address may give a data set.
    """
    left, right = st.columns([3, 2], gap="large")
    with right:
        ahead = st.container()
        earlier.draw(
            "train",
            "Trainings so far",
            "None yet. A training needs questions, a language model on this machine, and a judge.",
        )
    try:
        require_packages()
    except BadInput as error:
        with left:
            _say_what_to_install(error)
        return
    asked = None
    with left, told():
        asked = _form(given)
    if asked:
        with ahead.container(border=True):
            stands = _ahead(asked)
        with left, told():
            _start(asked, stands)


def _say_what_to_install(error: BadInput) -> None:
    st.info(inline(str(error), 600), icon=":material/extension_off:")
    st.code(INSTALL, language=None)
    st.caption("What was trained before stays readable, and policies in use go on answering.")


def _form(given: str) -> TrainingForm:
    name = starting.name("training:name")
    chosen = data.draw(given)
    base = _base()
    by: Judged = st.radio(
        "Who judges the drafts",
        list(JUDGED),
        format_func=JUDGED.__getitem__,
        key="training:judged",
        persist_state="session",
    )
    judge = _judge() if by == "model" else ""
    informed = st.radio(
        "Revised",
        list(INFORMED),
        format_func=INFORMED.__getitem__,
        key="training:informed",
        persist_state="session",
        help="The paper trains one policy of each kind and compares them.",
    )
    reward = st.radio(
        "Reward",
        list(REWARDS),
        format_func=REWARDS.__getitem__,
        key="training:reward",
        persist_state="session",
        help=(
            "Lexicographic, as in the paper: s, the number of primary items that hold, where at"
            " least four of five do; otherwise t, the number of all items that hold."
        ),
    )
    learns = st.container()
    caps = _caps() if by == "model" else {}
    with learns:  # Drawn last: where settings do not go together, all else is there.
        how = learning.draw()
    way = {"judged": by, "informed": bool(informed), "reward": reward}
    return TrainingForm(name, chosen, base, way, judge, how, caps)


def _base() -> str:
    """Draw the choice of the language model that is trained, and how to get one."""
    settings = services.workshop().settings
    there, typed = list(bases.at_hand(settings)), st.session_state.get("training:base")
    picked = st.selectbox(
        "Base: the language model that is trained",
        [*there, *([typed] if typed and typed not in there else [])],
        index=0 if there else None,
        key="training:base",
        accept_new_options=True,
        persist_state="session",
        placeholder="Type a folder, or a name such as Qwen/Qwen3-4B",
        help=(
            "One that is on this machine: by the name of a downloaded model, by its folder, or one"
            " of those listed."
        ),
    )
    folder = inline(str(settings.data / bases.MODELS), 200)
    st.caption(
        "Training downloads nothing. Download the model first with the command below and type its"
        f" name here, or put its folder into {folder}."
    )
    st.code(DOWNLOAD, language=None)
    return (picked or "").strip()


def _judge() -> str:
    """Draw the choice of the model that judges."""
    offered, typed = judging(), st.session_state.get("training:judge")
    picked = st.selectbox(
        "Judge",
        [*offered, *([typed] if typed and typed not in offered else [])],
        index=0 if offered else None,
        key="training:judge",
        format_func=called,
        accept_new_options=True,
        persist_state="session",
        placeholder="Type provider:model",
        help=(
            "It judges seven items of every draft and gives the directives; code decides Layout"
            " and Length. Evaluate with another model, so that no policy is measured by the judge"
            " it was trained for."
        ),
    )
    if not offered:
        st.page_link("pages/settings.py", label="Connect a language model", icon=":material/tune:")
    return (picked or "").strip()


def _caps() -> dict[str, Any]:
    left, right = st.columns(2)
    with left:
        usd = cap_usd("training:cap-usd", "Cap, $")
    tokens = right.number_input(
        "Cap, tokens",
        0,
        None,
        None,
        step=100_000,
        key="training:cap-tokens",
        persist_state="session",
        placeholder="twice what is estimated",
        help="A training pauses at its cap with a checkpoint, and goes on from it.",
    )
    return {"cap_usd": usd, "cap_tokens": tokens or None}


# -- before the start ---------------------------------------------------------------------------


def _ahead(asked: TrainingForm) -> bool:
    """Say before the start what the training will be and take; return whether it can begin."""
    st.markdown("**What this will be**")
    try:
        inputs = asked.inputs(_digest_before(asked.base))
        st.markdown(_in_numbers(inputs))
        bases.find(asked.base, services.workshop().settings)
        _must_judge(asked)
    except FoundryError as error:
        st.warning(inline(str(error), 1_000), icon=":material/extension_off:")
        return False
    models = {"judge": asked.judge} if asked.judge else {}
    guess = estimate("train", inputs.model_dump(mode="json"), models)
    time = foresee(
        services.store(), inputs, asked.judge, guess.calls, services.workshop().settings.calls
    )
    st.caption(f"Estimated: {inline(in_words(guess, time, called(asked.judge)), 1_000)}")
    _warn(asked, guess)
    return True


def _in_numbers(inputs: TrainInputs) -> str:
    how, shape = inputs.how, inputs.how.shape
    return inline(
        f"{how.steps:,} steps. Each takes {how.queries} questions, writes {shape.rollouts} rollouts"
        f" of {shape.drafts} drafts for each, has all {how.rows} judged, and learns from them."
        f" {how.steps * how.rows:,} drafts in all, and a checkpoint every {how.save_every} steps.",
        600,
    )


def _must_judge(asked: TrainingForm) -> None:
    """Raise BadInput where no model is chosen that can judge, and one is to."""
    if asked.way["judged"] == "code":
        return
    if not asked.judge:
        raise BadInput(
            "Choose a judge: a language model. Or let code alone judge Layout and Length, free."
        )
    if not services.workshop().model(asked.judge).answers("checklist-item"):
        raise BadInput(
            f"{called(asked.judge)} cannot judge ideas by the checklist. Choose a language model,"
            " or let code alone judge Layout and Length."
        )


def _warn(asked: TrainingForm, guess: Estimate) -> None:
    if guess.calls:
        tokens = asked.caps.get("cap_tokens") or usual_cap(guess)
        starting.warn(guess, tokens, asked.caps.get("cap_usd"))


def _digest_before(base: str) -> str:
    """Return the digest that a base of this name had when it was trained last: good enough for an
    estimate, and the files of a large one take long to read.
    """
    for run in services.store().runs.listed(method="train", limit=50):
        if (inputs := run.inputs_as(TrainInputs)).base == base:
            return inputs.base_digest
    return ""


def _start(asked: TrainingForm, stands: bool) -> None:
    if not stands:
        st.caption(
            ":material/extension_off: It cannot begin yet: “What this will be” says what is"
            " missing."
        )
    if st.button(
        "Begin training",
        type="primary",
        icon=":material/model_training:",
        key="training:go",
        disabled=not stands,
    ):
        starting.go_to(_begun(asked))


def _begun(asked: TrainingForm) -> Run:
    """Begin the training, or return the one the same click has just begun; raises BadInput."""
    with st.spinner("Reading the files of the base …"):
        base = bases.find(asked.base, services.workshop().settings)
        inputs = asked.inputs(bases.fingerprint(base))
    if asked.data.data:
        services.store().frozen.keep(asked.data.data)
    frozen = {"models": {"judge": asked.judge or "builtin"}, **asked.caps}
    return starting.once(
        "training",
        [inputs.model_dump(mode="json"), str(frozen)],
        partial(services.begin, "train", inputs, inputs.topic, **frozen),
    )
