"""The three actors of a refinement, the same on every screen: their colours and icons, the variants
they play, and who has which part.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from components.shell.text import inline
from core.charts.style import ACTORS as COLOURS
from core.methods.adversarial.actors import EARLIER_NAMES
from core.records import ACTORS as EVERYBODY
from core.records import Actor, Play, Variant

ACTORS: Mapping[str, tuple[str, str, str, str]] = {
    "optimizer": ("orange", ":material/rate_review:", "Optimizer", COLOURS["optimizer"]),
    "generator": ("blue", ":material/draw:", "Generator", COLOURS["generator"]),
    "discriminator": (
        "violet",
        ":material/balance:",
        "Discriminator",
        COLOURS["discriminator"],
    ),
}
Part = Literal["review", "revise", "verdict"]
CAST: Mapping[Part, Actor] = {
    "review": "optimizer",
    "revise": "generator",
    "verdict": "discriminator",
}
ABSENT: Mapping[str, str] = {
    "self-reflection": (
        "The generator works alone: it criticises its own idea, revises it, and says itself whether"
        " that is better."
    ),
    "no-optimizer": "There is no optimizer: every revision is made without a review.",
    "no-discriminator": (
        "There is no discriminator: every revision is taken, for a fixed number of rounds."
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


class VariantKind(NamedTuple):
    """How a variant is called and what it is."""

    label: str
    about: str
    people: tuple[Actor, ...] = ()
    """Whom a person can play in it."""
    in_brief: str = ""
    """What is done in it, where the name does not say."""


KINDS: dict[Variant, VariantKind] = {
    "infal": VariantKind(
        "InfAL",
        "Generator, optimizer and discriminator, who reads the review too. Three calls a round, two"
        " of them side by side.",
        EVERYBODY,
        "round by round one model reviews the idea, one revises it and one compares both versions",
    ),
    "review-rebuttal": VariantKind(
        "Review & Rebuttal",
        f"The earlier form: {EARLIER_NAMES['generator']}, {EARLIER_NAMES['optimizer']} and"
        f" {EARLIER_NAMES['discriminator']}, who does not read the review. Three calls a round, two"
        " of them side by side.",
        EVERYBODY,
    ),
    "self-reflection": VariantKind(
        "Self-reflection",
        "A baseline: the generator criticises and revises its own idea. Two calls a round.",
    ),
    "initial": VariantKind(
        "Initial idea",
        "A baseline: the generator writes one idea and it is not refined. One call in all.",
        ("generator",),
    ),
    "no-discriminator": VariantKind(
        "Without discriminator",
        "An ablation: without verdicts, so every round is run. Two calls a round.",
        ("generator", "optimizer"),
    ),
    "no-optimizer": VariantKind(
        "Without optimizer",
        "An ablation: revised without a review. Two calls a round.",
        ("generator", "discriminator"),
    ),
}


def played(play: Play) -> str:
    """Return how a refinement is played, by the name of its variant."""
    return "Algorithm 1 of InfAL as printed" if play.printed else KINDS[play.variant].label
