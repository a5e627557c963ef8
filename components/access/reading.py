"""A run to be read by whoever has its link: plain pages from the server, which hear nothing but
which page is asked for, so that nothing can be changed from there.
"""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from components.access.discretion import READ_BY
from components.access.lanes import FairLane
from components.shell import services
from core.door import hashed
from core.errors import BadInput, StoreFailed, TooMuchMemory, boundary
from core.export.html import html
from core.export.pdf import pdf
from core.memory import may_be_ended
from core.store import Store

READ = "/read"
FORM = "as"
"""Which form of the run is asked for: nothing for the report, or one of FORMS."""
FORMS = {"pdf": "PDF"}
SHUT = "This link opens nothing, or nothing any more. Ask whoever sent it for another one."
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none';"
        " form-action 'none'; frame-ancestors 'self'"
    ),
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
}
"""The page brings its style and its pictures along, and needs nothing else."""
LANES = {form: FairLane(most=200, longest=180.0) for form in ("pdf", "")}
"""PDFs take long to make, and pages some time: one at a time of each, and whoever's link was asked
for least lately is next. They wait outside the threads that all share.
"""
LOOKED_UP = CapacityLimiter(1)
"""Links that are looked up at once."""
WAITING = Counter[str]()
"""How many wait for what a link opens."""
MANY = 20
"""How many may."""
BUSY = "Many read this at the moment. Try again in a minute.\n"
KEPT = 8
"""Runs that are kept as they were made last."""


class _Made(NamedTuple):
    begun: float
    state: int
    """Of the store, as SQLite counts it: another one after every write."""
    file: bytes


class LastMade:
    """Makes one form of a store's runs, and keeps those made last. Not for several threads at
    once.
    """

    def __init__(self, store: Store, make: Callable[..., bytes]):
        self._store, self._make = store, make
        self._kept = OrderedDict[tuple[str, ...], _Made]()
        self._watching = store.connections.fresh()

    def of(self, asked: float, *run: str) -> bytes:
        """Return the form of a run (its id, and what else it is made with) as it is at that moment
        or later (by time.monotonic); raises BadInput, StoreFailed.
        """
        begun, state = time.monotonic(), self._state()
        made = self._kept.pop(run, None)
        if made is None or (asked > made.begun and state != made.state):
            made = _Made(begun, state, self._make(self._store, *run))
        self._kept[run] = made
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return made.file

    def _state(self) -> int:
        with boundary(StoreFailed, "looking whether the database has changed"):
            return int(self._watching.execute("PRAGMA data_version").fetchone()[0])


@lru_cache(maxsize=1)
def _pdfs(store: Store) -> LastMade:
    return LastMade(store, pdf)


@lru_cache(maxsize=1)
def _pages(store: Store) -> LastMade:
    return LastMade(store, _written)


def _written(store: Store, run: str, link: str) -> bytes:
    ways = tuple((label, f"{READ}?{READ_BY}={link}&{FORM}={name}") for name, label in FORMS.items())
    return html(store, run, ways=ways).encode()


async def answer(request: Request) -> Response:
    """Return the page that a link asks for, or a sentence where it opens nothing."""
    if request.method not in ("GET", "HEAD"):
        return PlainTextResponse("This page can only be read.\n", 405, {**HEADERS, "Allow": "GET"})
    link, form = request.query_params.get(READ_BY, ""), request.query_params.get(FORM, "")
    if form not in LANES:
        return PlainTextResponse("This link has no such page.\n", 404, HEADERS)
    if WAITING[link] >= MANY:
        return PlainTextResponse(BUSY, 503, HEADERS)
    WAITING[link] += 1
    try:
        return await _made(request, link, form)
    except (BadInput, TooMuchMemory) as error:
        status = 404 if isinstance(error, BadInput) else 503
        return PlainTextResponse(f"{error}\n", status, HEADERS)
    finally:
        WAITING[link] -= 1
        if not WAITING[link]:
            del WAITING[link]


async def _made(request: Request, link: str, form: str) -> Response:
    asked = time.monotonic()
    # What opens nothing waits for no turn: whoever makes links up would be new each time.
    await to_thread.run_sync(_run_of, link, limiter=LOOKED_UP)
    async with LANES[form].turn(link) as has_it:
        if not has_it:
            return PlainTextResponse(BUSY, 503, HEADERS)
        # What comes first is that nothing more is asked.
        if await request.is_disconnected() or await request.is_disconnected():
            return PlainTextResponse("", 503, HEADERS)
        return await to_thread.run_sync(_page, link, form, asked)


def _run_of(link: str) -> str:
    store = services.store()
    try:
        return store.runs.get(store.readings.run_of(hashed(link))).id
    except BadInput:
        raise BadInput(SHUT) from None


def _page(link: str, form: str, asked: float) -> Response:
    store, run = services.store(), _run_of(link)
    with may_be_ended():
        if form == "pdf":
            return Response(_pdfs(store).of(asked, run), 200, HEADERS, "application/pdf")
        return HTMLResponse(_pages(store).of(asked, run, link), 200, HEADERS)
