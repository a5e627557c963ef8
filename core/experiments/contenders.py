"""Who can fill a cell of the matrix: what each contender is asked for, in which runs, and which
ideas these came to.
"""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, get_args

from core.methods import BaselineInputs, ChainInputs, RefineInputs
from core.methods.evolution import EvolveInputs
from core.methods.novelty.dating import public_from, published_from
from core.methods.questioning import QuestionInputs
from core.records import (
    EDITION,
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
ENDLESS = (
    *("initial", "no-discriminator", "evolve", "evolve-uninformed"),
    *("direct", "rag", "chain"),
)
"""Contenders that nothing tells to stop before the end, or that revise once: a share that converged
says nothing of them.
"""
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


class ContenderBrief(NamedTuple):
    """What a contender is told of a cell."""

    n: int
    area: str
    goal: Indicator
    rules: Stopping
    target: Target
    start: ContenderStart
    edition: int


class Writer(NamedTuple):
    """How a contender writes ideas."""

    method: str
    """Of its runs."""
    asked: Callable[[ContenderBrief], Record]
    """What such a run is asked for."""
    series: Callable[[Stopping], int]
    """How many model calls it makes one after the other at most."""
    versions: Callable[[Stopping], int] = lambda _: 1
    """How many versions of an idea it writes at most, the first included."""
    for_the_goal: bool = False
    """Whether what it writes depends on the indicator."""
    side_by_side: bool = False
    """Whether one run writes all its ideas; otherwise there is a run for each."""
    only_first: bool = False
    """Whether it revises nothing."""


def base(method: Contender, model: str, goal: Indicator, target: str) -> str:
    """Return the path under which a contender's runs go: that of the cell, or of all its indicators
    where they make no difference.
    """
    if not WRITERS[method].for_the_goal:
        return f"{method}/{model_part(model)}/{target[:12]}"
    cell = Cell(method=method, model=model, indicator=goal.name, target=target)
    return cell.name


def names(method: Contender, under: str, n: int) -> tuple[str, ...]:
    """Return the names of the runs in which a contender writes n ideas: one that writes them side
    by side, or one for each.
    """
    if WRITERS[method].side_by_side:
        return (f"{under}/ideas",)
    return tuple(f"{under}/ideas-{k}" for k in range(1, n + 1))


def tasks(
    method: Contender,
    under: str,
    n: int,
    area: str,
    goal: Indicator,
    rules: Stopping,
    target: Target,
    start: ContenderStart | None = None,
    edition: int = EDITION,
) -> tuple[Task, ...]:
    """Return the runs in which a contender writes n ideas on the target's topic; none is told the
    target's idea, and none finds its paper.

    Without a start it begins with ideas of its own, and an evolution with the topic as its
    question. One that only writes first ideas has a run to make only then.
    """
    writer = WRITERS[method]
    if start and writer.only_first:
        return ()
    brief = ContenderBrief(n, area, goal, rules, target, start or ContenderStart(), edition)
    inputs = writer.asked(brief)
    runs = names(method, under, n)
    return tuple(Task(run, writer.method, inputs) for run in runs)


def _refining(variant: Variant) -> Writer:
    """Return how a variant of refinement writes: it plays for the indicator."""

    def asked(told: ContenderBrief) -> Record:
        play = Play(variant=variant, goals=(told.goal,), rules=rules_for(variant, told.rules))
        return RefineInputs(
            topic=told.target.topic,
            area=told.area,
            play=play,
            context=told.target.background,
            k=0,
            lines=told.n,
            firsts=told.start.ideas,
        )

    def rounds(rules: Stopping) -> int:
        return 0 if variant == "initial" else rules_for(variant, rules).max_rounds

    return Writer(
        "refine",
        asked,
        lambda rules: 1 + 2 * rounds(rules),
        lambda rules: 1 + rounds(rules),
        for_the_goal=True,
        side_by_side=True,
        only_first=variant == "initial",
    )


def _evolving(informed: bool) -> Writer:
    """Return how a checklist evolution writes, with or without directives."""

    def asked(told: ContenderBrief) -> Record:
        target, firsts = told.target, told.start.steps
        given = told.start.given or Prepared(
            question=target.topic, review=review_background(target.background)
        )
        return EvolveInputs(
            topic=target.topic,
            question=given.question,
            review=given.review,
            papers=False,
            steps=STEPS,
            informed=informed,
            lines=len(firsts) or told.n,
            firsts=firsts,
        )

    calls = 2 * STEPS if informed else STEPS
    return Writer("evolve", asked, lambda _: calls, lambda _: STEPS, side_by_side=True)


def _looking(method: str, kind: type[ChainInputs | BaselineInputs], calls: int) -> Writer:
    """Return how a method writes that looks for papers itself."""

    def asked(told: ContenderBrief) -> Record:
        paper = told.target.paper
        return kind(
            topic=told.target.topic,
            before=public_from(paper) if told.edition > 3 else published_from(paper),
            ban=tuple(sorted(paper.names)),
            design=False,
        )

    return Writer(method, asked, lambda _: calls)


WRITERS: dict[str, Writer] = {
    **{variant: _refining(variant) for variant in REFINING},
    "evolve": _evolving(informed=True),
    "evolve-uninformed": _evolving(informed=False),
    "direct": _looking("direct", BaselineInputs, 1),
    "rag": _looking("rag", BaselineInputs, 2),
    "chain": _looking("chain", ChainInputs, 20),
}


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


def rules_for(variant: Variant, rules: Stopping) -> Stopping:
    """Return when a variant stops: without a discriminator after seven rounds at most, alone at the
    first verdict that sees no improvement.
    """
    own = {
        "no-discriminator": {"max_rounds": min(FIXED_ROUNDS, rules.max_rounds)},
        "self-reflection": {"patience": 1},
    }
    return rules.model_copy(update=own.get(variant, {}))


def review_background(papers: Sequence[Paper]) -> str:
    """Return the background as the literature review an evolution starts from: what a refinement is
    given too, no more and no less.
    """
    return "\n\n".join(
        f"[{paper.id}] {paper.title}"
        f" ({paper.published or paper.year or 'no date'})\n{paper.abstract}".strip()
        for paper in papers
    )


def ended(story: Story) -> tuple[Outcome, ...]:
    """Return how each of a run's ideas ended, in their order."""
    return tuple(sorted(story.all(Outcome), key=lambda one: one.branch or 0))


def rounds_of(story: Story, edition: int = EDITION) -> list[tuple[Idea, ...]]:
    """Return the ideas as they stood after each round, 0 as first written; an idea that stopped
    earlier stands as it ended. Empty where there were none.
    """
    lines = [(versions, line) for line in story.lines if (versions := versions_of(line))]
    most = max((len(versions) for versions, _ in lines), default=0)
    ends = [
        line.outcome.idea if line.outcome and edition > 3 else versions[-1]
        for versions, line in lines
    ]
    rounds = []
    for n in range(most if most > 1 else 0):
        pairs = zip(lines, ends, strict=True)
        ideas = [versions[n] if n < len(versions) else end for (versions, _), end in pairs]
        rounds.append(tuple(ideas))
    return rounds


def versions_of(line: Line) -> tuple[Idea, ...]:
    """Return every version of one idea, whether it was refined or evolved, the first one first."""
    steps = sorted(line.all(Evolved), key=lambda step: step.n)
    if steps:
        return tuple(step.idea for step in steps)
    if not line.first:
        return ()
    rounds = range(line.newest + 1)
    return tuple(map(line.version, rounds))
