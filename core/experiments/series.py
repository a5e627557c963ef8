"""What the figures of an experiment are drawn from: points with their intervals, by method, model
and quality; and the same as tables.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from statistics import fmean

from core.experiments.contenders import ENDLESS
from core.experiments.findings import Findings, Measured
from core.experiments.measuring import all_repeats, clustered, group_cells
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
    held = group_cells(one for one in results.ranked if one.by_round)
    return tuple(_series(key, _rounds(results, cells)) for key, cells in held.items())


def _rounds(results: Results, cells: Sequence[Standings]) -> Iterator[FigurePoint]:
    converged = {one.cell for one in results.made if one.converged and all(one.converged)}
    for n in range(max(len(one.by_round) for one in cells)):
        qs: list[float] = []
        known: list[Standings] = []
        for cell in cells:
            q = cell.by_round[min(n, len(cell.by_round) - 1)]
            if n >= len(cell.by_round) and cell.cell not in converged:
                # It need not have ended with its last version, but with the last that was better.
                q = fmean(cell.q)
            if q is not None:
                qs.append(q)
                known.append(cell)
        if known:
            yield FigurePoint(x=Value(mean=n, digits=0), y=clustered(results, qs, known))


def by_repeat(results: Results) -> tuple[FigureSeries, ...]:
    """Return mean Q at each repeat of the ranking, over the targets that have all of them."""
    most, held = all_repeats(results)
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
    place after the last round, those that broke off before it one place further.
    """
    most = results.max_rounds
    ended: defaultdict[Group, Counter[int]] = defaultdict(Counter)
    runs: defaultdict[Group, list[str]] = defaultdict(list)
    for one in results.made:
        if one.cell.method in ENDLESS or not one.rounds:
            continue
        key = group(one.cell)
        runs[key].append(one.run)
        broke_off = results.broke_off.get(one.run, ())
        for n, converged, lost in zip_longest(
            one.rounds, one.converged, broke_off, fillvalue=False
        ):
            ended[key][n if converged else most + 1 + lost] += 1
    found = []
    for key, counts in ended.items():
        ideas, points = counts.total(), []
        for n, count in sorted(counts.items()):
            beyond = {most + 1: f"not by {most}", most + 2: "broke off"}
            rounds = Value(mean=n, digits=0, text=beyond.get(n, ""))
            share = Value(
                mean=count / ideas,
                unit="percent",
                n=ideas,
                counted="ideas",
                runs=tuple(runs[key]),
            )
            points.append(FigurePoint(x=rounds, y=share))
        found.append(_series(key, points))
    return tuple(found)


def cost_against_q(found: Findings) -> tuple[FigureSeries, ...]:
    """Return mean Q against the mean cost of an idea; what has no known cost is left out, and
    stands in the table of costs as such.
    """
    costs = {(one.method, one.model): one.value for one in found.costs}
    series = []
    for one in found.quality:
        cost = costs.get((one.method, one.model))
        if not cost or one.what != "q":
            continue
        if cost.mean is not None and one.value.mean is not None:
            point = FigurePoint(x=cost, y=one.value)
            series.append(one_point(one, point))
    return tuple(series)


def one_point(of: Measured, point: FigurePoint) -> FigureSeries:
    """Return the series that a single figure makes."""
    return _series((of.method, of.model, of.indicator), (point,))


def by_judges(results: Results, first: str, second: str) -> tuple[FigureSeries, ...]:
    """Return Q of each cell by one judge (across) against Q by another (up)."""
    titles = {one.sha: one.title for one in results.targets}
    judged = [one for one in results.standings if one.q]
    theirs = {one.cell: one for one in judged if one.judge == second}
    points: defaultdict[Group, list[FigurePoint]] = defaultdict(list)
    for one in judged:
        cell = one.cell
        if one.judge == first and cell in theirs:
            up = _mean(theirs[cell])
            point = FigurePoint(x=_mean(one), y=up, of=titles[cell.target])
            points[group(cell)].append(point)
    return tuple(_series(key, several) for key, several in points.items())


def _mean(standings: Standings) -> Value:
    qs = standings.q
    return Value(mean=fmean(qs), n=len(qs), counted="repeats", runs=(standings.run,))


def _series(key: Group, points: Iterable[FigurePoint]) -> FigureSeries:
    method, model, indicator = key
    return FigureSeries(method=method, model=model, indicator=indicator, points=tuple(points))


def tabulate(
    name: str, title: str, across: str, up: str, series: Sequence[FigureSeries], note: str = ""
) -> Table:
    """Return what a figure shows as a table, a row for each point; `across` and `up` are its
    axes.
    """
    named = any(point.of for one in series for point in one.points)
    lead = ("Method", "Model", "Quality", "Of") if named else ("Method", "Model", "Quality")
    rows = []
    for one in series:
        method = METHODS.get(one.method, one.method)
        for point in one.points:
            texts = (method, one.model, one.indicator, point.of)[: len(lead)]
            names = [Value(text=text) for text in texts]
            rows.append((*names, point.x, point.y))
    head = (*lead, across, up)
    return Table(name=name, title=title, caption=title, head=head, rows=tuple(rows), note=note)
