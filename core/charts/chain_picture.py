"""The chains of a run as a picture for papers and slides: time runs across, every branch has a lane
of its own, and every paper a label that touches no other.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import ceil, floor
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font
from matplotlib.ft2font import LoadFlags

from core.charts.edges import edge, hops
from core.charts.pictures import INK, TEAL, saved
from core.charts.timeline import positions, spread, when
from core.literature.authors import briefly
from core.records import Link, Paper
from core.story import Branch

ANCHOR, LINK, RING, WRONG = "#f2b84b", "#8f8a7e", "#d1495b", "#c0392b"
QUIET, FAINT = "#5c6168", "#e7e3da"
MARKERS = {"anchor": "D", "person": "s"}
STYLES: dict[str, tuple[str, Any]] = {
    "cited": (LINK, "-"),
    "near": (LINK, (0, (3, 2))),
    "placed": (LINK, (0, (1, 1.5))),
    "against": (WRONG, "-"),
}
"""Colour and stroke of an arrow, by how two papers are joined."""
EASTERN = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "WenQuanYi Zen Hei"),
    *("Microsoft YaHei", "PingFang SC", "Hiragino Sans GB", "Droid Sans Fallback"),
)
"""Fonts with Chinese, Japanese and Korean letters; the first that this machine has is used."""

# Everything below is in inches, but for sizes of letters, which are in points.
SIZE, NAME_SIZE, ROW = 7.0, 8.0, 0.12
NAME, STEM, AXIS = 0.26, 0.26, 0.46
"""Heights of a branch's name, of the way from a paper to its label, and of the years."""
LINES = 3
"""Of a label: two of the title, one of authors and year."""
LANE = NAME + 2 * (STEM + LINES * ROW) + 0.06
NODE, LABEL, APART, EDGE = 0.3, 1.6, 0.12, 0.3
"""How far papers stand apart; how wide a label is at most, and how far from the next; what stays
free beside the first and the last paper.
"""
BANDS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Years."""


def chain_graph(
    branches: Sequence[Branch],
    best: int | None,
    kind: str,
    tied: bool = False,
    width: float = 11.0,
) -> bytes:
    """Return the graph of these branches as `svg` or `png` (300 dots per inch); `tied`: whether the
    best was chosen in a tie, `width` in inches.
    """
    return saved(figure(branches, best, tied, width), kind, 300)


def figure(branches: Sequence[Branch], best: int | None, tied: bool, width: float) -> Figure:
    """Return the graph of those branches that have a chain."""
    lanes = [branch for branch in branches if branch.chain]
    years = _years(lanes, width)
    height = AXIS + LANE * len(lanes)
    drawn = Figure(figsize=(width, height))
    axes = drawn.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, width)
    axes.set_ylim(0, height)
    axes.set_axis_off()
    _draw_years(axes, years, height)
    for row, branch in enumerate(lanes):
        top = height - LANE * row
        name = _named(branch, len(lanes), branch.n == best, tied)
        _write(axes, (0.05, top - NAME / 2), _fitted(name, width - 0.1, 1, True), bold=True)
        _draw_lane(axes, branch, years, top - NAME - LINES * ROW - STEM)
    return drawn


def _named(branch: Branch, many: int, chosen: bool, tied: bool) -> str:
    """Name a lane by its branch, and by the idea that came of it."""
    name = f"Branch {branch.n}" if many > 1 else "The chain"
    if branch.given_up:
        name += " (given up)"
    elif chosen and many > 1:
        name += " (chosen in a tie)" if tied else " (chosen)"
    return f"{name}: {branch.idea.title}" if branch.idea else name


# -- years -------------------------------------------------------------------------------------


class Years(NamedTuple):
    """The time axis: the years it is from and to, in bands of so many years, and how wide a year
    and the whole picture are.
    """

    first: int
    last: int
    band: int
    year: float
    width: float
    dated: bool

    def at(self, moment: float) -> float:
        """Return where a moment stands across the picture."""
        return EDGE + (moment - self.first) * self.year


def _years(lanes: Sequence[Branch], width: float) -> Years:
    papers = [paper for branch in lanes if branch.chain for paper in branch.chain.papers]
    moments = [moment for paper in papers if (moment := when(paper)) is not None]
    first, last = (floor(min(moments)), ceil(max(moments))) if moments else (0, 1)
    last = max(last, first + 1)
    room = width - 2 * EDGE
    for band in BANDS:
        bands = -(-(last - first) // band)
        if room / bands > (0.45 if band == 1 else 0.85):
            break
    first = last - band * bands
    return Years(first, last, band, room / (last - first), width, bool(moments))


def _draw_years(axes: Axes, years: Years, height: float) -> None:
    if not years.dated:
        return
    edges = range(years.first, years.last + 1, years.band)
    axes.vlines([years.at(year) for year in edges], AXIS, height, FAINT, linewidth=0.6, zorder=0)
    axes.hlines([AXIS], EDGE, years.width - EDGE, QUIET, linewidth=0.7)
    for year, following in pairwise(edges):
        label = str(year) if years.band == 1 else f"{year}–{following - 1}"
        middle = (years.at(year) + years.at(following)) / 2
        _write(axes, (middle, AXIS - 0.11), [label], middle=True)
    _write(axes, (years.width / 2, 0.13), ["Year of publication"], middle=True)


# -- a lane ------------------------------------------------------------------------------------


class Label(NamedTuple):
    """The label of a paper: its lines, how wide it is, and where the paper stands."""

    lines: list[str]
    width: float
    paper: float


def _draw_lane(axes: Axes, branch: Branch, years: Years, y: float) -> None:
    """Draw one chain: anchor a diamond, milestones ringed, hops that are no citations broken."""
    chain = branch.chain
    if chain is None:
        return
    moments = positions(chain.papers, 0.0)
    links = sorted(chain.links, key=lambda link: moments[link.paper.id])
    room = years.width - 2 * EDGE
    apart = min(NODE, room / max(1, len(links) - 1))
    wanted = [years.at(moments[link.paper.id]) for link in links]
    spots = spread(wanted, [apart] * (len(links) - 1), (EDGE, years.width - EDGE))
    xs = {link.paper.id: spot for link, spot in zip(links, spots, strict=True)}
    given, order = hops(branch), list(xs)
    for a, b in pairwise(chain.papers) if chain.ordered else ():
        joined = edge(a, b, given.get((a.id, b.id)), "").kind
        beside = order.index(b.id) - order.index(a.id) == 1
        _draw_arrow(axes, (xs[a.id], xs[b.id]), y, joined, beside)
    for link in links:
        _draw_paper(axes, link, (xs[link.paper.id], y))
    for side, first in ((1, 0), (-1, 1)):
        beside_it = [(link.paper, xs[link.paper.id]) for link in links[first::2]]
        _label_side(axes, beside_it, y, side, years.width)


def _draw_arrow(axes: Axes, ends: tuple[float, float], y: float, joined: str, beside: bool) -> None:
    colour, stroke = STYLES[joined]
    far = abs(ends[1] - ends[0])
    # One that passes over other papers goes around them.
    bend = 0.0 if beside else min(0.4, 0.3 / max(far, 0.1))
    look = {
        "arrowstyle": "-|>",
        "mutation_scale": 8,
        "color": colour,
        "linestyle": stroke,
        "linewidth": 1.1,
        "shrinkA": 8,
        "shrinkB": 8,
        "connectionstyle": f"arc3,rad={bend:.3f}",
    }
    axes.annotate("", (ends[1], y), (ends[0], y), arrowprops=look)


def _draw_paper(axes: Axes, link: Link, at: tuple[float, float]) -> None:
    cited = link.paper.citations
    # In square points, by citations where they are known.
    area = 45.0 if cited is None else 38 + 8 * min(8, (cited + 1) ** 0.25)
    axes.scatter(
        [at[0]],
        [at[1]],
        s=area,
        marker=MARKERS.get(link.hop, "o"),
        color=ANCHOR if link.hop == "anchor" else TEAL,
        zorder=3,
    )
    if link.milestone:
        axes.scatter(
            [at[0]],
            [at[1]],
            s=area + 110,
            marker="o",
            color="none",
            edgecolors=RING,
            linewidths=1.6,
        )


def _label_side(
    axes: Axes, papers: Sequence[tuple[Paper, float]], y: float, side: int, width: float
) -> None:
    """Label papers above (1) or below (-1) their lane, each label as near its paper as the others
    leave room.
    """
    if not papers:
        return
    room = min(LABEL, width / len(papers) - APART)
    labels = [_label(paper, at, room) for paper, at in papers]
    gaps = [(a.width + b.width) / 2 + APART for a, b in pairwise(labels)]
    within = labels[0].width / 2 + 0.04, width - labels[-1].width / 2 - 0.04
    middles = spread([label.paper for label in labels], gaps, within)
    for label, x in zip(labels, middles, strict=True):
        lead = [label.paper, label.paper, x], [y + side * h for h in (0.1, 0.14, STEM - 0.02)]
        axes.plot(*lead, color=LINK, linewidth=0.5, zorder=1)
        over = len(label.lines) if side > 0 else 1
        top = y + side * STEM + side * ROW / 2 + (over - 1) * ROW * (side > 0)
        _write(axes, (x, top), label.lines, middle=True, quiet=True)


def _label(paper: Paper, at: float, room: float) -> Label:
    head = paper.title.split(":")[0]
    lines = [*_fitted(head, room, LINES - 1), *_fitted(briefly(paper), room, 1)]
    return Label(lines, max(map(_wide, lines), default=0.0), at)


# -- letters -----------------------------------------------------------------------------------


def _write(
    axes: Axes,
    at: tuple[float, float],
    lines: Sequence[str],
    middle: bool = False,
    bold: bool = False,
    quiet: bool = False,
) -> None:
    """Write lines downwards, the middle of the first at a point; `quiet`: the last one is grey."""
    for n, line in enumerate(lines):
        axes.text(
            at[0],
            at[1] - n * ROW,
            line,
            ha="center" if middle else "left",
            va="center_baseline",
            color=QUIET if quiet and n == len(lines) - 1 else INK,
            fontproperties=_font(bold),
            parse_math=False,
        )


@cache
def _font(bold: bool) -> FontProperties:
    here = {font.name for font in fontManager.ttflist}
    families = ["DejaVu Sans", *[name for name in EASTERN if name in here][:1]]
    size = NAME_SIZE if bold else SIZE
    return FontProperties(family=families, size=size, weight="bold" if bold else "normal")


@cache
def _faces(bold: bool) -> tuple[str, ...]:
    """Return the files of a font: each is asked for letters that those before it lack."""
    font = _font(bold)
    return tuple(
        str(findfont(FontProperties(family=name, weight=font.get_weight())))
        for name in font.get_family()
    )


@cache
def _drawable(sign: str) -> bool:
    return any(get_font(face).get_char_index(ord(sign)) for face in _faces(False))


def _wide(text: str, bold: bool = False) -> float:
    """Return how wide a text is in inches."""
    font = get_font(list(_faces(bold)))
    font.set_size(100, 72)
    font.set_text(text, 0.0, LoadFlags.NO_HINTING)
    size = NAME_SIZE if bold else SIZE
    return font.get_width_height()[0] / 64 * size / 100 / 72


def _fitted(text: str, room: float, most: int, bold: bool = False) -> list[str]:
    """Return a text in lines of so many inches, what is too much cut off; nothing for a text most
    of whose signs no font here can draw.
    """
    whole = " ".join(text.split())
    rest = "".join(filter(_drawable, whole)).strip()
    if 2 * len(rest) < len(whole):
        return []

    def fitting(text: str, room: float) -> int:
        """Return how many of its signs fit; one at least."""
        ends = range(1, len(text) + 1)
        return max(1, bisect_right(ends, room, key=lambda end: _wide(text[:end], bold)))

    lines: list[str] = []
    while rest:
        end = fitting(rest, room)
        if end < len(rest) and len(lines) == most - 1:
            end = fitting(rest, room - _wide(" …", bold))
            space = rest.rfind(" ", 0, end + 1)
            # Whole words, unless that costs half the line.
            lines.append(f"{rest[: space if 2 * space > end else end].rstrip()} …")
            break
        # Scripts without spaces, and words longer than a line, are divided anywhere.
        space = rest.rfind(" ", 0, end + 1) if end < len(rest) else -1
        end = space if space > 0 else end
        lines.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return lines
