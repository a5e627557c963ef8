"""How the sources of an unblinded session are grouped for comparison: as they are called, by a
column, or by hand.
"""

from collections import Counter
from collections.abc import Mapping

from core.errors import BadInput
from core.records import Entry, GroupedBy, ItemKey, SourceGrouping
from core.store import Store, now
from core.studies.sourced import named

UNKNOWN = "unknown"
LONGEST = 80
"""Characters of a group's name."""
BY: dict[GroupedBy, str] = {
    "source": "source: the method, with its model where it has several",
    "method": "method",
    "model": "model",
    "topic": "topic",
    "category": "category in the collection",
    "collection": "collection",
    "hand": "by hand",
}
"""What sources can be grouped by, in words."""


def in_force(store: Store, study_id: str) -> SourceGrouping:
    """Return how a session's sources are grouped: as was said last, or the usual way."""
    said = store.study_keys.groupings(study_id)
    return said[-1] if said else SourceGrouping()


def grouped(store: Store, key: Mapping[str, ItemKey], grouping: SourceGrouping) -> dict[str, str]:
    """Return the group of each label; attention texts have none, nor has a label that a grouping by
    hand leaves out.
    """
    texts = {label: item for label, item in key.items() if not item.attention}
    match grouping.by:
        case "source":
            return named(texts)
        case "hand":
            return {label: name for label, name in grouping.groups.items() if label in texts}
        case "category" | "collection":
            # As it was when the grouping was drawn: an entry may be edited, or go, later.
            if grouping.groups:
                return {label: name for label, name in grouping.groups.items() if label in texts}
            return {
                label: (getattr(entry, grouping.by) if entry else "") or UNKNOWN
                for label, entry in _entries(store, texts).items()
            }
    return {label: getattr(item, grouping.by) or UNKNOWN for label, item in texts.items()}


def _entries(store: Store, texts: Mapping[str, ItemKey]) -> dict[str, Entry | None]:
    """Return the entry of each label, None of a collection that was removed."""
    found: dict[str, Entry | None] = {}
    for label, item in texts.items():
        try:
            found[label] = store.entries.get(item.entry) if item.entry else None
        except BadInput:
            found[label] = None
    return found


def regroup(store: Store, study_id: str, grouping: SourceGrouping) -> SourceGrouping:
    """Group the sources of a session, written down with the time and who did; raises BadInput
    before sources are revealed, for a grouping that leaves fewer than two groups, and for labels
    that the session has not.
    """
    study = store.studies.get(study_id)
    if not study.unblinded:
        raise BadInput("Sources are grouped once they are revealed: reveal them first.")
    if not grouping.who.strip():
        raise BadInput("Enter your name: it is recorded who groups the sources.")
    key = store.study_keys.items(study_id)
    groups = {
        label: " ".join(name.split())[:LONGEST]
        for label, name in grouping.groups.items()
        if name.strip()
    }
    if strange := sorted(groups.keys() - key.keys()):
        raise BadInput(f"This session has no text {strange[0]}. Labels are {_some(key)}.")
    drawn = grouping.model_copy(
        update={
            "groups": groups if grouping.by == "hand" else {},
            "at": now(),
            "who": " ".join(grouping.who.split()),
        }
    )
    by_label = grouped(store, key, drawn)
    if grouping.by in ("category", "collection"):
        drawn = drawn.model_copy(update={"groups": by_label})
    found = set(by_label.values())
    if len(found) < 2:
        there = f"there is {next(iter(found))!r} only" if found else "there is none"
        raise BadInput(f"A comparison needs two groups of texts; {there}.")
    store.studies.regroup(study_id, drawn)
    return drawn


def alone(groups: Mapping[str, str]) -> tuple[str, ...]:
    """Return the groups that hold one text only, by label: no test can be made of them."""
    sizes = Counter(groups.values())
    return tuple(sorted(name for name, n in sizes.items() if n == 1))


def _some(key: Mapping[str, ItemKey]) -> str:
    labels = [label for label, item in key.items() if not item.attention]
    more = f" and {len(labels) - 6} more" if len(labels) > 6 else ""
    return ", ".join(labels[:6]) + more
