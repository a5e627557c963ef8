"""A recipe whose process is killed in the middle loses no cell and pays nothing twice but what was
under way.
"""

import os
from pathlib import Path

import pytest

from core import settings
from core.__main__ import main
from core.experiments.topics.results import collect
from core.records import Run
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store
from tests.conftest import WordEmbedder
from tests.support.forks import Command
from tests.support.killing import kill
from tests.support.playing import actor
from tests.support.servers.openai_server import OpenAIServer

WIDTH = 8
"""How many calls a process has under way at the most."""
RECIPE = """\
title = "What drafts come to"
paper = "Ours"
shows = ["a table"]
engine = "topic-experiment"
measures = ["ratings"]
draws = ["topics-ratings-ideas"]
not_comparable = "Nothing is published."

[inputs]
contenders = ["direct", "refine, at most 2 rounds", "direct, same tokens"]
same_form = true

[sizes.small]
take = 3

[sizes.paper]
take = 30
"""


def environment(folder: Path, server: OpenAIServer) -> dict[str, str]:
    return {"OPENAI_BASE_URL": server.url, "FOUNDRY_DATA": str(folder), "FOUNDRY_CALLS": str(WIDTH)}


def beginning(folder: Path) -> list[str]:
    """Return the words that begin the recipe."""
    recipe, topics = folder.with_suffix(".toml"), folder.with_suffix(".txt")
    recipe.write_text(RECIPE)
    topics.write_text("naps and memory\nlight and sleep\ntraining and rest\n")
    people = ("--models", "openai:test-model", "--judges", "openai:judge")
    return ["reproduce", str(recipe), *people, "--topics", str(topics), "--seed", "7"]


def spawn(folder: Path, server: OpenAIServer) -> Command:
    """Begin the recipe, or resume it, in a process of its own."""
    begun = Store(folder).runs.listed()
    words = ["resume", begun[0].id] if begun else beginning(folder)
    return Command([*words, "--json"], {**os.environ, **environment(folder, server)})


def recovered(folder: Path, server: OpenAIServer) -> None:
    """Start as a server does, and wait until what was interrupted has gone on by itself."""
    given = {"OPENAI_BASE_URL": server.url, "FOUNDRY_CALLS": str(WIDTH)}
    shop = Workshop(settings.read(given, data=folder))
    shop.embedder = WordEmbedder()  # type: ignore[assignment]
    runner = Runner(shop)
    runner.recover()
    runner.wait(shop.store.runs.listed()[0].id, 60)


def outcome(store: Store, run: Run) -> tuple:
    """Return everything an experiment is, without times and without the ids of its runs."""
    mine = {
        one.cell: [
            (step.key, step.status, step.reply)
            for step in sorted(store.steps.of(one.id), key=lambda step: step.key)
        ]
        for one in store.runs.listed(sweep=run.id, limit=1_000)
    }
    cells = [cell.model_dump(exclude={"run"}) for cell in collect(store, run).cells]
    return mine, sorted(cells, key=str), run.state


def asked_models(store: Store, run: Run) -> int:
    """Return how many calls that came to an end are booked for all runs of an experiment."""
    return sum(one.calls - one.maybe_paid for one in store.runs.listed(sweep=run.id, limit=1_000))


def undisturbed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple:
    """Hold the same recipe to its end in this process, and return its outcome."""
    monkeypatch.setattr("core.literature.embeddings.Embedder", lambda _: WordEmbedder())
    with OpenAIServer(script=actor) as calm:
        for name, value in environment(folder, calm).items():
            monkeypatch.setenv(name, value)
        assert main([*beginning(folder), "--json"]) == 0
    store = Store(folder)
    return outcome(store, store.runs.listed()[0])


@pytest.mark.parametrize(
    "kills",
    [(20,), pytest.param((6, 12, 25), marks=pytest.mark.soak)],
    ids=["once", "three times"],
)
def test_a_killed_recipe_loses_no_cell_and_repeats_only_calls_in_flight(
    tmp_path, monkeypatch, kills
):
    wanted = undisturbed(tmp_path / "calm", monkeypatch)
    folder = tmp_path / "killed"
    with OpenAIServer(script=actor, latency=0.04) as server:
        for after in kills:
            kill(spawn(folder, server), server, after)
        store = Store(folder)
        run = store.runs.listed()[0]
        assert run.state == "running", "nobody was there to say otherwise"
        lost, most = len(server.calls) - asked_models(store, run), len(kills) * 2 * WIDTH
        assert 0 <= lost <= most, "calls that were under way, or answered and not written down yet"
        recovered(folder, server)
        run = store.runs.get(run.id)
        held = collect(store, run)
        assert len(held.cells) == held.planned == 3 * 3
        assert outcome(store, run) == wanted
        assert len(server.calls) == asked_models(store, run) + lost, (
            "nothing is paid twice but that"
        )
