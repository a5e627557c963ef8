"""A shortlist whose process is killed at any moment ends as if it had never been disturbed, and no
more is paid twice than was under way.
"""

import os
import random
from itertools import pairwise
from pathlib import Path

import pytest

from core import settings
from core.__main__ import main
from core.records import Run
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store
from tests.conftest import WordEmbedder
from tests.support.forks import Command
from tests.support.killing import kill
from tests.support.playing import converging
from tests.support.servers.openai_server import OpenAIServer
from tests.support.shortlist_kit import outcome

WIDTH = 6
"""Model calls under way at once, at the most."""
MODEL = "openai:test-model"
BEGINNING = (
    *("shortlist", "sleep in athletes", "--model", MODEL, "--cheap-model", MODEL, "--seed", "7"),
    *("--branches", "2", "--ideas-per-branch", "1", "--length", "2", "--novelty-rounds", "1"),
    *("--papers", "5", "--max-rounds", "2", "--dated", "2026-11-25", "--no-full-text"),
)


def environment(folder: Path, server: OpenAIServer) -> dict[str, str]:
    return {"OPENAI_BASE_URL": server.url, "FOUNDRY_DATA": str(folder), "FOUNDRY_CALLS": str(WIDTH)}


def spawn(folder: Path, server: OpenAIServer) -> Command:
    """Begin the shortlist, or resume it, in a process of its own."""
    begun = Store(folder).runs.listed()
    words = ["resume", begun[0].id] if begun else [*BEGINNING]
    return Command([*words, "--json"], {**os.environ, **environment(folder, server)})


def recovered(folder: Path, server: OpenAIServer) -> Runner:
    """Start as a server does, and wait until what was interrupted has gone on by itself."""
    given = {"OPENAI_BASE_URL": server.url, "FOUNDRY_CALLS": str(WIDTH)}
    shop = Workshop(settings.read(given, data=folder))
    shop.embedder = WordEmbedder()  # type: ignore[assignment]
    runner = Runner(shop)
    runner.recover()
    runner.wait(shop.store.runs.listed()[0].id, 120)
    return runner


def asked_models(store: Store, run: Run) -> int:
    """Return how many calls that came to an end are booked for a shortlist and all its runs."""
    whole = store.runs.with_runs_made(store.runs.get(run.id))
    return whole.calls - whole.maybe_paid


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> tuple[list, int]:
    """Work the same shortlist to its end in this process; what it shows, and its calls."""
    folder = tmp_path_factory.mktemp("calm")
    with pytest.MonkeyPatch.context() as patch, OpenAIServer(script=converging) as calm:
        patch.setattr("core.literature.embeddings.Embedder", lambda _: WordEmbedder())
        for name, value in environment(folder, calm).items():
            patch.setenv(name, value)
        assert main([*BEGINNING, "--json"]) == 0
        shop = Workshop(settings.read({"OPENAI_BASE_URL": calm.url}, data=folder))
        return outcome(Runner(shop), shop.store.runs.listed()[0]), len(calm.calls)


def moments(calls: int, kills: int, seed: int) -> list[int]:
    """Return after how many further calls each kill comes, anywhere in the whole."""
    dice = random.Random(seed)
    at = sorted(dice.sample(range(1, calls - kills * WIDTH - 5), kills))
    return [at[0], *(later - earlier for earlier, later in pairwise(at))]


@pytest.mark.parametrize(
    ("kills", "seed"),
    [(2, 1), pytest.param(10, 2, marks=pytest.mark.soak)],
    ids=["twice", "ten times"],
)
def test_it_ends_as_if_it_had_never_been_disturbed(tmp_path, undisturbed, kills, seed):
    wanted, calls = undisturbed
    with OpenAIServer(script=converging, latency=0.04) as server:
        for after in moments(calls, kills, seed):
            kill(spawn(tmp_path, server), server, after)
        store = Store(tmp_path)
        run = store.runs.listed()[0]
        assert run.state == "running", "nobody was there to say otherwise"
        runner = recovered(tmp_path, server)
        run = store.runs.get(run.id)
        assert run.state == "done", run.reason
        assert outcome(runner, run) == wanted
        again = len(server.calls) - calls
        print(f"{kills} kills: {calls} calls undisturbed, {again} repeated, {WIDTH} in flight each")
        assert 0 <= again <= kills * WIDTH, "no more than what was under way"
