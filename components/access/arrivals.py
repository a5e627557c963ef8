"""How often those may come who are no organisers: requests take the server's one loop some 0.7 ms
each, handshakes of websockets 3 ms, and who sends one after the other on many connections would
have all of it. Whoever comes too often waits, and so their next one comes later, too. How they are
heard once they are there stands in components/access/strangers.py.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import Literal, TypeVar, get_args

from starlette.requests import HTTPConnection

from components.access import seat_cookie
from components.access.lanes import FORGOTTEN, REMEMBERED
from components.access.strangers import LONG, Turns
from core.door import ORGANISATION, neighbourhood

Kind = Literal["http", "websocket"]
Manner = Literal["seldom", "quiet", "loud"]
T = TypeVar("T")
log = logging.getLogger("foundry.gate")
PACES = {"http": (200.0, 2_000.0), "websocket": (20.0, 100.0)}
"""A second, and at once, of one network or of one seat: a page takes some fifty files the first
time, and thirty experts may sit in one room.
"""
QUIET = 0.1
"""Part of that up to which one counts as quiet. All that are quiet have as much together as one
may have, and all others have as much again: two that are loud keep out nobody else.
"""
FEW = {"http": 60.0, "websocket": 10.0}
"""Requests and handshakes of one that comes seldom, in a quarter of an hour, with those that were
refused. All that come seldom have as much together as one may have, too; otherwise twenty networks
that are quiet without end would keep out whoever comes for the first time.
"""
MOST = 1_000
"""Networks and seats of which it is known what they ask at the moment; beyond, those that came
longest ago are forgotten.
"""
WAITING, OF_ONE = 2_000, 100
"""Requests that wait at once, and of one network or seat; beyond, those that would wait are
refused.
"""


class Comer:
    """A network, or a seat."""

    def __init__(self, pace: tuple[float, float]) -> None:
        self.pace = Turns(1.0, pace)
        self.waiting = 0


def _nothing_lately(kind: Kind) -> dict[Manner, Turns]:
    """Return the turns for which a new organisation, or seat, comes seldom, and those for which it
    is quiet after that.
    """
    return {
        "seldom": Turns(1.0, (FEW[kind] / FORGOTTEN, FEW[kind])),
        "quiet": Turns(QUIET, PACES[kind]),
    }


def _remembered(
    known: OrderedDict[tuple[str, str], T],
    name: tuple[str, str],
    make: Callable[[], T],
    most: int,
) -> T:
    """Return what is known by a name, made where it is not, and forget what came longest ago."""
    if name not in known:
        known[name] = make()
    known.move_to_end(name)
    while len(known) > most:
        known.popitem(last=False)
    return known[name]


class Arrivals:
    """Who came lately."""

    def __init__(self) -> None:
        self._of_all = {
            (kind, seated, manner): Turns(1.0, pace)
            for kind, pace in PACES.items()
            for seated in (False, True)
            for manner in get_args(Manner)
        }
        self._of_one: OrderedDict[tuple[str, str], Comer] = OrderedDict()
        self._lately: OrderedDict[tuple[str, str], dict[Manner, Turns]] = OrderedDict()
        self._waiting = 0

    async def have_their_turn(self, kind: Kind, asking: HTTPConnection, size: int = 0) -> bool:
        """Wait until a request, with so many bytes behind its address, or a handshake may be
        answered; return False where that would take too long, or too many wait.
        """
        seat = seat_cookie.place(asking.cookies)
        host = asking.client.host if asking.client else ""
        name = (kind, seat or neighbourhood(host))
        # A household has many networks, and all of them make one noise.
        whose = (kind, seat or neighbourhood(host, ORGANISATION))
        mine = _remembered(self._of_one, name, lambda: Comer(PACES[kind]), MOST)
        lately = _remembered(self._lately, whose, lambda: _nothing_lately(kind), REMEMBERED)
        manner = next((one for one, turns in lately.items() if not turns.debt()), "loud")
        if manner in lately:
            lately[manner].wait(size)
        together = self._of_all[kind, bool(seat), manner]
        owed = max(mine.pace.debt(), together.debt())
        many = self._waiting >= WAITING or mine.waiting >= OF_ONE
        if owed and (many or owed > LONG * PACES[kind][0]):
            log.warning("%s was refused: too many come", kind)
            return False
        if seconds := max(mine.pace.wait(size), together.wait(size)):
            await self._wait(mine, seconds)
        return True

    async def _wait(self, comer: Comer, seconds: float) -> None:
        self._waiting += 1
        comer.waiting += 1
        try:
            await asyncio.sleep(seconds)
        finally:
            self._waiting -= 1
            comer.waiting -= 1
