"""A file of judgements analysed, whatever it holds: ratings, reviews, or an export of ours. Nothing
of it is kept.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple

from core.agreement import contrast_tables, standing_in
from core.agreement.contrasts import Contrast, contrasts
from core.agreement.designs import Score
from core.agreement.ratings import scored_on
from core.agreement.reviews import UNKNOWN, review_sheet
from core.agreement.sheet import MOST_CRITERIA, AgreementSheet, agreement_sheet
from core.agreement.standing_in import Annotators
from core.benchmark.results import tables as of_benchmark
from core.errors import BadInput
from core.importing import answers as own
from core.importing.answers import ImportedAnswers, answers
from core.importing.judgments import Judgments, is_judgments, judgments
from core.importing.rating_guess import guess_layout
from core.importing.ratings import Ratings, take_ratings
from core.importing.sheets import RefusedRow, Sheet
from core.importing.votes import Votes, columns_of, votes
from core.judging.arena import tables as arena_tables
from core.records import Lineup, Table
from core.refusals import Refusals
from core.statistics.corrections import CorrectionName
from core.statistics.statistic import Statistic
from core.studies import commented, compared, ordered, sourced
from core.studies.analysis import CriterionStatistics, with_judges
from core.studies.rated import Rated
from core.studies.series import SessionSeries, of_orders, of_ratings
from core.studies.tested_judges import of_pairs
from core.wording.numbers import counted

MOST_ANSWERING = 100
"""Raters of a session of other answers than ratings: every two are compared on every answer."""
MOST_COMPARED = 50
"""Sources of which every two are compared, by seven tests on each criterion."""
MOST_CONTRASTED = 1_500
"""Comparisons of two sources on a criterion, each by seven tests."""
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
    more_refused: int = 0
    """Cells and rows that were not taken, beyond those that are listed."""
    refused_by_reason: dict[str, int] = {}

    @property
    def refused_count(self) -> int:
        """How many cells and rows were not taken."""
        return len(self.refused) + self.more_refused

    @property
    def statistics(self) -> tuple[Statistic, ...]:
        """Every figure, by criterion."""
        return tuple(one for part in self.parts for one in part.statistics)


class _Compared(NamedTuple):
    """The sources of a file, compared."""

    contrasts: tuple[Contrast, ...]
    tables: tuple[Table, ...]

    def on(self, criterion: str) -> tuple[Statistic, ...]:
        """Return the tests on one criterion as statistics."""
        return tuple(one.statistic for one in self.contrasts if one.criterion == criterion)


def of_scores(
    ratings: Ratings,
    correction: CorrectionName = "Holm",
    annotators: Annotators = "experts",
) -> FileAnalysis:
    """Analyse ratings by known raters, or reviews by nobody knows whom; where sources are named,
    compare them. `annotators` says what kind of people the raters are.

    Raises BadInput for more than can be analysed at once.
    """
    _refuse_experts(ratings.models)
    sources = {source for _, source, _ in ratings.listed}
    if len(sources) > MOST_COMPARED:
        raise BadInput(
            f"The file names {len(sources):,} sources; {MOST_COMPARED} are compared at most. Is the"
            " right column taken for the source? Else leave it out."
        )
    pairs = math.comb(len(sources), 2) * len(ratings.by_criterion)
    if pairs > MOST_CONTRASTED:
        raise BadInput(
            f"The file names {len(sources)} sources and {len(ratings.by_criterion)} criteria, so"
            f" that {pairs:,} times two sources would be compared; {MOST_CONTRASTED:,} times at"
            " most. Leave out columns of criteria, or the column of sources."
        )
    scales = {}
    for criterion, scores in ratings.by_criterion.items():
        scales[criterion] = scored_on(scores, ratings.scale)
    listed = _list_scores(ratings)
    found = contrasts(listed, scales, correction)
    compared = _Compared(found, contrast_tables.every(found, listed, scales))
    if ratings.layout.reviews:
        return _first_refused(_reviews(ratings, compared))
    return _first_refused(_ratings(ratings, compared, annotators))


def _first_refused(found: FileAnalysis) -> FileAnalysis:
    """Return an analysis that lists the first of what was not taken, and counts the rest."""
    left = Refusals(found.refused)
    return found._replace(
        refused=left.first, more_refused=left.more, refused_by_reason=left.reasons
    )


def _reviews(ratings: Ratings, found: _Compared) -> FileAnalysis:
    reviews = review_sheet(ratings.by_criterion, ratings.scale)
    values = [one.score for one in ratings.scores]
    counts = (
        f"{counted(reviews.ideas, 'idea')}, {counted(reviews.reviews, 'review')};"
        f" {counted(len(ratings.scores), 'score')} from {min(values):g} to"
        f" {max(values):g}{_aside(ratings)}."
    )
    parts = tuple(
        CriterionStatistics(one.criterion, (*one.statistics, *found.on(one.criterion)))
        for one in reviews.criteria
    )
    return FileAnalysis(
        holds="reviews",
        read_as=ratings.layout.said,
        counts=counts,
        parts=parts,
        tables=(*found.tables, *reviews.tables),
        refused=ratings.refused,
        unused=ratings.unused,
        warnings=(UNKNOWN, *_several_sources(ratings)),
        contrasts=found.contrasts,
    )


def _ratings(ratings: Ratings, found: _Compared, annotators: Annotators) -> FileAnalysis:
    by = ratings.by_criterion
    sheet = agreement_sheet(by, ratings.models, ratings.repeats, ratings.scale, annotators)
    who = f"{counted(len(sheet.experts), 'expert')}, {counted(len(sheet.models), 'model')}"
    counts = (
        f"{counted(sheet.ideas, 'idea')}, {who} ({ratings.models_said}); {sheet.scores} scores "
        f"from {sheet.lowest:g} to {sheet.highest:g}{_aside(ratings)}."
    )
    parts = [
        CriterionStatistics(name, (*sheet.on(name), *found.on(name)))
        for name in sheet.agreement.criteria
    ]
    if (again := sheet.repeats) is not None:
        parts.append(CriterionStatistics("", (again.same, again.difference, again.icc)))
    return FileAnalysis(
        holds="ratings",
        read_as=ratings.layout.said,
        counts=counts,
        parts=tuple(parts),
        tables=(*sheet.tables, *found.tables, *_by_source(ratings, sheet)),
        refused=ratings.refused,
        unused=ratings.unused,
        warnings=(*sheet.warnings, *_several_sources(ratings)),
        series=of_ratings(sheet.agreement, by),
        sheet=sheet,
        contrasts=found.contrasts,
    )


def _aside(ratings: Ratings) -> str:
    parts = (
        counted(ratings.empty, "empty cell") if ratings.empty else "",
        f"{ratings.revised} revised later" if ratings.revised else "",
        (
            f"{counted(ratings.checks, 'row')} of attention checks left out"
            if ratings.checks
            else ""
        ),
        f"{len(ratings.repeats)} asked again" if ratings.repeats else "",
        (
            f"{ratings.alone} given a second time without a first, or a third time, in no figure"
            if ratings.alone
            else ""
        ),
        f"{counted(ratings.again, 'review')} listed under one more source" if ratings.again else "",
    )
    return "".join(f", {part}" for part in parts if part)


def _several_sources(ratings: Ratings) -> tuple[str, ...]:
    """Say what of the sources a reader must know."""
    if not ratings.again:
        return ()
    warning = (
        f"{counted(ratings.again, 'review')} stand under several sources: each counts once for"
        " agreement, and with each of its sources where these are compared, so that these sources"
        " are not independent."
    )
    return (warning,)


def _list_scores(ratings: Ratings) -> dict[str, list[Score]]:
    """Return the scores by criterion with their sources: of experts, or of models where there are
    no experts.
    """
    people = [one for one in ratings.listed if one.rating.rater not in ratings.models]
    found: dict[str, list[Score]] = defaultdict(list)
    for rating, source, topic in people or ratings.listed:
        rater = "" if ratings.layout.reviews else rating.rater
        score = Score(rating.item, rater, source, topic, rating.score)
        found[rating.criterion].append(score)
    for criterion, scores in list(found.items()):
        if len({score.source for score in scores}) < 2:
            del found[criterion]
    return found


def _by_source(ratings: Ratings, sheet: AgreementSheet) -> tuple[Table, ...]:
    """Return the figures by source as a session has them, where every idea has one source."""
    key: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for rating, source, topic in ratings.listed:
        key[rating.item].add((source, topic))
    if not key or any(len(some) > 1 for some in key.values()):
        return ()
    keys = sourced.keyed({item: next(iter(some)) for item, some in key.items()})
    found = Rated(ratings.by_criterion, sheet)
    return sourced.tables(sourced.of_ratings(found, keys, sourced.named(keys), ratings.scale))


# -- exports of ours ---------------------------------------------------------------------------


def is_export(sheet: Sheet) -> bool:
    """Say whether a file has the columns of an export of ours that needs no telling."""
    return own.is_answers(sheet) or is_judgments(sheet) or bool(columns_of(sheet))


def of_export(sheet: Sheet) -> FileAnalysis | None:
    """Analyse an export of ours that needs no telling how it is read: answers of a session, votes,
    judgments; None for any other file.
    """
    if (session := answers(sheet)) is not None:
        return _of_session(session)
    if (benchmark := judgments(sheet)) is not None:
        return _first_refused(_of_benchmark(sheet, benchmark))
    if (arena := votes(sheet)) is not None:
        return _first_refused(_of_arena(sheet, arena))
    return None


def _of_session(session: ImportedAnswers) -> FileAnalysis:
    raters = len(set(own.raters(session)))
    if session.task != "rate" and raters > MOST_ANSWERING:
        raise BadInput(
            f"The session has {raters:,} raters; {MOST_ANSWERING} are analysed at once. Split the"
            " file, by set or by criterion for instance."
        )
    if (criteria := len(own.criteria(session))) > MOST_CRITERIA:
        raise BadInput(
            f"The session is on {criteria:,} criteria; {MOST_CRITERIA} are analysed at once. Is the"
            " right column taken for the criterion? Else split the file by criterion."
        )
    _refuse_experts(session.models)
    if session.task == "rank":
        sets, again, bad = own.orders(session)
        orders = ordered.of_sets(sets, again, session.models)
        figures, tables = ordered.figures(orders), ordered.tables(orders)
        series = of_orders(orders.agreement)
        return _from_session(session, "rankings", figures, tables, series, bad)
    if session.task == "compare":
        answers_given, bad = own.comparisons(session)
        pairs = compared.of_answers(
            answers_given, own.criteria(session), own.raters(session), session.models
        )
        figures, tables = compared.figures(pairs), compared.tables(pairs)
        judges = of_pairs(answers_given, own.criteria(session), session.models)
        if judges:
            figures = with_judges(figures, judges)
            tables = (*tables, standing_in.table(judges))
        return _from_session(session, "comparisons", figures, tables, compared.series(pairs), bad)
    if session.task == "comment":
        lines, _, bad = own.comments(session)
        rounds = commented.of_lines(lines, session.models)
        tables, series = commented.tables(rounds), SessionSeries(ceilings=rounds.ceilings)
        return _from_session(session, "comments", rounds.figures, tables, series, bad)
    return of_scores(take_ratings(session.whole, guess_layout(session.whole)))


def _refuse_experts(models: Collection[str]) -> None:
    """Raise BadInput for a model that is called as all experts together are in figures."""
    if sourced.EXPERTS in models:
        raise BadInput(
            f"The file has a model judge called {sourced.EXPERTS!r}, as the experts together are"
            " called here. Give it another name in the file."
        )


def _from_session(
    session: ImportedAnswers,
    holds: Holds,
    figures: dict[str, tuple[Statistic, ...]],
    tables: Sequence[Table],
    series: SessionSeries,
    bad: Sequence[RefusedRow],
) -> FileAnalysis:
    raters = own.raters(session)
    experts = len(set(raters) - session.models)
    aside = (
        (session.revised, "revised later"),
        (session.checks, "of attention checks"),
        (session.left_out, "that count in no figure"),
    )
    counts = (
        f"{counted(experts, 'expert')}, {counted(len(session.models), 'model')};"
        f" {counted(len(session.sheet.rows), 'row')} of answers"
    )
    if left := ", ".join(f"{n} {what}" for n, what in aside if n):
        counts += f"; left out: {left}"
    warnings: tuple[str, ...] = ()
    if "kind" not in session.sheet.columns:
        warnings = (
            (
                "The file is of an earlier version, which did not say who is a model: all raters"
                " are taken for experts."
            ),
        )
    found = FileAnalysis(
        holds=holds,
        read_as=f"Read as answers of a session of ours: {holds}.",
        counts=f"{counts}.",
        parts=tuple(CriterionStatistics(name, statistics) for name, statistics in figures.items()),
        tables=tuple(tables),
        refused=tuple(bad),
        unused=(),
        warnings=warnings,
        series=series,
    )
    return _first_refused(found)


def _of_benchmark(sheet: Sheet, found: Judgments) -> FileAnalysis:
    tables = (
        of_benchmark.board(found.board),
        of_benchmark.severity(found.severity),
        of_benchmark.agreement(found.agreement),
    )
    counts = (
        f"{counted(found.judgments, 'judgment')} of {counted(found.ideas, 'idea')} by"
        f" {counted(len(found.board.rows), 'model')}. Fluency, flexibility and the average need the"
        " pairs of ideas, which are not in this file."
    )
    return FileAnalysis(
        "judgments",
        "Read as judgments of a benchmark.",
        counts,
        tuple(CriterionStatistics(one.about, (one,)) for one in found.agreement),
        tuple(one for one in tables if one.rows),
        found.refused,
        _unused(sheet, found.columns.values()),
    )


def _of_arena(sheet: Sheet, found: Votes) -> FileAnalysis:
    cast = found.cast
    # Lengths of texts are in no file of votes.
    tables = arena_tables.every(cast, Lineup(seats=(), common=False))
    people = sum(person for _, person in cast.judges)
    counts = (
        f"{counted(found.votes, 'vote')} by {counted(len(cast.judges) - people, 'model')} and"
        f" {people} {'person' if people == 1 else 'people'} on"
        f" {counted(len(cast.players), 'method')} and {counted(len(cast.topics), 'topic')}."
    )
    return FileAnalysis(
        "votes",
        "Read as votes of an arena.",
        counts,
        (),
        tables,
        found.refused,
        _unused(sheet, found.columns.values()),
    )


def _unused(sheet: Sheet, used: Iterable[str]) -> tuple[str, ...]:
    return tuple(column for column in sheet.columns if column not in set(used))
