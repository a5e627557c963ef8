"""How a refinement is played: the variant, when it ends, and what people do in it."""

from typing import Any

import streamlit as st

from components.runs.actors import ACTORS as COLOURED
from components.runs.actors import KINDS
from core.methods.adversarial.actors import names
from core.records import ACTORS, FIXED_ROUNDS, Actor, Stopping, Variant

PRINTED = (
    "Stops at the first verdict without improvement. Slower: four calls per round in sequence. Each"
    " idea is reviewed twice and only the second review is used."
)


def draw() -> dict[str, Any]:
    """Draw how the refinement is played, folded away, and return it by the names of
    `core.runs.planning.played`.
    """
    with st.expander("How it is refined"):
        variant: Variant = st.radio(
            "Variant",
            list(KINDS),
            key="refine:variant",
            persist_state="session",
            format_func=lambda one: KINDS[one].label,
            captions=[kind.about for kind in KINDS.values()],
        )
        printed = st.checkbox(
            "Algorithm 1 as printed",
            key="refine:printed",
            persist_state="session",
            disabled=variant != "infal",
            help=PRINTED,
        )
        printed = printed and variant == "infal"
        if printed:
            st.caption(PRINTED)
        rounds, patience = _rules(variant, printed)
        people = _people(variant, printed)
        step_in = st.checkbox(
            "Wait for me before every revision",
            key="refine:step-in",
            persist_state="session",
            disabled=variant == "initial",
            help=(
                "You can decline remarks, add your own, or rewrite the idea; then the run goes on."
            ),
        )
    return {
        "variant": variant,
        "max_rounds": rounds,
        "patience": patience,
        "printed": printed,
        "people": people,
        "step_in": step_in and variant != "initial",
    }


def _rules(variant: Variant, printed: bool) -> tuple[int | None, int | None]:
    """Draw the two rules of stopping and return them, None where the variant has no use for one."""
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        rounds = _number(
            "Rounds at most, for each quality",
            "refine:rounds",
            50,
            FIXED_ROUNDS if variant == "no-discriminator" else Stopping().max_rounds,
            not_asked=variant == "initial",
            why="The papers use 10, and 7 without discriminator.",
        )
    with right:
        patience = _number(
            "Stop after this many rounds in a row without improvement",
            "refine:patience",
            10,
            1 if variant == "self-reflection" or printed else Stopping().patience,
            not_asked=printed or variant in ("initial", "no-discriminator"),
            why=(
                "Improvement by the discriminator's verdict. InfAL waits for two (section 3.2.3);"
                " its printed algorithm stops at the first."
            ),
        )
    return rounds, patience


def _number(label: str, key: str, most: int, default: int, not_asked: bool, why: str) -> int | None:
    """Draw a number that follows its default until a person types one; where it is not asked for,
    what was typed waits.
    """
    if not_asked:
        st.number_input(
            label, 1, most, value=default, key=f"{key}:fixed:{default}", disabled=True, help=why
        )
        return None
    if not st.session_state.get(f"{key}:typed") and st.session_state.get(key) != default:
        st.session_state[key] = default
    return int(
        st.number_input(
            label,
            1,
            most,
            key=key,
            persist_state="session",
            help=why,
            on_change=st.session_state.update,
            args=({f"{key}:typed": True},),
        )
    )


def _people(variant: Variant, printed: bool) -> tuple[Actor, ...]:
    st.caption("Human actors")
    possible, called = () if printed else KINDS[variant].people, names(variant)
    with st.container(horizontal=True):
        ticked = {
            actor: st.checkbox(
                f"{COLOURED[actor][1]} {called[actor].capitalize()}",
                key=f"refine:person:{actor}",
                persist_state="session",
                disabled=actor not in possible,
            )
            for actor in ACTORS
        }
    return tuple(actor for actor in possible if ticked[actor])
