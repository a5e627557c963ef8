"""How scores, and lengths of ideas, are distributed."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from core.records import Record
from core.store.bench_sums import BIN

What = Literal["originality", "feasibility", "clarity", "fluency", "words"]
WHAT: tuple[What, ...] = get_args(What)


class Distribution(Record):
    """How often each value was given to a model's ideas."""

    model: str
    """Empty for all models together."""
    what: What
    counts: tuple[tuple[int, int], ...]
    """(value, how often), rising, without values that never came; of words the value is the lower
    end of ten: 90 stands for 90 to 99.
    """
    n: int
    mean: float
    """Over judgments (of fluency over pairs); of words over the middles of the tens, for the exact
    mean see Fit.
    """
    sd: float | None
    """Standard deviation; None of one value."""


def distributions(
    scores: Sequence[tuple[int, str, str, int, int]], models: Sequence[str]
) -> tuple[Distribution, ...]:
    """Return the distribution of each dimension and of words, of all models together and of each
    that has any; scores as `store.benchmarks.sums` gives them.
    """
    held: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    for model, _, what, value, n in scores:
        for name in ("", models[model]):
            held[name, what][value] += n
    return tuple(
        _distribution(name, what, held[name, what])
        for name in ("", *models)
        for what in WHAT
        if (name, what) in held
    )


def _distribution(model: str, what: What, counts: Mapping[int, int]) -> Distribution:
    n, middle = sum(counts.values()), (BIN - 1) / 2 if what == "words" else 0.0
    mean = sum(value * often for value, often in counts.items()) / n
    squares = sum(often * (value - mean) ** 2 for value, often in counts.items())
    return Distribution(
        model=model,
        what=what,
        counts=tuple(sorted(counts.items())),
        n=n,
        mean=mean + middle,
        sd=math.sqrt(squares / (n - 1)) if n > 1 else None,
    )
