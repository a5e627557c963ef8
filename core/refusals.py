"""What of a file was not taken: how many rows, why, and the first of them. A file may hold a
million that are wrong in the same way.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Generic, Protocol, TypeVar

KEPT = 10_000
"""Rows that are kept with where they stand and why; all are counted."""
REASONS = 50
"""Kinds of reasons that are counted apart."""
OTHER = "other reasons"
LONGEST = 1_000
"""Characters of a reason that are kept: it may name cells, and a cell may be a book."""
_NAMES = re.compile(
    # A quote within a word is an apostrophe, and one behind a backslash is part of a name: were it
    # to begin one, a name that is cut off would be read anew from each of them.
    r"(?<![\w\\])'(?:[^'\\]|\\.)*'|(?<![\w\\])\"(?:[^\"\\]|\\.)*\"|\d[\d,.]*(?<=\d)"
)


class Reasoned(Protocol):
    """A row that says why it was not taken."""

    @property
    def reason(self) -> str: ...


R = TypeVar("R", bound=Reasoned)


class Refusals(Generic[R]):
    """Rows that were not taken, as they are met: all are counted, and the first KEPT of them kept,
    by `place` where it is given, else as they come.
    """

    def __init__(self, rows: Iterable[R] = (), place: Callable[[R], Any] | None = None):
        self.count = 0
        self._kinds = Counter[str]()
        self._first: list[R] = []
        self._place = place
        self.extend(rows)

    def add(self, row: R) -> None:
        """Count a row, and keep it if it is one of the first."""
        self.count += 1
        self._kinds[self._kind(row.reason)] += 1
        if self._place is None:
            if len(self._first) < KEPT:
                self._first.append(row)
            return
        self._first.append(row)
        if len(self._first) >= 2 * KEPT:
            self._first = list(self.first)

    def extend(self, rows: Iterable[R]) -> None:
        """Count some rows, and keep those that are among the first."""
        for row in rows:
            self.add(row)

    @property
    def first(self) -> tuple[R, ...]:
        """The first KEPT rows, in their order."""
        ordered = sorted(self._first, key=self._place) if self._place else self._first
        return tuple(ordered[:KEPT])

    @property
    def more(self) -> int:
        """How many rows there are beyond the first KEPT."""
        return self.count - min(self.count, KEPT)

    @property
    def reasons(self) -> dict[str, int]:
        """How many rows there are of each kind of reason, the most frequent first."""
        return dict(self._kinds.most_common())

    def _kind(self, reason: str) -> str:
        kind = kind_of(reason)
        return kind if kind in self._kinds or len(self._kinds) < REASONS else OTHER


def kind_of(reason: str) -> str:
    """Return a reason without the names and numbers of its row."""
    return _NAMES.sub("…", reason[:LONGEST])
