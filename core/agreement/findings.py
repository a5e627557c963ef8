"""Whether raters find the hidden human idea oftener than chance: an exact test that does not take
experts of one taste for independent.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy import special  # type: ignore[import-untyped]

from core.agreement.rankings import RankedSet, items_of, named_once
from core.errors import BadInput
from core.statistics.intervals import (
    FEWEST,
    LEVEL,
    RESAMPLES,
    Floats,
    percentiles,
    ratio,
    resampled,
)
from core.statistics.pooled import too_few
from core.statistics.statistic import SIGNIFICANT, Statistic, between, p_said, shown

FOUND = "target found"


class HumanGuess(NamedTuple):
    """The idea of a set that a rater takes for the human one; a rater who cannot tell gives no
    guess.
    """

    rater: str
    set: str
    item: str


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
        (hidden[name], said)
        for name, said in _counted(hidden, guesses).items()
        if hidden[name].target
    ]
    raters = len({guess.rater for guess in guesses})
    if len(used) < FEWEST:
        return too_few(FOUND, about, len(used), "sets", raters)
    hits = np.array([(said[one.target], said.total()) for one, said in used], dtype=np.float64)
    found, made = int(hits[:, 0].sum()), int(hits[:, 1].sum())
    p = min(
        1.0,
        float(
            _spread([[said[item] for item in items_of(one)] for one, said in used])[found:].sum()
        ),
    )
    chance = float(np.average([1 / len(items_of(one)) for one, _ in used], weights=hits[:, 1]))
    low, high, how = _interval(hits)
    verdict = (
        "more often than chance" if p < SIGNIFICANT else "not shown to be more often than chance"
    )
    return Statistic(
        name=FOUND,
        about=about,
        value=found / made,
        low=low,
        high=high,
        p=p,
        n=len(used),
        unit="sets",
        raters=raters,
        chance=chance,
        how=f"{how}; p one-sided, exact, over which idea of each set is the target",
        reading=(
            f"{found} of {made} guesses name the target: {shown(found / made)}{between(low, high)},"
            f" {verdict}, {shown(chance)} ({p_said(p)})."
        ),
    )


def _counted(
    sets: Mapping[str, RankedSet], guesses: Sequence[HumanGuess]
) -> dict[str, Counter[str]]:
    """Return how often each idea of each set is named. Raises BadInput."""
    twice = [
        one
        for one, times in Counter((guess.rater, guess.set) for guess in guesses).items()
        if times > 1
    ]
    if twice:
        raise BadInput(
            f"{twice[0][0]!r} guessed twice at set {twice[0][1]!r}; keep the guess that counts."
        )
    said: dict[str, Counter[str]] = {}
    for guess in guesses:
        if guess.set not in sets or guess.item not in items_of(sets[guess.set]):
            raise BadInput(
                f"{guess.rater!r} guessed {guess.item!r} at set {guess.set!r}, which has no such"
                " idea."
            )
        said.setdefault(guess.set, Counter())[guess.item] += 1
    return said


def _spread(counts: Sequence[Sequence[int]]) -> Floats:
    """Return the chance of every number of hits, 0 to all, where any idea of a set may be its
    target; `counts` is by set, then idea.
    """
    chances: Floats = np.ones(1)
    for said in counts:
        chances = np.convolve(chances, np.bincount(said, minlength=sum(said) + 1) / len(said))
    return chances


def _interval(hits: Floats) -> tuple[float, float, str]:
    """Return the 95 % interval of a share from (sets, 2), hits and guesses, and how it was made."""
    sets, value = len(hits), float(ratio(hits.sum(axis=0)))
    ends = (
        percentiles(ratio(resampled(hits, RESAMPLES, 0)), sets) if (hits[:, 1] > 1).any() else None
    )
    if ends and ends[0] < ends[1]:
        return *ends, f"bootstrap over {sets} sets"
    return *_clopper_pearson(value * sets, sets), f"Clopper and Pearson's over {sets} sets"


def _clopper_pearson(hits: float, n: int) -> tuple[float, float]:
    tail = (1 - LEVEL) / 2
    low = float(special.betaincinv(hits, n - hits + 1, tail)) if hits > 0 else 0.0
    return low, float(special.betaincinv(hits + 1, n - hits, 1 - tail)) if hits < n else 1.0
