"""Training a policy: begin, look, go on, put a checkpoint to use."""

import argparse
import sys
from pathlib import Path
from typing import get_args

from core.commands.options import (
    Answer,
    Verbs,
    add_caps,
    add_flag,
    add_numbers,
    count,
    pick,
    reply,
)
from core.commands.running import resume
from core.commands.working import EXIT, work
from core.errors import BadInput, Parked
from core.export import document as reports
from core.files import read_bytes
from core.importing.questions import questions_in
from core.records import Learned, Run, Trained, TrainingData
from core.runs.beginning import begin, usual_cap
from core.runs.estimates import estimate, paused
from core.runs.planning import validated
from core.runs.runner import Runner
from core.runs.training_time import foresee, in_words
from core.runs.workshop import Workshop
from core.store import Store, must_be
from core.story import Story
from core.training import bases, data
from core.training.devices import is_leader
from core.training.evolving import Reward
from core.training.learning import Learning, checkpoints, require_packages
from core.training.method import TrainInputs, assist, folder_of, papers_of
from core.training.policies import put_to_use
from core.training.rollouts import RolloutShape
from core.wording.numbers import counted

NAMED = 20
"""Rows that are not taken that are named one by one."""
SHAPE = {"rollouts": "G, rollouts of each query (default {default})", "drafts": "K, drafts of each"}
HOW = {
    "steps": "optimization steps (default {default})",
    "queries": "queries a step (default {default})",
    "learning_rate": "learning rate of AdamW (default {default})",
    "beta": "weight of the KL divergence to the base (default {default})",
    "temperature": "of the rollouts (default {default})",
    "most": "tokens a draft may have, thoughts included (default {default})",
    "rows_at_once": "drafts that go through the model together while it learns (default: all)",
    "adapter": "rank of LoRA adapters (default: train all weights)",
    "save_every": "steps from one checkpoint to the next (default {default})",
}


def train(shop: Workshop, args: argparse.Namespace) -> Answer:
    for name in ("questions", "base"):
        if not getattr(args, name):
            raise BadInput(f"Say what a training begins with: --{name} is missing.")
    learned_from = taught(shop.store, args.questions, args.held_out)
    base = bases.find(args.base, shop.settings)
    inputs = validated(
        TrainInputs,
        topic=args.name or f"{args.base}, {args.steps or Learning().steps} steps",
        data=shop.store.frozen.keep(learned_from),
        base=args.base,
        base_digest=bases.fingerprint(base),
        informed=not args.uninformed,
        reward=args.reward,
        judged="code" if args.by_code else "model",
        how=validated(
            Learning, **pick(args, *HOW), shape=validated(RolloutShape, **pick(args, *SHAPE))
        ),
    )
    models = {"judge": args.judge or shop.chosen("judge")}
    if args.estimate:
        return _foresee(shop, inputs, models, args)
    runner = Runner(shop)
    run = begin(
        runner,
        "train",
        inputs,
        inputs.topic,
        models=models,
        seed=args.seed,
        **pick(args, "cap_usd", "cap_tokens"),
    )
    if args.later:
        return reply("queued", run=run.id)
    return work(runner, run.id)


def _foresee(
    shop: Workshop, inputs: TrainInputs, models: dict[str, str], args: argparse.Namespace
) -> Answer:
    asked = {} if inputs.judged == "code" else models
    guess = estimate("train", inputs.model_dump(mode="json"), asked)
    judge = asked.get("judge", "")
    time = foresee(shop.store, inputs, judge, guess.calls, shop.settings.calls)
    pause = paused(guess, args.cap_tokens or usual_cap(guess), args.cap_usd)
    said = " ".join(filter(None, (f"Estimated: {in_words(guess, time, judge)}", pause)))
    return reply("listed", estimate={**guess.model_dump(), **time.model_dump()}, in_words=said)


def taught(store: Store, said: str, held_out: int) -> TrainingData:
    """Return what a policy is taught with: a run that made a data set of questions, a file of
    questions, or data that were parted before, by their hash; raises BadInput.
    """
    path = Path(said)
    if path.is_file():
        queries, refused = questions_in(path.name, read_bytes(path))
        for row in refused[:NAMED]:
            sys.stderr.write(f"{row.where}: {row.reason}\n")
        if len(refused) > NAMED:
            sys.stderr.write(f"and {counted(len(refused) - NAMED, 'more row')}\n")
        return data.split(queries, held_out)
    if len(said) == len("0" * 64):
        return store.frozen.get(said, TrainingData)
    return data.split(data.built_by(store, said), held_out)


def status(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Say how far a training is, what its last steps learned, and which checkpoints it has."""
    run = _training(shop.store, args.id)
    story = Story.of(shop.store, run.id)
    curve = story.all(Learned)
    ended = story.last(Trained)
    steps = run.inputs_as(TrainInputs).how.steps
    saved = checkpoints(folder_of(shop.settings.data, run.id))
    document = {
        **reports.summary(run),
        "learned": [one.model_dump(mode="json") for one in curve],
        "checkpoints": list(saved),
        "came_of_it": ended.model_dump(mode="json") if ended else None,
    }
    last = ""
    if curve:
        last = f" The last had a mean return of {curve[-1].mean_return:.3f}."
        if not curve[-1].judged:
            last = " In the last nothing was judged."
    kept = f" Checkpoints of the steps {', '.join(map(str, saved))}." if saved else ""
    document["in_words"] = f"{len(curve)} of {steps} steps.{last}{kept}"
    return {**document, "state": "listed"}, EXIT.get(run.state, 0)


def use(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Put a checkpoint to use as the model `local:NAME`, in every room."""
    papers, checkpoint = papers_of(shop.store, shop.settings.data, args.id, args.step, args.name)
    kept = put_to_use(shop.store, checkpoint, papers)
    said = (
        f"local:{kept.name} answers from now on, as any model does: step {kept.step} of run"
        f" {kept.run}, trained from {kept.base}."
    )
    return reply("listed", policy=kept.model_dump(mode="json"), in_words=said)


def worker(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Work on a training in this very process; `accelerate launch -m core train worker RUN` does it
    on several devices.
    """
    run, runner = _training(shop.store, args.id), Runner(shop)
    require_packages()
    if not is_leader():
        assist(shop.settings, shop.store, run)
        return reply("listed", in_words="Helped to the end.")
    if run.state != "queued":
        runner.enqueue(run.id)
    state = runner.work(run.id)
    return reports.summary(shop.store.runs.get(run.id)), EXIT.get(state, Parked.exit_code)


def _training(store: Store, run_id: str) -> Run:
    return must_be(store.runs.get(run_id), "train", f"Run {run_id} is no training.")


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
    made, inner = verbs.with_own("train", train)
    made.add_argument(
        "--questions",
        metavar="RUN|FILE|HASH",
        help="what it is taught with: a run of `dataset seeds`, a file of questions (columns"
        " question, review, seed), or the hash of data that were parted before",
    )
    made.add_argument(
        "--held-out",
        type=count,
        default=data.HELD_OUT,
        metavar="N",
        help="questions that are kept apart for evaluation (default %(default)s)",
    )
    made.add_argument(
        "--base",
        metavar="MODEL",
        help="the language model that is trained: a folder, a name such as Qwen/Qwen3-4B that was"
        " downloaded before, or one that is listed where none is given",
    )
    made.add_argument("--judge", metavar="MODEL", help="the model that judges and gives directives")
    add_flag(made, "--by-code", "judge Layout and Length alone, by code: free, and asks no model")
    add_flag(made, "--uninformed", "revise without directives")
    made.add_argument("--reward", choices=get_args(Reward), default="lexicographic")
    made.add_argument("--name", help="what the training is called")
    made.add_argument("--seed", type=int, help="seed of the run")
    add_numbers(made, RolloutShape, SHAPE)
    add_numbers(made, Learning, HOW)
    add_caps(made)
    add_flag(made, "--estimate", "say what it would take, and begin nothing")
    add_flag(made, "--later", "queue it only, to be worked on by `train worker`")
    for name, command in (("status", status), ("worker", worker)):
        inner.add(name, command).add_argument("id")
    going_on = inner.add("resume", resume)
    going_on.add_argument("id")
    add_caps(going_on)
    using = inner.add("use", use)
    using.add_argument("id")
    using.add_argument("--step", type=count, help="which checkpoint (default: the last)")
    using.add_argument("--name", required=True, help="what it is called: local:NAME")
