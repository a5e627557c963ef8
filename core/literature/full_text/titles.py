"""Titles in running text: where one stands as a whole, and not within a longer one."""

import re
from dataclasses import dataclass
from functools import cached_property

_WORD = re.compile(r"[^\W\d_]{4,}")
"""Words that a title in capitals begins with a capital letter."""
_BEFORE = re.compile(r"(?:\bet al|\b[A-Z]{1,3}|\b\d+[a-z]?)$")
"""What may stand right before a title without a sign between: `et al`, initials, a year."""
_NUMBER = re.compile(r"(?:19|20)\d\d[a-z]?\b|\d+\s*[(,]")
"""A year or a volume, behind a title; any other number may belong to it."""


def letters(text: str) -> str:
    """Return the letters and digits of a text in small letters, nothing between them."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


@dataclass(frozen=True)
class Titled:
    """A text in which titles are looked for, letter by letter: they come apart at the ends of
    lines.
    """

    text: str

    @cached_property
    def _letters(self) -> tuple[str, list[int]]:
        """The letters and digits alone, and where each stands."""
        parts = [letters(sign) for sign in self.text]
        places = [n for n, part in enumerate(parts) for _ in part]
        return "".join(parts), places

    def find(self, title: str, shortest: int, subtitled: bool = False) -> tuple[int, int] | None:
        """Return where a title begins and ends; None where it does not stand here, or only within a
        longer one, and for one of fewer letters than the shortest. `subtitled` takes it with a
        subtitle behind, too.
        """
        wanted = letters(title)
        if len(wanted) < shortest:
            return None
        whole, places = self._letters
        at = whole.find(wanted)
        while at >= 0:
            start, end = places[at], places[at + len(wanted) - 1] + 1
            if self._begins(start) and not self._goes_on(start, end, subtitled):
                return start, end
            at = whole.find(wanted, at + 1)
        return None

    def _begins(self, start: int) -> bool:
        before = self.text[max(0, start - 80) : start].rstrip()
        return not before[-1:].isalnum() or _BEFORE.search(before) is not None

    def _goes_on(self, start: int, end: int, subtitled: bool) -> bool:
        behind = self.text[end : end + 80].lstrip()
        sign = behind[:1]
        if sign == ":":
            return not subtitled
        if sign.isdigit():
            return not _NUMBER.match(behind)
        if not sign.isalpha():
            return sign in {"-", "–", "—"}
        if sign.islower():
            return not behind.startswith("arXiv")
        # `Title Nature 2020` or `Title For All`: where a title has capitals, both look alike.
        words: list[str] = _WORD.findall(self.text[start:end])[1:]
        return 2 * sum(word[0].isupper() for word in words) >= len(words)
