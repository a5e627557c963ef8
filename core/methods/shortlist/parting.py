"""The second stage: ideas that are known already are set aside, and of those that say the same one
stands for all.
"""

from collections.abc import Mapping

from core.desk import Desk
from core.methods.shortlist.alike import Compared, Judged, compare, join
from core.methods.shortlist.ideas import IdeaSoFar
from core.records import Parted, SetAside

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
    pinned = {n for n, one in left.items() if one.pinned}
    joined = join(left, pinned, found.alike, desk.edition)
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
