"""The built-in model: rule-based, for trying things out with no key and no network. It is no
language model and says so.

It works on the records of a request, with sentence embeddings and its shelf of papers; it never
parses a prompt.
"""

from collections.abc import Callable
from inspect import signature

from pydantic import BaseModel

from core.errors import CannotAnswer
from core.models.builtin import (
    baseline_ideas,
    claiming,
    comparing,
    continuing,
    design_review,
    designing,
    development,
    invention,
    reading,
    refinement,
    reporting,
    searching,
)
from core.models.builtin.library import PaperShelf, PassageLibrary, Vectorizer
from core.models.port import Progress, Reply, Request

ANSWERS: dict[str, Callable[..., BaseModel | str]] = {
    "queries": searching.queries,
    "relevance": searching.relevance,
    "choose-reference": searching.choose_reference,
    "extract": reading.extract,
    "trend": development.trend,
    "entities": reading.merge,
    "future": continuing.future,
    "draft": continuing.draft,
    "idea": continuing.idea,
    "novelty-queries": searching.novelty_queries,
    "novelty-verdict": searching.novelty_verdict,
    "novelty-claims": claiming.take_apart,
    "novelty-claim-queries": claiming.write_queries,
    "novelty-reading": claiming.read,
    "select": comparing.select,
    "experiment-design": designing.design,
    "design-review": design_review.review,
    "design-refine": design_review.refine,
    "direct-idea": baseline_ideas.direct_idea,
    "retrieved-idea": baseline_ideas.retrieved_idea,
    "report": reporting.report,
    "first-idea": invention.first_idea,
    "review": refinement.review_idea,
    "revise": refinement.revise,
    "verdict": refinement.verdict,
    "self-review": refinement.review_idea,
    "reflect": refinement.reflect,
    "side-effect": refinement.side_effect,
    "six-fields": refinement.in_six_fields,
    "bench-idea": baseline_ideas.keyword_idea,
    "bench-idea-again": baseline_ideas.keyword_idea,
}
"""What answers a prompt: each is given those of the request's values that it names as parameters,
and `library` and `seed` where it names them.
"""
PIECES = 4
"""In how many pieces a reply is shown while it is 'written'."""


class BuiltinModel:
    """Answers by rules and embeddings; free, deterministic, and nobody's language model."""

    name = "builtin"
    provider = "builtin"
    thinks = False
    label = "rule-based, for trying things out"

    def __init__(self, embedder: Vectorizer, shelf: PaperShelf):
        self._library = PassageLibrary(embedder, shelf)

    def answers(self, prompt: str) -> bool:
        """Say whether there are rules for the prompt of that name."""
        return prompt in ANSWERS

    def reply(self, request: Request, progress: Progress) -> Reply:
        """Answer from the request's values; raises CannotAnswer for a prompt without rules,
        EmbeddingFailed, SourceFailed.
        """
        if request.prompt not in ANSWERS:
            raise CannotAnswer(
                f"The built-in model has no rules for the prompt {request.prompt!r}. Choose a"
                " language model in Settings."
            )
        given = {**request.values, "library": self._library, "seed": request.seed}
        rules = ANSWERS[request.prompt]
        wanted = signature(rules).parameters.values()
        # A value that a parameter has no default for must be there: KeyError, and no guess.
        needed = [one.name for one in wanted if one.default is one.empty or one.name in given]
        answer = rules(**{name: given[name] for name in needed})
        text = answer if isinstance(answer, str) else answer.model_dump_json()
        for n in range(1, PIECES + 1):
            progress(text[: len(text) * n // PIECES], "")
        return Reply(text=text, finish_reason="stop", model=self.name, detail={"kind": self.label})


__all__ = ["ANSWERS", "BuiltinModel", "PaperShelf", "Vectorizer"]
