"""Choosing between branches: every pair of ideas compared in both orders, by a judge of its own
(Chain of Ideas, sections 2.3 and 3.4).
"""

from itertools import permutations

from core.desk import Desk
from core.errors import NoUsableAnswer, attempt, standing_for
from core.records import BranchMatch, Comparison, Idea, Selection
from core.records.designs import PairwiseChoice

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
    if counted.uneven and desk.edition > 3:
        counted = counted.model_copy(update={"by_share": True})
    best = max(points, key=lambda n: (counted.worth(n), -n))
    said = reason(best, counted, len(pairs) - len(matches), what)
    return counted.model_copy(update={"best": best, "reason": said})


def compare(desk: Desk, topic: str, pair: tuple[int, int], ideas: dict[int, Idea]) -> BranchMatch:
    """Compare two ideas once, in the order given."""
    a, b = pair
    comparison = desk.ask(
        "select", Comparison, role="selector", topic=topic, first=ideas[a], second=ideas[b]
    )
    return BranchMatch(first=a, second=b, comparison=comparison)


def reason(best: int, counted: PairwiseChoice, unusable: int = 0, what: str = "branch") -> str:
    """Say how the choice was made; what is level is said, never hidden."""
    score = ", ".join(f"{what} {n}: {_won(counted, n)}" for n in counted.points)
    left_out = f" {unusable} further could not be used" if unusable else ""
    if left_out:
        left_out += ", so shares decide." if counted.by_share else "."
    level = [n for n in counted.points if counted.worth(n) == counted.worth(best)]
    said = (
        f"Criteria won over {len(counted.matches)} comparisons (a tie counts half): {score}."
        f"{left_out}"
    )
    if len(level) > 1:
        said += (
            f" {MANY[what]} {' and '.join(map(str, level))} are level; the first of them goes on."
        )
    return said


def _won(counted: PairwiseChoice, n: int) -> str:
    points = f"{counted.points[n]:g}"
    if not counted.by_share:
        return points
    return f"{points} of {counted.most(n)}" if counted.most(n) else "not compared"
