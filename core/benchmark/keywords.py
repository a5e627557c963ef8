"""The keywords of the paper, and the domains they are counted to (LiveIdeaBench, Methods,
Scientific keyword selection).
"""

import csv
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.literature.embeddings import Embedder
from core.records import Keyword, KeywordList

FILE = Path(__file__).parents[2] / "assets" / "benchmark" / "keywords.csv"
SOURCE = (
    "Keywords Everywhere, top science keywords, 16 December 2024, as listed by LiveIdeaBench (MIT)."
    " The domains are the machine-made labels published with the list; many are wrong."
)
DOMAINS = (
    "Accounting",
    "Agricultural science",
    "Anthropology",
    "Astronomy",
    "Biology",
    "Chemistry",
    "Data engineering",
    "Data science",
    "Earth science",
    "Economics",
    "Finance",
    "Mathematics and Logic",
    "Medicine",
    "Pedagogy",
    "Pharmacy",
    "Physics",
    "Political science",
    "Psychology",
    "Sociology",
    "Statistics",
    "Systems engineering",
    "Systems science",
)
"""The paper's 22."""


@cache
def paper_keywords() -> KeywordList:
    """Return the paper's 1,180 keywords in its order, with the domains published for them."""
    with FILE.open(encoding="utf-8", newline="") as lines:
        rows = tuple(csv.DictReader(lines))
    return KeywordList(
        name="LiveIdeaBench, December 2024",
        source=SOURCE,
        keywords=tuple(
            Keyword(text=row["keyword"], domain=row["domain"], by="published") for row in rows
        ),
    )


def first(held: KeywordList, n: int | None) -> str:
    """Return what a benchmark of a list's first `n` keywords is called where nobody says; None is
    all of them.
    """
    return held.name if n is None or n >= len(held.keywords) else f"{held.name}, first {n}"


def find_keywords(keywords: Sequence[str], text: str) -> list[int]:
    """Return the places of the keywords that are this text, or, where none is, of those that hold
    it; whatever the case, and all for an empty text.
    """
    wanted = text.strip().casefold()
    exact, wider = [], []
    for n, keyword in enumerate(map(str.casefold, keywords)):
        if keyword == wanted:
            exact.append(n)
        elif wanted in keyword:
            wider.append(n)
    return exact or wider


# -- domains by meaning ---------------------------------------------------------------------------

DESCRIBED = Path(__file__).parents[2] / "assets" / "benchmark" / "domains.json"
NEAREST = 2
"""Descriptions of a domain that count, the nearest ones: a keyword touches one or two corners of
its field, and not the rest.
"""
TEMPERATURE = 0.035
"""Of the softmax over domains; the likeliest one (to 0.005) on 134 keywords labelled by hand, none
of which is in tests/data/keyword_domains.csv.
"""


def label_by_meaning(embedder: Embedder, keywords: Sequence[Keyword]) -> tuple[Keyword, ...]:
    """Return keywords with the domain whose descriptions they are nearest to, in their order; what
    a person labelled stays. Raises EmbeddingFailed.

    A domain's nearness is the mean cosine with its two nearest descriptions. Confidence is the best
    domain's share in a softmax over the 22, calibrated on keywords labelled by hand: of 71 others
    it labels 90 % right at a mean confidence of 0.86 (the published labels: 46 %), and 51 of the 58
    that no description names word for word; above 0.9 all but 1 in 50 are right, below 0.6 one in
    two. A keyword that belongs to no domain gets one too, mostly with little confidence.
    """
    open_ = [one for one in keywords if one.by != "person"]
    if not open_:
        return tuple(keywords)
    near = nearness(embedder, [one.text for one in open_])
    weights = np.exp((near - near.max(axis=1, keepdims=True)) / TEMPERATURE)
    shares = weights / weights.sum(axis=1, keepdims=True)
    labelled = {}
    for one, share in zip(open_, shares, strict=True):
        domain = DOMAINS[int(share.argmax())]
        sure = round(float(share.max()), 4)
        labelled[one.text] = Keyword(text=one.text, domain=domain, confidence=sure, by="meaning")
    return tuple(labelled.get(one.text, one) for one in keywords)


def nearness(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float64]:
    """Return how near each text is to each of DOMAINS, n x 22; raises EmbeddingFailed."""
    vectors = embedder.vectors(texts).astype(np.float64)
    near = []
    for name in DOMAINS:
        described = embedder.vectors(descriptions()[name]).astype(np.float64)
        cosines = np.sort(vectors @ described.T, axis=1)
        near.append(cosines[:, -NEAREST:].mean(axis=1))
    return np.stack(near, axis=1)


@cache
def descriptions() -> dict[str, tuple[str, ...]]:
    """Return what each domain is about, in short descriptions."""
    return {name: tuple(said) for name, said in json.loads(DESCRIBED.read_text("utf-8")).items()}
