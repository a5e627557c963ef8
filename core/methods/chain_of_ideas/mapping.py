"""The map: where the ideas of all branches lie among the papers they came from and the papers found
near them.
"""

from typing import Literal

from core.desk import Desk
from core.errors import EmbeddingFailed
from core.records import Chain, Idea, Map, NoveltyCheck, Paper, Spot

NEAR = 10
"""How many of the papers a novelty check found are drawn, in the order they were found."""


def draw_map(desk: Desk, branches: dict[int, tuple[Chain, Idea, NoveltyCheck]]) -> Map | None:
    """Lay papers and ideas out by meaning; None, recorded with its reason, where the embedding
    model is not to be had.
    """
    things: dict[str, tuple[Spot, str]] = {}
    for n, (chain, idea, _) in branches.items():
        for paper in chain.papers:
            add(things, paper, "chain", n)
        name = f"idea-{n}"
        spot = Spot(id=name, label=idea.title, kind="idea", branch=n, x=0, y=0)
        things[name] = (spot, idea.text)
    for _, _, check in branches.values():
        near = [paper for search in check.searches for paper in search.papers]
        for paper in near[:NEAR]:
            add(things, paper, "found")
    try:
        plane = desk.plane("plane", tuple(text for _, text in things.values()))
    except EmbeddingFailed:
        return None
    spots = tuple(
        spot.model_copy(update={"x": x, "y": y})
        for (spot, _), (x, y) in zip(things.values(), plane.spots, strict=True)
    )
    return Map(spots=spots, explained=plane.explained)


def add(
    things: dict[str, tuple[Spot, str]],
    paper: Paper,
    kind: Literal["chain", "found"],
    branch: int | None = None,
) -> None:
    """Add a paper, unless it is there: a chain's own comes first."""
    spot = Spot(id=paper.id, label=paper.title, kind=kind, branch=branch, x=0, y=0)
    things.setdefault(paper.id, (spot, f"{paper.title}\n{paper.abstract}"))
