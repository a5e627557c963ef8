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


def find(desk: Desk, inputs: Looking) -> Iterator[Search]:
    """Yield the paper with that id, or those whose title is nearest, the very title first; `nothing
    found` is an answer; raises SourceFailed.
    """
    name = id_in(inputs.topic)
    if name:
        found = desk.papers("by-id", (name,), inputs.query(inputs.topic))
    else:
        papers = desk.search("by-title", inputs.query(inputs.topic))
        ranked = desk.rank("ranking", inputs.topic, papers) if papers else ()
        title = inputs.topic.strip().casefold()
        nearest = [paper for paper, _ in ranked]
        found = tuple(sorted(nearest, key=lambda paper: paper.title.casefold() != title))
    yield Search(query=inputs.topic, state="found" if found else "nothing found", papers=found)
