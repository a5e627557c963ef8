"""Where ideas stand in two figures at once, as shades: clarity beside the other dimensions, whole
replies beside scores.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from core.benchmark import tables
from core.benchmark.clarity import Clarity
from core.benchmark.figures.drawing import DrawnFigure, laid_out, short
from core.benchmark.lengths import LineFit
from core.benchmark.replies import Replies, Thinker
from core.experiments.drawing import plain

LINE = "#c2502e"
"""Of lines over shades, which are teal."""
SHADE = (
    (0.0, "rgba(31,132,144,0.12)"),
    (0.35, "rgba(31,132,144,0.55)"),
    (1.0, "rgba(31,132,144,1)"),
)
TITLES = {"originality": "Originality", "feasibility": "Feasibility", "both": "Mean of the two"}
MOST, ACROSS = 12, 3
"""Models whose replies are drawn, and how many stand beside each other."""


def clarity(found: Sequence[Clarity], ink: str) -> DrawnFigure | None:
    """Draw originality, feasibility and the mean of the two against clarity, with the line through
    all ideas as they are.
    """
    if not any(one.counts for one in found):
        return None
    figure = _panels(
        [f"{TITLES[one.beside]}{_r(_whole(one.fits))}" for one in found], 1, len(found), ink, 330
    )
    for column, one in enumerate(found, 1):
        figure.add_trace(
            _shades(one.counts, "clarity {x:g}, " + tables.BESIDE[one.beside] + " {y:g}"),
            row=1,
            col=column,
        )
        if line := _line(_whole(one.fits)):
            figure.add_trace(line, row=1, col=column)
    figure.update_xaxes(
        range=[0.6, 10.4],
        dtick=2,
        tick0=2,
        title={"text": "Clarity", "font": {"color": ink, "size": 12}},
    )
    figure.update_yaxes(range=[0.6, 10.4], dtick=2, tick0=2)
    figure.update_yaxes(
        title={"text": "Mean over an idea's judges", "font": {"color": ink, "size": 12}}, col=1
    )
    return DrawnFigure(
        "clarity", "Clarity against originality and feasibility", figure, tables.clarity(found)
    )


def replies(found: Replies, ink: str) -> DrawnFigure | None:
    """Draw the score of ideas against the length of the whole reply, for each model that sent
    thoughts.
    """
    held = [one for one in found.models if one.thought][:MOST]
    if not held:
        return None
    lines = {one.model: one for one in found.fits if one.over == "model"}
    names = [
        f"{name}{_r(lines.get(one.model))}"
        for one, name in zip(held, short([one.model for one in held]), strict=True)
    ]
    across = min(ACROSS, len(held))
    rows = -(-len(held) // across)
    figure = _panels(names, rows, across, ink, 270 * rows)
    for n, one in enumerate(held):
        place = {"row": n // across + 1, "col": n % across + 1}
        figure.add_trace(
            _shades(_middles(one), "{x:,.0f} characters, score {y:g}", one.step), **place
        )
        if line := _line(lines.get(one.model)):
            figure.add_trace(line, **place)
    figure.update_xaxes(rangemode="tozero", nticks=5)
    figure.update_yaxes(range=[0.6, 10.4], dtick=2, tick0=2)
    figure.update_xaxes(
        title={"text": "Characters of the whole reply", "font": {"color": ink, "size": 12}},
        row=rows,
    )
    figure.update_yaxes(title={"text": "Score", "font": {"color": ink, "size": 12}}, col=1)
    return DrawnFigure(
        "reply-density", "Whole replies of models that think", figure, tables.thoughts(found)
    )


def _middles(one: Thinker) -> list[tuple[float, float, int]]:
    return [(at + one.step / 2, score, n) for at, score, n in one.counts]


def _panels(names: Sequence[str], rows: int, across: int, ink: str, height: int) -> Any:
    from plotly.subplots import make_subplots

    figure = make_subplots(
        rows,
        across,
        subplot_titles=list(names),
        shared_yaxes=True,
        horizontal_spacing=0.04,
        vertical_spacing=0.3 / rows,
    )
    laid_out(figure, "", "", ink, height)
    figure.update_annotations(font={"color": ink, "size": 12})
    # The most ideas in one place is the deepest shade in every panel: shades say where a panel's
    # ideas are, the pointer says how many.
    return figure


def _shades(counts: Iterable[tuple[float, float, int]], words: str, step: float = 0.5) -> Any:
    """Return ideas as squares of half a point by one step, the deeper the more of them."""
    import plotly.graph_objects as go

    held = {(x, y): n for x, y, n in counts}
    xs, ys = _steps([x for x, _ in held], step), _steps([y for _, y in held], 0.5)
    return go.Heatmap(
        x=xs,
        y=ys,
        z=[[held.get((x, y)) for x in xs] for y in ys],
        colorscale=SHADE,
        showscale=False,
        hoverongaps=False,
        xgap=1,
        ygap=1,
        customdata=[
            [f"{words.format(x=x, y=y)}: {held.get((x, y), 0):,} ideas" for x in xs] for y in ys
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _steps(values: Sequence[float], step: float) -> list[float]:
    """Return every step from the least to the greatest value: squares are as wide as the way to the
    next.
    """
    least, most = min(values), max(values)
    return [least + n * step for n in range(round((most - least) / step) + 1)]


def _line(one: LineFit | None) -> Any:
    import plotly.graph_objects as go

    if (
        one is None
        or one.slope is None
        or one.intercept is None
        or one.shortest is None
        or one.longest is None
    ):
        return None
    ends = [one.shortest, one.longest]
    return go.Scatter(
        x=ends,
        y=[one.intercept + one.slope * end for end in ends],
        mode="lines",
        hoverinfo="skip",
        showlegend=False,
        line={"color": LINE, "dash": "dash", "width": 2},
    )


def _whole(found: Sequence[LineFit]) -> LineFit | None:
    return next((one for one in found if one.over == "all"), None)


def _r(one: LineFit | None) -> str:
    return plain(f" (r = {one.r:.2f})") if one and one.r is not None else ""
