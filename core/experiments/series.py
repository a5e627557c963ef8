"""What the figures of an experiment are drawn from: points with their intervals, by method, model
and quality; and the same as tables.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean

from core.experiments.findings import Findings
from core.experiments.measuring import ENDLESS, clustered
from core.experiments.results import Group, Results, group
from core.experiments.tables import METHODS
from core.records import Record, Standings, Table, Value


class FigurePoint(Record):
    """A figure at a place of the horizontal axis."""

    x: Value
    y: Value
    of: str = ""
    """What the point is, where that is more than its series: a target."""
    said: str = ""
    """What is said of the point where a figure is pointed at; its two figures, where nothing else
    is.
    """


class FigureSeries(Record):
    """Points that belong together."""

    method: str
    model: str
    indicator: str
    points: tuple[FigurePoint, ...]

    @property
    def name(self) -> str:
        return f"{METHODS.get(self.method, self.method)}, {self.model}"


def by_round(results: Results) -> tuple[FigureSeries, ...]:
    """Return mean Q against the round (InfAL, figure 3): ideas that stopped earlier stand as they
    ended.
    """
    held = ranked(one for one in results.ranked if one.by_round)
    return tuple(_series(key, _rounds(results, cells)) for key, cells in held.items())


def _rounds(results: Results, cells: Sequence[Standings]) -> Iterator[FigurePoint]:
    for n in range(max(len(one.by_round) for one in cells)):
        here = [
            (one, q)
            for one in cells
            if (q := one.by_round[min(n, len(one.by_round) - 1)]) is not None
        ]
        if here:
            yield FigurePoint(
                x=Value(mean=n, digits=0),
                y=clustered(results, [q for _, q in here], [one for one, _ in here]),
            )


def by_repeat(results: Results) -> tuple[FigureSeries, ...]:
    """Return mean Q at each repeat of the ranking, over the targets that have all of them."""
    most = max((len(one.q) for one in results.ranked), default=0)
    held = ranked(one for one in results.ranked if len(one.q) == most > 1)
    return tuple(
        _series(key, (_repeat(k, cells) for k in range(most))) for key, cells in held.items()
    )


def _repeat(k: int, cells: Sequence[Standings]) -> FigurePoint:
    mean = Value(
        mean=fmean(one.q[k] for one in cells),
        n=len({one.cell.target for one in cells}),
        counted="targets",
        runs=tuple(one.run for one in cells),
    )
    return FigurePoint(x=Value(mean=k + 1, digits=0), y=mean)


def endings(results: Results) -> tuple[FigureSeries, ...]:
    """Return which share of the ideas converged after how many rounds; those that did not stand one
    place after the last round.
    """
    ended: defaultdict[Group, Counter[int]] = defaultdict(Counter)
    runs: defaultdict[Group, list[str]] = defaultdict(list)
    for one in results.made:
        if one.cell.method not in ENDLESS and one.rounds:
            ended[group(one.cell)].update(
                n if yes else results.max_rounds + 1
                for n, yes in zip(one.rounds, one.converged, strict=True)
            )
            runs[group(one.cell)].append(one.run)
    return tuple(
        _series(
            key,
            (
                _ending(n, count, counts.total(), results.max_rounds, runs[key])
                for n, count in sorted(counts.items())
            ),
        )
        for key, counts in ended.items()
    )


def _ending(n: int, count: int, ideas: int, most: int, runs: Sequence[str]) -> FigurePoint:
    return FigurePoint(
        x=Value(mean=n, digits=0, text="" if n <= most else f"not by {most}"),
        y=Value(mean=count / ideas, unit="percent", n=ideas, counted="ideas", runs=tuple(runs)),
    )


def cost_against_q(found: Findings) -> tuple[FigureSeries, ...]:
    """Return mean Q against the mean cost of an idea; what has no known cost is left out, and
    stands in the table of costs as such.
    """
    costs = {
        (one.method, one.model): one.value for one in found.costs if one.value.mean is not None
    }
    return tuple(
        FigureSeries(
            method=one.method,
            model=one.model,
            indicator=one.indicator,
            points=(FigurePoint(x=cost, y=one.value),),
        )
        for one in found.quality
        if one.what == "q"
        and one.value.mean is not None
        and (cost := costs.get((one.method, one.model)))
    )


def by_judges(results: Results, first: str, second: str) -> tuple[FigureSeries, ...]:
    """Return Q of each cell by one judge (across) against Q by another (up)."""
    titles = {one.sha: one.title for one in results.targets}
    other = {one.cell: one for one in results.standings if one.judge == second and one.q}
    held = ranked(
        one for one in results.standings if one.judge == first and one.q and one.cell in other
    )
    return tuple(
        _series(
            key,
            (
                FigurePoint(x=_one(one), y=_one(other[one.cell]), of=titles[one.cell.target])
                for one in cells
            ),
        )
        for key, cells in held.items()
    )


def _one(said: Standings) -> Value:
    return Value(mean=fmean(said.q), n=len(said.q), counted="repeats", runs=(said.run,))


def ranked(standings: Iterable[Standings]) -> dict[Group, list[Standings]]:
    """Return standings by method, model and indicator, in the order they come."""
    held: defaultdict[Group, list[Standings]] = defaultdict(list)
    for one in standings:
        held[group(one.cell)].append(one)
    return held


def _series(key: Group, points: Iterable[FigurePoint]) -> FigureSeries:
    method, model, indicator = key
    return FigureSeries(method=method, model=model, indicator=indicator, points=tuple(points))


def tabled(
    name: str, title: str, across: str, up: str, series: Sequence[FigureSeries], note: str = ""
) -> Table:
    """Return what a figure shows as a table, a row for each point; `across` and `up` are its
    axes.
    """
    named = any(point.of for one in series for point in one.points)
    rows = tuple(
        (
            Value(text=METHODS.get(one.method, one.method)),
            Value(text=one.model),
            Value(text=one.indicator),
            *([Value(text=point.of)] if named else []),
            point.x,
            point.y,
        )
        for one in series
        for point in one.points
    )
    return Table(
        name=name,
        title=title,
        caption=title,
        head=("Method", "Model", "Quality", *(["Of"] if named else []), across, up),
        rows=rows,
        note=note,
    )
