"""Charts of how raters agree: people and models each in the colour and mark they have everywhere,
95 % intervals as bars.
"""

from collections.abc import Sequence
from typing import Any

from components.arena.charts import BAR, SIDES, short
from components.shell.plots import BARE, axis
from core.agreement.contrasts import MIXED, Contrast
from core.charts.style import dots, interval_bars
from core.statistics.statistic import Statistic
from core.studies.series import AgainstExperts, BesideCeiling, Grid, SetTau, Severity
from core.studies.sourced import EXPERTS, SourceFigure

PEOPLE = SIDES["people"][1:]
MODELS = SIDES["models"][1:]
"""Colour and mark."""
AGREE = ((0.0, "#e5ab62"), (0.5, "#f4f1ea"), (1.0, "#71bcc3"))
"""Opposed, unrelated, alike: as who lost and won in the arena; a low figure is no failure and has
no colour of one.
"""
PLAIN = "#e4e1da"
"""Of a figure over too few units for a verdict, whatever it is."""


def against(one: AgainstExperts, colour: str) -> Any:
    """Return a model's scores up, the experts' mean of each idea across with its interval; on the
    dotted line both are the same.
    """
    import plotly.graph_objects as go

    drawn = go.Figure()
    ends = _frame(one)
    line = {"color": colour, "dash": "dot", "width": 1}
    drawn.add_trace(go.Scatter(x=ends, y=ends, mode="lines", line=line, hoverinfo="skip"))
    means = [point.experts for point in one.points]
    names = short([point.item for point in one.points])
    drawn.add_trace(
        dots(
            [mean.value for mean in means],
            [point.model for point in one.points],
            {"size": 9, "symbol": MODELS[1], "color": MODELS[0]},
            [
                f"{name}: experts {point.experts.value:.2f}, model {point.model:.2f}"
                for name, point in zip(names, one.points, strict=True)
            ],
            error_x=interval_bars(means, PEOPLE[0]),
        )
    )
    x = axis("Mean of the experts, 95 % interval", colour, range=ends)
    y = axis(f"Score of {short([one.model])[0]}", colour, range=ends)
    return _framed(drawn, colour, 360, x, y)


def _frame(one: AgainstExperts) -> tuple[float, float]:
    """Return the ends of both axes: around the points, and no wider for the interval of two
    experts, which may be many times the scale.
    """
    means = [
        value
        for point in one.points
        for value in (point.model, point.experts.value)
        if value is not None
    ]
    ends = [
        end
        for point in one.points
        for end in (point.experts.low, point.experts.high)
        if end is not None
    ]
    low = min(means, default=0.0)
    high = max(means, default=1.0)
    room = max(high - low, 1.0) / 3
    return max(min([low - room / 4, *ends]), low - room), min(
        max([high + room / 4, *ends]), high + room
    )


def severities(found: Sequence[Severity], colour: str) -> Any:
    """Return how strict every expert is, in points, the strictest on top."""
    held = sorted(
        (one for one in found if one.figure.value is not None),
        key=lambda one: one.figure.value or 0.0,
    )
    return _dots(
        [(one.rater, one.figure, PEOPLE) for one in held],
        "Points below the experts' mean",
        colour,
        0.0,
    )


def ceilings(found: Sequence[BesideCeiling], colour: str) -> Any:
    """Return every model's figures, the human ceiling beside each."""
    rows: list[tuple[str, Statistic, tuple[str, str]]] = []
    measures = list(dict.fromkeys(one.measure for one in found))
    for measure in reversed(measures):
        mine = [one for one in found if one.measure == measure]
        named = f", {measure}" if len(measures) > 1 else ""
        rows += [(f"{one.model}{named}", one.figure, MODELS) for one in reversed(mine)]
        rows.append((f"one expert{named}", mine[0].ceiling, PEOPLE))
    across = f"{measures[0][:1].upper()}{measures[0][1:]}" if len(measures) == 1 else "Agreement"
    return _dots([row for row in rows if row[1].value is not None], across, colour, None)


def shares(found: Sequence[Statistic], colour: str) -> Any:
    """Return the share of each answer."""
    return _dots(
        [(one.name, one, PEOPLE) for one in reversed(found) if one.value is not None],
        "Share of answers, 95 % interval",
        colour,
        None,
    )


def sides(found: Sequence[Statistic], models: frozenset[str], colour: str) -> Any:
    """Return each rater's share of winners on the left."""
    rows = [
        (one.about, one, MODELS if one.about in models else PEOPLE)
        for one in reversed(found)
        if one.value is not None
    ]
    return _dots(rows, "Share of winners on the left", colour, 0.5)


def sourced(found: Sequence[SourceFigure], measure: str, colour: str) -> Any:
    """Return every source's figure by experts and by each model judge, the first source on top."""
    rows = [
        (
            one.source if one.who == EXPERTS else f"{one.source}, by {one.who}",
            one.figure,
            PEOPLE if one.who == EXPERTS else MODELS,
        )
        for one in reversed(found)
        if one.figure.value is not None
    ]
    return _dots(rows, f"{measure[:1].upper()}{measure[1:]}, 95 % interval", colour, None)


def contrasts(found: Sequence[Contrast], colour: str) -> Any:
    """Return the differences of sources by every test of means, the first on top; on the dotted
    line there is none.
    """
    several = len({(one.one, one.other) for one in found}) > 1
    rows = []
    for one in reversed(found):
        test = MIXED if one.test == MIXED else f"per {one.unit}"
        name = f"{one.one} less {one.other}, {test}" if several else test
        rows.append((name, one.statistic, PEOPLE))
    across = "Difference in points, 95 % interval"
    if not several and found:
        across = f"{found[0].one} less {found[0].other}, points, 95 % interval"
    return _dots(rows, across, colour, 0.0)


def taus(found: Sequence[SetTau], colour: str) -> Any:
    """Return, for each set, how everybody's order goes with the experts' mean order."""
    import plotly.graph_objects as go

    sets = list(dict.fromkeys(one.set for one in found))
    at = {name: len(sets) - n for n, name in enumerate(sets)}
    drawn = go.Figure()
    for name, (shade, mark), models, shift in (
        ("Experts", PEOPLE, False, 0.13),
        ("Models", MODELS, True, -0.13),
    ):
        if held := [one for one in found if one.model == models and one.tau is not None]:
            raters = short([one.rater for one in held])
            drawn.add_trace(
                dots(
                    [one.tau for one in held],
                    [at[one.set] + shift for one in held],
                    {"size": 9, "symbol": mark, "color": shade, "opacity": 0.8},
                    [f"{rater}: {one.tau:.2f}" for rater, one in zip(raters, held, strict=True)],
                    name=name,
                )
            )
    y = axis("Set", colour, tickvals=list(at.values()), ticktext=short(sets), showgrid=False)
    x = axis("Kendall's tau-b", colour, range=[-1.08, 1.08])
    _framed(drawn, colour, 130 + 30 * len(sets), x, y, legend=True)
    return drawn.add_vline(x=0, line={"color": colour, "dash": "dot", "width": 1})


def grid(found: Grid, colour: str) -> Any:
    """Return the agreement of every two raters as a heat map, the number in every cell; without
    shades over too few units.
    """
    import plotly.graph_objects as go

    names, by_pair = short(found.raters), found.by_pair
    cells = [[by_pair.get((one, other)) for other in found.raters] for one in found.raters]
    drawn = go.Figure()
    for few, shades in ((False, AGREE), (True, ((0, PLAIN), (1, PLAIN)))):
        mine = [[cell if cell and cell.few == few else None for cell in row] for row in cells]
        if few and not any(cell for row in mine for cell in row):
            continue
        values = [[cell.value if cell else None for cell in row] for row in mine]
        drawn.add_trace(
            go.Heatmap(
                z=values,
                x=names,
                y=names,
                zmin=-1,
                zmax=1,
                xgap=2,
                ygap=2,
                showscale=False,
                text=[["" if one is None else f"{one:.2f}" for one in row] for row in values],
                texttemplate="%{text}",
                customdata=[[_said(cell) for cell in row] for row in cells],
                textfont={"color": "#101316"},
                colorscale=shades,
                hovertemplate="%{y} and %{x}: %{customdata}<extra></extra>",
                hoverongaps=False,
            )
        )
    x = axis("", colour, showgrid=False, automargin=True)
    y = axis("", colour, showgrid=False, autorange="reversed")
    return _framed(drawn, colour, 120 + 34 * len(names), x, y)


# -- what they share ---------------------------------------------------------------------------


def _framed(
    drawn: Any,
    colour: str,
    height: int,
    x: dict[str, Any],
    y: dict[str, Any],
    legend: bool = False,
) -> Any:
    # A legend stands below the buttons: in a narrow column both would be in one place.
    top = 60 if legend else 32
    font = {"color": colour}
    return drawn.update_layout(
        height=height + top - 32,
        margin={"l": 10, "r": 20, "t": top, "b": 50},
        font=font,
        modebar=BAR,
        showlegend=legend,
        legend={"orientation": "h", "y": 1.02, "x": 0, "yanchor": "bottom", "font": font},
        xaxis=x,
        yaxis={"automargin": True, **y},
        **BARE,
    )


def _said(one: Statistic | None) -> str:
    if one is None:
        return "the same rater"
    if one.value is None:
        return "too little in common"
    interval = ""
    if one.low is not None and one.high is not None:
        interval = f" [{one.low:.2f}, {one.high:.2f}]"
    return f"{one.value:.2f}{interval}, n = {one.n}"


def _dots(
    rows: Sequence[tuple[str, Statistic, tuple[str, str]]],
    across: str,
    colour: str,
    line: float | None,
) -> Any:
    """Return rows of dots with their intervals, the last row on top."""
    import plotly.graph_objects as go

    drawn = go.Figure()
    for (shade, mark), name in ((PEOPLE, "Experts"), (MODELS, "Models")):
        held = [(n, figure) for n, (_, figure, look) in enumerate(rows) if look == (shade, mark)]
        if held:
            places, shown = zip(*held, strict=True)
            drawn.add_trace(
                dots(
                    [figure.value for figure in shown],
                    places,
                    {"size": 10, "symbol": mark, "color": shade},
                    list(map(_said, shown)),
                    name=name,
                    error_x=interval_bars(shown, shade),
                )
            )
    names = short([name for name, _, _ in rows])
    y = axis("", colour, tickvals=list(range(len(rows))), ticktext=names, showgrid=False)
    y["range"] = [-0.6, len(rows) - 0.4]
    legend = len(drawn.data) > 1
    _framed(drawn, colour, 110 + 30 * len(rows), axis(across, colour), y, legend)
    if line is not None:
        drawn.add_vline(x=line, line={"color": colour, "dash": "dot", "width": 1})
    return drawn
