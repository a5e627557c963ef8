"""Who judges what: drawn by the run's seed from what is judged alone, so that neither order, size
nor a resume changes a draw.
"""

import random
from collections.abc import Sequence

from core.benchmark.inputs import BenchInputs, eligible
from core.records import BenchCell, digest


def judges_of(seed: int, inputs: BenchInputs, keyword: str, model: str, n: int) -> tuple[str, ...]:
    """Return the J judges of one idea, never its own model (Methods, Judge panel)."""
    return _drawn([seed, "judges", keyword, model, n], inputs, model, inputs.judged)


def comparer_of(seed: int, inputs: BenchInputs, keyword: str, model: str, n: int, m: int) -> str:
    """Return the one judge that says how different two ideas are, never their own model."""
    return _drawn([seed, "pair", keyword, model, n, m], inputs, model, 1)[0]


def following(
    seed: int, inputs: BenchInputs, keyword: str, idea: BenchCell, others: Sequence[BenchCell]
) -> list[tuple[str, int, int, str]]:
    """Return what is asked once an idea is accepted, as (kind, n, m, who is asked): its judges, and
    its pair with every idea accepted before.
    """
    if not inputs.judges:
        return []
    model = inputs.models[idea.model].model
    judging = [
        ("judge", idea.n, m, name)
        for m, name in enumerate(judges_of(seed, inputs, keyword, model, idea.n), 1)
    ]
    pairs = [tuple(sorted((idea.n, other.n))) for other in others]
    return judging + [
        ("fluency", n, m, comparer_of(seed, inputs, keyword, model, n, m)) for n, m in sorted(pairs)
    ]


def _drawn(what: list[object], inputs: BenchInputs, model: str, k: int) -> tuple[str, ...]:
    can = sorted(eligible(model, tuple(one.model for one in inputs.judges)))
    return tuple(random.Random(int(digest(what)[:16], 16)).sample(can, k))
