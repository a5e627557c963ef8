"""Which sessions have been let in, so that the gate can ask again before it passes anything on to
them.

What a session was let in with may run out while a tab stays open, and what a tab sends next (a
press, a timer) is acted on by Streamlit before the page, and so its lock, runs again.
"""

import threading
from collections.abc import Callable, Mapping

SOCKET = "X-Foundry-Socket"
"""The header in which the gate tells a page which connection it is on; what a client sends under
this name is thrown away.
"""
Cookies = Mapping[str, str]
MOST = 10_000
"""Sessions remembered; beyond, the oldest without an open connection go."""


class Admissions:
    """Sessions that were let in, each with how to find out whether it still may be. Safe to use
    from several threads.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._sessions: dict[str, Callable[[], bool]] = {}
        self._owners: dict[str, Callable[[Cookies], bool]] = {}
        self._sockets: dict[str, str] = {}
        self._seated: dict[str, str] = {}
        self._expected: set[str] = set()

    def note(
        self,
        socket: str,
        session: str,
        still: Callable[[], bool],
        owns: Callable[[Cookies], bool],
    ) -> None:
        """Note that the session on this connection was let in, how to ask whether it still may be,
        and how to tell by a browser's cookies whether it may go on with it.
        """
        with self._guard:
            self._sessions[session], self._owners[session] = still, owns
            if socket in self._sockets:
                self._sockets[socket] = session
            if len(self._sessions) > MOST:
                self._forget()

    def keep(self, session: str, owns: Callable[[Cookies], bool]) -> None:
        """Note whose a session is that was let in nowhere: an expert's at a seat."""
        with self._guard:
            self._owners.setdefault(session, owns)
            if len(self._owners) > 2 * MOST:
                self._forget()

    def open(self, socket: str, session: str) -> None:
        """Note a new connection, and the session it says it goes on with (or an empty text)."""
        with self._guard:
            self._sockets[socket] = session

    def close(self, socket: str) -> None:
        """Forget a connection that ended; its session may be gone on with by another."""
        with self._guard:
            self._sockets.pop(socket, None)
            self._seated.pop(socket, None)
            self._expected.discard(socket)

    def over(self, socket: str) -> bool:
        """Say whether the session on this connection was let in once and no longer may be; one
        never let in has nothing to lose.
        """
        return self.standing(self._sockets.get(socket, "")) is False

    def within(self, socket: str) -> bool:
        """Say whether the session on this connection was let in and still may be."""
        return self.standing(self._sockets.get(socket, "")) is True

    def seat(self, socket: str, seat: str) -> None:
        """Note that the link of this seat was found good on this connection."""
        with self._guard:
            if socket in self._sockets:
                self._seated[socket] = seat

    def expect(self, socket: str) -> None:
        """Note that the browser on this connection has signed in: its page will let it in."""
        with self._guard:
            if socket in self._sockets:
                self._expected.add(socket)

    def expected(self, socket: str) -> bool:
        """Say whether the browser on this connection had signed in as it came."""
        return socket in self._expected

    def seat_at(self, socket: str) -> str:
        """Return the seat that this connection is at, or an empty text."""
        return self._seated.get(socket, "")

    def seated(self) -> dict[str, list[str]]:
        """Return the connections of every seat, those that came first before the others."""
        found: dict[str, list[str]] = {}
        with self._guard:
            for socket, seat in self._seated.items():
                found.setdefault(seat, []).append(socket)
        return found

    def known(self, socket: str) -> bool:
        """Say whether the session on this connection was let in once, or will be, or is at a
        seat.
        """
        here = socket in self._seated or socket in self._expected
        return here or self._sockets.get(socket, "") in self._sessions

    def standing(self, session: str) -> bool | None:
        """Say whether a session may still be in; None where it never was."""
        still = self._sessions.get(session)
        return None if still is None else still()

    def owned(self, session: str, cookies: Cookies) -> bool:
        """Say whether a browser with these cookies may go on with a session, or send it files: its
        name alone is no proof, since it stands in addresses and so in a proxy's log.
        """
        owns = self._owners.get(session)
        return owns is None or owns(cookies)

    def _forget(self) -> None:
        connected = set(self._sockets.values())
        for session in [one for one in self._owners if one not in connected][
            : len(self._owners) - MOST
        ]:
            del self._owners[session]
            self._sessions.pop(session, None)


admissions = Admissions()
"""This server's."""
