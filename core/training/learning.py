"""Dr. GRPO on TRL: every draft is a row with the return of its rollout (EvoIdeator, equations 6 and
7).
"""

import json
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, model_validator

from core.errors import BadInput, FoundryError, ModelFailed
from core.models.weights import LocalPolicy, load, unpacked
from core.records import EDITION, ITEMS, Record
from core.records.training import Learned, Rollout, TrainingQuery
from core.training.devices import Columns, SharedPolicy, follow, hand_out
from core.training.rollouts import Environment, RolloutShape, TrainingRow, as_rows

WHOLE = "whole.json"
"""Written last into a checkpoint: one without it was broken off."""
OPTIMIZER = "optimizer.pt"
PACKAGES = ("trl", "accelerate", "peft", "datasets")
"""What requirements-train.txt brings."""


@dataclass(frozen=True)
class Lead:
    """What the process does that leads a training, alone or with others."""

    environment: Environment
    roll_out: Callable[[int, LocalPolicy, Sequence[tuple[int, TrainingQuery]]], tuple[Rollout, ...]]
    """Rolls out what one step (from 1) learns from."""
    tell: Callable[[Learned], None]
    """Called with what each step learned."""
    edition: int = EDITION


class Learning(Record):
    """How a policy learns; the paper's values are the defaults where it prints them."""

    steps: Annotated[int, Field(ge=1, le=100_000)] = 100
    queries: Annotated[int, Field(ge=1, le=256)] = 5
    """Queries a step."""
    shape: RolloutShape = RolloutShape()
    learning_rate: Annotated[float, Field(gt=0, le=1)] = 1e-6
    beta: Annotated[float, Field(ge=0)] = 0.01
    """Weight of the KL divergence to the reference policy."""
    epsilon: Annotated[float, Field(gt=0, lt=1)] = 0.2
    """Clipping of the importance ratio; the paper prints none, this is TRL's."""
    temperature: Annotated[float, Field(gt=0, le=2)] = 1.0
    """Of the rollouts; the paper prints none."""
    most: Annotated[int, Field(ge=1)] = 4_096
    """Tokens a draft may have, thoughts included; the loss is divided by it."""
    rows_at_once: Annotated[int, Field(ge=0)] = 0
    """Drafts that go through the model together while it learns, which is a matter of memory alone;
    0: all of a step.
    """
    adapter: Annotated[int, Field(ge=0, le=512)] = 0
    """Rank of LoRA adapters; 0 trains all weights, as the paper does."""
    save_every: Annotated[int, Field(ge=1)] = 10
    """Steps from one checkpoint to the next."""

    @model_validator(mode="after")
    def _rows_divide(self) -> "Learning":
        if self.rows_at_once and self.rows % self.rows_at_once:
            raise ValueError(
                f"{self.rows} drafts a step cannot be taken {self.rows_at_once} at a time; choose a"
                " number that divides them"
            )
        return self

    @property
    def rows(self) -> int:
        """Drafts a step."""
        return self.queries * self.shape.rollouts * self.shape.drafts


def require_packages() -> None:
    """Raise BadInput where the packages of training are not installed."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise BadInput(
            f"Training needs packages that are not installed ({', '.join(missing)}). Install"
            " requirements-train.txt, and start the program again."
        )


def learn(trainer: Any) -> Path:
    """Train on from the last whole checkpoint, if there is one, and return the newest one's folder.

    What ends it early (a cap, a wish to stop, a judge that fails) leaves a checkpoint of the last
    step, from which the next time goes on. Raises ModelFailed, and what rolling out raises.
    """
    folder = Path(trainer.args.output_dir)
    last = newest(folder)
    try:
        trainer.train(resume_from_checkpoint=str(last) if last else None)
    except FoundryError:
        _keep(trainer)
        raise
    whole = newest(folder)
    if whole is None:
        raise ModelFailed(f"The training in {folder} left no checkpoint.")
    return whole


def _keep(trainer: Any) -> None:
    """Write a checkpoint of the last step, where there is none."""
    folder, step = Path(trainer.args.output_dir), trainer.state.global_step
    if step and not (_checkpoint(folder, step) / WHOLE).exists():
        trainer._save_checkpoint(trainer.model, trial=None)
        if trainer.is_world_process_zero():
            _mark_whole(folder, step)


def checkpoints(folder: Path) -> dict[int, Path]:
    """Return the checkpoints that are whole by their steps, in order."""
    whole = [path.parent for path in folder.glob(f"checkpoint-*/{WHOLE}")]
    return dict(sorted((int(path.name.rpartition("-")[2]), path) for path in whole))


def newest(folder: Path) -> Path | None:
    """Return the last checkpoint that is whole, if there is one."""
    return next(reversed(checkpoints(folder).values()), None)


def _checkpoint(folder: Path, step: int) -> Path:
    return folder / f"checkpoint-{step}"


def _mark_whole(folder: Path, step: int) -> None:
    """Mark a checkpoint as whole; earlier ones keep their weights, and not what only resuming
    takes, which is twice as large.
    """
    (_checkpoint(folder, step) / WHOLE).write_text(json.dumps({"step": step}), "utf-8")
    for earlier in list(checkpoints(folder).values())[:-1]:
        (earlier / OPTIMIZER).unlink(missing_ok=True)


def make_trainer(
    base: Path,
    folder: Path,
    queries: Sequence[TrainingQuery],
    how: Learning,
    seed: int,
    lead: Lead | None,
) -> Any:
    """Return TRL's trainer for one policy, with its checkpoints in `folder`; `lead` is None in
    processes that only help another one.

    Raises BadInput without the packages of training, and where a step's drafts cannot be shared
    out among the processes; ModelFailed.
    """
    require_packages()
    from datasets import Dataset
    from peft import LoraConfig
    from transformers import PrinterCallback, TrainerCallback
    from trl import GRPOConfig, GRPOTrainer

    # Dr. GRPO reads the reference from where the policy was read, and no GGUF can be saved.
    model, tokenizer = load(unpacked(base, folder / "base"), learning=True)
    told: dict[int, Learned] = {}

    def rolled(prompts: list[str], trainer: Any) -> Columns:
        """Return what TRL asks of a `rollout_func`: a row for each of its prompts, in order."""
        step, several = trainer.state.global_step + 1, trainer.accelerator.num_processes > 1
        policy = _policy(trainer, tokenizer, f"{base.name}@{step}", how)
        if lead is None:
            assert isinstance(policy, SharedPolicy)
            _all_of(prompts)
            return follow(policy)
        asked = [int(prompt) for prompt in (_all_of(prompts) if several else prompts)]
        each = how.shape.rollouts * how.shape.drafts

        def roll_out() -> Columns:
            made = lead.roll_out(step, policy, [(n, queries[n]) for n in asked[::each]])
            told[step] = _summed(step, made, how.shape, lead.edition)
            return _columns(as_rows(made, lead.environment, queries, how.shape), policy)

        return hand_out(roll_out) if several else roll_out()

    class StepReporter(TrainerCallback):
        """Tells of each step, and marks a checkpoint as whole once it is written."""

        def on_log(self, args: Any, state: Any, control: Any, **given: Any) -> None:  # noqa: ARG002
            logs = given["logs"]
            if lead is None or "loss" not in logs or state.global_step not in told:
                return
            found, loss = told.pop(state.global_step), float(logs["loss"])
            if not math.isfinite(loss):
                raise ModelFailed(f"The loss of step {found.step} is no number.")
            kl = float(logs.get("kl", 0.0))
            lead.tell(found.model_copy(update={"loss": loss, "kl": kl}))

        def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002
            if lead:
                _mark_whole(folder, state.global_step)

    trainer = GRPOTrainer(
        model=model,
        reward_funcs=[_returned],
        args=GRPOConfig(output_dir=str(folder), **_settings(how, seed)),
        # TRL's own order begins anew where a training is resumed.
        train_dataset=Dataset.from_dict(
            {"prompt": [str(n) for n in schedule(len(queries), how, seed)]}
        ),
        processing_class=tokenizer,
        rollout_func=rolled,
        callbacks=[StepReporter()],
        peft_config=LoraConfig(r=how.adapter, task_type="CAUSAL_LM") if how.adapter else None,
    )
    trainer.remove_callback(PrinterCallback)
    return trainer


def _all_of(prompts: list[str]) -> list[str]:
    """Return the prompts of all processes, in their order."""
    from accelerate.utils import gather_object

    return list(gather_object(prompts))


def _policy(trainer: Any, tokenizer: Any, name: str, how: Learning) -> LocalPolicy:
    model = trainer.accelerator.unwrap_model(trainer.model)
    kind = SharedPolicy if trainer.accelerator.num_processes > 1 else LocalPolicy
    return kind(model, tokenizer, name, how.most, how.temperature)


def _settings(how: Learning, seed: int) -> dict[str, Any]:
    """Return what TRL is told; its own defaults for loss, scale and beta are others."""
    import torch
    from accelerate import PartialState

    devices = PartialState().num_processes
    group = how.shape.rollouts * how.shape.drafts
    at_once = how.rows_at_once or how.rows // devices
    if how.rows % (at_once * devices):
        raise BadInput(
            f"{how.rows} drafts a step cannot be shared out among {devices} processes,"
            f" {at_once} at a time. Choose numbers that divide."
        )
    return {
        "loss_type": "dr_grpo",
        "scale_rewards": "none",
        "beta": how.beta,
        "epsilon": how.epsilon,
        "num_iterations": 1,
        "temperature": how.temperature,
        "learning_rate": how.learning_rate,
        "lr_scheduler_type": "constant",
        "max_steps": how.steps,
        "shuffle_dataset": False,
        "num_generations": group,
        "per_device_train_batch_size": at_once,
        "gradient_accumulation_steps": how.rows // (at_once * devices),
        "max_completion_length": how.most,
        "logging_steps": 1,
        "save_steps": how.save_every,
        "seed": seed,
        "report_to": [],
        "disable_tqdm": True,
        "use_cpu": not torch.cuda.is_available(),
        "bf16": torch.cuda.is_available(),
    }


def schedule(queries: int, how: Learning, seed: int) -> list[int]:
    """Return the queries of all steps in order: each once, shuffled, before any comes again."""
    dice, taken = random.Random(seed), list[int]()
    while len(taken) < how.steps * how.queries:
        taken += dice.sample(range(queries), queries)
    return taken[: how.steps * how.queries]


def _returned(rollout_return: list[float], **_: object) -> list[float]:
    """The reward of a row is the return of its rollout; the advantage is TRL's, unscaled."""
    return rollout_return


def _columns(rows: Sequence[TrainingRow], policy: LocalPolicy) -> Columns:
    return {
        "prompt_ids": [policy.encode(row.conversation) for row in rows],
        "completion_ids": [list(row.ids) for row in rows],
        "logprobs": None,
        "env_mask": [[int(row.counts)] * len(row.ids) for row in rows],
        "rollout_return": [row.total for row in rows],
    }


def _summed(step: int, rollouts: Sequence[Rollout], shape: RolloutShape, edition: int) -> Learned:
    """Return what a step learned from; its loss and KL are not known yet. Drafts that nobody came
    to have no means.
    """
    judged = [one for one in rollouts if one.judged]
    drafts = [draft for one in rollouts for draft in one.drafts]
    groups = [
        {one.total for one in rollouts[at : at + shape.rollouts] if one.judged}
        for at in range(0, len(rollouts), shape.rollouts)
    ]
    by_draft = [
        [one.drafts[k].scored.reward or 0.0 for one in judged if k < len(one.drafts)]
        for k in range(shape.drafts)
    ]
    return Learned(
        step=step,
        mean_return=_mean([one.total for one in judged]),
        by_draft=_means(by_draft, edition),
        by_item=_by_item(judged, shape, edition),
        discarded=_mean([not draft.idea for draft in drafts]),
        dropped=_mean([not one.judged for one in rollouts]),
        alike=_mean([len(group) == 1 or (not group and edition < 5) for group in groups]),
        tokens=_mean([len(draft.written.ids) for draft in drafts]),
        loss=0.0,
        kl=0.0,
    )


def _by_item(
    judged: Sequence[Rollout], shape: RolloutShape, edition: int
) -> dict[str, tuple[float, ...]]:
    """Return each item's mean score in the first drafts, in the second, ..."""
    scores: dict[str, list[list[float]]] = {}
    for rollout in judged:
        for k, draft in enumerate(rollout.drafts):
            found = draft.scored.checklist
            for one in found.items if found else ():
                by_draft = scores.setdefault(one.item, [[] for _ in range(shape.drafts)])
                by_draft[k].append(one.score or 0)
    names = [item.name for item in ITEMS if item.name in scores]
    return {name: _means(scores[name], edition) for name in names}


def _means(by_draft: Sequence[Sequence[float]], edition: int) -> tuple[float, ...]:
    """Return the mean of each draft, as far as there are any; until edition 5 the others had 0."""
    return tuple(map(_mean, takewhile(len, by_draft) if edition > 4 else by_draft))


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0
