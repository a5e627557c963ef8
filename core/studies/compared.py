"""What comparisons of a session say, by label: agreement with and without ties, models beside the
human ceiling, and a liking for a side.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from core.agreement.answers import PairAnswer
from core.agreement.pairs import PairAgreement, pair_agreement
from core.agreement.sides import Sides, left_share, sides
from core.judging.ratings import PlayerRating
from core.records import CompareAnswer, Table, Value
from core.statistics.statistic import Statistic
from core.studies.counting import AnswerPlace
from core.studies.filed import Filed
from core.studies.series import BesideCeiling, Grid, SessionSeries
from core.tables.cells import cell, count, slug
from core.tables.stat_tables import grid, statistics

SCALE = (
    "Bradley-Terry ratings of mean 1000, position taken out; 400 points more are odds of 10 to 1."
    " 95 % intervals."
)


class ComparisonFigures(NamedTuple):
    """All figures of a session's comparisons."""

    answers: tuple[PairAnswer, ...]
    agreement: dict[str, PairAgreement]
    """By criterion."""
    sides: dict[str, Sides]
    """By criterion: ratings of labels by experts, with their position terms taken out."""
    left: tuple[Statistic, ...]
    """Over all criteria: all experts' share of winners on the left, then each rater's."""
    models: frozenset[str]


def compared(filed: Filed) -> ComparisonFigures:
    """Return the figures of a session's comparisons."""
    raters = [filed.called[seat] for seat in (*filed.taking.experts, *filed.taking.models)]
    return of_answers(
        given(filed), [one.name for one in filed.study.plan.criteria], raters, filed.models
    )


def of_answers(
    answers: tuple[PairAnswer, ...],
    criteria: Sequence[str],
    raters: Sequence[str],
    models: frozenset[str],
) -> ComparisonFigures:
    """Return the figures of comparisons by these criteria, from wherever they are; `models` names
    the raters that are model judges.
    """
    agreement = {name: pair_agreement(answers, name, models) for name in criteria}
    by_experts = first(answers, models)
    once = first(answers, ())
    left = [left_share(by_experts)]
    for rater in raters:
        left.append(left_share([one for one in once if one.rater == rater], rater))
    by_criterion = {name: sides(by_experts, name) for name in agreement}
    return ComparisonFigures(answers, agreement, by_criterion, tuple(left), models)


def first(answers: Collection[PairAnswer], without: Collection[str]) -> list[PairAnswer]:
    """Return the first answers of all raters but `without`; repeats are left out."""
    return [one for one in answers if one.repeat == 1 and one.rater not in without]


def given(filed: Filed) -> tuple[PairAnswer, ...]:
    """Return every answer that counts, by criterion, repeats numbered."""
    return tuple(
        _answer(filed, place, answer, name)
        for time in (1, 2)
        for place, answer in filed.said(CompareAnswer, time)
        for name in answer.preferences
    )


def _answer(filed: Filed, place: AnswerPlace, answer: CompareAnswer, criterion: str) -> PairAnswer:
    (a, b), said = filed.units[place.unit].labels, answer.preferences[criterion]
    strength = (2 if said.much else 1) * (1 if said.better == a else -1) if said.better else 0
    return PairAnswer(
        a,
        b,
        filed.called[place.seat],
        criterion,
        strength,
        filed.shown(place)[0],
        answer.both_weak,
        place.time,
    )


def figures(found: ComparisonFigures) -> dict[str, tuple[Statistic, ...]]:
    """Return the statistics by criterion, in the order they are read: experts, the ceiling, models
    beside it, repeats, both weak, position.

    A liking for the left, over all criteria, stands under the empty name.
    """
    return {
        name: (
            *one.experts,
            one.nominal,
            one.ordinal,
            *one.ceiling,
            *(figure for model in one.models.values() for figure in model),
            one.repeats,
            *(figure for rater, figure in one.repeats_by.items() if rater in found.models),
            one.both_weak,
            found.sides[name].position,
        )
        for name, one in found.agreement.items()
    } | {"": found.left}


def series(found: ComparisonFigures) -> SessionSeries:
    """Return what plots are drawn from."""
    return SessionSeries(
        grids=tuple(
            Grid(
                name,
                "Cohen's kappa",
                _raters(one, found.models),
                found.models,
                {pair: both.kappa for pair, both in one.pairs.items()},
            )
            for name, one in found.agreement.items()
        ),
        sides=found.left,
        ceilings=tuple(
            BesideCeiling(name, model, figure.name, figure, ceiling)
            for name, one in found.agreement.items()
            for model, agreed in one.models.items()
            for figure, ceiling in zip(agreed, one.ceiling, strict=True)
        ),
    )


def _raters(one: PairAgreement, models: Collection[str]) -> tuple[str, ...]:
    names = {name for pair in one.pairs for name in pair}
    return tuple(sorted(names, key=lambda name: (name in models, name)))


def tables(found: ComparisonFigures) -> tuple[Table, ...]:
    """Return the figures as tables: statistics by criterion, every two raters, repeats and weak
    pairs by rater.
    """
    note = (
        "Cohen's kappa of three answers (one, the other, a tie), with 95 % intervals over pairs of"
        " ideas."
    )
    made = []
    for name, some in figures(found).items():
        title = f"Agreement: {name}" if name else "A liking for the left"
        made.append(statistics(f"comparisons-{name or 'sides'}", title, some))
    for one in series(found).grids:
        title = f"Every two raters: {one.criterion}"
        made.append(grid(f"pairs-{one.criterion}", title, one.raters, dict(one.cells), note))
    made += [_raters_table(name, one) for name, one in found.agreement.items()]
    made += [
        ratings(f"ideas-{name}", f"Ideas by their labels: {name}", one)
        for name, one in found.sides.items()
        if one.ratings
    ]
    return tuple(made)


def ratings(name: str, title: str, found: Sides) -> Table:
    """Return ratings as a table, best first."""
    level = (f"Not separable: {', '.join(group)}." for group in found.alike)
    rows = []
    for one in found.ratings:
        counts = map(count, (one.matches, one.wins, one.losses, one.ties))
        rows.append((Value(text=one.player), rating(one), *counts))
    return Table(
        name=slug(name),
        title=title,
        head=("Idea", "Rating", "Matches", "Won", "Lost", "Tied"),
        rows=tuple(rows),
        note=" ".join(filter(None, (SCALE, found.how, found.note, *level))),
    )


def rating(one: PlayerRating) -> Value:
    """Return a rating as a cell."""
    return Value(
        mean=one.rating, low=one.low, high=one.high, n=one.matches, counted="matches", digits=0
    )


def _raters_table(criterion: str, one: PairAgreement) -> Table:
    raters = tuple(one.repeats_by)
    rows = tuple(
        (
            Value(text=name),
            cell((one.by_expert.get(name) or one.models[name]).with_ties, 2),
            cell(one.repeats_by[name], 2),
            cell(one.both_weak_by[name], 2),
        )
        for name in raters
    )
    return Table(
        name=slug(f"raters-{criterion}"),
        title=f"Rater by rater: {criterion}",
        head=("Rater", "Same answer as most experts", "Same answer again", "Both called weak"),
        rows=rows,
        note=(
            "Shares with 95 % intervals over pairs of ideas. An expert is held against the other"
            " experts."
        ),
    )
