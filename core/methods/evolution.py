"""Checklist-grounded evolution: generate, have nine items judged, revise by their directives
(EvoIdeator, at inference).
"""

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated, Literal

from pydantic import Field, model_validator

from core.desk import Desk
from core.errors import NothingFound, NoUsableAnswer, standing_for
from core.judging import checklist
from core.methods import questioning
from core.methods.inputs import Day
from core.records import (
    EDITION,
    Checklist,
    Declines,
    Discarded,
    Evolved,
    HeadedIdea,
    Idea,
    Judged,
    Outcome,
    Paper,
    PlannedHeadedIdea,
    Prepared,
    Record,
    digest,
)
from core.wording.numbers import counted

PROMPTS = ("evolve-idea", "evolve-revise", "evolve-alone", *checklist.PROMPTS, *questioning.PROMPTS)
ROLES = ("main", "generator", "judge", "scorer")
"""The main model asks the question and writes the review."""
Judge = Callable[[Desk, Idea], Checklist]
UNREADABLE = (NoUsableAnswer,)
"""What may become of an idea without ending the run: it is discarded, and counted."""


class EvolveInputs(Record):
    """What an evolution is asked for: p0 = (research question, literature review), or what to make
    one from (EvoIdeator, section 3).
    """

    topic: Annotated[str, Field(min_length=1)]
    """The topic, or the research question itself where `question` is given."""
    question: Annotated[str, Field(max_length=20_000)] = ""
    """Empty: it is made from the topic, or from the seed paper."""
    review: Annotated[str, Field(max_length=500_000)] = ""
    """Empty: papers are looked for and reviewed; `papers` false leaves it empty."""
    seed: Paper | None = None
    papers: bool = True
    before: Day | None = None
    idea: Idea | None = None
    """An idea to start from, instead of generating one."""
    firsts: Annotated[tuple[Evolved, ...], Field(exclude_if=lambda steps: not steps)] = ()
    """First ideas that were written and judged elsewhere, one for each line: both evolutions of an
    experiment start from the same.
    """
    steps: Annotated[int, Field(ge=1, le=10)] = 2
    """K: how many ideas there are in all; the paper takes 2, which is one revision."""
    informed: bool = True
    """Whether revisions are made from the judge's directives; otherwise the model corrects itself
    without any (figure 2).
    """
    lines: Annotated[int, Field(ge=1, le=8)] = 1
    """How many ideas are evolved side by side."""
    decided: Literal["code", "model"] = "code"
    """Who decides Layout and Length."""
    # Left out at its default, so that the digests by which experiments find their runs stay.
    judged_by: Annotated[Literal["model", "person"], Field(exclude_if=lambda by: by == "model")] = (
        "model"
    )
    """Who judges the other items and gives directives; a person leaves Layout and Length to code.
    """
    apart: bool = False
    """Whether another judge scores than the one that gives the directives."""
    step_in: bool = False
    """Whether the run waits for a person to accept or decline the directives."""

    @model_validator(mode="after")
    def _can_be_asked(self) -> "EvolveInputs":
        if self.idea and self.lines > 1:
            raise ValueError(
                "an idea of your own is one idea: evolve it alone, or let several be generated"
            )
        if self.firsts and (self.idea or len(self.firsts) != self.lines):
            raise ValueError(
                f"{len(self.firsts)} first ideas are given: as many are evolved, and no other idea"
            )
        if self.step_in and not self.informed:
            raise ValueError("without directives there is nothing to accept or decline")
        if self.judged_by == "person" and self.apart and not self.informed:
            raise ValueError(
                "another judge scores, and without directives there is nothing left for a person to"
                " judge"
            )
        if self.judged_by == "person" and self.decided == "model" and not self.apart:
            raise ValueError("where a person judges, code decides Layout and Length")
        return self


def asks(inputs: EvolveInputs) -> dict[str, tuple[str, ...]]:
    """Return which prompts are asked of which role: what the models chosen for it must be able to
    answer.
    """
    prompts: dict[str, list[str]] = {role: [] for role in ROLES}
    if not inputs.question:
        prompts["main"].append("question")
    if inputs.papers and not inputs.review:
        prompts["main"] += ("keywords", "literature-review")
    if inputs.idea is None and not inputs.firsts:
        prompts["generator"].append("evolve-idea")
    if inputs.steps > 1:
        prompts["generator"].append("evolve-revise" if inputs.informed else "evolve-alone")
    if inputs.judged_by == "model" and (inputs.informed or not inputs.apart):
        prompts["judge"] += checklist.PROMPTS
    if inputs.apart:
        prompts["scorer"] += checklist.PROMPTS
    return {role: tuple(names) for role, names in prompts.items() if names}


def evolve(desk: Desk, inputs: EvolveInputs) -> Iterator[Record]:
    """Evolve one idea, or several side by side: Prepared at `prepared`, Evolved or Discarded at
    `step-N`, Outcome at `outcome`, of several under `idea-K`.

    Raises NothingFound where the question has too little literature, NoUsableAnswer where no idea
    could be read (resuming asks again), ModelFailed, SourceFailed, and Waiting where a person is
    asked.
    """
    start = begin(desk.at("prepared"), inputs)
    if inputs.lines == 1:
        if lost := evolve_line(desk, inputs, start, 1):
            raise standing_for([lost])
        return iter(())  # Everything is shown in its place.
    lines = {f"idea-{k}": k for k in range(1, inputs.lines + 1)}
    ends = desk.at_each(lambda here, k: evolve_line(here, inputs, start, k), lines)
    failures = {place: error for place, error in zip(lines, ends, strict=True) if error}
    if len(failures) == len(lines):
        raise standing_for(tuple(failures.values()))
    for place, error in failures.items():
        desk.at(f"{place}/step-0").show(Discarded(reason=str(error)))
    return iter(())


def begin(desk: Desk, inputs: EvolveInputs) -> Prepared:
    """Return and show p0 = (research question, literature review): what is given, and the rest made
    from it; only where papers are wanted and no review is given are they looked for.
    """
    wanted = questioning.QuestionInputs(
        topic=inputs.topic, seed=inputs.seed, question=inputs.question, before=inputs.before
    )
    if inputs.papers and not inputs.review:
        start = questioning.prepare(desk, wanted)
    else:
        question = questioning.question_of(desk, wanted)
        start = Prepared(question=question, review=inputs.review, seed=inputs.seed)
    desk.show(start)
    desk.uses(start.papers)
    if start.rejected:
        raise NothingFound(
            f"{start.rejected} Begin anew with a wider question, a literature review of your own,"
            " or without papers."
        )
    return start


def evolve_line(
    desk: Desk, inputs: EvolveInputs, start: Prepared, line: int
) -> NoUsableAnswer | None:
    """Evolve one idea over K steps; it ends early where every item holds, which only informed
    revision knows, and where an idea cannot be read.

    Returns why there is none where its first draft could not be read.
    """
    steps, discarded = take_first(desk, inputs, line), False
    # What was handed over may hold already; only informed revision knows.
    complete = bool(steps and steps[0].feedback and steps[0].feedback.holds)
    for n in range(len(steps), 0 if complete else inputs.steps):
        here = desk.at(f"step-{n}")
        declined = find_declined(here, inputs, line, steps[-1]) if steps and inputs.informed else ()
        try:
            if steps:
                idea = revise(here, inputs, start, steps[-1], declined)
            else:
                idea = inputs.idea or generate(here, start)
        except UNREADABLE as error:
            if not steps:
                return error
            here.show(Discarded(reason=str(error)))
            discarded = True
            break
        feedback, scores = judge(here, inputs, idea)
        steps.append(Evolved(n=n, idea=idea, feedback=feedback, scores=scores, declined=declined))
        here.show(steps[-1])
        if feedback and feedback.holds:
            break
    last = steps[-1]
    desk.at("outcome").show(
        Outcome(
            reason=say_ending(inputs, steps, discarded, desk.edition),
            idea=last.idea,
            round=last.n,
            converged=inputs.informed and checklist_of(last).holds,
            branch=line if inputs.lines > 1 else None,
        )
    )
    return None


def take_first(desk: Desk, inputs: EvolveInputs, line: int) -> list[Evolved]:
    """Show and return the first idea that was written and judged elsewhere, if there is one; nobody
    who corrects itself is told what a judge found.
    """
    if not inputs.firsts:
        return []
    first = inputs.firsts[line - 1]
    feedback = (first.feedback or first.scores) if inputs.informed else None
    first = first.model_copy(update={"feedback": feedback})
    desk.at("step-0").show(first)
    return [first]


def generate(desk: Desk, start: Prepared) -> Idea:
    """Generator: write y(0) from p0, after a plan that is thrown away where it does not think by
    itself. Raises NoUsableAnswer, recorded.
    """
    form: type[HeadedIdea | PlannedHeadedIdea] = HeadedIdea
    if desk.plans("generator"):
        form = PlannedHeadedIdea
    return desk.ask(
        "evolve-idea",
        form,
        role="generator",
        recorded=UNREADABLE,
        question=start.question,
        review=start.review or None,
    ).as_idea()


def revise(
    desk: Desk, inputs: EvolveInputs, start: Prepared, last: Evolved, declined: tuple[str, ...]
) -> Idea:
    """Generator: write y(k+1) from p0, y(k) and the directives nobody declined; uninformed from p0
    and y(k) alone. Raises NoUsableAnswer, recorded.

    It is the next turn of the conversation that began with p0 and y(k).
    """
    # As the answer it is: an object with the idea in it.
    answer = json.dumps({"idea": last.idea.text}, ensure_ascii=False)
    ask = partial(
        desk.ask,
        returns=HeadedIdea,
        role="generator",
        recorded=UNREADABLE,
        following=("evolve-idea", answer) if desk.edition > 1 else None,
        question=start.question,
        review=start.review or None,
        idea=last.idea,
    )
    if not inputs.informed:
        return ask("evolve-alone").as_idea()
    followed = tuple(item for item in directives(last) if item.item not in declined)
    return ask("evolve-revise", directives=followed).as_idea()


def judge(desk: Desk, inputs: EvolveInputs, idea: Idea) -> tuple[Checklist | None, Checklist]:
    """Return what the feedback judge finds, which only informed revision has, and what the scoring
    judge finds: the same, unless another one scores.
    """
    scorer: Judge = partial(checklist.judge, decided=inputs.decided, role="scorer")
    first: Judge = partial(checklist.judge, decided=inputs.decided)
    if inputs.judged_by == "person":
        first = checklist.judge_by_person
    if not inputs.informed:
        return None, (scorer if inputs.apart else first)(desk.at("scores"), idea)
    if not inputs.apart:
        found = first(desk.at("checklist"), idea)
        return found, found
    return desk.all(
        lambda d: first(d.at("checklist"), idea), lambda d: scorer(d.at("scores"), idea)
    )


def find_declined(desk: Desk, inputs: EvolveInputs, line: int, last: Evolved) -> tuple[str, ...]:
    """Return the items whose directive was declined: asked for if the run waits, else filed while
    it ran; a wish about another step comes too late and is ignored.
    """
    offered, declined = directives(last), set[str]()
    if inputs.step_in and offered:
        answer = desk.person(
            "declines",
            Declines,
            proposed=Declines().model_dump(mode="json"),
            of=last.n,
            idea=last.idea.model_dump(mode="json"),
            directives=[item.model_dump(mode="json") for item in offered],
        )
        declined.update(answer.items)
    about = digest([last.idea.digest(), [item.digest() for item in offered]])
    for wish in desk.wishes(line, about):
        if wish.of == last.n:
            declined.add(wish.decline)
    return tuple(item.item for item in offered if item.item in declined)


def directives(step: Evolved) -> tuple[Judged, ...]:
    """Return the unsatisfied items, each with its directive: the textual gradient f(k)."""
    return step.feedback.unsatisfied if step.feedback else ()


def checklist_of(step: Evolved) -> Checklist:
    """Return what was known of a step while the run went on."""
    return step.feedback or step.scores


def say_ending(
    inputs: EvolveInputs, steps: list[Evolved], discarded: bool, edition: int = EDITION
) -> str:
    """Say how an evolution ended, and its return R, the sum of r over its steps (EvoIdeator,
    equation 5).
    """
    last = checklist_of(steps[-1])
    if discarded:
        ending = (
            f"Step {len(steps)} gave no idea that could be read and was discarded; this is the one"
            " before it."
        )
    elif last.holds:
        ending = f"All {len(last.items)} items hold after {counted(len(steps) - 1, 'revision')}."
        scores = steps[-1].scores
        if last is not scores and not scores.holds and edition > 3:
            hold = sum(item.score == 1 for item in scores.items)
            ending = (
                f"{ending.removesuffix('.')}, as the judge that gives directives sees it; the one"
                f" that scores finds {hold} of {len(scores.items)}."
            )
    else:
        open_ = [item.item for item in last.items if item.score != 1]
        do = "do" if len(open_) > 1 else "does"
        unclear = "" if last.complete else " or could not be judged"
        ending = (
            f"{counted(len(steps), 'step')}, as asked; {', '.join(open_)} {do} not hold{unclear}."
        )
    if not inputs.informed:
        ending += " The model corrected itself, without directives."
    rewards = [step.scores.reward for step in steps]
    if None in rewards:
        return f"{ending} R cannot be given: an item was not judged."
    total = sum(reward or 0 for reward in rewards)
    return f"{ending} R = {total} (r = {', '.join(map(str, rewards))})."
