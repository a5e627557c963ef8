"""How far raters agree on which of two ideas is better: with ties and without, beyond chance, with
themselves, and each model beside the human ceiling.

Which idea of a pair is called `a` means nothing, so agreement by chance, and kappa with it, counts
every answer from both sides: neither changes with the names of ideas. Alpha is Krippendorff's as
usually defined: each pair of ideas is one unit, seen from the first in the alphabet. Kappa: J.
Cohen, A coefficient of agreement for nominal scales (1960). Alpha: see `core.statistics.alpha`.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np

from core.agreement.answers import STRONGEST, PairAnswer, checked
from core.judging.health import cohens_kappa
from core.statistics.alpha import Level, alphas
from core.statistics.intervals import (
    FEWEST,
    Figure,
    Floats,
    over_draws,
    percentiles,
    resampled,
)
from core.statistics.pooled import pooled, too_few, too_few_raters
from core.statistics.statistic import Statistic, between, of_figure, refused, shown

UNIT = "pairs of ideas"
WITH_TIES, NO_TIES, KAPPA = "agreement with ties", "agreement without ties", "Cohen's kappa"

Leads = Mapping[tuple[str, str], Mapping[str, int]]
"""By pair, then rater: the lead of the pair's first idea, -2 to 2."""


class Agreed(NamedTuple):
    """How often two sides say the same of a pair."""

    with_ties: Statistic
    """The same of three answers: the one, the other, a tie."""
    without_ties: Statistic
    """The same winner, where both name one."""
    kappa: Statistic
    """Cohen's kappa of the three answers."""


class PairAgreement(NamedTuple):
    """Agreement on one criterion; every figure is refused on fewer than 10 pairs of ideas."""

    experts: Agreed
    """Over all pairs of experts."""
    nominal: Statistic
    """Alpha of the experts' three answers, each pair of ideas once."""
    ordinal: Statistic
    """Alpha of their five."""
    pairs: Mapping[tuple[str, str], Agreed]
    """Every two raters, models included; keys in the order of the alphabet."""
    ceiling: Agreed
    """Each expert with the majority of the others: what to hold a model's figures against."""
    by_expert: Mapping[str, Agreed]
    models: Mapping[str, Agreed]
    """Each model with the majority of the experts."""
    repeats: Statistic
    """How often an expert answers the same when asked again."""
    repeats_by: Mapping[str, Statistic]
    """The same by rater, models included."""
    both_weak: Statistic
    both_weak_by: Mapping[str, Statistic]


def pair_agreement(
    answers: Iterable[PairAnswer], criterion: str, models: Collection[str] = ()
) -> PairAgreement:
    """Return how far raters agree on one criterion; `models` names the raters that are model
    judges. Raises BadInput as `checked` does.

    A majority is the answer (of three) given most often; where two answers are given equally often
    there is none, and the pair is left out.
    """
    given = [answer for answer in checked(answers) if answer.criterion == criterion]
    given.sort(key=lambda answer: (answer.pair, answer.rater, answer.repeat))
    leads: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for answer in given:
        # A second answer without a first, as from a model whose first reply was of no use, is none.
        if answer.repeat == 1:
            leads[answer.pair][answer.rater] = answer.lead
    names = sorted({answer.rater for answer in given if answer.repeat == 1})
    people = [name for name in names if name not in models]
    of_people = [{name: by[name] for name in by if name in people} for by in leads.values()]
    with_majority = {name: _with_majority(leads, name, people) for name in names}
    experts = len(people)

    def agreed(tables: Floats, who: str, raters: int = experts) -> Agreed:
        return _agree(tables, f"{criterion}, {who}", who, raters)

    def agreed_of(pairs: Sequence[tuple[str, str]], who: str, raters: int = experts) -> Agreed:
        return agreed(_tables(_both(by, pairs) for by in leads.values()), who, raters)

    ceiling = sum((with_majority[name] for name in people), np.zeros((len(leads), 3, 3)))
    by_expert = {}
    by_model = {}
    for name, tables in with_majority.items():
        if name in models:
            whose = "the experts"
            by_model[name] = agreed(tables, f"{name} with the majority of {whose}", 1 + experts)
        else:
            by_expert[name] = agreed(tables, f"{name} with the majority of the other experts")
    return PairAgreement(
        agreed_of(list(permutations(people, 2)), "two experts"),
        _alpha(of_people, criterion, "nominal", experts),
        _alpha(of_people, criterion, "ordinal", experts),
        {
            (one, other): agreed_of([(one, other)], f"{one} and {other}", 2)
            for one, other in combinations(names, 2)
        },
        agreed(ceiling, "an expert with the majority of the others"),
        by_expert,
        by_model,
        _repeats(given, people, f"{criterion}, all experts"),
        {name: _repeats(given, [name], f"{criterion}, {name}") for name in names},
        _both_weak(given, people, f"{criterion}, all experts"),
        {name: _both_weak(given, [name], f"{criterion}, {name}") for name in names},
    )


def _tables(rows: Iterable[Iterable[tuple[int, int]]]) -> Floats:
    """Return how often one side says this and the other that, by pair of ideas: (pairs, 3, 3), the
    second idea, a tie, the first idea.
    """
    tables = []
    for row in rows:
        table = np.zeros((3, 3))
        for one, other in row:
            table[np.sign(one) + 1, np.sign(other) + 1] += 1
        tables.append(table)
    return np.array(tables).reshape(-1, 3, 3)


def _both(by: Mapping[str, int], pairs: Iterable[tuple[str, str]]) -> list[tuple[int, int]]:
    """Return the leads of those pairs of raters who both answered."""
    return [(by[one], by[other]) for one, other in pairs if one in by and other in by]


def _with_majority(leads: Leads, name: str, people: Sequence[str]) -> Floats:
    rows = list[list[tuple[int, int]]]()
    for by in leads.values():
        others = [by[expert] for expert in people if expert in by and expert != name]
        answer = majority(others)
        rows.append([(by[name], answer)] if name in by and answer is not None else [])
    return _tables(rows)


def majority(leads: Iterable[int]) -> int | None:
    """Return which of the three answers is given most often, as -1, 0 or 1; None where there is
    none, or two are given equally often.
    """
    times = Counter(int(np.sign(lead)) for lead in leads)
    most = max(times.values(), default=0)
    leading = [answer for answer, n in times.items() if n == most]
    return leading[0] if len(leading) == 1 else None


def _agree(tables: Floats, about: str, who: str, raters: int) -> Agreed:
    if raters < 2:
        return Agreed(
            *(too_few_raters(name, about, UNIT, raters) for name in (WITH_TIES, NO_TIES, KAPPA))
        )
    either = _seen_from_both(tables.sum(axis=0))
    by_chance = either.sum(axis=0) * either.sum(axis=1)
    chance = float(by_chance.sum() / either.sum() ** 2) if either.any() else 0.0

    def answer(seen: str) -> str:
        return f"The same answer of three, {who}: {seen}; chance gives {shown(chance)}."

    def winner(seen: str) -> str:
        return f"The same winner where both name one, {who}: {seen}; chance gives 0.50."

    without_ties = tables[:, ::2, ::2]
    return Agreed(
        pooled(WITH_TIES, about, _same(tables), answer, UNIT, raters, chance),
        pooled(NO_TIES, about, _same(without_ties), winner, UNIT, raters, 0.5),
        _kappa(tables, about, who, raters),
    )


def _same(tables: Floats) -> Floats:
    return np.stack([np.trace(tables, axis1=1, axis2=2), tables.sum(axis=(1, 2))], axis=-1)


def _seen_from_both(tables: Floats) -> Floats:
    """Return tables (..., 3, 3) with every answer counted from either idea's side."""
    return tables + tables[..., ::-1, ::-1]


def _kappa(tables: Floats, about: str, who: str, raters: int) -> Statistic:
    used = tables[tables.any(axis=(1, 2))]
    n = len(used)
    if n < FEWEST:
        return too_few(KAPPA, about, n, UNIT, raters)
    value = float(cohens_kappa(_seen_from_both(used.sum(axis=0))))
    if not np.isfinite(value):
        reason = "Both sides only ever call a tie, so that agreement cannot be told from chance."
        return refused(KAPPA, about, n, reason, UNIT, raters)
    values = cohens_kappa(_seen_from_both(resampled(used)))
    what = f"Agreement beyond chance, {who}"
    return _with_interval(KAPPA, about, value, values, n, raters, what)


def _with_interval(
    name: str, about: str, value: float, values: Floats, n: int, raters: int, what: str
) -> Statistic:
    """Return a coefficient with the percentiles of its values in resamples of n pairs of ideas."""
    ends = percentiles(values, n)
    if ends and ends[0] < ends[1]:
        figure = Figure(value, *ends, n, f"bootstrap over {n} {UNIT}")
    else:
        lacking = f"no interval: resamples of the {n} {UNIT} are alike or undefined"
        figure = Figure(value, None, None, n, lacking)
    seen = f"{shown(value)}{between(figure.low, figure.high)}"
    reading = f"{what}: {seen}; 0 is chance, 1 full agreement."
    return of_figure(figure, name, about, UNIT, raters, reading)


def _alpha(leads: Sequence[Mapping[str, int]], about: str, level: Level, raters: int) -> Statistic:
    name = f"Krippendorff's alpha ({level})"
    if raters < 2:
        return too_few_raters(name, about, UNIT, raters)
    most, answers = STRONGEST, "five answers, in their order"
    if level == "nominal":
        most, answers = 1, "three answers"
    scores = np.arange(-most, most + 1, dtype=np.float64)
    rows = []
    for by in leads:
        if len(by) > 1:
            answered = np.clip([*by.values()], -most, most)
            rows.append((answered[:, None] == scores).sum(axis=0))
    n = len(rows)
    if n < FEWEST:
        return too_few(name, about, n, UNIT, raters)
    counts = np.array(rows, dtype=float)
    value = float(alphas(scores, counts, np.ones((1, n)), level)[0])
    if not np.isfinite(value):
        alike = "only ever call a tie" if counts[0, most] else "give one answer on every pair"
        reason = f"All experts {alike}, so that agreement cannot be told from chance."
        return refused(name, about, n, reason, UNIT, raters)
    values = over_draws(lambda drawn: alphas(scores, counts, drawn, level), n)
    what = f"{raters} experts' agreement beyond chance on {answers}"
    found = _with_interval(name, about, value, values, n, raters, what)
    seen = "each pair once, seen from the first in the alphabet"
    return found.model_copy(update={"how": f"{seen}; {found.how}"})


def _repeats(given: Sequence[PairAnswer], raters: Collection[str], about: str) -> Statistic:
    leads: dict[tuple[str, str], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for answer in given:
        if answer.rater in raters:
            leads[answer.pair][answer.rater].append(answer.lead)
    tables = _tables(
        [both for several in by.values() for both in combinations(several, 2)]
        for by in leads.values()
    )
    return pooled(
        "self-agreement",
        about,
        _same(tables),
        lambda seen: f"Asked again, the same answer of three is given in {seen} of the cases.",
        UNIT,
        len(raters),
    )


def _both_weak(given: Sequence[PairAnswer], raters: Collection[str], about: str) -> Statistic:
    flags: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for answer in given:
        if answer.rater in raters and answer.repeat == 1:
            flags[answer.pair].append(answer.both_weak)
    sums = [(sum(weak), len(weak)) for weak in flags.values()]
    return pooled(
        "both weak",
        about,
        np.array(sums, dtype=np.float64).reshape(-1, 2),
        lambda seen: f"Both ideas are called weak in {seen} of the answers.",
        UNIT,
        len(raters),
    )
