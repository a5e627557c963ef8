"""A statistic as it is shown and published: its value, its 95 % interval, what it counts, and what
it says in words.
"""

from core.records import Record
from core.statistics.intervals import Figure

SIGNIFICANT = 0.05
"""A p-value below this is called significant."""


class Statistic(Record):
    """A named figure with its 95 % interval; what is None could not be given, and `refused` says
    why, or what to do.
    """

    name: str
    """In the field's notation: "ICC(C,k)"."""
    about: str
    """What it is taken over: a criterion, and whose answers where that is not plain
    ("originality").
    """
    value: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    """How often chance alone gives as much or more: two-sided, but for an F test."""
    n: int = 0
    unit: str = "ideas"
    """What `n` counts."""
    raters: int = 0
    """How many raters stand behind it; 0 where that means nothing."""
    how: str = ""
    """How the interval was made, and over whom; or why there is none beside a value."""
    reading: str = ""
    """What the figure says, in one plain line."""
    refused: str = ""
    """Why there is no value; empty where there is one."""
    chance: float | None = None
    """What chance gives; None where that is 0."""
    label: str = ""
    """How publications print it, where that differs from its name."""
    few: bool = False
    """Whether it is of too few units for anything but the figure itself: no interval, no p, no
    verdict, no colour.
    """

    @property
    def significant(self) -> bool:
        """Return whether p is known and below 0.05."""
        return self.p is not None and self.p < SIGNIFICANT


def refused(
    name: str, about: str, n: int, reason: str, unit: str = "ideas", raters: int = 0
) -> Statistic:
    """Return the statistic that cannot be given, with the reason, which is its reading too."""
    return Statistic(
        name=name, about=about, n=n, unit=unit, raters=raters, reading=reason, refused=reason
    )


def raters_there(n: int) -> str:
    """Say how few raters there are, 1 or none."""
    return "there is 1" if n else "there are none"


def beside_chance(low: float | None, high: float | None, included: str) -> str:
    """Say what it means for agreement that an interval reaches 0, or lies below it; nothing where
    it lies above.
    """
    if low is None or high is None or low > 0:
        return ""
    if high < 0:
        return " That is less than chance gives: raters contradict each other."
    return f" The interval includes 0, {included}."


def of_figure(
    figure: Figure,
    name: str,
    about: str,
    unit: str = "ideas",
    raters: int = 0,
    reading: str = "",
    chance: float | None = None,
) -> Statistic:
    """Return a figure as a statistic; a refused one keeps its reason."""
    if figure.value is None:
        return refused(name, about, figure.n, figure.note, unit, raters)
    how = "; ".join(part for part in (figure.how, figure.note) if part)
    return Statistic(
        name=name,
        about=about,
        value=figure.value,
        low=figure.low,
        high=figure.high,
        n=figure.n,
        unit=unit,
        raters=raters,
        how=how,
        reading=reading,
        chance=chance,
    )


def shown(value: float) -> str:
    """Return a figure to two decimals with a plain minus, and never as "-0.00": what readings and
    screens print.
    """
    return f"{round(value, 2) + 0.0:.2f}"


def between(low: float | None, high: float | None) -> str:
    """Return an interval in words, in brackets: " (95 % interval 0.62 to 0.91)"; empty where there
    is none.
    """
    return "" if low is None or high is None else f" (95 % interval {_end(low)} to {_end(high)})"


def _end(value: float) -> str:
    # On which side of 0 an end lies matters, so that one near 0 is given more digits.
    return f"{value:.1g}" if 0.0001 <= abs(value) < 0.005 else shown(value)


def p_said(p: float) -> str:
    """Return a p-value as papers print it: "p < 0.0001", "p = 0.0518", "p = 0.42"."""
    if p < 0.0001:
        return "p < 0.0001"
    return f"p = {p:.4f}" if p < 0.1 else f"p = {p:.2f}"


def significance(p: float) -> str:
    """Return what a p-value decides at 0.05, with the value: "significant at 0.05 (p = 0.0054)"."""
    verdict = "significant" if p < SIGNIFICANT else "not significant"
    return f"{verdict} at {SIGNIFICANT} ({p_said(p)})"
