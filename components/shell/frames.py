"""What a browser may send on a websocket beside whole messages (uvicorn, which counts none of it),
and how much it is sent at once.

Pings and pongs never come to the application: their answers pile up where nobody reads them. The
pieces of a message do not before its last one, and each small piece takes twenty times its size.
And all that was received at once, 256 kB or 43,000 frames without content, is read before anybody
else's turn comes.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from components.access.strangers import ABORT, LIMIT, Turns
from components.shell.connections import SENT_AT_ONCE

LATE = 1.0
"""Seconds that the turn of a ping or a pong may be ahead: browsers send one in twenty seconds."""
UNREAD = 1_000_000
"""Bytes of answers that wait for their reader as another ping comes."""
PIECES = 1_000
"""Pieces of a message: browsers send some 128 kB in one, and 4 MB in all."""
AT_ONCE = 8_192
"""Bytes that are received at once."""
READS = 20.0
"""Seconds in which whoever is sent something reads some 50 kB of it: what is sent later waits, and
whoever sends it. Not more for whoever has read much, unlike answers (`connections.READS_ON`): a
ping goes out behind all that was sent before, and where it is not answered in 30 (Streamlit's
`server.websocketPingInterval`), the line ends anyway.
"""


def bound_frames() -> None:
    """End every websocket of this process that sends more pings, pongs or pieces than a browser
    does, and read and answer all of them a little at a time.
    """
    protocol: Any = WebSocketsSansIOProtocol
    if hasattr(protocol.handle_ping, "__wrapped__"):
        return
    protocol.connection_made = _reading_little(protocol.connection_made)
    protocol.send = _a_piece_at_a_time(protocol.send)
    protocol.pause_writing = _for_a_while(protocol.pause_writing)
    protocol.keepalive_timeout = _and_cut(protocol.keepalive_timeout)
    protocol.run_asgi = _that_can_be_cut(protocol.run_asgi)
    protocol.handle_ping = _unless(_too_many, protocol.handle_ping)
    protocol.handle_pong = _unless(_too_many, protocol.handle_pong)
    protocol.handle_cont = _unless(_in_too_many_pieces, protocol.handle_cont)


def _reading_little(begin: Callable[..., None]) -> Callable[..., None]:
    @wraps(begin)
    def begin_reading_little(connection: Any, transport: Any) -> None:
        # What asyncio's own transports ask the system for; of TLS see connections.bound_tls.
        if hasattr(transport, "max_size"):
            transport.max_size = AT_ONCE
        begin(connection, transport)

    return begin_reading_little


def _a_piece_at_a_time(send: Callable[..., Any]) -> Callable[..., Any]:
    """Send each piece of a message as the one before is being read: whoever reads slowly but
    steadily is seen to read, and pings go out in between.
    """

    @wraps(send)
    async def send_in_pieces(connection: Any, message: Any) -> None:
        body = message.get("bytes") or b""
        if len(body) <= SENT_AT_ONCE or connection.close_sent:
            await send(connection, message)
            return
        for at in range(0, len(body), SENT_AT_ONCE):
            await connection.writable.wait()
            # A line that broke is closing at once; it is said to have gone only later.
            if connection.disconnected or connection.transport.is_closing():
                raise ClientDisconnected
            piece, last = body[at : at + SENT_AT_ONCE], at + SENT_AT_ONCE >= len(body)
            try:
                if at:
                    connection.conn.send_continuation(piece, last)
                else:
                    connection.conn.send_binary(piece, last)
            except InvalidState as error:
                raise ClientDisconnected from error
            connection.transport.write(b"".join(connection.conn.data_to_send()))

    return send_in_pieces


def _for_a_while(pause: Callable[..., None]) -> Callable[..., None]:
    @wraps(pause)
    def pause_and_look(connection: Any) -> None:
        pause(connection)
        full = vars(connection)["full"] = object()
        connection.loop.call_later(READS, _cut_unless_read, connection, full)

    return pause_and_look


def _cut_unless_read(connection: Any, full: object) -> None:
    if vars(connection)["full"] is full and not connection.writable.is_set():
        connection.transport.abort()


def _and_cut(give_up: Callable[..., None]) -> Callable[..., None]:
    """Wait for the last words to be read for a while: the system's own patience has no end."""

    @wraps(give_up)
    def give_up_and_cut(connection: Any) -> None:
        give_up(connection)
        connection.loop.call_later(READS, connection.transport.abort)

    return give_up_and_cut


def _that_can_be_cut(run: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(run)
    async def run_with_abort(connection: Any) -> None:
        connection.scope["extensions"] |= {
            ABORT: connection.transport.abort,
            LIMIT: lambda most: setattr(connection.conn, "max_message_size", most),
        }
        await run(connection)

    return run_with_abort


def _unless(too_much: Callable[[Any], bool], handle: Callable[..., None]) -> Callable[..., None]:
    @wraps(handle)
    def look_and_handle(connection: Any, *event: object) -> None:
        if connection.transport.is_closing():
            return
        if too_much(connection):
            connection.transport.abort()
        else:
            handle(connection, *event)

    return look_and_handle


def _too_many(connection: Any) -> bool:
    turns: Turns = vars(connection).setdefault("control_turns", Turns())
    unread = connection.transport.get_write_buffer_size()
    return turns.wait(0) > LATE or unread > UNREAD


def _in_too_many_pieces(connection: Any) -> bool:
    return len(connection.frames) >= PIECES
