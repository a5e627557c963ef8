"""What every start form asks for: models, source, caps."""
from typing import Any

import streamlit as st

from components import cached, services
from components.home import called
from components.text import inline
from core.estimates import estimate
from core.literature import SOURCES
from core.records import Record
from core.workshop import ROLES


def models_and_limits(page: str) -> dict[str, Any]:
    """Draw the choice of models and caps, folded away, and return what to freeze into the run."""
    with st.expander("Models and limits", icon=":material/tune:"):
        models = {role: _model(page, role) for role in ROLES}
        if any(name == "builtin" for name in models.values()):
            st.caption("The built-in model is rule-based, for trying things out: it recombines and checks passages of papers, and understands nothing.")
        cap = st.number_input("Cap for this run, $", min_value=0.0, value=None, step=0.5, key=f"{page}:cap", placeholder="no cap", persist_state="session")
    return {"models": models, "cap_usd": cap or None}


def planned(method: str, inputs: Record, models: dict[str, str]) -> None:
    """Say what the run may take before it starts."""
    plan = estimate(method, inputs.model_dump(mode="json"), models)
    if set(models.values()) == {"builtin"}:
        st.caption(f"About {plan.calls} calls to the built-in model: a few seconds, free.")
    else:
        dollars = f"about ${plan.cost:.2f}" if plan.cost is not None else "price unknown, so a cap on tokens holds"
        st.caption(f"Estimated: {plan.calls} calls, {plan.tokens:,} tokens, {inline(dollars)}.")


def source(page: str) -> str:
    """Draw the choice of literature source and return its name."""
    name = st.selectbox("Where to look for papers", tuple(SOURCES), format_func=lambda one: one.replace("-", " ").capitalize(), key=f"{page}:source",
                        persist_state="session")
    st.caption(SOURCES[name])
    return name


def _model(page: str, role: str) -> str:
    chosen = services.workshop().chosen(role)
    options = list(dict.fromkeys([chosen, "builtin", *known_models(role)]))
    picked = st.selectbox(f"{role.capitalize()} model" + (" (reads papers)" if role == "cheap" else ""), options, format_func=called,
                          key=f"{page}:model-{role}", accept_new_options=True, persist_state="session",
                          help="One of those that were found, or type provider:model, such as ollama:llama3.1 or openai:gpt-4o-mini.")
    return str(picked)


def known_models(role: str) -> list[str]:
    """Return the models that were found, as `provider:model`, the one suggested for the role first of each provider."""
    names: list[str] = []
    for one in cached.reach():
        suggested = one.main if role == "main" else one.cheap
        names += [suggested] if suggested else []
        names += [f"{one.provider}:{name}" for name in one.models]
    return list(dict.fromkeys(names))
