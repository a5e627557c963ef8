"""The figures of an experiment over topics: ratings by criterion (Chain of Ideas, figures 3, 4),
agreement between judges (figure 5), ratings by length and by width (figures 6, 7).
"""

from collections.abc import Iterable
from typing import Any

from core.charts.style import (
    BRANCHES,
    DrawnFigure,
    dots,
    error_bars,
    font_of,
    hover,
    lay_out,
    plain,
    symbol,
    titled,
)
from core.experiments.topics.results import TopicResults
from core.experiments.topics.tables import summed_up
from core.records import Table, Value
from core.store import Store
from core.wording.numbers import percent

WIDE, LINE = 820, 22
"""Pixels a line of the legend holds, and how high it is."""
ASIDE = 0.06


def figures(store: Store, held: TopicResults, ink: str) -> tuple[DrawnFigure, ...]:
    """Return every figure there are votes for; `ink` is the colour of words."""
    return of_tables(summed_up(store, held), ink)


def of_tables(held: Iterable[Table], ink: str) -> tuple[DrawnFigure, ...]:
    """Return the figures of an experiment's tables."""
    found = []
    for one in held:
        if one.name.startswith("topics-ratings-"):
            found.append(DrawnFigure(one.name, one.title, _by_criterion(one, ink), one))
        elif one.name.startswith(("topics-length-", "topics-branches-")):
            found.append(DrawnFigure(one.name, one.title, _by_number(one, ink), one))
        elif one.name.startswith("topics-judges-"):
            found.append(DrawnFigure(one.name, one.title, _agreement(one, ink), one))
    return tuple(found)


def _by_criterion(table: Table, ink: str) -> Any:
    """Draw each contender's rating by every criterion, people's votes as open marks."""
    import plotly.graph_objects as go

    figure = go.Figure()
    sides = list(dict.fromkeys(row[1].text for row in table.rows))
    criteria = list(dict.fromkeys(row[0].text for row in table.rows))
    players = table.head[2:]
    middle = (len(players) * len(sides) - 1) / 2
    for n, player in enumerate(players):
        for m, who in enumerate(sides):
            values = {row[0].text: row[n + 2] for row in table.rows if row[1].text == who}
            held = [values.get(name, Value()) for name in criteria]
            shift = ASIDE * (n * len(sides) + m - middle)
            colour = BRANCHES[n % len(BRANCHES)]
            mark = symbol(n) + ("-open" if who == "people" else "")
            name = plain(f"{player}, {who}" if len(sides) > 1 else player)
            figure.add_trace(
                _points([at + shift for at in range(len(criteria))], held, name, mark, colour)
            )
    names = [plain(name) for name in criteria]
    _frame(figure, "Criterion", "Rating (bar: 95 % interval)", ink, list(players) * len(sides))
    figure.update_xaxes(tickvals=list(range(len(names))), ticktext=names)
    return figure


def _by_number(table: Table, ink: str) -> Any:
    """Draw ratings over the number that contenders differ in, a line for models and for people."""
    import plotly.graph_objects as go

    figure = go.Figure()
    sides = list(dict.fromkeys(row[2].text for row in table.rows))
    for n, who in enumerate(sides):
        rows = [row for row in table.rows if row[2].text == who]
        colour = BRANCHES[n % len(BRANCHES)]
        trace = _points(
            [row[0].mean for row in rows], [row[3] for row in rows], who, symbol(n), colour
        )
        figure.add_trace(trace.update(mode="lines+markers", line={"color": colour, "width": 1.8}))
    _frame(figure, table.head[0], "Rating (bar: 95 % interval)", ink, sides)
    figure.update_xaxes(dtick=1)
    return figure


def _agreement(table: Table, ink: str) -> Any:
    """Draw how often every two judges name the same winner, ties counted."""
    import plotly.graph_objects as go

    names = list(dict.fromkeys(row[k].text for row in table.rows for k in (0, 1)))
    shares: list[list[float | None]] = [[None] * len(names) for _ in names]
    for row in table.rows:
        a, b = names.index(row[0].text), names.index(row[1].text)
        shares[a][b] = shares[b][a] = row[2].mean
    said = [["" if one is None else percent(one) for one in row] for row in shares]
    figure = go.Figure(
        go.Heatmap(
            z=shares,
            x=[plain(name) for name in names],
            y=[plain(name) for name in names],
            text=said,
            texttemplate="%{text}",
            colorscale="Teal",
            zmin=0,
            zmax=1,
            showscale=False,
            hoverinfo="skip",
        )
    )
    _frame(figure, "", "", ink, [])
    figure.update_yaxes(automargin=True)
    return figure


def _points(x: list[Any], held: list[Value], name: str, mark: str, colour: str) -> Any:
    def reach(a: float | None, b: float | None) -> float:
        return float("nan") if a is None or b is None else max(0.0, b - a)

    up = [reach(one.mean, one.high) for one in held]
    down = [reach(one.low, one.mean) for one in held]
    trace = dots(
        x,
        [one.mean for one in held],
        {"symbol": mark, "size": 9, "color": colour},
        [f"{name}: {one.said}" for one in held],
        name=name,
        error_y=error_bars(up, down, colour, 1.2),
    )
    return trace.update(**hover([f"{name}: {one.said}" for one in held]))


def _frame(figure: Any, across: str, up: str, ink: str, names: list[str]) -> None:
    lines = 1 + sum(len(name) * 7 + 50 for name in names) // WIDE
    margin = {"l": 60, "r": 20, "t": 40 + LINE * lines, "b": 50}
    lay_out(figure, across, font_of(ink), 320, margin, showlegend=bool(names))
    figure.update_yaxes(title=titled(up, font_of(ink)))
