"""The sweep that fills a matrix cell by cell."""
from collections.abc import Iterator
from functools import partial

from core.desk import Desk
from core.experiments import contenders
from core.experiments.cells import Group, SweepInputs, groups, tasks
from core.judging import forms, ranked_sets, ranking
from core.judging.ranked_sets import IdeaSet, RankInputs
from core.methods import adversarial, baselines, chain_of_ideas, evolution
from core.records import Cell, Idea, Indicator, Made, Outcome, Standing, Standings, Target, Worked
from core.story import Story

__all__ = ["SweepInputs", "sweep"]

PROMPTS = tuple(sorted({*adversarial.PROMPTS, *evolution.PROMPTS, *baselines.DIRECT, *baselines.RAG, *chain_of_ideas.PROMPTS, *ranked_sets.PROMPTS,
                        *forms.PROMPTS}))
"""Everything any contender asks: what a sweep freezes, so that a contender added later plays by the same prompts."""


def sweep(desk: Desk, asked: SweepInputs) -> Iterator[Made | Standings]:
    """Fill the matrix: have each cell's ideas written by a run, and ranked with the target by a run for each judge, showing both in the cell's place.

    A cell whose run failed says so, and the others go on; extending the matrix tries it again. Raises BadInput for a target that is not kept here.
    """
    longest_first = sorted(groups(asked), key=lambda group: -contenders.series(group.method, asked.rules))
    desk.each([partial(fill, asked=asked, group=group) for group in longest_first], asked.at_once)
    return iter(())


def fill(desk: Desk, asked: SweepInputs, group: Group) -> None:
    """Have a group's ideas written, brought into the common form, and ranked by every judge and every indicator."""
    target = desk.bench.store.frozen.get(group.target.sha, Target)
    todo, title = tasks(asked, group, target), f"{group.method}: {group.target.title}"
    done = desk.all(*(lambda d, task=task: d.run(task.name, task.method, task.inputs, {"main": group.model}, title) for task in todo))
    stories = [Story.of(desk.bench.store, one.run) for one in done]
    outcomes = tuple(outcome for story in stories for outcome in contenders.ended(story))
    reason = next((one.reason or "The run failed." for one in done if one.state == "failed"), "" if outcomes else "The run came to no readable idea.")
    for goal in group.goals if reason else ():
        desk.at(f"{group.cell(goal).name}/ideas").show(Made(cell=group.cell(goal), run=done[0].run, state="failed", reason=reason))
    if reason:
        return
    rounds = contenders.rounds_of(stories[0]) if asked.every_round and asked.judges and len(stories) == 1 else []
    formed = formed_of(desk, asked, group, title, (target.idea, *(one.idea for one in outcomes), *(idea for mine in rounds for idea in mine)))
    for goal in group.goals:
        desk.at(f"{group.cell(goal).name}/ideas").show(made(group.cell(goal), done[0], outcomes, formed))
    desk.all(*(lambda d, goal=goal, judge=judge: rank(d, asked, group.cell(goal), goal, judge, title, sets_of(outcomes, rounds, target, formed))
               for goal in group.goals for judge in asked.judges))


def formed_of(desk: Desk, asked: SweepInputs, group: Group, title: str, ideas: tuple[Idea, ...]) -> dict[str, Idea]:
    """Bring ideas into the common form by a run of its own, once for all indicators and judges; by the digest of the original, as it is where that failed."""
    held = {idea.digest(): idea for idea in ideas}
    other = tuple(sorted(sha for sha, idea in held.items() if idea.form != "six-field"))
    if not (asked.same_form and asked.judges and other):
        return held
    frozen = desk.bench.store.frozen
    frozen.keep_all(tuple(held[sha] for sha in other))
    desk.run(f"{group.under}/forms", "forms", forms.FormInputs(topic=title, shas=other, kind="idea"), {"main": asked.judges[0]}, title)
    found = {sha: frozen.form(sha, "idea") for sha in other}
    return held | {sha: frozen.get(form, Idea) for sha, form in found.items() if form}


def made(cell: Cell, run: Worked, outcomes: tuple[Outcome, ...], formed: dict[str, Idea]) -> Made:
    """Return what a cell came to."""
    return Made(cell=cell, run=run.run, ideas=tuple(formed[one.idea.digest()] for one in outcomes), rounds=tuple(one.round for one in outcomes),
                converged=tuple(one.converged for one in outcomes))


def sets_of(outcomes: tuple[Outcome, ...], rounds: list[tuple[Idea, ...]], target: Target, formed: dict[str, Idea]) -> tuple[IdeaSet, ...]:
    """Return what is ranked: the ideas of every round, if that was asked for, and those the run came to, each time with the target."""
    several = {f"round-{n}": mine for n, mine in enumerate(rounds)} | {"final": tuple(one.idea for one in outcomes)}
    return tuple(IdeaSet(name=name, ideas={f"idea {k}": formed[idea.digest()] for k, idea in enumerate(ideas, 1)}, target=formed[target.idea.digest()])
                 for name, ideas in several.items())


def rank(desk: Desk, asked: SweepInputs, cell: Cell, goal: Indicator, judge: str, title: str, sets: tuple[IdeaSet, ...]) -> None:
    """Have a cell's ideas ranked by one judge, and show how they stand."""
    inputs = RankInputs(topic=title, area=asked.area, goals=(goal,), sets=sets, repeats=asked.repeats, same_form=asked.same_form)
    done = desk.run(cell.rank_by(judge), "rank", inputs, {"main": judge}, title)
    told = {name: record for name, record in Story.of(desk.bench.store, done.run).parts if isinstance(record, Standing)}
    stands = {one.name: told.get(ranked_sets.place("judge", one.name, goal.name)) for one in sets}
    final = stands["final"]
    by_round = tuple(stand.q if stand else None for name, stand in stands.items() if name != "final")
    failed = done.state == "failed" or final is None
    desk.at(cell.rank_by(judge)).show(Standings(
        cell=cell, judge=judge, run=done.run, q=tuple(map(ranking.q_of, final.rankings)) if final else (), by_round=by_round,
        state="failed" if failed else "done", reason=done.reason or (final.reason if final else "No ranking came about.")))
