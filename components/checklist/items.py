"""The nine items on screen: number, colour, whether one holds, and in a sentence what decided the
reward.
"""

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from components.shell.colours import BRANCHES
from components.shell.text import counted, inline
from core.judging.checklist import items_of
from core.records import ITEMS, PRIMARY, Checklist, Idea

NUMBERS = {item.name: n for n, item in enumerate(ITEMS, 1)}
COLOURS = dict(zip(NUMBERS, (*BRANCHES, "#6f7f95"), strict=True))
"""An item's colour, which never stands without its number."""
WORDS = ("none", "one", "two", "three", "four", "five")


class ScoreLook(NamedTuple):
    """A score: colour, icon and word, which always come together."""

    colour: str
    icon: str
    word: str


LOOKS: dict[int | None, ScoreLook] = {
    1: ScoreLook("green", ":material/check_circle:", "holds"),
    0: ScoreLook("red", ":material/cancel:", "fails"),
    None: ScoreLook("orange", ":material/help:", "not judged"),
}
PENDING = ScoreLook("gray", ":material/hourglass_empty:", "pending")


REWARD = (
    "Lexicographic reward: s counts the primary items that hold, t all items that hold. r = s where"
    " at least four of the five primary items hold, else r = t. So r can fall from one step to the"
    " next although more primary items hold: that is how the paper defines it."
)


def item_name(item: str) -> str:
    """Return what an item is called: its number and its name."""
    return f"{NUMBERS.get(item, '')} {item.capitalize()}".strip()


def say_decision(found: Checklist) -> str:
    """Say in one sentence what the lexicographic reward is and which tier decided it (EvoIdeator,
    equation 3).
    """
    if not found.complete:
        missing = [item_name(one.item) for one in found.items if one.score is None]
        return (
            f"r cannot be given: {', '.join(missing)} {'was' if len(missing) == 1 else 'were'} not"
            f" judged, and what is not judged is not counted as 0. Of the others {found.total}"
            " hold."
        )
    s, all_ = found.primary, WORDS[len(PRIMARY)]
    if s == len(PRIMARY):
        hold = f"All {all_} primary items hold"
    elif s:
        verb = "holds" if s == 1 else "hold"
        hold = f"{WORDS[s].capitalize()} of {all_} primary items {verb}"
    else:
        hold = f"None of the {all_} primary items holds"
    if found.by_primary:
        return f"{hold}, so they alone count: r = s = {s}."
    fewer = WORDS[len(PRIMARY) - 1]
    return f"{hold}, fewer than {fewer}, so all items count: r = t = {found.total}."


def say_fall(before: Checklist, after: Checklist) -> str:
    """Say why the reward fell from one step to the next; empty where it did not."""
    if before.reward is None or after.reward is None or after.reward >= before.reward:
        return ""
    said = f"r fell from {before.reward} to {after.reward}"
    if after.by_primary and not before.by_primary:
        return (
            f"{said} although more primary items hold ({before.primary}, now {after.primary}): from"
            f" {WORDS[len(PRIMARY) - 1]} of them on the secondary items no longer count. That is"
            " how the paper defines r; look at the items."
        )
    held = {one.item for one in before.items if one.score == 1}
    lost = [item_name(one.item) for one in after.items if one.score == 0 and one.item in held]
    if not lost:
        return f"{said}."
    return f"{said}: {', '.join(lost)} {'holds' if len(lost) == 1 else 'hold'} no longer."


def tally(found: Checklist) -> str:
    """Say how many items hold, by tier: what stands beside the vector."""
    secondary = [one for one in found.items if one.item not in PRIMARY]
    reward = f" · **reward r = {found.reward}**" if found.complete else ""
    return (
        f"{found.primary} of {len(found.items) - len(secondary)} primary items hold (s),"
        f" {found.total} of {counted(len(found.items), 'item')} in all (t){reward}"
    )


def judges(found: Checklist) -> str:
    """Return who judged, code apart."""
    return (
        ", ".join(dict.fromkeys(one.by for one in found.items if one.by not in ("code", "nobody")))
        or "code"
    )


def draw(found: Checklist) -> None:
    """Draw every item with its score, the two tiers apart, and what decided the reward."""
    _tiers({one.item: LOOKS[one.score] for one in found.items})
    st.markdown(
        f":small[{tally(found)}. {say_decision(found)} Judged by {inline(judges(found), 80)}.]",
        help=REWARD,
    )


def so_far(idea: Idea | None, judged: Mapping[str, int | None]) -> None:
    """Draw the items while the idea is written or judged."""
    held = [item.name for item in (items_of(idea) if idea else ITEMS)]
    _tiers({name: LOOKS[judged[name]] if name in judged else PENDING for name in held})
    st.markdown(
        f":small[{len(judged)} of {len(held)} items judged; each is judged by itself, without"
        " knowledge of the others.]"
    )


def demands() -> None:
    """Draw the way to read what each item demands."""
    with st.popover("What the items demand", icon=":material/rule:", type="tertiary"):
        for item in ITEMS:
            name = f"**{inline(item_name(item.name))}** :gray[{item.tier}]"
            st.markdown(f"{name}  \n{inline(item.holds, 600)}")


def _tiers(looks: Mapping[str, ScoreLook]) -> None:
    tiers = {
        "Primary items": [name for name in looks if name in PRIMARY],
        "Secondary items": [name for name in looks if name not in PRIMARY],
    }
    columns = st.columns([max(1, len(names)) for names in tiers.values()], gap="small")
    for column, (tier, names) in zip(columns, tiers.items(), strict=True):
        with column, st.container(border=True, gap="xsmall"):
            st.markdown(f":small[**{tier}**]")
            with st.container(horizontal=True, gap="medium"):
                for name in names:
                    look = looks[name]
                    st.markdown(
                        f":small[{inline(item_name(name))}]  \n:{look.colour}[{look.icon}]"
                        f" :small[{look.word}]",
                        width="content",
                    )
