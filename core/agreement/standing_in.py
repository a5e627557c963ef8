"""Whether a model judge may stand in for experts, criterion by criterion and in words; and the
means that its scores make surer.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from core.records import Record, Table
from core.statistics.alternative import Alignment, AlternativeTest, alternative_test
from core.statistics.intervals import FEWEST, Floats, Scale, usual_scale
from core.statistics.matrix import Matrix
from core.statistics.prediction_powered import powered_mean
from core.statistics.statistic import Statistic, between, of_figure, refused, shown
from core.tables.cells import Cell, cell, make_table
from core.wording.numbers import counted

Annotators = Literal["experts", "skilled", "crowd"]
EPSILON: dict[Annotators, float] = {"experts": 0.2, "skilled": 0.15, "crowd": 0.1}
"""How much worse than an annotator a judge may be, for what it saves: by kind of annotator
(Calderon et al., 2025, section 3.3).
"""
Verdict = Literal["may be quoted", "may not", "too little to say"]
UNITS = 50
"""Units with scores of two experts and of the judge that the test needs."""
OF_AN_EXPERT = 10
"""Such units that an expert needs to be held against the judge."""
QUOTED: Verdict = "may be quoted"
NOT_QUOTED: Verdict = "may not"
TOO_LITTLE: Verdict = "too little to say"


class JudgeStanding(Record):
    """What one judge may be used for on one criterion."""

    criterion: str
    model: str
    verdict: Verdict
    units: int
    """Units that two experts and the judge scored."""
    experts: int
    """Experts whom the judge was held against."""
    winning: Statistic
    advantage: Statistic
    powered: Statistic | None
    """The mean over everything that the judge scored, with the experts' help; None of answers that
    are no numbers.
    """

    @property
    def statistics(self) -> tuple[Statistic, ...]:
        """Every figure."""
        powered = () if self.powered is None else (self.powered,)
        return self.winning, self.advantage, *powered

    @property
    def said(self) -> str:
        """The verdict in a sentence."""
        return self.winning.reading


def judge_standing(
    given: Matrix,
    models: frozenset[str],
    model: str,
    criterion: str,
    annotators: Annotators = "experts",
    alignment: Alignment = "distance",
    scale: Scale | None = None,
) -> JudgeStanding:
    """Return whether a judge's scores on a criterion may be quoted in place of experts'.

    Refused ("too little to say") under two experts, and under 50 units that two of them and the
    judge scored.
    """
    experts = given.without(models)
    judge = dict(zip(given.items, given.column(model).tolist(), strict=True))
    of_judge = np.array([judge[item] for item in experts.items])
    both = (experts.rated.sum(axis=1) >= 2) & np.isfinite(of_judge)
    units = int(both.sum())
    about = f"{criterion}, {model}"
    epsilon = EPSILON[annotators]
    reason = _too_little(len(experts.raters), units)
    test = None
    if not reason:
        test = alternative_test(
            experts.raters, experts.values, of_judge, epsilon, alignment, OF_AN_EXPERT
        )
        if test is None:
            reason = (
                f"No expert shares {OF_AN_EXPERT} units with another expert and the judge: let"
                " fewer experts answer more units each."
            )
    winning, advantage = _figures(about, units, test, reason, annotators)
    verdict = TOO_LITTLE if test is None else QUOTED if test.passed else NOT_QUOTED
    return JudgeStanding(
        criterion=criterion,
        model=model,
        verdict=verdict,
        units=units,
        experts=len(test.experts) if test else 0,
        winning=winning,
        advantage=advantage,
        powered=_powered(given, experts, model, about, scale) if alignment == "distance" else None,
    )


def _too_little(experts: int, units: int) -> str:
    if experts < 2:
        there = "there is 1" if experts else "there are none"
        return (
            f"Too little to say: the judge is held against each expert by the others, which takes"
            f" two; {there}. With three, the others are a group, and not one person's liking."
        )
    if units < UNITS:
        return (
            f"Too little to say: {counted(units, 'unit')} with scores of two experts and of the"
            f" judge; {UNITS} are needed."
        )
    return ""


def _figures(
    about: str, units: int, test: AlternativeTest | None, reason: str, annotators: Annotators
) -> tuple[Statistic, Statistic]:
    if test is None:
        return (
            refused("winning rate", about, units, reason, "units"),
            refused("advantage probability", about, units, reason, "units"),
        )
    experts = len(test.experts)
    won = sum(one.won for one in test.experts)
    epsilon = f"{test.epsilon:g} ({annotators})"
    how = (
        f"alternative annotator test, epsilon {epsilon}, one-sided tests at 0.05 after"
        " Benjamini and Yekutieli"
    )
    if any(one.n < UNITS for one in test.experts):
        least = min(one.n for one in test.experts)
        how += f"; an expert shares {least} units at least, and 50 are better"
    few = ""
    if experts == 2:
        few = (
            " With two experts each is held against the other alone: a third would make a group of"
            " them."
        )
    verdict = "may be quoted" if test.passed else "may not be quoted"
    reading = (
        f"The judge {verdict} in place of these experts: it stands in for {won} of {experts}"
        f" (half are needed).{few}"
    )
    winning = Statistic(
        name="winning rate",
        about=about,
        value=test.winning_rate,
        n=experts,
        unit="experts",
        how=how,
        reading=reading,
    )
    near = (
        f"The judge comes as near to the other experts as an expert does, or nearer, in"
        f" {100 * test.advantage:.0f} % of units."
    )
    advantage = Statistic(
        name="advantage probability",
        about=about,
        value=test.advantage,
        n=units,
        unit="units",
        how=f"average over {counted(experts, 'expert')} left out in turn",
        reading=near,
    )
    return winning, advantage


def _powered(
    given: Matrix,
    experts: Matrix,
    model: str,
    about: str,
    scale: Scale | None,
) -> Statistic:
    name = "prediction-powered mean"
    values: Floats = experts.values
    rated = experts.rated.any(axis=1)
    means = dict(
        zip(
            np.array(experts.items)[rated].tolist(),
            np.nanmean(values[rated], axis=1).tolist() if rated.any() else [],
            strict=True,
        )
    )
    judge = {
        item: score
        for item, score in zip(given.items, given.column(model).tolist(), strict=True)
        if np.isfinite(score)
    }
    both = sorted(means.keys() & judge.keys())
    alone = sorted(judge.keys() - means.keys())
    if len(both) < FEWEST or len(alone) < FEWEST:
        reason = (
            f"A prediction-powered mean needs {FEWEST} units that experts and the judge scored, and"
            f" {FEWEST} that the judge alone did; there are {len(both)} and {len(alone)}."
        )
        return refused(name, about, len(both), reason, "units")
    found = powered_mean(
        np.array([means[item] for item in both]),
        np.array([judge[item] for item in both]),
        np.array([judge[item] for item in alone]),
        scale or usual_scale(given.values),
    )
    ends = between(found.figure.low, found.figure.high)
    of_experts = between(found.alone.low, found.alone.high)
    reading = (
        f"Over all {len(both) + len(alone)} units {shown(found.figure.value or 0.0)}{ends}, the"
        f" judge's scores corrected by those of experts and weighted by {shown(found.weight)};"
        f" experts alone say {shown(found.alone.value or 0.0)}{of_experts}."
    )
    return of_figure(found.figure, name, about, "units", reading=reading)


def standings(
    ratings: Mapping[str, Matrix],
    models: frozenset[str],
    annotators: Annotators = "experts",
    scale: Scale | Mapping[str, Scale] | None = None,
) -> tuple[JudgeStanding, ...]:
    """Return what every model judge may be used for, by criterion; `scale` is of all criteria, or
    by criterion.
    """
    found = []
    for criterion, given in ratings.items():
        on = scale.get(criterion) if isinstance(scale, Mapping) else scale
        for model in given.raters:
            if model in models:
                found.append(judge_standing(given, models, model, criterion, annotators, scale=on))
    return tuple(found)


def table(found: Sequence[JudgeStanding]) -> Table:
    """Return a row for each judge and criterion: the verdict, and the figures behind it."""
    rows = list[tuple[Cell, ...]]()
    for one in found:
        rows.append(
            (
                one.criterion,
                one.model,
                one.verdict,
                one.units,
                one.experts,
                cell(one.winning, 2),
                cell(one.advantage, 2),
                cell(one.powered, 2),
            )
        )
    head = (
        "Criterion",
        "Judge",
        "In place of experts",
        "Units",
        "Experts",
        "Winning rate",
        "Advantage probability",
        "Prediction-powered mean",
    )
    hows = [f"{how[:1].upper()}{how[1:]}." for how in sorted({one.winning.how for one in found})]
    note = (
        "The alternative annotator test of Calderon, Reichart and Dror (2025): a judge may be"
        " quoted where it stands in for half the experts.",
        *filter(lambda how: how != ".", hows),
        "A prediction-powered mean (Angelopoulos et al., 2023) is over all that the judge scored,"
        " corrected by the experts' scores.",
    )
    title = "May a model judge stand in for experts?"
    return make_table("standing-in", title, head, rows, " ".join(note))
