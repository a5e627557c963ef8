"""Where a paper can be read, on screen."""

from components.shell.text import inline
from core.literature.addresses import addresses
from core.records import Paper


def listed(paper: Paper) -> str:
    """Return a line of a Markdown list: title, year, and where the paper can be read."""
    where = " ".join(f"[{name}]({address})" for name, address in addresses(paper))
    year = f" ({paper.year})" if paper.year else ""
    return f"- {inline(paper.title, 200)}{year} {where}"
