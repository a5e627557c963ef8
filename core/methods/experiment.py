"""Experiment design: drafted after the chain's own experiments, reviewed, looked up, refined (Chain
of Ideas, section 2.4).
"""

from collections.abc import Iterator
from functools import partial

from core.desk import Desk
from core.methods.inputs import Looking
from core.records import Design, DesignReview, DesignRound, Entity, Experiment, Idea, Paper, Search

PROMPTS = ("experiment-design", "design-review", "design-refine")
LOOKED_UP = 5
"""How many of the papers found for a review are shown when the design is refined, nearest to the
idea first.
"""


def design(
    desk: Desk,
    looking: Looking,
    idea: Idea,
    examples: tuple[Experiment, ...],
    entities: tuple[Entity, ...],
    rounds: int,
) -> Iterator[Design | DesignRound]:
    """Yield the first design, then each round of review, look-up and refinement; what stays
    unusable is lost alone, with all that rests on it.
    """
    first = desk.spare(
        "experiment design",
        lambda d: d.ask(
            "experiment-design",
            Design,
            topic=looking.topic,
            idea=idea,
            examples=examples,
            entities=entities,
        ),
    )
    if first is None:
        return
    yield first
    for n in range(1, rounds + 1):
        refinement = desk.at(f"round-{n}").spare(
            f"review {n} of the experiment design",
            partial(refine, n=n, looking=looking, idea=idea, design=first),
        )
        if refinement is None:
            return
        yield refinement
        first = refinement.design


def refine(desk: Desk, n: int, looking: Looking, idea: Idea, design: Design) -> DesignRound:
    """Review a design, look up what the review asks about, and refine it; raises NoUsableAnswer."""
    review = desk.ask("design-review", DesignReview, idea=idea, design=design)
    searches = look_up(desk, looking, review.queries)
    papers = nearest(desk, idea, searches)
    refined = desk.ask(
        "design-refine", Design, idea=idea, design=design, review=review, papers=papers
    )
    return DesignRound(n=n, review=review, searches=searches, design=refined)


def look_up(desk: Desk, looking: Looking, queries: tuple[str, ...]) -> tuple[Search, ...]:
    """Search for what the review asked about; the three endings stay apart."""
    if not queries:
        return ()
    places = {f"search-{n}": text for n, text in enumerate(queries, 1)}
    return desk.at_each(lambda here, text: here.look("search", looking.query(text)), places)


def nearest(desk: Desk, idea: Idea, searches: tuple[Search, ...]) -> tuple[Paper, ...]:
    """Return the few of the found papers that are nearest to the idea."""
    found = papers_found(searches)
    if not found:
        return ()
    ranked = desk.rank("ranking", idea.text, tuple(found.values()))
    return tuple(paper for paper, _ in ranked[:LOOKED_UP])


def papers_found(searches: tuple[Search, ...]) -> dict[str, Paper]:
    """Return every paper that was found, by its id."""
    return {paper.id: paper for search in searches for paper in search.papers}
