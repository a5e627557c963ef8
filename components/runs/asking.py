"""What start forms ask for alike: models, source, sampling, caps."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from components.runs.models import called, known_models
from components.shell import services
from components.shell.text import inline
from core.errors import BadInput
from core.literature import SOURCES, label
from core.records import SAMPLINGS, Hand, Idea, Sampling
from core.runs.catalogue import ACTORS, JUDGES, ROLES
from core.runs.workshop import check_cap

DOES = {**JUDGES, **ROLES, **ACTORS}
"""What a model can be chosen for, anywhere."""
OF_ITS_OWN = ("main", "cheap")
"""The roles that always name a model."""
AS_MAIN = "as the main model"
"""The choice of a role that has none of its own."""
HANDS: dict[Hand, str] = {"writer": "Writers", "reader": "Readers", "judge": "Judges"}
ABOUT: dict[Hand, str] = {
    "writer": "What writes, reviews and revises.",
    "reader": "What says what a paper or an idea says.",
    "judge": "What ranks, compares, scores and decides.",
}
ALIKE = (
    "At temperature 0 a judge says the same of the same text: repeated judgments then differ only"
    " because the order shown differs."
)
"""What a temperature of 0 means for repeats."""


def models_and_limits(
    page: str, roles: tuple[str, ...] = ("main", "cheap"), does: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Draw the choice of models and caps, folded away, the actors' once more, and return what to
    freeze into the run.

    With `does` the roles are described in these words, and none is folded away again.
    """
    with st.expander("Models and limits"):
        actors = () if does else ACTORS
        models = _models(page, [role for role in roles if role not in actors], does or DOES)
        if folded := [role for role in roles if role in actors]:
            with st.expander("Another model for one of the actors", type="compact"):
                models |= _models(page, folded, DOES)
        if "builtin" in models.values():
            st.caption(
                "The built-in model is rule-based, for trying things out: it recombines and checks"
                " passages of papers, and understands nothing."
            )
        samplings = sampling(page)
        cap = cap_usd(f"{page}:cap")
    return {"models": models, "samplings": samplings, "cap_usd": cap}


def cap_usd(
    key: str, label: str = "Cap for this run, $", place: Any = st, **more: Any
) -> float | None:
    """Draw a cap in dollars and return it; None is none. What is wrong with it is said below."""
    usual: dict[str, Any] = {
        "value": None,
        "step": 0.5,
        "placeholder": "no cap",
        "persist_state": "session",
    }
    # A bound of the field would say in the widget's own words what is wrong, and keep the number
    # from everybody else.
    cap: float | None = place.number_input(label, key=key, **usual | more)
    try:
        check_cap(cap)
    except BadInput as error:
        place.error(inline(str(error)), icon=":material/error:")
    return cap or None


def source(page: str) -> str:
    """Draw the choice of literature source, first the one chosen in Settings, and return its
    name.
    """
    offered = tuple(SOURCES)
    name = st.selectbox(
        "Where to look for papers",
        offered,
        index=offered.index(services.workshop().chosen_source()),
        format_func=label,
        key=f"{page}:source",
        persist_state="session",
    )
    st.caption(SOURCES[name])
    return str(name)


def _models(page: str, roles: Iterable[str], does: Mapping[str, str]) -> dict[str, str]:
    return {role: name for role in roles if (name := _model(page, role, does[role]))}


def _model(page: str, role: str, does: str) -> str | None:
    """Draw the choice of a role's model; None where it has none of its own."""
    chosen = services.workshop().chosen(role)
    options = [chosen, "builtin", *known_models(role)]
    if role not in OF_ITS_OWN:
        # Whatever was chosen for it in Settings comes first, else that it has none of its own.
        own = services.store().places.choice(f"model-{role}")
        options.insert(1 if own else 0, AS_MAIN)
    picked = st.selectbox(
        f"{role.capitalize()} model ({does})",
        list(dict.fromkeys(options)),
        format_func=lambda name: name if name == AS_MAIN else called(name),
        key=f"{page}:model-{role}",
        accept_new_options=True,
        persist_state="session",
        help=(
            "One of those that were found, or type provider:model, such as ollama:llama3.1 or"
            " openai:gpt-4o-mini."
        ),
    )
    return None if picked == AS_MAIN else str(picked)


def sampling(
    page: str, hands: Sequence[Hand] = ("writer", "reader", "judge")
) -> dict[Hand, Sampling]:
    """Draw temperature and length for each kind of call, folded away, and return them."""
    with st.expander("Temperature and reply length", icon=":material/thermostat:"):
        found = {hand: _hand_sampling(page, hand) for hand in hands}
        if "judge" in hands:
            st.caption(ALIKE)
        st.caption(
            "A model that takes no temperature is asked without one. A reply that is cut off is"
            " asked for again with more room."
        )
    return found


def _hand_sampling(page: str, hand: Hand) -> Sampling:
    usual = SAMPLINGS[hand]
    left, right = st.columns(2)
    temperature = left.number_input(
        f"{HANDS[hand]}: temperature",
        0.0,
        2.0,
        usual.temperature,
        0.1,
        key=f"{page}:temperature-{hand}",
        persist_state="session",
        help=ABOUT[hand],
    )
    tokens = right.number_input(
        f"{HANDS[hand]}: tokens of a reply",
        64,
        64_000,
        usual.max_tokens,
        500,
        key=f"{page}:tokens-{hand}",
        persist_state="session",
        help="Initial limit. Reasoning tokens count towards it.",
    )
    return Sampling(temperature=round(temperature, 4), max_tokens=tokens)


def choose_idea(ideas: Mapping[int, Idea], key: str) -> int:
    """Draw the choice among the ideas of a run, where it has several, and return the chosen one's
    number.
    """
    if st.session_state.get(key) not in ideas:
        st.session_state[key] = next(iter(ideas))
    if len(ideas) == 1:
        return next(iter(ideas))
    picked = st.radio(
        "Which of its ideas",
        list(ideas),
        key=key,
        persist_state="session",
        format_func=lambda n: f"Idea {n}: {inline(ideas[n].title, 100)}",
    )
    return int(picked or 1)
