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
        near = 1 - abs(a[self.target] - b[self.target])
        return float(near), float(1 - np.abs(a[:, None] - b).mean())


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
    placed = [_placed(one) for one in named_once(sets).values() if one.target]
    names = sorted({name for one in placed for name in one.q})
    people = [name for name in names if name not in models]
    alike = {
        name: _alike(placed, [(name, expert) for expert in people])
        for name in names
        if name in models
    }
    together = _alike(placed, list(combinations(people, 2)))
    with_one = 1 + len(people)
    return HiddenAgreement(
        {name: _q(placed, [name], f"{about}, {name}") for name in names},
        _q(placed, people, f"{about}, all experts"),
        {name: _a(one, about, f"{name} and an expert", with_one) for name, one in alike.items()},
        _a(together, about, "two experts", len(people)),
        {name: _d(one, about, f"{name} and an expert", with_one) for name, one in alike.items()},
        _d(together, about, "two experts", len(people)),
    )


def target_places(ranked: RankedSet) -> dict[str, float]:
    """Return Q of every rater's ranking of a set with a target: (n_t - 1) / n, from 0 (best) to 1
    (worst). Raises BadInput.
    """
    placed = _placed(ranked)
    return {rater: float(q[placed.target]) for rater, q in placed.q.items()}


def _placed(ranked: RankedSet) -> _Placed:
    items = items_of(ranked)
    if ranked.target not in items:
        raise BadInput(
            f"The target of set {ranked.name!r}, {ranked.target!r}, is not among the ideas that"
            " were ranked. Name one of them as the target."
        )
    return _Placed(
        {rater: (ranks - 1) / (len(items) - 1) for rater, ranks in mean_ranks(ranked).items()},
        items.index(ranked.target),
    )


def _q(placed: Sequence[_Placed], names: Sequence[str], about: str) -> Statistic:
    places = [[one.q[name][one.target] for name in names if name in one.q] for one in placed]
    sums = np.array([(sum(one), len(one)) for one in places], dtype=np.float64).reshape(-1, 2)
    return pooled(
        "Q",
        about,
        sums,
        lambda seen: (
            f"The hidden target stands at Q = {seen} in the mean: 0 is best, 1 worst, and chance"
            " gives 0.50."
        ),
        "sets",
        len(names),
        0.5,
        few_alone=True,
    ).model_copy(update={"label": "S"})


def _alike(placed: Sequence[_Placed], pairs: Sequence[tuple[str, str]]) -> Floats:
    """Return by set the total of 1 - |Q - Q'| over pairs of raters, how many pairs there are, and
    the total that chance would give: (sets, 3).
    """
    rows = []
    for one in placed:
        both = [one.alike(a, b) for a, b in pairs if a in one.q and b in one.q]
        rows.append((sum(near for near, _ in both), len(both), sum(chance for _, chance in both)))
    return np.array(rows, dtype=np.float64).reshape(-1, 3)


def _by_chance(alike: Floats) -> float | None:
    pairs = alike[:, 1].sum()
    return float(alike[:, 2].sum() / pairs) if pairs else None


def _a(alike: Floats, about: str, who: str, raters: int) -> Statistic:
    chance = _by_chance(alike)
    return pooled(
        "A(Q)",
        f"{about}, {who}",
        alike[:, :2],
        lambda seen: (
            f"{_begin(who)} agree on the place of the target at A(Q) = {seen}; {_beside(chance)}."
        ),
        "sets",
        raters,
        chance,
        of_raters=True,
    )


def _d(alike: Floats, about: str, who: str, raters: int) -> Statistic:
    chance = None if (same := _by_chance(alike)) is None else 1 - same
    apart = np.column_stack([alike[:, 1] - alike[:, 0], alike[:, 1]])
    return pooled(
        "D(S)",
        f"{about}, {who}",
        apart,
        lambda seen: f"{_begin(who)} place the target D(S) = {seen} apart; {_beside(chance)}.",
        "sets",
        raters,
        chance,
        of_raters=True,
    )


def _begin(who: str) -> str:
    """Return the words as a sentence begins; a model's name stays as it is."""
    return "Two experts" if who == "two experts" else who


def _beside(chance: float | None) -> str:
    return f"chance gives {shown(chance or 0)}"


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
    used = [
        (hidden[name], named)
        for name, named in _counted(hidden, guesses).items()
        if hidden[name].target
    ]
    raters = len({guess.rater for guess in guesses})
    if len(used) < FEWEST:
        return too_few(FOUND, about, len(used), "sets", raters)
    hits = np.array([(named[one.target], named.total()) for one, named in used], dtype=np.float64)
    right = int(hits[:, 0].sum())
    made = int(hits[:, 1].sum())
    value = right / made
    sizes = [len(items_of(one)) for one, _ in used]
    spread = _spread([[named[item] for item in items_of(one)] for one, named in used])
    p = min(1.0, float(spread[right:].sum()))
    chance = float(np.average([1 / size for size in sizes], weights=hits[:, 1]))
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


def _counted(
    sets: Mapping[str, RankedSet], guesses: Sequence[HumanGuess]
) -> dict[str, Counter[str]]:
    """Return how often each idea of each set is named. Raises BadInput."""
    for (rater, name), times in Counter((guess.rater, guess.set) for guess in guesses).items():
        if times > 1:
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


def _spread(counts: Sequence[Sequence[int]]) -> Floats:
    """Return the chance of every number of hits, 0 to all, where any idea of a set may be its
    target; `counts` is by set, then idea.
    """
    chances: Floats = np.ones(1)
    for named in counts:
        chances = np.convolve(chances, np.bincount(named, minlength=sum(named) + 1) / len(named))
    return chances


def _interval(hits: Floats) -> tuple[float, float, str]:
    """Return the 95 % interval of a share from (sets, 2), hits and guesses, and how it was made."""
    sets = len(hits)
    if (hits[:, 1] > 1).any():
        ends = percentiles(ratio(resampled(hits)), sets)
        if ends and ends[0] < ends[1]:
            return *ends, f"bootstrap over {sets} sets"
    right = float(ratio(hits.sum(axis=0))) * sets
    tail = (1 - LEVEL) / 2
    low = float(special.betaincinv(right, sets - right + 1, tail)) if right > 0 else 0.0
    high = float(special.betaincinv(right + 1, sets - right, 1 - tail)) if right < sets else 1.0
    return low, high, f"Clopper and Pearson's over {sets} sets"
