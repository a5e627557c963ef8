"""Citations found in the texts of own papers: where one names the title or DOI of another, it cites
it.
"""

import re
import threading
from collections.abc import Callable

from core.literature.full_text.titles import Titled
from core.records import Paper
from core.store.library import Library

SHORTEST = 25
"""Letters a title must have to be looked for: a shorter one stands in texts that do not cite it."""


_ONE = threading.Lock()
"""Hops side by side would all do the same work."""


def search_texts(library: Library, papers: tuple[Paper, ...], note: Callable[[str], None]) -> None:
    """Look in the texts of these papers for whatever was imported since they were last searched,
    and keep the citations found.
    """
    with _ONE:
        _search_texts(library, papers, note)


def _search_texts(library: Library, papers: tuple[Paper, ...], note: Callable[[str], None]) -> None:
    done, latest = library.searched(), library.last_import()
    for paper in papers:
        read = library.attached(paper.id) or (library.text_at(paper.pdf) if paper.pdf else None)
        if read is None or read.sha is None:
            continue
        sha, upto = done.get(paper.id, ("", 0))
        afresh = sha != read.sha
        if afresh or upto < latest:
            note(f"looking for citations in {paper.title[:60]}")
            others = [one for one in library.own_since(0 if afresh else upto) if one.id != paper.id]
            library.found_in_text(
                paper.id,
                read.sha,
                latest,
                cited_in(library.full_text(read.sha) or "", others),
                afresh,
            )


def cited_in(text: str, others: list[Paper]) -> list[str]:
    """Return the ids of the papers whose title (of 25 letters or more) or DOI stands in a text."""
    titled, small = Titled(text), text.lower()
    return [
        one.id
        for one in others
        if titled.find(one.title, SHORTEST, subtitled=True)
        or (one.doi and _holds(small, one.doi.lower()))
    ]


def _holds(text: str, doi: str) -> bool:
    # What goes on after it is another, longer DOI; a full stop or a bracket may end the sentence.
    return (
        doi in text
        and re.search(rf"(?<![\w.]){re.escape(doi)}(?![\w/-]|[.()]\w)", text) is not None
    )
