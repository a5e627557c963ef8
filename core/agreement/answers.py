"""Answers to "which of these two is better?", as comparisons are made of."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.errors import BadInput

STRONGEST = 2
"""Five answers: a is much better (2), better (1), a tie (0), b is better (-1), much better (-2)."""


class PairAnswer(NamedTuple):
    """One rater's answer on one criterion for a pair of ideas."""

    a: str
    b: str
    rater: str
    criterion: str
    strength: int
    """-2 to 2, above 0 where `a` is better."""
    left: str
    """The idea that was shown on the left: `a` or `b`."""
    both_weak: bool = False
    repeat: int = 1
    """Which time this rater was asked for this pair; figures on agreement take the first."""

    @property
    def pair(self) -> tuple[str, str]:
        """The two ideas in the order of the alphabet."""
        return (self.a, self.b) if self.a < self.b else (self.b, self.a)

    @property
    def right(self) -> str:
        """The idea that was shown on the right."""
        return self.b if self.left == self.a else self.a

    @property
    def lead(self) -> int:
        """The strength seen from the first idea of `pair`."""
        return self.strength if self.a < self.b else -self.strength

    @property
    def for_left(self) -> int:
        """The strength seen from the idea on the left."""
        return self.strength if self.left == self.a else -self.strength


def checked(answers: Iterable[PairAnswer]) -> Sequence[PairAnswer]:
    """Return the answers as they are. Raises BadInput for a pair of one idea, an answer off the
    scale, a left that is not of the pair, and a doubled answer.
    """
    answers = list(answers)
    for one in answers:
        if one.a == one.b:
            raise BadInput(
                f"{one.rater!r} compared {one.a!r} with itself; a pair is two different ideas."
            )
        if not -STRONGEST <= one.strength <= STRONGEST:
            raise BadInput(
                f"{one.rater!r} answered {one.strength} on {one.a!r} and {one.b!r}; answers run"
                f" from -{STRONGEST} to {STRONGEST}."
            )
        if one.left not in one.pair:
            raise BadInput(
                f"{one.left!r} is said to stand left of a pair it does not belong to, {one.a!r} and"
                f" {one.b!r}."
            )
    times = Counter((one.rater, one.pair, one.criterion, one.repeat) for one in answers)
    for (rater, (a, b), criterion, _), n in times.items():
        if n > 1:
            raise BadInput(
                f"{rater!r} answered {criterion!r} on {a!r} and {b!r} twice; number the repeats, or"
                " keep one of the two."
            )
    return answers
