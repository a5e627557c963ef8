"""What a paper is called by: DOIs and arXiv ids as people write them, and ids for papers that have
neither.
"""

import re
from urllib.parse import unquote

from core.normal_forms import normal
from core.records import digest

_DOI = re.compile(r"10\.\d{4,9}(?:\.\d{1,9}){0,8}/[^\s\"{}\\|^`]{1,300}", re.IGNORECASE)
_ARXIV_NEW = r"\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}"
_ARXIV_OLD = r"[a-z]{1,20}(?:-[a-z]{1,20})?(?:\.[A-Za-z]{2})?/\d{2}(?:0[1-9]|1[0-2])\d{3}"
_ARXIV = re.compile(
    rf"(?:arxiv\.org/(?:abs|pdf|html)/|arxiv[:.\s]\s*)({_ARXIV_NEW}|{_ARXIV_OLD})(?!\d)",
    re.IGNORECASE,
)
_BARE = re.compile(rf"({_ARXIV_NEW}|{_ARXIV_OLD})(?:v\d+)?(?:\s*\[[\w.-]+\])?", re.IGNORECASE)
SLUG_WORDS = 4
LOOKED_INTO = 10_000
"""Signs of a text within which a DOI or an id is looked for: a reference has a few hundred."""


def doi_in(text: str) -> str | None:
    """Return the DOI a text holds, bare or in an address, or None; the end of a sentence around it
    is not part of it.
    """
    text = text[:LOOKED_INTO]
    found = _DOI.search(unquote(text) if "%2f" in text.lower() else text)
    if found is None:
        return None
    doi = found.group().rstrip(".,;:'")
    while doi.endswith((")", "]", ">")) and doi.count(doi[-1]) > doi.count(
        {")": "(", "]": "[", ">": "<"}[doi[-1]]
    ):
        doi = doi[:-1].rstrip(".,;:'")
    return doi


def arxiv_in(text: str, bare: bool = False) -> str | None:
    """Return the arXiv id a text names, without its version, or None; `bare` where the text is
    nothing but an id.
    """
    text = text[:LOOKED_INTO]
    found = _BARE.fullmatch(text.strip()) if bare else None
    found = found or _ARXIV.search(text)
    return found.group(1) if found else None


def wanted_id(text: str) -> str | None:
    """Return `doi:...` or `arxiv:...` for what a text names by either, or None; DOIs of arXiv
    itself are named by the arXiv id.
    """
    if doi := doi_in(text):
        return f"arxiv:{own}" if (own := arxiv_in(doi)) else f"doi:{doi.lower()}"
    arxiv = arxiv_in(text, bare=True)
    return f"arxiv:{arxiv}" if arxiv else None


def paper_id(
    doi: str | None, arxiv: str | None, title: str, authors: tuple[str, ...], year: int | None
) -> str:
    """Return `doi:` and the DOI in lower case, else `arxiv:` and its id, else `own:` and words of
    author, year and title with a digest of them all.
    """
    if doi:
        return f"doi:{doi.lower()}"
    if arxiv:
        return f"arxiv:{arxiv}"
    words = [
        *(authors[0].split()[-1:] if authors else []),
        str(year or ""),
        *title.split()[:SLUG_WORDS],
    ]
    return "own:" + "-".join([*slug(" ".join(words)), digest([title, list(authors), year])[:8]])


def slug(text: str) -> list[str]:
    """Return the words of a text in plain small letters and digits."""
    flat = normal("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.findall(r"[a-z0-9]+", flat[:200])
