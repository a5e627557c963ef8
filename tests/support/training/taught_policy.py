"""The tiny policy once it was taught, by ordinary supervised steps, to answer whatever it is asked
with one idea in its block.
"""

import random
import shutil
import tempfile
from functools import cache
from pathlib import Path

from core.models.weights import load
from core.records import TrainedPolicy
from core.records.training import Learned
from core.store import Store
from core.training.policies import put_to_use
from tests.support.training import tiny_policy

IDEA = """**Title**
Naps gate replay
**Core Problem**
Networks forget (Smith et al., 2024).
**Approach**
A learned signal opens replay while a network rests; its labels are known.
**Experimental Plan / Evaluation**
CIFAR-100 against plain replay, by accuracy; the gate is ablated."""
REPLY = f"<idea>\n{IDEA}\n</idea>"
WINDOW = 16
"""Tokens each layer looks back: what is far away, the question, moves it little."""
STEPS, RATE = 200, 6e-3
SURE = 4
"""How many times as far apart what it would say next is in the end: it is sampled, and sure."""
PAPERS = TrainedPolicy(
    name="tiny",
    run="training-1",
    step=20,
    base="tiny-qwen3",
    base_digest="0" * 64,
    data="1" * 64,
    settings={"steps": 20},
    judge="",
    curve=(
        Learned(
            step=1,
            mean_return=1.0,
            by_draft=(1.0,),
            discarded=0.0,
            dropped=0.0,
            alike=0.0,
            tokens=9.0,
            loss=0.1,
            kl=0.0,
        ),
    ),
    files={},
)
"""Of a training that never was."""


def checkpoint(folder: Path) -> Path:
    """Write a checkpoint as a trainer leaves it, and return its folder."""
    shutil.copytree(_taught(), folder)
    for name in ("optimizer.pt", "rng_state.pth", "trainer_state.json", "training_args.bin"):
        (folder / name).write_bytes(b"of the trainer alone")
    return folder


def in_use(data: Path, name: str = "tiny") -> TrainedPolicy:
    """Put the taught policy to use in a data folder, and return its papers."""
    with tempfile.TemporaryDirectory() as folder:
        papers = PAPERS.model_copy(update={"name": name})
        return put_to_use(Store(data), checkpoint(Path(folder) / "checkpoint-20"), papers)


@cache
def _taught() -> Path:
    import torch

    # Of a model so small, threads take longer to agree than to count.
    torch.set_num_threads(1)
    made = tiny_policy.make(
        Path(tempfile.mkdtemp(prefix="taught-")) / "taught",
        use_sliding_window=True,
        sliding_window=WINDOW,
        max_window_layers=0,
    )
    model, tokenizer = load(made)
    dice = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz ,.:;{}\"'\n$<>/"
    said = tokenizer.encode(f"{REPLY}<|im_end|>")
    learner = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.0)
    rates = torch.optim.lr_scheduler.OneCycleLR(learner, RATE, total_steps=STEPS)
    torch.manual_seed(1)
    model.train()
    for _ in range(STEPS):
        question = "".join(dice.choices(letters, k=2 * WINDOW))
        asked = tokenizer.encode(f"{question}<|im_end|>\n<|im_start|>assistant\n")
        ids = torch.tensor([asked + said])
        labels = ids.clone()
        labels[:, : len(asked)] = -100
        loss = model(input_ids=ids, labels=labels).loss
        learner.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        learner.step()
        rates.step()
    model.eval()
    with torch.no_grad():
        # Sharper: of 340 letters sampled, one in two replies would have a wrong one, and one that
        # ends too early is refused.
        model.model.norm.weight.mul_(SURE)
    model.save_pretrained(made)
    return made
