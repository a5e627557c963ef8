"""What comparisons of a session say, by label: agreement with and without ties, models beside the
human ceiling, and a liking for a side.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from core.agreement.answers import PairAnswer
from core.agreement.pairs import PairAgreement, pair_agreement
from core.agreement.sides import Sides, left_share, sides
from core.judging.ratings import PlayerRating
from core.records import CompareAnswer, Table, Value
from core.statistics.statistic import Statistic
from core.studies.filed import Filed
from core.studies.series import BesideCeiling, Grid, SessionSeries
from core.tables.cells import Cell, cell, slug, tabulated
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
    seats = (*filed.taking.experts, *filed.taking.models)
    raters = [filed.called[seat] for seat in seats]
    criteria = [criterion.name for criterion in filed.study.plan.criteria]
    return of_answers(given(filed), criteria, raters, filed.models)


def of_answers(
    answers: tuple[PairAnswer, ...],
    criteria: Sequence[str],
    raters: Sequence[str],
    models: frozenset[str],
) -> ComparisonFigures:
    """Return the figures of comparisons by these criteria, from wherever they are; `models` names
    the raters that are model judges.
    """
    by_experts = first(answers, models)
    once = first(answers, ())
    left = [left_share(by_experts)]
    for rater in raters:
        mine = [answer for answer in once if answer.rater == rater]
        left.append(left_share(mine, rater))
    return ComparisonFigures(
        answers,
        {name: pair_agreement(answers, name, models) for name in criteria},
        {name: sides(by_experts, name) for name in criteria},
        tuple(left),
        models,
    )


def first(answers: Collection[PairAnswer], without: Collection[str]) -> list[PairAnswer]:
    """Return the first answers of all raters but `without`; repeats are left out."""
    return [one for one in answers if one.repeat == 1 and one.rater not in without]


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


def given(filed: Filed) -> tuple[PairAnswer, ...]:
    """Return every answer that counts, by criterion, repeats numbered."""
    answers = []
    for time in (1, 2):
        for place, answer in filed.said(CompareAnswer, time):
            a, b = filed.units[place.unit].labels
            rater = filed.called[place.seat]
            left = filed.shown(place)[0]
            for criterion, said in answer.preferences.items():
                strength = 0
                if said.better:
                    strength = (2 if said.much else 1) * (1 if said.better == a else -1)
                answers.append(
                    PairAnswer(a, b, rater, criterion, strength, left, answer.both_weak, time)
                )
    return tuple(answers)


def series(found: ComparisonFigures) -> SessionSeries:
    """Return what plots are drawn from."""
    grids = []
    ceilings = []
    for criterion, one in found.agreement.items():
        raters = {rater for pair in one.pairs for rater in pair}
        experts = sorted(raters - found.models)
        judges = sorted(raters & found.models)
        kappas = tuple((*pair, agreed.kappa) for pair, agreed in one.pairs.items())
        names = (*experts, *judges)
        grids.append(Grid(criterion, "Cohen's kappa", names, found.models, kappas))
        for model, agreed in one.models.items():
            for figure, ceiling in zip(agreed, one.ceiling, strict=True):
                beside = BesideCeiling(criterion, model, figure.name, figure, ceiling)
                ceilings.append(beside)
    return SessionSeries(grids=tuple(grids), sides=found.left, ceilings=tuple(ceilings))


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
        made.append(grid(f"pairs-{one.criterion}", title, one.raters, one.by_pair, note))
    made += [_by_rater(name, agreed) for name, agreed in found.agreement.items()]
    for name, ranked in found.sides.items():
        if ranked.ratings:
            made.append(_ratings(name, ranked))
    return tuple(made)


def _ratings(criterion: str, found: Sides) -> Table:
    """Return ratings as a table, best first."""
    columns: Mapping[str, Callable[[PlayerRating], Cell]] = {
        "Idea": lambda one: one.player,
        "Rating": lambda one: Value(
            mean=one.rating, low=one.low, high=one.high, n=one.matches, counted="matches", digits=0
        ),
        "Matches": lambda one: one.matches,
        "Won": lambda one: one.wins,
        "Lost": lambda one: one.losses,
        "Tied": lambda one: one.ties,
    }
    level = (f"Not separable: {', '.join(group)}." for group in found.alike)
    note = " ".join(filter(None, (SCALE, found.how, found.note, *level)))
    title = f"Ideas by their labels: {criterion}"
    return tabulated(slug(f"ideas-{criterion}"), title, found.ratings, columns, note)


def _by_rater(criterion: str, one: PairAgreement) -> Table:
    agreed = {**one.models, **one.by_expert}
    columns: Mapping[str, Callable[[str], Cell]] = {
        "Rater": lambda rater: rater,
        "Same answer as most experts": lambda rater: cell(agreed[rater].with_ties, 2),
        "Same answer again": lambda rater: cell(one.repeats_by[rater], 2),
        "Both called weak": lambda rater: cell(one.both_weak_by[rater], 2),
    }
    note = (
        "Shares with 95 % intervals over pairs of ideas. An expert is held against the other"
        " experts."
    )
    name = slug(f"raters-{criterion}")
    return tabulated(name, f"Rater by rater: {criterion}", one.repeats_by, columns, note)
