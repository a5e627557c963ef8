"""What a run may take before it starts: calls, tokens, dollars. A guess for planning, said to be one; the cap is what holds."""
from collections.abc import Mapping

from core.models.prices import price
from core.records import Record, Run

TOKENS: dict[str, tuple[int, int]] = {"main": (2_500, 600), "cheap": (1_500, 500)}
"""Typical tokens in and out of a call by role: abstracts in, a few paragraphs out."""


class Estimate(Record):
    """`cost` is None where a price is unknown; `steps` counts everything the journal will record."""

    calls: int
    steps: int
    tokens: int
    cost: float | None


def estimate(method: str, inputs: Mapping[str, object], models: Mapping[str, str]) -> Estimate:
    """Return what the run will usually need at most: a full chain and one novelty round, or every round of a refinement."""
    calls, other = _chain(inputs) if method == "chain" else _refinement(inputs)
    tokens, cost = 0, 0.0
    known = True
    for role, n in calls.items():
        spent = price(models[role], *TOKENS[role])
        known, cost = known and spent is not None, cost + n * (spent or 0.0)
        tokens += 0 if models[role] == "builtin" else n * sum(TOKENS[role])
    return Estimate(calls=sum(calls.values()), steps=sum(calls.values()) + other, tokens=tokens, cost=cost if known else None)


def of_run(run: Run) -> Estimate:
    """Return the estimate for a run as it was configured."""
    return estimate(run.config.method, run.config.inputs, run.config.models)


def _chain(inputs: Mapping[str, object]) -> tuple[dict[str, int], int]:
    length = int(str(inputs["length"]))
    # queries, anchor; one choice a hop; trend, entities, future, draft, idea, novelty queries | readings, novelty verdict | searches and rankings
    return {"main": 2 + (length - 1) + 6, "cheap": length + 1}, 5 + 2 * (length - 1) + 4


def _refinement(inputs: Mapping[str, object]) -> tuple[dict[str, int], int]:
    rules = inputs["rules"]
    assert isinstance(rules, dict)
    rounds = int(rules["max_rounds"])
    return {"main": 2 + 3 * rounds - 1, "cheap": 0}, 2 * rounds + 2
