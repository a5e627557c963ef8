"""Dr. GRPO on TRL: every draft is a row with the return of its rollout (EvoIdeator, equations 6 and
7).
"""

import json
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.errors import BadInput, ModelFailed
from core.models.weights import LocalPolicy, load
from core.records import digest
from core.records.training import Learned, Rollout, TrainingQuery
from core.training.rollouts import Environment, RolloutShape, TrainingRow, as_rows

WHOLE = "whole.json"
"""Written last into a checkpoint: one without it was broken off."""
RollOut = Callable[[int, LocalPolicy, Sequence[tuple[int, TrainingQuery]]], tuple[Rollout, ...]]
"""Rolls out what one step (from 1) learns from."""


@dataclass(frozen=True)
class Learning:
    """How a policy learns; the paper's values are the defaults where it prints them."""

    steps: int = 100
    queries: int = 5
    """Queries a step."""
    shape: RolloutShape = field(default_factory=RolloutShape)
    learning_rate: float = 1e-6
    beta: float = 0.01
    """Weight of the KL divergence to the reference policy."""
    epsilon: float = 0.2
    """Clipping of the importance ratio; the paper prints none, this is TRL's."""
    temperature: float = 1.0
    """Of the rollouts; the paper prints none."""
    most: int = 4_096
    """Tokens a draft may have, thoughts included; the loss is divided by it."""
    save_every: int = 10
    seed: int = 0


def learn(trainer: Any) -> Path:
    """Train on from the last whole checkpoint, if there is one, and return the newest one's folder.

    Raises ModelFailed, and what a judge raises; the next time goes on from the last checkpoint.
    """
    folder = Path(trainer.args.output_dir)
    last = newest(folder)
    trainer.train(resume_from_checkpoint=str(last) if last else None)
    whole = newest(folder)
    if whole is None:
        raise ModelFailed(f"The training in {folder} left no checkpoint.")
    return whole


def newest(folder: Path) -> Path | None:
    """Return the last checkpoint that is whole, if there is one."""
    whole = [path.parent for path in folder.glob(f"checkpoint-*/{WHOLE}")]
    return max(whole, key=lambda path: int(path.name.rpartition("-")[2]), default=None)


def make_trainer(
    base: Path,
    folder: Path,
    queries: Sequence[TrainingQuery],
    environment: Environment,
    how: Learning,
    roll_out: RollOut,
    tell: Callable[[Learned], None],
) -> Any:
    """Return TRL's trainer for one policy, with its checkpoints in `folder`: it asks `roll_out` for
    what each step learns from, and calls `tell` after each.

    Raises BadInput without the packages of training, and ModelFailed.
    """
    try:
        from datasets import Dataset
        from transformers import PrinterCallback, TrainerCallback
        from trl import GRPOConfig, GRPOTrainer
    except ImportError as error:
        raise BadInput(
            "Training needs packages that are not installed. Run"
            " `pip install -r requirements-train.txt`, then start again."
        ) from error
    model, tokenizer = load(base)
    told: dict[int, Learned] = {}

    def rolled(prompts: list[str], trainer: Any) -> dict[str, list[Any] | None]:
        """Return what TRL asks of a `rollout_func`: a row for each prompt, in order."""
        each = how.shape.rollouts * how.shape.drafts
        asked = [int(prompt) for prompt in prompts[::each]]
        step = trainer.state.global_step + 1
        policy = LocalPolicy(
            trainer.accelerator.unwrap_model(trainer.model),
            tokenizer,
            f"{base.name}@{step}",
            how.most,
            how.temperature,
        )
        made = roll_out(step, policy, [(n, queries[n]) for n in asked])
        told[step] = _summed(step, made, how.shape)
        return _columns(as_rows(made, environment, queries, how.shape), policy)

    class Telling(TrainerCallback):
        """Tells of each step, and marks a checkpoint as whole once it is written."""

        def on_log(self, args: Any, state: Any, control: Any, **given: Any) -> None:  # noqa: ARG002
            logs = given["logs"]
            if "loss" not in logs or state.global_step not in told:
                return
            found, loss = told.pop(state.global_step), float(logs["loss"])
            if not math.isfinite(loss):
                raise ModelFailed(f"The loss of step {found.step} is no number.")
            kl = float(logs.get("kl", 0.0))
            tell(found.model_copy(update={"loss": loss, "kl": kl}))

        def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002
            at = folder / f"checkpoint-{state.global_step}"
            mark = {"step": state.global_step, "how": digest(repr(how))}
            (at / WHOLE).write_text(json.dumps(mark), "utf-8")

    trainer = GRPOTrainer(
        model=model,
        reward_funcs=[_returned],
        args=GRPOConfig(output_dir=str(folder), **_settings(how)),
        # TRL's own order begins anew where a training is resumed.
        train_dataset=Dataset.from_dict({"prompt": [str(n) for n in schedule(len(queries), how)]}),
        processing_class=tokenizer,
        rollout_func=rolled,
        callbacks=[Telling()],
    )
    trainer.remove_callback(PrinterCallback)
    return trainer


def _settings(how: Learning) -> dict[str, Any]:
    """Return what TRL is told; its own defaults for loss, scale and beta are others."""
    import torch

    group = how.shape.rollouts * how.shape.drafts
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
        "per_device_train_batch_size": how.queries * group,
        "max_completion_length": how.most,
        "logging_steps": 1,
        "save_steps": how.save_every,
        "seed": how.seed,
        "report_to": [],
        "disable_tqdm": True,
        "use_cpu": not torch.cuda.is_available(),
        "bf16": torch.cuda.is_available(),
    }


def schedule(queries: int, how: Learning) -> list[int]:
    """Return the queries of all steps in order: each once, shuffled, before any comes again."""
    dice, taken = random.Random(how.seed), list[int]()
    while len(taken) < how.steps * how.queries:
        taken += dice.sample(range(queries), queries)
    return taken[: how.steps * how.queries]


def _returned(rollout_return: list[float], **_: object) -> list[float]:
    """The reward of a row is the return of its rollout; the advantage is TRL's, unscaled."""
    return rollout_return


def _columns(rows: Sequence[TrainingRow], policy: LocalPolicy) -> dict[str, list[Any] | None]:
    return {
        "prompt_ids": [policy.encode(row.conversation) for row in rows],
        "completion_ids": [list(row.ids) for row in rows],
        "logprobs": None,
        "env_mask": [[int(row.counts)] * len(row.ids) for row in rows],
        "rollout_return": [row.total for row in rows],
    }


def _summed(step: int, rollouts: Sequence[Rollout], shape: RolloutShape) -> Learned:
    """Return what a step learned from; its loss and KL are not known yet."""
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
        by_draft=tuple(map(_mean, by_draft)),
        discarded=_mean([not draft.idea for draft in drafts]),
        dropped=_mean([not one.judged for one in rollouts]),
        alike=_mean([len(group) < 2 for group in groups]),
        tokens=_mean([len(draft.written.ids) for draft in drafts]),
        loss=0.0,
        kl=0.0,
    )


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0
