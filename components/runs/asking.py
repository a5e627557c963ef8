"""What every start form asks for: models, source, caps; and what is said before a start."""

from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from components.runs import estimated, sampling
from components.runs.models import called
from components.shell import cached, services
from components.shell.text import counted, inline
from core.literature import SOURCES, label
from core.records import Record
from core.runs.catalogue import ACTORS, JUDGES, ROLES
from core.runs.estimates import estimate, plan, role_of
from core.runs.workshop import DEFAULT_TOKENS

DOES = {**JUDGES, **ROLES, **ACTORS}
"""What a model can be chosen for, anywhere."""
OF_ITS_OWN = ("main", "cheap")
"""The roles that always name a model."""
AS_MAIN = "as the main model"
"""The choice of a role that has none of its own."""
PROMPTS = {
    "select": "choosing between branches",
    "experiment-design": "the experiment design",
    "design-review": "the review of the experiment design",
    "design-refine": "refining the experiment design",
    "direct-idea": "direct prompting",
    "retrieved-idea": "prompting with retrieved papers",
    "novelty-verdict": "judging whether a paper has the idea already",
    "report": "taking topic, idea and experiment from a paper",
    "rank": "ranking the idea with the target",
    "six-fields": "bringing the ideas into six fields",
    "question": "asking the research question",
    "keywords": "its keywords",
    "literature-review": "the literature review",
    "evolve-idea": "writing the idea",
    "evolve-revise": "revising it by directives",
    "evolve-alone": "revising it alone",
    "checklist-item": "judging the items",
    "checklist-score": "scoring the items",
}
"""What a prompt is for, where its name does not say it."""


def models_and_limits(
    page: str, roles: tuple[str, ...] = ("main", "cheap"), does: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Draw the choice of models and caps, folded away, the actors' once more, and return what to
    freeze into the run.

    With `does` the roles are described in these words, and none is folded away again.
    """
    with st.expander("Models and limits"):
        models = _models(page, [role for role in roles if does or role not in ACTORS], does)
        if actors := [role for role in roles if role in ACTORS and not does]:
            with st.expander("Another model for one of the actors", type="compact"):
                models |= _models(page, actors)
        if any(name == "builtin" for name in models.values()):
            st.caption(
                "The built-in model is rule-based, for trying things out: it recombines and checks"
                " passages of papers, and understands nothing."
            )
        samplings = sampling.draw(page)
        cap = st.number_input(
            "Cap for this run, $",
            min_value=0.0,
            value=None,
            step=0.5,
            key=f"{page}:cap",
            placeholder="no cap",
            persist_state="session",
        )
    return {"models": models, "samplings": samplings, "cap_usd": cap or None}


def _soon(calls: int) -> str:
    """Say how long the built-in model takes for calls: up to half a second for each was
    measured.
    """
    return "less than a minute" if calls <= 100 else f"about {-(-calls // 100)} minutes"


def planned(
    method: str, inputs: Record, models: Mapping[str, str], cap_usd: float | None = None
) -> None:
    """Say before a start what the run may take, and which part of it the chosen models cannot
    do.
    """
    given, named = (
        inputs.model_dump(mode="json"),
        {role: models.get(role) or models["main"] for role in (*DOES, *models)},
    )
    asked = {role_of(prompt) for prompt in plan(method, given)[0]}
    guess = estimate(method, given, named)
    if not asked:
        st.caption("No model is asked.")
    elif {named[role] for role in asked} == {"builtin"}:
        most = f", at most {guess.most:,}" if guess.most and guess.most > guess.calls else ""
        st.caption(
            f"About {counted(guess.calls, 'call')}{most} to the built-in model:"
            f" {_soon(guess.calls)}, free."
        )
    else:
        estimated.draw(guess, DEFAULT_TOKENS, cap_usd)
    if missing := unanswered(method, given, named):
        st.warning(
            f"The built-in model cannot do this part: {inline(', '.join(missing))}. "
            "Choose a language model for it under “Models and limits”, or leave it out.",
            icon=":material/extension_off:",
        )


def unanswered(method: str, inputs: Mapping[str, object], models: Mapping[str, str]) -> list[str]:
    """Return what of a run needs a language model, but was given to the built-in one, in words."""
    builtin = services.workshop().builtin()
    return [
        PROMPTS.get(prompt, prompt.replace("-", " "))
        for prompt in plan(method, inputs)[0]
        if models[role_of(prompt)] == "builtin" and not builtin.answers(prompt)
    ]


def source(page: str) -> str:
    """Draw the choice of literature source and return its name."""
    name = st.selectbox(
        "Where to look for papers",
        tuple(SOURCES),
        format_func=label,
        key=f"{page}:source",
        persist_state="session",
    )
    st.caption(SOURCES[name])
    return str(name)


def _models(
    page: str, roles: Iterable[str], does: Mapping[str, str] | None = None
) -> dict[str, str]:
    return {role: name for role in roles if (name := _model(page, role, (does or DOES)[role]))}


def _model(page: str, role: str, does: str) -> str | None:
    """Draw the choice of a role's model; None where it has none of its own."""
    chosen = services.workshop().chosen(role)
    given = [] if role in OF_ITS_OWN else [AS_MAIN]
    own = not given or services.store().places.choice(f"model-{role}")
    options = list(
        dict.fromkeys([*([] if own else given), chosen, *given, "builtin", *known_models(role)])
    )
    picked = st.selectbox(
        f"{role.capitalize()} model ({does})",
        options,
        format_func=lambda one: one if one == AS_MAIN else called(one),
        key=f"{page}:model-{role}",
        accept_new_options=True,
        persist_state="session",
        help=(
            "One of those that were found, or type provider:model, such as ollama:llama3.1 or"
            " openai:gpt-4o-mini."
        ),
    )
    return None if picked == AS_MAIN else str(picked)


def known_models(role: str) -> list[str]:
    """Return the models that were found, as `provider:model`, the one suggested for the role first
    of each provider.
    """
    names: list[str] = []
    for one in cached.reach():
        suggested = one.cheap if role == "cheap" else one.main
        names += [suggested] if suggested else []
        names += [f"{one.provider}:{name}" for name in one.models]
    return list(dict.fromkeys(names))
