"""The qualities a refinement is for: two presets, those people made up, and a new one; up to four
in one refinement.
"""

from typing import NamedTuple

import streamlit as st

from components.shell import services
from components.shell.text import inline
from core.methods.presets import PRESETS
from core.records import Indicator, Order

NEW = "a new one"
MOST = 4
PICKED = "refine:goals"
ORDERS: dict[Order, str] = {
    "one after the other": (
        "Each is improved until it converges, then the next one begins with that idea."
    ),
    "taking turns": "One round for each in turn, until none of them improves any more.",
}
BESIDE = (
    "After every revision the discriminator also says what it did to the other qualities, one more"
    " call for each."
)


class RefineGoals(NamedTuple):
    chosen: tuple[Indicator, ...]
    """Four at most, for an estimate: a new quality that is not told whole stands for itself."""
    order: Order
    new: Indicator | None = None
    """To be kept for reuse once the run has started."""
    wrong: str = ""
    """What keeps a run from starting, as a sentence."""


def draw() -> RefineGoals:
    """Draw the choice of qualities, each with its traits, and of their order where there are
    several.
    """
    # A quality that was kept stands in the place of the new one it was.
    if name := st.session_state.pop(f"{PICKED}:kept", None):
        picked_before = st.session_state.get(PICKED, [])
        st.session_state[PICKED] = [name if one == NEW else one for one in picked_before]
        st.session_state["refine:own"] = st.session_state["refine:traits"] = ""
    kept = {one.name: one for one in services.store().indicators.all() if one.name not in PRESETS}
    known, held = {**PRESETS, **kept}, st.session_state.setdefault(PICKED, ["novelty"])
    if gone := [name for name in held if name not in (*known, NEW)]:
        st.session_state[PICKED] = [name for name in held if name not in gone]
    picked = (
        st.pills(
            "Quality to improve",
            [*known, NEW],
            selection_mode="multi",
            key=PICKED,
            persist_state="session",
            wrap=True,
            format_func=lambda name: f":material/add: {name}" if name == NEW else inline(name, 60),
        )
        or []
    )
    for goal in (known[name] for name in known if name in picked):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(
                f"**{inline(goal.name)}**: {inline('; '.join(goal.traits), 1_000)}.",
                width="stretch",
            )
            if goal.name in kept:
                st.button(
                    "Forget",
                    icon=":material/close:",
                    type="tertiary",
                    key=f"{PICKED}:forget:{goal.name}",
                    on_click=services.store().indicators.forget,
                    args=(goal.name,),
                    help=f"No longer offer “{inline(goal.name)}” here. Runs that used it keep it.",
                )
    new, wrong = _new(frozenset(known)) if NEW in picked else (None, "")
    chosen = [known[name] for name in known if name in picked] + (
        [new or Indicator(name=NEW, traits=("not told yet",))] if NEW in picked else []
    )
    order: Order = "one after the other"
    if len(chosen) > 1:
        order = st.segmented_control(
            "With several qualities",
            list(ORDERS),
            default=order,
            key="refine:order",
            required=True,
            persist_state="session",
        )
        st.caption(f"{ORDERS[order]} {BESIDE}")
    if not chosen:
        wrong = "Pick at least one quality to improve."
    if len(chosen) > MOST:
        wrong = (
            f"{len(chosen)} qualities are picked; one refinement takes {MOST} at most. Take some"
            " out."
        )
    if not chosen or len(chosen) > MOST:
        st.caption(f":material/info: {wrong}")
    return RefineGoals(tuple(chosen[:MOST]), order, new, wrong)


def keep(goals: RefineGoals) -> None:
    """Keep a new quality for reuse; the form offers it by its name from then on."""
    if goals.new:
        services.store().indicators.keep(goals.new)
        st.session_state[f"{PICKED}:kept"] = goals.new.name


def _new(taken: frozenset[str]) -> tuple[Indicator | None, str]:
    typed = st.text_input(
        "Name of the new quality",
        key="refine:own",
        persist_state="session",
        max_chars=60,
        placeholder="clinical relevance",
    )
    name = " ".join((typed or "").split())
    lines = st.text_area(
        "Its traits, one per line",
        key="refine:traits",
        persist_state="session",
        height=90,
        placeholder="what it consists of: these are what reviews go by",
    )
    traits = tuple(line.strip() for line in (lines or "").splitlines() if line.strip())
    st.caption("Kept for reuse when the run starts.")
    if not name or not traits:
        return None, "Name the new quality and give at least one trait, one per line."
    if name.casefold() in {known.casefold() for known in (*taken, NEW)}:
        wrong = f"There is a quality called “{name}” already. Pick that one, or give yours another"
        return None, f"{wrong} name."
    return Indicator(name=name, traits=traits), ""
