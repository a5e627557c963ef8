"""An experiment whose process is killed in the middle loses nothing that was paid: it and its runs
go on at the next call, each run once.
"""

import os
from pathlib import Path

import pytest

from core import settings
from core.__main__ import main
from core.experiments.progress import progress
from core.records import Run
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store
from tests.conftest import WordEmbedder
from tests.support.forks import Command
from tests.support.killing import kill
from tests.support.playing import converging
from tests.support.servers.openai_server import OpenAIServer
from tests.support.sweep_kit import target

WIDTH = 8
"""How many calls a process has under way at the most."""


def environment(folder: Path, server: OpenAIServer) -> dict[str, str]:
    return {"OPENAI_BASE_URL": server.url, "FOUNDRY_DATA": str(folder), "FOUNDRY_CALLS": str(WIDTH)}


def beginning(folder: Path) -> list[str]:
    """Return the words that begin the experiment."""
    file = folder.with_suffix(".jsonl")
    file.write_text("\n".join(target(n).model_dump_json() for n in (1, 2, 3)))
    return [
        "experiment",
        "--method",
        "infal",
        "--method",
        "initial",
        "--indicator",
        "novelty",
        "--max-rounds",
        "4",
        "--targets",
        str(file),
        "--ideas",
        "2",
        "--repeats",
        "2",
        "--on",
        "openai:test-model",
        "--judge",
        "openai:test-model",
        "--seed",
        "7",
        "--at-once",
        "4",
    ]


def spawn(folder: Path, server: OpenAIServer) -> Command:
    """Begin the experiment, or resume it, in a process of its own."""
    begun = Store(folder).runs.listed()
    words = ["resume", begun[0].id] if begun else beginning(folder)
    return Command([*words, "--json"], {**os.environ, **environment(folder, server)})


def recovered(folder: Path, server: OpenAIServer) -> None:
    """Start as a server does, and wait until what was interrupted has gone on by itself."""
    shop = Workshop(
        settings.read({"OPENAI_BASE_URL": server.url, "FOUNDRY_CALLS": str(WIDTH)}, data=folder)
    )
    shop.embedder = WordEmbedder()  # type: ignore[assignment]
    runner = Runner(shop)
    runner.recover()
    runner.wait(shop.store.runs.listed()[0].id, 60)


def outcome(store: Store, run: Run) -> tuple:
    """Return everything an experiment is, without times and without the ids of its runs."""
    mine = {
        one.cell: [
            (s.key, s.hash, s.status, s.reply)
            for s in sorted(store.steps.of(one.id), key=lambda s: s.key)
        ]
        for one in store.runs.listed(sweep=run.id, limit=1_000)
    }
    shown = [
        (
            one.name,
            {name: value for name, value in one.data.items() if name not in ("run", "began")},
        )
        for one in store.steps.products(run.id)
    ]
    return mine, shown, run.state, run.steps, progress(store, run).counts


def asked_models(store: Store, run: Run) -> int:
    """Return how many calls that came to an end are booked for all runs of an experiment."""
    return sum(one.calls - one.maybe_paid for one in store.runs.listed(sweep=run.id, limit=1_000))


def undisturbed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple:
    """Work the same experiment to its end in this process, and return its outcome."""
    monkeypatch.setattr("core.literature.embeddings.Embedder", lambda _: WordEmbedder())
    with OpenAIServer(script=converging) as calm:
        for name, value in environment(folder, calm).items():
            monkeypatch.setenv(name, value)
        assert main([*beginning(folder), "--json"]) == 0
    store = Store(folder)
    return outcome(store, store.runs.listed()[0])


@pytest.mark.parametrize(
    "kills",
    [(30,), (3,), pytest.param((15, 25, 40), marks=pytest.mark.soak)],
    ids=["once", "in the first ideas", "three times"],
)
def test_a_killed_experiment_goes_on_at_the_next_call(tmp_path, monkeypatch, kills):
    wanted = undisturbed(tmp_path / "calm", monkeypatch)
    folder = tmp_path / "killed"
    with OpenAIServer(script=converging, latency=0.04) as server:
        for after in kills:
            kill(spawn(folder, server), server, after)
        store = Store(folder)
        run = store.runs.listed()[0]
        assert run.state == "running", "nobody was there to say otherwise"
        lost, most = len(server.calls) - asked_models(store, run), len(kills) * 2 * WIDTH
        assert 0 <= lost <= most, "calls that were under way, or answered and not written down yet"
        recovered(folder, server)
        run = store.runs.get(run.id)
        assert outcome(store, run) == wanted
        assert (run.state, progress(store, run).counts["done"]) == ("done", 6)
        assert len(server.calls) == asked_models(store, run) + lost, (
            "nothing is paid twice but that"
        )
        spent = store.runs.spent(run.id)
        assert lost <= spent["maybe_paid"] <= most, "and that stands in the account"
