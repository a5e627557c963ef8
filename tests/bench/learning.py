"""A tiny policy learns a toy task: what it starts with, as a share of what it ends with."""

from pathlib import Path
from statistics import mean

from core.records import Learned, TrainingQuery
from core.training.learning import Lead, Learning, learn, make_trainer
from core.training.rollouts import RolloutShape, roll_out
from tests.conftest import ScriptedModel, Shop, make_run
from tests.support.training import tiny_policy

QUERIES = tuple(TrainingQuery(question=f"question {n}") for n in range(4))
HOW = Learning(
    steps=60,
    queries=2,
    shape=RolloutShape(rollouts=4, drafts=2),
    learning_rate=3e-3,
    most=24,
    save_every=20,
)
TARGETS = {"learning_start_of_end": 0.5}
FEW = 5
"""Steps that the start and the end are means of."""


def learning_start_of_end(folder: Path) -> float:
    """Return the mean return of the first steps by that of the last: 0.5 or less where it at least
    doubles (the packages of requirements-train.txt are needed).
    """
    model = ScriptedModel({})
    shop = Shop(folder / "data", {model.name: model})
    run = make_run(shop.store)
    epoch = shop.store.runs.claim(run.id, "bench|1|1", 0)
    assert epoch
    desk = shop.desk(shop.store.runs.get(run.id), epoch)[1]
    task = tiny_policy.toy()
    told: list[Learned] = []
    lead = Lead(
        environment=task,
        roll_out=lambda step, policy, asked: roll_out(
            desk.at(f"step-{step}"), policy, task, asked, HOW.shape
        ),
        tell=told.append,
    )
    base = tiny_policy.make(folder / "tiny")
    learn(make_trainer(base, folder / "checkpoints", QUERIES, HOW, 1, lead))
    returns = [step.mean_return for step in told]
    return mean(returns[:FEW]) / mean(returns[-FEW:])
