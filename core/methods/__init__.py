"""Making and improving ideas: one file per method of the papers."""

from core.methods.inputs import (
    BaselineInputs,
    CandidateInputs,
    ChainInputs,
    Leg,
    Looking,
    RealInputs,
    RefineInputs,
)

__all__ = [
    "BaselineInputs",
    "CandidateInputs",
    "ChainInputs",
    "Leg",
    "Looking",
    "RealInputs",
    "RefineInputs",
]
