"""The nine items on screen: number, colour, whether one holds, and in a sentence what decided the
reward.
"""

from typing import NamedTuple

from components.shell.colours import BRANCHES
from components.shell.text import counted
from core.records import ITEMS, PRIMARY, Checklist

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


def named(item: str) -> str:
    """Return what an item is called: its number and its name."""
    return f"{NUMBERS.get(item, '')} {item.capitalize()}".strip()


def decided(found: Checklist) -> str:
    """Say in one sentence what the lexicographic reward is and which tier decided it (EvoIdeator,
    equation 3).
    """
    if not found.complete:
        missing = [named(one.item) for one in found.items if one.score is None]
        return (
            f"r cannot be given: {', '.join(missing)} {'was' if len(missing) == 1 else 'were'} not"
            f" judged, and what is not judged is not counted as 0. Of the others {found.total}"
            " hold."
        )
    s, n = found.primary, len(PRIMARY)
    hold = (
        f"{WORDS[s].capitalize()} of {WORDS[n]} primary items {'holds' if s == 1 else 'hold'}"
        if s
        else f"None of the {WORDS[n]} primary items holds"
    )
    if found.by_primary:
        return (
            f"{f'All {WORDS[n]} primary items hold' if s == n else hold}, so they alone count: r ="
            f" s = {s}."
        )
    return f"{hold}, fewer than {WORDS[n - 1]}, so all items count: r = t = {found.total}."


def fell(before: Checklist, after: Checklist) -> str:
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
    lost = [
        named(one.item) for one in after.items if one.score == 0 and _scored(before, one.item) == 1
    ]
    return (
        f"{said}: {', '.join(lost)} {'holds' if len(lost) == 1 else 'hold'} no longer."
        if lost
        else f"{said}."
    )


def _scored(found: Checklist, item: str) -> int | None:
    return next((one.score for one in found.items if one.item == item), None)


def tally(found: Checklist) -> str:
    """Say how many items hold, by tier: what stands beside the vector."""
    secondary = [one for one in found.items if one.item not in PRIMARY]
    return (
        f"s = {found.primary} of {len(found.items) - len(secondary)} primary · t = {found.total} of"
        f" {counted(len(found.items), 'item')}"
        + (f" · **r = {found.reward}**" if found.complete else "")
    )


def judges(found: Checklist) -> str:
    """Return who judged, code apart."""
    return (
        ", ".join(dict.fromkeys(one.by for one in found.items if one.by not in ("code", "nobody")))
        or "code"
    )
