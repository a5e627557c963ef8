"""Titles in running text: where one stands as a whole, and not within a longer one."""

import re
from dataclasses import dataclass
from functools import cached_property

_GOES_ON = re.compile(r"\s*(?:[^\W\d_]|[:–—]|-\s|\d(?!\d{3}\b))")
"""What behind a title says that it goes on: a word, a subtitle, a number that is no year."""


def letters(text: str) -> str:
    """Return the letters and digits of a text in small letters, nothing between them."""
    return "".join(sign.casefold()[:1] for sign in text if sign.isalnum())


@dataclass(frozen=True)
class Titled:
    """A text in which titles are looked for, letter by letter: they come apart at the ends of
    lines.
    """

    text: str

    @cached_property
    def _letters(self) -> tuple[str, list[int]]:
        """The letters and digits alone, and where each stands."""
        return letters(self.text), [n for n, sign in enumerate(self.text) if sign.isalnum()]

    def find(self, title: str, shortest: int) -> tuple[int, int] | None:
        """Return where a title begins and ends; None where it does not stand here, or only within a
        longer one, and for one of fewer letters than the shortest.
        """
        wanted = letters(title)
        if len(wanted) < shortest:
            return None
        whole, places = self._letters
        at = whole.find(wanted)
        while at >= 0:
            start, end = places[at], places[at + len(wanted) - 1] + 1
            if self._stands_alone(start, end):
                return start, end
            at = whole.find(wanted, at + 1)
        return None

    def _stands_alone(self, start: int, end: int) -> bool:
        before = self.text[max(0, start - 80) : start].rstrip()
        return not before[-1:].isalpha() and not _GOES_ON.match(self.text, end)
