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
    # Left out where it says nothing new: by the digest of its inputs an experiment knows an
    # evolution that it has.
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


def asks(asked: EvolveInputs) -> dict[str, tuple[str, ...]]:
    """Return which prompts are asked of which role: what the models chosen for it must be able to
    answer.
    """
    wanted = asked.papers and not asked.review
    named: dict[str, list[str]] = {role: [] for role in ROLES}
    if not asked.question:
        named["main"].append("question")
    if wanted:
        named["main"] += ("keywords", "literature-review")
    if asked.idea is None and not asked.firsts:
        named["generator"].append("evolve-idea")
    if asked.steps > 1:
        named["generator"].append("evolve-revise" if asked.informed else "evolve-alone")
    if asked.judged_by == "model" and (asked.informed or not asked.apart):
        named["judge"] += checklist.PROMPTS
    if asked.apart:
        named["scorer"] += checklist.PROMPTS
    return {role: tuple(prompts) for role, prompts in named.items() if prompts}


def evolve(desk: Desk, asked: EvolveInputs) -> Iterator[Record]:
    """Evolve one idea, or several side by side: Prepared at `prepared`, Evolved or Discarded at
    `step-N`, Outcome at `outcome`, of several under `idea-K`.

    Raises NothingFound where the question has too little literature, NoUsableAnswer where no idea
    could be read (resuming asks again), ModelFailed, SourceFailed, and Waiting where a person is
    asked.
    """
    given = begin(desk.at("prepared"), asked)
    if asked.lines == 1:
        if lost := evolve_line(desk, asked, given, 1):
            raise standing_for([lost])
        return iter(())  # Everything is shown in its place.
    lines = {f"idea-{k}": k for k in range(1, asked.lines + 1)}
    ends = desk.at_each(lambda here, k: evolve_line(here, asked, given, k), lines)
    failures = {place: error for place, error in zip(lines, ends, strict=True) if error}
    if len(failures) == len(lines):
        raise standing_for(tuple(failures.values()))
    for place, error in failures.items():
        desk.at(f"{place}/step-0").show(Discarded(reason=str(error)))
    return iter(())


def begin(desk: Desk, asked: EvolveInputs) -> Prepared:
    """Return and show p0 = (research question, literature review): what is given, and the rest made
    from it.
    """
    given = starting_point(desk, asked)
    desk.show(given)
    desk.uses(given.papers)
    if given.rejected:
        raise NothingFound(
            f"{given.rejected} Begin anew with a wider question, a literature review of your own,"
            " or without papers."
        )
    return given


def starting_point(desk: Desk, asked: EvolveInputs) -> Prepared:
    """Return question and review; only where papers are wanted and no review is given are they
    looked for.
    """
    wanted = questioning.QuestionInputs(
        topic=asked.topic, seed=asked.seed, question=asked.question, before=asked.before
    )
    if asked.papers and not asked.review:
        return questioning.prepare(desk, wanted)
    question = questioning.question_of(desk, wanted)
    return Prepared(question=question, review=asked.review, seed=asked.seed)


def evolve_line(
    desk: Desk, asked: EvolveInputs, given: Prepared, line: int
) -> NoUsableAnswer | None:
    """Evolve one idea over K steps; it ends early where every item holds, which only informed
    revision knows, and where an idea cannot be read.

    Returns why there is none where its first draft could not be read.
    """
    steps, discarded = handed(desk, asked, line), False
    # What was handed over may hold already; only informed revision knows.
    complete = bool(steps and steps[0].feedback and steps[0].feedback.holds)
    for n in range(len(steps), 0 if complete else asked.steps):
        here = desk.at(f"step-{n}")
        declined = heard(here, asked, line, steps[-1]) if steps and asked.informed else ()
        try:
            if steps:
                idea = revise(here, asked, given, steps[-1], declined)
            else:
                idea = asked.idea or generate(here, given)
        except UNREADABLE as error:
            if not steps:
                return error
            here.show(Discarded(reason=str(error)))
            discarded = True
            break
        feedback, scores = judge(here, asked, idea)
        steps.append(Evolved(n=n, idea=idea, feedback=feedback, scores=scores, declined=declined))
        here.show(steps[-1])
        if feedback and feedback.holds:
            break
    last, converged = steps[-1], asked.informed and said_of(steps[-1]).holds
    desk.at("outcome").show(
        Outcome(
            reason=why(asked, steps, discarded),
            idea=last.idea,
            round=last.n,
            converged=converged,
            branch=line if asked.lines > 1 else None,
        )
    )
    return None


def handed(desk: Desk, asked: EvolveInputs, line: int) -> list[Evolved]:
    """Show and return the first idea that was written and judged elsewhere, if there is one; nobody
    who corrects itself is told what a judge found.
    """
    if not asked.firsts:
        return []
    first = asked.firsts[line - 1]
    feedback = (first.feedback or first.scores) if asked.informed else None
    first = first.model_copy(update={"feedback": feedback})
    desk.at("step-0").show(first)
    return [first]


def generate(desk: Desk, given: Prepared) -> Idea:
    """Generator: write y(0) from p0, after a plan that is thrown away where it does not think by
    itself. Raises NoUsableAnswer, recorded.
    """
    form: type[HeadedIdea | PlannedHeadedIdea] = (
        PlannedHeadedIdea if desk.plans("generator") else HeadedIdea
    )
    return desk.ask(
        "evolve-idea",
        form,
        role="generator",
        recorded=UNREADABLE,
        question=given.question,
        review=given.review or None,
    ).as_idea()


def revise(
    desk: Desk, asked: EvolveInputs, given: Prepared, last: Evolved, declined: tuple[str, ...]
) -> Idea:
    """Generator: write y(k+1) from p0, y(k) and the directives nobody declined; uninformed from p0
    and y(k) alone. Raises NoUsableAnswer, recorded.

    It is the next turn of the conversation that began with p0 and y(k).
    """
    # As the answer it is: an object with the idea in it.
    before = (
        ("evolve-idea", json.dumps({"idea": last.idea.text}, ensure_ascii=False))
        if desk.edition > 1
        else None
    )
    ask = partial(
        desk.ask,
        returns=HeadedIdea,
        role="generator",
        recorded=UNREADABLE,
        following=before,
        question=given.question,
        review=given.review or None,
        idea=last.idea,
    )
    if not asked.informed:
        return ask("evolve-alone").as_idea()
    open_directives = tuple(one for one in directives(last) if one.item not in declined)
    return ask("evolve-revise", directives=open_directives).as_idea()


def judge(desk: Desk, asked: EvolveInputs, idea: Idea) -> tuple[Checklist | None, Checklist]:
    """Return what the feedback judge finds, which only informed revision has, and what the scoring
    judge finds: the same, unless another one scores.
    """
    scorer: Judge = partial(checklist.judge, decided=asked.decided, role="scorer")
    first: Judge = (
        checklist.judge_by_person
        if asked.judged_by == "person"
        else partial(checklist.judge, decided=asked.decided)
    )
    if not asked.informed:
        return None, (scorer if asked.apart else first)(desk.at("scores"), idea)
    if not asked.apart:
        found = first(desk.at("checklist"), idea)
        return found, found
    return desk.all(
        lambda d: first(d.at("checklist"), idea), lambda d: scorer(d.at("scores"), idea)
    )


def heard(desk: Desk, asked: EvolveInputs, line: int, last: Evolved) -> tuple[str, ...]:
    """Return the items whose directive people declined: asked, where the run waits, or filed while
    it went on; what is said of another step is late.
    """
    offered = directives(last)
    said: tuple[str, ...] = ()
    if asked.step_in and offered:
        said = desk.person(
            "declines",
            Declines,
            proposed=Declines().model_dump(mode="json"),
            of=last.n,
            idea=last.idea.model_dump(mode="json"),
            directives=[one.model_dump(mode="json") for one in offered],
        ).items
    about = digest([last.idea.digest(), [directive.digest() for directive in offered]])
    filed = desk.wishes(line, about)
    against = {*said, *(wish.decline for wish in filed if wish.of == last.n)}
    return tuple(one.item for one in offered if one.item in against)


def directives(step: Evolved) -> tuple[Judged, ...]:
    """Return the unsatisfied items, each with its directive: the textual gradient f(k)."""
    return step.feedback.unsatisfied if step.feedback else ()


def said_of(step: Evolved) -> Checklist:
    """Return what was known of a step while the run went on."""
    return step.feedback or step.scores


def why(asked: EvolveInputs, steps: list[Evolved], discarded: bool) -> str:
    """Say how an evolution ended, and its return R, the sum of r over its steps (EvoIdeator,
    equation 5).
    """
    last = said_of(steps[-1])
    if discarded:
        said = (
            f"Step {len(steps)} gave no idea that could be read and was discarded; this is the one"
            " before it."
        )
    elif last.holds:
        said = f"All {len(last.items)} items hold after {counted(len(steps) - 1, 'revision')}."
    else:
        open_ = [one.item for one in last.items if one.score != 1]
        said = (
            f"{counted(len(steps), 'step')}, as asked; {', '.join(open_)}"
            f" {'do' if len(open_) > 1 else 'does'} not hold"
            + (" or could not be judged." if not last.complete else ".")
        )
    if not asked.informed:
        said += " The model corrected itself, without directives."
    rewards = [step.scores.reward for step in steps]
    if None in rewards:
        return f"{said} R cannot be given: an item was not judged."
    return f"{said} R = {sum(one or 0 for one in rewards)} (r = {', '.join(map(str, rewards))})."
