"""What came of a session: by label as long as sources are hidden, by source once the key was
opened.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from core.agreement import standing_in
from core.agreement.standing_in import JudgeStanding
from core.errors import BadInput
from core.records import ItemKey, Study, Table
from core.statistics.statistic import Statistic
from core.store import Store
from core.studies import commented, compared, ordered, rated, sourced
from core.studies.commented import RemarkLine
from core.studies.filed import Filed
from core.studies.grouping import grouped, in_force
from core.studies.series import SessionSeries, of_orders, of_ratings
from core.studies.shown_order import drift, pull
from core.studies.sourced import Sourced
from core.studies.tested_judges import judges_of
from core.tables.stat_tables import statistics

BLIND = (
    "Sources stay hidden until the session is closed and they are revealed: until then everything"
    " is by label."
)


class CriterionStatistics(NamedTuple):
    """The statistics of one criterion, or question; the empty name holds what is taken over all."""

    criterion: str
    statistics: tuple[Statistic, ...]


@dataclass(frozen=True, kw_only=True)
class SessionFigures:
    """Every figure of a session. Attention units, practice and repeats are in none but those that
    say so.
    """

    parts: tuple[CriterionStatistics, ...]
    series: SessionSeries
    tables: tuple[Table, ...]
    """By label."""
    remarks: tuple[RemarkLine, ...]
    sourced: Sourced | None
    source_tables: tuple[Table, ...]
    blind: str
    """Why there is nothing by source; empty once there is."""
    shown_order: tuple[Statistic, ...]
    """Whether the order in which units or texts were shown moved the answers, by criterion."""


@dataclass(frozen=True, kw_only=True)
class Analysis(SessionFigures):
    """A session's figures and what they are made of."""

    filed: Filed
    """Who took part, what raters are called."""

    @property
    def study(self) -> Study:
        """The session."""
        return self.filed.study


def analysed(
    store: Store, study_id: str, attentive: bool = False, by_label: bool = False
) -> Analysis:
    """Return the figures of a session, over the last revision of every answer; those of experts who
    withdrew are left out.

    `attentive` leaves out experts, too, who answered an attention unit in another way than it asks.
    Nothing is by source, and nothing is said of a hidden idea, before the key was opened, nor where
    `by_label` asks for that. Raises BadInput for an unknown session.
    """
    filed = Filed(store, study_id, attentive)
    return Analysis(filed=filed, **vars(figures_of(store, filed, by_label)))


def figures_of(store: Store, filed: Filed, by_label: bool = False) -> SessionFigures:
    """Return the figures of a session's answers as they were read."""
    study = filed.study
    key = opened(store, study) if study.unblinded and not by_label else None
    grouping = in_force(store, study.id)
    sources = grouped(store, key, grouping) if key else {}
    remarks: tuple[RemarkLine, ...] = ()
    shown: tuple[Statistic, ...] = ()
    by_source = None
    match study.plan.task:
        case "rate":
            ratings = rated.rated(filed)
            figures = rated.figures(ratings)
            shown = tuple(drift(filed, name, ratings.scales[name]) for name in ratings.ratings)
            series = of_ratings(ratings.sheet.agreement, ratings.ratings)
            tables = ratings.sheet.tables
            if key:
                scores = sourced.scores_of(ratings, key, sources)
                by_source = sourced.compared(
                    sourced.of_ratings(ratings, key, sources), scores, ratings.scales, grouping
                )
        case "rank":
            orders = ordered.ordered(filed, key)
            figures = ordered.figures(orders)
            shown = tuple(pull(filed, name) for name in orders.sets)
            series = of_orders(orders.agreement)
            tables = ordered.tables(orders)
            if key:
                by_source = sourced.of_orders(orders, sources, filed.models)
        case "compare":
            pairs = compared.compared(filed)
            figures = compared.figures(pairs)
            judges = judges_of(filed)
            figures = with_judges(figures, judges)
            series = compared.series(pairs)
            tables = compared.tables(pairs)
            if judges:
                tables = (*tables, standing_in.table(judges))
            if key:
                by_source = sourced.of_pairs(pairs, sources)
        case "comment":
            comments = commented.commented(filed)
            figures = comments.figures
            series = SessionSeries(ceilings=comments.ceilings)
            tables = commented.tables(comments)
            remarks = comments.remarks
            if key:
                labels = {unit.id: unit.labels[0] for unit in filed.units.values()}
                by_source = sourced.of_comments(comments, sources, labels, filed.models)
    if by_source:
        by_source = by_source._replace(grouping=grouping, origins=sourced.named(key or {}))
    if shown:
        tables = (*tables, statistics("shown-order", "The order shown", shown))
    return SessionFigures(
        parts=tuple(CriterionStatistics(name, some) for name, some in figures.items()),
        series=series,
        tables=tables,
        remarks=remarks,
        sourced=by_source,
        source_tables=sourced.tables(by_source) if by_source else (),
        blind="" if by_source else BLIND,
        shown_order=shown,
    )


def with_judges(
    figures: Mapping[str, tuple[Statistic, ...]], judges: Iterable[JudgeStanding]
) -> dict[str, tuple[Statistic, ...]]:
    """Return figures by criterion with those of what judges may be used for."""
    found = dict(figures)
    for one in judges:
        found[one.criterion] = (*found.get(one.criterion, ()), *one.statistics)
    return found


def opened(store: Store, study: Study) -> dict[str, ItemKey]:
    """Return the key of a session; raises BadInput before it was opened by `organising.unblind`,
    which writes down who looked.
    """
    if not study.unblinded:
        raise BadInput(BLIND)
    return store.study_keys.items(study.id)
