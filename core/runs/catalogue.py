"""The catalogue: every method a run can follow, what it needs to be told, which prompts it asks of
whom.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from core.benchmark import BenchInputs, conducting
from core.benchmark.protocol import PROMPTS as BENCH_PROMPTS
from core.desk import Desk
from core.errors import BadInput
from core.experiments import matrix
from core.judging import arena, forms, ranked_sets
from core.methods import (
    adversarial,
    baselines,
    candidates,
    chain_of_ideas,
    evolution,
    finding,
    questioning,
    seed_dataset,
    target_dataset,
)
from core.methods.inputs import (
    BaselineInputs,
    CandidateInputs,
    ChainInputs,
    Looking,
    RealInputs,
    RefineInputs,
)
from core.records import Record
from core.studies import model_seat
from core.wording.naming import LABELS

PANEL = re.compile(r"(judge|entrant)-[1-9]\d?")
"""Further judges of a panel, and the models of a benchmark."""
ROLES: dict[str, str] = {
    "main": "writes and judges",
    "cheap": "reads papers",
    "selector": "chooses between branches",
    "novelty": "says whether a paper that was found has an idea already",
}
"""What a model can be chosen for."""
ACTORS: dict[str, str] = {
    "generator": "writes and revises ideas",
    "optimizer": "reviews them",
    "discriminator": "says whether they improved",
    "judge": "ranks them with the target",
}
"""What a model can be chosen for in a refinement; where none is, the main one plays."""
JUDGES: dict[str, str] = {
    "judge": "judges what others wrote",
    "scorer": "scores the checklist, where another judge gives the directives",
}
"""What a model can be chosen for where ideas are judged."""


def _refine(desk: Desk, inputs: RefineInputs) -> Iterator[Record]:
    adversarial.refine(desk, inputs)  # It shows everything in its place.
    return iter(())


@dataclass(frozen=True)
class Method:
    """A method: its story, the version of its step names, its inputs, the prompts it asks, the
    roles that answer them.
    """

    name: str
    version: int
    label: str
    inputs: type[Record]
    prompts: tuple[str, ...]
    story: Callable[[Desk, Any], Iterator[Record]]
    roles: tuple[str, ...] = ("main", "cheap")
    lookup: bool = False
    """A look into the literature on a person's behalf: a run like any other, left out of lists of
    work.
    """
    compares: bool = False
    """Whether it compares texts by meaning, for which the embedding model is needed."""
    panel: bool = False
    """Whether more judges may be named than its roles say: judge-2, judge-3, ..."""


METHODS: dict[str, Method] = {
    one.name: one
    for one in (
        Method(
            "chain",
            2,
            LABELS["chain"],
            ChainInputs,
            chain_of_ideas.PROMPTS,
            chain_of_ideas.ideate,
            ("main", "cheap", "selector", "novelty"),
            compares=True,
        ),
        Method(
            "refine",
            2,
            LABELS["refine"],
            RefineInputs,
            adversarial.PROMPTS,
            _refine,
            ("generator", "optimizer", "discriminator", "judge"),
            compares=True,
        ),
        Method(
            "rag",
            1,
            LABELS["rag"],
            BaselineInputs,
            baselines.RAG,
            baselines.retrieval_augmented,
            ("main",),
            compares=True,
        ),
        Method(
            "direct",
            1,
            LABELS["direct"],
            BaselineInputs,
            baselines.DIRECT,
            baselines.direct,
            ("main",),
        ),
        Method(
            "real-paper",
            1,
            LABELS["real-paper"],
            RealInputs,
            baselines.REAL,
            baselines.real_paper,
            ("main",),
        ),
        Method(
            "evolve",
            1,
            LABELS["evolve"],
            evolution.EvolveInputs,
            evolution.PROMPTS,
            evolution.evolve,
            evolution.ROLES,
        ),
        Method(
            "question",
            1,
            LABELS["question"],
            questioning.QuestionInputs,
            questioning.PROMPTS,
            questioning.questioned,
            ("main",),
        ),
        Method(
            "seed-dataset",
            1,
            "Dataset of questions",
            seed_dataset.SeedInputs,
            seed_dataset.PROMPTS,
            seed_dataset.build,
            ("main",),
        ),
        Method(
            "target-dataset",
            1,
            "Dataset of targets",
            target_dataset.TargetInputs,
            target_dataset.PROMPTS,
            target_dataset.build,
            ("main",),
        ),
        Method(
            "rank",
            1,
            "Relative ranking",
            ranked_sets.RankInputs,
            ranked_sets.PROMPTS,
            ranked_sets.rank_sets,
            ("judge",),
            panel=True,
        ),
        Method(
            "forms",
            1,
            "Common form",
            forms.FormInputs,
            forms.PROMPTS,
            forms.reform,
            ("judge",),
            lookup=True,
        ),
        Method(
            "arena",
            1,
            "Idea Arena",
            arena.ArenaInputs,
            arena.PROMPTS,
            arena.compete,
            ("judge",),
            panel=True,
        ),
        Method(
            "seat",
            1,
            "Model judge in a session",
            model_seat.SeatInputs,
            model_seat.PROMPTS,
            model_seat.fill_seat,
            ("judge",),
        ),
        Method(
            "sweep", 1, "Experiment", matrix.SweepInputs, matrix.PROMPTS, matrix.sweep, ("main",)
        ),
        Method(
            "bench", 1, "Benchmark", BenchInputs, BENCH_PROMPTS, conducting.conduct, (), panel=True
        ),
        Method(
            "candidates",
            1,
            "Candidates for a chain",
            CandidateInputs,
            candidates.PROMPTS,
            candidates.consider,
            ("main",),
            lookup=True,
            compares=True,
        ),
        Method(
            "find",
            1,
            "Find a paper",
            Looking,
            (),
            finding.find,
            ("main",),
            lookup=True,
            compares=True,
        ),
    )
}


def method(name: str) -> Method:
    """Return the method of that name; raises BadInput."""
    if name not in METHODS:
        raise BadInput(f"There is no method {name!r}; there are {', '.join(METHODS)}.")
    return METHODS[name]
