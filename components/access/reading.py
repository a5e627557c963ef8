"""A run to be read by whoever has its link: plain pages from the server, which hear nothing but
which page is asked for, so that nothing can be changed from there.
"""

import time
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from components.access.discretion import READ_BY
from components.shell import services
from core.door import hashed
from core.errors import BadInput, StoreFailed, boundary
from core.export.html import html
from core.export.pdf import pdf
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
ONE_AT_A_TIME = {"pdf": CapacityLimiter(1), "": CapacityLimiter(1)}
"""PDFs take long to make, and pages some time. Whoever waits for one does so outside the threads
that all share.
"""


class _Made(NamedTuple):
    of: tuple[str, ...]
    begun: float
    state: int
    """Of the store, as SQLite counts it: another one after every write."""
    file: bytes


class LastMade:
    """Makes one form of a store's runs, and keeps the one made last. Not for several threads at
    once.
    """

    def __init__(self, store: Store, make: Callable[..., bytes]):
        self._store, self._make, self._last = store, make, _Made((), 0, 0, b"")
        self._watching = store.connections.fresh()

    def of(self, asked: float, *run: str) -> bytes:
        """Return the form of a run (its id, and what else it is made with) as it is at that moment
        or later (by time.monotonic); raises BadInput, StoreFailed.
        """
        begun, state = time.monotonic(), self._state()
        if run != self._last.of or (asked > self._last.begun and state != self._last.state):
            self._last = _Made(run, begun, state, self._make(self._store, *run))
        return self._last.file

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
    limiter = ONE_AT_A_TIME.get(form)
    try:
        return await to_thread.run_sync(_page, link, form, time.monotonic(), limiter=limiter)
    except BadInput as error:
        return PlainTextResponse(f"{error}\n", 404, HEADERS)


def _page(link: str, form: str, asked: float) -> Response:
    store = services.store()
    try:
        run = store.runs.get(store.readings.run_of(hashed(link)))
    except BadInput:
        raise BadInput(SHUT) from None
    if form == "pdf":
        return Response(_pdfs(store).of(asked, run.id), 200, HEADERS, "application/pdf")
    if form:
        raise BadInput("This link has no such page.")
    return HTMLResponse(_pages(store).of(asked, run.id, link), 200, HEADERS)
