"""The leaderboard: every model on every dimension with its interval, who cannot be told apart from
whom, and the board that was published.
"""

import csv
from collections.abc import Sequence
from itertools import combinations
from math import inf
from pathlib import Path

import numpy as np

from core.benchmark.results.measures import FIGURES, Means, means, measure
from core.records import GroupSums, Record
from core.statistics.clusters import SEED, Spread, over_keywords, spread
from core.statistics.intervals import FEWEST, RESAMPLES, SCORE, Floats, percentiles

__all__ = ["Board", "BoardRow", "Spread", "board", "pareto", "published"]

TABLE = Path(__file__).parents[3] / "assets" / "benchmark" / "table3.csv"
SURE = 9
"""Decimals to which figures are compared: further ones are rounding."""
PAIRWISE = (
    "Two models are tied where the interval of the difference of their averages, on the same"
    " resampled keywords, holds 0: pair by pair, not adjusted for many pairs."
)
PUBLISHED = (
    (
        "Its intervals treat judgments as independent, though those of one keyword are not: they"
        " are too narrow."
    ),
    "Ties are not marked: that takes the scores by keyword, which the table does not hold.",
    'Models are spelled as published, five of Google\'s as "gemin-".',
)


class BoardRow(Record):
    """One model; every figure is a mean over keywords, flexibility their 30th percentile, and `n`
    of each counts the keywords it is taken over.
    """

    model: str
    open: bool | None = None
    """Whether its weights are open; None where nobody said."""
    fluency: Spread
    feasibility: Spread
    clarity: Spread
    originality: Spread
    flexibility: Spread
    average: Spread
    """The mean of the five; none where one of them is missing."""
    keywords: int
    """Keywords for which at least one of its ideas was judged; 0 on a published board, which does
    not say.
    """
    rank: int
    """1 is best; equal averages share a rank, and models without an average share the last."""
    tied: tuple[str, ...] = ()
    """Models it cannot be told apart from by their averages."""


class Board(Record):
    """Models, best first."""

    title: str
    published: bool = False
    rows: tuple[BoardRow, ...] = ()
    notes: tuple[str, ...] = ()
    """What a reader must know, one sentence each."""


def board(
    groups: Sequence[GroupSums],
    models: Sequence[str],
    title: str = "",
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> Board:
    """Return the leaderboard of a benchmark from its sums, with 95 % intervals from resampling
    keywords, all ideas and judgments of one together.

    Keywords stand for all that might have been asked; the judges are taken as given. Intervals are
    percentiles of the bootstrap, widened to Student's t (Hesterberg 2015), and are not given under
    10 keywords; where all keywords give the same they are Wilson's. A model is tied with those
    whose difference in average, on the same resampled keywords, has an interval that holds 0: pair
    by pair, unadjusted; where there is no such interval, nothing tells the two apart, and they are
    tied as well.
    """
    given = means(groups, len(models))
    if not given.keywords:
        return Board(
            title=title,
            rows=_rank([_row(name, [Spread()] * len(FIGURES), 0) for name in models]),
            notes=("Nothing is judged yet.",),
        )
    whole = measure(given, np.ones((1, len(given.keywords))))[0]
    found = over_keywords(lambda drawn: measure(given, drawn), len(given.keywords), seed, resamples)
    counts = given.counts.astype(int).tolist()
    scales = [None if what == "flexibility" else SCORE for what in FIGURES]
    rows = []
    for m, name in enumerate(models):
        spreads = [
            spread(float(whole[m, at]), found[:, m, at], counts[m][at], scale=scale)
            for at, scale in enumerate(scales)
        ]
        rows.append(_row(name, spreads, counts[m][3]))
    ties = _ties(models, found[:, :, -1], whole[:, -1], [count[-1] for count in counts])
    ranked = _rank(rows)
    order = [row.model for row in ranked]
    tied = tuple(
        row.model_copy(update={"tied": tuple(sorted(ties[row.model], key=order.index))})
        for row in ranked
    )
    return Board(title=title, rows=tied, notes=_notes(given, tied, resamples))


def published() -> Board:
    """Return the published board (LiveIdeaBench, supplementary table 3: 41 models, March 2025),
    with the intervals as published.
    """
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = [
            _row(
                line["model"],
                [
                    Spread(
                        value=float(line[name]),
                        low=float(line[f"{name}_lo"]),
                        high=float(line[f"{name}_hi"]),
                    )
                    for name in FIGURES
                ],
                0,
                line["open"] == "True",
            )
            for line in csv.DictReader(file)
        ]
    return Board(
        title="LiveIdeaBench as published, March 2025",
        published=True,
        rows=_rank(rows),
        notes=PUBLISHED,
    )


def pareto(board: Board) -> frozenset[str]:
    """Return the models on the Pareto front: no other is at least as feasible and as original, and
    more so in one of the two.
    """
    held = [
        (row.model, round(row.feasibility.value, SURE), round(row.originality.value, SURE))
        for row in board.rows
        if row.feasibility.value is not None and row.originality.value is not None
    ]
    return frozenset(
        model
        for model, f, o in held
        if not any(a >= f and b >= o and (a, b) != (f, o) for _, a, b in held)
    )


def _row(
    model: str, spreads: Sequence[Spread], keywords: int, weights_open: bool | None = None
) -> BoardRow:
    return BoardRow(
        model=model,
        open=weights_open,
        keywords=keywords,
        rank=1,
        **dict(zip(FIGURES, spreads, strict=True)),
    )


def _rank(rows: Sequence[BoardRow]) -> tuple[BoardRow, ...]:
    """Return the rows best first with their ranks; those without an average follow, by name."""
    averages = [
        -inf if row.average.value is None else round(row.average.value, SURE) for row in rows
    ]
    falling = sorted(averages, reverse=True)
    ranked = [
        row.model_copy(update={"rank": falling.index(average) + 1})
        for row, average in zip(rows, averages, strict=True)
    ]
    return tuple(sorted(ranked, key=lambda row: (row.rank, row.model)))


def _ties(
    models: Sequence[str], found: Floats, averages: Floats, keywords: Sequence[int]
) -> dict[str, list[str]]:
    """Return whom each model is tied with, from averages in every resample: (resamples, models)."""
    ties: dict[str, list[str]] = {name: [] for name in models}
    known = np.flatnonzero(np.isfinite(averages)).tolist()
    for a, b in combinations(known, 2):
        shared = min(keywords[a], keywords[b])
        difference = np.round(found[:, a] - found[:, b], SURE)
        ends = percentiles(difference, shared) if shared >= FEWEST else None
        if ends is None or ends[0] <= 0 <= ends[1]:
            ties[models[a]].append(models[b])
            ties[models[b]].append(models[a])
    return ties


def _notes(given: Means, rows: Sequence[BoardRow], resamples: int) -> tuple[str, ...]:
    few = [row for row in rows if 0 < row.average.n < FEWEST]
    whole = sorted(row.average.n for row in rows if row.average.value is not None) or [0]
    notes = {
        (
            f"95 % intervals from {resamples:,} resamples of the keywords, all ideas and judgments"
            " of one together; the judges are taken as given."
        ): any(row.originality.low is not None for row in rows),
        PAIRWISE: len(rows) > 1,
        (
            f"Intervals take {FEWEST} keywords: where there are fewer, none is given, and models"
            " count as tied."
        ): bool(few),
        (
            f"Averages rest on {whole[0]:,} to {whole[-1]:,} keywords, those with a score in every"
            " dimension; models are compared on what each has."
        ): whole[0] != whole[-1],
        (
            "No two ideas for one keyword were compared, so there is no fluency, no flexibility and"
            " no average."
        ): not np.isfinite(given.values[0]).any(),
    }
    return tuple(said for said, holds in notes.items() if holds)
