"""The distance of ideas' embeddings: a proxy of fluency that costs nothing, and how far it goes
with what judges say.
"""

from collections.abc import Sequence

from core.benchmark.generality import together
from core.records import GroupSums, Record
from core.statistics.clusters import SEED, Spread, gathered, over_keywords, spread
from core.statistics.intervals import RESAMPLES, Scale, ratio, totals
from core.statistics.statistic import Statistic

DISTANCE = Scale(0.0, 2.0)
"""Of 1 - cosine."""


class Proxy(Record):
    """One model's mean distance of the ideas it has for one keyword, 1 - cosine: computed, not
    judged.
    """

    model: str
    distance: Spread
    """Its `n` counts keywords."""
    fluency: float | None
    """As judged, for comparison, over the keywords that have it."""


def proxies(
    groups: Sequence[GroupSums],
    models: Sequence[str],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> tuple[Proxy, ...]:
    """Return the proxy of fluency of every model, in the models' order, with 95 % intervals from
    resampling keywords; nothing where none was computed.

    A keyword's distance is the mean over its pairs of ideas, as its fluency is.
    """
    sums = gathered(
        ((one.keyword, one.model, one.proxy / one.proxies, 1) for one in groups if one.proxies),
        len(models),
        2,
    )
    if not len(sums):
        return ()
    judged = gathered(
        ((one.keyword, one.model, one.fluency / one.pairs, 1) for one in groups if one.pairs),
        len(models),
        2,
    ).sum(axis=0)
    whole, found = (
        ratio(sums.sum(axis=0)),
        over_keywords(lambda drawn: ratio(totals(sums, drawn)), len(sums), seed, resamples),
    )
    return tuple(
        Proxy(
            model=name,
            distance=spread(float(whole[m]), found[:, m], int(sums[:, m, 1].sum()), scale=DISTANCE),
            fluency=float(judged[m, 0] / judged[m, 1]) if judged[m, 1] else None,
        )
        for m, name in enumerate(models)
    )


def with_fluency(found: Sequence[Proxy]) -> Statistic:
    """Return Pearson's r, over models, of the proxy with fluency as judged."""
    return together(
        {one.model: one.distance.value for one in found if one.distance.value is not None},
        {one.model: one.fluency for one in found if one.fluency is not None},
        "embedding distance and judged fluency, by model",
        "The proxy and judged fluency",
    )
