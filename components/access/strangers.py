"""How those are heard who were let in nowhere, and those at seats: in turn, at a pace that leaves
the server to organisers, and so many at once.
"""

import asyncio
import itertools
import logging
import time
from collections.abc import Callable
from typing import NamedTuple
from weakref import WeakValueDictionary

from starlette.requests import HTTPConnection
from starlette.types import Message, Send

from components.access.admissions import MOST, admissions
from core.door import neighbourhood

log = logging.getLogger("foundry.gate")
PACE, AT_ONCE, SMALL = 20.0, 60.0, 2_000
"""Wishes a second, and at once, that are heard of somebody who was never let in: each draws a page;
one of so many bytes counts as two.
"""
TOGETHER, SEATS_TOGETHER = 2.0, 4.0
"""Times as many are heard of all strangers together, and of all seats: a server draws some 170
pages a second, and those who were let in are to have their part of it.
"""
STRANGERS_WORK = 80.0
"""Turns that a second of the processor counts as, of all strangers, so that they have half a core:
their pages are small, but for one that a link to join leads to.
"""
LOUD = 60.0
"""Turns from which one seat is as loud as another: it is quiet again half a minute later."""
SEATS_WORK = 1.5
"""Times as much of the processor as one seat may have, that all seats together may."""
UNKNOWN, UNKNOWN_IN_ALL = 100, 250
"""Connections open at once of one network, of those who were let in nowhere and are at no seat: the
server keeps up to WISH bytes of each before the gate sees any; and of all networks, since one can
have many addresses. Beyond, one is ended for each that comes.
"""
WAITING, LONG = 250, 20.0
"""Wishes that wait in a line at once, and seconds that one waits: beyond, its connection is given
up. It may have ended meanwhile, which nobody hears who waits.
"""
ABORT = "foundry.abort"
"""What the web server hands on with a connection: how it is cut (components/shell/frames.py)."""
LIMIT = "foundry.limit"
"""And how large a message of it may become: what has come of one is kept until it is whole."""
HEARS = 2.0
"""Seconds in which whoever is put out may hear so; then the connection is cut."""
OF_A_SEAT, SEATED = 8, 400
"""Connections open at once of one seat, and of all seats: an expert has a few tabs, and a link can
be handed on. Beyond, the oldest of the seat are ended as others come.
"""

WORK, USUAL = 40.0, 3.0
"""Turns that a second of the processor counts as, so that all tabs of a seat have half a core; and
those of a page of which nothing is known yet.
"""


class Turns:
    """When the next wish is heard: some at once, then so many a second; `times` as many as of one
    connection.
    """

    def __init__(self, times: float = 1.0, of: tuple[float, float] | None = None) -> None:
        a_second, at_once = of or (PACE, AT_ONCE)
        self._pace, self._most = times * a_second, times * at_once
        self._left, self._at = self._most, time.monotonic()

    def take(self, turns: float) -> None:
        """Take so many turns that nobody waits for; less than none are given back."""
        self._left = min(self._most, self._left - turns)

    def wait(self, size: int) -> float:
        """Take a turn for so many bytes and return the seconds until it has come."""
        now = time.monotonic()
        earned = self._pace * (now - self._at)
        self._left = min(self._most, self._left + earned) - cost(size)
        self._at = now
        return max(0.0, -self._left / self._pace)

    def debt(self) -> float:
        """Return how many turns were taken that have not come yet."""
        return max(0.0, -self._left - self._pace * (time.monotonic() - self._at))


def cost(size: int) -> float:
    """Return how many wishes one of so many bytes counts as."""
    return 1 + size / SMALL


class Ending:
    """Sends until the connection is ended from here; `abort` cuts it where nobody reads."""

    def __init__(self, send: Send, abort: Callable[[], None] | None = None) -> None:
        self._send, self._abort, self._over = send, abort, False
        self._closing: asyncio.Task[None] | None = None
        self.spoke = False
        """Whether its browser has asked for anything."""

    async def __call__(self, message: Message) -> None:
        """Send this message; once the connection is ended, nothing."""
        if not self._over:
            await self._send(message)

    def end(self) -> None:
        """End the connection; its browser may come again later. Nobody waits for it to hear."""
        self._over = True
        self._closing = asyncio.create_task(self._close())

    async def _close(self) -> None:
        try:
            async with asyncio.timeout(HEARS):
                await self._send({"type": "websocket.close", "code": 1013, "reason": ""})
        except TimeoutError:
            if self._abort:
                self._abort()
        except (OSError, RuntimeError):  # It had ended by itself.
            log.info("A connection that was to be ended was gone")


class Waiting(NamedTuple):
    """A wish that waits for its turn."""

    of: "Party"
    asked_so_far: float
    """By its connection, this wish with it, by what it costs."""
    number: int
    size: int
    since: float
    turn: asyncio.Future[bool]

    def place(self) -> tuple[float, float, int]:
        """Return what decides who is next: the party of which least was asked lately, in it who
        asked least so far; one who comes new does not stand behind those who ask all the time, nor
        behind those who ask for much.
        """
        return self.of.asked.debt(), self.asked_so_far, self.number


class Line:
    """Where all strangers, or all at seats, wait for a turn."""

    def __init__(self, turns: Turns) -> None:
        self._turns, self._numbers = turns, itertools.count()
        self._waiting: list[Waiting] = []
        self._calling: asyncio.Task[None] | None = None

    async def wait(self, of: "Party", asked_before: float, size: int) -> bool:
        """Wait for a turn for so many bytes; return whether it came, or was given up."""
        turn = asyncio.get_running_loop().create_future()
        of.asked.wait(size)
        asked, now = asked_before + cost(size), time.monotonic()
        self._waiting.append(Waiting(of, asked, next(self._numbers), size, now, turn))
        if len(self._waiting) > WAITING:
            self._give_up(max(self._waiting, key=Waiting.place))
        if self._calling is None:
            self._calling = asyncio.create_task(self._call())
        return bool(await turn)

    async def _call(self) -> None:
        while self._waiting:
            first = min(self._waiting, key=Waiting.place)
            if time.monotonic() - first.since > LONG:
                self._give_up(first)
                continue
            self._waiting.remove(first)
            if not first.turn.done():
                first.turn.set_result(True)
                self._turns.take(SEATS_TOGETHER / SEATS_WORK * first.of.usual)
                await asyncio.sleep(self._turns.wait(first.size))
        self._calling = None

    def _give_up(self, one: Waiting) -> None:
        self._waiting.remove(one)
        if not one.turn.done():
            one.turn.set_result(False)


class Party:
    """Whose wishes count together: a seat's, in all its tabs, or a network's."""

    usual = 0.0
    """Turns that a page of it takes beside that of the wish, lately."""

    def __init__(self) -> None:
        self.asked = Turns()
        """How much was asked lately."""


class Network(Party):
    """The connections of one network, and how much its strangers asked lately."""

    def __init__(self) -> None:
        super().__init__()
        self.sockets: dict[str, Ending] = {}
        """All that are open, the oldest first."""

    def unknown(self) -> list[str]:
        """Return the connections of those let in nowhere and at no seat, the oldest first."""
        return [socket for socket in self.sockets if not admissions.known(socket)]

    def make_room(self) -> None:
        """End a connection of somebody unknown where there are too many, of this network or in all:
        then of the network that has most. The oldest goes, first of those that asked for nothing.
        """
        counts = {network: network.unknown() for network in _NETWORKS.values()}
        most = max(counts, key=lambda network: len(counts[network]))
        if len(counts[self]) >= UNKNOWN:
            most = self
        elif sum(map(len, counts.values())) < UNKNOWN_IN_ALL:
            return
        log.warning("A connection was ended: there are too many of people unknown here")
        goes = min(counts[most], key=lambda socket: most.sockets[socket].spoke)
        most.sockets.pop(goes).end()


class Seat(Party):
    """A seat in all its tabs: its link is one person's, or was handed on."""

    def __init__(self) -> None:
        super().__init__()
        self.pace, self.asked = Turns(), Turns(0.1)
        self.usual = USUAL

    def wait(self, size: int) -> float:
        """Take the turns of a wish of so many bytes, and of a page as it usually is, and return the
        seconds until they have come.
        """
        self.pace.take(self.usual)
        return self.pace.wait(size)

    def drew(self, seconds: float) -> None:
        """Hear how long the processor took for a page, and take what it took beyond the usual: of
        this seat, and of all together.
        """
        turns = WORK * seconds
        beyond = turns - self.usual
        self.pace.take(beyond)
        if self.asked.debt() < LOUD:
            self.asked.take(turns)
        OF_SEATS.take(SEATS_TOGETHER / SEATS_WORK * beyond)
        self.usual += beyond / 4


OF_SEATS, OF_STRANGERS = Turns(SEATS_TOGETHER), Turns(TOGETHER)
"""Of all seats together, and of all strangers."""
_NETWORKS: WeakValueDictionary[str, Network] = WeakValueDictionary()
_SEATS: dict[str, Seat] = {}
"""Kept when the last tab is closed: whoever comes again and again has no more turns for it."""


def network_of(asking: HTTPConnection) -> Network:
    """Return what all strangers of one network share, as long as one is connected."""
    name = neighbourhood(asking.client.host if asking.client else "")
    network = _NETWORKS.get(name) or Network()
    return _NETWORKS.setdefault(name, network)


def seat_of(name: str) -> Seat:
    """Return what all tabs of one seat share."""
    if len(_SEATS) > MOST:
        for other in [one for one, seat in _SEATS.items() if not seat.pace.debt()]:
            del _SEATS[other]
    return _SEATS.setdefault(name, _SEATS.get(name) or Seat())


def make_room_at_seats() -> None:
    """End the oldest connections of seats that have too many, and where there are too many of all
    seats, of the seat that has most.
    """
    seated = admissions.seated()
    while seated:
        most = max(seated.values(), key=len)
        in_all = sum(map(len, seated.values()))
        if len(most) <= OF_A_SEAT and in_all <= SEATED:
            return
        goes = most.pop(0)
        for network in list(_NETWORKS.values()):
            if goes in network.sockets:
                log.warning("A connection was ended: there are too many of one seat")
                network.sockets.pop(goes).end()


class Asking:
    """One connection, as it asks and waits."""

    def __init__(self, socket: str, network: Network, strangers: Line, seats: Line) -> None:
        self._socket, self._network = socket, network
        self._strangers, self._seats = strangers, seats
        self._turns, self._asked = Turns(), 0.0

    async def has_its_turn(self, size: int) -> bool:
        """Wait until a wish of so many bytes may be heard; return False where it waited too long,
        would wait too long, or too many wait.
        """
        if self._socket in self._network.sockets:
            self._network.sockets[self._socket].spoke = True
        if admissions.expected(self._socket):
            return True
        asked_before, self._asked = self._asked, self._asked + cost(size)
        if name := admissions.seat_at(self._socket):
            seat = seat_of(name)
            # What is given up is not owed: whoever sits there would wait for it in another tab.
            if seat.pace.debt() > LONG * PACE:
                return False
            await asyncio.sleep(seat.wait(size))
            return await self._seats.wait(seat, asked_before, size)
        await asyncio.sleep(self._turns.wait(size))
        return await self._strangers.wait(self._network, asked_before, size)
