"""A run to be read by whoever has its link: plain pages from the server, which hear nothing but
which page is asked for, so that nothing can be changed from there.
"""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from components.access.discretion import READ_BY
from components.shell import services
from core.door import hashed
from core.errors import BadInput
from core.export.html import html
from core.export.pdf import pdf

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


async def answer(request: Request) -> Response:
    """Return the page that a link asks for, or a sentence where it opens nothing."""
    if request.method not in ("GET", "HEAD"):
        return PlainTextResponse("This page can only be read.\n", 405, {**HEADERS, "Allow": "GET"})
    link, form = request.query_params.get(READ_BY, ""), request.query_params.get(FORM, "")
    try:
        return await run_in_threadpool(_page, link, form)
    except BadInput as error:
        return PlainTextResponse(f"{error}\n", 404, HEADERS)


def _page(link: str, form: str) -> Response:
    store = services.store()
    try:
        run = store.runs.get(store.readings.run_of(hashed(link)))
    except BadInput:
        raise BadInput(SHUT) from None
    if form == "pdf":
        return Response(pdf(store, run.id), 200, HEADERS, "application/pdf")
    if form:
        raise BadInput("This link has no such page.")
    ways = tuple((label, f"{READ}?{READ_BY}={link}&{FORM}={name}") for name, label in FORMS.items())
    return HTMLResponse(html(store, run.id, ways=ways), 200, HEADERS)
