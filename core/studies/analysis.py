"""What came of a session: by label as long as sources are hidden, by source once the key was
opened.
"""

from typing import NamedTuple

from core.errors import BadInput
from core.records import ItemKey, Study, Table
from core.statistics.statistic import Statistic
from core.store import Store
from core.studies import commented, compared, ordered, rated, sourced
from core.studies.commented import RemarkLine
from core.studies.filed import Filed
from core.studies.series import SessionSeries
from core.studies.sourced import Sourced

BLIND = (
    "Sources stay hidden until the session is closed and the key is opened: until then everything"
    " is by label."
)


class CriterionStatistics(NamedTuple):
    """The statistics of one criterion, or question; the empty name holds what is taken over all."""

    criterion: str
    statistics: tuple[Statistic, ...]


class Analysis(NamedTuple):
    """A session's figures. Attention units, practice and repeats are in none but those that say
    so.
    """

    filed: Filed
    """What they are made of: who took part, what raters are called."""
    parts: tuple[CriterionStatistics, ...]
    series: SessionSeries
    tables: tuple[Table, ...]
    """By label."""
    remarks: tuple[RemarkLine, ...]
    sourced: Sourced | None
    source_tables: tuple[Table, ...]
    blind: str
    """Why there is nothing by source; empty once there is."""

    @property
    def study(self) -> Study:
        """The session."""
        return self.filed.study


class _Found(NamedTuple):
    parts: dict[str, tuple[Statistic, ...]]
    series: SessionSeries
    tables: tuple[Table, ...]
    remarks: tuple[RemarkLine, ...] = ()
    sourced: Sourced | None = None


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
    key = opened(store, filed.study) if filed.study.unblinded and not by_label else None
    found = _found(filed, key)
    return Analysis(
        filed,
        tuple(CriterionStatistics(name, some) for name, some in found.parts.items()),
        found.series,
        found.tables,
        found.remarks,
        found.sourced,
        sourced.tables(found.sourced) if found.sourced else (),
        "" if found.sourced else BLIND,
    )


def opened(store: Store, study: Study) -> dict[str, ItemKey]:
    """Return the key of a session; raises BadInput before it was opened by `organising.unblind`,
    which writes down who looked.
    """
    if not study.unblinded:
        raise BadInput(BLIND)
    return store.study_keys.items(study.id)


def _found(filed: Filed, key: dict[str, ItemKey] | None) -> _Found:
    match filed.study.plan.task:
        case "rate":
            ratings = rated.rated(filed)
            return _Found(
                rated.figures(ratings),
                rated.series(ratings),
                rated.tables(ratings),
                sourced=sourced.of_ratings(ratings, key) if key else None,
            )
        case "rank":
            orders = ordered.ordered(filed, key)
            return _Found(
                ordered.figures(orders),
                ordered.series(orders),
                ordered.tables(orders),
                sourced=sourced.of_orders(orders, key, filed.models) if key else None,
            )
        case "compare":
            pairs = compared.compared(filed)
            return _Found(
                compared.figures(pairs),
                compared.series(pairs),
                compared.tables(pairs),
                sourced=sourced.of_pairs(pairs, key) if key else None,
            )
        case "comment":
            comments = commented.commented(filed)
            labels = {unit.id: unit.labels[0] for unit in filed.units.values()}
            return _Found(
                comments.figures,
                commented.series(comments),
                commented.tables(comments),
                comments.remarks,
                sourced.of_comments(comments, key, labels, filed.models) if key else None,
            )
