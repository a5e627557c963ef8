"""Experiment design: drafted after the chain's own experiments, reviewed, looked up, refined (Chain of Ideas, section 2.4)."""
from collections.abc import Iterator

from core.desk import Desk
from core.methods.inputs import Looking
from core.records import Design, DesignReview, DesignRound, Entity, Experiment, Idea, Paper, Search

PROMPTS = ("experiment-design", "design-review", "design-refine")
LOOKED_UP = 5
"""How many of the papers found for a review are shown when the design is refined, nearest to the idea first."""


def design(desk: Desk, looking: Looking, idea: Idea, examples: tuple[Experiment, ...], entities: tuple[Entity, ...],
           rounds: int) -> Iterator[Design | DesignRound]:
    """Yield the first design, then each round of review, look-up and refinement."""
    made = desk.ask("experiment-design", Design, topic=looking.topic, idea=idea, examples=examples, entities=entities)
    yield made
    for n in range(1, rounds + 1):
        here = desk.at(f"round-{n}")
        review = here.ask("design-review", DesignReview, idea=idea, design=made)
        searches = look_up(here, looking, review.queries)
        found = nearest(here, idea, searches)
        made = here.ask("design-refine", Design, idea=idea, design=made, review=review, papers=found)
        yield DesignRound(n=n, review=review, searches=searches, design=made)


def look_up(desk: Desk, looking: Looking, queries: tuple[str, ...]) -> tuple[Search, ...]:
    """Search for what the review asked about; the three endings stay apart."""
    if not queries:
        return ()
    return desk.all(*(lambda d, n=n, text=text: d.at(f"search-{n}").look("search", looking.query(text)) for n, text in enumerate(queries, 1)))


def nearest(desk: Desk, idea: Idea, searches: tuple[Search, ...]) -> tuple[Paper, ...]:
    """Return the few of the found papers that are nearest to the idea."""
    found = {paper.id: paper for one in searches for paper in one.papers}
    if not found:
        return ()
    return tuple(paper for paper, _ in desk.rank("ranking", idea.text, tuple(found.values()))[:LOOKED_UP])
