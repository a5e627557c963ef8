"""How a policy learns: the settings of a training, with what the paper prints of each."""

from typing import Any, NamedTuple

import streamlit as st
from annotated_types import Ge, Gt, Le

from core.records import Record
from core.runs.planning import validated
from core.training.learning import Learning
from core.training.rollouts import RolloutShape


class LearningSetting(NamedTuple):
    """A setting: its name in the record, on screen, and what the paper says of it."""

    name: str
    label: str
    paper: str
    of: type[Record] = Learning
    format: str | None = None


STEPS = LearningSetting("steps", "Optimization steps", "The paper trains for 100.")
SETTINGS = (
    LearningSetting("queries", "Questions a step", "The paper takes 5."),
    LearningSetting(
        "rollouts", "Rollouts of each question (G)", "The paper takes 8.", RolloutShape
    ),
    LearningSetting(
        "drafts",
        "Drafts of each rollout (K)",
        "The paper prints none; its evaluation has two: an idea and one revision.",
        RolloutShape,
    ),
    LearningSetting("learning_rate", "Learning rate", "The paper's is 1e-6.", format="%.1e"),
    LearningSetting(
        "beta",
        "Weight of the KL divergence (beta)",
        "The paper's is 0.01. It keeps the policy near its base.",
        format="%.4f",
    ),
    LearningSetting(
        "epsilon",
        "Clipping (epsilon)",
        "The paper prints none; this is the usual value of TRL.",
        format="%.2f",
    ),
    LearningSetting(
        "temperature", "Temperature of the rollouts", "The paper prints none.", format="%.2f"
    ),
    LearningSetting(
        "most",
        "Tokens of a draft at most",
        "The paper prints none. Thoughts count, and the loss is divided by this number.",
    ),
    LearningSetting(
        "rows_at_once",
        "Drafts learned from at once",
        "A matter of memory alone; 0: all drafts of a step.",
    ),
    LearningSetting(
        "adapter",
        "Rank of LoRA adapters",
        "0 trains all weights, as the paper does. 16 or 32 takes far less memory.",
    ),
    LearningSetting("save_every", "Steps between checkpoints", "The paper prints none."),
)
"""All but the number of steps, in the order they are asked for."""


def draw() -> Learning:
    """Draw the number of steps, and the other settings folded away; raises BadInput."""
    steps = _number(st, STEPS)
    with st.expander("How it learns", icon=":material/tune:"):
        st.caption("The paper's values, where it prints them; each setting says so.")
        columns = st.columns(2)
        asked = {one.name: _number(columns[n % 2], one) for n, one in enumerate(SETTINGS)}
    shape = {name: asked.pop(name) for name in RolloutShape.model_fields}
    return validated(Learning, steps=steps, shape=validated(RolloutShape, **shape), **asked)


def _number(place: Any, setting: LearningSetting) -> int | float:
    """Draw one setting with the bounds and the default its record has."""
    field = setting.of.model_fields[setting.name]
    given: dict[str, Any] = {"value": field.default, "persist_state": "session"}
    for bound in field.metadata:
        if isinstance(bound, Ge | Gt):
            given["min_value"] = bound.ge if isinstance(bound, Ge) else 0.0
        elif isinstance(bound, Le):
            given["max_value"] = bound.le
    if isinstance(field.default, float):
        given = {name: float(v) if name.endswith("_value") else v for name, v in given.items()}
        given |= {"format": setting.format, "step": field.default / 2}
    number: int | float = place.number_input(
        setting.label, key=f"training:{setting.name}", help=setting.paper, **given
    )
    return number
