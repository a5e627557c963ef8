"""A shortlist as JSON: the funnel, the ideas and the cards, finished or as they stand."""

from typing import Any

from core.export.dumps import dump, dump_all
from core.methods.shortlist.so_far import IdeaSoFar, Present, StageSoFar, present
from core.records import Run
from core.store import Store


def describe(store: Store, run: Run) -> dict[str, Any]:
    """Return what a shortlist has to show now; `provisional` says that the cards are not the last
    ones.
    """
    now = present(store, run)
    return {
        "stage": now.stage,
        "provisional": not now.finished,
        "shortlist": dump_all(now.cards),
        "order": {"by": now.by, "reason": now.reason},
        "stages": [_stage(one) for one in now.stages],
        "ideas": [_idea(one) for one in now.ideas],
        **_compared(now),
    }


def _compared(now: Present) -> dict[str, Any]:
    return {"parted": dump(now.parted), "compared": dump(now.rated)}


def _stage(one: StageSoFar) -> dict[str, Any]:
    return {
        **one._asdict(),
        "aside": dump_all(one.aside),
        "choices": dump(one.choices),
        "distinct": dump(one.distinct),
    }


def _idea(one: IdeaSoFar) -> dict[str, Any]:
    records = ("listed", "idea", "made", "aside", "refined", "rechecked", "stood")
    plain = {"n": one.n, "stage": one.stage, "pinned": one.pinned, "put_back": one.put_back}
    return {
        **plain,
        "absorbed": one.absorbed,
        "before": dump(one.before) if one.before != one.idea else None,
        **{name: dump(getattr(one, name)) for name in records},
    }
