"""The design of a comparison: what is shared by what, and so which tests' assumptions it meets."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from core.wording.numbers import counted

Assumption = Literal["review", "idea", "topic", "reviewer", "mixed"]
"""What a test takes as independent."""


class Score(NamedTuple):
    """One score of one criterion, with what its idea comes from."""

    item: str
    rater: str
    """Who gave it; empty where nobody knows."""
    source: str
    topic: str
    score: float


class RatingDesign(NamedTuple):
    """How many of what there are, and what each test's assumptions lack."""

    reviews: int
    ideas: int
    reviewers: int
    """0 where nobody knows who wrote a review."""
    topics: int
    """0 where no topics are named."""
    assumptions: Mapping[Assumption, str]
    """By what a test takes as independent: why that is not so, empty where it is."""


def design_of(scores: Sequence[Score]) -> RatingDesign:
    """Return the design of the scores of one criterion.

    Reviews are independent where nothing is shared by two of them; ideas where no reviewer has two
    of them, or every reviewer has all of them equally often, so that severity cancels out; and
    likewise topics and reviewers. The mixed model has a term for whatever is shared.
    """
    known = all(one.rater for one in scores)
    named = any(one.topic for one in scores)
    ideas = {one.item for one in scores}
    reviewers = {one.rater for one in scores} if known else set[str]()
    topics = {one.topic or one.item for one in scores} if named else set[str]()
    several = _shared((one.item, n) for n, one in enumerate(scores))
    again = _shared((one.rater, n) for n, one in enumerate(scores)) if known else 0
    crossed = known and _crossed([(one.item, one.rater) for one in scores])
    over_ideas = _shared((one.rater, one.item) for one in scores) if known and not crossed else 0
    over_raters = _shared((one.item, one.rater) for one in scores) if known else 0
    same_topic = _shared((one.topic, one.item) for one in scores) if len(topics) > 1 else 0
    unknown = "" if known else "Nobody knows which reviews have the same reviewer."
    shared = f"{counted(over_ideas, 'reviewer')} reviewed several ideas" if over_ideas else ""
    have = "has" if several == 1 else "have"
    hold = "holds" if same_topic == 1 else "hold"
    on_topic = f"{counted(same_topic, 'topic')} {hold} several ideas" if same_topic else ""
    return RatingDesign(
        reviews=len(scores),
        ideas=len(ideas),
        reviewers=len(reviewers),
        topics=len(topics),
        assumptions={
            "review": _taken(
                "Reviews",
                (
                    f"{counted(several, 'idea')} {have} several" if several else "",
                    f"{counted(again, 'reviewer')} wrote several" if again else "",
                    on_topic,
                ),
                unknown,
            ),
            "idea": _taken("Ideas", (shared, on_topic), unknown),
            "topic": _taken("Topics", (shared,), unknown),
            "reviewer": (
                f"Ideas are taken as given, {counted(over_raters, 'idea')} with several reviewers:"
                " it speaks of other reviewers of these ideas, not of other ideas."
                if over_raters
                else ""
            ),
            "mixed": "",
        },
    )


def _taken(what: str, reasons: Iterable[str], unknown: str) -> str:
    said = " and ".join(filter(None, reasons))
    if said:
        return f"{what} are taken as independent, and {said}. {unknown}".strip()
    return unknown and f"{what} are taken as independent. {unknown}"


def _shared(pairs: Iterable[tuple[object, object]]) -> int:
    """Return how many of the first have several of the second."""
    held: dict[object, set[object]] = {}
    for one, other in pairs:
        held.setdefault(one, set()).add(other)
    return sum(len(some) > 1 for some in held.values())


def _crossed(pairs: Sequence[tuple[str, str]]) -> bool:
    """Return whether every one of the first stands with every one of the second, once."""
    ones = {one for one, _ in pairs}
    others = {other for _, other in pairs}
    return len(pairs) == len(set(pairs)) == len(ones) * len(others)
