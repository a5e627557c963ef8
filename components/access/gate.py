"""The gate: what the server answers at all, before Streamlit hears of it (ASGI middleware).

With no lock set up, only this machine is served. With one, whatever is not needed to open a seat's
link asks for the organiser's sign-in. This is the outer of two locks: the pages have their own
(components/access/entrance.py), which also holds inside an open connection.
"""

import logging
import re
import secrets
from collections.abc import Callable
from urllib.parse import parse_qsl, quote, urlsplit

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnected
from streamlit import config
from streamlit.proto.BackMsg_pb2 import BackMsg

from components.access import reading, seat_cookie, sign_in
from components.access.admissions import SOCKET, admissions
from components.access.arrivals import Arrivals
from components.access.cookies import with_plain_cookies
from components.access.discretion import STRANGERS, Discreet, asked, can_be_read, keep_out_of_logs
from components.access.entrance import (
    COOKIE,
    SEAT,
    SECRET,
    SIGN_IN,
    Lock,
    has_short_secret,
    lock,
    out_of_reach,
    way_back,
    worth_of_login,
)
from components.access.log_in import LogIns, keep_little_of_a_login, login_by
from components.access.strangers import (
    ABORT,
    LIMIT,
    OF_SEATS,
    OF_STRANGERS,
    Asking,
    Ending,
    Line,
    make_room_at_seats,
    network_of,
)
from components.shell import services
from core.door import on_this_machine
from core.errors import BadInput, FoundryError, StoreFailed

log = logging.getLogger("foundry.gate")
ONLY_HERE = (
    "Idea Foundry has no password set, so it serves this machine only (127.0.0.1 or localhost), and"
    " no other address or proxy. Set FOUNDRY_PASSWORD (8 letters or more) and start it again, or"
    " open it on this machine."
)
GUESSED = (
    f"The cookie_secret under [auth] in .streamlit/secrets.toml has fewer than {SECRET} letters, so"
    " a stranger could find it out and sign in as anybody. Make one, and start again:"
    " python -c 'import secrets; print(secrets.token_hex(32))'"
)
BELOW = (
    "server.baseUrlPath is set, but Idea Foundry guards only what is served at the root of a host"
    " name: below a path it would be open to strangers. Leave that out, and give the program a"
    " host name of its own at the proxy."
)
BROKEN = "Something went wrong in the program; the log has the details. Reload to try again."
OPEN = ("/annotate", "/favicon.png", "/manifest.json")
ASKED_FIRST = ("/_stcore/health", "/_stcore/host-config")
"""What Streamlit's front end asks for, at the root and below the page's own path, to find out where
to connect. A redirect would mislead it.
"""
MEDIA = "/media/"
OPEN_BELOW = ("/static/", MEDIA, "/component/", "/_stcore/bidi-components/")
"""What a seat's link needs besides its page: programs of the front end; pictures and downloads
under names made from their content, which only the page that shows them gives away.
"""
UPLOADS = "/_stcore/upload_file/"
SHUT = ("/_stcore/agent", "/_stcore/metrics")
"""What no visitor needs: driving the app without a browser, figures on the process."""
FORWARDED = (
    *("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"),
    *("via", "client-ip", "true-client-ip", "x-client-ip", "x-cluster-client-ip"),
    *("cf-connecting-ip", "fastly-client-ip", "x-forwarded-port", "x-forwarded-server"),
)
"""What proxies add; no browser does."""
HOST = re.compile(r"(\[[\da-f:.]{2,45}\]|[\w.-]{1,253})(?::\d{1,5})?", re.ASCII | re.IGNORECASE)
"""A name or an address, as a browser says it, and a port."""

WISH, SEATS_WISH, STRANGERS_WISH = 4_000_000, 256_000, 64_000
"""Bytes that what a browser sends may have, of somebody who was let in, of an expert, whose form
goes along with every press, and of anybody else: read, it takes up to forty times as much memory.
"""
QUERY, FIELDS = 8_000, 60
"""Bytes and fields that may stand behind an address: more than any link of ours has. Each field is
taken apart and put together again for who is sent to sign in.
"""
UNREADABLE = 20
"""Messages on one connection that are none of Streamlit's, which a browser never sends."""


class Gate:
    """Stands before the whole app."""

    def __init__(self, app: ASGIApp):
        self.app = app
        self._strangers, self._seats = Line(OF_STRANGERS), Line(OF_SEATS)
        self._log_ins, self._arrivals = LogIns(), Arrivals()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what may not pass, and hand on the rest."""
        if scope["type"] == "lifespan":
            return await self._start(scope, receive, send)
        scope = _in_one_piece(with_plain_cookies(scope))
        guarded = Guarded(scope, send)
        try:
            if scope["type"] == "websocket":
                await self._connect(scope, receive, guarded)
            else:
                request = Request(scope, receive)
                answer = (
                    await self._too_often(request)
                    or await self._late(request)
                    or _too_long(request)
                    or await _answer(request)
                )
                if answer is None and lock() != "none":
                    guarded.cookie = await seat_cookie.earned(request)
                await (answer or self.app)(scope, receive, guarded)
        except (StoreFailed, BadInput) as error:
            if guarded.begun:
                raise
            await _out_of_reach(scope, receive, guarded, error)
        except WebSocketDisconnected:
            log.info("A connection ended before it was let in")
        except Exception:
            # Past here an answer would go out without the headers that every one has.
            log.exception("A request could not be answered")
            if guarded.begun or scope["type"] != "http":
                raise
            await _said(BROKEN, 500)(scope, receive, guarded)
        return None

    async def _too_often(self, request: Request) -> Response | None:
        address = request.client.host if request.client else ""
        if lock() != "login" or await self._log_ins.have_their_turn(request.url.path, address):
            return None
        return _said("Too many sign-ins were asked for. Try again in a few seconds.", 429)

    async def _late(self, request: Request) -> Response | None:
        kind = lock()
        if kind == "none" or _organises(kind, request):
            return None
        size = len(request.scope["query_string"])
        if await self._arrivals.have_their_turn("http", request, size):
            return None
        return _said("Too much is asked for at the moment. Try again in a minute.", 503)

    async def _start(self, scope: Scope, receive: Receive, send: Send) -> None:
        keep_out_of_logs()
        reason = _unfit()
        if not reason:
            return await self.app(scope, receive, send)
        await receive()
        # Not an exception: the server would write a traceback around the sentence.
        return await send({"type": "lifespan.startup.failed", "message": reason})

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind, asking = lock(), HTTPConnection(scope)
        if _foreign(asking) or (kind == "none" and _from_elsewhere(asking)):
            return await send({"type": "websocket.close", "code": 1008, "reason": ""})
        if kind == "none":
            return await self.app(scope, _readable(receive, lambda: WISH), send)
        ways = scope.get("extensions") or {}
        abort, limit = ways.get(ABORT), ways.get(LIMIT)
        organises = _organises(kind, asking)
        if not organises and not await self._arrivals.have_their_turn("websocket", asking):
            return await send({"type": "websocket.close", "code": 1013, "reason": ""})
        network, ending = network_of(asking), Ending(send, abort)
        seat = await seat_cookie.seat_by(asking.cookies)
        if limit and not organises:
            # Of strangers, too: a joining link leads to its seat within the page. What they send at
            # once is looked at as it comes.
            limit(SEATS_WISH)
        if not seat and not organises:
            network.make_room()
        make_room_at_seats()
        socket, session = secrets.token_hex(8), _resumed(asking.headers)
        if not admissions.owned(session, asking.cookies):
            scope, session = _afresh(scope), ""
        admissions.open(socket, session)
        if seat and not organises:
            admissions.seat(socket, seat)
        if organises:
            admissions.expect(socket)
        network.sockets[socket] = ending
        try:
            await self.app(
                _named(scope, socket),
                _asked_again(
                    socket,
                    _readable(receive, lambda: _most(socket)),
                    Asking(socket, network, self._strangers, self._seats),
                ),
                Discreet(admissions, socket, ending),
            )
        finally:
            admissions.close(socket)
            network.sockets.pop(socket, None)
        return None


async def _out_of_reach(
    scope: Scope, receive: Receive, send: Send, error: StoreFailed | BadInput
) -> None:
    sentence = out_of_reach(error) if isinstance(error, StoreFailed) else str(error)
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1013, "reason": ""})
    else:
        await _said(sentence, 503)(scope, receive, send)


def _unfit() -> str:
    """Return why the server must not start, or an empty text."""
    try:
        address = config.get_option("server.address")
        if st.secrets.load_if_toml_exists() and has_short_secret():
            return GUESSED
        kind = lock()
        if kind != "none" and config.get_option("server.baseUrlPath").strip("/"):
            return BELOW
        if kind == "login":
            keep_little_of_a_login()
        return "" if kind != "none" or (address and on_this_machine(address)) else ONLY_HERE
    except FoundryError as error:
        return str(error)


def _too_long(request: Request) -> Response | None:
    query = request.scope["query_string"]
    if len(query) <= QUERY and query.count(b"&") < FIELDS:
        return None
    return _said("This address is too long.", 414)


async def _answer(request: Request) -> Response | None:
    """Return what the gate answers by itself; None for what the app answers."""
    kind = lock()
    if kind == "none" and _from_elsewhere(request):
        return _said(ONLY_HERE)
    # `/./static/` is served as `/static/` is, and packed anew each time (Streamlit 1.67).
    if {".", ".."} & set(request.url.path.split("/")):
        return _said("There is no such page.", 404)
    if request.url.path == reading.READ:
        return await reading.answer(request)
    return None if kind == "none" else await _refusal(request, kind)


async def _refusal(request: Request, kind: Lock) -> Response | None:
    """Return why a lock lets a request not pass, or the sign-in page; None for what may."""
    path = request.url.path
    if kind == "login":
        uninvited = path.startswith(SHUT) or _uninvited(request)
        return _said("Sign in first.") if uninvited else None
    if path == SIGN_IN:
        return await sign_in.answer(request)
    if path.rstrip("/") in OPEN or path.startswith(OPEN_BELOW):
        return None
    if path.endswith(ASKED_FIRST) and request.method in ("GET", "HEAD"):
        return None
    signed_in = services.door().standing(request.cookies.get(COOKIE, "")) == "in"
    return None if signed_in else _sent_to_sign_in(request)


def _uninvited(request: Request) -> bool:
    """Say whether this is a file for a session that no organiser is in, or another is."""
    path = request.url.path
    if not path.startswith(UPLOADS):
        return False
    session = path.removeprefix(UPLOADS).split("/")[0]
    return not admissions.standing(session) or not admissions.owned(session, request.cookies)


def _sent_to_sign_in(request: Request) -> Response:
    if request.method not in ("GET", "HEAD") or request.url.path.startswith("/_stcore"):
        return _said("Sign in first.")
    wanted = quote(way_back(request.url.path, request.url.query), safe="")
    # The form brings it back, and has room for a password besides.
    if len(wanted) > QUERY / 2:
        wanted = quote(request.url.path, safe="")
    return RedirectResponse(
        f"{SIGN_IN}?next={wanted}",
        status_code=303,
        headers={"Cache-Control": "no-store"},
    )


def _said(sentence: str, status: int = 403) -> Response:
    return PlainTextResponse(
        sentence + "\n", status_code=status, headers={"Cache-Control": "no-store"}
    )


def _organises(kind: Lock, asking: HTTPConnection) -> bool:
    """Say whether who connects has signed in as an organiser; where nobody can tell, their page
    says so.
    """
    try:
        if kind == "password":
            return services.door().standing(asking.cookies.get(COOKIE, "")) == "in"
        organisers = services.chosen().organisers
        return worth_of_login(login_by(asking.cookies), organisers)[0] == "in"
    except FoundryError:
        return False


def _from_elsewhere(asked: HTTPConnection) -> bool:
    """Say whether a request came to another address than loopback, or under another name, as a
    rebound domain or a proxy would make it.
    """
    server, said = asked.scope.get("server"), HOST.fullmatch(asked.headers.get("host", ""))
    here = (
        bool(server and said)
        and on_this_machine(str(server[0] if server else ""))
        and on_this_machine(said[1] if said else "")
    )
    return not here or any(header in asked.headers for header in FORWARDED)


def _foreign(asked: HTTPConnection) -> bool:
    """Say whether a connection is asked for by the page of another site.

    Streamlit would let pages of any other server on this machine in, and where the origin is
    unknown to it ask the internet for this machine's address, with the whole server waiting.
    """
    origin = asked.headers.get("origin")
    if origin is None or not config.get_option("server.enableCORS"):
        return False
    allowed = {urlsplit(one).hostname for one in config.get_option("server.corsAllowedOrigins")}
    try:
        place = urlsplit(origin)
        # Over plain http anybody on the way may answer for a name that is served by https.
        plain = place.scheme == "http" and asked.url.scheme in ("https", "wss")
        other = plain or place.netloc != asked.headers.get("host")
        return other and place.hostname not in allowed - {None}
    except ValueError:
        return True


def _resumed(headers: Headers) -> str:
    """Return the session a connection says it goes on with: the third of Streamlit's
    subprotocols.
    """
    parts = headers.get("sec-websocket-protocol", "").split(",")
    return parts[2].strip() if len(parts) > 2 else ""


def _afresh(scope: Scope) -> Scope:
    """Return a handshake that goes on with no session: without Streamlit's third subprotocol."""
    name = b"sec-websocket-protocol"
    headers = [
        (key, b",".join(value.split(b",")[:2]) if key.lower() == name else value)
        for key, value in scope["headers"]
    ]
    subprotocols = scope.get("subprotocols", [])[:2]
    return {**scope, "headers": headers, "subprotocols": subprotocols}


def _named(scope: Scope, socket: str) -> Scope:
    name = SOCKET.lower().encode()
    return {
        **scope,
        "headers": [
            *(one for one in scope["headers"] if one[0].lower() != name),
            (name, socket.encode()),
        ],
    }


def _most(socket: str) -> int:
    if admissions.within(socket):
        return WISH
    return SEATS_WISH if admissions.seat_at(socket) else STRANGERS_WISH


def _readable(receive: Receive, most: Callable[[], int]) -> Receive:
    """Hand on what Streamlit can read; of anything else it would write a traceback. Who sends more
    than `most` bytes at once, or again and again what no browser does, is taken to have gone.
    """
    unreadable = 0

    async def receiving() -> Message:
        nonlocal unreadable
        while True:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            if len(message.get("bytes") or message.get("text") or b"") > most():
                log.warning("A connection was closed: it sent more at once than any page asks")
                return {"type": "websocket.disconnect", "code": 1009, "reason": ""}
            wish = asked(message.get("bytes") or b"")
            if wish is not None and wish.WhichOneof("type"):
                return message
            unreadable += 1
            if unreadable > UNREADABLE:
                log.warning("A connection was closed: it sent what no browser does")
                return {"type": "websocket.disconnect", "code": 1003, "reason": ""}

    return receiving


def _asked_again(socket: str, receive: Receive, asking: Asking) -> Receive:
    """Hand on what the browser sends, as far as whoever sits there may ask it.

    Once a sign-in is over, every wish of the page becomes one to draw it anew, and its lock
    answers. Who was never let in may have the page drawn, and nothing beside, and waits for it who
    asks too often.
    """

    async def receiving() -> Message:
        while True:
            message = await receive()
            if message["type"] == "websocket.receive" and not admissions.within(socket):
                size = len(message.get("bytes") or b"")
                if not await asking.has_its_turn(size):
                    return {"type": "websocket.disconnect", "code": 1013, "reason": ""}
            wish = asked(message["bytes"]) if message.get("bytes") is not None else None
            if wish is None or admissions.within(socket):
                return message
            if await _sits_down(socket, wish) and not await asking.has_its_turn(0):
                return {"type": "websocket.disconnect", "code": 1013, "reason": ""}
            if not admissions.over(socket):
                if wish.WhichOneof("type") in STRANGERS and can_be_read(wish):
                    return message
            elif wish.HasField("rerun_script"):
                for field in ("fragment_id", "widget_states"):
                    wish.rerun_script.ClearField(field)
                return {**message, "bytes": wish.SerializeToString()}

    return receiving


async def _sits_down(socket: str, wish: BackMsg) -> bool:
    """Note whose connection this is where nobody knew, and a good link of a seat stands in the
    address of what is asked for; return whether it does.
    """
    if admissions.known(socket):
        return False
    link = dict(parse_qsl(wish.rerun_script.query_string)).get(SEAT, "")
    seat = await seat_cookie.seat_by_link(link) if link else ""
    if seat:
        admissions.seat(socket, seat)
    return bool(seat)


# -- headers that every answer has: pages, files, refusals, handshakes ----------------------------
# What the web server refuses by itself (a request that is no HTTP) does not come by here.

POLICY = "frame-ancestors 'self'; img-src 'self' data: blob:"
"""No other site's frame; and whatever a text says, no page fetches a picture from elsewhere."""
STARTS = ("http.response.start", "websocket.accept", "websocket.http.response.start")
REFUSING = "websocket.http.response"
"""What a server can do that answers a handshake with more than a bare 403 (ASGI extension)."""


class Guarded:
    """Sends with these headers: no other site's frame, no guessing at types, this address goes into
    no other request, and a download into no cache.
    """

    def __init__(self, scope: Scope, send: Send):
        self._send, self._refusing = send, REFUSING in (scope.get("extensions") or {})
        self._handshake = scope["type"] == "websocket"
        self._secure = scope.get("scheme") in ("https", "wss")
        self._unkept = scope["path"].startswith(MEDIA)
        self.begun = False
        """Whether the answer, or the connection, has begun."""
        self.cookie = ""
        """The header of one that goes with the answer."""

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
            headers = MutableHeaders(raw=message["headers"])
            if self.cookie:
                headers.append("Set-Cookie", self.cookie)
            _complete(headers)
            if self._unkept:
                headers["Cache-Control"] = "no-store"
            if self._secure:
                _keep_cookies_off_plain_http(message["headers"])
        return await self._send(message)


def _in_one_piece(scope: Scope) -> Scope:
    """Ask for a download whole: of a part Streamlit (1.67) makes a copy for each request, which
    stays until it is read; a whole one is the same for all.
    """
    if not scope.get("path", "").startswith(MEDIA):
        return scope
    return {**scope, "headers": [one for one in scope["headers"] if one[0] != b"range"]}


def _complete(headers: MutableHeaders) -> None:
    if not any(
        "frame-ancestors" in policy for policy in headers.getlist("content-security-policy")
    ):
        headers.append("Content-Security-Policy", POLICY)
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("Referrer-Policy", "no-referrer")


def _keep_cookies_off_plain_http(headers: list[tuple[bytes, bytes]]) -> None:
    """Mark every cookie that is set as one for https only: behind a proxy Streamlit (1.67) does not
    mark its own.
    """
    for at, (name, value) in enumerate(headers):
        marks = [part.strip().lower() for part in value.split(b";")[1:]]
        if name.lower() == b"set-cookie" and b"secure" not in marks:
            headers[at] = (name, value + b"; Secure")
