"""The sweep that fills a matrix cell by cell."""

from collections.abc import Iterator
from concurrent.futures import Future
from functools import partial

from core.desk import Desk
from core.experiments import contenders
from core.experiments.cells import Group, SweepInputs, area_of, models_of, tasks
from core.experiments.shared import (
    WANTING,
    Begun,
    Shared,
    gather_start,
    in_order,
    prepared,
    shared_by,
    task_of,
    waits_for,
)
from core.judging import forms, ranked_sets, ranking
from core.judging.ranked_sets import IdeaSet, RankInputs
from core.methods import adversarial, baselines, chain_of_ideas, evolution
from core.records import Cell, Idea, Indicator, Made, Outcome, Standing, Standings, Target, Worked
from core.story import Story

__all__ = ["SweepInputs", "sweep"]

PROMPTS = tuple(
    sorted(
        {
            *adversarial.PROMPTS,
            *evolution.PROMPTS,
            *baselines.DIRECT,
            *baselines.RAG,
            *chain_of_ideas.PROMPTS,
            *ranked_sets.PROMPTS,
            *forms.PROMPTS,
        }
    )
)
"""Everything any contender asks: what a sweep freezes, so that a contender added later plays by the
same prompts.
"""


def sweep(desk: Desk, asked: SweepInputs) -> Iterator[Made | Standings]:
    """Fill the matrix: have each cell's ideas written by a run, and ranked with the target by a run
    for each judge, showing both in the cell's place.

    What several cells begin with is written once, by a run of its own. A cell whose run failed says
    so, and the others go on; extending the matrix tries it again. Raises BadInput for a target that
    is not kept here.
    """
    todo = in_order(asked, desk.edition)
    place = {one.name: n for n, one in enumerate(todo) if isinstance(one, Shared)}
    begun: Begun = {name: Future() for name in place}
    desk.each(
        [
            (
                partial(share, asked=asked, one=one, begun=begun)
                if isinstance(one, Shared)
                else partial(fill, asked=asked, group=one, begun=begun)
            )
            for one in todo
        ],
        asked.at_once,
        [place.get(waits_for(asked, one, desk.edition)) for one in todo],
    )
    return iter(())


def share(desk: Desk, asked: SweepInputs, one: Shared, begun: Begun) -> None:
    """Have written what several cells begin with, and say what became of it to those that wait for
    it.
    """
    before = begun[one.after].result() if one.after else None
    try:
        worked = before if before and before.state == "failed" else shared(desk, asked, one, before)
    except BaseException as error:
        begun[one.name].set_exception(error)
        raise
    begun[one.name].set_result(worked)


def shared(desk: Desk, asked: SweepInputs, one: Shared, before: Worked | None) -> Worked:
    """Have a shared run worked on; `before` is the one that it begins with itself."""
    store = desk.bench.store
    target = store.frozen.get(one.target.sha, Target)
    if one.what == "common form":
        assert before
        first = tuple(outcome.idea for outcome in contenders.ended(Story.of(store, before.run)))
        return form(
            desk,
            asked,
            one.name,
            one.title,
            {idea.digest(): idea for idea in (target.idea, *first) if idea.form != "six-field"},
        )
    task = task_of(
        asked, one, target, desk.edition, prepared(store, before.run) if before else None
    )
    worked = desk.run(
        task.name, task.method, task.inputs, models_of(asked, task, one.by), one.title
    )
    reason = worked.reason or "The run failed." if worked.state == "failed" else ""
    if (
        not reason
        and one.what == "first ideas"
        and not contenders.ended(Story.of(store, worked.run))
    ):
        reason = "The run came to no readable idea."
    if reason:
        return Worked(run=worked.run, state="failed", reason=f"{WANTING[one.what]} {reason}")
    return worked


def fill(desk: Desk, asked: SweepInputs, group: Group, begun: Begun) -> None:
    """Have a group's ideas written, brought into the common form, and ranked by every judge and
    every indicator.
    """
    store = desk.bench.store
    needed = shared_by(asked, group, desk.edition)
    waited = tuple(begun[one.name].result() for one in needed if one.what != "common form")
    if waited and waited[-1].state == "failed":
        failed(desk, group, waited[-1])
        return
    target = store.frozen.get(group.target.sha, Target)
    title = f"{group.method}: {group.target.title}"
    todo = tasks(
        asked, group, target, desk.edition, gather_start(store, needed, begun) if needed else None
    )
    # Who only writes first ideas has written them.
    done = (
        desk.all(
            *(
                lambda d, task=task: d.run(
                    task.name, task.method, task.inputs, models_of(asked, task, group.model), title
                )
                for task in todo
            )
        )
        if todo
        else waited
    )
    stories = [Story.of(store, one.run) for one in done]
    outcomes = tuple(outcome for story in stories for outcome in contenders.ended(story))
    reason = next(
        (one.reason or "The run failed." for one in done if one.state == "failed"),
        "" if outcomes else "The run came to no readable idea.",
    )
    if reason:
        failed(desk, group, Worked(run=done[0].run, state="failed", reason=reason))
        return
    rounds = (
        contenders.rounds_of(stories[0], desk.edition)
        if asked.every_round and asked.judges and len(stories) == 1
        else []
    )
    ideas = (
        target.idea,
        *(one.idea for one in outcomes),
        *(idea for mine in rounds for idea in mine),
    )
    formed = bring_into_form(
        desk,
        asked,
        group,
        title,
        ideas,
        [one for one in needed if one.what == "common form"],
        begun,
    )
    for goal in group.goals:
        desk.at(f"{group.cell(goal).name}/ideas").show(
            made(group.cell(goal), done[0], outcomes, formed, waited if todo else ())
        )
    area = area_of(asked, target.category, desk.edition)
    desk.all(
        *(
            lambda d, goal=goal, judge=judge: rank(
                d,
                asked,
                group.cell(goal),
                goal,
                area,
                judge,
                title,
                sets_of(outcomes, rounds, target, formed),
            )
            for goal in group.goals
            for judge in asked.judges
        )
    )


def failed(desk: Desk, group: Group, worked: Worked) -> None:
    """Say in the places of a group's cells that they came to no idea, and why."""
    for goal in group.goals:
        desk.at(f"{group.cell(goal).name}/ideas").show(
            Made(cell=group.cell(goal), run=worked.run, state="failed", reason=worked.reason)
        )


def bring_into_form(
    desk: Desk,
    asked: SweepInputs,
    group: Group,
    title: str,
    ideas: tuple[Idea, ...],
    elsewhere: list[Shared],
    begun: Begun,
) -> dict[str, Idea]:
    """Bring ideas into the common form by a run of its own, once for all indicators and judges; by
    the digest of the original, as it is where that failed.

    First ideas and the target are brought into it `elsewhere`, where several cells rank them.
    """
    held = {idea.digest(): idea for idea in ideas}
    other = {sha: idea for sha, idea in held.items() if idea.form != "six-field"}
    if not (asked.same_form and asked.judges and other):
        return held
    store = desk.bench.store
    known: set[str] = set()
    for one in elsewhere:
        begun[
            one.name
        ].result()  # Begun before this group was, so that nobody waits for what nobody does.
        known = {
            ideas[0].digest(),
            *(
                outcome.idea.digest()
                for outcome in contenders.ended(Story.of(store, begun[one.after].result().run))
            ),
        }
    if left := {sha: idea for sha, idea in other.items() if sha not in known}:
        form(desk, asked, f"{group.under}/forms", title, left)
    found = {sha: store.frozen.form(sha, "idea") for sha in other}
    return held | {sha: store.frozen.get(formed, Idea) for sha, formed in found.items() if formed}


def form(desk: Desk, asked: SweepInputs, name: str, title: str, ideas: dict[str, Idea]) -> Worked:
    """Have ideas, by their digests, brought into the common form by a run of its own."""
    desk.bench.store.frozen.keep_all(tuple(idea for _, idea in sorted(ideas.items())))
    return desk.run(
        name,
        "forms",
        forms.FormInputs(topic=title, shas=tuple(sorted(ideas)), kind="idea"),
        {"main": asked.judges[0]},
        title,
    )


def made(
    cell: Cell,
    run: Worked,
    outcomes: tuple[Outcome, ...],
    formed: dict[str, Idea],
    began: tuple[Worked, ...],
) -> Made:
    """Return what a cell came to."""
    return Made(
        cell=cell,
        run=run.run,
        ideas=tuple(formed[one.idea.digest()] for one in outcomes),
        rounds=tuple(one.round for one in outcomes),
        converged=tuple(one.converged for one in outcomes),
        began=tuple(one.run for one in began),
    )


def sets_of(
    outcomes: tuple[Outcome, ...],
    rounds: list[tuple[Idea, ...]],
    target: Target,
    formed: dict[str, Idea],
) -> tuple[IdeaSet, ...]:
    """Return what is ranked: the ideas of every round, if that was asked for, and those the run
    came to, each time with the target.
    """
    several = {f"round-{n}": mine for n, mine in enumerate(rounds)} | {
        "final": tuple(one.idea for one in outcomes)
    }
    return tuple(
        IdeaSet(
            name=name,
            ideas={f"idea {k}": formed[idea.digest()] for k, idea in enumerate(ideas, 1)},
            target=formed[target.idea.digest()],
        )
        for name, ideas in several.items()
    )


def rank(
    desk: Desk,
    asked: SweepInputs,
    cell: Cell,
    goal: Indicator,
    area: str,
    judge: str,
    title: str,
    sets: tuple[IdeaSet, ...],
) -> None:
    """Have a cell's ideas ranked by one judge, and show how they stand."""
    inputs = RankInputs(
        topic=title,
        area=area,
        goals=(goal,),
        sets=sets,
        repeats=asked.repeats,
        same_form=asked.same_form,
    )
    done = desk.run(cell.rank_by(judge), "rank", inputs, {"main": judge}, title)
    told = {
        name: record
        for name, record in Story.of(desk.bench.store, done.run).parts
        if isinstance(record, Standing)
    }
    stands = {one.name: told.get(ranked_sets.place("judge", one.name, goal.name)) for one in sets}
    final = stands["final"]
    by_round = tuple(
        stand.q if stand else None for name, stand in stands.items() if name != "final"
    )
    failed = done.state == "failed" or final is None
    desk.at(cell.rank_by(judge)).show(
        Standings(
            cell=cell,
            judge=judge,
            run=done.run,
            q=tuple(map(ranking.q_of, final.rankings)) if final else (),
            by_round=by_round,
            state="failed" if failed else "done",
            reason=done.reason or (final.reason if final else "No ranking came about."),
        )
    )
