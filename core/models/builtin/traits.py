"""Rules for an indicator of one's own: every trait has to be spoken to somewhere in the idea."""

from core.models.builtin.english import clean, clipped, retold
from core.models.builtin.foresight import told
from core.models.builtin.phrases import called
from core.models.builtin.rules import Case, Edit, Rule

COVERED = 0.45
"""Cosine of a trait and the idea's nearest sentence from which the sentence speaks to the trait."""
NEAR_PASSAGE = 0.3
"""Cosine of a trait and a paper's passage from which the passage can show how others dealt with it."""


def trait_rules(traits: tuple[str, ...]) -> tuple[Rule, ...]:
    """Return one rule per trait."""
    return tuple(_rule(clipped(clean(trait), 160) or "the quality asked for", n) for n, trait in enumerate(traits))


def _rule(trait: str, place: int) -> Rule:
    return Rule(trait, trait, 2, lambda case: _unmet(case, trait), lambda case: _speak_to(case, trait, place), f"Nothing is said about {trait}.")


def _unmet(case: Case, trait: str) -> str | None:
    if not case.lines or any(trait.lower() in line.lower() for line in case.lines):
        return None
    near = case.library.embed(case.lines) @ case.library.vector(trait)
    best = int(near.argmax())
    if float(near[best]) >= COVERED:
        return None
    return (
        f'No sentence speaks to "{trait}"; the nearest reaches a cosine of {float(near[best]):.2f} (bound {COVERED:.2f}): '
        f'"{clipped(case.lines[best], 140)}" Say what the plan does about it.'
    )


PLANS = (
    "For {trait}, it is written down beforehand what would count, and the finding is reported beside {measure}",
    "Two people who are not part of the work judge {trait} before it starts and after it ends",
    "A question on {trait} is put to everybody concerned, and the answers are published with the result",
    "One part of the budget is kept for {trait}, and what it bought is reported",
)
"""Ways of taking up a trait that no paper at hand speaks of, one after the other."""


def _speak_to(case: Case, trait: str, place: int) -> tuple[Edit, ...]:
    asked = case.library.vector(f"{trait}. {case.essence}")
    passages = [one for one in case.library.passages(case.reach) if one.alone]
    best = max(passages, key=lambda one: (round(float(one.vector @ asked), 4), one.paper.id), default=None)
    subject = retold(trait)
    if best is None or float(best.vector @ case.library.vector(trait)) < NEAR_PASSAGE:
        return (Edit("method", PLANS[place % len(PLANS)].replace("{measure}", case.study.measure).replace("{trait}", subject)),)
    return (Edit("method", f"For {subject}, the plan follows {called(best.paper)}: {told(best)}"),)
