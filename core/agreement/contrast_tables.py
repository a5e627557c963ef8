"""Sources compared, as tables: the mean of each source, and every test in a row."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from core.agreement.contrasts import MIXED, OF_PAIRS, OF_RANKS, Contrast
from core.agreement.designs import Score
from core.records import NOTHING, Table, Unit, Value
from core.statistics.intervals import Scale
from core.statistics.paired import clustered_ci
from core.statistics.statistic import Statistic, between, of_figure, shown
from core.tables.cells import Cell, cell, make_table, number, slug, told_apart

HEAD = (
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
    "Statistic",
    "Its value",
    "Degrees of freedom",
    "p",
)


def every(
    found: Sequence[Contrast],
    scores: Mapping[str, Sequence[Score]],
    scales: Mapping[str, Scale],
) -> tuple[Table, ...]:
    """Return the means of the sources and all their tests; nothing where no sources are named."""
    if not found:
        return ()
    return source_means(scores, scales), contrast_table(found), variance_table(found)


def source_means(scores: Mapping[str, Sequence[Score]], scales: Mapping[str, Scale]) -> Table:
    """Return the mean score of each source by criterion, over its reviews, with how many reviews
    and ideas these are; intervals resample ideas.
    """
    reviews: dict[str, int] = defaultdict(int)
    ideas: dict[str, set[str]] = defaultdict(set)
    columns: dict[str, dict[str, Statistic]] = {}
    for criterion, given in scores.items():
        by_source: dict[str, list[Score]] = defaultdict(list)
        for score in given:
            by_source[score.source].append(score)
            ideas[score.source].add(score.item)
        columns[criterion] = {}
        for source, some in by_source.items():
            reviews[source] = max(reviews[source], len(some))
            figure = clustered_ci(
                [one.score for one in some],
                [one.item for one in some],
                scales[criterion],
                "ideas",
            )
            ends = between(figure.low, figure.high)
            reading = f"Reviews give {source} {shown(figure.value or 0.0)} on average{ends}."
            columns[criterion][source] = of_figure(
                figure, "mean score", f"{criterion}, {source}", "reviews", reading=reading
            )
    rows = list[list[Cell]]()
    for source in sorted(reviews):
        means = [cell(columns[name].get(source), 2) for name in columns]
        rows.append([source, reviews[source], len(ideas[source]), *means])
    return make_table(
        "source-means",
        "Mean score of each source",
        told_apart(("Source", "Reviews", "Ideas", *columns)),
        rows,
        "Over reviews; in brackets 95 % intervals over ideas.",
    )


def contrast_table(found: Sequence[Contrast]) -> Table:
    """Return the contrasts as a table, a row for each test."""
    formulas = " or ".join(sorted({one.formula for one in found if one.formula}))
    lacking = sorted({reason for one in found for reason in one.left_out})
    without = f" Left out of it: {'; '.join(lacking)}." if lacking else ""
    correction = found[0].correction if found else "Holm"
    mixed = ""
    if formulas:
        mixed = (
            f" The mixed model is {formulas}, by restricted maximum likelihood with Satterthwaite's"
            f" degrees of freedom; its d is by the standard deviation of all its terms.{without}"
            f"{singular(found)}"
        )
    return make_table(
        "contrasts",
        "Sources compared",
        (*HEAD, f"p after {correction}", "Effect", "Size", "Assumptions"),
        map(_row, found),
        "Differences of means, the first source less the second, with 95 % intervals. p is"
        f" two-sided; {correction}'s correction is for all pairs of sources of one criterion by"
        " one test. A probability of superiority is how often the first stands above the second,"
        f" 0.5 by chance.{mixed}{unmet(found)}",
    )


def printed(found: Sequence[Contrast]) -> tuple[Table, ...]:
    """Return the contrasts that there are as tables for a page, one for each criterion, with what
    belongs together in one column; what was refused, and why, is in the sheet.
    """
    by_criterion: dict[str, list[Contrast]] = defaultdict(list)
    for one in found:
        if one.p is not None:
            by_criterion[one.criterion].append(one)
    made = []
    for criterion, some in by_criterion.items():
        correction = some[0].correction
        rows = []
        for one in some:
            whole = dict(zip(HEAD, _row(one), strict=False))
            size = Value(mean=one.size, low=one.size_low, high=one.size_high, digits=2)
            statistic = f"{whole['Statistic']} = {one.ranks or 0.0:g}"
            if one.t is not None:
                statistic = f"t({one.df or 0.0:.1f}) = {one.t:.2f}".replace("-", "\N{MINUS SIGN}")
            n = str(one.n[0]) if one.test in OF_PAIRS else f"{one.n[0]}, {one.n[1]}"
            of = f"{one.test} per {one.unit}" if one.test != MIXED else MIXED
            marked = f"{of} *" if one.mind else of
            corrected = number(one.corrected, 4, "p")
            rows.append(
                (
                    f"{one.one} less {one.other}",
                    marked,
                    n,
                    whole["Difference"],
                    statistic,
                    whole["p"],
                    corrected,
                    one.effect,
                    size,
                )
            )
        made.append(
            make_table(
                f"contrasts-{slug(criterion)}",
                f"Sources compared: {criterion}",
                (
                    "Sources",
                    "Test",
                    "n",
                    "Difference",
                    "Statistic",
                    "p",
                    f"p, {correction}",
                    "Effect",
                    "Its size",
                ),
                rows,
                "With 95 % intervals; p is two-sided. An asterisk: the design does not meet the"
                f" test's assumptions.{singular(some)}",
            )
        )
    return tuple(made)


def variance_table(found: Sequence[Contrast]) -> Table:
    """Return the variances of each criterion's mixed model; without rows where none was fitted."""
    fitted = {one.criterion: one for one in found if one.variances}
    rows = list[list[Cell]]()
    for criterion, one in fitted.items():
        whole = sum(one.variances.values())
        for name, variance in one.variances.items():
            term = name if name == "residual" else f"(1 | {name})"
            share = number(variance / whole, 3, "percent")
            lacks = "" if variance else "at zero: left out of the degrees of freedom"
            rows.append(
                [criterion, term, number(variance, 4), number(variance**0.5, 4), share, lacks]
            )
        for term in one.left_out:
            name, _, why = term.partition(": ")
            rows.append([criterion, name, NOTHING, NOTHING, NOTHING, f"left out: {why}"])
    return make_table(
        "variances",
        "Variances of the mixed model",
        ("Criterion", "Term", "Variance", "Standard deviation", "Share of all", "Note"),
        rows,
        "By restricted maximum likelihood, in squared points of the criterion's scale. A variance"
        " under a millionth of the residuals' is taken for zero.",
    )


def _row(one: Contrast) -> tuple[Cell, ...]:
    lacking = Value(text=NOTHING, note=one.refused)

    def figure(part: float | None, digits: int = 2, unit: Unit = "") -> Value:
        return lacking if part is None else number(part, digits, unit)

    statistic = "" if one.p is None else "t" if one.t is not None else "U"
    if statistic and one.test in OF_RANKS and one.effect == "rank-biserial r":
        statistic = "W"
    difference = lacking
    if one.difference is not None:
        difference = cell(one.statistic, 2).model_copy(update={"note": one.how})
    elif not one.refused:
        difference = Value(text=NOTHING, note=one.how)
    size = lacking
    if one.size is not None:
        size = Value(mean=one.size, low=one.size_low, high=one.size_high, digits=2)
    means = [figure(mean) for mean in one.means]
    if one.test == MIXED:
        means = [Value(text=NOTHING)] * 2
    return (
        one.criterion,
        one.one,
        one.other,
        one.unit,
        one.test,
        *one.n,
        *means,
        difference,
        statistic,
        figure(one.t if one.t is not None else one.ranks),
        figure(one.df) if one.test not in OF_RANKS else Value(text=NOTHING),
        figure(one.p, 4, "p"),
        figure(one.corrected, 4, "p"),
        one.effect,
        size,
        "not met" if one.mind else "",
    )


def singular(found: Sequence[Contrast]) -> str:
    """Say of which criteria the mixed model's df and p rest on more than its formula, beginning
    with a space; nothing where they do not.
    """
    caveats: dict[str, dict[str, None]] = {}
    for one in found:
        if one.test == MIXED and one.caveat:
            caveats.setdefault(one.caveat, {})[one.criterion] = None
    return "".join(f" Of {', '.join(names)}: {caveat}." for caveat, names in caveats.items())


def unmet(found: Sequence[Contrast]) -> str:
    """Say what of the tests' assumptions the design does not meet, beginning with a space; nothing
    where it meets all.
    """
    minds = dict.fromkeys(one.mind for one in found if one.mind)
    if not minds:
        return ""
    said = " ".join(minds)
    return f" Where assumptions are not met a test may find too much or too little: {said}"
