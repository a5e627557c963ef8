"""Sources compared, as a table with a row for each test."""

from collections.abc import Sequence

from core.agreement.sources import CORRECTED, Contrast
from core.records import NOTHING, Table, Value
from core.tables.cells import cell, count


def table(found: Sequence[Contrast]) -> Table:
    """Return the contrasts as a table, a row for each test."""
    head = (
        "Criterion",
        "First source",
        "Second source",
        "Per",
        "Test",
        "n of the first",
        "n of the second",
        "Mean of the first",
        "Mean of the second",
        "Difference",
        "t",
        "Degrees of freedom",
        "p",
        f"p after {CORRECTED}",
    )
    formulas = " or ".join(sorted({one.formula for one in found if one.formula}))
    return Table(
        name="contrasts",
        title="Sources compared",
        head=head,
        rows=tuple(map(_row, found)),
        note=(
            "Differences of means, the first source less the second, with 95 % intervals. p is"
            f" two-sided; {CORRECTED}'s correction is for all pairs of sources of one criterion by"
            " one test. Reviews are taken as independent, which those of one reviewer or one idea"
            f" are not: read them beside ideas, reviewers and the mixed model ({formulas};"
            " restricted maximum likelihood, Satterthwaite's degrees of freedom)."
        ),
    )


def _row(one: Contrast) -> tuple[Value, ...]:
    lacking = Value(text=NOTHING, note=one.refused)
    means = (lacking if mean is None else Value(mean=mean, digits=2) for mean in one.means)
    apart = cell(one.statistic, 2) if one.difference is not None else lacking
    numbers = (lacking if part is None else Value(mean=part, digits=2) for part in (one.t, one.df))
    chances = (
        lacking if part is None else Value(mean=part, unit="p", digits=4)
        for part in (one.p, one.corrected)
    )
    return (
        Value(text=one.criterion),
        Value(text=one.one),
        Value(text=one.other),
        Value(text=one.unit),
        Value(text=one.test),
        *map(count, one.n),
        *means,
        apart,
        *numbers,
        *chances,
    )
