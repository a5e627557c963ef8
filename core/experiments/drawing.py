"""How a figure is drawn: a panel a quality; colour, dash and filling say the method, the symbol
says the model; words in the colour the screen hands in.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.charts.style import (
    GREY,
    PATTERNS,
    dots,
    error_bars,
    hatched,
    hover,
    lay_out,
    plain,
    symbol,
    titled,
)
from core.experiments.series import FigureSeries
from core.records import Value

Look = tuple[str, str, str]
METHODS: dict[str, Look] = {
    "initial": (GREY, "dash", ""),
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
OTHER: Look = (GREY, "solid", "")
Q_SPAN = [-0.04, 1.04]
WIDE, LINE = 820, 22
"""Pixels a line of the legend holds, and how high it is."""


class Canvas:
    """A figure with a panel for each quality, to which series are added one by one."""

    def __init__(self, held: Sequence[FigureSeries]):
        from plotly.subplots import make_subplots

        self.goals = list(dict.fromkeys(one.indicator for one in held))
        self.models = list(dict.fromkeys(one.model for one in held))
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
        return symbol(self.models.index(model))

    def marks(
        self, one: FigureSeries, mode: str = "markers", size: int = 9, opacity: float = 0.9
    ) -> Any:
        """Return the points of a series, with the intervals of both their figures."""
        colour, dash, filling = METHODS.get(one.method, OTHER)
        across, up = [point.x for point in one.points], [point.y for point in one.points]
        trace = dots(
            [value.mean for value in across],
            [value.mean for value in up],
            {"symbol": self.symbol(one.model) + filling, "size": size, "color": colour},
            _hovers(one),
            opacity=opacity,
            line={"color": colour, "dash": dash, "width": 1.5},
            error_x=_bar(across, colour),
            error_y=_bar(up, colour),
        )
        return trace.update(mode=mode)

    def bars(self, one: FigureSeries) -> Any:
        """Return a series as bars; a pattern says the model."""
        import plotly.graph_objects as go

        pattern = PATTERNS[self.models.index(one.model) % len(PATTERNS)]
        return go.Bar(
            x=[point.x.mean for point in one.points],
            y=[point.y.mean for point in one.points],
            marker=hatched(METHODS.get(one.method, OTHER)[0], pattern, 0.8, 6),
            **hover(_hovers(one)),
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

    def lay_out(self, across: str, up: str, ink: str, height: int = 300) -> Any:
        """Return the figure with its axes named; the panels are so high, whatever the legend
        takes.
        """
        font = {"color": ink}
        length = sum(len(name) * 7 + 50 for name in self.named)
        lines = 1 + length // WIDE
        top = 40 + LINE * lines
        self.figure.update_annotations(font=font)
        margin = {"l": 60, "r": 20, "t": top, "b": 50}
        lay_out(self.figure, across, font, height, margin, showlegend=True)
        return self.figure.update_yaxes(title=titled(plain(up), font), row=1, col=1)


def _bar(values: Sequence[Value], colour: str) -> dict[str, object]:
    """Return the bars of a row of figures; a figure without an interval has none."""

    ends = [(value.low, value.mean, value.high) for value in values]
    reach = np.array(ends, dtype=float)
    down, up = np.diff(reach.reshape(-1, 3)).T
    return error_bars(up.tolist(), down.tolist(), colour, 1.2)


def _hovers(drawn: FigureSeries) -> list[str]:
    """Return what is said of each point of a series where it is pointed at."""
    texts = []
    for point in drawn.points:
        up = point.y
        whose = f"{drawn.name}, {point.of}" if point.of else drawn.name
        sentence = point.said
        if not sentence:
            n = f", n = {up.n} {up.counted}".rstrip() if up.n is not None else ""
            sentence = f"{point.x.said}: {up.said}{n}"
        text = f"{whose}: {sentence}"
        texts.append(plain(text))
    return texts
