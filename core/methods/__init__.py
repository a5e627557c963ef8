"""The methods a run can follow: what each needs to be told, which prompts it asks of whom, and what depends on what."""
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from core.desk import Desk
from core.errors import BadInput
from core.methods import adversarial, baselines, candidates, chain_of_ideas, finding
from core.methods.inputs import BaselineInputs, CandidateInputs, ChainInputs, Leg, Looking, RealInputs, RefineInputs
from core.records import Record

__all__ = ["ACTORS", "METHODS", "ROLES", "BaselineInputs", "CandidateInputs", "ChainInputs", "Leg", "Looking", "Method", "RealInputs", "RefineInputs", "method"]

ROLES: dict[str, str] = {
    "main": "writes and judges",
    "cheap": "reads papers",
    "selector": "chooses between branches",
}
"""What a model can be chosen for."""
ACTORS: dict[str, str] = {
    "generator": "writes and revises ideas",
    "optimizer": "reviews them",
    "discriminator": "says whether they improved",
    "judge": "ranks them with the target",
}
"""What a model can be chosen for in a refinement; where none is, the main one plays."""


def _refine(desk: Desk, inputs: RefineInputs) -> Iterator[Record]:
    adversarial.refine(desk, inputs)  # It shows everything in its place.
    return iter(())


@dataclass(frozen=True)
class Method:
    """A method: its story, the version of its step names, its inputs, the prompts it asks, the roles that answer them."""

    name: str
    version: int
    label: str
    inputs: type[Record]
    prompts: tuple[str, ...]
    story: Callable[[Desk, Any], Iterator[Record]]
    roles: tuple[str, ...] = ("main", "cheap")
    lookup: bool = False
    """A look into the literature on a person's behalf: a run like any other, left out of lists of work."""


METHODS: dict[str, Method] = {
    one.name: one for one in (
        Method("chain", 2, "Chain of ideas", ChainInputs, chain_of_ideas.PROMPTS, chain_of_ideas.ideate, ("main", "cheap", "selector")),
        Method("refine", 2, "Adversarial refinement", RefineInputs, adversarial.PROMPTS, _refine, tuple(ACTORS)),
        Method("rag", 1, "Retrieval-augmented prompting", BaselineInputs, baselines.RAG, baselines.retrieval_augmented, ("main",)),
        Method("direct", 1, "Direct prompting", BaselineInputs, baselines.DIRECT, baselines.direct, ("main",)),
        Method("real-paper", 1, "Real paper", RealInputs, baselines.REAL, baselines.real_paper, ("main",)),
        Method("candidates", 1, "Candidates for a chain", CandidateInputs, candidates.PROMPTS, candidates.consider, ("main",), lookup=True),
        Method("find", 1, "Find a paper", Looking, (), finding.find, ("main",), lookup=True),
    )
}


def method(name: str) -> Method:
    """Return the method of that name; raises BadInput."""
    if name not in METHODS:
        raise BadInput(f"There is no method {name!r}; there are {', '.join(METHODS)}.")
    return METHODS[name]
