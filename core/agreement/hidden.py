"""Where a hidden target stands in experts' orders: Q (or S), how far models agree with experts on
it, and whether raters find it more often than chance.

Q = (n_t - 1) / n with the target in place n_t among n other ideas (InfAL, equation 5), A(Q) = 1 -
|Q_human - Q_model|; Review & Rebuttal calls the first S and reports the difference D(S) = |S_human
- S_model|. A tied target stands in the mean of the places it shares. The chance level is that of
two rankings as they are, ties included, in which any idea may be the target; without ties it is 1 -
(m + 1) / 3m for m = n + 1 places, 58 % at n = 3.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy import special  # type: ignore[import-untyped]

from core.agreement.rankings import RankedSet, items_of, mean_ranks, named_once
from core.errors import BadInput
from core.statistics.intervals import (
    FEWEST,
    LEVEL,
    Floats,
    percentiles,
    ratio,
    resampled,
)
from core.statistics.pooled import pooled, too_few
from core.statistics.statistic import SIGNIFICANT, Statistic, between, p_said, shown


class HiddenAgreement(NamedTuple):
    """Figures on the hidden target; of fewer than 10 sets Q stands alone, without an interval, and
    all others are refused.
    """

    q: Mapping[str, Statistic]
    """By rater, models included: 0 with the target best, 1 with it worst."""
    q_experts: Statistic
    """Over all experts' rankings."""
    a: Mapping[str, Statistic]
    """A(Q) of each model with the experts: the mean over every expert's ranking of a set that the
    model ranked.
    """
    a_ceiling: Statistic
    """A(Q) of two experts."""
    d: Mapping[str, Statistic]
    """D(S), which is 1 - A(Q)."""
    d_ceiling: Statistic


class _Placed(NamedTuple):
    """A set with a target."""

    q: Mapping[str, Floats]
    """By rater, what Q would be if each idea were the target: (items,)."""
    target: int

    def alike(self, one: str, other: str) -> tuple[float, float]:
        """Return 1 - |Q - Q'| of two raters, and its mean if each had placed the target as it
        places any idea.
        """
        a = self.q[one]
        b = self.q[other]
        apart = np.abs(a[:, None] - b)
        near = 1 - apart[self.target, self.target]
        return float(near), float(1 - apart.mean())


FOUND = "target found"


class HumanGuess(NamedTuple):
    """The idea of a set that a rater takes for the human one; a rater who cannot tell gives no
    guess.
    """

    rater: str
    set: str
    item: str


def hidden_agreement(
    sets: Sequence[RankedSet], models: Collection[str] = (), about: str = "quality"
) -> HiddenAgreement:
    """Return Q, A(Q) and D(S) over the sets that hide a target; `models` names the raters that are
    model judges.

    Raises BadInput where a target is not among its set's ideas, and as `mean_ranks` does.
    """
    placed = [_place(ranked) for ranked in named_once(sets).values() if ranked.target]
    names = sorted({name for hidden in placed for name in hidden.q})
    people = [name for name in names if name not in models]
    a = dict[str, Statistic]()
    d = dict[str, Statistic]()
    for name in names:
        if name in models:
            pairs = [(name, expert) for expert in people]
            who = f"{name} and an expert"
            a[name], d[name] = _a_and_d(placed, pairs, about, who, 1 + len(people))
    pairs = list(combinations(people, 2))
    a_ceiling, d_ceiling = _a_and_d(placed, pairs, about, "two experts", len(people))
    return HiddenAgreement(
        {name: _q(placed, [name], f"{about}, {name}") for name in names},
        _q(placed, people, f"{about}, all experts"),
        a,
        a_ceiling,
        d,
        d_ceiling,
    )


def target_places(ranked: RankedSet) -> dict[str, float]:
    """Return Q of every rater's ranking of a set with a target: (n_t - 1) / n, from 0 (best) to 1
    (worst). Raises BadInput.
    """
    placed = _place(ranked)
    return {rater: float(q[placed.target]) for rater, q in placed.q.items()}


def _place(ranked: RankedSet) -> _Placed:
    items = items_of(ranked)
    if ranked.target not in items:
        raise BadInput(
            f"The target of set {ranked.name!r}, {ranked.target!r}, is not among the ideas that"
            " were ranked. Name one of them as the target."
        )
    others = len(items) - 1
    q = {rater: (ranks - 1) / others for rater, ranks in mean_ranks(ranked).items()}
    return _Placed(q, items.index(ranked.target))


def _q(placed: Sequence[_Placed], names: Sequence[str], about: str) -> Statistic:
    rows = []
    for hidden in placed:
        places = [hidden.q[name][hidden.target] for name in names if name in hidden.q]
        rows.append((sum(places), len(places)))
    found = pooled(
        "Q",
        about,
        np.array(rows, dtype=np.float64).reshape(-1, 2),
        lambda seen: (
            f"The hidden target stands at Q = {seen} in the mean: 0 is best, 1 worst, and chance"
            " gives 0.50."
        ),
        "sets",
        len(names),
        0.5,
        few_alone=True,
    )
    return found.model_copy(update={"label": "S"})


def _a_and_d(
    placed: Sequence[_Placed],
    pairs: Sequence[tuple[str, str]],
    about: str,
    who: str,
    raters: int,
) -> tuple[Statistic, Statistic]:
    """Return A(Q) and D(S) over pairs of raters."""
    rows = []
    for hidden in placed:
        both = [hidden.alike(a, b) for a, b in pairs if a in hidden.q and b in hidden.q]
        alike = sum(near for near, _ in both)
        alike_by_chance = sum(chance for _, chance in both)
        rows.append((alike, len(both), alike_by_chance))
    near, n, by_chance = np.array(rows, dtype=np.float64).reshape(-1, 3).T
    a_chance, d_chance = None, None
    if n.any():
        a_chance = float(by_chance.sum() / n.sum())
        d_chance = 1 - a_chance
    about = f"{about}, {who}"
    # A model's name stays as it is where a sentence begins.
    begin = "Two experts" if who == "two experts" else who

    def agree(seen: str) -> str:
        chance = f"chance gives {shown(a_chance or 0)}"
        return f"{begin} agree on the place of the target at A(Q) = {seen}; {chance}."

    def differ(seen: str) -> str:
        chance = f"chance gives {shown(d_chance or 0)}"
        return f"{begin} place the target D(S) = {seen} apart; {chance}."

    of_a = np.column_stack([near, n])
    of_d = np.column_stack([n - near, n])
    return (
        pooled("A(Q)", about, of_a, agree, "sets", raters, a_chance, of_raters=True),
        pooled("D(S)", about, of_d, differ, "sets", raters, d_chance, of_raters=True),
    )


# -- is it found ----------------------------------------------------------------------------


def found_target(
    sets: Sequence[RankedSet], guesses: Sequence[HumanGuess], about: str = "all experts"
) -> Statistic:
    """Return how often guesses name the target, against 1/n by chance, with the chance of naming it
    so often or oftener (one-sided).

    The test keeps the guesses as they are and lets every idea of a set be its target with the same
    chance: exact, and true of experts who share a taste too. With one guess a set it is the
    binomial test, or, with sets of different size, the Poisson-binomial. The interval is Clopper
    and Pearson's (1934) with one guess a set, else a bootstrap over sets. Sets without target or
    guess are left out; refused on fewer than 10. Raises BadInput for a guess at an unknown set or
    idea, and for two guesses of one rater at one set.
    """
    hidden = named_once(sets)
    used = list[tuple[RankedSet, Counter[str]]]()
    for name, named in _count(hidden, guesses).items():
        if hidden[name].target:
            used.append((hidden[name], named))
    raters = len({guess.rater for guess in guesses})
    if len(used) < FEWEST:
        return too_few(FOUND, about, len(used), "sets", raters)
    # The chance of every number of hits, where any idea of a set may be its target.
    chances: Floats = np.ones(1)
    hits = np.zeros((len(used), 2))
    by_chance = []
    for row, (ranked, named) in enumerate(used):
        items = items_of(ranked)
        times = [named[item] for item in items]
        hits[row] = named[ranked.target], named.total()
        of_set = np.bincount(times, minlength=named.total() + 1) / len(items)
        chances = np.convolve(chances, of_set)
        by_chance.append(1 / len(items))
    right, made = hits.sum(axis=0).astype(int).tolist()
    value = right / made
    p = min(1.0, float(chances[right:].sum()))
    chance = float(np.average(by_chance, weights=hits[:, 1]))
    low, high, how = _interval(hits)
    verdict = (
        "more often than chance" if p < SIGNIFICANT else "not shown to be more often than chance"
    )
    return Statistic(
        name=FOUND,
        about=about,
        value=value,
        low=low,
        high=high,
        p=p,
        n=len(used),
        unit="sets",
        raters=raters,
        chance=chance,
        how=f"{how}; p one-sided, exact, over which idea of each set is the target",
        reading=(
            f"{right} of {made} guesses name the target: {shown(value)}{between(low, high)},"
            f" {verdict}, {shown(chance)} ({p_said(p)})."
        ),
    )


def _count(sets: Mapping[str, RankedSet], guesses: Sequence[HumanGuess]) -> dict[str, Counter[str]]:
    """Return how often each idea of each set is named. Raises BadInput."""
    times = Counter((guess.rater, guess.set) for guess in guesses)
    for (rater, name), n in times.items():
        if n > 1:
            raise BadInput(f"{rater!r} guessed twice at set {name!r}; keep the guess that counts.")
    named: dict[str, Counter[str]] = defaultdict(Counter)
    for guess in guesses:
        if guess.set not in sets or guess.item not in items_of(sets[guess.set]):
            raise BadInput(
                f"{guess.rater!r} guessed {guess.item!r} at set {guess.set!r}, which has no such"
                " idea."
            )
        named[guess.set][guess.item] += 1
    return named


def _interval(hits: Floats) -> tuple[float, float, str]:
    """Return the 95 % interval of a share from (sets, 2), hits and guesses, and how it was made."""
    sets = len(hits)
    if (hits[:, 1] > 1).any():
        ends = percentiles(ratio(resampled(hits)), sets)
        if ends and ends[0] < ends[1]:
            return *ends, f"bootstrap over {sets} sets"
    right = float(ratio(hits.sum(axis=0))) * sets
    wrong = sets - right
    tail = (1 - LEVEL) / 2
    low, high = 0.0, 1.0
    if right > 0:
        low = float(special.betaincinv(right, wrong + 1, tail))
    if wrong > 0:
        high = float(special.betaincinv(right + 1, wrong, 1 - tail))
    return low, high, f"Clopper and Pearson's over {sets} sets"
