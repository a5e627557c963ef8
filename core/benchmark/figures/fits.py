"""Lines through ideas: whether longer ideas, longer replies and clearer ideas score higher."""

from collections.abc import Iterable, Sequence
from typing import Any

from core.benchmark.figures.drawing import OWN, frame, short
from core.benchmark.results import tables
from core.benchmark.results.clarity import Clarity
from core.benchmark.results.lengths import LineFit
from core.benchmark.results.replies import Replies
from core.charts.style import DrawnFigure, dots, font_of, hover, plain, put, symbol, titled

COLOURS = ("#1f8490", "#c08a12", "#b5569b", "#5c6bc8", "#4f9a4a", "#97694a", "#7d8f22", "#4f7f9e")
"""Of models, where each has its own."""
LINE = "#c2502e"
"""Of lines over shades, which are teal."""
SHADE = (
    (0.0, "rgba(31,132,144,0.12)"),
    (0.35, "rgba(31,132,144,0.55)"),
    (1.0, "rgba(31,132,144,1)"),
)
SCALE = {"range": [0.6, 10.4], "dtick": 2, "tick0": 2}
"""Of an axis of scores."""
TITLES = {"originality": "Originality", "feasibility": "Feasibility", "both": "Mean of the two"}
MOST, ACROSS = 12, 3
"""Models whose replies are drawn, and how many stand beside each other."""


def lengths(found: Sequence[LineFit], ink: str) -> DrawnFigure | None:
    """Draw the length of ideas against their score."""
    figure = _fits(found, ink, "Words of an idea (mark: the model's mean)", "words", 10)
    if figure is None:
        return None
    title = "Length of an idea and its score"
    return DrawnFigure("length-and-score", title, figure, tables.lengths(found))


def replies(found: Replies, ink: str) -> DrawnFigure | None:
    """Draw the length of whole replies, thoughts included, against the score of the ideas in
    them.
    """
    across = "Characters of the whole reply, thoughts included (mark: the model's mean)"
    figure = _fits(found.fits, ink, across, "characters", 1_000)
    if figure is None:
        return None
    title = "Length of the whole reply and score"
    return DrawnFigure("reply-and-score", title, figure, tables.replies(found))


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

    figure, whole = go.Figure(), _whole(found)
    if whole and whole.slope is not None:
        r = f" (r = {whole.r:.2f})" if whole.r is not None else ""
        figure.add_trace(_line(whole, ink, "dash", 2.0, f"all ideas as they are{r}"))
    many, names = len(held) > len(COLOURS), short([one.model for one in held])
    for n, (one, name) in enumerate(zip(held, names, strict=True)):
        colour = OWN if many else COLOURS[n]
        if one.slope is not None:
            figure.add_trace(_line(one, colour, "solid", 0.8 if many else 1.6, ""))
        marker = {
            "size": 8 if many else 10,
            "color": colour,
            "symbol": "circle" if many else symbol(n),
            "line": {"color": ink, "width": 0.8},
        }
        figure.add_trace(
            dots(
                [one.mean],
                [_height(one, one.mean or 0.0)],
                marker,
                [_describe(one, unit, step)],
                name=name,
                legendgroup=name,
                showlegend=not many,
            )
        )
    up = "Score of an idea (mean of three dimensions)"
    return frame(figure, across, up, ink, 360, legend=True)


def _height(one: LineFit, words: float) -> float | None:
    return None if one.slope is None or one.intercept is None else one.intercept + one.slope * words


def _line(one: LineFit, colour: str, dash: str, width: float, name: str | None = None) -> Any:
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


def _describe(one: LineFit, unit: str, step: int) -> str:
    r = "no r"
    if one.r is not None:
        r = f"r = {one.r:.2f}"
        if one.low is not None and one.high is not None:
            r += f" [{one.low:.2f}, {one.high:.2f}]"
    name = plain(one.model)
    gain = step * (one.slope or 0)
    return (
        f"{name}: {one.mean:,.0f} {unit} on average, {one.n:,} ideas<br>{r};"
        f" {gain:+.2f} points for {step:,} {unit} more"
    )


# -- shades -------------------------------------------------------------------------------------


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
        if line := _dashed(_whole(one.fits)):
            figure.add_trace(line, row=1, col=column)
    put(figure.select_xaxes(), **SCALE, title=titled("Clarity", font_of(ink)))
    put(figure.select_yaxes(), **SCALE)
    up = titled("Mean over an idea's judges", font_of(ink))
    put(figure.select_yaxes(col=1), title=up)
    return DrawnFigure(
        "clarity", "Clarity against originality and feasibility", figure, tables.clarity(found)
    )


def reply_density(found: Replies, ink: str) -> DrawnFigure | None:
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
        middles = [(at + one.step / 2, score, ideas) for at, score, ideas in one.counts]
        shades = _shades(middles, "{x:,.0f} characters, score {y:g}", one.step)
        figure.add_trace(shades, **place)
        if line := _dashed(lines.get(one.model)):
            figure.add_trace(line, **place)
    named = titled("Characters of the whole reply", font_of(ink))
    put(figure.select_xaxes(), rangemode="tozero", nticks=5)
    put(figure.select_xaxes(row=rows), title=named)
    put(figure.select_yaxes(), **SCALE)
    put(figure.select_yaxes(col=1), title=titled("Score", font_of(ink)))
    return DrawnFigure(
        "reply-density", "Whole replies of models that think", figure, tables.thoughts(found)
    )


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
    frame(figure, "", "", ink, height)
    figure.update_annotations(font=font_of(ink))
    # The most ideas in one place is the deepest shade in every panel: shades say where a panel's
    # ideas are, the pointer says how many.
    return figure


def _shades(counts: Iterable[tuple[float, float, int]], words: str, step: float = 0.5) -> Any:
    """Return ideas as squares of half a point by one step, the deeper the more of them."""
    import plotly.graph_objects as go

    held = {(x, y): n for x, y, n in counts}
    xs, ys = _steps([x for x, _ in held], step), _steps([y for _, y in held], 0.5)
    texts = [[f"{words.format(x=x, y=y)}: {held.get((x, y), 0):,} ideas" for x in xs] for y in ys]
    return go.Heatmap(
        x=xs,
        y=ys,
        z=[[held.get((x, y)) for x in xs] for y in ys],
        colorscale=SHADE,
        showscale=False,
        hoverongaps=False,
        xgap=1,
        ygap=1,
        **hover(texts),
    )


def _steps(values: Sequence[float], step: float) -> list[float]:
    """Return every step from the least to the greatest value: squares are as wide as the way to the
    next.
    """
    least, most = min(values), max(values)
    return [least + n * step for n in range(round((most - least) / step) + 1)]


def _dashed(one: LineFit | None) -> Any:
    """Return the line over shades; None where there is none."""
    if one is None or one.slope is None or one.intercept is None or one.shortest is None:
        return None
    return _line(one, LINE, "dash", 2)


def _whole(found: Sequence[LineFit]) -> LineFit | None:
    return next((one for one in found if one.over == "all"), None)


def _r(one: LineFit | None) -> str:
    return plain(f" (r = {one.r:.2f})") if one and one.r is not None else ""
