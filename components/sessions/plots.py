"""Everything there is to draw of one criterion, each chart with its figure in words."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from components.sessions import figures
from components.shell.colours import ink
from components.shell.plots import tool_bar
from components.shell.text import inline
from core.statistics.statistic import Statistic
from core.studies.series import SessionSeries

Drawn = Callable[[str], None]
"""Draws the charts of a criterion."""
Card = tuple[str, Any, str, str]
"""Heading, chart or None where nothing can be drawn, words below it, and what its file is called.
"""


def draw(series: SessionSeries, criterion: str, key: str, shares: Sequence[Statistic] = ()) -> None:
    """Draw the charts of a criterion, two beside each other; the empty name has what is taken over
    all. `shares` are those of answers to a question.
    """
    cards = [card for make in MAKES for card in make(series, criterion)] + _shares(shares)
    for n in range(0, len(cards), 2):
        for column, (heading, chart, words, name) in zip(
            st.columns(2, gap="medium"), cards[n : n + 2], strict=False
        ):
            with column:
                st.markdown(f"##### {inline(heading, 120)}")
                if chart is None:
                    st.markdown(f":material/hourglass_empty: {inline(words, 900)}")
                    continue
                st.plotly_chart(chart, key=f"{key}:{name}", config=tool_bar(name))
                st.caption(inline(words, 900))


def _against(series: SessionSeries, criterion: str) -> list[Card]:
    found = [one for one in series.against if one.criterion == criterion and one.points]
    return [
        (
            f"{one.model} against the experts' mean",
            figures.against(one, ink()),
            (
                f"{_read(one.figure)} {_read(one.ceiling)} Dotted: both alike. Wide intervals are"
                " cut off."
            ),
            f"against-{n}",
        )
        for n, one in enumerate(found, 1)
    ]


def _read(one: Statistic) -> str:
    return one.reading or one.refused


def _ceilings(series: SessionSeries, criterion: str) -> list[Card]:
    # Of too few units the figures stand in the table alone: beside each other they would look like
    # a verdict.
    found = [
        one
        for one in series.ceilings
        if one.criterion == criterion and not one.figure.few and not one.ceiling.few
    ]
    cards: list[Card] = []
    # An error and a correlation do not go on one axis.
    for name, heading, mine in (
        (
            "ceiling",
            "Models beside the human ceiling",
            [one for one in found if "error" not in one.measure],
        ),
        (
            "ceiling-error",
            "Distance from the experts' mean, in points",
            [one for one in found if "error" in one.measure],
        ),
    ):
        if any(one.figure.value is not None or one.ceiling.value is not None for one in mine):
            words = (
                "The ceiling is how far one expert agrees with the others: more cannot be asked of"
                " a model. Bars are 95 % intervals."
                if name == "ceiling"
                else (
                    "Lower is nearer; the ceiling is how far one expert is from the mean of the"
                    " others. Bars are 95 % intervals."
                )
            )
            lacking = (
                mine[0].ceiling.refused if all(one.ceiling.value is None for one in mine) else ""
            )
            cards.append(
                (
                    heading,
                    figures.ceilings(mine, ink()),
                    f"{words} No ceiling: {lacking}" if lacking else words,
                    name,
                )
            )
    return cards


def _severity(series: SessionSeries, criterion: str) -> list[Card]:
    found = [one for one in series.severity if one.criterion == criterion]
    if not any(one.figure.value is not None for one in found):
        return []
    words = (
        "On the same ideas, with 95 % intervals: right of the line is strict, left of it lenient."
    )
    return [("How strict each expert is", figures.severities(found, ink()), words, "severity")]


def _grids(series: SessionSeries, criterion: str) -> list[Card]:
    cards: list[Card] = []
    for one in series.grids:
        if one.criterion != criterion or len(one.raters) < 2:
            continue
        if not one.cells:
            why = (
                f"Of {len(one.raters)} raters no two are held against each other: they have nothing"
                " in common, or are too many for that to be read."
            )
            cards.append(("Every two raters", None, why, "pairs"))
            continue
        cells = [figure for _, _, figure in one.cells]
        if all(cell.value is None for cell in cells):
            why = f"No two raters have enough in common: {cells[0].refused}"
            cards.append(("Every two raters", None, why, "pairs"))
            continue
        words = (
            f"{one.measure}; an empty cell has too little in common. Point at a cell for its"
            " interval and n."
        )
        if any(cell.few for cell in cells):
            words += " Without shades: fewer than 10 sets say nothing for sure."
        cards.append(("Every two raters", figures.grid(one, ink()), words, "pairs"))
    return cards


def _taus(series: SessionSeries, criterion: str) -> list[Card]:
    found = [one for one in series.taus if one.criterion == criterion]
    if not any(one.tau is not None for one in found):
        return []
    words = (
        "Of each order with the experts' mean order, one's own left out: 1 is the same, 0 no"
        " relation, -1 the opposite. One set gives no interval."
    )
    return [("Set by set", figures.taus(found, ink()), words, "sets")]


def _sides(series: SessionSeries, criterion: str) -> list[Card]:
    if criterion or not any(one.value is not None for one in series.sides):
        return []
    models = frozenset(rater for one in series.grids for rater in one.models)
    words = (
        "Of answers with a winner. Sides are balanced for every expert, so that 0.5 is no liking."
    )
    return [
        (
            "Who prefers the left side",
            figures.sides(series.sides, models, ink()),
            words,
            "sides",
        )
    ]


def _shares(found: Sequence[Statistic]) -> list[Card]:
    if not any(one.value is not None for one in found):
        return []
    return [
        (
            "How often each answer was given",
            figures.shares(found, ink()),
            "By experts, over all rounds.",
            "shares",
        )
    ]


MAKES: Sequence[Callable[[SessionSeries, str], list[Card]]] = (
    _against,
    _ceilings,
    _taus,
    _grids,
    _severity,
    _sides,
)
