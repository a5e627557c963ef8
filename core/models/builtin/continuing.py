"""Continuing a chain: its next step, the sketch of an idea that takes it, and the idea; each finds
again what the one before meant.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from core.models.builtin import moves
from core.models.builtin.english import clean, clipped, listed, lowered, opened, said, sentences
from core.models.builtin.library import PassageLibrary
from core.models.builtin.material import Material, material_for
from core.models.builtin.pairing import mentions
from core.models.builtin.phrases import headline
from core.models.builtin.planning import Plan, chosen, plans
from core.models.builtin.proposal import proposed
from core.models.builtin.searching import topic_named
from core.models.builtin.setting import kind_of
from core.models.builtin.sources import ReadPaper, sources_of
from core.records import Chain, ChainIdea, Direction, Draft, Entity, NextStep, Outlook, Trend

NEAREST_NAMED = 3
"""How many papers of the chain an idea is set apart from, by name."""
ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth")


@dataclass(frozen=True, eq=False)
class WorkedChain:
    """A chain as the built-in model works on it."""

    library: PassageLibrary
    topic: str
    chain: Chain

    @cached_property
    def sources(self) -> tuple[ReadPaper, ...]:
        return sources_of(self.library, self.chain)

    @cached_property
    def plans(self) -> list[Plan]:
        return plans(self.library, self.topic, self.sources, self.chain.ordered)

    def choose(self, taken: Sequence[object], seed: int) -> Plan:
        """Return the step to take: none that was taken."""
        return chosen(
            self.plans,
            taken,
            seed,
            {plan: (moves.direction(plan), moves.lead(plan)) for plan in self.plans},
        )

    def meant(self, text: str) -> Plan | None:
        """Return the step a text of ours goes on from; None where somebody else wrote it."""
        flat = _flat(text)
        return next(
            (
                plan
                for plan in self.plans
                if flat.startswith((_flat(moves.direction(plan)), _flat(moves.lead(plan))))
            ),
            None,
        )

    def material(self, plan: Plan) -> Material:
        # A mechanism carried over is tried where the problem is, so the data are those of the
        # problem's paper alone.
        named = [plan.one] if plan.other is None or plan.move == "carry" else [plan.one, plan.other]
        return material_for((plan.other or plan.one).kind, named)


def _flat(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()


def future(
    library: PassageLibrary,
    topic: str,
    chain: Chain,
    trend: Trend | None,
    entities: tuple[Entity, ...],
    taken: tuple[object, ...],
    seed: int,
    most: int | None = None,
) -> Direction | Outlook:
    """Predict the next step: the most promising one the chain's own papers allow that was not
    taken; or several, the most promising first.
    """
    line = WorkedChain(library, topic, chain)
    steps: dict[str, Direction] = {}
    for _ in range(most or 1):
        plan = line.choose((*taken, *steps), seed)
        step = Direction(
            direction=moves.direction(plan),
            reasoning=said(*_grounds(plan), _led(line, plan, trend), _named(plan, entities)),
        )
        if step.direction in steps:
            break
        steps[step.direction] = step
    if most is None:
        return next(iter(steps.values()))
    found = tuple(
        NextStep(direction=one.direction, reasoning=one.reasoning) for one in steps.values()
    )
    return Outlook(
        candidates=found,
        choice="It is the most promising step that the papers allow." if len(found) > 1 else "",
    )


def _grounds(plan: Plan) -> list[str]:
    """Return the sentences that speak for a step: what the papers say, and whether they know one
    another.
    """
    one, other = plan.one, plan.other
    if not plan.point:
        return [
            f"Of {one.name} only the title is at hand, so nothing more can be said for this step"
            " than that its subject is the topic's"
        ]
    if plan.move == "repeat":
        return [
            f"No paper at hand names an open point or a mechanism to go on with; what {one.name}"
            f" reported is a place to go on from: {one.told(plan.point)}"
        ]
    if plan.move == "dissect":
        return [
            (
                f"{one.name} described more than one part: {one.told(plan.point)}."
                f" {one.told(plan.way)}"
            ),
            "Which of them the result depends on is not said in its abstract",
        ]
    if other is None:
        own = plan.point in one.gaps
        return [
            (
                f"A limit that a paper names itself is the surest place to go on; {one.name} named"
                " this one"
                if own
                else (
                    f"No paper at hand names a limit of its own; the problem that {one.name} set"
                    " out from is the nearest to one"
                )
            ),
            _result(one),
        ]
    met = mentions(one.paper.abstract, other.paper) or mentions(other.paper.abstract, one.paper)
    known = (
        "One of the two abstracts mentions the other work, so part of the way may have been gone"
        " already"
    )
    return [
        "" if plan.move == "carry" else f"{one.name} described this: {one.told(plan.point)}",
        f"{other.name} described this: {other.told(plan.way)}" if plan.way else "",
        (
            "The two are related but not alike"
            if 0.15 <= plan.cosine <= 0.6
            else f"In meaning the two lie {'close together' if plan.cosine > 0.6 else 'far apart'}"
        ),
        (
            known
            if met
            else (
                "Neither abstract mentions the other work, so the papers at hand have not put the"
                " two together"
            )
        ),
    ]


def _result(source: ReadPaper) -> str:
    found = next((line for line in source.findings if line not in source.gaps), "")
    return f"What it did find is this: {source.told(found)}" if found else ""


def _led(line: WorkedChain, plan: Plan, trend: Trend | None) -> str:
    """Say how the step follows from the chain's order."""
    if not trend or not trend.steps or not line.chain.ordered:
        return ""
    names = {source.paper.id: source.name for source in line.sources}
    last = trend.steps[-1]
    if last.earlier not in names or last.later not in names:
        return ""
    led = f"The chain's latest step led from {names[last.earlier]} to {names[last.later]}"
    return (
        f"{led}, and the proposal goes on from there"
        if last.later in plan.papers
        else f"{led}; the proposal turns back to what that step left aside"
    )


def _named(plan: Plan, entities: Sequence[Entity]) -> str:
    text = f"{plan.point} {plan.way}".lower()
    found = [
        entity.name for entity in entities if len(entity.name) > 2 and entity.name.lower() in text
    ][:3]
    return f"The terms of the chain that matter here are {listed(found)}" if len(found) > 1 else ""


def draft(
    library: PassageLibrary,
    topic: str,
    chain: Chain,
    direction: Direction | None,
    entities: tuple[Entity, ...],
    taken: tuple[object, ...],
    seed: int,
) -> Draft:
    """Sketch the idea that takes the step; where none is predicted, the most promising one that was
    not taken.
    """
    line = WorkedChain(library, topic, chain)
    plan = line.meant(direction.direction) if direction else line.choose(taken, seed)
    if plan is None:
        assert direction is not None, "a step that was chosen here is known"
        return _own_draft(line, direction)
    return sketched(line, plan, "" if direction else _named(plan, entities))


def sketched(line: WorkedChain, plan: Plan, last: str) -> Draft:
    """Sketch the idea a step leads to; `last` ends its method."""
    return Draft(
        motivation=said(*_motives(plan), f"It bears on {topic_named(line.topic)}"),
        novelty=said(moves.lead(plan), *_way(plan), _nearest_to(line, plan)),
        method=_method(plan, line.material(plan), last),
    )


def _method(plan: Plan, material: Material, last: str) -> str:
    steps = _numbered(moves.steps(plan, material))
    return said(steps, material.credit(steps), last)


def _motives(plan: Plan) -> list[str]:
    one, other = plan.one, plan.other
    if not plan.point:
        return [f"{one.name} is on the subject, but only its title is at hand"]
    if plan.move in ("settle", "carry"):
        called = moves.limit(plan).split(" named")[0].replace("the ", "this ", 1)
        stated = f"named {called}" if plan.point in one.gaps else "set out from this problem"
        return [
            f"{one.name} {stated}: {one.told(plan.point)}",
            _result(one) if plan.move == "settle" else "",
        ]
    if plan.move == "dissect":
        return [
            (
                f"{one.name} described this: {one.told(plan.point)}. It also described this:"
                f" {one.told(plan.way)}"
            ),
            (
                "As long as nobody knows which part the result depends on, everything has to be"
                " taken over"
            ),
        ]
    if plan.move == "repeat" or other is None:
        return [
            f"{one.name} reported this: {one.told(plan.point)}",
            "What one group has found once is worth finding again before more is built on it",
        ]
    why = {
        "measure": (
            f"How {other.device} does by a measure that is not its own is not said in the papers at"
            " hand"
        ),
        "join": "What the two would do together is not said in the papers at hand",
        "relate": (
            "Each has been looked at by itself, so nobody can say from these papers whether they go"
            " together"
        ),
    }.get(plan.move, "Each has been tested by its own authors on material of their choice")
    return [
        f"{one.name} described this: {one.told(plan.point)}",
        f"{other.name} described this: {other.told(plan.way)}" if plan.way else "",
        why,
    ]


def _way(plan: Plan) -> list[str]:
    if plan.move == "carry" and plan.other:
        return [f"{plan.other.name} described how it works: {plan.other.told(plan.way)}"]
    return []


def _nearest_to(line: WorkedChain, plan: Plan) -> str:
    """Name the sentence of the chain's other papers that comes nearest to the step, as evidence
    that it was not taken.
    """
    about = plan.point or moves.direction(plan)
    others = [
        (source, text)
        for source in line.sources
        if source.paper.id not in plan.papers
        for text in (*source.ways[:3], *source.findings[:2])
    ]
    if not others:
        return "There is no other paper at hand to compare this with"
    near = line.library.embed([text for _, text in others]) @ line.library.vector(about)
    _, (source, text) = max(
        zip((round(float(n), 4) for n in near), others, strict=True),
        key=lambda pair: (pair[0], pair[1][0].paper.id, pair[1][1]),
    )
    return (
        f"What comes nearest to it in the other papers at hand is this sentence of {source.name}:"
        f" {source.told(text, 240)}"
    )


def _numbered(steps: Sequence[str]) -> str:
    return said(*(f"{ordinal}, {step}" for ordinal, step in zip(ORDINALS, steps, strict=False)))


def _own_draft(line: WorkedChain, direction: Direction) -> Draft:
    """Sketch what somebody else wrote down as the next step, in their own words."""
    done = proposed(sentences(direction.direction))
    kind = kind_of(f"{direction.direction} {line.topic}")
    material = material_for(kind, [source for source in line.sources if source.kind == kind])
    acted = f"do what is proposed: {lowered(clipped(clean(direction.direction).rstrip(' .'), 300))}"
    measured = done.outcome if done and done.outcome else material.measure
    return Draft(
        motivation=said(direction.reasoning, f"It bears on {topic_named(line.topic)}"),
        novelty=direction.direction,
        method=said(
            _numbered(
                (
                    f"record {measured} as things stand",
                    acted,
                    (
                        f"record {measured} again, and compare with a case in which nothing was"
                        " changed"
                    ),
                )
            ),
            "" if done and done.outcome else material.credit(measured),
        ),
    )


def idea(library: PassageLibrary, topic: str, chain: Chain, sketch: Draft) -> ChainIdea:
    """Turn a sketch into the six parts of a chain idea."""
    line = WorkedChain(library, topic, chain)
    plan = line.meant(sketch.novelty)
    return written(line, plan, sketch) if plan else _own_idea(line, sketch)


def written(line: WorkedChain, plan: Plan, sketch: Draft) -> ChainIdea:
    """Write out the idea a step leads to."""
    material = line.material(plan)
    return ChainIdea(
        title=moves.title(plan, material),
        motivation=sketch.motivation,
        novelty=said(sketch.novelty, moves.claim(plan, material)),
        method=_method(plan, material, _first_trial(plan, material)),
        difference=difference(line, plan, f"{sketch.motivation} {sketch.novelty}"),
        challenges=moves.risks(plan, material),
    )


def _first_trial(plan: Plan, material: Material) -> str:
    if moves.living(plan):
        return (
            f"A first trial with {material.many} decides whether a full one is worth while; it"
            " needs the approval of an ethics board"
        )
    return (
        "A first trial on a tenth of the material decides whether a full one is worth while; the"
        " plan and the code are made public before it starts"
    )


def difference(line: WorkedChain, plan: Plan | None, text: str) -> str:
    """Set the idea apart from the nearest papers of the chain, each by name and by its own
    words.
    """
    by_id = {source.paper.id: source for source in line.sources}
    ranked = [
        by_id[paper.id] for paper, _ in line.library.nearest(text, line.chain.papers, len(by_id))
    ]
    first = [by_id[source.paper.id] for source in (plan.one, plan.other) if source] if plan else []
    parts = [
        _apart(source, plan)
        for source in [*first, *(one for one in ranked if one not in first)][:NEAREST_NAMED]
    ]
    return said(*parts)


def _apart(source: ReadPaper, plan: Plan | None) -> str:
    if plan and source.paper.id in plan.papers:
        one = source.paper.id == plan.one.paper.id
        named = f"{source.name} named the point and did not settle it"
        return {
            "settle": (
                named
                if plan.point in source.gaps
                else f"{source.name} set out from the same problem and did something else"
            ),
            "carry": (
                (
                    named
                    if plan.point in source.gaps
                    else f"{source.name} met the same problem another way"
                )
                if one
                else (
                    f"{source.name} is where the way of working comes from; there it served another"
                    " problem"
                )
            ),
            "measure": (
                f"{source.name} is where the measure comes from"
                if one
                else f"{source.name} judged itself by another measure"
            ),
            "join": f"{source.name} used its own part alone",
            "contrast": f"{source.name} was tested on material of its own choice",
            "dissect": f"{source.name} tested the parts together",
            "relate": f"{source.name} took one of the two measurements alone",
        }.get(plan.move, f"{source.name} did the test first; nothing but the condition differs")
    way = next(iter((*source.ways, *source.findings, *source.problems)), "")
    if not way:
        return f"Of {source.name} only the title is at hand, so nothing can be set apart from it"
    return f"{source.name} did something else: {source.told(way, 260)}"


def _own_idea(line: WorkedChain, sketch: Draft) -> ChainIdea:
    """Write out a sketch that somebody else made, in their own words."""
    done = proposed([*sentences(sketch.novelty), *sentences(sketch.method)])
    spoken = sentences(sketch.novelty) or (sketch.novelty,)
    return ChainIdea(
        title=(
            done.title
            if done
            else headline(clipped(clean(spoken[0]).rstrip(" .!?"), 120))
            or opened(clipped(line.topic, 120))
        ),
        motivation=sketch.motivation,
        novelty=sketch.novelty,
        method=sketch.method,
        difference=difference(line, None, f"{sketch.motivation} {sketch.novelty}"),
        challenges=said(
            "A difference may come from the attention a change brings; the case in which nothing"
            " was changed therefore gets the same attention",
            "The outcome may be too coarse to show a small effect; the smallest difference worth"
            " having is fixed before the first measurement",
        ),
    )
