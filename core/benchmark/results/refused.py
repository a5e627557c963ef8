"""Who refuses to write an idea, who writes too long a one, and what failed."""

from collections import defaultdict
from collections.abc import Sequence

from core.records import GroupSums, Record
from core.statistics.clusters import Spread, gathered, over_keywords, spread
from core.statistics.intervals import Floats, ratio, totals, wilson


class Refusal(Record):
    """What became of the ideas one model was asked for."""

    model: str
    answered: int
    """Ideas that were accepted or left out; what failed or is still to be asked is not among them.
    """
    refused: int
    """Whose first answer was a refusal."""
    refused_twice: int
    """Who refused in the other framing too: left out."""
    long: int
    """Longer than an idea may be: left out."""
    failed: int
    """Ideas, judgments and pairs without a usable answer."""
    share: Spread
    """`refused` of `answered`; its `n` is `answered`."""


def refusals(groups: Sequence[GroupSums], models: Sequence[str]) -> tuple[Refusal, ...]:
    """Return what became of the ideas of every model, in the models' order.

    The interval of a share is Wilson's, which takes ideas as independent, or that from resampling
    keywords, the wider end of either: a model that refuses one idea on a keyword tends to refuse
    the next, and a model that never refused may yet.
    """
    # An idea that was refused once and is being asked again, or failed then, is counted as refused
    # and not yet as answered.
    sums = gathered(
        (
            (one.keyword, one.model, min(one.refused, _answered(one)), _answered(one))
            for one in groups
            if _answered(one)
        ),
        len(models),
        2,
    )
    found = over_keywords(lambda drawn: ratio(totals(sums, drawn)), len(sums))
    of: dict[int, list[GroupSums]] = defaultdict(list)
    for one in groups:
        of[one.model].append(one)
    return tuple(_refusal(name, of[m], sums[:, m], found[:, m]) for m, name in enumerate(models))


def _answered(one: GroupSums) -> int:
    return one.ideas + one.refused_twice + one.long


def _refusal(model: str, groups: Sequence[GroupSums], sums: Floats, found: Floats) -> Refusal:
    refused, answered = map(int, sums.sum(axis=0))
    share = Spread()
    if answered:
        share = spread(refused / answered, found, int((sums[:, 1] > 0).sum()), answered)
        low, high = wilson(refused, answered)
        if share.low is not None and share.high is not None:
            low, high = min(low, share.low), max(high, share.high)
        share = share.model_copy(update={"low": low, "high": high})
    return Refusal(
        model=model,
        answered=answered,
        refused=refused,
        refused_twice=sum(one.refused_twice for one in groups),
        long=sum(one.long for one in groups),
        failed=sum(one.failed for one in groups),
        share=share,
    )
