"""How the papers of a chain are joined, and how a drawing says so."""

from itertools import pairwise
from typing import NamedTuple

from core.records import Paper
from core.story import Branch


class Edge(NamedTuple):
    """How two neighbours of a chain are joined: `kind` decides how the line looks, `said` is read
    at its middle.
    """

    kind: str
    said: str


def hops(branch: Branch) -> dict[tuple[str, str], bool]:
    """Return the pairs (earlier, later) a source gave as one leading to the other, and whether that
    was nearness in meaning instead of a citation.
    """
    given = {}
    for choice in branch.considered:
        for candidate in choice.candidates:
            earlier, later = choice.of.id, candidate.paper.id
            if choice.hop != "forward":
                earlier, later = later, earlier
            given[earlier, later] = candidate.paper.near
    if branch.chain is None or (given and branch.settled):
        return given
    # The choices of a hop are shown when it is over, and were not kept by older versions: until
    # then, what no person put in was hopped to.
    return {
        (a.paper.id, b.paper.id): (a if a.hop == "backward" else b).paper.near
        for a, b in pairwise(branch.chain.links)
        if "person" not in (a.hop, b.hop)
    }


def edge(a: Paper, b: Paper, near: bool | None, led: str) -> Edge:
    """Say how one paper of a chain is joined to the next; `near` is None where no source gave this
    pair.
    """
    if b.before(a):
        return Edge("against", f"Out of date order: {against(a, b)} {led}".strip())
    if near is None:
        by_hand = "Side by side by a person's hand; no citation between them is known."
        return Edge("placed", f"{by_hand} {led}".strip())
    if near:
        return Edge("near", f"Near in meaning, no citation. {led}".strip())
    return Edge("cited", led)


def against(earlier: Paper, later: Paper) -> str:
    """Say why a hop is out of date order."""
    return (
        f"{later.title!r} ({said_date(later)}) came out before {earlier.title!r}"
        f" ({said_date(earlier)}), which stands before it."
    )


def said_date(paper: Paper) -> str:
    return paper.published or str(paper.year or "undated")
