"""Where a paper can be read: one list for every place that shows a paper."""

from urllib.parse import quote

from components.shell.text import inline
from core.records import Paper


def links(paper: Paper) -> tuple[tuple[str, str], ...]:
    """Return (what it is, address), as far as known; ids and addresses come from sources, so what
    could end an address is quoted.
    """
    found = []
    if paper.doi:
        found.append(("DOI", f"https://doi.org/{quote(paper.doi)}"))
    if paper.arxiv:
        found.append(("arXiv", f"https://arxiv.org/abs/{quote(paper.arxiv)}"))
    if paper.url and paper.url.startswith(("https://", "http://")):
        found.append(("Page", quote(paper.url, safe=":/?&=%#~+,;@")))
    return tuple(found)


def listed(paper: Paper) -> str:
    """Return a line of a Markdown list: title, year, and where the paper can be read."""
    where = " ".join(f"[{name}]({address})" for name, address in links(paper))
    year = f" ({paper.year})" if paper.year else ""
    return f"- {inline(paper.title, 200)}{year} {where}"
