"""A figure of the screens as a picture for papers: what stands in its panels as points, lines,
intervals, bars and shades, drawn anew by matplotlib, which needs no browser.
"""

import re
from collections.abc import Iterable, Sequence
from html import unescape
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator

from core.charts.pictures import INK, cut, quiet, saved

PANEL, HIGH, FOOT = 3.2, 2.4, 0.9
"""Inches: width and height of a panel, and room for the legend."""
MARKS = {
    "circle": "o",
    "square": "s",
    "diamond": "D",
    "triangle-up": "^",
    "cross": "P",
    "star": "*",
    "x": "X",
    "triangle-down": "v",
    "pentagon": "p",
    "hexagram": "h",
    "bowtie": "<",
    "hourglass": ">",
}
DASHES = {"solid": "-", "dash": "--", "dot": ":", "dashdot": "-.", "longdash": (0, (8, 3))}
LONGEST = 60


def picture(drawn: Any, kind: str = "svg") -> bytes | None:
    """Return a Plotly figure of points, lines, bars and shades as `svg` or `png`; None for one of
    another kind.
    """
    made = figure(drawn)
    return saved(made, kind) if made else None


def figure(drawn: Any) -> Figure | None:
    """Return the picture of a Plotly figure, panel by panel."""
    traces = list(drawn.data)
    if not traces or any(trace.type not in ("scatter", "heatmap", "bar") for trace in traces):
        return None
    panels = sorted({_panel(trace) for trace in traces}, key=_place)
    lefts = {(drawn.layout[f"xaxis{one[0][1:]}"].domain or (0.0,))[0] for one in panels}
    columns = min(len(lefts) if len(lefts) > 1 else 3, len(panels))
    rows = -(-len(panels) // columns)
    size = (PANEL * max(columns, 2 if len(panels) == 1 else 1), HIGH * rows + FOOT)
    whole = Figure(figsize=size, layout="constrained")
    axes = whole.subplots(rows, columns, squeeze=False).ravel()
    titles = [str(one.text) for one in drawn.layout.annotations if one.text]
    for n, panel in enumerate(panels):
        mine = [trace for trace in traces if _panel(trace) == panel]
        _draw(axes[n], mine, drawn.layout, panel)
    # Of a grid the columns are named first, then the rows.
    grid = len(titles) == columns + rows and len(titles) != len(panels)
    for panel_axes, title in zip(axes, titles[:columns] if grid else titles, strict=False):
        if grid or len(titles) == len(panels):
            panel_axes.set_title(_plain(title), fontsize=8, color=INK, parse_math=False)
    for panel_axes, name in zip(axes[::columns], titles[columns:] if grid else (), strict=False):
        panel_axes.set_ylabel(cut(_plain(name), 24), fontsize=8, color=INK, parse_math=False)
    for spare in axes[len(panels) :]:
        spare.set_visible(False)
    _name(whole, list(axes[: len(panels)]))
    return whole


def _panel(trace: Any) -> tuple[str, str]:
    return trace.xaxis or "x", trace.yaxis or "y"


def _place(panel: tuple[str, str]) -> int:
    return int(panel[0][1:] or 1)


def _draw(axes: Any, traces: Sequence[Any], layout: Any, panel: tuple[str, str]) -> None:
    for trace in traces:
        if trace.type == "heatmap":
            _shade(axes, trace)
        elif trace.type == "scatter":
            _points(axes, trace)
    _bars(axes, [trace for trace in traces if trace.type == "bar"], layout.barmode == "stack")
    across = layout[f"xaxis{panel[0][1:]}"]
    for axis, put, ticks in (
        (across, axes.set_xlabel, axes.set_xticks),
        (layout[f"yaxis{panel[1][1:]}"], axes.set_ylabel, axes.set_yticks),
    ):
        title = axis.title.text
        if title:
            put(cut(_plain(title), LONGEST), fontsize=8, color=INK, parse_math=False)
        if axis.tickvals is not None and axis.ticktext is not None:
            named = [cut(_plain(str(one)), 16) for one in axis.ticktext]
            turned = {"rotation": 30, "ha": "right"} if axis is across and len(named) > 4 else {}
            ticks(list(axis.tickvals), named, **turned)
        elif axis.dtick == 1:
            (axes.xaxis if axis is across else axes.yaxis).set_major_locator(MultipleLocator(1))
        if axis.type == "log":
            (axes.set_xscale if axis is across else axes.set_yscale)("log")
        if axis is not across and axis.range and axis.range[0] > axis.range[1]:
            axes.set_ylim(*axis.range)
    quiet(axes)


def _points(axes: Any, trace: Any) -> None:
    pairs = zip(trace.x, trace.y, strict=True)
    kept = [n for n, (x, y) in enumerate(pairs) if x is not None and y is not None]
    if not kept:
        return
    x, y = ([one[n] for n in kept] for one in (trace.x, trace.y))
    mode = trace.mode or "lines+markers"
    colour, symbol = _colour(trace), str(_first(trace.marker.symbol) or "circle")
    open_mark = "-open" in symbol
    name = symbol.replace("-open", "").replace("-dot", "")
    axes.plot(
        x,
        y,
        linestyle=DASHES.get(trace.line.dash or "solid", "-") if "lines" in mode else "none",
        marker=MARKS.get(name, "o") if "markers" in mode else None,
        color=colour,
        markerfacecolor="white" if open_mark else colour,
        markersize=4.5,
        linewidth=1.2,
        label=_plain(trace.name) if trace.name and trace.showlegend is not False else "_",
    )
    for bars, across in ((trace.error_y, False), (trace.error_x, True)):
        if bars is None or bars.array is None:
            continue
        down = bars.arrayminus if bars.arrayminus is not None else bars.array
        reach = np.array([_numbers(down), _numbers(bars.array)])[:, kept]
        # A bar of no length would look like an interval that is certain.
        known = np.flatnonzero(np.isfinite(reach).any(axis=0))
        where = {"xerr" if across else "yerr": np.nan_to_num(reach[:, known])}
        at = ([one[n] for n in known] for one in (x, y))
        axes.errorbar(*at, fmt="none", ecolor=colour, elinewidth=1, capsize=2, **where)


def _bars(axes: Any, traces: Sequence[Any], stacked: bool) -> None:
    """Draw bars, those of one place beside each other, or each on top of those before it."""
    beside = 1 if stacked else len(traces)
    ends: dict[Any, float] = {}
    for k, trace in enumerate(traces):
        lying = trace.orientation == "h"
        places, lengths = (trace.y, trace.x) if lying else (trace.x, trace.y)
        wide = trace.width if isinstance(trace.width, int | float) else 0.8 / beside
        aside = 0.0 if beside == 1 else (k - (beside - 1) / 2) * wide
        numbers = [place for place in places if isinstance(place, int | float)]
        at = [place + aside for place in numbers] if len(numbers) == len(places) else list(places)
        base = [ends.get(place, 0.0) if stacked else 0.0 for place in places]
        long = np.nan_to_num(np.array(_numbers(lengths)))
        label = _plain(trace.name) if trace.name and trace.showlegend is not False else "_"
        looks = {"color": _colour(trace), "alpha": 0.8, "label": label}
        if lying:
            axes.barh(at, long, height=wide, left=base, **looks)
        else:
            axes.bar(at, long, width=wide, bottom=base, **looks)
        for place, below, length in zip(places, base, long, strict=True):
            ends[place] = below + float(length)


def _shade(axes: Any, trace: Any) -> None:
    """Draw shades where they stand; each says what it says on screen, or its share."""
    values = np.array([_numbers(row) for row in trace.z], dtype=np.float64)
    if all(isinstance(one, int | float) for one in (*trace.x, *trace.y)):
        axes.pcolormesh(trace.x, trace.y, values, cmap="BuGn", shading="nearest")
        return
    axes.imshow(values, cmap="BuGn", vmin=trace.zmin, vmax=trace.zmax, aspect="auto", alpha=0.75)
    axes.set_xticks(range(len(trace.x)), [cut(_plain(str(one)), 24) for one in trace.x])
    axes.set_yticks(range(len(trace.y)), [cut(_plain(str(one)), 24) for one in trace.y])
    for n, row in enumerate(values):
        for m, value in enumerate(row):
            if np.isfinite(value):
                said = f"{value:.0%}" if trace.text is None else _plain(str(trace.text[n][m]))
                axes.text(m, n, said, ha="center", va="center", fontsize=7, color=INK)


def _numbers(values: Iterable[Any]) -> list[float]:
    return [float("nan") if value is None else float(value) for value in values]


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list | tuple | np.ndarray) and len(value) else value


def _colour(trace: Any) -> str:
    found = _first(trace.marker.color) or (trace.type == "scatter" and trace.line.color)
    return str(found) if isinstance(found, str) and found.startswith("#") else INK


def _plain(text: str) -> str:
    """Return a text of Plotly's as it reads."""
    return unescape(re.sub(r"</?\w+>", "", text.replace("<br>", " ")))


def _name(whole: Figure, panels: Sequence[Any]) -> None:
    """Name the series once, below all panels."""
    known: dict[str, Any] = {}
    for axes in panels:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            known.setdefault(label, handle)
    if known:
        legend = whole.legend(
            list(known.values()),
            [cut(label, LONGEST) for label in known],
            loc="outside lower center",
            ncols=2,
            fontsize=7,
            frameon=False,
        )
        for text in legend.get_texts():
            text.set_parse_math(False)
