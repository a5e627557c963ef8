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
    link = request.query_params.get("seat", "")
    if request.method != "GET" or request.url.path.rstrip("/") != PAGE or not link:
        return ""
    try:
        seat = await run_in_threadpool(services.store().seats.held, hashed(link))
    except StoreFailed:
        return ""
    if seat is None:
        return ""
    safe = "; Secure" if request.url.scheme == "https" else ""
    return f"{NAME}={seat.id}.{_proof(seat.id)}; Path=/; HttpOnly; SameSite=Lax{safe}"


def seat_by(cookies: Cookies) -> str:
    """Return the seat whose link this browser has opened, or an empty text."""
    seat, _, proof = cookies.get(NAME, "").partition(".")
    known = hmac.compare_digest(_proof(seat).encode(), proof.encode("utf-8", "replace"))
    return seat if seat and known else ""


def _proof(seat: str) -> str:
    return hmac.new(_KEY, seat.encode("utf-8", "replace"), sha256).hexdigest()
