"""Adversarial refinement (InfAL): generator, optimizer and discriminator play until two verdicts in a row see no improvement."""
from collections.abc import Iterator

from core.desk import Desk
from core.errors import EmbeddingFailed
from core.records import (
    Hypothesis,
    Idea,
    Indicator,
    Measures,
    Outcome,
    Paper,
    Record,
    Review,
    RevisedIdea,
    Revision,
    Round,
    Stopping,
    Verdict,
    Wish,
)

PROMPTS = ("first-idea", "review", "revise", "verdict")


class Game(Record):
    """What all three players know (InfAL, section 3.1): the background x, the field, the indicator."""

    topic: str
    area: str
    goal: Indicator
    context: tuple[Paper, ...] = ()


def refine(desk: Desk, game: Game, rules: Stopping, idea: Idea | None = None) -> Iterator[Idea | Round | Outcome]:
    """Yield the first idea, each round as it ends, then why it stopped (InfAL, section 3.2 and figure 2).

    Two calls in series per round: the verdict and the next review do not need one another.
    """
    first = idea or propose(desk.at("round-0"), game)
    yield first
    current, accepted, quiet = first, (first, 0), 0
    review = critique(desk.at("round-0"), game, current)
    for n in range(1, rules.max_rounds + 1):
        here = desk.at(f"round-{n}")
        wishes = here.wishes()
        revision = revise(here, game, current, review, wishes)
        verdict, upcoming, measures = here.all(
            lambda d: judge(d, game, current, review, revision.idea),
            lambda d: critique(d, game, revision.idea) if n < rules.max_rounds else None,
            lambda d: measure(d, game, first, current, revision.idea),
        )
        quiet = 0 if verdict.improved else quiet + 1
        current, accepted = revision.idea, (revision.idea, n) if verdict.improved else accepted
        yield Round(n=n, review=review, wishes=wishes, revision=revision, verdict=verdict, measures=measures, quiet=quiet)
        if quiet >= rules.patience:
            yield ended(f"Converged: {quiet} verdicts in a row saw no significant improvement.", accepted, converged=True)
            return
        review = upcoming
    yield ended(f"Stopped at the limit of {rules.max_rounds} rounds, before convergence.", accepted, converged=False)


def ended(reason: str, accepted: tuple[Idea, int], converged: bool) -> Outcome:
    """Return the newest accepted idea with its round: the printed index at the limit is ambiguous (Algorithm 1)."""
    return Outcome(reason=reason, idea=accepted[0], round=accepted[1], converged=converged)


def propose(desk: Desk, game: Game) -> Idea:
    """Generator: write y0, one paragraph, from the background."""
    said = desk.ask("first-idea", Hypothesis, topic=game.topic, area=game.area, goal=game.goal, context=game.context)
    return said.as_idea()


def critique(desk: Desk, game: Game, idea: Idea) -> Review:
    """Optimizer: write the textual gradient r_i of y_i."""
    return desk.ask("review", Review, check=_distinct_remarks, area=game.area, goal=game.goal, context=game.context, idea=idea)


def revise(desk: Desk, game: Game, idea: Idea, review: Review, wishes: tuple[Wish, ...]) -> Revision:
    """Generator: write y_{i+1} from y_i, r_i and what a person asked for meanwhile."""
    said = desk.ask(
        "revise", RevisedIdea, area=game.area, goal=game.goal, context=game.context, idea=idea, review=review, wishes=wishes
    )
    return said.as_revision()


def judge(desk: Desk, game: Game, older: Idea, review: Review, newer: Idea) -> Verdict:
    """Discriminator: say whether y_{i+1} significantly improves on y_i; reads y_i, r_i, y_{i+1}."""
    return desk.ask("verdict", Verdict, area=game.area, goal=game.goal, context=game.context, older=older, review=review, newer=newer)


def measure(desk: Desk, game: Game, first: Idea, before: Idea, after: Idea) -> Measures | None:
    """Measure how far the idea moved; None, recorded with its reason, where the embedding model is not to be had."""
    try:
        return desk.measure("measure", after, first=first, previous=before, papers=game.context)
    except EmbeddingFailed:
        return None


def _distinct_remarks(review: Review) -> None:
    ids = [remark.id for remark in review.remarks]
    if not ids:
        raise ValueError("the review has no remarks; give at least one")
    if len(set(ids)) < len(ids):
        raise ValueError("two remarks share an id; number them r1, r2, ...")
