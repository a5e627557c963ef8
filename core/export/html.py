"""A report as one HTML page: nothing runs, nothing is fetched, every text is escaped by the
template engine.
"""

from base64 import b64encode
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from core.export.blocks import Blocks, Picture, printable, spans_of
from core.export.report import report
from core.store import Store

Ways = tuple[tuple[str, str], ...]
"""Links: label and address."""


def self_contained(picture: Picture) -> str:
    """Return an address that holds the picture itself; nothing in an SVG that is shown so runs."""
    return f"data:image/svg+xml;base64,{b64encode(picture.draw('svg')).decode()}"


PAGES = Environment(
    loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined
)
PAGES.filters |= {
    "printable": printable,
    "kind": lambda block: type(block).__name__,
    "spans": spans_of,
    "address": self_contained,
}


def html(
    store: Store,
    run_id: str,
    branch: int | None = None,
    ways: Ways = (),
    *,
    in_short: bool = False,
) -> str:
    """Return the run, one of its branches, or the run in two pages, as an HTML page for screen
    (light and dark) and print, with links to its other forms on top where there are any.
    """
    return page(
        store.runs.get(run_id).title, report(store, run_id, branch, in_short=in_short), ways
    )


def page(title: str, blocks: Blocks, ways: Ways = ()) -> str:
    """Return the blocks as a page of its own."""
    return PAGES.get_template("report.html").render(title=title, blocks=blocks, ways=ways)
