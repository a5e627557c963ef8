"""Where those wait who want in: whoever came least lately is next, so that those who come all the
time keep nobody out.
"""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import SystemRandom
from typing import NamedTuple

FORGOTTEN = 15 * 60
"""Seconds after which nothing is held against whoever came."""
FEW = 2
"""Times that are held against nobody: a wrong password, or the way to a login service and back."""
LONG = 20.0
"""Seconds that one waits: beyond, the browser has gone, or its person has."""
REMEMBERED = 20_000
"""Of whom it is known how often they came lately; beyond, those that came longest ago are
forgotten.
"""


_by_chance = SystemRandom()


class Waiting(NamedTuple):
    """One that waits for its turn."""

    of: str
    turn: asyncio.Future[bool]


class Came(NamedTuple):
    times: int
    last: float


class Lane:
    """Lets in one at a time."""

    def __init__(self, most: int) -> None:
        """So many may wait; beyond, one of those goes of whom most wait or came lately."""
        self._most = most
        self._waiting: list[Waiting] = []
        """The first first."""
        self._came: OrderedDict[str, Came] = OrderedDict()
        self._taken = False

    @asynccontextmanager
    async def turn(self, of: str) -> AsyncIterator[bool]:
        """Wait for the turn of somebody, such as an organisation's network, and have it in the
        block; yields False where too many wait, or it does not come.
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

    def forgive(self, of: str) -> None:
        """Hold nothing against somebody any more."""
        self._came.pop(of, None)

    def waiting(self) -> int:
        """Return how many wait."""
        return len(self._waiting)

    async def _wait(self, of: str) -> bool:
        if not self._taken:
            self._taken = True
            return True
        one = Waiting(of, asyncio.get_running_loop().create_future())
        self._waiting.append(one)
        if len(self._waiting) > self._most:
            self._put_out()
        late = asyncio.get_running_loop().call_later(LONG, self._give_up, one)
        try:
            return await one.turn
        except asyncio.CancelledError:
            if one in self._waiting:
                self._waiting.remove(one)
            elif one.turn.done() and not one.turn.cancelled() and one.turn.result():
                self._call()
            raise
        finally:
            late.cancel()

    def _give_up(self, one: Waiting) -> None:
        if one in self._waiting:
            self._answer(one, False)

    def _call(self) -> None:
        """Give the turn to the next."""
        self._taken = False
        while self._waiting and not self._taken:
            first = min(self._waiting, key=lambda one: self._held_against(one.of))
            self._taken = self._answer(first, True)

    def _put_out(self) -> None:
        waiting = Counter(one.of for one in self._waiting)
        worst = max(waiting[of] + self._held_against(of) for of in waiting)
        # Which of them is chance: who comes last is no worse than the others.
        of = _by_chance.choice(
            [of for of in waiting if waiting[of] + self._held_against(of) == worst]
        )
        self._answer([one for one in self._waiting if one.of == of][-1], False)

    def _answer(self, one: Waiting, has_it: bool) -> bool:
        """Say so to one who waits; return whether anybody heard it."""
        self._waiting.remove(one)
        if one.turn.done():
            return False
        one.turn.set_result(has_it)
        return True

    def _held_against(self, of: str) -> int:
        return max(0, self._lately(of) - FEW)

    def _lately(self, of: str) -> int:
        times, last = self._came.get(of, (0, 0.0))
        return times if time.monotonic() - last < FORGOTTEN else 0
