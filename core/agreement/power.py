"""How sure a comparison of sources would be to find a difference: forecast before a session, from
the mixed model that it is tested by, and by simulation.
"""

import random
from collections import Counter
from functools import lru_cache
from typing import Annotated, NamedTuple

import numpy as np
from pydantic import Field, model_validator
from scipy import special  # type: ignore[import-untyped]

from core.agreement.contrasts import terms
from core.agreement.designs import Score
from core.records import Record
from core.statistics.intervals import Floats, noncentral_t, wilson
from core.statistics.mixed import error_at, fitted
from core.statistics.statistic import SIGNIFICANT

MOST_SCORES = 600
"""Scores of a design up to which it is simulated: a fit takes the cube of its ideas."""
SIMULATIONS = 400
ENOUGH = 0.8
"""The power that studies are usually planned for."""
STEPS = (4, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200)
"""Ideas of each source that are tried."""
MOST_IDEAS, MOST_EXPERTS, MOST_TOPICS = 500, 200, 200
"""What a design has at most; a larger one finds more."""


class PowerDesign(Record):
    """A comparison of two sources, and what scores are taken to vary by: shares of the variance of
    all scores of a source, the rest being the residual's.
    """

    ideas: Annotated[int, Field(ge=2, le=MOST_IDEAS)]
    """Of each source."""
    experts: Annotated[int, Field(ge=1, le=MOST_EXPERTS)]
    overlap: Annotated[int, Field(ge=1, le=50)] = 3
    """How many experts score each idea."""
    topics: Annotated[int, Field(ge=1, le=MOST_TOPICS)] = 1
    difference: Annotated[float, Field(ge=0, le=5)] = 0.5
    """In standard deviations of all scores of a source: Cohen's d."""
    of_reviewers: Annotated[float, Field(ge=0, le=0.9)] = 0.2
    of_topics: Annotated[float, Field(ge=0, le=0.9)] = 0.05
    of_ideas: Annotated[float, Field(ge=0, le=0.9)] = 0.15

    @model_validator(mode="after")
    def _shares_fit(self) -> "PowerDesign":
        if self.of_reviewers + self.of_topics + self.of_ideas > 0.95:
            raise ValueError("the shares of reviewers, topics and ideas leave nothing to chance")
        if self.overlap > self.experts:
            raise ValueError(
                f"each idea is to be scored by {self.overlap} experts, and there are {self.experts}"
            )
        return self


class Power(NamedTuple):
    """How often the mixed model would find the difference at 0.05."""

    design: PowerDesign
    forecast: float
    df: float
    simulated: float | None
    """The share of simulated studies that find it; None where the design is too large for that."""
    low: float | None
    high: float | None
    """Wilson's interval of it."""
    simulations: int
    least: float | None
    """The smallest difference that is found in 80 % of studies; None beyond 5."""


class _Dealt(NamedTuple):
    """Who scores what, scores in rows."""

    sources: list[int]
    groups: dict[str, list[int]]
    shares: dict[str, float]
    """Of the variance, by the terms that the scores can tell apart."""


@lru_cache(maxsize=64)
def power(design: PowerDesign, simulations: int = SIMULATIONS, seed: int = 0) -> Power:
    """Return how sure a design is to find its difference, by forecast and by simulation."""
    dealt = _dealt(design)
    forecast, df = _forecast(dealt, design.difference)
    simulated = low = high = None
    if simulations and len(dealt.sources) <= MOST_SCORES:
        simulated = simulate(design, simulations, seed)
        low, high = wilson(simulated * simulations, simulations)
    else:
        simulations = 0
    least = _least(dealt)
    return Power(design, forecast, df, simulated, low, high, simulations, least)


@lru_cache(maxsize=64)
def needed(design: PowerDesign) -> tuple[tuple[int, float], ...]:
    """Return the forecast at several numbers of ideas of each source, up to the first that is sure
    enough: (ideas, power), the experts and what each scores of an idea staying as they are.
    """
    found = []
    for ideas in STEPS:
        changed = design.model_copy(update={"ideas": ideas})
        chance, _ = _forecast(_dealt(changed), design.difference)
        found.append((ideas, chance))
        if chance >= ENOUGH or 2 * ideas * design.overlap > 2 * MOST_SCORES:
            break
    return tuple(found)


def simulate(design: PowerDesign, simulations: int, seed: int = 0) -> float:
    """Return the share of simulated studies in which the mixed model finds a difference at 0.05."""
    dealt = _dealt(design)
    dice = np.random.default_rng(seed)
    groups = list(dealt.groups.values())
    found = 0
    for _ in range(simulations):
        fit = fitted(drawn(design, dice).tolist(), dealt.sources, groups)
        found += bool(fit and fit.differences[0, 1].p < SIGNIFICANT)
    return found / simulations


def drawn(design: PowerDesign, dice: np.random.Generator) -> Floats:
    """Return simulated scores of a design, of variance 1 within a source."""
    whole = _whole(design)
    scores = np.asarray(whole.sources) * -design.difference
    left = 1.0
    for name, levels in whole.groups.items():
        share = whole.shares[name]
        left -= share
        scores = scores + dice.normal(0, share**0.5, max(levels) + 1)[levels]
    drawn_scores: Floats = scores + dice.normal(0, left**0.5, len(scores))
    return drawn_scores


def as_scores(design: PowerDesign, scores: Floats) -> list[Score]:
    """Return simulated scores as those of a session."""
    whole = _whole(design)
    lines = zip(
        whole.groups["idea"],
        whole.groups["reviewer"],
        whole.sources,
        whole.groups["topic"],
        scores.tolist(),
        strict=True,
    )
    return [Score(f"i{i}", f"r{r}", "ab"[s], f"t{t}", score) for i, r, s, t, score in lines]


@lru_cache(maxsize=64)
def _whole(design: PowerDesign) -> _Dealt:
    """Deal the ideas of both sources to experts: to those who have fewest, of that source and in
    all, by chance among equals.
    """
    chance = random.Random(f"{design.experts}/{design.ideas}/{design.overlap}")
    taken = Counter[int]()
    of_source = Counter[tuple[int, int]]()
    sources: list[int] = []
    groups: dict[str, list[int]] = {"reviewer": [], "topic": [], "idea": []}
    for idea in range(2 * design.ideas):
        source = idea % 2
        order = sorted(
            range(design.experts),
            key=lambda one: (of_source[source, one], taken[one], chance.random()),
        )
        for expert in order[: design.overlap]:
            taken[expert] += 1
            of_source[source, expert] += 1
            sources.append(source)
            groups["reviewer"].append(expert)
            groups["topic"].append(idea // 2 % design.topics)
            groups["idea"].append(idea)
    shares = {
        "reviewer": design.of_reviewers,
        "topic": design.of_topics,
        "idea": design.of_ideas,
    }
    return _Dealt(sources, groups, shares)


@lru_cache(maxsize=64)
def _dealt(design: PowerDesign) -> _Dealt:
    """Return a design with the terms that its scores can tell apart."""
    whole = _whole(design)
    kept = terms(as_scores(design, np.zeros(len(whole.sources)))).kept
    groups = {name: list(levels) for name, levels in kept.items()}
    return _Dealt(whole.sources, groups, {name: whole.shares[name] for name in groups})


def _forecast(dealt: _Dealt, difference: float) -> tuple[float, float]:
    """Return the power of the mixed model, by Student's noncentral t at the variances assumed, and
    its degrees of freedom.
    """
    variances = [*dealt.shares.values(), 1 - sum(dealt.shares.values())]
    error, df = error_at(dealt.sources, list(dealt.groups.values()), variances)
    reach = float(special.stdtrit(df, 1 - SIGNIFICANT / 2))
    away = difference / error
    above = 1 - noncentral_t(reach, df, away)
    below = noncentral_t(-reach, df, away)
    return above + below, df


def _least(dealt: _Dealt) -> float | None:
    """Return the smallest difference, to a hundredth, that is found in 80 % of studies."""
    for hundredth in range(5, 501, 5):
        if _forecast(dealt, hundredth / 100)[0] >= ENOUGH:
            return hundredth / 100
    return None


def said(found: Power, steps: tuple[tuple[int, float], ...]) -> str:
    """Say in words how sure a comparison would be, and what would make it sure enough."""
    design = found.design
    times = f"{100 * found.forecast:.0f} % of such studies"
    simulated = ""
    if found.simulated is not None:
        simulated = f" ({100 * found.simulated:.0f} % of {found.simulations:,} simulated ones)"
    parts = [
        f"With {design.ideas} ideas of each source and {design.overlap} of {design.experts}"
        f" experts for each, the mixed model would find a difference of {design.difference:g}"
        f" standard deviations in {times}{simulated}."
    ]
    if found.low is not None and not found.low <= found.forecast <= (found.high or 0.0):
        parts.append(
            "The first share is by formula, with the variances taken as known; the simulated one"
            " estimates them anew in each study, as the analysis will: where the two differ, go by"
            " the simulated one."
        )
    if found.least:
        parts.append(f"Found in 80 % is a difference of {found.least:g}.")
    if steps:
        ideas, chance = steps[-1]
        if chance >= ENOUGH:
            parts.append(f"For {design.difference:g} it takes about {ideas} ideas of each source.")
        else:
            parts.append(
                f"For {design.difference:g} even {ideas} ideas of each source give"
                f" {100 * chance:.0f} %: ask more experts, or for a larger difference."
            )
    parts.append(
        f"Assumed: of the variance of scores, reviewers make {100 * design.of_reviewers:.0f} %,"
        f" topics {100 * design.of_topics:.0f} %, ideas {100 * design.of_ideas:.0f} %."
    )
    return " ".join(parts)
