"""Computing the proxy of fluency: how far apart in meaning two ideas for one keyword are. It costs
nothing but time, and nobody judges.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.store import Store

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
