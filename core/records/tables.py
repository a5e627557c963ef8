"""Tables of figures: what stands in a cell, how sure it is, and the runs behind it."""

import math
from typing import Annotated, Literal

from pydantic import Field

from core.records.base import Record

Unit = Literal["", "percent", "change", "dollars", "p"]
"""How a figure is written: plain, a share as percent, a relative change in percent with its sign,
US dollars, a p-value.
"""
NOTHING = "–"


class Value(Record):
    """One cell of a table: a figure with its interval, or words."""

    text: str = ""
    """Words: a heading of the row, or why there is no figure; where there are some, they are read
    in place of the figure.
    """
    mean: float | None = None
    """The figure in its own unit: 0.98 for a share of 98 %, 221.6 for a change of +221.6 %."""
    low: float | None = None
    high: float | None = None
    """The ends of the 95 % interval; None where none can be given."""
    n: int | None = None
    """How many the figure is made of."""
    of: int | None = None
    """How many there ought to be, where that is known."""
    counted: str = ""
    """What is counted: targets, ideas, repeats."""
    unit: Unit = ""
    digits: Annotated[int, Field(ge=0, le=12)] = 3
    note: str = ""
    """How the interval was made, or why there is none."""
    runs: tuple[str, ...] = ()
    """The runs behind the cell."""

    @property
    def number(self) -> str:
        """The figure as it is read, without its interval."""
        return self.text or self._write(self.mean)

    @property
    def interval(self) -> str:
        """The 95 % interval as it is read, or nothing."""
        if self.low is None or self.high is None:
            return ""
        return f"[{self._write(self.low)}, {self._write(self.high)}]"

    def _write(self, figure: float | None) -> str:
        return NOTHING if figure is None else written(figure, self.unit, self.digits)

    @property
    def short(self) -> str:
        """How many are missing, as `3 of 10 targets`, or nothing."""
        found = self.n or 0
        if self.of is None or found >= self.of:
            return ""
        return f"{found} of {self.of} {self.counted}".strip()

    @property
    def said(self) -> str:
        """The whole cell as it is read: figure, interval, and what is missing."""
        missing = f"({self.short})" if self.short else ""
        return " ".join(filter(None, (self.number, self.interval, missing)))


class Table(Record):
    """A table with its heading; rows are as long as the head."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=120)]
    """What its file and its label are called."""
    title: str
    caption: str = ""
    head: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...] = ()
    note: str = ""
    """What a reader must know: how intervals were made, what is missing, what the source got wrong.
    """


def written(figure: float, unit: Unit = "", digits: int = 3) -> str:
    """Write a figure in its unit; `digits` are those after the point."""
    if not math.isfinite(figure):
        return NOTHING
    if unit == "percent":
        return f"{100 * figure:.{max(0, digits - 2)}f} %"
    if unit == "change":
        return f"{figure:+.{digits}f} %"
    if unit == "dollars":
        return f"${figure:.{digits}f}"
    if unit == "p" and figure < 0.001:
        return f"{figure:.2e}" if figure else "< 1e-300"
    return f"{figure:.{digits}f}"
