"""The second stage: ideas that are known already are set aside, and of those that say the same one
stands for all.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from core.desk import Desk
from core.methods.shortlist.alike import Compared, Judged, compare, groups
from core.methods.shortlist.ideas import IdeaSoFar
from core.records import EDITION, Absorbed, Alike, Parted, SetAside

ALL_KNOWN = (
    "The chain's checks found every idea in a paper already. All of them go on all the same, to be"
    " refined away from what is known."
)
BY_MEANING = (
    "No model could judge which ideas are one, so that only texts that hardly differ were joined."
)


def part(desk: Desk, topic: str, ideas: Mapping[int, IdeaSoFar], judged: Judged) -> Parted:
    """Return which of these ideas go on: the known ones are set aside with their evidence, unless
    all are or a person pinned them, and of the others each group that says the same is joined.
    """
    known = [n for n, one in ideas.items() if one.listed.known and not one.pinned]
    notes = []
    if len(known) == len(ideas):
        known = []
        notes.append(ALL_KNOWN)
    aside = [_known(ideas[n]) for n in known]
    left = {n: one for n, one in ideas.items() if n not in known}
    found = compare(desk, topic, {n: one.idea for n, one in left.items()}, judged)
    if not found.by_judge and not (found.failed and desk.edition > 3):
        notes.append(BY_MEANING)
    joined = join(left, found.alike, desk.edition)
    absorbed = {n: one.survivor for one in joined for n in one.absorbed}
    aside += [_absorbed(n, survivor, found) for n, survivor in sorted(absorbed.items())]
    return Parted(
        kept=tuple(n for n in left if n not in absorbed),
        alike=found.alike,
        joined=joined,
        aside=tuple(aside),
        failed=found.failed,
        reason=" ".join(notes),
    )


def _known(one: IdeaSoFar) -> SetAside:
    listed = one.listed
    return SetAside(
        n=one.n,
        stage="part",
        why="known",
        reason=listed.novelty,
        made=listed.checked,
        paper=listed.paper,
    )


def _absorbed(n: int, survivor: int, found: Compared) -> SetAside:
    said = next(
        (one.reason for one in found.alike if {one.a, one.b} == {n, survivor} and one.same), ""
    )
    reason = f"It says the same as idea {survivor}, which stands for both. {said}".strip()
    return SetAside(n=n, stage="part", why="absorbed", reason=reason)


def join(
    ideas: Mapping[int, IdeaSoFar], alike: Iterable[Alike], edition: int = EDITION
) -> tuple[Absorbed, ...]:
    """Return the groups that say the same, each with the idea that stands for it: of pinned ones if
    there are any, the one that was most often said to be better, then the lower number. Pinned ones
    are never absorbed, nor are those of which it was said that they are another idea than that one:
    they are joined among themselves.
    """
    pairs = list(alike)
    same = [one for one in pairs if one.same]
    others = {frozenset((one.a, one.b)) for one in pairs if not one.same and edition > 4}
    wins = Counter(one.better for one in same if one.better is not None)
    links = [(one.a, one.b) for one in same]
    waiting, joined = list(groups(ideas, links)), list[Absorbed]()
    while waiting:
        group = waiting.pop(0)
        pinned = [n for n in group if ideas[n].pinned]
        survivor = min(pinned or group, key=lambda n: (-wins[n], n))
        free = [n for n in group if n != survivor and n not in pinned]
        absorbed = tuple(n for n in free if frozenset((n, survivor)) not in others)
        if absorbed:
            joined.append(Absorbed(survivor=survivor, absorbed=absorbed))
        if left := [n for n in free if n not in absorbed]:
            waiting += groups(left, [pair for pair in links if {*pair} <= {*left}])
    return tuple(joined)
