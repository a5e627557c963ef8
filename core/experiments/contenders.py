"""Who can fill a cell of the matrix: what each contender is asked for, in which runs, and which ideas these came to."""
from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

from core.methods import BaselineInputs, ChainInputs, RefineInputs
from core.methods.evolution import EvolveInputs
from core.records import FIXED_ROUNDS, Cell, Evolved, FrozenTarget, Idea, Indicator, Outcome, Paper, Play, Record, Stopping, Target, Variant, model_part
from core.story import Line, Story

Contender = Literal["initial", "self-reflection", "infal", "review-rebuttal", "no-discriminator", "no-optimizer", "evolve", "evolve-uninformed",
                    "direct", "rag", "chain"]
"""Methods that can fill a cell."""
REFINING: tuple[Variant, ...] = get_args(Variant)
"""Contenders that play for the indicator; what the others write does not depend on it, so that one set of their ideas serves all indicators."""
STEPS = 2
"""How many ideas a checklist evolution goes through (EvoIdeator, section 4)."""


class Task(NamedTuple):
    """A run that a cell needs: its name within the sweep, its method, what it is asked for."""

    name: str
    method: str
    inputs: Record


def base(method: Contender, model: str, goal: Indicator, target: str) -> str:
    """Return the path under which a contender's runs go: that of the cell, or of all its indicators where they make no difference."""
    return Cell(method=method, model=model, indicator=goal.name, target=target).name if method in REFINING else f"{method}/{model_part(model)}/{target[:12]}"


def names(method: Contender, under: str, n: int) -> tuple[str, ...]:
    """Return the names of the runs in which a contender writes n ideas: one that writes them side by side, or one for each."""
    together = method in (*REFINING, "evolve", "evolve-uninformed")
    return (f"{under}/ideas",) if together else tuple(f"{under}/ideas-{k}" for k in range(1, n + 1))


def tasks(method: Contender, under: str, n: int, area: str, goal: Indicator, rules: Stopping, target: Target) -> tuple[Task, ...]:
    """Return the runs in which a contender writes n ideas on the target's topic; none is told the target's idea, and none finds its paper."""
    called = names(method, under, n)
    if method in REFINING:
        play = Play(variant=method, goals=(goal,), rules=rules_for(method, rules))
        return (Task(called[0], "refine", RefineInputs(topic=target.topic, area=area, play=play, context=target.background, k=0, lines=n)),)
    if method in ("evolve", "evolve-uninformed"):
        asked = EvolveInputs(topic=target.topic, question=target.topic, review=reviewed(target.background), papers=False, steps=STEPS,
                             informed=method == "evolve", lines=n)
        return (Task(called[0], "evolve", asked),)
    before = target.paper.published or (f"{target.paper.year}-01-01" if target.paper.year else None)
    looking = {"topic": target.topic, "before": before and (before + "-01-01")[:10], "ban": tuple(sorted(target.paper.names)), "design": False}
    inputs = ChainInputs(**looking) if method == "chain" else BaselineInputs(**looking)
    return tuple(Task(name, method, inputs) for name in called)


def unknown(target: FrozenTarget) -> Target:
    """Return a target of which no more is known than a table needs: enough to count runs and calls."""
    return Target(paper=Paper(id=target.sha, title=target.title), topic=target.title, idea=Idea(form="hypothesis", fields={"hypothesis": target.title}))


def rules_for(method: Contender, rules: Stopping) -> Stopping:
    """Return when a variant stops: without a discriminator after seven rounds at most, alone at the first verdict that sees no improvement."""
    if method == "no-discriminator":
        return rules.model_copy(update={"max_rounds": min(FIXED_ROUNDS, rules.max_rounds)})
    return rules.model_copy(update={"patience": 1}) if method == "self-reflection" else rules


def reviewed(papers: Sequence[Paper]) -> str:
    """Return the background as the literature review an evolution starts from: what a refinement is given too, no more and no less."""
    return "\n\n".join(f"[{paper.id}] {paper.title} ({paper.published or paper.year or 'no date'})\n{paper.abstract}".strip() for paper in papers)


def series(method: Contender, rules: Stopping) -> int:
    """Return how many model calls a contender makes one after the other at most: long games begin first, so that the end is short."""
    if method in REFINING:
        return 1 if method == "initial" else 1 + 2 * rules_for(method, rules).max_rounds
    return {"evolve": 2 * STEPS, "evolve-uninformed": STEPS, "direct": 1, "rag": 2, "chain": 20}[method]


def versions(method: Contender, rules: Stopping) -> int:
    """Return how many versions of an idea a contender writes at most, the first included."""
    if method in REFINING:
        return 1 if method == "initial" else 1 + rules_for(method, rules).max_rounds
    return STEPS if method in ("evolve", "evolve-uninformed") else 1


def ended(story: Story) -> tuple[Outcome, ...]:
    """Return how each of a run's ideas ended, in their order."""
    return tuple(sorted(story.all(Outcome), key=lambda one: one.branch or 0))


def rounds_of(story: Story) -> list[tuple[Idea, ...]]:
    """Return the ideas as they stood after each round, 0 as first written; an idea that stopped earlier stands as it ended. Empty where there were none."""
    lines = [versions for line in story.lines if (versions := versions_of(line))]
    most = max(map(len, lines), default=0)
    return [tuple(mine[min(n, len(mine) - 1)] for mine in lines) for n in range(most)] if most > 1 else []


def versions_of(line: Line) -> tuple[Idea, ...]:
    """Return every version of one idea, whether it was refined or evolved, the first one first."""
    if evolved := line.all(Evolved):
        return tuple(one.idea for one in sorted(evolved, key=lambda one: one.n))
    return tuple(line.version(n) for n in range(line.newest + 1)) if line.first else ()
