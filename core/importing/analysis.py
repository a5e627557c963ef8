"""A file of judgements analysed, whatever it holds: ratings, reviews, or an export of ours. Nothing
of it is kept.
"""

from collections import defaultdict
from typing import Literal, NamedTuple

from core.agreement.contrasts import Contrast, Score, contrasts
from core.agreement.contrasts import table as contrasts_table
from core.agreement.ratings import scored_on
from core.agreement.reviews import UNKNOWN, review_sheet
from core.agreement.sheet import AgreementSheet, agreement_sheet, headline
from core.importing.ratings import Ratings
from core.importing.sheets import RefusedRow
from core.records import Table
from core.statistics.statistic import Statistic, counted
from core.studies import sourced
from core.studies.analysis import CriterionStatistics
from core.studies.rated import Rated
from core.studies.series import SessionSeries, of_ratings

Holds = Literal["ratings", "reviews", "rankings", "comparisons", "comments", "votes", "judgments"]


class FileAnalysis(NamedTuple):
    """What a file says, and how it was read."""

    holds: Holds
    read_as: str
    counts: str
    """How much there is, in a line."""
    parts: tuple[CriterionStatistics, ...]
    tables: tuple[Table, ...]
    refused: tuple[RefusedRow, ...]
    unused: tuple[str, ...]
    """Columns that were not read."""
    warnings: tuple[str, ...] = ()
    series: SessionSeries = SessionSeries()
    sheet: AgreementSheet | None = None
    """Of ratings by known raters."""
    contrasts: tuple[Contrast, ...] = ()
    """Sources against each other, where the file names them."""

    @property
    def statistics(self) -> tuple[Statistic, ...]:
        """Every figure, by criterion."""
        return tuple(one for part in self.parts for one in part.statistics)


def of_scores(ratings: Ratings) -> FileAnalysis:
    """Analyse ratings by known raters, or reviews by nobody knows whom.

    Raises BadInput for more than can be analysed at once.
    """
    scales = {name: scored_on(one, ratings.scale) for name, one in ratings.by_criterion.items()}
    found = contrasts(_listed(ratings), scales)
    return _reviews(ratings, found) if ratings.layout.reviews else _ratings(ratings, found)


def _reviews(ratings: Ratings, found: tuple[Contrast, ...]) -> FileAnalysis:
    reviews = review_sheet(ratings.by_criterion, ratings.scale)
    given = [one.score for one in ratings.scores]
    counts = (
        f"{counted(reviews.ideas, 'idea')}, {counted(reviews.reviews, 'review')};"
        f" {counted(len(ratings.scores), 'score')} from {min(given):g} to"
        f" {max(given):g}{_aside(ratings)}."
    )
    parts = tuple(
        CriterionStatistics(one.criterion, (*one.statistics, *_tested(found, one.criterion)))
        for one in reviews.criteria
    )
    tables = (*_contrasts(found), *reviews.tables)
    warnings = (UNKNOWN, *_said(ratings))
    read_as, refused, unused = ratings.layout.said, ratings.refused, ratings.unused
    return FileAnalysis(
        "reviews", read_as, counts, parts, tables, refused, unused, warnings, contrasts=found
    )


def _ratings(ratings: Ratings, found: tuple[Contrast, ...]) -> FileAnalysis:
    by = ratings.by_criterion
    sheet = agreement_sheet(by, ratings.models, ratings.repeats, ratings.scale)
    who = f"{counted(len(sheet.experts), 'expert')}, {counted(len(sheet.models), 'model')}"
    counts = (
        f"{counted(sheet.ideas, 'idea')}, {who} ({ratings.models_said}); {sheet.scores} scores "
        f"from {sheet.lowest:g} to {sheet.highest:g}{_aside(ratings)}."
    )
    parts = [
        CriterionStatistics(name, (*headline(one), *_tested(found, name)))
        for name, one in sheet.agreement.criteria.items()
    ]
    if (again := sheet.repeats) is not None:
        parts.append(CriterionStatistics("", (again.same, again.difference, again.icc)))
    tables = (*sheet.tables, *_contrasts(found), *_by_source(ratings, sheet))
    warnings = (*sheet.warnings, *_said(ratings))
    series = of_ratings(sheet.agreement, by)
    read_as, refused, unused = ratings.layout.said, ratings.refused, ratings.unused
    return FileAnalysis(
        "ratings",
        read_as,
        counts,
        tuple(parts),
        tables,
        refused,
        unused,
        warnings,
        series,
        sheet,
        found,
    )


def _tested(found: tuple[Contrast, ...], criterion: str) -> tuple[Statistic, ...]:
    return tuple(one.statistic for one in found if one.criterion == criterion)


def _contrasts(found: tuple[Contrast, ...]) -> tuple[Table, ...]:
    return (contrasts_table(found),) if found else ()


def _aside(ratings: Ratings) -> str:
    said = (
        counted(ratings.empty, "empty cell") if ratings.empty else "",
        f"{ratings.revised} revised later" if ratings.revised else "",
        (
            f"{counted(ratings.checks, 'row')} of checks of attention left out"
            if ratings.checks
            else ""
        ),
        f"{len(ratings.repeats)} asked again" if ratings.repeats else "",
        f"{counted(ratings.again, 'review')} listed under one more source" if ratings.again else "",
    )
    return "".join(f", {one}" for one in said if one)


def _said(ratings: Ratings) -> tuple[str, ...]:
    """Say what of the sources a reader must know."""
    if not ratings.again:
        return ()
    return (
        (
            f"{counted(ratings.again, 'review')} stand under several sources: each counts once for"
            " agreement, and with each of its sources where these are compared, so that these"
            " sources are not independent."
        ),
    )


def _listed(ratings: Ratings) -> dict[str, list[Score]]:
    """Return the scores by criterion with their sources: of experts, or of models where there are
    no experts.
    """
    people = [
        one for one in ratings.listed if one.rating.rater not in ratings.models
    ] or ratings.listed
    found: dict[str, list[Score]] = defaultdict(list)
    for rating, source, topic in people:
        found[rating.criterion].append(
            Score(
                rating.item,
                "" if ratings.layout.reviews else rating.rater,
                source,
                topic,
                rating.score,
            )
        )
    return {name: some for name, some in found.items() if len({one.source for one in some}) > 1}


def _by_source(ratings: Ratings, sheet: AgreementSheet) -> tuple[Table, ...]:
    """Return the figures by source as a session has them, where every idea has one source."""
    key: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for rating, source, topic in ratings.listed:
        key[rating.item].add((source, topic))
    if not key or any(len(some) > 1 for some in key.values()):
        return ()
    return sourced.tables(
        sourced.of_ratings(
            Rated(ratings.by_criterion, sheet),
            sourced.keyed({item: next(iter(some)) for item, some in key.items()}),
            ratings.scale,
        )
    )
