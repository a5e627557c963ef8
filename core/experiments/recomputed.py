"""What can be recomputed from the published cells themselves: sums, means and percentages beside
what the papers print, and where no rounding of the cells gives the printed figure.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from statistics import fmean
from typing import Any, NamedTuple

from core.experiments import published as infal
from core.experiments.checklist import published as evoideator
from core.experiments.findings import Measured
from core.records import ITEMS, Table
from core.statistics.intervals import t_width
from core.tables.cells import Cell, make_table, number

DIMENSIONS = ("fluency", "feasibility", "clarity", "originality", "flexibility")
HALF = 0.0005
"""How far rounding to three digits moves a figure at most."""


class Recomputed(NamedTuple):
    """A printed figure, and what the printed cells it is made of come to."""

    paper: str
    where: str
    what: str
    printed: float
    again: float
    low: float
    high: float
    """Between which the cells, as they are rounded, let it lie."""

    @property
    def differs(self) -> bool:
        """Whether no rounding gives what is printed."""
        return not self.low - 1e-9 <= self.printed <= self.high + 1e-9


def recomputed() -> tuple[Recomputed, ...]:
    """Return everything that can be recomputed of InfAL and EvoIdeator."""
    held: dict[str, Any] = json.loads(infal.FILE.read_text("utf-8"))
    return (
        *_increase(),
        *_sizes(held),
        *_rounds(held),
        *_repeats(held["table4"]["rows"]),
        *_categories(),
        *_items(),
    )


def of_board(rows: Sequence[Mapping[str, str]]) -> tuple[Recomputed, ...]:
    """Return the averages of LiveIdeaBench's table 3, from rows as its file has them."""
    found = []
    for row in rows:
        mean = fmean(float(row[name]) for name in DIMENSIONS)
        what = f"average, {row['model']}"
        # Its cells, and it itself, are half a hundredth off at most.
        ends = (mean - 0.01, mean + 0.01)
        found.append(
            Recomputed("LiveIdeaBench", "table 3", what, float(row["average"]), mean, *ends)
        )
    return tuple(found)


def _increase() -> Iterator[Recomputed]:
    """The ratio that InfAL's text calls an increase, from table 1."""
    q = {
        (one.method, one.model, one.indicator): one.value.mean
        for one in infal.shipped().quality
        if one.what == "q"
    }
    first, last = (q.get((name, "GPT-4o", "feasibility")) for name in ("initial", "infal"))
    if not (first and last):
        return
    low = 100 * ((last - HALF) / (first + HALF) - 1)
    high = 100 * ((last + HALF) / (first - HALF) - 1)
    what = "increase of GPT-4o's feasibility, percent"
    again = 100 * (last / first - 1)
    yield Recomputed("InfAL", "text on table 1", what, 322.0, again, low, high)


def _sizes(held: Mapping[str, Any]) -> Iterator[Recomputed]:
    """The targets of the five categories, beside how many there are said to be."""
    sizes = held["dataset_sizes_section_4_1"]
    stated = float(sizes["stated_total"])
    total = sum(sizes.values()) - stated
    what = "target papers of all categories"
    yield Recomputed("InfAL", "section 4.1", what, stated, total, total, total)


def _rounds(held: Mapping[str, Any]) -> Iterator[Recomputed]:
    """Median rounds of InfAL, in table 8 beside table 2."""
    of = {
        (row["model"], row["indicator"]): float(row["median_iterations"])
        for row in held["table2"]["rows"]
    }
    for row in held["table8"]["rows"]:
        known = of.get((row["model"], row["indicator"]))
        if known is not None:
            what = f"median rounds, {row['model']}, {row['indicator']}"
            printed = float(row["infal"])
            yield Recomputed("InfAL", "table 8 beside table 2", what, printed, known, known, known)


def _repeats(rows: Sequence[Mapping[str, Any]]) -> Iterator[Recomputed]:
    """Variance and interval of table 4 from its standard deviation: five repeats."""
    for row in rows:
        deviation, name = row["std"], row["indicator"]
        least, most = deviation - HALF, deviation + HALF
        what = f"variance of Q over repeats, {name}"
        ends = (least**2, most**2)
        yield Recomputed("InfAL", "table 4", what, row["variance"], deviation**2, *ends)
        wide = t_width(4) / sqrt(5)
        what = f"half the interval of Q over repeats, {name}"
        ends = (wide * least - HALF, wide * most + HALF)
        yield Recomputed("InfAL", "table 4", what, row["ci95_half"], wide * deviation, *ends)


def _categories() -> Iterator[Recomputed]:
    """Mean Q over the categories of tables 9 to 14, beside table 1: whatever their weights, a mean
    lies between the lowest and the highest of them.
    """
    found = infal.shipped()
    by: dict[tuple[str, str, str], list[float]] = {}
    for one in found.categories:
        if one.value.mean is not None:
            by.setdefault(_of(one), []).append(one.value.mean)
    for one in found.quality:
        cells = by.get(_of(one))
        if one.what == "q" and cells and one.value.mean is not None:
            what = f"mean Q over categories: {one.method}, {one.model}, {one.indicator}"
            ends = (min(cells) - 2 * HALF, max(cells) + 2 * HALF)
            where = "tables 9 to 14 beside table 1"
            yield Recomputed("InfAL", where, what, one.value.mean, fmean(cells), *ends)


def _of(one: Measured) -> tuple[str, str, str]:
    """Return what a figure is of, however its table spells the model."""
    model = one.model.lower().removesuffix("-instruct").replace(" ", "-")
    return one.method, model, one.indicator


def _items() -> Iterator[Recomputed]:
    """Sums of EvoIdeator's items (table 1, Layout taken as 1) beside the sums of table 2."""
    held: dict[str, Any] = evoideator.shipped()
    names = [item.name for item in ITEMS]
    sums: dict[int, float] = {}
    for row in held["table1"]:
        if row["generator"] == "EvoIdeator":
            items = row["items"]
            left_out = sum(name not in items for name in names)
            sums[row["step"]] = sum(mean for mean, _ in items.values()) + left_out
    for row in held["table2"]:
        if row["provider"] != "DS R1 70B Distill":
            continue
        for step, (mean, _) in enumerate(row["steps"]):
            if step in sums:
                what = f"sum over items at step {step}, Layout taken as 1"
                reach = 0.005 * (len(names) + 1)
                ends = (sums[step] - reach, sums[step] + reach)
                where = "table 1 beside table 2"
                yield Recomputed("EvoIdeator", where, what, mean, sums[step], *ends)


def table(found: Sequence[Recomputed], only_different: bool = False) -> Table:
    """Return what was recomputed, or where no rounding gives what is printed."""
    rows = list[tuple[Cell, ...]]()
    for one in found:
        if one.differs or not only_different:
            digits = 8 if abs(one.printed) < 0.001 else 3
            said = "differs" if one.differs else "as printed"
            figures = (one.printed, one.again, one.again - one.printed)
            rows.append(
                (one.paper, one.where, one.what, *(number(n, digits) for n in figures), said)
            )
    head = ("Paper", "Where", "What", "Printed", "Recomputed", "Difference", "In words")
    note = (
        "“Differs”: no rounding of the printed cells gives the printed figure. A mean over"
        " categories may have any weights: it differs where it lies outside all of them."
    )
    return make_table("published-recomputed", "Recomputed from published cells", head, rows, note)
