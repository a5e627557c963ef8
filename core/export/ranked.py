"""Relative ranking as blocks: Q by set, quality and judge, where every idea stood, the orders shown
and given, and why.
"""

from collections.abc import Iterator
from statistics import fmean
from typing import NamedTuple

from core.errors import StoreFailed, boundary
from core.export.blocks import Block, Blocks, Heading, Table, listed, nested, said
from core.export.chains import fields
from core.export.facts import called
from core.export.grids import grid
from core.judging.ranked_sets import IdeaSet, RankInputs, judges, place
from core.judging.ranking import TARGET, q_of
from core.records import Ranked, Run, Standing, Value, label
from core.records import Table as Figures
from core.statistics.intervals import SHARE, Scale
from core.statistics.paired import mean_ci
from core.story import Story

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


def asked(run: Run) -> RankInputs:
    """Return what a ranking was asked for, of whichever version; raises StoreFailed."""
    with boundary(
        StoreFailed,
        f"reading what run {run.id} was asked for, which another version of this program may have"
        " written",
    ):
        return run.inputs_as(RankInputs)


def stands(run: Run, story: Story) -> tuple[RankedStanding, ...]:
    """Return every standing that was asked for, by set, quality and judge."""
    given, shown = asked(run), dict(story.parts)
    found = [
        (name, one, goal.name, shown.get(place(role, one.name, goal.name)))
        for one in given.sets
        for goal in given.goals
        for role, name in judges(given, run.config.models).items()
    ]
    return tuple(
        RankedStanding(judge, one, goal, held if isinstance(held, Standing) else None)
        for judge, one, goal, held in found
    )


def ranking(run: Run, story: Story) -> Blocks:
    """Write what was ranked, how it stands, and every single order with its reasons."""
    held = stands(run, story)
    parts = [block for one in held for block in _stand(one)]
    return (
        *(block for table in tables(run, story) for block in grid(table)),
        Heading("What was ranked"),
        *nested(tuple(_sets(asked(run)))),
        Heading("Every order, with its reasons"),
        *parts,
    )


def tables(run: Run, story: Story) -> tuple[Figures, ...]:
    """Return Q by set, quality and judge, where there is a target, and the mean place of every
    idea.
    """
    held = stands(run, story)
    lead = [
        (Value(text=one.of.name), Value(text=one.goal), Value(text=called(one.judge)))
        for one in held
    ]
    qs = tuple(
        (*named, _q(one), Value(mean=float(len(one.rankings)), digits=0))
        for named, one in zip(lead, held, strict=True)
        if one.of.target
    )
    places = tuple(
        (*named, *row) for named, one in zip(lead, held, strict=True) for row in _places(one)
    )
    found = (
        Figures(
            name="q",
            title="Q by set, quality and judge",
            head=("Set", "Quality", "Judge", "Q", "Rankings"),
            rows=qs,
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
            rows=places,
            note=(
                "1 is best. In brackets the 95 % interval by Student's t over the rankings,"
                " Wilson's where all are equal, cut at the first and the last place. Ideas of the"
                " same mean place are tied, and stand in the order in which they are called."
            ),
        ),
    )
    return tuple(one for one in found if one.rows)


def _q(one: RankedStanding) -> Value:
    aimed = [q_of(ranked) for ranked in one.rankings if TARGET in ranked.shown]
    if not aimed:
        return Value(
            text=(
                f"not ranked: {one.standing.reason}"
                if one.standing and one.standing.reason
                else "not ranked"
            )
        )
    return _mean(aimed, SHARE)


def _places(one: RankedStanding) -> Iterator[Cells]:
    if one.rankings:
        found = {
            name: [
                ranked.best_first.index(name) + 1
                for ranked in one.rankings
                if name in ranked.best_first
            ]
            for name in one.of.whole
        }
        for name in sorted(
            (name for name in found if found[name]), key=lambda name: (fmean(found[name]), name)
        ):
            yield (
                Value(text=one.of.whole[name].title),
                Value(text=name),
                _mean(found[name], Scale(1.0, float(len(one.of.whole))), digits=2),
            )


def _mean(values: list[float] | list[int], scale: Scale, digits: int = 3) -> Value:
    found = mean_ci([float(one) for one in values], scale, "rankings")
    return Value(
        mean=found.value,
        low=found.low,
        high=found.high,
        n=found.n,
        counted="rankings",
        digits=digits,
        note=" ".join(filter(None, found[4:])),
    )


def _sets(given: RankInputs) -> Iterator[Block]:
    seen: dict[str, str] = {}
    for one in given.sets:
        yield Heading(f"Set: {one.name}")
        for name, idea in one.whole.items():
            where = seen.setdefault(idea.digest(), f"{name}, set {one.name}")
            yield Heading(f"{label(name) if name == TARGET else name}: {idea.title}", 3)
            yield from (
                fields(idea.fields)
                if where == f"{name}, set {one.name}"
                else (said(f"The same text as {where}."),)
            )


def _stand(one: RankedStanding) -> Iterator[Block]:
    yield Heading(f"{one.of.name}, {one.goal}, judged by {called(one.judge)}", 3)
    if one.standing is None:
        yield said("No ranking came about (yet).")
        return
    if one.standing.reason:
        yield said(one.standing.reason)
    yield Table(
        ("Ranking", "Shown in this order", "Best first", "Q"),
        tuple(_row(n, ranked) for n, ranked in enumerate(one.rankings, 1)),
    )
    for n, ranked in enumerate(one.rankings, 1):
        yield Heading(f"Reasons, ranking {n}", 4)
        yield from listed(
            (
                f"{name}: {why or 'no reason given'}"
                for name, why in zip(ranked.best_first, ranked.reasons, strict=False)
            ),
            ordered=True,
        )


def _row(n: int, ranked: Ranked) -> tuple[str, ...]:
    return (
        str(n),
        ", ".join(ranked.shown),
        ", ".join(ranked.best_first),
        f"{q_of(ranked):.3f}" if TARGET in ranked.shown else "–",
    )
