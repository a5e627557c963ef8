"""What is compared when sources are, and what comes of it: scores with what their ideas come from,
and one source against another by one test.
"""

from typing import NamedTuple

from core.records import Record
from core.statistics.statistic import Statistic, between, p_said, shown

WELCH, PAIRED, MIXED = "Welch's t-test", "paired t-test", "mixed model"
CORRECTED = "Holm"


class Score(NamedTuple):
    """One score of one criterion, with what its idea comes from."""

    item: str
    rater: str
    """Who gave it; empty where nobody knows."""
    source: str
    topic: str
    score: float


class Contrast(Record):
    """One source against another on one criterion, by one test."""

    criterion: str
    one: str
    other: str
    unit: str
    """What counts as one observation."""
    test: str
    n: tuple[int, int] = (0, 0)
    """Observations of each source; of a paired test the same ones."""
    means: tuple[float | None, float | None] = (None, None)
    difference: float | None = None
    """The first source's mean less the second's."""
    low: float | None = None
    high: float | None = None
    t: float | None = None
    df: float | None = None
    p: float | None = None
    """Two-sided."""
    corrected: float | None = None
    """The same after Holm's correction for all pairs of sources of this criterion and test."""
    formula: str = ""
    """Of a mixed model."""
    cut: str = ""
    """That the interval is cut at the ends of the scale, where it is."""
    refused: str = ""
    """Why there is no test; empty where there is one."""

    @property
    def statistic(self) -> Statistic:
        """The difference as it is read beside other figures."""
        about = f"{self.criterion}, {self.one} less {self.other}, per {self.unit}"
        name, n = "difference of sources", min(self.n) if self.test == PAIRED else sum(self.n)
        if self.difference is None or self.t is None or self.df is None or self.p is None:
            return Statistic(
                name=name,
                about=about,
                n=n,
                unit=f"{self.unit}s",
                reading=self.refused,
                refused=self.refused,
            )
        side = "above" if self.difference >= 0 else "below"
        after = (
            f", {p_said(self.corrected)} after {CORRECTED}" if self.corrected is not None else ""
        )
        reading = (
            f"{self.one} stands {shown(abs(self.difference))} points {side} {self.other}: "
            f"a difference of {shown(self.difference)}{between(self.low, self.high)}; "
            f"t({self.df:.1f}) = {shown(self.t)}, {p_said(self.p)}{after}."
        )
        return Statistic(
            name=name,
            about=about,
            value=self.difference,
            low=self.low,
            high=self.high,
            p=self.p if self.corrected is None else self.corrected,
            n=n,
            unit=f"{self.unit}s",
            how=", ".join(filter(None, (self.test, self.formula, self.cut)))
            + (f"; p corrected by {CORRECTED}" if self.corrected is not None else ""),
            reading=reading,
        )
