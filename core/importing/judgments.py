"""Judgments of a benchmark from a file: what its leaderboard and the figures of its judges are made
of.
"""

from collections import defaultdict
from collections.abc import Mapping
from statistics import fmean
from typing import NamedTuple

from core.benchmark.results.board import Board, board
from core.benchmark.results.panel_figures import JudgeFigure, agreement, severity
from core.errors import BadInput
from core.importing.names import match_columns
from core.importing.rating_columns import number
from core.importing.sheets import RefusedRow, Sheet, refused
from core.literature.importing.text import plain
from core.records import BENCH_DIMENSIONS, GroupSums
from core.statistics.statistic import Statistic
from core.store.bench_sums import detail_group
from core.wording.numbers import counted

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
MOST_KEYWORDS, MOST_NAMES, MOST_PLACES = 20_000, 200, 2_000_000
"""Keywords; models, and judges; models or judges by keywords: sums are kept of each."""
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


def is_judgments(sheet: Sheet) -> bool:
    """Say whether a file has the columns of a benchmark's judgments."""
    return len(match_columns(sheet.columns, NAMES)) == len(NAMES)


def judgments(sheet: Sheet) -> Judgments | None:
    """Return the figures of a benchmark's judgments, None for a file of something else; raises
    BadInput where none can be used.

    Without the pairs of ideas there is no fluency, and so neither flexibility nor an average.
    """
    if not is_judgments(sheet):
        return None
    columns = match_columns(sheet.columns, NAMES)
    keywords, models = (
        [*dict.fromkeys(plain(row.cells.get(columns[what], "")) for row in sheet.rows)]
        for what in ("keyword", "model")
    )
    judges = {plain(row.cells.get(columns["judge"], "")) for row in sheet.rows}
    _check_sizes(len(keywords), len(models), len(judges))
    places = [{name: n for n, name in enumerate(names)} for names in (models, keywords)]
    numbers: dict[tuple[int, int], dict[str, int]] = defaultdict(dict)
    by_group: dict[tuple[int, int], Given] = defaultdict(lambda: defaultdict(list))
    bad, seen = list(sheet.refused), set[tuple[object, ...]]()
    for row in sheet.rows:
        cells = {what: plain(row.cells.get(column, "")) for what, column in columns.items()}
        group = places[0][cells["model"]], places[1][cells["keyword"]]
        idea = numbers[group].setdefault(cells["idea"], len(numbers[group]) + 1)
        try:
            scores = _scores(cells)
            if (group, idea, cells["judge"]) in seen:
                raise ValueError(f"{cells['judge']} judged this idea already")
        except ValueError as error:
            bad.append(refused(row.where, f"{cells['model']} on {cells['keyword']}", str(error)))
            continue
        seen.add((group, idea, cells["judge"]))
        by_group[group][idea].append((cells["judge"], scores))
    if not by_group:
        raise BadInput(f"No judgment in {sheet.name} can be used. {bad[0].where}: {bad[0].reason}")
    details = {group: detail_group(judged, ()) for group, judged in sorted(by_group.items())}
    return Judgments(
        columns,
        board(
            [_sums(*group, judged) for group, judged in sorted(by_group.items())],
            models,
            sheet.name,
        ),
        severity(details),
        agreement(details),
        len(seen),
        sum(len(judged) for judged in by_group.values()),
        tuple(bad),
    )


def _check_sizes(keywords: int, models: int, judges: int) -> None:
    """Raise BadInput for more than a leaderboard is made of."""
    most = max(models, judges)
    if keywords > MOST_KEYWORDS or most > MOST_NAMES or keywords * most > MOST_PLACES:
        raise BadInput(
            f"The judgments are of {counted(models, 'model')} on {counted(keywords, 'keyword')}, by"
            f" {counted(judges, 'judge')}; {MOST_NAMES} models and judges and {MOST_KEYWORDS:,}"
            " keywords are read at most, and fewer models on many keywords. Are the right columns"
            " taken for them? Else split the file by keyword."
        )


def _scores(cells: Mapping[str, str]) -> tuple[int, ...]:
    """Return the scores of a judgment; raises ValueError for one that lacks a part, or a score that
    is none.
    """
    if empty := [what for what in NAMES if not cells[what]]:
        raise ValueError(f"nothing stands in {', '.join(empty)}")
    scores = [number(cells[name]) for name in BENCH_DIMENSIONS]
    if wrong := [
        name
        for name, score in zip(BENCH_DIMENSIONS, scores, strict=True)
        if score is None or not score.is_integer() or not 1 <= score <= 10
    ]:
        raise ValueError(f"{', '.join(wrong)}: a score is a whole number from 1 to 10")
    return tuple(int(score) for score in scores if score is not None)


def _sums(model: int, keyword: int, judged: Given) -> GroupSums:
    """Return the sums of one model's judged ideas for one keyword."""
    every = [scores for judgments in judged.values() for _, scores in judgments]
    means = [fmean(fmean(scores) for _, scores in judgments) for judgments in judged.values()]
    originality, feasibility, clarity = (float(sum(column)) for column in zip(*every, strict=True))
    return GroupSums(
        model=model,
        keyword=keyword,
        ideas=len(judged),
        judgments=len(every),
        originality=originality,
        feasibility=feasibility,
        clarity=clarity,
        pairs=0,
        fluency=0.0,
        proxies=0,
        proxy=0.0,
        refused=0,
        refused_twice=0,
        long=0,
        failed=0,
        rated=len(judged),
        w=0.0,
        ww=0.0,
        s=sum(means),
        ss=sum(mean * mean for mean in means),
        ws=0.0,
    )
