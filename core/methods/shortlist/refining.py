"""The third stage: each idea refined for one quality after the other, all ideas side by side."""

from collections.abc import Mapping
from functools import partial

from core.desk import Desk
from core.methods.adversarial.actors import fates, place_of
from core.methods.evolution import EvolveInputs
from core.methods.inputs import RefineInputs, ShortlistInputs
from core.methods.shortlist.ideas import IdeaSoFar
from core.records import (
    Idea,
    Indicator,
    Outcome,
    Paper,
    Place,
    Play,
    RefinedIdea,
    Remark,
    Review,
    Worked,
)
from core.store import Store
from core.story import Line, Story

REVISION = "checklist"
"""What the run of the checklist's revision is called."""


def refine_all(
    desk: Desk, asked: ShortlistInputs, ideas: Mapping[int, IdeaSoFar], chain: str
) -> tuple[RefinedIdea, ...]:
    """Refine all ideas side by side and show each as it ends; `chain` is the run whose papers they
    come from.
    """
    if not asked.goals and not asked.revise:
        return ()
    papers = papers_by_branch(desk.bench.store, chain)
    work = [
        partial(refine, asked=asked, one=one, context=papers.get(one.listed.branch or 0, ()))
        for one in ideas.values()
    ]
    return desk.each(work, asked.at_once)


def papers_by_branch(store: Store, chain: str) -> dict[int, tuple[Paper, ...]]:
    """Return the papers of each branch of a chain, which may be no run at all."""
    branches = Story.of(store, chain).branches if chain else ()
    return {one.n: one.chain.papers for one in branches if one.chain}


def refine(
    desk: Desk, asked: ShortlistInputs, one: IdeaSoFar, context: tuple[Paper, ...]
) -> RefinedIdea:
    """Refine one idea for each quality in turn, on what the one before left; a refinement that
    fails changes nothing, and is said to have failed.
    """
    here, store = desk.at(f"idea-{one.n}"), desk.bench.store
    refined = RefinedIdea(n=one.n, idea=one.idea)
    for goal in asked.goals:
        inputs = refine_inputs(asked, refined.idea, goal, context)
        title = f"Idea {one.n}, refined for {goal.name}: {one.idea.title}"
        worked = here.run(place_of(goal), "refine", inputs, desk.bench.config.models, title)
        refined = _after(store, refined, worked, f"The refinement for {goal.name} failed")
    if asked.revise:
        title = f"Idea {one.n}, revised by the checklist: {one.idea.title}"
        revision = revision_inputs(asked, refined.idea)
        worked = here.run(REVISION, "evolve", revision, desk.bench.config.models, title)
        refined = _after(store, refined, worked, "The revision by the checklist failed")
    here.show(refined)
    return refined


def refine_inputs(
    asked: ShortlistInputs, idea: Idea, goal: Indicator, context: tuple[Paper, ...]
) -> RefineInputs:
    """Return what the refinement of an idea for one quality is asked for."""
    play = Play(goals=(goal,), rules=asked.rules)
    return RefineInputs(topic=asked.topic, play=play, idea=idea, context=context)


def revision_inputs(asked: ShortlistInputs, idea: Idea) -> EvolveInputs:
    """Return what the one revision by the checklist is asked for."""
    return EvolveInputs(topic=asked.topic, question=asked.topic, idea=idea, papers=False)


def _after(store: Store, before: RefinedIdea, worked: Worked, failed: str) -> RefinedIdea:
    """Return an idea after a run that was to refine it."""
    runs = (*before.runs, worked.run)
    if worked.state == "failed":
        said = f"{failed}: {worked.reason}"
        return before.model_copy(
            update={"runs": runs, "failed": " ".join(filter(None, (before.failed, said)))}
        )
    line = Story.of(store, worked.run).lines[0]
    outcome = line.outcome
    if outcome is None:
        return before.model_copy(update={"runs": runs})
    change: dict[str, object] = {"runs": runs, "idea": outcome.idea}
    written = "step-{}/evolve-revise" if line.steps else "round-{}/revise"
    if outcome.round:
        change["made"] = Place(run=worked.run, place=written.format(outcome.round))
    if line.steps:
        return before.model_copy(update=change)
    change["rounds"] = before.rounds + len(line.rounds)
    found = open_remarks(store, worked.run, line, outcome)
    if found:
        remarks, place = found
        change["objections"] = tuple(remark.text for remark in remarks)
        change["objected"] = Place(run=worked.run, place=place)
    return before.model_copy(update=change)


def open_remarks(
    store: Store, run: str, line: Line, outcome: Outcome
) -> tuple[tuple[Remark, ...], str] | None:
    """Return what reviewers still have against the version that a refinement ended with, and the
    step that says so; None where nobody reviewed it.

    That is the review of this very version, if it was written: the next round began with it, or it
    was written beside the last verdict. Else what the version's own round left open.
    """
    n = outcome.round
    if later := next((one for one in line.rounds if one.n == n + 1), None):
        return (later.review.remarks, f"round-{n}/review") if later.review else None
    step = store.steps.get(run, f"round-{n}/review")
    if step and step.status == "done":
        return Review.model_validate(step.reply).remarks, step.key
    own = next((one for one in line.rounds if one.n == n), None)
    if own is None or own.review is None:
        return None
    became = fates(n, own.review, own.declined, own.revision)
    return tuple(fate.remark for fate in became if fate.became == "open"), f"round-{n - 1}/review"
