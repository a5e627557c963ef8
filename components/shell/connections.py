"""What the web server (uvicorn) leaves open: how many connections there may be at once, how long
one is kept that asks for nothing, or does not read what it asked for, how much of a request is read
at once, and how much of an answer is sent.
"""

import asyncio
import re
import socket
import sys
from asyncio import constants, sslproto
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any

import h11
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from core.door import neighbourhood

if sys.platform != "win32":
    import resource

MANY = 65_536
"""Connections and files: more than one address can open."""
PATIENCE = 20.0
"""Seconds in which a browser says what it wants: it does so at once."""
UNASKED, UNASKED_IN_ALL = 200, 1_000
"""Connections by https (`server.sslCertFile`) of one network, and in all, on which nothing was
asked yet, some 0.1 MB each: beyond, the oldest ends.
"""
READS, READS_ON = 20.0, 120.0
"""Seconds in which whoever asked for something reads some 50 kB of it, and in which whoever has
read much of it reads on: a proxy takes 2 MB at once, and no more until its own reader has them.
"""
MUCH = 1_000_000
"""Bytes of an answer that were sent, however fast. Not all were read: some 0.3 MB of them are still
here (4 MB on systems without the bound of `send_a_little_at_once`), and the reader's own system
keeps some 0.2 MB for one who reads nothing, or as many as it is told to. Whoever wants to be waited
for can have them kept as well as read and forget them: UNREAD bounds all.
"""
UNREAD = 250
"""Answers that wait for their readers at once, 0.3 MB each: beyond, the one is given up that waits
longest, if that is longer than READS; or else of those who have not read much, if there are any;
but never the one that begins to wait just now, or those who wait would keep all others out.
"""


AT_ONCE = 16_384
"""Bytes that are received at once: all of them are read before anybody else's turn comes."""
SENT_AT_ONCE = 65_536
"""Bytes that are sent at once: of more, nobody could tell before the end whether they are read."""
LINES = 120
"""Lines of a request's head: a browser sends some twenty, and proxies add a few. Each is taken
apart before anybody knows who asks.
"""
HEAD_ENDS = re.compile(rb"\n\r?\n")


def allow_many_connections() -> None:
    """Let this process have so many connections and files open as the system lets it.

    What most systems give from the start, 1,024, one visitor can use up without a word.
    """
    if sys.platform == "win32":  # It has no such bound.
        return
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MANY if most == resource.RLIM_INFINITY else min(MANY, most)
    if now != resource.RLIM_INFINITY and now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def end_silent_connections() -> None:
    """Let connections of this process that begin after this end when nothing was asked on them for
    a while, or only half of it.
    """
    protocol: Any = AutoHTTPProtocol
    begin = protocol.connection_made
    if hasattr(begin, "__wrapped__"):
        return

    @wraps(begin)
    def begin_and_look(connection: Any, transport: asyncio.Transport) -> None:
        begin(connection, transport)
        connection.loop.call_later(PATIENCE, _look, connection, None)

    protocol.connection_made = begin_and_look


def read_requests_within_bounds() -> None:
    """Let connections of this process that begin after this read a little at once, and refuse
    requests with more lines than browsers send, or with a body in chunks: none of theirs is, and
    each chunk of one byte takes as long as all of a body that says its length. Nor is this server a
    proxy (`CONNECT`).
    """
    protocol: Any = AutoHTTPProtocol
    begin = protocol.connection_made
    if getattr(begin, "is_bounded", False):
        return

    @wraps(begin)
    def begin_within_bounds(connection: Any, transport: Any) -> None:
        # What asyncio's own transports ask the system for; of TLS see bound_tls.
        if hasattr(transport, "max_size"):
            transport.max_size = AT_ONCE
        # The other parser that uvicorn takes, where it is installed, has none.
        if parsing := getattr(connection, "conn", None):
            parsing.next_event = _within_bounds(parsing)
        begin(connection, transport)

    begin_within_bounds.is_bounded = True  # type: ignore[attr-defined]
    protocol.connection_made = begin_within_bounds


def _within_bounds(parsing: h11.Connection) -> Callable[[], Any]:
    next_event = parsing.next_event

    def next_within_bounds() -> Any:
        if parsing.their_state is h11.IDLE:
            came, _ = parsing.trailing_data
            end = HEAD_ENDS.search(came)
            if came.count(b"\n", 0, end.start() if end else len(came)) > LINES:
                raise h11.RemoteProtocolError("the head has too many lines", 431)
        event = next_event()
        if isinstance(event, h11.Request):
            if event.method == b"CONNECT":
                raise h11.RemoteProtocolError("this server leads nowhere else", 405)
            if dict(event.headers).get(b"transfer-encoding"):
                raise h11.RemoteProtocolError("the body does not say its length", 411)
        return event

    return next_within_bounds


def bound_tls() -> None:
    """Let connections of this process that speak https with this server itself
    (`server.sslCertFile`) read a little at once, and end where they do not greet it, or too many
    have asked for nothing yet: each takes memory for all that it may read at once, and for its
    greeting, from before a word was said.
    """
    sslproto.SSLProtocol.max_size = AT_ONCE
    constants.SSL_HANDSHAKE_TIMEOUT = PATIENCE
    protocol: Any = sslproto.SSLProtocol
    begin, lose = protocol.connection_made, protocol.connection_lost
    if hasattr(begin, "__wrapped__"):
        return
    unasked = SilentConnections()

    @wraps(begin)
    def begin_and_count(connection: Any, transport: asyncio.Transport) -> None:
        begin(connection, transport)
        # Not those that this process begins itself, with a model or a source.
        if connection._server_side:
            unasked.come(connection, transport)

    @wraps(lose)
    def lose_and_forget(connection: Any, error: Exception | None) -> None:
        unasked.go(connection)
        lose(connection, error)

    protocol.connection_made, protocol.connection_lost = begin_and_count, lose_and_forget


class SilentConnections:
    """The connections by https on which nothing was asked yet, the oldest of each network first."""

    def __init__(self) -> None:
        self._networks: dict[str, dict[Any, asyncio.Transport]] = {}
        self._network_of: dict[Any, str] = {}

    def come(self, connection: Any, transport: asyncio.Transport) -> None:
        """Keep a new one, and end the oldest where there are too many: of its network, or of the
        one that has most.
        """
        peer = transport.get_extra_info("peername")
        network = neighbourhood(str(peer[0]) if peer else "")
        self._networks.setdefault(network, {})[connection] = transport
        self._network_of[connection] = network
        if len(self._networks[network]) > UNASKED:
            self._end_oldest(network, UNASKED)
        while len(self._network_of) > UNASKED_IN_ALL:
            fullest = max(self._networks, key=lambda one: len(self._networks[one]))
            self._end_oldest(fullest, len(self._networks[fullest]) - 1)

    def go(self, connection: Any) -> None:
        """Forget one that ended, or asked for something."""
        network = self._network_of.pop(connection, None)
        if network is not None:
            del self._networks[network][connection]
            if not self._networks[network]:
                del self._networks[network]

    def _end_oldest(self, network: str, most: int) -> None:
        """Forget those of a network that have asked; end the oldest of those that stay beyond so
        many.
        """
        mine = self._networks[network]
        for connection in [one for one in mine if _asked(one)]:
            self.go(connection)
        for connection, transport in list(mine.items())[: max(0, len(mine) - most)]:
            self.go(connection)
            transport.abort()


def _asked(connection: Any) -> bool:
    """Say whether anything was asked on a connection by https; of a websocket its handshake was."""
    return getattr(connection._app_protocol, "cycle", True) is not None


def send_a_little_at_once() -> None:
    """Let connections of this process that begin after this send an answer a piece at a time, each
    as the one before is being read: whoever reads slowly but steadily is seen to read.
    """
    protocol: Any = AutoHTTPProtocol
    begin = protocol.connection_made
    if getattr(begin, "sends_little", False):
        return

    @wraps(begin)
    def begin_sending_little(connection: Any, transport: asyncio.Transport) -> None:
        begin(connection, transport)
        connection.app = _in_pieces(connection)
        # By TLS half a MB would wait.
        transport.set_write_buffer_limits(SENT_AT_ONCE)
        line = transport.get_extra_info("socket")
        if line is None:
            return
        with suppress(OSError):  # One that is not of TCP, or is gone already.
            # An answer's body would wait 40 ms until its head is acknowledged: asyncio does not set
            # this where Streamlit (1.67) made the socket.
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # The system would take 4 MB for itself, and nothing more until a third of it is read.
            if hasattr(socket, "TCP_NOTSENT_LOWAT"):
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, 2 * SENT_AT_ONCE)

    begin_sending_little.sends_little = True  # type: ignore[attr-defined]
    protocol.connection_made = begin_sending_little


def _in_pieces(connection: Any) -> Callable[..., Any]:
    app = connection.app

    async def answer_in_pieces(scope: Any, receive: Any, send: Callable[..., Any]) -> None:
        connection.sent = 0

        async def send_in_pieces(message: Any) -> None:
            body, at = message.get("body", b""), 0
            while len(body) - at > SENT_AT_ONCE:
                piece = body[at : at + SENT_AT_ONCE]
                await send({**message, "body": piece, "more_body": True})
                # It goes out when those before have: two of them at most wait here.
                connection.sent += SENT_AT_ONCE
                at += SENT_AT_ONCE
            await send({**message, "body": body[at:]} if at else message)
            connection.sent += len(body) - at

        await app(scope, receive, send_in_pieces)

    return answer_in_pieces


def end_unread_answers() -> None:
    """Let connections of this process end whose answers nobody reads, or too many of them."""
    protocol: Any = AutoHTTPProtocol
    pause, resume, lose = (
        protocol.pause_writing,
        protocol.resume_writing,
        protocol.connection_lost,
    )
    if hasattr(pause, "__wrapped__"):
        return
    waiting: dict[Any, float] = {}  # Since when: the longest first.

    @wraps(pause)
    def pause_and_look(connection: Any) -> None:
        pause(connection)
        since = waiting[connection] = connection.loop.time()
        connection.loop.call_later(_patience(connection), give_up, connection, since)
        if len(waiting) > UNREAD:
            others = [one for one in waiting if one is not connection]
            too_long = [one for one in others if since - waiting[one] > READS]
            read_little = [one for one in others if _patience(one) == READS]
            longest = (too_long or read_little or others)[0]
            give_up(longest, waiting[longest])

    def give_up(connection: Any, since: float) -> None:
        if waiting.get(connection) == since:
            del waiting[connection]
            connection.transport.abort()

    @wraps(resume)
    def resume_and_forget(connection: Any) -> None:
        waiting.pop(connection, None)
        resume(connection)

    @wraps(lose)
    def lose_and_forget(connection: Any, error: Exception | None) -> None:
        waiting.pop(connection, None)
        lose(connection, error)

    protocol.pause_writing, protocol.resume_writing = pause_and_look, resume_and_forget
    protocol.connection_lost = lose_and_forget


def _patience(connection: Any) -> float:
    return READS_ON if getattr(connection, "sent", 0) > MUCH else READS


def _look(connection: Any, before: object) -> None:
    transport, asked = connection.transport, connection.cycle
    if transport.is_closing():
        # It waits until all is read that was sent, with no end.
        connection.loop.call_later(_patience(connection), transport.abort)
        return
    now = transport.get_protocol()
    if now is not connection:
        # A websocket is not looked after by this any more; one whose handshake cannot be read is
        # answered by nobody.
        if not getattr(now, "handshake_initiated", True):
            transport.close()
        return
    if asked is not None and not asked.response_complete:
        connection.loop.call_later(PATIENCE, _look, connection, object())
    elif asked is before:
        transport.close()
        connection.loop.call_later(_patience(connection), transport.abort)
    else:
        connection.loop.call_later(PATIENCE, _look, connection, asked)
