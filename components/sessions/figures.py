"""Charts of how raters agree: people and models each in the colour and mark they have everywhere,
95 % intervals as bars.
"""

from collections.abc import Sequence
from typing import Any

from components.arena.charts import BAR, SIDES, short
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


def config(name: str) -> dict[str, Any]:
    """Return how a chart's buttons are; it can be taken along as SVG under this name."""
    return {
        "displaylogo": False,
        "modeBarButtonsToRemove": [
            "select2d",
            "lasso2d",
            "zoom2d",
            "pan2d",
            "zoomIn2d",
            "zoomOut2d",
            "autoScale2d",
            "resetScale2d",
        ],
        "toImageButtonOptions": {"format": "svg", "filename": name},
    }


def against(one: AgainstExperts, colour: str) -> Any:
    """Return a model's scores up, the experts' mean of each idea across with its interval; on the
    dotted line both are the same.
    """
    import plotly.graph_objects as go

    drawn = go.Figure()
    low, high = _frame(one)
    drawn.add_trace(
        go.Scatter(
            x=[low, high],
            y=[low, high],
            mode="lines",
            line={"color": colour, "dash": "dot", "width": 1},
            hoverinfo="skip",
        )
    )
    drawn.add_trace(
        go.Scatter(
            x=[point.experts.value for point in one.points],
            y=[point.model for point in one.points],
            mode="markers",
            marker={"size": 9, "symbol": MODELS[1], "color": MODELS[0]},
            text=short([point.item for point in one.points]),
            hovertemplate="%{text}: experts %{x:.2f}, model %{y:.2f}<extra></extra>",
            error_x=_bars([point.experts for point in one.points], PEOPLE[0]),
        )
    )
    _dressed(drawn, colour, 360)
    drawn.update_xaxes(
        range=[low, high],
        title={"text": "Mean of the experts, 95 % interval", "font": {"color": colour}},
    )
    drawn.update_yaxes(
        range=[low, high],
        title={"text": f"Score of {short([one.model])[0]}", "font": {"color": colour}},
    )
    return drawn


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
    for measure in measures:
        mine = [one for one in found if one.measure == measure]
        named = f", {measure}" if len(measures) > 1 else ""
        rows = [
            *[(f"{one.model}{named}", one.figure, MODELS) for one in reversed(mine)],
            (f"one expert{named}", mine[0].ceiling, PEOPLE),
            *rows,
        ]
    axis = f"{measures[0][:1].upper()}{measures[0][1:]}" if len(measures) == 1 else "Agreement"
    return _dots([row for row in rows if row[1].value is not None], axis, colour, None)


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
                go.Scatter(
                    x=[one.tau for one in held],
                    y=[at[one.set] + shift for one in held],
                    mode="markers",
                    name=name,
                    text=raters,
                    marker={"size": 9, "symbol": mark, "color": shade, "opacity": 0.8},
                    hovertemplate="%{text}: %{x:.2f}<extra></extra>",
                )
            )
    _dressed(drawn, colour, 130 + 30 * len(sets), legend=True)
    drawn.update_xaxes(
        range=[-1.08, 1.08], title={"text": "Kendall's tau-b", "font": {"color": colour}}
    )
    drawn.update_yaxes(
        tickvals=list(at.values()),
        ticktext=short(sets),
        title={"text": "Set", "font": {"color": colour}},
        showgrid=False,
    )
    drawn.add_vline(x=0, line={"color": colour, "dash": "dot", "width": 1})
    return drawn


def grid(found: Grid, colour: str) -> Any:
    """Return the agreement of every two raters as a heat map, the number in every cell; without
    shades over too few units.
    """
    import plotly.graph_objects as go

    names = short(found.raters)
    cells = [[found.of(one, other) for other in found.raters] for one in found.raters]
    drawn = go.Figure()
    for few, shades in ((False, [list(one) for one in AGREE]), (True, [[0, PLAIN], [1, PLAIN]])):
        mine = [[cell if cell and cell.few == few else None for cell in row] for row in cells]
        if few and not any(cell for row in mine for cell in row):
            continue
        drawn.add_trace(
            go.Heatmap(
                z=[[cell.value if cell else None for cell in row] for row in mine],
                x=names,
                y=names,
                zmin=-1,
                zmax=1,
                xgap=2,
                ygap=2,
                showscale=False,
                text=[
                    [
                        "" if cell is None or cell.value is None else f"{cell.value:.2f}"
                        for cell in row
                    ]
                    for row in mine
                ],
                texttemplate="%{text}",
                customdata=[[_said(cell) for cell in row] for row in cells],
                textfont={"color": "#101316"},
                colorscale=shades,
                hovertemplate="%{y} and %{x}: %{customdata}<extra></extra>",
                hoverongaps=False,
            )
        )
    _dressed(drawn, colour, 120 + 34 * len(names))
    drawn.update_yaxes(autorange="reversed", showgrid=False)
    drawn.update_xaxes(showgrid=False, automargin=True)
    return drawn


# -- what they share ---------------------------------------------------------------------------


def _said(one: Statistic | None) -> str:
    if one is None or one.value is None:
        return "too little in common" if one else "the same rater"
    between = (
        f" [{one.low:.2f}, {one.high:.2f}]" if one.low is not None and one.high is not None else ""
    )
    return f"{one.value:.2f}{between}, n = {one.n}"


def _dots(
    rows: Sequence[tuple[str, Statistic, tuple[str, str]]],
    axis: str,
    colour: str,
    line: float | None,
) -> Any:
    """Return rows of dots with their intervals, the last row on top."""
    import plotly.graph_objects as go

    drawn = go.Figure()
    for look, name in ((PEOPLE, "Experts"), (MODELS, "Models")):
        held = [(at, figure) for at, (_, figure, mine) in enumerate(rows) if mine == look]
        if held:
            drawn.add_trace(
                go.Scatter(
                    x=[figure.value for _, figure in held],
                    y=[at for at, _ in held],
                    mode="markers",
                    name=name,
                    marker={"size": 10, "symbol": look[1], "color": look[0]},
                    customdata=[_said(figure) for _, figure in held],
                    hovertemplate="%{customdata}<extra></extra>",
                    error_x=_bars([figure for _, figure in held], look[0]),
                )
            )
    _dressed(drawn, colour, 110 + 30 * len(rows), legend=len(drawn.data) > 1)
    drawn.update_xaxes(title={"text": axis, "font": {"color": colour}})
    drawn.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=short([name for name, _, _ in rows]),
        range=[-0.6, len(rows) - 0.4],
        showgrid=False,
    )
    if line is not None:
        drawn.add_vline(x=line, line={"color": colour, "dash": "dot", "width": 1})
    return drawn


def _bars(found: Sequence[Statistic], colour: str) -> dict[str, Any]:
    return {
        "type": "data",
        "symmetric": False,
        "array": [_reach(one, one.high) for one in found],
        "arrayminus": [_reach(one, one.low) for one in found],
        "color": colour,
        "thickness": 1.5,
        "width": 4,
    }


def _reach(one: Statistic, end: float | None) -> float:
    return 0.0 if end is None or one.value is None else abs(end - one.value)


def _dressed(drawn: Any, colour: str, height: int, legend: bool = False) -> None:
    text = {"color": colour}
    # A legend stands below the buttons: in a narrow column both would be in one place.
    top = 60 if legend else 32
    drawn.update_layout(
        height=height + top - 32,
        margin={"l": 10, "r": 20, "t": top, "b": 50},
        font=text,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        modebar=BAR,
        showlegend=legend,
        legend={"orientation": "h", "y": 1.02, "x": 0, "yanchor": "bottom", "font": text},
    )
    drawn.update_xaxes(tickfont=text, zeroline=False)
    drawn.update_yaxes(tickfont=text, zeroline=False, automargin=True)
