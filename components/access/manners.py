"""Headers that every answer of the server has: pages, files, refusals, handshakes.

What the web server refuses by itself (a request that is no HTTP) does not come by here.
"""

from starlette.datastructures import MutableHeaders
from starlette.types import Message, Scope, Send

FRAMES = "frame-ancestors 'self'"
STARTS = ("http.response.start", "websocket.accept", "websocket.http.response.start")
REFUSING = "websocket.http.response"
"""What a server can do that answers a handshake with more than a bare 403 (ASGI extension)."""


class Guarded:
    """Sends with these headers: no other site's frame, no guessing at types, and this address goes
    into no other request.
    """

    def __init__(self, scope: Scope, send: Send):
        self._send, self._refusing = send, REFUSING in (scope.get("extensions") or {})
        self._handshake = scope["type"] == "websocket"
        self.begun = False
        """Whether the answer, or the connection, has begun."""

    async def __call__(self, message: Message) -> None:
        """Send this message; a handshake that is refused gets an answer with headers."""
        if (
            message["type"] == "websocket.close"
            and self._handshake
            and not self.begun
            and self._refusing
        ):
            await self({"type": f"{REFUSING}.start", "status": 403, "headers": []})
            return await self._send({"type": f"{REFUSING}.body", "body": b""})
        if message["type"] in STARTS:
            self.begun = True
            message = {**message, "headers": list(message.get("headers", ()))}
            _complete(MutableHeaders(raw=message["headers"]))
        return await self._send(message)


def _complete(headers: MutableHeaders) -> None:
    if not any(
        "frame-ancestors" in policy for policy in headers.getlist("content-security-policy")
    ):
        headers.append("Content-Security-Policy", FRAMES)
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("Referrer-Policy", "no-referrer")
