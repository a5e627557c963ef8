"""How ideas stand by their meetings: Bradley-Terry over the criteria won. Apart from the rest, for
numpy comes with it, and whoever lists runs rates nothing.
"""

from collections.abc import Mapping

import numpy as np

from core.judging.ratings import PlayerRating, not_separable, over_meetings
from core.methods.shortlist.ideas import IdeaSoFar, by_checks
from core.methods.shortlist.meetings import Meetings, Met
from core.methods.shortlist.pairing import Pair
from core.records import Checklist, ComparedBy, Meeting, RatedIdeas, Stood
from core.wording.numbers import counted

ALONE = "It is the only idea left; there was nothing to compare."
NOBODY = (
    "Nobody compared the ideas: {why} They stand by what the checks found, which says nothing of"
    " how good they are. People can vote instead."
)
BY_RULES = (
    "By the built-in model's rules, which count what can be counted in a text and understand"
    " nothing."
)


def rate(
    ideas: Mapping[int, IdeaSoFar],
    played: Meetings,
    by: ComparedBy,
    seed: int,
    checklists: Mapping[int, Checklist | str],
) -> RatedIdeas:
    """Return how ideas stand by their meetings: Bradley-Terry over the criteria won, with what
    cannot be told apart.
    """
    numbers = sorted(ideas)
    whole = [(pair, one) for pair, one in played.met.items() if not one.failed]
    points = np.zeros((len(whole), len(numbers), len(numbers)))
    for k, ((a, b), one) in enumerate(whole):
        i, j = numbers.index(a), numbers.index(b)
        points[k, i, j], points[k, j, i] = one.won_a, one.won_b
    ratings = over_meetings(list(map(str, numbers)), points, seed=seed)
    rated = {int(one.player): one for one in ratings}
    others = sorted((n for n in numbers if n not in rated), key=lambda n: by_checks(ideas[n]))
    order = []
    for n in (*rated, *others):
        judged = checklists.get(n)
        held = judged if isinstance(judged, Checklist) else None
        order.append(_stood(n, rated.get(n), held))
    level = tuple(tuple(map(int, group)) for group in not_separable(ratings))
    swiss = played.rounds > 1
    return RatedIdeas(
        by=by if rated else "nobody",
        pairing="Swiss" if swiss else "round robin",
        rounds=played.rounds,
        order=tuple(order),
        level=level,
        meetings=tuple(_meeting(pair, one) for pair, one in played.met.items()),
        reason=_reason(len(numbers), played, by, len(whole)),
    )


def _stood(n: int, rated: PlayerRating | None, checklist: Checklist | None) -> Stood:
    if rated is None:
        return Stood(n=n, rating=None, checklist=checklist)
    return Stood(
        n=n,
        rating=round(rated.rating, 2),
        low=None if rated.low is None else round(rated.low, 2),
        high=None if rated.high is None else round(rated.high, 2),
        wins=rated.wins,
        losses=rated.losses,
        ties=rated.ties,
        checklist=checklist,
    )


def _meeting(pair: Pair, one: Met) -> Meeting:
    return Meeting(
        a=pair[0],
        b=pair[1],
        won_a=one.won_a,
        won_b=one.won_b,
        run=one.run,
        reason=one.reason,
        failed=one.failed,
    )


def _reason(ideas: int, played: Meetings, by: ComparedBy, whole: int) -> str:
    if ideas < 2:
        return ALONE
    if by == "nobody":
        why = "the model chosen as judge answers no such question."
        return NOBODY.format(why=why)
    if not whole:
        why = "no meeting came to a usable judgment."
        return NOBODY.format(why=why)
    pairs = counted(len(played.met), "pair")
    how = f"{pairs} of ideas met, each in both orders, on five criteria"
    if played.rounds > 1:
        how += f", over {played.rounds} Swiss rounds"
    left_out = ""
    if failed := len(played.met) - whole:
        verb = "is" if failed == 1 else "are"
        left_out = f" {counted(failed, 'meeting')} failed and {verb} left out."
    rules = f" {BY_RULES}" if by == "rules" else ""
    return f"{how}; Bradley-Terry over the criteria won.{left_out}{rules}"
