"""Choosing qualities: the presets, those that were kept, or a new one with its traits."""

from typing import NamedTuple

import streamlit as st

from components.shell import services
from components.shell.text import inline
from core.methods.presets import PRESETS
from core.records import Indicator

NEW = "another"
MOST = 4


class ChosenGoals(NamedTuple):
    chosen: tuple[Indicator, ...]
    new: Indicator | None = None
    """The one that is new here, to be kept once it is used."""
    wrong: str = ""


def draw(page: str, label: str = "Qualities") -> ChosenGoals:
    """Draw the choice of qualities with their traits and return it."""
    known = {
        **PRESETS,
        **{one.name: one for one in services.store().indicators.all() if one.name not in PRESETS},
    }
    key = f"{page}:goals"
    st.session_state[key] = [
        name for name in st.session_state.get(key, ["novelty"]) if name in (*known, NEW)
    ]
    picked = (
        st.pills(
            label,
            [*known, NEW],
            selection_mode="multi",
            key=key,
            persist_state="session",
            wrap=True,
            format_func=lambda name: f":material/add: {name}" if name == NEW else inline(name, 60),
        )
        or []
    )
    chosen = tuple(known[name] for name in known if name in picked)
    for one in chosen:
        st.caption(f"**{inline(one.name)}**: {inline('; '.join(one.traits), 600)}.")
    new, wrong = _new(page, tuple(known)) if NEW in picked else (None, "")
    chosen = (*chosen, *([new] if new else []))
    if not chosen and not wrong:
        wrong = "Pick at least one quality."
    if len(chosen) > MOST:
        wrong = f"{len(chosen)} qualities are picked; {MOST} at most. Take some out."
    if wrong:
        st.caption(f":material/info: {wrong}")
    return ChosenGoals(chosen, new, wrong)


def keep(goals: ChosenGoals) -> None:
    """Keep a new quality for reuse."""
    if goals.new:
        services.store().indicators.keep(goals.new)


def _new(page: str, taken: tuple[str, ...]) -> tuple[Indicator | None, str]:
    name = " ".join(
        (
            st.text_input(
                "Name of the new quality",
                key=f"{page}:own",
                max_chars=60,
                persist_state="session",
                placeholder="clinical relevance",
            )
            or ""
        ).split()
    )
    typed = (
        st.text_area(
            "Its traits, one per line",
            key=f"{page}:traits",
            height=90,
            persist_state="session",
            placeholder="what it consists of",
        )
        or ""
    )
    traits = tuple(line.strip() for line in typed.splitlines() if line.strip())
    if not name or not traits:
        return None, "Name the new quality and give at least one trait, one per line."
    if name.casefold() in {one.casefold() for one in (*taken, NEW)}:
        return (
            None,
            (
                f"There is a quality called “{name}” already. Pick that one, or give yours another"
                " name."
            ),
        )
    return Indicator(name=name, traits=traits), ""
