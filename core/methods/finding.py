"""Finding one paper somebody has in mind: by DOI, arXiv id, address, or title."""

import re
from collections.abc import Iterator

from core.desk import Desk
from core.literature.paper_ids import wanted_id
from core.methods.inputs import Looking
from core.records import Search


def id_in(text: str) -> str | None:
    """Return the id a text names a paper by: a DOI, an arXiv id, or a source's own as the workbench
    writes it; None for a title.
    """
    own = re.fullmatch(r"(?:s2|openalex|shelf|own):\S+", text.strip())
    return own.group() if own else wanted_id(text)


def find(desk: Desk, asked: Looking) -> Iterator[Search]:
    """Yield the paper with that id, or those whose title is nearest, the very title first; `nothing
    found` is an answer; raises SourceFailed.
    """
    name = id_in(asked.topic)
    if name:
        found = desk.papers("by-id", (name,), asked.query(asked.topic))
    else:
        titled = desk.search("by-title", asked.query(asked.topic))
        ranked = desk.rank("ranking", asked.topic, titled) if titled else ()
        found = tuple(
            sorted(
                (paper for paper, _ in ranked),
                key=lambda paper: paper.title.casefold() != asked.topic.strip().casefold(),
            )
        )
    yield Search(query=asked.topic, state="found" if found else "nothing found", papers=found)
