"""A training of the tiny policy on the toy task as a process of its own, to be killed: it says in a
file what each step learned, and in another what its judge was asked.
"""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))
os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TRL_EXPERIMENTAL_SILENCE="1")

from core import prompts
from core.desk import Desk
from core.models.port import Request
from core.records import ITEMS, Idea, ItemVerdict
from core.records.training import Judgement, Learned, TrainingQuery
from core.training.learning import Lead, Learning, learn, make_trainer
from core.training.rollouts import Environment, RolloutShape, roll_out
from tests.conftest import ScriptedModel, Shop, make_run
from tests.support.training import tiny_policy

STEPS = 8
QUERIES = tuple(TrainingQuery(question=f"question {n}") for n in range(4))


def main(folder: Path) -> None:
    """Train on, from where the last life of this process ended."""

    def judged(request: Request) -> object:
        _append(folder / "asked", str(request.seed))
        return {"reason": "so", "score": 1, "directive": None}

    model = ScriptedModel({"checklist-item": judged})
    shop = Shop(folder / "data", {model.name: model})
    runs = shop.store.runs
    if not (folder / "run").exists():
        frozen = shop.freeze({"checklist-item": prompts.text("checklist-item")})
        run = make_run(shop.store, models={"judge": model.name}, prompts=frozen)
        (folder / "run").write_text(run.id)
    name = (folder / "run").read_text()
    runs.claim(name, f"worker|{os.getpid()}|1", runs.get(name).epoch)
    run = runs.get(name)
    desk = shop.desk(run, run.epoch)[1]
    toy = tiny_policy.toy()

    def judge(here: Desk, text: str) -> Judgement:
        idea = Idea(form="hypothesis", fields={"hypothesis": f"An idea: {text!r}"})
        here.ask("checklist-item", ItemVerdict, role="judge", idea=idea, item=ITEMS[0])
        return toy.judge(here, text)

    environment = Environment(begin=toy.begin, revise=toy.revise, read=_read, judge=judge)
    shape = RolloutShape(rollouts=3, drafts=2)
    how = Learning(steps=STEPS, queries=2, shape=shape, learning_rate=3e-3, most=16, save_every=3)

    def tell(learned: Learned) -> None:
        _append(folder / "learned", learned.model_dump_json())

    lead = Lead(
        environment=environment,
        roll_out=lambda step, policy, asked: roll_out(
            desk.at(f"step-{step}"), policy, environment, asked, shape
        ),
        tell=tell,
    )
    trainer = make_trainer(folder.parent / "tiny", folder / "checkpoints", QUERIES, how, 1, lead)
    learn(trainer)
    (folder / "done").write_text(json.dumps(True))


def _read(text: str) -> str:
    return text or "nothing"


def _append(path: Path, line: str) -> None:
    with path.open("a") as file:
        file.write(line + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
