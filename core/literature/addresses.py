"""Where a paper can be read: one list for every screen and every report."""

import re
from urllib.parse import quote

from core.records import Paper

_BREAKS = re.compile(r"[\s\x00-\x1f\x7f]")
"""What would end an address, or its line in a file of references."""


def addresses(paper: Paper) -> tuple[tuple[str, str], ...]:
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


def page(paper: Paper) -> str | None:
    """Return the address a reference gives: by DOI, else by arXiv number, else the page where the
    paper was found, which may be anybody's.
    """
    if paper.doi or paper.arxiv:
        return addresses(paper)[0][1]
    if paper.url and paper.url.startswith(("https://", "http://")):
        return _BREAKS.sub(lambda found: quote(found[0]), paper.url)
    return None
