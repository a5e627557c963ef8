"""The analysis of ratings as tables: agreement, models beside the human ceiling, severity, raters,
ideas, and every figure in a line of its own.
"""

import re
from collections.abc import Iterator, Mapping

from core.agreement.conduct import SelfAgreement
from core.agreement.ratings import CriterionAgreement, RatingAgreement
from core.records import Table
from core.statistics.matrix import Matrix
from core.statistics.statistic import Statistic
from core.tables.cells import Cell, cell, make_table, p_of, slug, told_apart

INTERVALS = "In brackets 95 % intervals."
LOW = (
    "Experts agree little on single ideas in most fields: read a model's figure beside the human"
    " ceiling."
)
ICCS = ("ICC(A,1)", "ICC(A,k)", "ICC(C,1)", "ICC(C,k)")
ALPHAS = ("Alpha, ordinal", "Alpha, interval")
CEILING = "one expert (human ceiling)"
NONE = cell(None)
Rows = list[tuple[Cell, ...]]


def tables(
    found: RatingAgreement, ratings: Mapping[str, Matrix], repeats: SelfAgreement | None = None
) -> tuple[Table, ...]:
    """Return every table that has something in it."""
    whole = (
        experts(found),
        models(found),
        together(found),
        ceiling(found),
        severity(found),
        raters(found, ratings),
        again(repeats),
        ideas(found),
        *(between(criterion) for criterion in found.criteria.values() if criterion.between),
        statistics(found, repeats),
    )
    return tuple(
        table.model_copy(update={"head": told_apart(table.head)}) for table in whole if table.rows
    )


def experts(found: RatingAgreement) -> Table:
    """Return how far experts agree."""
    rows = Rows()
    labels = dict[str, str]()
    for one in found.criteria.values():
        n = one.alphas[0].n
        rows.append((one.criterion, len(one.experts), n, *one.iccs, *one.alphas))
        labels |= {stat.name: stat.label for stat in one.iccs if stat.label}
    named = "".join(f" {name} is {label}." for name, label in labels.items())
    return make_table(
        "agreement",
        "Agreement among experts",
        ("Criterion", "Experts", "Ideas", *ICCS, *ALPHAS),
        rows,
        "ICC after McGraw and Wong (1996), over ideas every expert rated; alpha is"
        f" Krippendorff's, over ideas two or more rated. {INTERVALS}{named} {LOW}",
    )


def together(found: RatingAgreement) -> Table:
    """Return how far experts and models agree together, and models with each other; without rows
    where there are no models.
    """
    rows = Rows()
    for one in found.criteria.values():
        if both := one.alphas_with_models:
            rows.append((one.criterion, "experts and models", both[0].n, *both))
        if alone := one.alphas_of_models:
            rows.append((one.criterion, "models", alone[0].n, *alone))
    return make_table(
        "together",
        "Agreement with models counted in",
        ("Criterion", "Raters", "Ideas", *ALPHAS),
        rows,
        f"Krippendorff's alpha. {INTERVALS}",
    )


def models(found: RatingAgreement) -> Table:
    """Return each model against the mean of the experts, under what one expert reaches against the
    others; without rows where there are no models.
    """
    head = (
        "Criterion",
        "Against the experts' mean",
        "Ideas",
        "Pearson's r",
        "p",
        "Spearman's rho",
        "Kendall's tau-b",
        "Mean absolute error",
    )
    rows = Rows()
    for one in found.criteria.values():
        if not one.against:
            continue
        r, rho, error = (part.mean for part in one.ceilings.measures)
        rows.append((one.criterion, CEILING, r.n, r, NONE, rho, NONE, error))
        for model, against in one.against.items():
            r, *others = against.figures
            rows.append((one.criterion, model, r.n, r, p_of(r), *others))
    return make_table(
        "models",
        "Models against the mean of the experts",
        head,
        rows,
        f"{INTERVALS} p is two-sided, of Pearson's r. An expert is held against one expert fewer"
        " than a model, which lowers the ceiling a little.",
    )


def ceiling(found: RatingAgreement) -> Table:
    """Return each expert against the mean of the others."""
    head = (
        "Criterion",
        "Expert",
        "Ideas",
        "Pearson's r",
        "Spearman's rho",
        "Mean absolute error",
    )
    rows = Rows()
    for one in found.criteria.values():
        for expert, r in one.ceilings.pearson.each.items():
            figures = (part.each[expert] for part in one.ceilings.measures)
            rows.append((one.criterion, expert, r.n, *figures))
    title = "Each expert against the mean of the others"
    return make_table("ceiling", title, head, rows, INTERVALS)


def severity(found: RatingAgreement) -> Table:
    """Return by how many points each expert scores below the mean of all on the same ideas."""
    criteria = list(found.criteria.values())
    rows = Rows()
    for name in found.conduct:
        figures = [one.severities.raters.get(name) for one in criteria]
        if any(figures):
            rows.append((name, *(cell(figure, 2) for figure in figures)))
    refusals = [
        f"{one.criterion}: {one.severities.refused}" for one in criteria if one.severities.refused
    ]
    note = (
        "Points below the mean of all experts on the same ideas: above 0 is strict, below 0"
        f" lenient. {INTERVALS}"
    )
    return make_table(
        "severity",
        "Severity of the experts",
        ("Expert", *(one.criterion for one in criteria)),
        rows,
        " ".join([note, *refusals]),
    )


def raters(found: RatingAgreement, ratings: Mapping[str, Matrix]) -> Table:
    """Return how each rater went about it."""
    judges = {model for one in found.criteria.values() for model in one.models}
    rows = Rows()
    for name, conduct in found.conduct.items():
        who = "model" if name in judges else "expert"
        scores = sum(int(matrix.only({name}).rated.sum()) for matrix in ratings.values())
        straight = cell(conduct.straight, unit="percent")
        rows.append((name, who, scores, straight, cell(conduct.spread, 2)))
    return make_table(
        "raters",
        "How raters scored",
        ("Rater", "Who", "Scores", "Same score on every criterion", "Spread of scores"),
        rows,
        f"Spread is the standard deviation of scores within a criterion, in points. {INTERVALS}",
    )


def again(found: SelfAgreement | None) -> Table:
    """Return how far raters say the same again; without rows where nothing was asked twice."""
    rows = Rows()
    if found:
        same = cell(found.same, unit="percent")
        rows.append((found.same.n, same, cell(found.difference, 2), found.icc))
    return make_table(
        "repeats",
        "Asked again",
        ("Scores", "Same score", "Mean absolute difference", "ICC(A,1)"),
        rows,
        "Scores of one rater for one idea on one criterion, the first beside the second, all"
        f" taken as independent. {INTERVALS}",
    )


def ideas(found: RatingAgreement) -> Table:
    """Return what the experts gave each idea, as it is and with their severity taken out."""
    head = ["Idea"]
    columns = list[Mapping[str, Statistic]]()
    for one in found.criteria.values():
        head += [one.criterion, f"{one.criterion}, severity taken out"]
        columns += [one.means, one.severities.items]
    names = sorted({item for means in columns[::2] for item in means}, key=_by_number)
    rows = Rows()
    for name in names:
        rows.append((name, *(cell(column.get(name), 2) for column in columns)))
    return make_table("ideas", "Mean score of the experts", head, rows, INTERVALS)


def between(found: CriterionAgreement) -> Table:
    """Return how each two raters order the ideas alike."""
    names = (*found.experts, *found.models)
    rho = {frozenset((pair.one, pair.other)): pair.figure for pair in found.between}
    rows = Rows()
    for name in names:
        figures = [rho.get(frozenset((name, other))) for other in names]
        rows.append((name, *(cell(figure, 2) for figure in figures)))
    return make_table(
        f"pairs-{slug(found.criterion)}",
        f"Each two raters: {found.criterion}",
        ("Rater", *names),
        rows,
        f"Spearman's rho over the ideas both scored. {INTERVALS}",
    )


def statistics(found: RatingAgreement, repeats: SelfAgreement | None) -> Table:
    """Return every figure in a line of its own, with how it was made and what it says."""
    head = ("Figure", "Of", "Value", "p", "n", "Counted", "How", "In words")
    rows = Rows()
    for one in _statistics(found, repeats):
        how = one.refused or one.how
        rows.append((one.name, one.about, one, p_of(one), one.n, one.unit, how, one.reading))
    return make_table("statistics", "Every figure", head, rows, INTERVALS)


def _statistics(found: RatingAgreement, repeats: SelfAgreement | None) -> Iterator[Statistic]:
    for one in found.criteria.values():
        yield from one.agreement
        for part in one.ceilings.measures:
            yield from (part.mean, *part.each.values())
        for against in one.against.values():
            yield from against.figures
        yield from one.severities.raters.values()
    for conduct in found.conduct.values():
        yield from (conduct.straight, conduct.spread)
    if repeats:
        yield from (repeats.same, repeats.difference, repeats.icc)


def _by_number(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return what to sort a name by, so that idea 2 stands before idea 10."""
    return tuple(
        (0, int(part), "") if part.isdecimal() else (1, 0, part)
        for part in re.findall(r"\d+|\D+", name.casefold())
    )
