"""What the tests of the built-in model share: the model on the real shelf, asked the way a desk
asks.
"""

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest
from pydantic import BaseModel

from core import prompts
from core.literature.embeddings import Embedder
from core.literature.shelf import Shelf
from core.methods.presets import FEASIBILITY, NOVELTY
from core.models.builtin import BuiltinModel
from core.models.port import Request
from core.records import (
    Chain,
    ChainIdea,
    Direction,
    Draft,
    Experiment,
    Hypothesis,
    Idea,
    Link,
    Outlook,
    Paper,
    Reading,
    Review,
    RevisedIdea,
    Revision,
    Sampling,
    Verdict,
    Wish,
)
from core.store import Store

R = TypeVar("R", bound=BaseModel)
TOPICS = (
    "LLM agents that generate research ideas",
    "orexin levels may improve sleep quality and energy in adolescent athletes",
    "neural operators for PDEs on irregular meshes",
)
GOALS = (NOVELTY, FEASIBILITY)


class Bench:
    """The built-in model on the real shelf and the real embedder."""

    def __init__(self, folder: Any):
        self.embedder = Embedder(Store(folder).library)
        self.shelf = Shelf(self.embedder)
        self.model = BuiltinModel(self.embedder, self.shelf)

    def ask(
        self,
        prompt: str,
        returns: type[R],
        seed: int = 7,
        shown: list[str] | None = None,
        **values: object,
    ) -> R:
        """Render the real prompt too, so that a value the prompt asks for cannot be missing
        here.
        """
        unsaid: dict[str, dict[str, object]] = {
            "idea": {"direction": None, "entities": (), "taken": ()}
        }
        values = unsaid.get(prompt, {"earlier": ()}) | values
        prompts.render(prompts.text(prompt), values)
        told: list[str] = [] if shown is None else shown
        reply = self.model.reply(
            Request(prompt, values, "", "", returns, Sampling(), "main", seed),
            lambda text, note: told.append(text),
        )
        assert reply.finish_reason == "stop"
        return returns.model_validate_json(reply.text)

    def near(self, topic: str, most: int = 5) -> tuple[Paper, ...]:
        papers = self.shelf.all()
        cosines = self.embedder.similarities(
            topic, [f"{paper.title}. {paper.abstract}" for paper in papers]
        )
        ranked = sorted(zip(cosines, papers, strict=True), key=lambda pair: (-pair[0], pair[1].id))
        return tuple(paper for _, paper in ranked[:most])

    def chain(self, topic: str) -> Chain:
        papers = sorted(
            self.near(topic), key=lambda paper: (paper.year or 0, paper.published or "")
        )
        return Chain(topic=topic, links=tuple(Link(paper=paper, hop="anchor") for paper in papers))

    def read(self, paper: Paper, text: str | None = None) -> Reading:
        return self.ask("extract", Reading, topic="x", paper=paper, text=text)

    def examples(self, chain: Chain) -> tuple[Experiment, ...]:
        return tuple(one for paper in chain.papers for one in self.read(paper).experiments)

    def predict(
        self,
        topic: str,
        chain: Chain,
        seed: int = 7,
        taken: tuple[object, ...] = (),
        **more: object,
    ) -> Direction:
        given = {"trend": None, "entities": (), "most": 3} | more
        return (
            self.ask("future", Outlook, seed, topic=topic, chain=chain, taken=taken, **given)
            .candidates[0]
            .as_direction()
        )

    def sketch(
        self,
        topic: str,
        chain: Chain,
        seed: int = 7,
        direction: Direction | None = None,
        taken: tuple[object, ...] = (),
    ) -> Draft:
        return self.ask(
            "draft",
            Draft,
            seed,
            topic=topic,
            chain=chain,
            trend=None,
            direction=direction,
            entities=(),
            taken=taken,
        )

    def think(self, topic: str, chain: Chain, seed: int = 7) -> tuple[Direction, Draft, Idea]:
        """Go from a chain to its idea the way the method does."""
        direction = self.predict(topic, chain, seed)
        draft = self.sketch(topic, chain, seed, direction)
        return (
            direction,
            draft,
            self.ask(
                "idea",
                ChainIdea,
                seed,
                topic=topic,
                chain=chain,
                draft=draft,
                direction=direction,
                entities=(),
                taken=(),
            ).as_idea(),
        )

    def first(self, topic: str, goal: Any, context: Sequence[Paper], seed: int = 7) -> Idea:
        return self.ask(
            "first-idea",
            Hypothesis,
            seed,
            you="generator",
            topic=topic,
            area="research",
            goal=goal,
            context=tuple(context),
        ).as_idea()

    def review(self, goal: Any, context: Sequence[Paper], idea: Idea) -> Review:
        return self.ask(
            "review",
            Review,
            you="optimizer",
            area="research",
            goal=goal,
            context=tuple(context),
            idea=idea,
        )

    def revise(
        self,
        goal: Any,
        context: Sequence[Paper],
        idea: Idea,
        review: Review,
        wishes: tuple[Wish, ...] = (),
    ) -> Revision:
        return self.ask(
            "revise",
            RevisedIdea,
            you="generator",
            area="research",
            goal=goal,
            context=tuple(context),
            idea=idea,
            review=review,
            wishes=wishes,
        ).as_revision()

    def judge(
        self, goal: Any, context: Sequence[Paper], older: Idea, newer: Idea, review: Review
    ) -> Verdict:
        return self.ask(
            "verdict",
            Verdict,
            you="discriminator",
            area="research",
            goal=goal,
            context=tuple(context),
            older=older,
            review=review,
            newer=newer,
        )

    def refine(
        self, goal: Any, context: Sequence[Paper], idea: Idea, most: int = 10
    ) -> tuple[list[Revision], list[bool], list[Review]]:
        """Play the game until two quiet verdicts in a row."""
        review, revisions, improved, reviews = self.review(goal, context, idea), [], [], []
        for _ in range(most):
            revision = self.revise(goal, context, idea, review)
            improved.append(self.judge(goal, context, idea, revision.idea, review).improved)
            revisions.append(revision)
            reviews.append(review)
            idea = revision.idea
            if improved[-2:] == [False, False]:
                break
            review = self.review(goal, context, idea)
        return revisions, improved, reviews


@cache
def shared() -> Bench:
    # One for all test modules: reading the shelf sentence by sentence takes some seconds.
    return Bench(Path(tempfile.mkdtemp(prefix="builtin-")))


@pytest.fixture(scope="session")
def bench() -> Bench:
    return shared()
