"""Adversarial refinement (InfAL): generator, optimizer and discriminator play until two verdicts in a row see no improvement."""
from collections.abc import Iterator

from core.desk import Desk
from core.errors import EmbeddingFailed
from core.literature.port import Query
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
    Search,
    Stopping,
    Verdict,
    Wish,
)

BACKGROUND = 5
"""How many papers a game that was given none begins with."""
PROMPTS = ("first-idea", "review", "revise", "verdict")


class Game(Record):
    """What all three players know (InfAL, section 3.1): the background x, the field, the indicator."""

    topic: str
    area: str
    goal: Indicator
    context: tuple[Paper, ...] = ()


def refine(desk: Desk, game: Game, rules: Stopping, idea: Idea | None = None) -> Iterator[Search | Idea | Round | Outcome]:
    """Yield the background if it had to be found, the first idea, each round as it ends, then why it stopped (InfAL, section 3.2 and figure 2).

    Two calls in series per round: the verdict and the next review do not need one another.
    """
    if not game.context:
        found = background(desk.at("background"), game)
        yield found
        game = game.model_copy(update={"context": found.papers})
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
            reason = f"Converged: {counted(quiet)} saw no significant improvement."
            yield Outcome(reason=reason, idea=current, round=n, converged=True)
            return
        review = upcoming
    # At the limit the printed index is ambiguous (Algorithm 1, line 18): the newest idea that was found better is returned.
    reason = f"Stopped at the limit of {rules.max_rounds} rounds, before convergence."
    yield Outcome(reason=reason, idea=accepted[0], round=accepted[1], converged=False)


def counted(quiet: int) -> str:
    """Say how many quiet verdicts in a row there were."""
    return "one verdict" if quiet == 1 else f"{quiet} verdicts in a row"


def background(desk: Desk, game: Game) -> Search:
    """Find background for a game that was given none: the papers nearest to its topic, or honestly none."""
    found = desk.look("search", Query(text=game.topic))
    if not found.papers:
        return found
    try:
        nearest = tuple(paper for paper, _ in desk.rank("ranking", game.topic, found.papers, recorded=(EmbeddingFailed,)))
    except EmbeddingFailed as error:
        return found.model_copy(update={"papers": found.papers[:BACKGROUND], "reason": f"In the source's own order. {error}"})
    return found.model_copy(update={"papers": nearest[:BACKGROUND]})


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
