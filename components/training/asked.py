"""What a training was asked for, and what it took."""

import streamlit as st

from components.runs.models import called
from components.runs.states import taken
from components.shell import services
from components.shell.text import elapsed, inline, money
from components.training.form import INFORMED, JUDGED, REWARDS
from components.training.learning import SETTINGS, STEPS
from core.errors import BadInput
from core.records import Run, TrainingData, usage
from core.training.method import TrainInputs
from core.training.rollouts import RolloutShape


def draw(run: Run) -> None:
    """Draw data, base, judge and settings, then what it took."""
    inputs = run.inputs_as(TrainInputs)
    judge = run.config.models.get("judge", "")
    facts = {
        "Questions": _data(inputs.data),
        "Digest of the questions": inputs.data,
        "Base": inputs.base,
        "Digest of the base": inputs.base_digest,
        "Judge": called(judge) if judge else JUDGED["code"],
        "Revised": INFORMED[inputs.informed],
        "Reward": REWARDS[inputs.reward],
        "Seed": str(run.config.seed),
    }
    for name, text in facts.items():
        st.markdown(f"**{name}** {inline(text, 400)}")
    st.dataframe(
        [
            {"Setting": one.label, "Value": f"{_value(inputs, one.name):g}", "Paper": one.paper}
            for one in (STEPS, *SETTINGS)
        ],
        hide_index=True,
        key="training:settings",
        height="content",
        alt="Settings of the training, with what the paper prints",
    )
    usd, tokens = services.store().runs.caps(run.id)
    caps = [f"${usd:,.2f}"] if usd else []
    caps += [f"{tokens:,} tokens"] if tokens else []
    st.markdown(f"**Cap** {inline(' and '.join(caps) or 'none')}")
    st.markdown(
        f"**What it took** {taken(run)} · {usage.calls(run.calls, run.maybe_paid)} ·"
        f" {usage.all_tokens(run.tokens_in, run.tokens_out, run.calls, run.unreported)} ·"
        f" {inline(money(run))} · {elapsed(run)}"
    )


def _data(sha: str) -> str:
    try:
        data = services.store().frozen.get(sha, TrainingData)
    except BadInput as error:
        return str(error)
    return f"{len(data.training):,} to train on, {len(data.held_out):,} held out"


def _value(inputs: TrainInputs, name: str) -> float:
    held = inputs.how.shape if name in RolloutShape.model_fields else inputs.how
    return float(getattr(held, name))
