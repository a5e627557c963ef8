"""How scores are spread, and whether longer ideas score higher."""

from collections.abc import Sequence
from typing import Any

from core.benchmark import tables
from core.benchmark.distributions import Distribution
from core.benchmark.figures.drawing import (
    LOOKS,
    OWN,
    ROW,
    DrawnFigure,
    laid_out,
    named_rows,
    short,
    symbol,
)
from core.benchmark.lengths import LineFit
from core.benchmark.replies import Replies
from core.benchmark.tables import LETTERS
from core.experiments.drawing import plain

FEW = 6
"""Models that have bars of their own; more are shown as shades, a line each."""
SHADES = ("#1f8490", "#c08a12", "#b5569b", "#5c6bc8", "#4f9a4a", "#97694a", "#7d8f22", "#4f7f9e")
DIMENSIONS = tables.DIMENSIONS
Cells = dict[tuple[str, str], Distribution]
HEADS = {
    "originality": "Originality",
    "feasibility": "Feasibility",
    "clarity": "Clarity",
    "fluency": "Fluency (pairs)",
}


def scores(found: Sequence[Distribution], models: Sequence[str], ink: str) -> DrawnFigure | None:
    """Draw how often each score was given: bars for a few models, shades for many; the empty name
    stands for all together.
    """
    cells: Cells = {
        (one.model, one.what): one
        for one in found
        if one.model in models and one.what in DIMENSIONS
    }
    held = [name for name in models if any(model == name for model, _ in cells)]
    if not held:
        return None
    figure = _bars(cells, held, ink) if len(held) <= FEW else _shades(cells, held, ink)
    return DrawnFigure(
        "scores",
        "How often each score was given",
        figure,
        tables.scores(one for one in found if one.model in models),
    )


def _bars(cells: Cells, models: Sequence[str], ink: str) -> Any:
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    figure = make_subplots(
        len(models),
        4,
        shared_yaxes=True,
        shared_xaxes="columns",
        horizontal_spacing=0.03,
        vertical_spacing=0.24 / len(models) ** 1.1,
        column_titles=[HEADS[name] for name in DIMENSIONS],
    )
    for row, model in enumerate(models, 1):
        for column, what in enumerate(DIMENSIONS, 1):
            if one := cells.get((model, what)):
                values, counts = _steps(what), dict(one.counts)
                colour, _, pattern = LOOKS[what]
                figure.add_trace(
                    go.Bar(
                        x=[_step(what, value) for value in values],
                        y=[counts.get(value, 0) / one.n for value in values],
                        showlegend=False,
                        marker={
                            "color": colour,
                            "pattern": {
                                "shape": pattern,
                                "fgcolor": "rgba(255,255,255,0.55)",
                                "size": 5,
                                "fillmode": "overlay",
                            },
                        },
                        customdata=[_said(one, value) for value in values],
                        hovertemplate="%{customdata}<extra></extra>",
                    ),
                    row=row,
                    col=column,
                )
    names = short([name or tables.TOGETHER for name in models])
    laid_out(figure, "", "", ink, 150 * len(models) + 30 if len(models) > 1 else 260)
    figure.update_annotations(font={"color": ink, "size": 12})
    for row, name in enumerate(names, 1):
        figure.add_annotation(
            text=f"<b>{name}</b>",
            x=0,
            xref="paper",
            xanchor="left",
            y=1,
            yref=f"y{4 * row - 3 if row > 1 else ''} domain",
            yanchor="bottom",
            yshift=14 if row == 1 else 2,
            showarrow=False,
            font={"color": ink, "size": 12},
        )
    figure.update_yaxes(tickformat=".0%", rangemode="tozero", nticks=4)
    figure.update_yaxes(title={"text": "Share", "font": {"color": ink, "size": 12}}, col=1)
    figure.update_xaxes(type="category", showgrid=False, tickangle=0)
    figure.update_xaxes(
        title={"text": "Score", "font": {"color": ink, "size": 12}}, row=len(models)
    )
    figure.update_xaxes(
        title={"text": "Letter", "font": {"color": ink, "size": 12}}, row=len(models), col=4
    )
    return figure


def _shades(cells: Cells, models: Sequence[str], ink: str) -> Any:
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    figure = make_subplots(
        1,
        4,
        shared_yaxes=True,
        horizontal_spacing=0.02,
        column_widths=[10, 10, 10, 5],
        column_titles=[HEADS[name] for name in DIMENSIONS],
    )
    for column, what in enumerate(DIMENSIONS, 1):
        held, values = [cells.get((model, what)) for model in models], _steps(what)
        shares = [
            [dict(one.counts).get(value, 0) / one.n if one else None for value in values]
            for one in held
        ]
        figure.add_trace(
            go.Heatmap(
                z=shares,
                x=[_step(what, value) for value in values],
                y=list(range(len(models))),
                coloraxis="coloraxis",
                xgap=1,
                ygap=1,
                hoverongaps=False,
                hovertemplate="%{customdata}<extra></extra>",
                customdata=[[_said(one, value) if one else "" for value in values] for one in held],
            ),
            row=1,
            col=column,
        )
    laid_out(figure, "Score", "", ink, 40 + ROW * len(models))
    figure.update_annotations(font={"color": ink, "size": 12})
    named_rows(figure, short([name or tables.TOGETHER for name in models]))
    figure.update_xaxes(
        type="category", showgrid=False, tickangle=0, tickfont={"color": ink, "size": 10}
    )
    figure.update_xaxes(title={"text": "Letter", "font": {"color": ink, "size": 12}}, col=4)
    return figure.update_layout(
        coloraxis={
            "colorscale": [[0, "rgba(31,132,144,0)"], [1, "rgba(31,132,144,1)"]],
            "cmin": 0,
            "colorbar": {
                "title": {"text": "Share", "font": {"color": ink, "size": 12}, "side": "right"},
                "tickformat": ".0%",
                "thickness": 12,
                "tickfont": {"color": ink, "size": 12},
                "outlinewidth": 0,
            },
        }
    )


def _steps(what: str) -> list[int]:
    return sorted(LETTERS) if what == "fluency" else list(range(1, 11))


def _step(what: str, value: int) -> str:
    return LETTERS[value] if what == "fluency" else str(value)


def _said(one: Distribution, value: int) -> str:
    n = dict(one.counts).get(value, 0)
    of = "pairs" if one.what == "fluency" else "judgments"
    return (
        f"{plain(one.model or tables.TOGETHER)}, {one.what}<br>{_step(one.what, value)}: {n:,} of"
        f" {one.n:,} {of} ({n / one.n:.1%})"
    )


# -- length ------------------------------------------------------------------------------------


def words(found: Sequence[Distribution], ink: str) -> DrawnFigure | None:
    """Draw how long ideas are, of all models together."""
    one = next((each for each in found if each.what == "words" and not each.model), None)
    if one is None:
        return None
    import plotly.graph_objects as go

    counts = dict(one.counts)
    tens = list(range(min(counts), max(counts) + 10, 10))
    figure = go.Figure(
        go.Bar(
            x=[ten + 5 for ten in tens],
            y=[counts.get(ten, 0) / one.n for ten in tens],
            width=9,
            marker={"color": OWN},
            hovertemplate="%{customdata}<extra></extra>",
            customdata=[
                f"{ten} to {ten + 9} words: {counts.get(ten, 0):,} of {one.n:,} ideas"
                for ten in tens
            ],
        )
    )
    laid_out(figure, "Words of an idea", "Share of ideas", ink, 200)
    figure.update_yaxes(tickformat=".0%", rangemode="tozero")
    figure.update_xaxes(range=[tens[0] - 5, tens[-1] + 15])
    return DrawnFigure("words", "Words of an idea", figure, tables.words(found))


def lengths(found: Sequence[LineFit], ink: str) -> DrawnFigure | None:
    """Draw the length of ideas against their score."""
    figure = _fits(found, ink, "Words of an idea (mark: the model's mean)", "words", 10)
    return (
        DrawnFigure(
            "length-and-score", "Length of an idea and its score", figure, tables.lengths(found)
        )
        if figure
        else None
    )


def replies(found: Replies, ink: str) -> DrawnFigure | None:
    """Draw the length of whole replies, thoughts included, against the score of the ideas in
    them.
    """
    figure = _fits(
        found.fits,
        ink,
        "Characters of the whole reply, thoughts included (mark: the model's mean)",
        "characters",
        1_000,
    )
    return (
        DrawnFigure(
            "reply-and-score", "Length of the whole reply and score", figure, tables.replies(found)
        )
        if figure
        else None
    )


def _fits(found: Sequence[LineFit], ink: str, across: str, unit: str, step: int) -> Any:
    """Draw each model's mean length against its mean score, with the line through its ideas; the
    dashed line goes through all ideas as they are.
    """
    held = [
        one
        for one in found
        if one.over == "model" and one.mean is not None and _height(one, one.mean) is not None
    ]
    if not held:
        return None
    import plotly.graph_objects as go

    figure = go.Figure()
    whole = next((one for one in found if one.over == "all" and one.slope is not None), None)
    if whole:
        figure.add_trace(
            _line(
                whole,
                ink,
                "dash",
                2.0,
                (
                    f"all ideas as they are (r = {whole.r:.2f})"
                    if whole.r is not None
                    else "all ideas as they are"
                ),
            )
        )
    many, names = len(held) > len(SHADES), short([one.model for one in held])
    for n, (one, name) in enumerate(zip(held, names, strict=True)):
        colour = OWN if many else SHADES[n]
        if one.slope is not None:
            figure.add_trace(_line(one, colour, "solid", 0.8 if many else 1.6, ""))
        figure.add_trace(
            go.Scatter(
                x=[one.mean],
                y=[_height(one, one.mean or 0.0)],
                mode="markers",
                name=name,
                legendgroup=name,
                showlegend=not many,
                marker={
                    "size": 8 if many else 10,
                    "color": colour,
                    "symbol": "circle" if many else symbol(n),
                    "line": {"color": ink, "width": 0.8},
                },
                customdata=[_fitted(one, unit, step)],
                hovertemplate="%{customdata}<extra></extra>",
            )
        )
    return laid_out(
        figure, across, "Score of an idea (mean of three dimensions)", ink, 360, legend=True
    )


def _height(one: LineFit, words: float) -> float | None:
    return None if one.slope is None or one.intercept is None else one.intercept + one.slope * words


def _line(one: LineFit, colour: str, dash: str, width: float, name: str) -> Any:
    import plotly.graph_objects as go

    ends = [end for end in (one.shortest, one.longest) if end is not None]
    return go.Scatter(
        x=ends,
        y=[_height(one, end) for end in ends],
        mode="lines",
        name=name,
        showlegend=bool(name),
        hoverinfo="skip",
        line={"color": colour, "dash": dash, "width": width},
    )


def _fitted(one: LineFit, unit: str, step: int) -> str:
    r = (
        f"r = {one.r:.2f}"
        + (
            f" [{one.low:.2f}, {one.high:.2f}]"
            if one.low is not None and one.high is not None
            else ""
        )
        if one.r is not None
        else "no r"
    )
    return (
        f"{plain(one.model)}: {one.mean:,.0f} {unit} on average, {one.n:,} ideas<br>{r};"
        f" {step * (one.slope or 0):+.2f} points for {step:,} {unit} more"
    )
