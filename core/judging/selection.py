"""Choosing between branches: every pair of ideas compared in both orders, by a judge of its own
(Chain of Ideas, sections 2.3 and 3.4).
"""

from itertools import permutations

from core.desk import Desk
from core.errors import NoUsableAnswer, attempt, standing_for
from core.records import BranchMatch, Comparison, Idea, Selection

PROMPTS = ("select",)
ONLY = {
    "branch": "It is the only branch with an idea to choose.",
    "idea": "It is the only idea to choose.",
}
"""Why there was nothing to compare, by what is chosen."""
MANY = {"branch": "Branches", "idea": "Ideas"}


def select(desk: Desk, topic: str, ideas: dict[int, Idea], what: str = "branch") -> Selection:
    """Return the branch (or what is chosen from) whose idea wins most criteria over all pairs, each
    pair judged in both orders; raises ModelFailed.

    The judge has a role of its own, so that it need not be the one that rates the outcome
    elsewhere. A comparison that stays unusable is left out, and said to be: then shares of the
    points that could be won decide. Without any there is no choice, and NoUsableAnswer is raised.
    """
    if len(ideas) == 1:
        only = next(iter(ideas))
        return Selection(best=only, points={only: 0.0}, matches=(), reason=ONLY[what])
    pairs = list(permutations(sorted(ideas), 2))

    def once(here: Desk, pair: tuple[int, int]) -> BranchMatch | NoUsableAnswer:
        """Compare two ideas once; a comparison that stays unusable is recorded as that."""
        here = here.past(*here.passed, NoUsableAnswer)
        return attempt((NoUsableAnswer,), compare, here, topic, pair, ideas)

    tried = desk.at_each(once, {f"{a}-{b}": (a, b) for a, b in pairs})
    matches = tuple(one for one in tried if isinstance(one, BranchMatch))
    if not matches:
        raise standing_for([one for one in tried if isinstance(one, NoUsableAnswer)])
    points = {
        n: sum(match.points(n) for match in matches if n in (match.first, match.second))
        for n in sorted(ideas)
    }
    counted = Selection(best=0, points=points, matches=matches, reason="counted")
    uneven = counted.uneven and desk.edition > 3
    worth = counted.share if uneven else points.__getitem__
    best = max(points, key=lambda n: (worth(n), -n))
    unusable = len(pairs) - len(matches)
    if uneven:
        said = reason_by_shares(best, counted, unusable, what)
    else:
        said = reason(best, points, len(matches), unusable, what)
    return Selection(best=best, points=points, matches=matches, reason=said)


def compare(desk: Desk, topic: str, pair: tuple[int, int], ideas: dict[int, Idea]) -> BranchMatch:
    """Compare two ideas once, in the order given."""
    a, b = pair
    comparison = desk.ask(
        "select", Comparison, role="selector", topic=topic, first=ideas[a], second=ideas[b]
    )
    return BranchMatch(first=a, second=b, comparison=comparison)


def reason(
    best: int, points: dict[int, float], matches: int, unusable: int = 0, what: str = "branch"
) -> str:
    """Say how the choice was made; equal points are said, never hidden."""
    score = ", ".join(f"{what} {n}: {won:g}" for n, won in points.items())
    left_out = f" {unusable} further could not be used." if unusable else ""
    level = [n for n, won in points.items() if won == points[best]]
    said = f"Criteria won over {matches} comparisons (a tie counts half): {score}.{left_out}"
    if len(level) > 1:
        said += (
            f" {MANY[what]} {' and '.join(map(str, level))} are level; the first of them goes on."
        )
    return said


def reason_by_shares(best: int, counted: Selection, unusable: int, what: str) -> str:
    """Say how the choice was made where some could be compared less often than others."""
    won = {n: f"{points:g} of {counted.most(n)}" for n, points in counted.points.items()}
    score = ", ".join(
        f"{what} {n}: {won[n] if counted.most(n) else 'in none'}" for n in counted.points
    )
    said = (
        f"Criteria won in the {len(counted.matches)} comparisons that could be used (a tie counts"
        f" half): {score}. {unusable} further could not be used, so shares decide."
    )
    level = [n for n in counted.points if counted.share(n) == counted.share(best)]
    if len(level) > 1:
        said += (
            f" {MANY[what]} {' and '.join(map(str, level))} are level; the first of them goes on."
        )
    return said
