"""The built-in model: rule-based, for trying things out with no key and no network. It is no
language model and says so.

It works on the records of a request, with sentence embeddings and its shelf of papers; it never
parses a prompt.
"""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel

from core.errors import CannotAnswer
from core.models.builtin import (
    baseline_ideas,
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

Values = Mapping[str, Any]
ANSWERS: dict[str, Callable[[PassageLibrary, Values, int], BaseModel | str]] = {
    "queries": lambda lib, v, _: searching.queries(lib, v["topic"]),
    "relevance": lambda lib, v, _: searching.relevance(lib, v["topic"], v["paper"]),
    "choose-reference": lambda lib, v, _: searching.choose_reference(
        lib, v["topic"], v["paper"], v["references"]
    ),
    "extract": lambda lib, v, _: reading.extract(lib, v["paper"], v["text"]),
    "trend": lambda lib, v, _: development.trend(lib, v["topic"], v["chain"]),
    "entities": lambda lib, v, _: reading.merge(lib, v["topic"], v["readings"]),
    "future": lambda lib, v, seed: continuing.future(
        lib, v["topic"], v["chain"], v["trend"], v["entities"], v["taken"], seed, v.get("most")
    ),
    "draft": lambda lib, v, seed: continuing.draft(
        lib, v["topic"], v["chain"], v["direction"], v["entities"], v["taken"], seed
    ),
    "idea": lambda lib, v, _: continuing.idea(lib, v["topic"], v["chain"], v["draft"]),
    "novelty-queries": lambda lib, v, _: searching.novelty_queries(lib, v["topic"], v["draft"]),
    "novelty-verdict": lambda lib, v, _: searching.novelty_verdict(lib, v["idea"], v["papers"]),
    "select": lambda lib, v, _: comparing.select(lib, v["topic"], v["first"], v["second"]),
    "experiment-design": lambda lib, v, _: designing.design(
        lib, v["topic"], v["idea"], v["examples"], v["entities"]
    ),
    "design-review": lambda lib, v, _: design_review.review(lib, v["idea"], v["design"]),
    "design-refine": lambda lib, v, _: design_review.refine(
        lib, v["idea"], v["design"], v["review"], v["papers"]
    ),
    "direct-idea": lambda _lib, v, _: baseline_ideas.direct_idea(v["topic"]),
    "retrieved-idea": lambda lib, v, seed: baseline_ideas.retrieved_idea(
        lib, v["topic"], v["papers"], seed
    ),
    "report": lambda lib, v, _: reporting.report(lib, v["paper"], v["text"]),
    "first-idea": lambda lib, v, seed: invention.first_idea(lib, v["topic"], v["context"], seed),
    "review": lambda lib, v, _: refinement.review(lib, v["goal"], v["context"], v["idea"]),
    "revise": lambda lib, v, _: refinement.revise(
        lib, v["goal"], v["context"], v["idea"], v["review"], v["wishes"]
    ),
    "verdict": lambda lib, v, _: refinement.verdict(
        lib, v["goal"], v["context"], v["older"], v["newer"]
    ),
    "self-review": lambda lib, v, _: refinement.review(lib, v["goal"], v["context"], v["idea"]),
    "reflect": lambda lib, v, _: refinement.reflect(
        lib, v["goal"], v["upcoming"], v["context"], v["older"], v["newer"]
    ),
    "side-effect": lambda lib, v, _: refinement.side_effect(
        lib, v["goal"], v["context"], v["older"], v["newer"]
    ),
    "six-fields": lambda lib, v, _: refinement.in_six_fields(lib, v["idea"]),
    "bench-idea": lambda lib, v, seed: baseline_ideas.keyword_idea(
        lib, v["keyword"], int(v["words"]), seed
    ),
    "bench-idea-again": lambda lib, v, seed: baseline_ideas.keyword_idea(
        lib, v["keyword"], int(v["words"]), seed
    ),
}
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
        answer = ANSWERS[request.prompt](self._library, request.values, request.seed)
        text = answer if isinstance(answer, str) else answer.model_dump_json()
        for n in range(1, PIECES + 1):
            progress(text[: len(text) * n // PIECES], "")
        return Reply(text=text, finish_reason="stop", model=self.name, detail={"kind": self.label})


__all__ = ["ANSWERS", "BuiltinModel", "PaperShelf", "Vectorizer"]
