"""Where those wait who want in: whoever came least lately is next, so that those who come all the
time, from however many addresses of theirs, keep nobody out.
"""

import asyncio
import itertools
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

FORGOTTEN = 15 * 60
"""Seconds after which nothing is held against whoever came."""
REMEMBERED = 20_000
"""Of whom it is known how often they came lately; beyond, those that came longest ago are
forgotten.
"""


class Waiting(NamedTuple):
    """One that waits for its turn."""

    of: str
    number: int
    turn: asyncio.Future[bool]


class Came(NamedTuple):
    times: int
    last: float


class Lane:
    """Lets in one at a time."""

    def __init__(self, most: int) -> None:
        """So many may wait; beyond, one of those goes of whom most wait or came lately."""
        self._most, self._numbers = most, itertools.count()
        self._waiting: list[Waiting] = []
        self._came: OrderedDict[str, Came] = OrderedDict()
        self._taken = False

    @asynccontextmanager
    async def turn(self, of: str) -> AsyncIterator[bool]:
        """Wait for the turn of somebody, such as an organisation's network, and have it in the
        block; yields False where too many wait.
        """
        has_it = await self._wait(of)
        try:
            yield has_it
        finally:
            if has_it:
                self._call()

    def note(self, of: str) -> None:
        """Remember that somebody came, who now stands behind all that came less often."""
        self._came[of] = Came(self._lately(of) + 1, time.monotonic())
        self._came.move_to_end(of)
        if len(self._came) > REMEMBERED:
            self._came.popitem(last=False)

    def waiting(self) -> int:
        """Return how many wait."""
        return len(self._waiting)

    async def _wait(self, of: str) -> bool:
        if not self._taken:
            self._taken = True
            return True
        one = Waiting(of, next(self._numbers), asyncio.get_running_loop().create_future())
        self._waiting.append(one)
        if len(self._waiting) > self._most:
            self._put_out()
        try:
            return await one.turn
        except asyncio.CancelledError:
            if one in self._waiting:
                self._waiting.remove(one)
            elif one.turn.done() and not one.turn.cancelled() and one.turn.result():
                self._call()
            raise

    def _call(self) -> None:
        """Give the turn to the next."""
        self._taken = False
        while self._waiting and not self._taken:
            first = min(self._waiting, key=lambda one: (self._lately(one.of), one.number))
            self._taken = self._answer(first, True)

    def _put_out(self) -> None:
        waiting = Counter(one.of for one in self._waiting)
        last = max(
            self._waiting,
            key=lambda one: (waiting[one.of] + self._lately(one.of), one.number),
        )
        self._answer(last, False)

    def _answer(self, one: Waiting, has_it: bool) -> bool:
        """Say so to one who waits; return whether anybody heard it."""
        self._waiting.remove(one)
        if one.turn.done():
            return False
        one.turn.set_result(has_it)
        return True

    def _lately(self, of: str) -> int:
        times, last = self._came.get(of, (0, 0.0))
        return times if time.monotonic() - last < FORGOTTEN else 0
