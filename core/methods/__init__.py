"""Making and improving ideas: one module, or one package, for each method of the papers.

Each begins with the whole method as one function: `chain_of_ideas.ideate`, `adversarial.refine`,
`evolution.evolve`, `baselines.direct`, `novelty.check`. The data sets the papers start from are
made by `target_dataset.build` and `seed_dataset.build`.
"""

from core.methods.inputs import (
    BaselineInputs,
    CandidateInputs,
    ChainInputs,
    Leg,
    Looking,
    NoveltyInputs,
    RealInputs,
    RefineInputs,
)

__all__ = [
    "BaselineInputs",
    "CandidateInputs",
    "ChainInputs",
    "Leg",
    "Looking",
    "NoveltyInputs",
    "RealInputs",
    "RefineInputs",
]
