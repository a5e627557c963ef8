"""Who can fill a cell of the matrix: what each contender is asked for, in which runs, and which
ideas these came to.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

from core.methods import BaselineInputs, ChainInputs, RefineInputs
from core.methods.evolution import EvolveInputs
from core.methods.questioning import QuestionInputs
from core.records import (
    FIXED_ROUNDS,
    Cell,
    Checklist,
    Evolved,
    FrozenTarget,
    Idea,
    Indicator,
    Outcome,
    Paper,
    Play,
    Prepared,
    Record,
    Stopping,
    Target,
    Variant,
    model_part,
)
from core.story import Line, Story

Contender = Literal[
    "initial",
    "self-reflection",
    "infal",
    "review-rebuttal",
    "no-discriminator",
    "no-optimizer",
    "evolve",
    "evolve-uninformed",
    "direct",
    "rag",
    "chain",
]
"""Methods that can fill a cell."""
REFINING: tuple[Variant, ...] = get_args(Variant)
"""Contenders that play for the indicator; what the others write does not depend on it, so that one
set of their ideas serves all indicators.
"""
EVOLVING: tuple[Contender, ...] = ("evolve", "evolve-uninformed")
STEPS = 2
"""How many ideas a checklist evolution goes through (EvoIdeator, section 4)."""


class Task(NamedTuple):
    """A run that a cell needs: its name within the sweep, its method, what it is asked for."""

    name: str
    method: str
    inputs: Record


class ContenderStart(NamedTuple):
    """What a contender begins with, written once for all that begin with the same."""

    ideas: tuple[Idea, ...] = ()
    steps: tuple[Evolved, ...] = ()
    """The same, judged by the checklist, where they are evolved."""
    given: Prepared | None = None
    """The research question and the literature review of an evolution."""


def base(method: Contender, model: str, goal: Indicator, target: str) -> str:
    """Return the path under which a contender's runs go: that of the cell, or of all its indicators
    where they make no difference.
    """
    if method in REFINING:
        return Cell(method=method, model=model, indicator=goal.name, target=target).name
    return f"{method}/{model_part(model)}/{target[:12]}"


def names(method: Contender, under: str, n: int) -> tuple[str, ...]:
    """Return the names of the runs in which a contender writes n ideas: one that writes them side
    by side, or one for each.
    """
    together = method in (*REFINING, *EVOLVING)
    return (f"{under}/ideas",) if together else tuple(f"{under}/ideas-{k}" for k in range(1, n + 1))


def tasks(
    method: Contender,
    under: str,
    n: int,
    area: str,
    goal: Indicator,
    rules: Stopping,
    target: Target,
    start: ContenderStart | None = None,
) -> tuple[Task, ...]:
    """Return the runs in which a contender writes n ideas on the target's topic; none is told the
    target's idea, and none finds its paper.

    Without a start it begins with ideas of its own, and an evolution with the topic as its
    question. One that only writes first ideas has a run to make only then.
    """
    called = names(method, under, n)
    if method in REFINING:
        if start and method == "initial":
            return ()
        play = Play(variant=method, goals=(goal,), rules=rules_for(method, rules))
        game = RefineInputs(
            topic=target.topic,
            area=area,
            play=play,
            context=target.background,
            k=0,
            lines=n,
            firsts=start.ideas if start else (),
        )
        return (Task(called[0], "refine", game),)
    if method in EVOLVING:
        given, firsts = (start.given, start.steps) if start else (None, ())
        given = given or Prepared(question=target.topic, review=reviewed(target.background))
        evolution = EvolveInputs(
            topic=target.topic,
            question=given.question,
            review=given.review,
            papers=False,
            steps=STEPS,
            informed=method == "evolve",
            lines=len(firsts) or n,
            firsts=firsts,
        )
        return (Task(called[0], "evolve", evolution),)
    before = target.paper.published or (f"{target.paper.year}-01-01" if target.paper.year else None)
    looking = {
        "topic": target.topic,
        "before": before and (before + "-01-01")[:10],
        "ban": tuple(sorted(target.paper.names)),
        "design": False,
    }
    inputs = ChainInputs(**looking) if method == "chain" else BaselineInputs(**looking)
    return tuple(Task(name, method, inputs) for name in called)


def question(name: str, target: Target) -> Task:
    """Return the run in which a target's topic becomes a research question, and its background the
    literature review of it.
    """
    return Task(
        name,
        "question",
        QuestionInputs(
            topic=target.topic, papers=tuple(paper for paper in target.background if paper.abstract)
        ),
    )


def first_evolution(name: str, n: int, target: Target, given: Prepared) -> Task:
    """Return the run in which the first ideas of evolutions are written and judged."""
    return Task(
        name,
        "evolve",
        EvolveInputs(
            topic=target.topic,
            question=given.question,
            review=given.review,
            papers=False,
            steps=1,
            lines=n,
        ),
    )


def unknown(target: FrozenTarget) -> Target:
    """Return a target of which no more is known than a table needs: enough to count runs and calls,
    with a background to review.
    """
    paper = Paper(id=target.sha, title=target.title, abstract=target.title)
    return Target(
        paper=paper,
        category=target.category,
        topic=target.title,
        background=(paper,),
        idea=Idea(form="hypothesis", fields={"hypothesis": target.title}),
    )


def unknown_start(target: FrozenTarget, n: int) -> ContenderStart:
    """Return a start of which no more is known than it takes to count runs and calls."""
    idea = Idea(form="hypothesis", fields={"hypothesis": target.title})
    return ContenderStart(
        (idea,) * n,
        (Evolved(n=0, idea=idea, scores=Checklist(items=())),) * n,
        Prepared(question=target.title),
    )


def rules_for(method: Contender, rules: Stopping) -> Stopping:
    """Return when a variant stops: without a discriminator after seven rounds at most, alone at the
    first verdict that sees no improvement.
    """
    if method == "no-discriminator":
        return rules.model_copy(update={"max_rounds": min(FIXED_ROUNDS, rules.max_rounds)})
    return rules.model_copy(update={"patience": 1}) if method == "self-reflection" else rules


def reviewed(papers: Sequence[Paper]) -> str:
    """Return the background as the literature review an evolution starts from: what a refinement is
    given too, no more and no less.
    """
    return "\n\n".join(
        f"[{paper.id}] {paper.title}"
        f" ({paper.published or paper.year or 'no date'})\n{paper.abstract}".strip()
        for paper in papers
    )


def series(method: Contender, rules: Stopping) -> int:
    """Return how many model calls a contender makes one after the other at most: long games begin
    first, so that the end is short.
    """
    if method in REFINING:
        return 1 if method == "initial" else 1 + 2 * rules_for(method, rules).max_rounds
    return {"evolve": 2 * STEPS, "evolve-uninformed": STEPS, "direct": 1, "rag": 2, "chain": 20}[
        method
    ]


def versions(method: Contender, rules: Stopping) -> int:
    """Return how many versions of an idea a contender writes at most, the first included."""
    if method in REFINING:
        return 1 if method == "initial" else 1 + rules_for(method, rules).max_rounds
    return STEPS if method in EVOLVING else 1


def ended(story: Story) -> tuple[Outcome, ...]:
    """Return how each of a run's ideas ended, in their order."""
    return tuple(sorted(story.all(Outcome), key=lambda one: one.branch or 0))


def rounds_of(story: Story) -> list[tuple[Idea, ...]]:
    """Return the ideas as they stood after each round, 0 as first written; an idea that stopped
    earlier stands as it ended. Empty where there were none.
    """
    lines = [versions for line in story.lines if (versions := versions_of(line))]
    most = max(map(len, lines), default=0)
    if most > 1:
        return [tuple(mine[min(n, len(mine) - 1)] for mine in lines) for n in range(most)]
    return []


def versions_of(line: Line) -> tuple[Idea, ...]:
    """Return every version of one idea, whether it was refined or evolved, the first one first."""
    if evolved := line.all(Evolved):
        return tuple(one.idea for one in sorted(evolved, key=lambda one: one.n))
    return tuple(line.version(n) for n in range(line.newest + 1)) if line.first else ()
