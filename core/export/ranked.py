"""Relative ranking as blocks: Q by set, quality and judge, where every idea stood, the orders shown
and given, and why.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from statistics import fmean
from typing import NamedTuple

from core.export.asked import inputs_as
from core.export.blocks import Block, Heading, Table, fields, grid, listing, nest, prose
from core.export.facts import called
from core.judging.ranked_sets import IdeaSet, RankInputs, judges, place
from core.judging.ranking import TARGET, q_of
from core.records import Ranked, Run, Standing, Value, label
from core.records import Table as Figures
from core.statistics.intervals import SHARE, Scale
from core.statistics.paired import mean_ci
from core.store import Store
from core.store.steps import played_by
from core.story import Story
from core.tables.cells import count

Cells = tuple[Value, ...]


class RankedStanding(NamedTuple):
    """One set, ranked by one judge by one quality; no standing where none came about."""

    judge: str
    of: IdeaSet
    goal: str
    standing: Standing | None

    @property
    def rankings(self) -> tuple[Ranked, ...]:
        return self.standing.rankings if self.standing else ()


def stands(store: Store, run: Run, story: Story) -> tuple[RankedStanding, ...]:
    """Return every standing that was asked for, by set, quality and judge: a branch may go on with
    another judge than the one that it took standings over from.
    """
    inputs, parts = inputs_as(run, RankInputs), dict(story.parts)
    answered, by_role = store.steps.answered(run), judges(inputs, run.config.models).items()
    found = []
    for ideas, goal, (role, judge) in product(inputs.sets, inputs.goals, by_role):
        at = place(role, ideas.name, goal.name)
        part = parts.get(at)
        standing = part if isinstance(part, Standing) else None
        by = map(called, played_by(answered, role, judge, at))
        found.append(RankedStanding(", then ".join(by), ideas, goal.name, standing))
    return tuple(found)


def ranking(store: Store, run: Run, story: Story) -> Iterator[Block]:
    """Write what was ranked, how it stands, and every single order with its reasons."""
    for table in tables(store, run, story):
        yield from grid(table)
    yield Heading("What was ranked")
    yield from nest(_sets(inputs_as(run, RankInputs)))
    yield Heading("Every order, with its reasons")
    for ranked_set in stands(store, run, story):
        yield from _orders(ranked_set)


def tables(store: Store, run: Run, story: Story) -> tuple[Figures, ...]:
    """Return Q by set, quality and judge, where there is a target, and the mean place of every
    idea.
    """
    qs: list[Cells] = []
    places: list[Cells] = []
    for one in stands(store, run, story):
        lead = Value(text=one.of.name), Value(text=one.goal), Value(text=one.judge)
        if one.of.target:
            qs.append((*lead, _q(one), count(len(one.rankings))))
        places += [(*lead, *cells) for cells in _places(one)]
    found = (
        Figures(
            name="q",
            title="Q by set, quality and judge",
            head=("Set", "Quality", "Judge", "Q", "Rankings"),
            rows=tuple(qs),
            note=(
                "Q = (place of the target - 1) / number of ideas: 0 with the target best, 1 with it"
                " worst. 95 % intervals by Student's t over the rankings of one set by one judge,"
                " Wilson's where all are equal, cut at 0 and 1: of how far that judge varies, not"
                " of how ideas vary."
            ),
        ),
        Figures(
            name="places",
            title="Mean place of every idea",
            head=("Set", "Quality", "Judge", "Idea", "Called", "Mean place"),
            rows=tuple(places),
            note=(
                "1 is best. In brackets the 95 % interval by Student's t over the rankings,"
                " Wilson's where all are equal, cut at the first and the last place. Ideas of the"
                " same mean place are tied, and stand in the order in which they are called."
            ),
        ),
    )
    return tuple(one for one in found if one.rows)


def _q(ranked_set: RankedStanding) -> Value:
    qs = [q_of(ranked) for ranked in ranked_set.rankings if TARGET in ranked.shown]
    if qs:
        return _mean(qs, SHARE)
    reason = ranked_set.standing.reason if ranked_set.standing else ""
    return Value(text=f"not ranked: {reason}" if reason else "not ranked")


def _places(ranked_set: RankedStanding) -> Iterator[Cells]:
    """Yield title, name and mean place of every idea that has one, the best first."""
    ideas = ranked_set.of.whole
    found = defaultdict[str, list[int]](list)
    for ranked in ranked_set.rankings:
        for number, name in enumerate(ranked.best_first, 1):
            if name in ideas:
                found[name].append(number)
    scale = Scale(1.0, float(len(ideas)))
    best_first = sorted(found.items(), key=lambda item: (fmean(item[1]), item[0]))
    for name, numbers in best_first:
        mean = _mean(numbers, scale, digits=2)
        yield Value(text=ideas[name].title), Value(text=name), mean


def _mean(values: Sequence[float], scale: Scale, digits: int = 3) -> Value:
    found = mean_ci([float(value) for value in values], scale, "rankings")
    return Value(
        mean=found.value,
        low=found.low,
        high=found.high,
        n=found.n,
        counted="rankings",
        digits=digits,
        note=" ".join(filter(None, found[4:])),
    )


def _sets(inputs: RankInputs) -> Iterator[Block]:
    seen: dict[str, str] = {}
    for ideas in inputs.sets:
        yield Heading(f"Set: {ideas.name}")
        for name, idea in ideas.whole.items():
            here = f"{name}, set {ideas.name}"
            first = seen.setdefault(idea.digest(), here)
            yield Heading(f"{label(name) if name == TARGET else name}: {idea.title}", 3)
            if first == here:
                yield from fields(idea.fields)
            else:
                yield prose(f"The same text as {first}.")


def _orders(ranked_set: RankedStanding) -> Iterator[Block]:
    yield Heading(f"{ranked_set.of.name}, {ranked_set.goal}, judged by {ranked_set.judge}", 3)
    if ranked_set.standing is None:
        yield prose("No ranking came about (yet).")
        return
    if ranked_set.standing.reason:
        yield prose(ranked_set.standing.reason)
    rows = []
    for n, ranked in enumerate(ranked_set.rankings, 1):
        q = f"{q_of(ranked):.3f}" if TARGET in ranked.shown else "–"
        rows.append((str(n), ", ".join(ranked.shown), ", ".join(ranked.best_first), q))
    yield Table(("Ranking", "Shown in this order", "Best first", "Q"), tuple(rows))
    for n, ranked in enumerate(ranked_set.rankings, 1):
        yield Heading(f"Reasons, ranking {n}", 4)
        reasons = zip(ranked.best_first, ranked.reasons, strict=False)
        yield from listing(
            (f"{name}: {why or 'no reason given'}" for name, why in reasons), ordered=True
        )
