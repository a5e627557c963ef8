"""Names beside the points of a figure, so that none covers another, a point or a line: worked out
for a figure as narrow as any, where there is least room.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

ROOM = 560
"""Pixels between the sides of a figure in a window of 1024 with the menu open."""
LETTER, LINE = 6.4, 15
"""Width of a letter and height of a line of names, in pixels."""
POINT, MARGIN = 9.0, 0.14
"""Half a point's width in pixels; the share of the span that stays free at each side."""
NEAR = ((19.0, 18.0), (11.0, 13.0))
FAR = ((0.0, 42.0), (34.0, 34.0))
FARTHER = ((0.0, 66.0), (60.0, 58.0))
"""How far a name stands from its point: (aside, above or below), (aslant, across and down); where
it is far, a line leads to it.
"""
Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, low, right, high."""


def spanned(values: Sequence[float], least: float) -> list[float]:
    """Return an axis that holds these values with room around them; `least` is the span that chance
    may fill.
    """
    room = max(max(values) - min(values), least) * MARGIN
    return [min(values) - room, max(values) + room]


def label(
    figure: Any,
    named: Sequence[tuple[Point, str]],
    points: Sequence[Point],
    lines: Sequence[Box],
    ink: str,
    size: tuple[float, float],
) -> None:
    """Name points in a figure whose axes have their ranges; `size` is its panel in pixels. A name
    without room is left to the pointer, and to the table.
    """
    spans = figure.layout.xaxis.range, figure.layout.yaxis.range

    def pixels(x: float, y: float) -> Point:
        (left, right), (low, high) = spans
        return (x - left) / (right - left) * size[0], (high - y) / (high - low) * size[1]

    taken: list[Box] = [
        (x - POINT, y - POINT, x + POINT, y + POINT)
        for x, y in (pixels(*point) for point in points)
    ]
    for left, low, right, high in lines:
        (x, y), (to, down) = pixels(left, high), pixels(right, low)
        taken.append((x - 1, y - 1, to + 1, down + 1))
    names: list[Box] = []
    for point, name in named:
        x, y = pixels(*point)
        free = next(
            (
                place
                for place in _places(x, y, LETTER * len(name))
                if _fits(place.box, [*taken, *names], size)
                and not any(_meet(_leading(x, y, place), other) for other in names)
            ),
            None,
        )
        if free:
            names.append(free.box)
            figure.add_annotation(
                x=point[0],
                y=point[1],
                text=name,
                xanchor=free.anchor,
                yanchor="middle",
                font={"color": ink, "size": 11},
                **(
                    {"showarrow": False, "xshift": free.x, "yshift": -free.y}
                    if free.near
                    else {
                        "ax": free.x,
                        "ay": free.y,
                        "arrowhead": 0,
                        "arrowwidth": 0.8,
                        "arrowcolor": ink,
                        "standoff": 12,
                    }
                ),
            )


class _LabelPlace(NamedTuple):
    """Where a name may stand: its box, where its text is anchored, from its point, and whether it
    is so near that no line need lead to it.
    """

    box: Box
    anchor: str
    x: float
    y: float
    near: bool


def _places(x: float, y: float, wide: float) -> Iterator[_LabelPlace]:
    """Yield places for a name of this width around a point, the best first."""
    for (side, aside), (slant, down) in (NEAR, FAR, FARTHER):
        for dx, dy, anchor in (
            (side, 0.0, "left"),
            (-side, 0.0, "right"),
            (0.0, -aside, "center"),
            (0.0, aside, "center"),
            (slant, -down, "left"),
            (-slant, -down, "right"),
            (slant, down, "left"),
            (-slant, down, "right"),
        ):
            if dx or dy:
                left = x + dx - {"left": 0.0, "center": wide / 2, "right": wide}[anchor]
                middle = y + dy + (LINE / 2 if dy > 0 else -LINE / 2 if dy < 0 else 0.0)
                yield _LabelPlace(
                    (left, middle - LINE / 2, left + wide, middle + LINE / 2),
                    anchor,
                    dx,
                    middle - y,
                    side > 0,
                )


def _leading(x: float, y: float, place: _LabelPlace) -> Box:
    """Return the box of the line from a point to its name."""
    return (
        min(x, x + place.x) - 1,
        min(y, y + place.y),
        max(x, x + place.x) + 1,
        max(y, y + place.y),
    )


def _fits(box: Box, taken: Sequence[Box], size: tuple[float, float]) -> bool:
    inside = box[0] >= 0 and box[2] <= size[0] and box[1] >= 0 and box[3] <= size[1]
    return inside and not any(_meet(box, other) for other in taken)


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
