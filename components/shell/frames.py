"""What a browser may send on a websocket beside whole messages (uvicorn, which counts none of it).

Pings and pongs never come to the application: their answers pile up where nobody reads them. The
pieces of a message do not before its last one, and each small piece takes twenty times its size.
And all that was received at once, 256 kB or 43,000 frames without content, is read before anybody
else's turn comes.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from components.access.strangers import Turns

LATE = 1.0
"""Seconds that the turn of a ping or a pong may be ahead: browsers send one in twenty seconds."""
UNREAD = 1_000_000
"""Bytes of answers that wait for their reader as another ping comes."""
PIECES = 1_000
"""Pieces of a message: browsers send some 128 kB in one, and 4 MB in all."""
AT_ONCE = 8_192
"""Bytes that are received at once."""


def bound_frames() -> None:
    """End every websocket of this process that sends more pings, pongs or pieces than a browser
    does, and read all of them a little at a time.
    """
    protocol: Any = WebSocketsSansIOProtocol
    if hasattr(protocol.handle_ping, "__wrapped__"):
        return
    protocol.connection_made = _reading_little(protocol.connection_made)
    protocol.handle_ping = _unless(_too_many, protocol.handle_ping)
    protocol.handle_pong = _unless(_too_many, protocol.handle_pong)
    protocol.handle_cont = _unless(_in_too_many_pieces, protocol.handle_cont)


def _reading_little(begin: Callable[..., None]) -> Callable[..., None]:
    @wraps(begin)
    def begin_reading_little(connection: Any, transport: Any) -> None:
        # What asyncio's own transports ask the system for; another kind has no such bound.
        if hasattr(transport, "max_size"):
            transport.max_size = AT_ONCE
        begin(connection, transport)

    return begin_reading_little


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
