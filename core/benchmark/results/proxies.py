"""The distance of ideas' embeddings: a proxy of fluency that costs nothing, and how far it goes
with what judges say.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.benchmark.results.generality import correlate
from core.records import GroupSums, Record
from core.statistics.clusters import Spread, gathered, over_keywords, spread
from core.statistics.intervals import Scale, ratio, totals
from core.statistics.statistic import Statistic
from core.store import Store

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


def proxies(groups: Sequence[GroupSums], models: Sequence[str]) -> tuple[Proxy, ...]:
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
    whole = ratio(sums.sum(axis=0))
    found = over_keywords(lambda drawn: ratio(totals(sums, drawn)), len(sums))
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
    return correlate(
        {one.model: one.distance.value for one in found if one.distance.value is not None},
        {one.model: one.fluency for one in found if one.fluency is not None},
        "embedding distance and judged fluency, by model",
        "The proxy and judged fluency",
    )


# -- computing it ---------------------------------------------------------------------------------

BATCH = 200
"""Pairs computed and kept at once."""
SECONDS = 0.1
"""Seconds a pair takes on two cores that do other things too, roughly: two ideas of some hundred
words each.
"""


class Vectors(Protocol):
    """Whoever turns texts into vectors."""

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one L2-normalised vector per text."""
        ...


def compute(store: Store, run: str, embedder: Vectors, tell: Callable[[int], bool]) -> int:
    """Compute 1 - cosine of the embeddings of every pair of ideas that has none yet, and return how
    many that were; raises EmbeddingFailed.

    After each batch, which is kept at once, `tell` hears how many there are so far, and says
    whether to go on; what is left can be computed later.
    """
    done = 0
    while pairs := store.benchmarks.pairs_without_proxy(run, BATCH):
        vectors = embedder.vectors(
            [text for _, first, second in pairs for text in (first, second)]
        ).astype(np.float64)
        cosines = np.einsum("ij,ij->i", vectors[::2], vectors[1::2])
        store.benchmarks.keep_proxies(
            run,
            [
                (cell, round(1.0 - float(cosine), 6))
                for (cell, _, _), cosine in zip(pairs, cosines, strict=True)
            ],
        )
        done += len(pairs)
        if not tell(done):
            break
    return done
