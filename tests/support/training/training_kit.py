"""Trainings for tests and pictures: runs in any state with plausible curves, drafts to read and
checkpoints, without torch.
"""

import json
import random
from pathlib import Path

from core.records import (
    ITEMS,
    Checklist,
    Directive,
    Examples,
    Judged,
    Learned,
    Run,
    Trained,
    TrainingData,
    TrainingQuery,
)
from core.records.training import Judgement, ReadDraft
from core.runs.leases import me
from core.runs.runner import Runner
from core.store.steps import Product
from core.training.learning import WHOLE, Learning
from core.training.method import TrainInputs, folder_of, gain
from tests.support.scripted import configured

DATA = TrainingData(
    training=tuple(TrainingQuery(question=f"Does rule {n} help?") for n in range(30)),
    held_out=tuple(TrainingQuery(question=f"Does rule {n} hold?") for n in range(30, 36)),
)
IDEA = (
    "Title\nSleep-gated replay\n\nCore Problem\nModels forget <b>what</b> they learned.\n\nApproach"
    "\nReplay traces at night, gated by surprise, and compare with a $fixed$ schedule."
)


def inputs(runner: Runner, **changed: object) -> TrainInputs:
    """Return what a training of the kit is asked for."""
    given = {
        "topic": "Qwen3-4B, informed",
        "data": runner.store.frozen.keep(DATA),
        "base": "Qwen/Qwen3-4B",
        "base_digest": "a1" * 32,
        "how": Learning(steps=60),
    }
    return TrainInputs(**given | changed)


def training(
    runner: Runner, state: str = "done", steps: int = 60, reason: str = "", **asked: object
) -> Run:
    """Keep a training in a state, with so many steps learned and drafts of each."""
    given = inputs(runner, **asked)
    models = {} if given.judged == "code" else {"judge": "scripted:one"}
    config = configured(runner, "train", given).model_copy(update={"models": models})
    run = runner.begin(config, given.topic)
    store, dice = runner.store, random.Random(4)
    curve = []
    for n in range(1, steps + 1):
        show(runner, run, f"step-{n}/examples", examples(n, dice, given.judged == "code"))
        curve.append(learned(n, given, dice))
        show(runner, run, f"step-{n}/learned", curve[-1])
    saved = tuple(range(10, steps + 1, 10))
    for n in saved:
        checkpoint(runner, run, n)
    if state == "done":
        found = gain(curve)
        ended = Trained(
            steps=steps,
            first_return=found.first,
            last_return=found.last,
            averaged=found.averaged,
            checkpoints=saved,
        )
        show(runner, run, "trained", ended)
    store.connections.write(
        "UPDATE runs SET state = ?, reason = ?, calls = ?, tokens_in = ?, tokens_out = ?,"
        " steps = ?, worked = ?, owner = ?, heartbeat = 9e12 WHERE id = ?",
        state,
        reason,
        steps * 560,
        steps * 1_400_000,
        steps * 140_000,
        steps * 563,
        steps * 95.0,
        me() if state == "running" else None,
        run.id,
    )
    return store.runs.get(run.id)


def show(runner: Runner, run: Run, place: str, record: object) -> None:
    """Show a record of a run, as its worker would."""
    product = Product(
        name=place,
        kind=type(record).__name__,
        data=record.model_dump(mode="json"),  # type: ignore[attr-defined]
        place=place.replace("step-", "").partition("/")[0].rjust(8, "0"),
    )
    epoch = runner.store.connections.number("SELECT epoch FROM runs WHERE id = ?", run.id)
    runner.store.steps.show(run.id, product, epoch)


def learned(n: int, given: TrainInputs, dice: random.Random) -> Learned:
    """Return what a step may learn: more and more, with noise."""
    rise = 1 - 2.718 ** (-n / 25)
    by_draft = tuple(2.6 + k * 0.9 + 1.4 * rise + dice.gauss(0, 0.25) for k in range(2))
    by_item = {
        item.name: tuple(
            min(1.0, max(0.0, 0.15 + 0.08 * at + 0.1 * k + 0.5 * rise + dice.gauss(0, 0.05)))
            for k in range(2)
        )
        for at, item in enumerate(ITEMS)
        if given.judged == "model" or item.name in ("length", "layout")
    }
    return Learned(
        step=n,
        mean_return=sum(by_draft),
        by_draft=by_draft,
        by_item=by_item,
        discarded=max(0.0, 0.2 * (1 - rise) + dice.gauss(0, 0.02)),
        dropped=max(0.0, dice.gauss(0.01, 0.02)),
        alike=max(0.0, dice.gauss(0.1, 0.08)),
        tokens=1_900 + 500 * rise + dice.gauss(0, 60),
        loss=dice.gauss(0, 0.02),
        kl=0.02 * rise + abs(dice.gauss(0, 0.002)),
    )


def examples(n: int, dice: random.Random, by_code: bool = False) -> Examples:
    """Return drafts to read: the worst rollout breaks off at a reply that cannot be read."""
    return Examples(
        step=n,
        question="How do <i>naps</i> restore memory in *athletes*?",
        rollouts=(
            (draft(3, dice, by_code), draft(5, dice, by_code)),
            (ReadDraft(text="<think>I cannot say", readable=False, scored=Judgement(reward=0.0)),),
        ),
    )


def draft(hold: int, dice: random.Random, by_code: bool) -> ReadDraft:
    """Return a draft of which so many items hold."""
    names = [item.name for item in ITEMS if not by_code or item.name in ("length", "layout")]
    holds = set(dice.sample(names, min(hold, len(names))))
    items = tuple(
        Judged(
            item=name,
            score=int(name in holds),
            by="scripted:one",
            directive=None
            if name in holds
            else Directive(
                span="Replay traces at night",
                issue="It names <u>no</u> baseline.",
                suggestion="Compare with uniform replay of the same size.",
            ),
        )
        for name in names
    )
    return ReadDraft(
        text=IDEA,
        readable=True,
        scored=Judgement(reward=float(len(holds)), checklist=Checklist(items=items)),
    )


def checkpoint(runner: Runner, run: Run, step: int) -> Path:
    """Write a checkpoint whose files hold nothing."""
    folder = folder_of(runner.workshop.settings.data, run.id) / f"checkpoint-{step}"
    folder.mkdir(parents=True)
    (folder / "model.safetensors").write_bytes(b"weights" * 1_000)
    (folder / "config.json").write_text("{}")
    (folder / WHOLE).write_text(json.dumps({"step": step}))
    return folder
