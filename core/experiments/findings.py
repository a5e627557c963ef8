"""What an experiment found, figure by figure: the same nouns for our own results and for published
ones, so that the same tables hold both.
"""

from collections.abc import Iterable
from typing import Literal

from core.records import Record, Value

What = Literal[
    "q",
    "change",
    "rounds",
    "converged",
    "deviation",
    "variance",
    "cost",
    "pairs",
    "difference",
    "test",
    "p",
    "holm",
    "d_z",
    "wilcoxon",
    "rank_biserial",
]
"""What is measured: Q; its change over the first idea; rounds and the share that converged; spread
over repeats; dollars an idea; and the parts of a paired test.
"""


class Measured(Record):
    """One figure, and what it is of."""

    what: What
    value: Value
    method: str = ""
    against: str = ""
    """The other method of a paired test."""
    model: str = ""
    indicator: str = ""
    judge: str = ""
    category: str = ""


class Findings(Record):
    """All figures of an experiment, by the table they stand in (InfAL's numbers)."""

    title: str
    quality: tuple[Measured, ...] = ()
    """Table 1: Q by method, model and indicator, with its change over the first idea."""
    convergence: tuple[Measured, ...] = ()
    """Table 2."""
    ablation: tuple[Measured, ...] = ()
    """Table 3."""
    repeatability: tuple[Measured, ...] = ()
    """Table 4."""
    judges: tuple[Measured, ...] = ()
    """Table 5."""
    tests: tuple[Measured, ...] = ()
    """Table 6."""
    costs: tuple[Measured, ...] = ()
    """Table 7."""
    rounds: tuple[Measured, ...] = ()
    """Table 8."""
    categories: tuple[Measured, ...] = ()
    """Tables 9 to 14."""
    max_rounds: int = 10
    notes: dict[str, str] = {}
    """What a reader must know, by the name of the field."""


def named(found: Iterable[Measured], field: str) -> tuple[str, ...]:
    """Return what a field holds over all figures, each once, as they come."""
    return tuple(dict.fromkeys(getattr(one, field) for one in found))
