"""Choosing several models: those that were found, or any that is typed; and why one cannot be
taken, before anything starts.
"""

import streamlit as st

from components.runs.asking import known_models
from components.runs.models import called
from components.shell import services
from core.errors import BadInput


def several(
    label: str, key: str, role: str, default: tuple[str, ...], help_: str, most: int
) -> tuple[str, ...]:
    """Draw the choice of models and return their names."""
    offered = list(
        dict.fromkeys([*default, services.workshop().chosen(role), *known_models(role), "builtin"])
    )
    st.session_state.setdefault(key, list(default))
    offered = list(dict.fromkeys([*offered, *st.session_state[key]]))
    picked = st.multiselect(
        label,
        offered,
        key=key,
        format_func=called,
        accept_new_options=True,
        persist_state="session",
        max_selections=most,
        select_all=False,
        wrap=True,
        placeholder="Pick some, or type provider:model",
        help=help_,
    )
    return tuple(dict.fromkeys(name.strip() for name in picked if name.strip()))


def ranks(name: str) -> bool:
    """Say whether a model is one that can rank ideas, as far as it can be opened."""
    try:
        return services.workshop().model(name).answers("rank")
    except BadInput:
        return False


def judges(page: str, most: int = 6) -> tuple[str, ...]:
    """Draw the choice of judges and return their names; the chosen one comes first, if it can rank
    at all.
    """
    chosen = services.workshop().chosen("judge")
    return several(
        "Judges",
        f"{page}:judges",
        "judge",
        (chosen,) if ranks(chosen) else (),
        "Each ranks everything by itself. The first is the one whose Q stands in the main table.",
        most,
    )


def checklist_judge(key: str) -> str:
    """Draw the choice of who judges evolutions by the checklist and return its name; empty where
    each model judges what it wrote.
    """
    offered = list(dict.fromkeys([services.workshop().chosen("judge"), *known_models("judge")]))
    said = st.session_state.get(key)
    picked = st.selectbox(
        "Judge of the checklist",
        [*offered, *([said] if said and said not in offered else [])],
        index=None,
        key=key,
        format_func=called,
        accept_new_options=True,
        persist_state="session",
        placeholder="The model that writes judges itself",
        help=(
            "It judges the items of checklist evolution and gives the directives. A model that"
            " judges itself is easily content."
        ),
    )
    return (picked or "").strip()
