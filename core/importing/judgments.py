"""Judgments of a benchmark from a file: what its leaderboard and the figures of its judges are made
of.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from core.benchmark.board import Board, board
from core.benchmark.panel_figures import JudgeFigure, agreement, severity
from core.errors import BadInput
from core.importing.names import simple
from core.importing.rating_columns import RatingSheet, number
from core.importing.sheets import RefusedRow, refused
from core.literature.importing.text import plain
from core.records import BENCH_DIMENSIONS, GroupSums
from core.statistics.statistic import Statistic
from core.store.bench_sums import detailed

NAMES: dict[str, tuple[str, ...]] = {
    "keyword": ("keyword", "keywords"),
    "model": ("model", "idea model"),
    "idea": ("idea",),
    "judge": ("judge", "critic model"),
    **{name: (name,) for name in BENCH_DIMENSIONS},
}
"""What the columns are called: in judgments.csv, and in dataset.csv as the published data set has
them.
"""
Given = dict[int, list[tuple[str, tuple[int, ...]]]]


class Judgments(NamedTuple):
    """The figures of a benchmark that its judgments give."""

    columns: dict[str, str]
    """Column by what it says."""
    board: Board
    severity: tuple[JudgeFigure, ...]
    agreement: tuple[Statistic, ...]
    judgments: int
    ideas: int
    refused: tuple[RefusedRow, ...]


def columns_of(sheet: RatingSheet) -> dict[str, str]:
    """Return the columns of a file of judgments by what they say; nothing for any other file."""
    simpler = {simple(column): column for column in reversed(sheet.columns)}
    found = {
        what: simpler[name]
        for what, names in NAMES.items()
        if (name := next((one for one in names if one in simpler), ""))
    }
    return found if len(found) == len(NAMES) else {}


def judgments(sheet: RatingSheet) -> Judgments | None:
    """Return the figures of a benchmark's judgments, None for a file of something else; raises
    BadInput where none can be used.

    Without the pairs of ideas there is no fluency, and so neither flexibility nor an average.
    """
    columns = columns_of(sheet)
    if not columns:
        return None
    keywords, models = (
        [*dict.fromkeys(plain(row.cells.get(columns[what], "")) for row in sheet.rows)]
        for what in ("keyword", "model")
    )
    numbers: dict[tuple[int, int], dict[str, int]] = defaultdict(dict)
    held: dict[tuple[int, int], Given] = defaultdict(lambda: defaultdict(list))
    bad, seen = list(sheet.refused), set[tuple[object, ...]]()
    for row in sheet.rows:
        said = {what: plain(row.cells.get(column, "")) for what, column in columns.items()}
        group = models.index(said["model"]), keywords.index(said["keyword"])
        idea = numbers[group].setdefault(said["idea"], len(numbers[group]) + 1)
        try:
            scores = _scores(said)
            if (group, idea, said["judge"]) in seen:
                raise ValueError(f"{said['judge']} judged this idea already")
        except ValueError as error:
            bad.append(refused(row.where, f"{said['model']} on {said['keyword']}", str(error)))
            continue
        seen.add((group, idea, said["judge"]))
        held[group][idea].append((said["judge"], scores))
    if not held:
        raise BadInput(f"No judgment in {sheet.name} can be used. {bad[0].where}: {bad[0].reason}")
    details = {group: detailed(given, ()) for group, given in sorted(held.items())}
    return Judgments(
        columns,
        board([_sums(*group, given) for group, given in sorted(held.items())], models, sheet.name),
        severity(details),
        agreement(details),
        len(seen),
        sum(len(given) for given in held.values()),
        tuple(bad),
    )


def _scores(said: Mapping[str, str]) -> tuple[int, ...]:
    """Return the scores of a judgment; raises ValueError for one that lacks a part, or a score that
    is none.
    """
    if empty := [what for what in NAMES if not said[what]]:
        raise ValueError(f"nothing stands in {', '.join(empty)}")
    scores = [number(said[name]) for name in BENCH_DIMENSIONS]
    if wrong := [
        name
        for name, one in zip(BENCH_DIMENSIONS, scores, strict=True)
        if one is None or not one.is_integer() or not 1 <= one <= 10
    ]:
        raise ValueError(f"{', '.join(wrong)}: a score is a whole number from 1 to 10")
    return tuple(int(one) for one in scores if one is not None)


def _sums(model: int, keyword: int, given: Given) -> GroupSums:
    """Return the sums of one model's judged ideas for one keyword."""
    every: Sequence[tuple[int, ...]] = [
        scores for several in given.values() for _, scores in several
    ]
    means = [fmean(fmean(scores) for _, scores in several) for several in given.values()]
    first, second, third = (
        float(sum(one[d] for one in every)) for d in range(len(BENCH_DIMENSIONS))
    )
    return GroupSums(
        model=model,
        keyword=keyword,
        ideas=len(given),
        judgments=len(every),
        originality=first,
        feasibility=second,
        clarity=third,
        pairs=0,
        fluency=0.0,
        proxies=0,
        proxy=0.0,
        refused=0,
        refused_twice=0,
        long=0,
        failed=0,
        rated=len(given),
        w=0.0,
        ww=0.0,
        s=sum(means),
        ss=sum(one * one for one in means),
        ws=0.0,
    )
