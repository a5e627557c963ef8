"""Exports of ours, analysed as the session, the arena or the benchmark is that they come from."""

from collections.abc import Iterable, Sequence

from core.benchmark import tables as of_benchmark
from core.importing import answers as own
from core.importing.analysis import FileAnalysis, Holds, of_scores
from core.importing.answers import ImportedAnswers, answers
from core.importing.judgments import Judgments, judgments
from core.importing.rating_columns import RatingSheet
from core.importing.rating_guess import guessed
from core.importing.ratings import taken
from core.importing.sheets import RefusedRow
from core.importing.votes import Votes, votes
from core.judging import arena_tables
from core.records import Lineup, Table
from core.statistics.statistic import Statistic, counted
from core.studies import commented, compared, ordered
from core.studies.analysis import CriterionStatistics
from core.studies.series import SessionSeries


def of_export(sheet: RatingSheet) -> FileAnalysis | None:
    """Analyse an export of ours that needs no telling how it is read: answers of a session, votes,
    judgments; None for any other file.
    """
    if (held := answers(sheet)) is not None:
        return _answers(held)
    if (given := judgments(sheet)) is not None:
        return _judgments(sheet, given)
    return _votes(sheet, cast) if (cast := votes(sheet)) is not None else None


def _answers(held: ImportedAnswers) -> FileAnalysis:
    names, raters = own.criteria(held), own.raters(held)
    if held.task == "rank":
        orders = own.orders(held)
        ranked = ordered.of_sets(orders.sets, orders.again, held.models)
        return _session(
            held,
            "rankings",
            ordered.figures(ranked),
            ordered.tables(ranked),
            ordered.series(ranked),
            orders.refused,
        )
    if held.task == "compare":
        given, bad = own.comparisons(held)
        pairs = compared.of_answers(given, names, raters, held.models)
        return _session(
            held,
            "comparisons",
            compared.figures(pairs),
            compared.tables(pairs),
            compared.series(pairs),
            bad,
        )
    if held.task == "comment":
        lines, _, bad = own.comments(held)
        said = commented.of_lines(lines, held.models)
        return _session(
            held, "comments", said.figures, commented.tables(said), commented.series(said), bad
        )
    return of_scores(taken(held.whole, guessed(held.whole)))


def _session(
    held: ImportedAnswers,
    holds: Holds,
    figures: dict[str, tuple[Statistic, ...]],
    tables: Sequence[Table],
    series: SessionSeries,
    bad: Sequence[RefusedRow],
) -> FileAnalysis:
    raters = own.raters(held)
    experts = len(set(raters) - held.models)
    aside = [
        f"{held.revised} revised later" if held.revised else "",
        f"{held.checks} of checks of attention" if held.checks else "",
        f"{held.left_out} that count in no figure" if held.left_out else "",
    ]
    left = ", ".join(filter(None, aside))
    counts = (
        f"{counted(experts, 'expert')}, {counted(len(held.models), 'model')};"
        f" {counted(len(held.sheet.rows), 'row')} of answers"
        + (f"; left out: {left}" if left else "")
        + "."
    )
    unknown = (
        ()
        if "kind" in held.sheet.columns
        else (
            (
                "The file is of an earlier version, which did not say who is a model: all raters"
                " are taken for experts."
            ),
        )
    )
    return FileAnalysis(
        holds,
        f"Read as answers of a session of ours: {holds}.",
        counts,
        tuple(CriterionStatistics(name, some) for name, some in figures.items()),
        tuple(tables),
        tuple(bad),
        (),
        unknown,
        series,
    )


def _judgments(sheet: RatingSheet, found: Judgments) -> FileAnalysis:
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


def _votes(sheet: RatingSheet, found: Votes) -> FileAnalysis:
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


def _unused(sheet: RatingSheet, used: Iterable[str]) -> tuple[str, ...]:
    return tuple(one for one in sheet.columns if one not in set(used))
