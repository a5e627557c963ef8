"""The chain graph as a picture: one lane per branch, time from left to right; for papers and
slides.
"""

from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from core.charts.pictures import INK, TEAL, saved
from core.charts.timeline import positions, when
from core.records import Chain, Link
from core.story import Branch

NODE, ANCHOR, LINE, RING = TEAL, "#f2b84b", "#8f8a7e", "#d1495b"
LANE = 1.5
"""Height of a lane in inches."""


def draw(branches: tuple[Branch, ...], best: int | None, kind: str, tied: bool = False) -> bytes:
    """Return the graph of these branches as `svg` or `png` (200 dots per inch); `tied`: whether the
    best was chosen in a tie.
    """
    mark = " (chosen in a tie)" if tied else " (chosen)"
    figure = Figure(figsize=(11, 0.9 + LANE * len(branches)), layout="constrained")
    axes = figure.subplots()
    gap = crowding(branches)
    for lane, branch in enumerate(reversed(branches)):
        if branch.chain:
            draw_chain(axes, branch.chain, lane, gap)
        axes.annotate(
            f"Branch {branch.n}" + (mark if branch.n == best else ""),
            (0, lane + 0.42),
            xycoords=("axes fraction", "data"),
            fontsize=9,
            fontweight="bold",
            color=INK,
        )
    axes.set_ylim(-0.6, len(branches) - 0.4)
    axes.margins(x=0.08)
    axes.set_xlabel("Year of publication")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_yticks([])
    axes.spines[["left", "right", "top"]].set_visible(False)
    return saved(figure, kind)


def crowding(branches: tuple[Branch, ...]) -> float:
    """Return how many years two papers must be apart for their titles to stand side by side: a
    sixteenth of all that is drawn.
    """
    moments = [
        moment
        for branch in branches
        if branch.chain
        for paper in branch.chain.papers
        if (moment := when(paper)) is not None
    ]
    return max(0.12, (max(moments) - min(moments)) / 16) if moments else 0.12


def draw_chain(axes: Any, chain: Chain, lane: int, gap: float) -> None:
    """Draw one chain in its lane: anchor a diamond, milestones ringed, hops that are no citations
    dashed.
    """
    spots = positions(chain.papers, gap)
    for a, b in zip(chain.links, chain.links[1:], strict=False):
        if chain.ordered:
            style = "--" if a.paper.near or b.paper.near else "-"
            axes.annotate(
                "",
                (spots[b.paper.id], lane),
                (spots[a.paper.id], lane),
                arrowprops={
                    "arrowstyle": "->",
                    "color": LINE,
                    "linestyle": style,
                    "shrinkA": 7,
                    "shrinkB": 7,
                },
            )
    for n, link in enumerate(chain.links):
        axes.scatter(
            [spots[link.paper.id]],
            [lane],
            s=size(link),
            marker="D" if link.hop == "anchor" else "s" if link.hop == "person" else "o",
            color=ANCHOR if link.hop == "anchor" else NODE,
            edgecolors=RING if link.milestone else "none",
            linewidths=2,
            zorder=3,
        )
        above = n % 2 == 0
        axes.annotate(
            wrapped(link),
            (spots[link.paper.id], lane),
            xytext=(0, 11 if above else -11),
            textcoords="offset points",
            ha="center",
            va="bottom" if above else "top",
            fontsize=7,
            color=INK,
            parse_math=False,
        )


def size(link: Link) -> float:
    """Return a node's area in square points, by citations where they are known."""
    return (
        60.0
        if link.paper.citations is None
        else 50 + 18 * min(8.0, (link.paper.citations + 1) ** 0.25)
    )


def wrapped(link: Link) -> str:
    """Return a short title in lines of 24 letters, and the year."""
    import textwrap

    lines = textwrap.wrap(link.paper.title.split(":")[0], 24, max_lines=2, placeholder=" …")
    return "\n".join([*lines, str(link.paper.year or "undated")])
