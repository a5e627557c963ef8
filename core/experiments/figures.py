"""The figures of an experiment: each with its intervals, and the table that says the same."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from core.charts.style import FAINT, DrawnFigure
from core.experiments import tables
from core.experiments.drawing import Q_SPAN, Canvas
from core.experiments.findings import Findings, Measured
from core.experiments.results import Results
from core.experiments.series import (
    FigurePoint,
    FigureSeries,
    by_judges,
    by_repeat,
    by_round,
    cost_against_q,
    endings,
    one_point,
    tabulate,
)
from core.records import Value

Q = "Mean Q (bar: 95 % interval)"


def figures(results: Results, found: Findings, ink: str) -> tuple[DrawnFigure, ...]:
    """Return every figure there are points for; `ink` is the colour of words."""
    made = (
        mean_q(found, ink),
        draw_rounds(results, ink),
        convergence(results, ink),
        cost(found, ink),
        repeatability(results, found, ink),
        *(judges(results, *pair, ink) for pair in combinations(results.judges, 2)),
    )
    return tuple(one for one in made if one is not None)


def mean_q(found: Findings, ink: str) -> DrawnFigure | None:
    """Draw Q by method and model, methods down (table 1)."""
    series = _means(found.quality)
    if not series:
        return None
    table = tables.table(found, "quality")
    return DrawnFigure("mean-q", "Mean Q by method and model", _down(series, [], Q, ink), table)


def _means(found: Sequence[Measured], called: str = "") -> list[FigureSeries]:
    """Return each mean Q as a series of its own, whose point says the figure as it is `called`."""
    series = []
    for one in found:
        if one.what == "q" and one.value.mean is not None:
            point = FigurePoint(x=one.value, y=Value(), said=f"{called}{one.value.said}")
            series.append(one_point(one, point))
    return series


def repeatability(results: Results, found: Findings, ink: str) -> DrawnFigure | None:
    """Draw mean Q of each repeat of the ranking, and the mean of them (table 4)."""
    means = _means(found.repeatability, "mean ")
    if not means:
        return None
    each = by_repeat(results)
    single = []
    for one in each:
        points = [
            FigurePoint(
                x=Value(mean=point.y.mean),
                y=Value(),
                said=f"repeat {point.x.said}, {point.y.number}",
            )
            for point in one.points
        ]
        single.append(one.model_copy(update={"points": tuple(points)}))
    title, note = "Q at each repeat of the ranking", found.notes.get("repeatability", "")
    figure = _down(means, single, f"{Q}; small: one repeat", ink)
    table = tabulate("q-by-repeat", title, "Repeat", "Mean Q", each, note)
    return DrawnFigure("repeatability", title, figure, table)


def _down(
    held: Sequence[FigureSeries], single: Sequence[FigureSeries], across: str, ink: str
) -> Any:
    """Draw series one below the other, methods named at the side; models stand a little apart, so
    that none covers another.
    """
    canvas, methods = Canvas(held), list(dict.fromkeys(one.method for one in held))
    step, middle = min(0.2, 0.7 / len(canvas.models)), (len(canvas.models) - 1) / 2

    def place(one: FigureSeries) -> FigureSeries:
        aside = canvas.models.index(one.model) - middle
        line = methods.index(one.method)
        height = {"y": Value(mean=line + aside * step)}
        points = [point.model_copy(update=height) for point in one.points]
        return one.model_copy(update={"points": tuple(points)})

    for one in single:
        canvas.add(canvas.marks(place(one), size=6, opacity=0.5), one.indicator)
    for one in held:
        canvas.add(canvas.marks(place(one)), one.indicator)
    canvas.key(ink)
    figure = canvas.lay_out(across, "", ink, 30 + 24 * len(methods) * max(2, len(canvas.models)))
    figure.update_xaxes(range=Q_SPAN)
    names = [tables.METHODS.get(name, name) for name in methods]
    return figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=names,
        range=[len(names) - 0.5, -0.5],
        automargin=True,
    )


def draw_rounds(results: Results, ink: str) -> DrawnFigure | None:
    """Draw mean Q against the round (figure 3)."""
    held = by_round(results)
    if not held:
        return None
    canvas = Canvas(held)
    for one in held:
        canvas.add(canvas.marks(one, "lines+markers"), one.indicator, one.name)
    figure = canvas.lay_out("Round (0: the first idea)", Q, ink)
    figure.update_xaxes(dtick=1 if max(len(one.points) for one in held) <= 20 else 5)
    figure.update_yaxes(range=Q_SPAN)
    title = "Q against the round"
    note = "Ideas that stopped earlier stand as they ended. 95 % intervals over targets."
    table = tabulate("q-by-round", title, "Round", "Mean Q", held, note)
    return DrawnFigure("q-by-round", title, figure, table)


def convergence(results: Results, ink: str) -> DrawnFigure | None:
    """Draw after how many rounds ideas converged, and how many did not (table 2)."""
    held, most = endings(results), results.max_rounds
    if not held:
        return None
    canvas = Canvas(held)
    for one in held:
        canvas.add(canvas.bars(one), one.indicator, one.name)
    figure = canvas.lay_out("Rounds", "Share of ideas", ink)
    figure.update_layout(barmode="group")
    lost = any(point.x.mean == most + 2 for one in held for point in one.points)
    names = [*map(str, range(most + 1)), f"not by {most}", *(["broke off"] if lost else [])]
    figure.update_xaxes(
        tickvals=list(range(len(names))), ticktext=names, range=[-0.6, len(names) - 0.4]
    )
    figure.update_yaxes(tickformat=".0%", rangemode="tozero")
    title = "Rounds until an idea converged"
    table = tabulate("rounds-until-converged", title, "Rounds", "Share of ideas", held)
    return DrawnFigure("rounds", title, figure, table)


def cost(found: Findings, ink: str) -> DrawnFigure | None:
    """Draw mean Q against the cost of an idea."""
    held = cost_against_q(found)
    if not held:
        return None
    canvas = Canvas(held)
    for one in held:
        canvas.add(canvas.marks(one), one.indicator, one.name)
    figure = canvas.lay_out("Mean cost of an idea (US dollars, bar: 95 % interval)", Q, ink)
    figure.update_xaxes(rangemode="tozero", tickprefix="$")
    figure.update_yaxes(range=Q_SPAN)
    title = "Q against the cost of an idea"
    note = found.notes.get("costs", "")
    table = tabulate("cost-and-q", title, "Mean cost (US dollars)", "Mean Q", held, note)
    return DrawnFigure("cost", title, figure, table)


def judges(results: Results, first: str, second: str, ink: str) -> DrawnFigure | None:
    """Draw Q of each cell by one judge against another's; on the line both say the same."""
    held = by_judges(results, first, second)
    if not held:
        return None
    canvas = Canvas(held)
    for one in held:
        canvas.add(canvas.marks(one, opacity=0.75), one.indicator, one.name)
    figure = canvas.lay_out(f"Q by {first}", f"Q by {second}", ink, 320)
    figure.add_shape(
        type="line",
        x0=0,
        y0=0,
        x1=1,
        y1=1,
        line={"color": FAINT, "width": 1.5},
        layer="below",
        row="all",
        col="all",
    )
    figure.update_xaxes(range=Q_SPAN)
    figure.update_yaxes(range=Q_SPAN)
    title = f"Q by {first} and by {second}"
    called = tables.slugs(results.judges, 40)
    pair = f"{called[first]}-and-{called[second]}"
    table = tabulate(f"q-by-{pair}", title, f"Q by {first}", f"Q by {second}", held)
    return DrawnFigure(f"judges-{pair}", title, figure, table)
