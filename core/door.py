"""Who may come in: one password, tickets that run out, and a wait after every failed try."""

import hmac
import ipaddress
import secrets
import threading
import time
from collections.abc import Callable
from functools import lru_cache
from hashlib import scrypt, sha256
from math import ceil
from typing import Literal, NamedTuple

from core.errors import BadInput
from core.normal_forms import normal
from core.settings import comparable
from core.store import Store

LASTS = 12 * 60 * 60
"""Seconds a sign-in is good for: a working day."""
AHEAD = 300.0
"""Seconds by which another clock may be ahead of ours: what is good for longer was made by one that
was wrong.
"""
LONGEST_PASSWORD = 1_000
LONGEST_WAIT = 60
"""Seconds; waits double from one up to here."""
FORGIVEN = 15 * 60
"""Seconds after which failed tries are forgotten. Starting anew then gives fewer tries an hour than
going on at the longest wait.
"""
ADDRESSES = 20_000
"""Addresses whose tries are remembered; the one that tried longest ago is forgotten for another.
None share a wait: who has many addresses would keep everybody else waiting. How many tries they buy
is bounded by how many are looked at (`components.access.sign_in`).
"""
CROWD = 20
"""Failed tries of all addresses together that slow nobody but those who made them."""
CROWD_MOST = CROWD + 10
"""Failed tries of all addresses together that are counted, so that five minutes after an attack
nobody is slowed any more.
"""
EASE = 30
"""Seconds in which the failed tries of all addresses together become one fewer."""
SECRET_BYTES = 32
"""256 bits: a link cannot be guessed."""
Standing = Literal["in", "expired", "left", "unknown"]
Clock = Callable[[], float]


def secret() -> str:
    """Return a new secret for a link, fit for an address."""
    return secrets.token_urlsafe(SECRET_BYTES)


def hashed(secret: str) -> str:
    """Return the SHA-256 of a secret, in hex: what the store keeps. A long random secret needs no
    salt and no slow hash.
    """
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def make_reading_link(store: Store, run_id: str) -> str:
    """Make a link by which a run can be read without a sign-in, and return its secret, which is
    known this once; raises BadInput for a run that is not there.
    """
    run, link = store.runs.get(run_id), secret()
    store.readings.add(run.id, hashed(link))
    return link


class TooSoon(BadInput):
    """A try came before the wait after failed ones was over; `seconds` are left of it."""

    def __init__(self, seconds: int, others: bool = False):
        wrong = (
            "Many wrong passwords were tried from other addresses."
            if others
            else "Too many wrong tries."
        )
        super().__init__(
            f"{wrong} Wait {seconds} {'second' if seconds == 1 else 'seconds'}, then try again."
        )
        self.seconds = seconds


class _Tries(NamedTuple):
    failed: int
    """Failed tries; none for who has to wait only because of others."""
    last: float
    free: float
    """When the next try is looked at."""


class Slowing:
    """Makes every network address wait after a failed try: 1, 2, 4 ... at most 60 s. Safe to use
    from several threads.

    Once all addresses together failed too often, each waits before its first try, too, at most as
    long. That wait is its own and does not begin anew with the tries of others, so that nobody is
    locked out by them. A browser that signed in before (`known`, some name for it) is slowed by its
    own tries alone.
    """

    def __init__(self, clock: Clock = time.monotonic):
        self._clock, self._guard = clock, threading.Lock()
        self._tries: dict[str, _Tries] = {}
        self._together, self._counted = 0.0, clock()

    def begin(self, address: str, known: str = "") -> float:
        """Count a try as failed before it is looked at, so that many at once are not all the first;
        return when, by which `put_off` knows it.

        Raises TooSoon, and then counts nothing.
        """
        with self._guard:
            now, name = self._clock(), self._name(address, known)
            crowd = 0.0 if known else self._crowd(now)
            held = self._tries.get(name) or _Tries(0, now, now + crowd)
            if held.free > now:
                if name not in self._tries:
                    self._keep(name, held)
                left = min(held.free - now, LONGEST_WAIT)
                raise TooSoon(ceil(left), others=held.failed == 0)
            own = float(min(2**held.failed, LONGEST_WAIT))
            self._keep(name, _Tries(held.failed + 1, now, now + max(own, crowd)))
            self._together = min(self._together + 1, CROWD_MOST)
            return now

    def put_off(self, address: str, known: str, begun: float) -> None:
        """Take back what `begin` counted then, since the try is not looked at: the next may come at
        once, unless others were begun since.
        """
        with self._guard:
            name = self._name(address, known)
            if held := self._tries.get(name):
                free = self._clock() if held.last == begun else held.free
                self._tries[name] = _Tries(max(held.failed - 1, 0), held.last, free)
            self._together = max(self._together - 1, 0.0)

    def forgive(self, address: str, known: str = "") -> None:
        """Forget the failed tries of an address or a browser: somebody came in from there."""
        with self._guard:
            self._tries.pop(self._name(address, known), None)
            self._together = max(self._together - 1, 0.0)

    def _crowd(self, now: float) -> float:
        """Return the seconds that everybody waits because of the failed tries of all."""
        self._together = max(self._together - (now - self._counted) / EASE, 0.0)
        self._counted = now
        over = int(self._together) - CROWD
        return float(min(2**over, LONGEST_WAIT)) if over >= 0 else 0.0

    def _name(self, address: str, known: str) -> str:
        name = f"browser {known}" if known else neighbourhood(address)
        if name in self._tries and self._tries[name].last <= self._clock() - FORGIVEN:
            del self._tries[name]
        return name

    def _keep(self, name: str, tries: _Tries) -> None:
        """Remember tries as the latest."""
        self._tries.pop(name, None)
        self._tries[name] = tries
        if len(self._tries) > ADDRESSES:
            del self._tries[next(iter(self._tries))]


class Door:
    """Lets in who knows the password, and knows its own tickets again.

    A ticket is `expires.nonce.signature`. The key that signs is made from the password (scrypt, RFC
    7914) and a salt in the store: a restart signs nobody out, another password signs everybody out,
    and neither the password nor anything to test guesses against is ever stored.
    """

    def __init__(
        self, store: Store, password: str, clock: Clock = time.time, waits: Clock = time.monotonic
    ):
        """Tickets run out by the clock of the day; waits go by one that nobody can set."""
        self._rows, self._password, self._clock = store.door, password, clock
        self._slowing = Slowing(waits)

    def known(self, earlier: str, badge: str = "") -> str:
        """Return the name by which a browser with this ticket of before, or this badge, is slowed;
        empty for one that never signed in. Raises StoreFailed.
        """
        if self.standing(earlier) != "unknown":
            return earlier.split(".")[1]
        nonce, _, _ = badge.partition(".")
        return nonce if _alike(badge, self._badge(nonce)) else ""

    def badge(self, ticket: str) -> str:
        """Return what a browser that signed in with this ticket is known by from now on. It opens
        nothing, and holds until the password changes.
        """
        return self._badge(ticket.split(".")[1])

    def _badge(self, nonce: str) -> str:
        return f"{nonce}.{self._signature(f'signed in before: {nonce}')}"

    def begin(self, address: str, known: str = "") -> float:
        """Count a try before it is looked at, and return when; takes no time. Raises TooSoon."""
        return self._slowing.begin(address, known)

    def put_off(self, address: str, known: str, begun: float) -> None:
        """Take back what `begin` counted then: too many are looked at already."""
        self._slowing.put_off(address, known, begun)

    def look(self, password: str, address: str, known: str = "") -> str:
        """Return a ticket for who gave the right password in a try that was begun, some 50 ms of
        processor time later; raises BadInput where it is wrong, StoreFailed.
        """
        salt = self._rows.salt()
        if len(password) > LONGEST_PASSWORD or not hmac.compare_digest(
            _key(password, salt), self._own_key(salt)
        ):
            raise BadInput("That is not the password.")
        self._slowing.forgive(address, known)
        body = f"{int(self._clock()) + LASTS}.{secrets.token_hex(8)}"
        return f"{body}.{self._signature(body)}"

    def standing(self, ticket: str) -> Standing:
        """Return what a ticket is worth now: in, expired, left (handed back) or unknown; raises
        StoreFailed.
        """
        body, _, signature = ticket.rpartition(".")
        if (
            not body
            or not ticket.isascii()
            or not hmac.compare_digest(signature, self._signature(body))
        ):
            return "unknown"
        until, nonce = body.split(".")
        if not 0 < int(until) - self._clock() <= LASTS + AHEAD:
            return "expired"
        return "left" if self._rows.taken_back(nonce) else "in"

    def leave(self, ticket: str) -> None:
        """Take a ticket back: it opens nothing from now on, in no tab and on no server of this data
        folder.

        One that has run out, too: the clock may have been wrong. Raises StoreFailed.
        """
        if self.standing(ticket) != "unknown":
            until, nonce, _ = ticket.split(".")
            self._rows.take_back(nonce, int(until))

    def _signature(self, body: str) -> str:
        said = body.encode("utf-8", "surrogatepass")
        return hmac.digest(self._own_key(self._rows.salt()), said, "sha256").hex()

    def _own_key(self, salt: str) -> bytes:
        return _kept_key(self._password, salt)


def _alike(one: str, other: str) -> bool:
    return hmac.compare_digest(
        one.encode("utf-8", "surrogatepass"), other.encode("utf-8", "surrogatepass")
    )


def _key(password: str, salt: str) -> bytes:
    # One password typed on two keyboards may come as different bytes: an accent apart from its
    # letter, or together with it.
    typed = normal("NFC", password).encode("utf-8", "surrogatepass")
    return scrypt(typed, salt=bytes.fromhex(salt), n=2**14, r=8, p=1, dklen=32)


_kept_key = lru_cache(maxsize=4)(_key)
"""Only for the password that is set: what somebody tries is not kept."""


def on_this_machine(host: str) -> bool:
    """Say whether a host name or an IP address, without a port, is this machine's own loopback."""
    name = host.strip("[]").lower()
    try:
        return _plain(name).is_loopback
    except ValueError:
        return name == "localhost"


def organises(email: str, organisers: tuple[str, ...]) -> bool:
    """Say whether an e-mail address is among the organisers' addresses and domains
    (`@lab.example`), as both are compared (settings.comparable).
    """
    try:
        name = comparable(email)
    except ValueError:
        return False
    person, at, domain = name.partition("@")
    if not person or not at:
        return False
    return name in organisers or f"@{domain}" in organisers


def _plain(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    found = ipaddress.ip_address(address)
    if found.version == 4:
        return found
    return found.ipv4_mapped or ipaddress.IPv6Address(int(found))  # Without its zone.


ORGANISATION = 48
"""Bits of an IPv6 address that one organisation has, or one household with a few to spare: 65,536
networks, each of which could come for the first time.
"""


def neighbourhood(address: str, ipv6: int = 64) -> str:
    """Return what tries are counted by: one household has a whole /64 of IPv6 addresses to try
    from, one organisation a /48.
    """
    try:
        found = _plain(address)
    except ValueError:
        return address[:100]
    if found.version == 4:
        return str(found)
    return str(ipaddress.ip_network((found, ipv6), strict=False))
