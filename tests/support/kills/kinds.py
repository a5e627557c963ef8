"""The words that begin a small run of each kind, and what the model says to it: a function of the
request alone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.store import Store
from tests.support import arena_kit, playing
from tests.support.benchmark import bench_kit
from tests.support.servers.openai_server import Script
from tests.support.sweep_kit import target

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


@dataclass(frozen=True)
class Kind:
    """What the model says to a kind of run, and how one is begun: in a folder, by a seed."""

    script: Script
    begin: Callable[..., list[str]]


KINDS = {
    "chain": Kind(playing.actor, chain),
    "refine": Kind(playing.actor, refine),
    "evolve": Kind(playing.actor, evolve),
    "arena": Kind(playing.actor, arena),
    "experiment": Kind(playing.converging, experiment),
    "benchmark": Kind(bench_kit.script, benchmark),
    "shortlist": Kind(playing.converging, shortlist),
}
