"""The chain of a branch, drawn to be seen from afar: as shapes that come one after the other."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from core.charts.timeline import positions, when
from core.export.blocks import printable
from core.records import Link, Paper
from core.story import Branch

WIDTH, HEIGHT = 1600, 380
"""Size of the drawing; it is scaled to the width of the screen."""
EDGE, MIDDLE, AXIS = 170, 170, 352
"""How far the outermost papers are from the border; how high papers and years stand."""
LINE, TALLEST = 31, 3
"""Height of a line of a name, and how many there are at most."""
LETTERS, LETTER = 24, 14
"""Letters of a line of a name at most, and how wide one is."""
GAPS = 7
"""Nearer papers than a part of so many of the whole are moved apart; longer chains have more."""

Shape = dict[str, Any]
"""A shape as SVG has it: `tag`, its attributes, its `text`; it comes with slide `since`."""


def draw_chain(branch: Branch, since: Mapping[str, int]) -> list[Shape]:
    """Draw a branch's chain on a time axis; papers, by id, come with the slides in `since`, and
    a line between two with the later of them.
    """
    chain = branch.chain
    if chain is None:
        return []
    spots = _spots(chain.papers)
    last = max(since.values(), default=0)
    comes = {paper.id: since.get(paper.id, last) for paper in chain.papers}
    shapes = list(_draw_years(chain.papers, spots, comes))
    for a, b in pairwise(chain.papers) if chain.ordered else ():
        shapes.append(_draw_edge(a, b, spots, max(comes[a.id], comes[b.id])))
    in_time = sorted(chain.links, key=lambda link: spots[link.paper.id])
    # Names stand above and below by turns, so each has the room of two gaps.
    room = 2 * (WIDTH - 2 * EDGE) / _gaps(chain.papers)
    letters = min(LETTERS, int(room / LETTER) - 1)
    for n, link in enumerate(in_time):
        x = spots[link.paper.id]
        shapes += _draw_link(link, x, comes[link.paper.id])
        shapes += _draw_name(link.paper, x, n % 2 == 0, letters, comes[link.paper.id])
    return shapes


def _gaps(papers: Sequence[Paper]) -> int:
    return max(GAPS, len(papers) - 1)


def _spots(papers: tuple[Paper, ...]) -> dict[str, float]:
    """Return how far to the right each paper stands."""
    dated = [moment for moment in map(when, papers) if moment is not None]
    years = max(dated) - min(dated) if dated else 0.0
    gap = max(years, 1.0) / _gaps(papers)
    at = positions(papers, gap)
    first, last = min(at.values()), max(at.values())
    scale = (WIDTH - 2 * EDGE) / max(last - first, gap)
    # A single paper stands in the middle.
    start = EDGE if last > first else WIDTH / 2
    return {name: round(start + (spot - first) * scale, 1) for name, spot in at.items()}


def _draw_years(
    papers: Sequence[Paper], spots: Mapping[str, float], comes: Mapping[str, int]
) -> Iterator[Shape]:
    ends = {"x1": 0, "x2": WIDTH, "y1": AXIS - 30, "y2": AXIS - 30}
    yield {"tag": "line", "class": "axis", **ends, "since": 0}
    before = float(-WIDTH)
    for paper in sorted(papers, key=lambda one: spots[one.id]):
        x = spots[paper.id]
        # Years that would lie on one another are left out.
        if paper.year and x - before > 80:
            here = {"x": x, "y": AXIS, "since": comes[paper.id]}
            yield {"tag": "text", "class": "year", **here, "text": str(paper.year)}
            before = x


def _draw_edge(a: Paper, b: Paper, spots: Mapping[str, float], since: int) -> Shape:
    kind = "edge near" if a.near or b.near else "edge"
    if b.before(a):
        kind = "edge against"
    ends = {"x1": spots[a.id], "x2": spots[b.id], "y1": MIDDLE, "y2": MIDDLE}
    return {"tag": "line", "class": kind, **ends, "since": since}


def _draw_link(link: Link, x: float, since: int) -> Iterator[Shape]:
    """Draw a paper: an anchor as a diamond, what a person put in as a square, milestones ringed."""
    here = {"since": since, "paper": link.paper.id}
    if link.milestone:
        yield {"tag": "circle", "class": "ring", "cx": x, "cy": MIDDLE, "r": 29, **here}
    corners = {
        "anchor": ((0, -21), (21, 0), (0, 21), (-21, 0)),
        "person": ((-16, -16), (16, -16), (16, 16), (-16, 16)),
    }.get(link.hop)
    if corners:
        points = " ".join(f"{x + right},{MIDDLE + down}" for right, down in corners)
        yield {"tag": "polygon", "class": "node", "points": points, **here}
    else:
        yield {"tag": "circle", "class": "node", "cx": x, "cy": MIDDLE, "r": 17, **here}


def _draw_name(paper: Paper, x: float, above: bool, letters: int, since: int) -> Iterator[Shape]:
    name = paper.title.split(":")[0]
    lines = textwrap.wrap(name, letters, max_lines=TALLEST, placeholder=" …")
    top = MIDDLE - 44 - LINE * (len(lines) - 1) if above else MIDDLE + 62
    for n, line in enumerate(lines):
        yield {
            "tag": "text",
            "class": "name",
            "x": x,
            "y": top + n * LINE,
            "text": printable(line),
            "since": since,
            "paper": paper.id,
        }
