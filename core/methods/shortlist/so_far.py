"""What a shortlist has to show at any moment: how far it is, every idea, the cards as they stand.

Read from the shortlist's own records and, where a stage is under way, from the runs it has made, so
that the first idea is there while the chain still works. Screens, reports and the command line show
this and nothing else.
"""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, TypeVar

from core.methods.inputs import ShortlistInputs
from core.methods.shortlist import ideas as held
from core.methods.shortlist.cards import NOT_ASKED, NOT_YET, best_first, choose, make_card
from core.methods.shortlist.exploring import list_ideas, list_lost, own_ideas
from core.methods.shortlist.ideas import Ideas, IdeaSoFar, going
from core.records import (
    STAGES,
    Card,
    Choices,
    ComparedBy,
    Distinct,
    Explored,
    Meeting,
    Outcome,
    Parted,
    Place,
    RatedIdeas,
    Rechecked,
    Record,
    RefinedIdea,
    Round,
    Run,
    SetAside,
    Shortlist,
    Stage,
)
from core.store import Store, must_be
from core.story import Story

__all__ = ["IdeaSoFar", "Present", "StageSoFar", "present", "why_above"]

T = TypeVar("T", bound=Record)
Progress = Literal["to come", "under way", "done"]


class StageSoFar(NamedTuple):
    """One stage of the funnel."""

    stage: Stage
    state: Progress
    entered: tuple[int, ...]
    """Numbers of the ideas that came into it; while exploring, those that are there by now."""
    went_on: tuple[int, ...]
    """Numbers of the ideas that left it for the next stage, people's choices after it included;
    empty until it is done."""
    aside: tuple[SetAside, ...]
    """Ideas that ended here, each with the reason; those a person dropped after it too."""
    added: tuple[int, ...]
    """Ideas that a person added after it."""
    lost: tuple[str, ...]
    """What failed alone in it, in sentences: a branch, an idea, a comparison, a refinement, a
    match."""
    choices: Choices | None
    """What a person did after it; None until the run got there, empty where nobody did anything."""
    asks: str
    """The key of the question that waits for a person after this stage (`answer RUN KEY ...`);
    empty where none waits."""
    distinct: Distinct | None
    """How many really different ideas there were after it; None until it is done."""
    runs: tuple[str, ...]
    """The runs it has made, in the order of their names: each has a page of its own."""


class Present(NamedTuple):
    """Everything there is to show of a shortlist now."""

    run: str
    stage: Stage
    """The stage under way, or the last one that is done."""
    finished: bool
    """Whether the cards are the shortlist and not only what there is by now."""
    stages: tuple[StageSoFar, ...]
    """All six, in order."""
    ideas: tuple[IdeaSoFar, ...]
    """By number; those set aside too."""
    cards: tuple[Card, ...]
    """The present shortlist, best first: by the comparison, else by what the check of the refined
    ideas found, else by the chain's own checks; provisional until `finished`."""
    reason: str
    """How the order of the cards came about, in a sentence."""
    by: ComparedBy
    """Who compared the ideas; `nobody` until then."""
    parted: Parted | None
    """What was joined and what was known already; None until then."""
    rated: RatedIdeas | None
    """The comparison with every meeting: `why_above` reads it. None until then."""
    shortlist: Shortlist | None
    """The end; None until then."""


def present(store: Store, run: Run) -> Present:
    """Return what a shortlist has to show now; raises BadInput for a run of another method."""
    must_be(run, "shortlist", f"Run {run.id} is no shortlist.")
    asked = run.inputs_as(ShortlistInputs)
    told = Told(store, run, asked, dict(Story.of(store, run.id).parts))
    ideas: Ideas = {}
    stages = []
    for stage in STAGES:
        found = _stage(told, stage, ideas)
        ideas = found.ideas
        stages.append(found.so_far)
    last = told.one("shortlist", Shortlist)
    rated = told.one("compare", RatedIdeas)
    begun = [one.stage for one in stages if one.state != "to come"]
    return Present(
        run=run.id,
        stage=begun[-1] if begun else "explore",
        finished=last is not None,
        stages=tuple(stages),
        ideas=tuple(ideas[n] for n in sorted(ideas)),
        cards=last.cards if last else _provisional(asked, ideas, rated),
        reason=last.reason if last else _order(ideas, rated),
        by=rated.by if rated else "nobody",
        parted=told.one("part", Parted),
        rated=rated,
        shortlist=last,
    )


def why_above(now: Present, a: int, b: int) -> tuple[Meeting, ...]:
    """Return the meetings of two ideas, none where they did not meet; the first idea of each is
    `a`, whichever is above.
    """
    found = []
    for one in now.rated.meetings if now.rated else ():
        if (one.a, one.b) == (a, b):
            found.append(one)
        elif (one.a, one.b) == (b, a):
            turned = {"a": a, "b": b, "won_a": one.won_b, "won_b": one.won_a}
            found.append(one.model_copy(update=turned))
    return tuple(found)


# -- reading -----------------------------------------------------------------------------------


class Told(NamedTuple):
    """What a shortlist's own records say, by their places."""

    store: Store
    run: Run
    asked: ShortlistInputs
    parts: Mapping[str, Record]

    def one(self, place: str, kind: type[T]) -> T | None:
        """Return the record at a place; None where there is none yet."""
        found = self.parts.get(place)
        return found if isinstance(found, kind) else None

    def below(self, place: str, kind: type[T]) -> tuple[T, ...]:
        """Return the records of a kind right below a place."""
        return tuple(
            record
            for name, record in self.parts.items()
            if isinstance(record, kind) and name.rpartition("/")[0] == place
        )


class _Found(NamedTuple):
    so_far: StageSoFar
    ideas: Ideas


def _stage(told: Told, stage: Stage, before: Ideas) -> _Found:
    """Return a stage as it stands, and the ideas as they left it, or as they are in it."""
    choices = told.one(f"{stage}/choices", Choices)
    distinct = told.one(f"{stage}/distinct", Distinct)
    ended = told.one("shortlist", Shortlist) is not None
    done = ended if stage == "shortlist" else distinct is not None
    reached = stage == "explore" or told.one(f"{_before(stage)}/choices", Choices) is not None
    runs = _runs(told, stage) if reached else {}
    if not reached:
        return _Found(_not_reached(stage), before)
    entered = held.enter(before, stage)
    if stage == "refine":
        entered = held.before_refining(entered)
    inside, lost = READ[stage](told, entered, runs)
    after = inside
    asks = ""
    if choices:
        after = held.with_choices(inside, stage, choices)
    elif done and stage in told.asked.ask_after:
        asks = f"{stage}/choices"
    known = set(inside)
    return _Found(
        StageSoFar(
            stage=stage,
            state="done" if done else "under way",
            entered=tuple(going(entered)) if stage != "explore" else tuple(sorted(inside)),
            went_on=tuple(going(after)) if done else (),
            aside=tuple(
                one.aside for n, one in sorted(after.items()) if one.aside and _here(one, before)
            ),
            added=tuple(n for n in sorted(after) if n not in known),
            lost=lost,
            choices=choices,
            asks=asks,
            distinct=distinct,
            runs=tuple(run for _, run in sorted(runs.items())),
        ),
        after,
    )


def _here(one: IdeaSoFar, before: Ideas) -> bool:
    """Whether an idea ended in the stage that follows on `before`."""
    return one.n not in before or before[one.n].aside is None


def _before(stage: Stage) -> Stage:
    return STAGES[STAGES.index(stage) - 1]


def _not_reached(stage: Stage) -> StageSoFar:
    return StageSoFar(stage, "to come", (), (), (), (), (), None, "", None, ())


def _runs(told: Told, stage: Stage) -> dict[str, str]:
    """Return the runs of a stage by their names: those under way, and those that ended, made here
    or taken over.
    """
    begun = told.store.sweeps.begun(told.run.id)
    return {name: one.run for name, one in begun.items() if name.startswith(f"{stage}/")}


Reading = tuple[Ideas, tuple[str, ...]]
"""The ideas as they are in a stage, and what was lost in it."""


def _explored(told: Told, _: Ideas, runs: Mapping[str, str]) -> Reading:
    if explored := told.one("explore", Explored):
        return held.with_explored(explored), explored.lost
    own, chain = own_ideas(told.asked), runs.get("explore/chain", "")
    listed, lost = own, tuple[str, ...]()
    if chain:
        story = Story.of(told.store, chain)
        listed = (*list_ideas(told.store, story, chain, told.asked.ideas), *own)
        lost = list_lost(story)
    return held.with_explored(Explored(ideas=listed, run=chain)), lost


def _parted(told: Told, ideas: Ideas, _: Mapping[str, str]) -> Reading:
    parted = told.one("part", Parted)
    return (held.with_parted(ideas, parted), parted.failed) if parted else (ideas, ())


def _refined(told: Told, ideas: Ideas, runs: Mapping[str, str]) -> Reading:
    refined = told.below("refine", RefinedIdea)
    lost = tuple(f"Idea {one.n}: {one.failed}" for one in refined if one.failed)
    after = dict(held.with_refined(ideas, refined))
    ended = {one.n for one in refined}
    if told.one("refine/distinct", Distinct):
        return after, lost
    for n, one in going(ideas).items():
        if n not in ended:
            after[n] = _being_refined(told.store, one, runs)
    return after, lost


def _being_refined(store: Store, one: IdeaSoFar, runs: Mapping[str, str]) -> IdeaSoFar:
    """Return an idea in its newest form while it is refined: that of the last round that ended."""
    newest = one
    for name, run in runs.items():
        if not name.startswith(f"refine/idea-{one.n}/"):
            continue
        line = Story.only(store, run, Round, Outcome).lines[0]
        n, idea = 0, None
        if line.outcome:
            n, idea = line.outcome.round, line.outcome.idea
        elif line.rounds:
            n, idea = line.rounds[-1].n, line.rounds[-1].revision.idea
        if n and idea:
            newest = newest._replace(idea=idea, made=Place(run=run, place=f"round-{n}/revise"))
    return newest


def _checked(told: Told, ideas: Ideas, _: Mapping[str, str]) -> Reading:
    rechecked = told.below("check", Rechecked)
    lost = [f"Idea {one.n}: {one.failed}" for one in rechecked if one.failed]
    for one in rechecked:
        if one.compared and one.compared.failed:
            lost.append(f"Idea {one.n}, its two forms: {one.compared.failed}")
    return held.with_rechecked(ideas, rechecked), tuple(lost)


def _compared(told: Told, ideas: Ideas, _: Mapping[str, str]) -> Reading:
    rated = told.one("compare", RatedIdeas)
    if rated is None:
        return ideas, ()
    lost = [
        f"Ideas {one.a} and {one.b} could not be compared: {one.reason}"
        for one in rated.meetings
        if one.failed
    ]
    return held.with_rated(ideas, rated), (*lost, *rated.lost)


def _listed(told: Told, ideas: Ideas, _: Mapping[str, str]) -> Reading:
    last = told.one("shortlist", Shortlist)
    failed = [
        f"Idea {card.n}: {card.undesigned}"
        for card in (last.cards if last else ())
        if card.undesigned not in ("", NOT_ASKED)
    ]
    return ideas, tuple(failed)


READ: dict[Stage, Callable[[Told, Ideas, Mapping[str, str]], Reading]] = {
    "explore": _explored,
    "part": _parted,
    "refine": _refined,
    "check": _checked,
    "compare": _compared,
    "shortlist": _listed,
}


# -- the present order -------------------------------------------------------------------------


def _provisional(
    asked: ShortlistInputs, ideas: Ideas, rated: RatedIdeas | None
) -> tuple[Card, ...]:
    order = best_first(ideas, (one.n for one in rated.order) if rated else ())
    chosen = choose(order, asked.keep)
    undesigned = NOT_ASKED if rated else NOT_YET
    return tuple(
        make_card(one, place, undesigned=undesigned) for place, one in enumerate(chosen, 1)
    )


def _order(ideas: Ideas, rated: RatedIdeas | None) -> str:
    if rated:
        return rated.reason
    if any(one.rechecked for one in ideas.values()):
        return "By what fresh searches found of the refined ideas; nobody has compared them yet."
    return "By the chain's own checks, then by number; nobody has compared them yet."
