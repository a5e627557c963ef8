"""The analysis of ratings as tables: agreement, models beside the human ceiling, severity, raters,
ideas, and every figure in a line of its own.
"""

import re
from collections.abc import Iterator, Mapping

from core.agreement.conduct import SelfAgreement
from core.agreement.ratings import CriterionAgreement, RatingAgreement
from core.records import Table, Value
from core.statistics.matrix import Matrix
from core.statistics.statistic import Statistic
from core.tables.cells import cell, count, p_of, slug, told_apart

INTERVALS = "In brackets 95 % intervals."
LOW = (
    "Experts agree little on single ideas in most fields: read a model's figure beside the human"
    " ceiling."
)
ICCS = ("ICC(A,1)", "ICC(A,k)", "ICC(C,1)", "ICC(C,k)")
ALPHAS = ("Alpha, ordinal", "Alpha, interval")
CEILING = "one expert (human ceiling)"
NONE = cell(None)


def tables(
    found: RatingAgreement, ratings: Mapping[str, Matrix], repeats: SelfAgreement | None = None
) -> tuple[Table, ...]:
    """Return every table that has something in it."""
    made = (
        experts(found),
        models(found),
        together(found),
        ceiling(found),
        severity(found),
        raters(found, ratings),
        again(repeats),
        ideas(found),
        *(between(one) for one in found.criteria.values()),
        statistics(found, repeats),
    )
    return tuple(
        one.model_copy(update={"head": told_apart(one.head)})
        for one in made
        if one is not None and one.rows
    )


def experts(found: RatingAgreement) -> Table:
    """Return how far experts agree."""
    rows = tuple(
        (
            Value(text=one.criterion),
            count(len(one.experts)),
            count(one.alphas[0].n),
            *map(cell, (*one.iccs, *one.alphas)),
        )
        for one in found.criteria.values()
    )
    labels = {
        stat.name: stat.label for one in found.criteria.values() for stat in one.iccs if stat.label
    }
    named = "".join(f" {name} is {label}." for name, label in labels.items())
    return Table(
        name="agreement",
        title="Agreement among experts",
        rows=rows,
        head=("Criterion", "Experts", "Ideas", *ICCS, *ALPHAS),
        note=(
            "ICC after McGraw and Wong (1996), over ideas every expert rated; alpha is"
            f" Krippendorff's, over ideas two or more rated. {INTERVALS}{named} {LOW}"
        ),
    )


def together(found: RatingAgreement) -> Table:
    """Return how far experts and models agree together, and models with each other; without rows
    where there are no models.
    """
    rows = [
        (Value(text=one.criterion), Value(text=who), count(figures[0].n), *map(cell, figures))
        for one in found.criteria.values()
        for who, figures in (
            ("experts and models", one.alphas_with_models),
            ("models", one.alphas_of_models),
        )
        if figures
    ]
    return Table(
        name="together",
        title="Agreement with models counted in",
        head=("Criterion", "Raters", "Ideas", *ALPHAS),
        rows=tuple(rows),
        note=f"Krippendorff's alpha. {INTERVALS}",
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
    rows = list[tuple[Value, ...]]()
    for one in found.criteria.values():
        if not one.against:
            continue
        criterion = Value(text=one.criterion)
        r, rho, error = (part.mean for part in one.ceilings.measures)
        of_experts = cell(r), NONE, cell(rho), NONE, cell(error)
        rows.append((criterion, Value(text=CEILING), count(r.n), *of_experts))
        for model, against in one.against.items():
            first, *rest = against.figures
            of_model = cell(first), p_of(first), *map(cell, rest)
            rows.append((criterion, Value(text=model), count(first.n), *of_model))
    return Table(
        name="models",
        title="Models against the mean of the experts",
        head=head,
        rows=tuple(rows),
        note=(
            f"{INTERVALS} p is two-sided, of Pearson's r. An expert is held against one expert"
            " fewer than a model, which lowers the ceiling a little."
        ),
    )


def ceiling(found: RatingAgreement) -> Table:
    """Return each expert against the mean of the others."""
    rows = [
        (
            Value(text=one.criterion),
            Value(text=expert),
            count(stat.n),
            *(cell(part.each[expert]) for part in one.ceilings.measures),
        )
        for one in found.criteria.values()
        for expert, stat in one.ceilings.pearson.each.items()
    ]
    return Table(
        name="ceiling",
        title="Each expert against the mean of the others",
        rows=tuple(rows),
        note=INTERVALS,
        head=(
            "Criterion",
            "Expert",
            "Ideas",
            "Pearson's r",
            "Spearman's rho",
            "Mean absolute error",
        ),
    )


def severity(found: RatingAgreement) -> Table:
    """Return by how many points each expert scores below the mean of all on the same ideas."""
    held = list(found.criteria.values())
    names = [name for name in found.conduct if any(name in one.severities.raters for one in held)]
    rows = [
        (Value(text=name), *(cell(one.severities.raters.get(name), 2) for one in held))
        for name in names
    ]
    lacking = " ".join(
        f"{one.criterion}: {one.severities.refused}" for one in held if one.severities.refused
    )
    return Table(
        name="severity",
        title="Severity of the experts",
        head=("Expert", *(one.criterion for one in held)),
        rows=tuple(rows),
        note=(
            "Points below the mean of all experts on the same ideas: above 0 is strict, below 0"
            f" lenient. {INTERVALS} {lacking}".strip()
        ),
    )


def raters(found: RatingAgreement, ratings: Mapping[str, Matrix]) -> Table:
    """Return how each rater went about it."""
    judges = {model for one in found.criteria.values() for model in one.models}
    rows = tuple(
        (
            Value(text=name),
            Value(text="model" if name in judges else "expert"),
            count(sum(int(one.only({name}).rated.sum()) for one in ratings.values())),
            cell(conduct.straight, unit="percent"),
            cell(conduct.spread, 2),
        )
        for name, conduct in found.conduct.items()
    )
    return Table(
        name="raters",
        title="How raters scored",
        head=("Rater", "Who", "Scores", "Same score on every criterion", "Spread of scores"),
        rows=rows,
        note=(
            f"Spread is the standard deviation of scores within a criterion, in points. {INTERVALS}"
        ),
    )


def again(found: SelfAgreement | None) -> Table | None:
    """Return how far raters say the same again; None where nothing was asked twice."""
    if found is None:
        return None
    row = (
        count(found.same.n),
        cell(found.same, unit="percent"),
        cell(found.difference, 2),
        cell(found.icc),
    )
    return Table(
        name="repeats",
        title="Asked again",
        head=("Scores", "Same score", "Mean absolute difference", "ICC(A,1)"),
        rows=(row,),
        note=(
            "Scores of one rater for one idea on one criterion, the first beside the second, all"
            f" taken as independent. {INTERVALS}"
        ),
    )


def ideas(found: RatingAgreement) -> Table:
    """Return what the experts gave each idea, as it is and with their severity taken out."""
    held = list(found.criteria.values())
    names = sorted({item for one in held for item in one.means}, key=_naturally)
    head = ["Idea"]
    columns = list[Mapping[str, Statistic]]()
    for one in held:
        head += [one.criterion, f"{one.criterion}, severity taken out"]
        columns += [one.means, one.severities.items]
    return Table(
        name="ideas",
        title="Mean score of the experts",
        head=tuple(head),
        rows=tuple(
            (Value(text=name), *(cell(column.get(name), 2) for column in columns)) for name in names
        ),
        note=INTERVALS,
    )


def between(one: CriterionAgreement) -> Table:
    """Return how each two raters order the ideas alike."""
    names = (*one.experts, *one.models)
    rho = {
        pair: both.figure
        for both in one.between
        for pair in ((both.one, both.other), (both.other, both.one))
    }
    rows = [
        (Value(text=name), *(cell(rho.get((name, other)), 2) for other in names)) for name in names
    ]
    return Table(
        name=f"pairs-{slug(one.criterion)}",
        title=f"Each two raters: {one.criterion}",
        head=("Rater", *names),
        rows=tuple(rows),
        note=f"Spearman's rho over the ideas both scored. {INTERVALS}",
    )


def statistics(found: RatingAgreement, repeats: SelfAgreement | None) -> Table:
    """Return every figure in a line of its own, with how it was made and what it says."""
    rows = tuple(
        (
            Value(text=one.name),
            Value(text=one.about),
            cell(one),
            p_of(one),
            count(one.n),
            Value(text=one.unit),
            Value(text=one.refused or one.how),
            Value(text=one.reading),
        )
        for one in _every(found, repeats)
    )
    return Table(
        name="statistics",
        title="Every figure",
        head=("Figure", "Of", "Value", "p", "n", "Counted", "How", "In words"),
        rows=rows,
        note=INTERVALS,
    )


def _every(found: RatingAgreement, repeats: SelfAgreement | None) -> Iterator[Statistic]:
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


def _naturally(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return what to sort a name by, so that idea 2 stands before idea 10."""
    return tuple(
        (0, int(part), "") if part.isdecimal() else (1, 0, part)
        for part in re.findall(r"\d+|\D+", name.casefold())
    )
