"""The words that begin a small run of each kind, and what the model says to it: a function of the
request alone.
"""

import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from core.store import Store
from tests import ROOT
from tests.support import arena_kit, playing
from tests.support.benchmark import bench_kit
from tests.support.forks import Command
from tests.support.servers.openai_server import Script
from tests.support.sweep_kit import target
from tests.support.training import tiny_policy

MODEL = "openai:test-model"
SEED = 7


def _by(seed: int) -> list[str]:
    return ["--model", MODEL, "--cheap-model", MODEL, "--seed", str(seed), "--json"]


def chain(_: Path, seed: int = SEED) -> list[str]:
    """Return the words that begin a chain of two branches over a loopback Semantic Scholar."""
    topic = "Iterative Novelty Boosting for Generated Research Ideas"
    size = ["--branches", "2", "--length", "3", "--source", "semantic-scholar"]
    return ["chain", topic, *size, *_by(seed)]


def refine(_: Path, seed: int = SEED) -> list[str]:
    """Return the words that begin a refinement of nine rounds."""
    return ["refine", "--topic", "sleep and memory", "--max-rounds", "9", *_by(seed)]


def evolve(_: Path, seed: int = SEED) -> list[str]:
    """Return the words that begin a checklist evolution of two ideas side by side."""
    question = ["--question", "How can replay be gated?", "--no-papers"]
    return ["evolve", *question, "--ideas", "2", *_by(seed)]


def arena(folder: Path, seed: int = SEED) -> list[str]:
    """Fill a collection with the texts of three methods on two topics, and return the words that
    begin an arena of them with two judges.
    """
    store = Store(folder)
    texts = [one.model_copy(update={"collection": "ours"}) for one in arena_kit.entries(store)]
    store.entries.add(tuple((one.model_copy(update={"id": ""}), one.method) for one in texts))
    judges = ["--judge", "openai:a", "--judge", "openai:b", "--at-once", "3"]
    return ["arena", "--collection", "ours", *judges, "--seed", str(seed), "--json"]


def experiment(folder: Path, seed: int = SEED) -> list[str]:
    """Return the words that begin an experiment of two methods on two targets."""
    file = folder.with_suffix(".jsonl")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(target(n).model_dump_json() for n in (1, 2)))
    return [
        *("experiment", "--method", "infal", "--method", "initial", "--indicator", "novelty"),
        *("--max-rounds", "3", "--targets", str(file), "--ideas", "2", "--repeats", "1"),
        *("--on", MODEL, "--judge", MODEL, "--seed", str(seed), "--at-once", "3", "--json"),
    ]


def benchmark(folder: Path, seed: int = SEED) -> list[str]:
    """Return the words that begin a benchmark of two models with three judges."""
    file = folder.with_suffix(".csv")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("keyword\n" + "\n".join(f"word {n}" for n in range(12)))
    return [
        *("bench", "--keywords", str(file), "--models", "openai:a,openai:b"),
        *("--judges", "openai:c,openai:d,openai:e", "--judges-each", "2"),
        *("--seed", str(seed), "--json"),
    ]


def shortlist(_: Path, seed: int = SEED) -> list[str]:
    """Return the words that begin a shortlist of two branches, all its stages small."""
    return [
        *("shortlist", "sleep in athletes", "--branches", "2", "--ideas-per-branch", "1"),
        *("--length", "2", "--novelty-rounds", "1", "--papers", "5", "--max-rounds", "2"),
        *("--dated", "2026-11-25", "--no-full-text", *_by(seed)),
    ]


def training(folder: Path, seed: int = SEED) -> list[str]:
    """Return the words that begin a training of the tiny policy on the toy task."""
    file, base = folder.with_suffix(".csv"), folder.parents[1] / "tiny"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("question,review,seed\n" + "".join(f"Why {n}?,Read.,p{n}\n" for n in range(6)))
    if not base.exists():
        tiny_policy.make(base)
    return [
        *("train", "--questions", str(file), "--held-out", "2", "--base", str(base)),
        *("--steps", "6", "--queries", "2", "--rollouts", "3", "--drafts", "2", "--most", "16"),
        *("--learning-rate", "0.003", "--save-every", "2", "--judge", MODEL),
        *("--seed", str(seed), "--json"),
    ]


def train(words: list[str], environ: Mapping[str, str]) -> subprocess.Popen[str]:
    """Begin a training of the toy task by these words, or resume one, and work on it."""
    worker = ROOT / "tests/support/training/toy_worker.py"
    return subprocess.Popen(
        [sys.executable, str(worker), *words],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@dataclass(frozen=True)
class Kind:
    """How runs of a kind are begun and worked on."""

    script: Script
    """What the model says."""
    begin: Callable[..., list[str]]
    """Returns the words that begin one in a folder, by a seed."""
    command: Callable[[list[str], Mapping[str, str]], Command | subprocess.Popen[str]] = Command
    """What works on one."""
    in_the_app: bool = True
    """Whether the app goes on with one as a command does."""
    decimals: int | None = None
    """To how many decimals numbers are the same, where they are not to the last."""


KINDS = {
    "chain": Kind(playing.actor, chain),
    "refine": Kind(playing.actor, refine),
    "evolve": Kind(playing.actor, evolve),
    "arena": Kind(playing.actor, arena),
    "experiment": Kind(playing.converging, experiment),
    "benchmark": Kind(bench_kit.script, benchmark),
    "shortlist": Kind(playing.converging, shortlist),
    "training": Kind(playing.actor, training, train, in_the_app=False, decimals=5),
}
