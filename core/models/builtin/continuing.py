"""Continuing a chain: its next step, the sketch of an idea that takes it, and the idea; each finds
again what the one before meant.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from core.models.builtin import moves
from core.models.builtin.english import (
    capitalise,
    clean,
    clip,
    find_words,
    flat,
    join_list,
    paragraph,
    sentences,
    uncapitalise,
)
from core.models.builtin.library import PassageLibrary
from core.models.builtin.phrases import headline
from core.models.builtin.planning import (
    Material,
    Plan,
    choose_plan,
    know_each_other,
    material_for,
    rank_plans,
)
from core.models.builtin.proposal import read_proposal
from core.models.builtin.reading import find_entities
from core.models.builtin.searching import topic_named
from core.models.builtin.setting import kind_of
from core.models.builtin.sources import ReadPaper, sources_of
from core.records import Chain, ChainIdea, Direction, Draft, Entity, NextStep, Outlook, Trend

NEAREST_NAMED = 3
"""How many papers of the chain an idea is set apart from, by name."""
_LOOKED = find_words(r"searched|gathers?|gathered|collected")
"""What a paper did to find something is nothing that it found."""
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
        return rank_plans(self.library, self.topic, self.sources, self.chain.ordered)

    def choose(self, taken: Sequence[object], seed: int) -> Plan:
        """Return the step to take: none that was taken."""
        marks = {plan: _marks(plan) for plan in self.plans}
        return choose_plan(self.plans, taken, seed, marks)

    def recover(self, text: str) -> Plan | None:
        """Return the step a text of ours goes on from; None where somebody else wrote it."""
        words = flat(text)
        return next((plan for plan in self.plans if words.startswith(_marks(plan))), None)

    def material(self, plan: Plan) -> Material:
        # A mechanism carried over is tried where the problem is, so the data are those of the
        # problem's paper alone.
        named = plan.sources[:1] if plan.move == "carry" else plan.sources
        return material_for(plan.sources[-1].kind, named)


def _marks(plan: Plan) -> tuple[str, str]:
    """Return the two sentences by which a plan is known again."""
    return flat(moves.direction(plan)), flat(moves.lead(plan))


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
    steps: dict[str, NextStep] = {}
    for _ in range(most or 1):
        plan = line.choose((*taken, *steps), seed)
        step = NextStep(
            direction=moves.direction(plan),
            reasoning=paragraph(*_grounds(plan), _order(line, plan, trend), _terms(plan, entities)),
        )
        if step.direction in steps:
            break
        steps[step.direction] = step
    if most is None:
        return step.as_direction()
    choice = "It is the most promising step that the papers allow." if len(steps) > 1 else ""
    return Outlook(candidates=tuple(steps.values()), choice=choice)


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
        parts = f"{one.told(plan.point)}. {one.told(plan.way)}"
        return [
            f"{one.name} described more than one part: {parts}",
            "Which of them the result depends on is not said in its abstract",
        ]
    if other is None:
        why = (
            f"No paper at hand names a limit of its own; the problem that {one.name} set out from"
            " is the nearest to one"
        )
        if plan.point in one.gaps:
            why = (
                f"A limit that a paper names itself is the surest place to go on; {one.name} named"
                " this one"
            )
        return [why, _result(one)]
    near = "The two are related but not alike"
    if plan.cosine > 0.6:
        near = "In meaning the two lie close together"
    elif plan.cosine < 0.15:
        near = "In meaning the two lie far apart"
    known = (
        "One of the two abstracts mentions the other work, so part of the way may have been gone"
        " already"
    )
    unknown = (
        "Neither abstract mentions the other work, so the papers at hand have not put the two"
        " together"
    )
    return [
        "" if plan.move == "carry" else f"{one.name} described this: {one.told(plan.point)}",
        f"{other.name} described this: {other.told(plan.way)}" if plan.way else "",
        near,
        known if know_each_other(one, other) else unknown,
    ]


def _result(source: ReadPaper) -> str:
    findings = (line for line in source.findings if line not in source.gaps)
    found = next((line for line in findings if not _LOOKED.search(line)), "")
    return f"What it did find is this: {source.told(found)}" if found else ""


def _order(line: WorkedChain, plan: Plan, trend: Trend | None) -> str:
    """Say how the step follows from the chain's order."""
    if not trend or not trend.steps or not line.chain.ordered:
        return ""
    names = {source.paper.id: source.name for source in line.sources}
    last = trend.steps[-1]
    if last.earlier not in names or last.later not in names:
        return ""
    led = f"The chain's latest step led from {names[last.earlier]} to {names[last.later]}"
    if last.later in plan.papers:
        return f"{led}, and the proposal goes on from there"
    return f"{led}; the proposal turns back to what that step left aside"


def _terms(plan: Plan, entities: Sequence[Entity]) -> str:
    found = find_entities(entities, f"{plan.point} {plan.way}")[:3]
    if len(found) < 2:
        return ""
    return f"The terms of the chain that matter here are {join_list(found)}"


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
    plan = line.recover(direction.direction) if direction else line.choose(taken, seed)
    if plan is None:
        assert direction is not None, "a step that was chosen here is known"
        return _own_draft(line, direction)
    return sketch(line, plan, "" if direction else _terms(plan, entities))


def sketch(line: WorkedChain, plan: Plan, last: str) -> Draft:
    """Sketch the idea a step leads to; `last` ends its method."""
    way = ""
    if plan.move == "carry" and plan.other:
        way = f"{plan.other.name} described how it works: {plan.other.told(plan.way)}"
    return Draft(
        motivation=paragraph(*_motives(plan), f"It was drafted for {topic_named(line.topic)}"),
        novelty=paragraph(moves.lead(plan), way, _nearest_to(line, plan)),
        method=_method(plan, line.material(plan), last),
    )


def _method(plan: Plan, material: Material, last: str) -> str:
    steps = number_steps(moves.steps(plan, material))
    return paragraph(steps, material.credit(steps), last)


def _motives(plan: Plan) -> list[str]:
    one, other = plan.one, plan.other
    if not plan.point:
        return [f"{one.name} is on the subject, but only its title is at hand"]
    if plan.move in ("settle", "carry"):
        stated = "set out from this problem"
        if plan.point in one.gaps:
            called = moves.limit(plan).split(" named")[0]
            stated = f"named {called.replace('the ', 'this ', 1)}"
        result = _result(one) if plan.move == "settle" else ""
        return [f"{one.name} {stated}: {one.told(plan.point)}", result]
    first = f"{one.name} described this: {one.told(plan.point)}"
    if plan.move == "dissect":
        why = "As long as nobody knows which part the result depends on, everything has to be"
        return [f"{first}. It also described this: {one.told(plan.way)}", f"{why} taken over"]
    if plan.move == "repeat" or other is None:
        return [
            f"{one.name} reported this: {one.told(plan.point)}",
            "What one group has found once is worth finding again before more is built on it",
        ]
    second = f"{other.name} described this: {other.told(plan.way)}" if plan.way else ""
    unknown = "Each has been tested by its own authors on material of their choice"
    if plan.move == "measure":
        unknown = (
            f"How {other.device} does by a measure that is not its own is not said in the papers at"
            " hand"
        )
    elif plan.move == "join":
        unknown = "What the two would do together is not said in the papers at hand"
    elif plan.move == "relate":
        unknown = (
            "Each has been looked at by itself, so nobody can say from these papers whether they go"
            " together"
        )
    return [first, second, unknown]


def _nearest_to(line: WorkedChain, plan: Plan) -> str:
    """Name the sentence of the chain's other papers that comes nearest to the step, as evidence
    that it was not taken; empty where the chain has no other.
    """
    about = plan.point or moves.direction(plan)
    others = {source.paper.id: source for source in line.sources}
    texts = [
        (name, text)
        for name, source in others.items()
        if name not in plan.papers
        for text in (*source.ways[:3], *source.findings[:2])
    ]
    if not texts:
        return ""
    near = line.library.cosines([text for _, text in texts], line.library.vector(about))
    _, (name, text) = max(zip([round(cosine, 4) for cosine in near], texts, strict=True))
    source = others[name]
    return (
        f"What comes nearest to it in the other papers at hand is this sentence of {source.name}:"
        f" {source.told(text, 240)}"
    )


def number_steps(steps: Sequence[str]) -> str:
    """Return the steps of a method as a paragraph: first, second, third."""
    return paragraph(*map("{}, {}".format, ORDINALS, steps))


def _own_draft(line: WorkedChain, direction: Direction) -> Draft:
    """Sketch what somebody else wrote down as the next step, in their own words."""
    done = read_proposal(sentences(direction.direction))
    kind = kind_of(f"{direction.direction} {line.topic}")
    material = material_for(kind, [source for source in line.sources if source.kind == kind])
    step = uncapitalise(clip(clean(direction.direction).rstrip(" ."), 300))
    outcome = done.outcome if done else ""
    measure = outcome or material.measure
    steps = (
        f"record {measure} as things stand",
        f"do what is proposed: {step}",
        f"record {measure} again, and compare with a case in which nothing was changed",
    )
    return Draft(
        motivation=paragraph(direction.reasoning, f"It was drafted for {topic_named(line.topic)}"),
        novelty=direction.direction,
        method=paragraph(number_steps(steps), "" if outcome else material.credit(measure)),
    )


def idea(library: PassageLibrary, topic: str, chain: Chain, draft: Draft) -> ChainIdea:
    """Turn a sketch into the six parts of a chain idea."""
    line = WorkedChain(library, topic, chain)
    plan = line.recover(draft.novelty)
    return write_out(line, plan, draft) if plan else _own_idea(line, draft)


def write_out(line: WorkedChain, plan: Plan, sketch: Draft) -> ChainIdea:
    """Write out the idea a step leads to."""
    material = line.material(plan)
    if moves.living(plan):
        size, needs = f"with {material.many}", "it needs the approval of an ethics board"
    else:
        size = "on a tenth of the material"
        needs = "the plan and the code are made public before it starts"
    trial = f"A first trial {size} decides whether a full one is worth while; {needs}"
    return ChainIdea(
        title=moves.title(plan, material),
        motivation=sketch.motivation,
        novelty=paragraph(sketch.novelty, moves.claim(plan, material)),
        method=_method(plan, material, trial),
        difference=_difference(line, plan, sketch),
        challenges=moves.risks(plan, material),
    )


def _difference(line: WorkedChain, plan: Plan | None, sketch: Draft) -> str:
    """Set the idea apart from the nearest papers of the chain, each by name and by its own
    words.
    """
    by_id = {source.paper.id: source for source in line.sources}
    text = f"{sketch.motivation} {sketch.novelty}"
    near = [paper.id for paper, _ in line.library.nearest(text, line.chain.papers, len(by_id))]
    used = [source.paper.id for source in plan.sources] if plan else []
    named = list(dict.fromkeys([*used, *near]))[:NEAREST_NAMED]
    return paragraph(*(_set_apart(by_id[name], plan) for name in named))


def _set_apart(source: ReadPaper, plan: Plan | None) -> str:
    if plan and source.paper.id in plan.papers:
        return f"{source.name} {_part_played(source, plan)}"
    way = next(iter((*source.ways, *source.findings, *source.problems)), "")
    if not way:
        return f"Of {source.name} only the title is at hand, so nothing can be set apart from it"
    return f"{source.name} did something else: {source.told(way, 260)}"


def _part_played(source: ReadPaper, plan: Plan) -> str:
    """Say, after its name, what a paper of the plan did and the plan does not do again."""
    first = source.paper.id == plan.one.paper.id
    if plan.move in ("settle", "carry") and plan.point in source.gaps and first:
        return "named the point and did not settle it"
    if plan.move == "settle":
        return "set out from the same problem and did something else"
    if plan.move == "carry":
        there = "is where the way of working comes from; there it served another problem"
        return "met the same problem another way" if first else there
    if plan.move == "measure":
        return "is where the measure comes from" if first else "judged itself by another measure"
    return {
        "join": "used its own part alone",
        "contrast": "was tested on material of its own choice",
        "dissect": "tested the parts together",
        "relate": "took one of the two measurements alone",
    }.get(plan.move, "did the test first; nothing but the condition differs")


def _own_idea(line: WorkedChain, sketch: Draft) -> ChainIdea:
    """Write out a sketch that somebody else made, in their own words."""
    spoken = sentences(sketch.novelty)
    done = read_proposal([*spoken, *sentences(sketch.method)])
    lead = clean(spoken[0] if spoken else sketch.novelty).rstrip(" .!?")
    title = headline(clip(lead, 120)) or capitalise(clip(line.topic, 120))
    return ChainIdea(
        title=done.title if done else title,
        motivation=sketch.motivation,
        novelty=sketch.novelty,
        method=sketch.method,
        difference=_difference(line, None, sketch),
        challenges=paragraph(
            "A difference may come from the attention a change brings; the case in which nothing"
            " was changed therefore gets the same attention",
            "The outcome may be too coarse to show a small effect; the smallest difference worth"
            " having is fixed before the first measurement",
        ),
    )
