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
FEW = 3
"""Times that are held against nobody: two wrong passwords, or the way to a login service and back.
Refusals count, too: whoever comes on and on is refused for those who come for the first time.
"""
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
    held_against: int
    """Times that it came lately beyond a few, as it came."""
    turn: asyncio.Future[bool]


class Came(NamedTuple):
    times: int
    last: float


class FairLane:
    """Lets in one at a time."""

    def __init__(self, most: int, longest: float = LONG) -> None:
        """So many may wait, so many seconds each; beyond, one of those goes of whom most wait or
        came lately.
        """
        self._most, self._longest = most, longest
        self._waiting: list[Waiting] = []
        """The first first."""
        self._came: OrderedDict[str, Came] = OrderedDict()
        self._taken = False

    @asynccontextmanager
    async def turn(self, of: str) -> AsyncIterator[bool]:
        """Wait for the turn of somebody, such as an organisation's network, and have it in the
        block; yields False where too many wait, or it does not come.
        """
        has_it = await self._wait(of, max(0, self._note(of) - FEW))
        try:
            yield has_it
        finally:
            if has_it:
                self._call()

    def forgive(self, of: str) -> None:
        """Hold nothing against somebody any more."""
        self._came.pop(of, None)

    def waiting(self) -> int:
        """Return how many wait."""
        return len(self._waiting)

    def _note(self, of: str) -> int:
        """Count that somebody comes, and return how often that was lately."""
        times, last = self._came.pop(of, Came(0, 0.0))
        now = time.monotonic()
        self._came[of] = Came((times if now - last < FORGOTTEN else 0) + 1, now)
        if len(self._came) > REMEMBERED:
            self._came.popitem(last=False)
        return self._came[of].times

    async def _wait(self, of: str, held_against: int) -> bool:
        if not self._taken:
            self._taken = True
            return True
        one = Waiting(of, held_against, asyncio.get_running_loop().create_future())
        self._waiting.append(one)
        if len(self._waiting) > self._most:
            self._put_out()
        late = asyncio.get_running_loop().call_later(self._longest, self._give_up, one)
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
            first = min(self._waiting, key=lambda one: one.held_against)
            self._taken = self._answer(first, True)

    def _put_out(self) -> None:
        waiting = Counter(one.of for one in self._waiting)
        against = {one: waiting[one.of] + one.held_against for one in self._waiting}
        most = max(against.values())
        worst = [one for one in self._waiting if against[one] == most]
        # Of several it is chance that says who goes: who comes last is no worse than the others.
        of = _by_chance.choice(list(dict.fromkeys(one.of for one in worst)))
        self._answer([one for one in worst if one.of == of][-1], False)

    def _answer(self, one: Waiting, has_it: bool) -> bool:
        """Say so to one who waits; return whether anybody heard it."""
        self._waiting.remove(one)
        if one.turn.done():
            return False
        one.turn.set_result(has_it)
        return True
