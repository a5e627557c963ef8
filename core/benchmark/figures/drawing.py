"""How the figures of a benchmark are drawn: the same colour, mark and name for the same thing
everywhere.
"""

from collections import Counter
from collections.abc import Sequence
from math import ceil, floor, log10
from typing import Any

from core.charts.style import (
    CLEAR,
    GREY,
    TEAL,
    font_of,
    hatched,
    hover,
    lay_out,
    plain,
    put,
    titled,
)
from core.models import PROVIDERS

OWN, PUBLISHED = TEAL, GREY
"""Models of the benchmark at hand, and published ones, which are hollow too."""
MARKED = "published (LiveIdeaBench, March 2025)"
"""What published figures are called, wherever they are drawn."""
LOOKS: dict[str, tuple[str, str, str]] = {
    "originality": ("#b5569b", "circle", ""),
    "feasibility": ("#4f9a4a", "square", "/"),
    "clarity": ("#c08a12", "diamond", "."),
    "fluency": ("#5c6bc8", "triangle-up", "x"),
}
"""Colour, mark and pattern of each dimension."""
ROLES: dict[str, tuple[str, str, str, str]] = {
    "idea": ("writes ideas", "#4f7f9e", "", "circle"),
    "judge": ("judges ideas", "#97694a", "/", "square"),
    "fluency": ("compares ideas", "#7d8f22", ".", "diamond"),
}
"""Each role in words, its colour, pattern and mark."""
TINTS = ((0.0, "#f4f1ea"), (1.0, "#3f9ba6"))
"""Low to high where the number stands in its cell in a dark colour, on the dark theme too."""
DARK = "#101316"
ROW = 21
"""Pixels a line of names takes."""
LONGEST = 34
"""Letters of a model's name that are drawn."""


def short(models: Sequence[str]) -> list[str]:
    """Return models' names as figures show them: as short as is clear, and cut where they are still
    long.
    """
    names = []
    for name in clear(models):
        cut = f"{name[: LONGEST // 2]}…{name[-LONGEST // 2 + 1 :]}"
        names.append(plain(cut if len(name) > LONGEST else name))
    return names


def clear(models: Sequence[str]) -> list[str]:
    """Return models' names without provider and vendor where that leaves them apart."""
    bare = []
    for model in models:
        provider, _, name = model.partition(":")
        bare.append(name.rpartition("/")[2] if provider in PROVIDERS else model)
    count = Counter(bare)
    return [
        name if name and count[name] == 1 else model
        for name, model in zip(bare, models, strict=True)
    ]


def frame(figure: Any, across: str, up: str, ink: str, height: int, legend: bool = False) -> Any:
    """Return the figure with its axes named; the panel is `height` pixels high, whatever stands
    around it.
    """
    font, top = font_of(ink), 64 if legend else 34
    lay_out(
        figure,
        across,
        font,
        height,
        {"l": 60, "r": 16, "t": top, "b": 56},
        1 - 30 / (height + top + 56),
        showlegend=legend,
        legend_traceorder="normal",
        modebar={"bgcolor": CLEAR, "color": PUBLISHED, "activecolor": OWN},
        hoverlabel={"align": "left"},
    )
    named = {"title": titled(plain(up), font)} if up else {}
    put(figure.select_yaxes(), automargin=True, **named)
    return figure


def stack_bars(
    x: Sequence[float], y: Sequence[int], name: str, colour: str, pattern: str, texts: Sequence[str]
) -> Any:
    """Return one part of rows whose parts stand behind each other."""
    import plotly.graph_objects as go

    texts = [plain(text) for text in texts]
    marker = hatched(colour, pattern)
    return go.Bar(x=x, y=y, orientation="h", name=name, width=0.66, marker=marker, **hover(texts))


def log_axis(figure: Any, values: Sequence[float]) -> Any:
    """Make the axis across logarithmic, with plain numbers on it: powers of ten, and 2 and 5 times
    these where there are few.
    """
    low = floor(log10(min(values)))
    high = ceil(log10(max(values)))
    steps = (1, 2, 5) if high - low <= 2 else (1,)
    powers = [10.0**power for power in range(low, high + 1)]
    ticks = [step * power for power in powers for step in steps]
    names = [f"{tick:g}" for tick in ticks]
    return figure.update_xaxes(type="log", tickvals=ticks, ticktext=names)


def name_rows(figure: Any, names: Sequence[str]) -> Any:
    """Name the rows of a figure at its side, the first on top."""
    put(
        figure.select_yaxes(),
        tickvals=list(range(len(names))),
        ticktext=list(names),
        range=[len(names) - 0.4, -0.6],
        showgrid=False,
        automargin=True,
    )
    return figure
