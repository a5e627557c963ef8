"""By what a browser that has opened a seat's link is known again as it connects: it does not wait
among strangers, nor is it ended for them.

It opens nothing: the link alone does.
"""

import hmac
import secrets
from hashlib import sha256

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from components.access.admissions import Cookies
from components.shell import services
from core.door import hashed
from core.errors import StoreFailed

NAME = "foundry_seat"
PAGE = "/annotate"
_KEY = secrets.token_bytes(32)
"""Of this process: after a restart the link is asked for once more."""


async def earned(request: Request) -> str:
    """Return the cookie's header for who asks for a seat's page by a good link, or an empty text;
    where the data is out of reach, the page says so.
    """
    if request.method != "GET" or request.url.path.rstrip("/") != PAGE:
        return ""
    link = request.query_params.get("seat", "")
    seat = await seat_by_link(link) if link else ""
    if not seat:
        return ""
    safe = "; Secure" if request.url.scheme == "https" else ""
    known = f"{hashed(link)}.{hashed(seat)}"
    return f"{NAME}={known}.{_proof(known)}; Path=/; HttpOnly; SameSite=Lax{safe}"


async def seat_by(cookies: Cookies) -> str:
    """Return the seat whose link this browser has opened, or an empty text; a link that opens none
    any more is good for nothing here either.
    """
    token, _, _ = _proven(cookies).partition(".")
    return await _seat_under(token) if token else ""


async def seat_by_link(link: str) -> str:
    """Return the seat that a link opens, or an empty text."""
    return await _seat_under(hashed(link))


async def _seat_under(token: str) -> str:
    try:
        seat = await run_in_threadpool(services.store().seats.held, token)
    except StoreFailed:
        return ""
    return seat.id if seat else ""


def place(cookies: Cookies) -> str:
    """Return a name for the seat whose link this browser has opened once, or an empty text: the
    same for every link that was ever drawn for it.
    """
    _, _, seat = _proven(cookies).partition(".")
    return seat


def _proven(cookies: Cookies) -> str:
    """Return the link and the seat this browser knows, each hashed, or an empty text."""
    known, _, proof = cookies.get(NAME, "").rpartition(".")
    good = hmac.compare_digest(_proof(known).encode(), proof.encode("utf-8", "replace"))
    return known if good else ""


def _proof(known: str) -> str:
    return hmac.new(_KEY, known.encode("utf-8", "replace"), sha256).hexdigest()
