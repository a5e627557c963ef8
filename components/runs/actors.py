"""The three actors: one colour and icon each, the same on every screen, and who has which part in a
game.
"""

from collections.abc import Mapping
from typing import Literal

from components.shell.text import inline
from core.records import Actor, Variant

ACTORS: Mapping[str, tuple[str, str, str, str]] = {
    "optimizer": ("orange", ":material/rate_review:", "Optimizer", "#d9822b"),
    "generator": ("blue", ":material/draw:", "Generator", "#2f7fc1"),
    "discriminator": ("violet", ":material/balance:", "Discriminator", "#8a5fbf"),
}
Part = Literal["review", "revise", "verdict"]
CAST: Mapping[Part, Actor] = {
    "review": "optimizer",
    "revise": "generator",
    "verdict": "discriminator",
}
ABSENT: Mapping[str, str] = {
    "self-reflection": (
        "The generator plays alone: it criticises its own idea, revises it, and says itself whether"
        " that is better."
    ),
    "no-optimizer": "No optimizer plays: every revision is made without a review.",
    "no-discriminator": (
        "No discriminator plays: every revision is taken, for a fixed number of rounds."
    ),
}
"""Who is missing, by variant."""


def head(actor: str, does: str, name: str = "") -> str:
    """Return the Markdown heading of an actor's column; `name` is what the actor is called in this
    game.
    """
    colour, icon, usual, _ = ACTORS[actor]
    return f":{colour}-badge[{icon} {inline(name or usual)}] {does}"


def cast(variant: Variant) -> Mapping[Part, Actor]:
    """Return who has which part; a part that nobody plays is not in it."""
    if variant == "self-reflection":
        return dict.fromkeys(CAST, "generator")
    missing = {
        "no-optimizer": ("review",),
        "no-discriminator": ("verdict",),
        "initial": tuple(CAST),
    }.get(variant, ())
    return {part: actor for part, actor in CAST.items() if part not in missing}
