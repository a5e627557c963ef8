"""How a figure is drawn: a panel a quality; colour, dash and filling say the method, the symbol
says the model; words in the colour the screen hands in.
"""

from collections.abc import Sequence
from typing import Any

from core.experiments.series import FigurePoint, FigureSeries
from core.records import Value

Look = tuple[str, str, str]
METHODS: dict[str, Look] = {
    "initial": ("#8a8f96", "dash", ""),
    "self-reflection": ("#d55e00", "dot", "-dot"),
    "infal": ("#1f86c9", "solid", ""),
    "review-rebuttal": ("#56b4e9", "dash", "-open"),
    "no-discriminator": ("#009e73", "dashdot", "-open"),
    "no-optimizer": ("#e69f00", "longdash", "-dot"),
    "evolve": ("#cc79a7", "solid", "-open-dot"),
    "evolve-uninformed": ("#9467bd", "dash", "-open"),
    "direct": ("#a6761d", "dot", ""),
    "rag": ("#66a61e", "dashdot", "-dot"),
    "chain": ("#c0578a", "longdash", "-open"),
}
"""Colour, dash and filling of each method, the same in every figure; near Okabe and Ito's, which
colour-blind people tell apart.
"""
OTHER: Look = ("#8a8f96", "solid", "")
SYMBOLS = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "cross",
    "star",
    "x",
    "triangle-down",
    "pentagon",
    "hexagram",
    "bowtie",
    "hourglass",
)
PATTERNS = ("", "/", "x", ".", "\\", "-", "+", "|")
CLEAR = "rgba(0,0,0,0)"
FAINT = "rgba(138,143,150,0.25)"
Q_SPAN = [-0.04, 1.04]
WIDE, LINE = 820, 22
"""Pixels a line of the legend holds, and how high it is."""


class Canvas:
    """A figure with a panel for each quality, to which series are added one by one."""

    def __init__(self, held: Sequence[FigureSeries]):
        from plotly.subplots import make_subplots

        self.goals, self.models = (
            list(dict.fromkeys(getattr(one, field) for one in held))
            for field in ("indicator", "model")
        )
        titles = [plain(goal) for goal in self.goals]
        self.figure: Any = make_subplots(
            1, len(titles), shared_yaxes=True, subplot_titles=titles, horizontal_spacing=0.05
        )
        self.named: list[str] = []

    def add(self, trace: Any, indicator: str, name: str = "") -> None:
        """Add a trace to the panel of its quality; what is named stands in the legend once."""
        trace.update(
            name=plain(name),
            legendgroup=plain(name) or None,
            showlegend=bool(name) and name not in self.named,
        )
        self.named += [name] if name and name not in self.named else []
        self.figure.add_trace(trace, row=1, col=self.goals.index(indicator) + 1)

    def symbol(self, model: str) -> str:
        """Return the symbol of a model."""
        return SYMBOLS[self.models.index(model) % len(SYMBOLS)]

    def marks(
        self, one: FigureSeries, mode: str = "markers", size: int = 9, opacity: float = 0.9
    ) -> Any:
        """Return the points of a series, with the intervals of both their figures."""
        import plotly.graph_objects as go

        colour, dash, filling = METHODS.get(one.method, OTHER)
        return go.Scatter(
            x=[point.x.mean for point in one.points],
            y=[point.y.mean for point in one.points],
            mode=mode,
            opacity=opacity,
            line={"color": colour, "dash": dash, "width": 1.5},
            marker={"symbol": self.symbol(one.model) + filling, "size": size, "color": colour},
            error_x=_bar([point.x for point in one.points], colour),
            error_y=_bar([point.y for point in one.points], colour),
            customdata=[plain(said(one, point)) for point in one.points],
            hovertemplate="%{customdata}<extra></extra>",
        )

    def bars(self, one: FigureSeries) -> Any:
        """Return a series as bars; a pattern says the model."""
        import plotly.graph_objects as go

        pattern = PATTERNS[self.models.index(one.model) % len(PATTERNS)]
        return go.Bar(
            x=[point.x.mean for point in one.points],
            y=[point.y.mean for point in one.points],
            marker={
                "color": METHODS.get(one.method, OTHER)[0],
                "pattern": {
                    "shape": pattern,
                    "fillmode": "overlay",
                    "fgcolor": "rgba(255,255,255,0.8)",
                    "size": 6,
                },
            },
            customdata=[plain(said(one, point)) for point in one.points],
            hovertemplate="%{customdata}<extra></extra>",
        )

    def key(self, ink: str) -> None:
        """Say in the legend what the symbols mean, where methods are named beside the panels."""
        import plotly.graph_objects as go

        for model in self.models:
            self.add(
                go.Scatter(
                    x=[None],
                    y=[None],
                    mode="markers",
                    marker={"symbol": self.symbol(model), "size": 9, "color": ink},
                ),
                self.goals[0],
                model,
            )

    def laid_out(self, across: str, up: str, ink: str, height: int = 300) -> Any:
        """Return the figure with its axes named; the panels are so high, whatever the legend
        takes.
        """
        text = {"color": ink}
        top = 40 + LINE * (1 + sum(len(name) * 7 + 50 for name in self.named) // WIDE)
        self.figure.update_annotations(font=text)
        self.figure.update_layout(
            height=height + top + 50,
            margin={"l": 60, "r": 20, "t": top, "b": 50},
            font=text,
            paper_bgcolor=CLEAR,
            plot_bgcolor=CLEAR,
            showlegend=True,
            legend={
                "orientation": "h",
                "yref": "container",
                "y": 1,
                "yanchor": "top",
                "x": 0,
                "xanchor": "left",
                "font": text,
            },
        )
        self.figure.update_xaxes(
            title={"text": plain(across), "font": text},
            tickfont=text,
            gridcolor=FAINT,
            zeroline=False,
        )
        self.figure.update_yaxes(tickfont=text, gridcolor=FAINT, zeroline=False)
        self.figure.update_yaxes(title={"text": plain(up), "font": text}, row=1, col=1)
        return self.figure


def _bar(values: Sequence[Value], colour: str) -> dict[str, object]:
    """Return the bars of a row of figures; a figure without an interval has none."""
    up = [0.0 if one.high is None or one.mean is None else one.high - one.mean for one in values]
    down = [0.0 if one.low is None or one.mean is None else one.mean - one.low for one in values]
    return {
        "type": "data",
        "symmetric": False,
        "array": up,
        "arrayminus": down,
        "visible": any(up) or any(down),
        "thickness": 1.2,
        "width": 4,
        "color": colour,
    }


def said(one: FigureSeries, point: FigurePoint) -> str:
    """Return what is said of a point where it is pointed at."""
    n = f", n = {point.y.n} {point.y.counted}".rstrip() if point.y.n is not None else ""
    of = f", {point.of}" if point.of else ""
    return f"{one.name}{of}: {point.said or f'{point.x.said}: {point.y.said}{n}'}"


def plain(text: str) -> str:
    """Return a text as Plotly shows it word for word."""
    # Plotly reads a few HTML tags in its texts.
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
