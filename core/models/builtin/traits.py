"""Rules for an indicator of one's own: a trait that means one of the measurable rules is measured
by it; any other is for a person to judge.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.models.builtin.english import clean, clipped
from core.models.builtin.library import PassageLibrary
from core.models.builtin.rules import IdeaCase, Rule

MEANS = 0.5
"""Cosine of a trait and a rule's demand from which the trait is measured by that rule."""


def trait_rules(
    library: PassageLibrary, traits: Sequence[str], known: Sequence[Rule]
) -> tuple[Rule, ...]:
    """Return one rule per trait: the known rule that means the same, under the trait's name, or
    else one that leaves it to a person.
    """
    wanted = [clipped(clean(trait), 160) or "the quality asked for" for trait in traits]
    if not wanted:
        return ()
    asked = library.embed(wanted)
    near = np.maximum(
        asked @ library.embed([rule.plainly for rule in known]).T,
        asked @ library.embed([rule.trait for rule in known]).T,
    )
    found: dict[str, Rule] = {}
    for trait, row in zip(wanted, near, strict=True):
        best = known[int(row.argmax())]
        measured = float(row.max()) >= MEANS and best.name not in found
        found[best.name if measured else trait] = (
            replace(best, trait=trait) if measured else _unjudged(trait)
        )
    return tuple(found.values())


def _unjudged(trait: str) -> Rule:
    return Rule(
        trait,
        trait,
        0,
        lambda case: _left_to_a_person(case, trait),
        lambda _: (),
        f"Nothing is said about {trait}.",
    )


def _left_to_a_person(case: IdeaCase, trait: str) -> str:
    asked = (
        f'A rule cannot judge whether the idea meets "{trait}"; a person must, and it does not'
        " count in the comparison of versions."
    )
    if not case.lines:
        return asked
    near = case.library.embed(case.lines) @ case.library.vector(trait)
    return (
        f"{asked} The sentence to look at first is"
        f' "{clipped(case.lines[int(near.argmax())], 140).rstrip(".")}".'
    )
