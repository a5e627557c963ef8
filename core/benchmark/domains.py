"""Which domain a keyword belongs to, by nearness of meaning: an offer in place of the published
labels, and each a person may change.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.benchmark.keywords import DOMAINS
from core.literature.embeddings import Embedder
from core.records import Keyword

FILE = Path(__file__).parents[2] / "assets" / "benchmark" / "domains.json"
NEAREST = 2
"""Descriptions of a domain that count, the nearest ones: a keyword touches one or two corners of
its field, and not the rest.
"""
TEMPERATURE = 0.035
"""Of the softmax over domains; the likeliest one (to 0.005) on 134 keywords labelled by hand, none
of which is in tests/data/keyword_domains.csv.
"""


def relabelled(embedder: Embedder, keywords: Sequence[Keyword]) -> tuple[Keyword, ...]:
    """Return keywords with the domain whose descriptions they are nearest to, in their order; what
    a person labelled stays. Raises EmbeddingFailed.

    A domain's nearness is the mean cosine with its two nearest descriptions. Confidence is the best
    domain's share in a softmax over the 22, calibrated on keywords labelled by hand: of 71 others
    it labels 90 % right at a mean confidence of 0.86 (the published labels: 46 %), and 51 of the 58
    that no description names word for word; above 0.9 all but 1 in 50 are right, below 0.6 one in
    two. A keyword that belongs to no domain gets one too, mostly with little confidence.
    """
    open_ = [one for one in keywords if one.by != "person"]
    near = nearness(embedder, [one.text for one in open_])
    weights = np.exp((near - near.max(axis=1, keepdims=True)) / TEMPERATURE) if open_ else near
    shares = weights / weights.sum(axis=1, keepdims=True)
    best = {
        one.text: (DOMAINS[int(share.argmax())], round(float(share.max()), 4))
        for one, share in zip(open_, shares, strict=True)
    }
    return tuple(_labelled(one, *best[one.text]) if one.text in best else one for one in keywords)


def _labelled(keyword: Keyword, domain: str, confidence: float) -> Keyword:
    return Keyword(text=keyword.text, domain=domain, confidence=confidence, by="meaning")


def nearness(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float64]:
    """Return how near each text is to each of DOMAINS, n x 22; raises EmbeddingFailed."""
    described = descriptions()
    vectors = embedder.vectors(texts).astype(np.float64)
    return np.stack(
        [
            np.sort(vectors @ embedder.vectors(described[name]).astype(np.float64).T, axis=1)[
                :, -NEAREST:
            ].mean(axis=1)
            for name in DOMAINS
        ],
        axis=1,
    )


@cache
def descriptions() -> dict[str, tuple[str, ...]]:
    """Return what each domain is about, in short descriptions."""
    return {name: tuple(said) for name, said in json.loads(FILE.read_text("utf-8")).items()}
