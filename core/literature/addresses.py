"""Where a paper can be read: one list for every screen and every report."""

from urllib.parse import quote

from core.records import Paper


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
    if not (paper.doi or paper.arxiv):
        return paper.url
    return addresses(paper)[0][1]
