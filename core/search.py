"""Search over everything: what the store holds, the built-in papers, and the case studies that come
with the program.

    for finds in search(shop, "orexin sleep"):
        print(finds.group, finds.total, [found.title for found in finds.found])
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from functools import cache

from core.cases.bundled import bundled
from core.errors import StoreFailed
from core.literature import label, shelf_files
from core.literature.shelf import FOLDER
from core.normal_forms import normal
from core.records import Paper
from core.runs.catalogue import LOOKUPS, named
from core.runs.workshop import Workshop
from core.store import Store
from core.store.search import GROUPS, Finds, Found, Group

NAMES: dict[Group, str] = {
    "ideas": "Ideas",
    "runs": "Runs",
    "papers": "Papers",
    "sessions": "Sessions",
    "cases": "Case studies",
}
LISTS = {"met": "Found by your runs", "own": "Your own paper", "shelf": "Built-in paper"}
"""How a paper says in which list of the library it is."""


def search(
    shop: Workshop, text: str, groups: Iterable[Group] = GROUPS, limit: int = 10
) -> tuple[Finds, ...]:
    """Return, group by group, what holds all the words of a text, the last one perhaps only begun;
    groups without any are left out. Raises StoreFailed, SourceFailed.
    """
    if not _words(text):
        return ()
    found = (_of_group(shop, text, group, limit) for group in groups)
    return tuple(finds for finds in found if finds.total)


def facts(store: Store, found: Found) -> tuple[str, ...]:
    """Return what it is and where it comes from, in words; some of them may be strangers'."""
    if found.kind == "idea":
        return ("Kept idea", _origin(store, found))
    if found.kind == "entry":
        return (f"In the collection “{found.origin}”", found.about)
    if found.kind == "paper":
        return (LISTS[found.about], "" if found.about == "shelf" else label(found.origin))
    if found.kind == "session":
        return (f"Session to {found.origin}", found.about)
    result = f"came to “{found.about}”" if found.about else ""
    return (named(found.origin).label, result)


def _origin(store: Store, found: Found) -> str:
    if not found.about:
        return found.origin
    # Here alone: it brings numpy, which most searches need not wait for.
    from core.importing.benchmarked import describe_origin

    return describe_origin(store, found.about, found.origin)


def _of_group(shop: Workshop, text: str, group: Group, limit: int) -> Finds:
    stored = shop.store.search.find(text, group, limit, LOOKUPS)
    more = {"papers": _built_in, "cases": _come_along}.get(group)
    if more is None:
        return stored
    others = more(shop, _words(text))
    found = (*stored.found, *others)[:limit]
    return Finds(group=group, total=stored.total + len(others), found=found)


def _built_in(shop: Workshop, words: Sequence[str]) -> list[Found]:
    """Return the built-in papers that hold the words and that the store does not have."""
    fits = [paper for paper, held in _shelf() if _holds(held, words)]
    known = shop.store.search.in_library(tuple(paper.id for paper in fits))
    return [
        Found(
            kind="paper",
            id=paper.id,
            title=paper.title,
            origin=paper.source,
            about="shelf",
            at=str(paper.year or ""),
        )
        for paper in fits
        if paper.id not in known
    ]


@cache
def _shelf() -> tuple[tuple[Paper, frozenset[str]], ...]:
    """Return the built-in papers, each with its words; of their files alone, since the workshop's
    shelf comes with what embeds them.
    """
    papers = [entry.paper() for file in shelf_files.read(FOLDER) for entry in file.papers]
    return tuple((paper, frozenset(_words(_text(paper)))) for paper in papers)


def _text(paper: Paper) -> str:
    names = (paper.venue, paper.doi, paper.arxiv)
    return " ".join([paper.title, *paper.authors, paper.abstract, *filter(None, names)])


def _come_along(shop: Workshop, words: Sequence[str]) -> list[Found]:
    """Return the case studies that come with the program, hold the words and were not opened
    yet.
    """
    opened = {run.id for run in shop.store.runs.listed(packed=True, limit=1000)}
    try:
        known = bundled()
    except StoreFailed:
        return []  # The page of case studies says what is wrong with them.
    return [
        Found(kind="case", id=case.run, title=case.title, origin=case.method, at="")
        for case in known
        if case.run not in opened and _holds(_words(f"{case.title} {case.about}"), words)
    ]


def _holds(held: Collection[str], words: Sequence[str]) -> bool:
    """Say whether these words are held, of the last one at least the beginning."""
    *whole, begun = words
    return set(whole).issubset(held) and any(word.startswith(begun) for word in held)


def _words(text: str) -> list[str]:
    """Return the words of a text as the store's index has them: small letters without accents."""
    apart = normal("NFKD", text.casefold())
    plain = "".join(sign for sign in apart if not unicodedata.combining(sign))
    return re.findall(r"[^\W_]+", plain)
