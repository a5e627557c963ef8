"""A report as one HTML page: nothing runs, nothing is fetched, every text is escaped by the
template engine.
"""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from core.export.blocks import Blocks, printable
from core.export.report import report
from core.store import Store

Ways = tuple[tuple[str, str], ...]
"""Links: label and address."""
PAGES = Environment(
    loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined
)
PAGES.filters |= {"printable": printable, "kind": lambda block: type(block).__name__}


def html(store: Store, run_id: str, branch: int | None = None, ways: Ways = ()) -> str:
    """Return the run, or one of its branches, as an HTML page for screen (light and dark) and
    print, with links to its other forms on top where there are any.
    """
    return page(store.runs.get(run_id).title, report(store, run_id, branch), ways)


def page(title: str, blocks: Blocks, ways: Ways = ()) -> str:
    """Return the blocks as a page of its own."""
    return PAGES.get_template("report.html").render(title=title, blocks=blocks, ways=ways)
