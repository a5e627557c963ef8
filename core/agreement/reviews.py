"""Reviews of which nobody knows who wrote them: how high they score ideas, and how far those of one
idea agree.
"""

from collections.abc import Mapping

import numpy as np

from core.agreement.ratings import alphas_of_scores, scored_on
from core.records import NOTHING, Record, Table, Value
from core.statistics.intervals import Floats, Scale
from core.statistics.matrix import Matrix
from core.statistics.paired import clustered_ci
from core.statistics.statistic import Statistic, between, of_figure, shown
from core.tables.cells import cell, count, told_apart
from core.wording.numbers import counted

UNKNOWN = (
    "No column names the rater, so that each row is one review. Which raters agree, how strict each"
    " is, and how near models come to experts, cannot be told without that."
)


class ReviewFigures(Record):
    """What reviews say on one criterion."""

    criterion: str
    reviews: int
    ideas: int
    mean: Statistic
    """Over reviews; the interval resamples ideas."""
    alphas: tuple[Statistic, ...]
    """Agreement of the reviews of one idea: ordinal, interval."""

    @property
    def statistics(self) -> tuple[Statistic, ...]:
        """Every figure."""
        return (self.mean, *self.alphas)


class ReviewSheet(Record):
    """What a set of reviews says."""

    criteria: tuple[ReviewFigures, ...]
    reviews: int
    ideas: int
    tables: tuple[Table, ...]

    @property
    def statistics(self) -> tuple[Statistic, ...]:
        """Every figure, by criterion."""
        return tuple(stat for one in self.criteria for stat in one.statistics)


def review_sheet(reviews: Mapping[str, Matrix], scale: Scale | None = None) -> ReviewSheet:
    """Analyse reviews by criterion: ideas in rows, their first, second, ... review in columns,
    whoever wrote it.

    `scale` is what all was scored on; without one it is for each criterion the narrowest of the
    usual ones that holds its scores.
    """
    found = tuple(
        _figures(criterion, one, scored_on(one, scale)) for criterion, one in reviews.items()
    )
    ideas = {item for one in reviews.values() for item in one.items}
    return ReviewSheet(
        criteria=found,
        reviews=max((one.reviews for one in found), default=0),
        ideas=len(ideas),
        tables=_tables(found, reviews),
    )


def _figures(criterion: str, given: Matrix, scale: Scale) -> ReviewFigures:
    at, _ = np.nonzero(given.rated)
    scores = given.values[given.rated]
    figure = clustered_ci(scores.tolist(), [given.items[n] for n in at], scale, "ideas")
    average = f"{shown(figure.value or 0.0)} on average{between(figure.low, figure.high)}"
    reading = f"{counted(len(scores), 'review')} give {average}."
    mean = of_figure(figure, "mean score", criterion, "reviews", reading=reading)
    alphas = alphas_of_scores(given, f"{criterion}, reviews of one idea", "reviews")
    return ReviewFigures(
        criterion=criterion,
        reviews=len(scores),
        ideas=len(given.items),
        mean=mean,
        alphas=tuple(_of_reviews(one, given) for one in alphas),
    )


def _of_reviews(found: Statistic, given: Matrix) -> Statistic:
    """Return alpha in the words of reviews that nobody signed."""
    if len(given.raters) < 2:
        ideas = counted(len(given.items), "idea")
        there = f"Each of {ideas} has" if len(given.items) > 1 else "There is"
        alone = f"{there} one review, so that there is no agreement to measure."
        return found.model_copy(update={"raters": 0, "reading": alone, "refused": alone})
    # Columns are places, not people: how many there are says nothing.
    slots = f"{found.raters} reviews"
    return found.model_copy(
        update={
            "raters": 0,
            "how": found.how.replace(slots, "reviews of one idea, whoever wrote them", 1),
            "reading": found.reading.replace(f"The {slots} agree", "Reviews of one idea agree", 1),
        }
    )


def _tables(found: tuple[ReviewFigures, ...], reviews: Mapping[str, Matrix]) -> tuple[Table, ...]:
    head = ("Criterion", "Reviews", "Ideas", "Mean score", "Alpha, ordinal", "Alpha, interval")
    rows = tuple(
        (
            Value(text=one.criterion),
            count(one.reviews),
            count(one.ideas),
            cell(one.mean, 2),
            *map(cell, one.alphas),
        )
        for one in found
    )
    whole = Table(
        name="agreement",
        title="Agreement of the reviews of one idea",
        head=head,
        rows=rows,
        note=(
            "Alpha is Krippendorff's, over ideas with two reviews or more. In brackets 95 %"
            f" intervals. {UNKNOWN}"
        ),
    )
    names = sorted({item for one in reviews.values() for item in one.items})
    held = {
        one.criterion: dict(zip(one_matrix.items, one_matrix.values, strict=True))
        for one, one_matrix in zip(found, reviews.values(), strict=True)
    }
    means = tuple(
        (Value(text=name), *(_mean(by.get(name)) for by in held.values())) for name in names
    )
    ideas = Table(
        name="ideas",
        title="Mean score of each idea",
        head=told_apart(("Idea", *held)),
        rows=means,
        note="Over its reviews.",
    )
    return tuple(one for one in (whole, ideas) if one.rows)


def _mean(scores: Floats | None) -> Value:
    if scores is None or not np.isfinite(scores).any():
        return Value(text=NOTHING)
    known = scores[np.isfinite(scores)]
    return Value(mean=float(known.mean()), digits=2, n=len(known), counted="reviews")
