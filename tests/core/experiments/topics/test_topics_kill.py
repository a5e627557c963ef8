"""A recipe whose process is killed in the middle, on threads or with the workers of a dask cluster,
and one that loses a worker: no cell is lost, and nothing is paid twice but what was under way.
"""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import settings
from core.__main__ import main
from core.benchmark.conducting import cluster, distant
from core.experiments.recipes import Written
from core.experiments.topics.results import collect
from core.records import Run
from core.runs.reproducing import begin_recipe, recipe_of
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store
from tests.conftest import WordEmbedder
from tests.support.benchmark.cluster_kit import AT_ONCE, KEY, Cluster
from tests.support.benchmark.cluster_kit import cluster as a_cluster
from tests.support.forks import Command
from tests.support.killing import is_quiet, kill
from tests.support.playing import actor
from tests.support.servers.openai_server import OpenAIServer
from tests.support.waiting import until

MODEL, JUDGE = "openai:test-model", "openai:judge"
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


def environment(folder: Path, server: OpenAIServer, made: Cluster | None = None) -> dict[str, str]:
    whole = {
        "OPENAI_BASE_URL": server.url,
        "FOUNDRY_DATA": str(folder),
        "FOUNDRY_CALLS": str(WIDTH),
    }
    return {**whole, "FOUNDRY_CLUSTER": made.address} if made else whole


def beginning(folder: Path) -> list[str]:
    """Return the words that begin the recipe."""
    recipe, topics = written(folder)
    people = ("--models", MODEL, "--judges", JUDGE)
    return ["reproduce", str(recipe), *people, "--topics", str(topics), "--seed", "7"]


def asked(folder: Path) -> tuple[Written, list[str], list[str], str]:
    """Return the same as it is asked for in this process."""
    recipe, topics = written(folder)
    return recipe_of(str(recipe)), [MODEL], [JUDGE], str(topics)


def written(folder: Path) -> tuple[Path, Path]:
    """Write the recipe and its topics beside the folder, and return where."""
    recipe, topics = folder.with_suffix(".toml"), folder.with_suffix(".txt")
    recipe.write_text(RECIPE)
    topics.write_text("naps and memory\nlight and sleep\ntraining and rest\n")
    return recipe, topics


def spawn(folder: Path, server: OpenAIServer, made: Cluster | None = None) -> Command:
    """Begin the recipe, or resume it, in a process of its own."""
    begun = Store(folder).runs.listed()
    words = ["resume", begun[0].id] if begun else beginning(folder)
    return Command([*words, "--json"], {**os.environ, **environment(folder, server, made)})


def runner_of(folder: Path, server: OpenAIServer, made: Cluster | None = None) -> Runner:
    """Return a runner of this process."""
    shop = Workshop(settings.read(environment(folder, server, made), data=folder))
    shop.embedder = WordEmbedder()  # type: ignore[assignment]
    return Runner(shop)


def recovered(folder: Path, server: OpenAIServer, made: Cluster | None = None) -> None:
    """Start as a server does, and wait until what was interrupted has gone on by itself."""
    runner = runner_of(folder, server, made)
    shop = runner.workshop
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


@pytest.fixture(scope="module")
def wanted(tmp_path_factory) -> tuple:
    """What the recipe comes to where nobody disturbs it, on threads."""
    with pytest.MonkeyPatch.context() as patch:
        return undisturbed(tmp_path_factory.mktemp("undisturbed") / "calm", patch)


def check_killed(
    folder: Path,
    wanted: tuple,
    kills: tuple[int, ...],
    server: OpenAIServer,
    made: Cluster | None = None,
) -> None:
    """Kill whoever holds the recipe after so many calls each, have it go on, and compare."""
    for after in kills:
        kill(spawn(folder, server, made), server, after)
    # The workers hang up on what nobody waits for any more; on a busy machine one of them may ask
    # once more before it hears so.
    until(lambda: is_quiet(server, 1.0))
    store = Store(folder)
    run = store.runs.listed()[0]
    assert run.state == "running", "nobody was there to say otherwise"
    lost, most = len(server.calls) - asked_models(store, run), len(kills) * 2 * WIDTH
    assert 0 <= lost <= most, "calls that were under way, or answered and not written down yet"
    recovered(folder, server, made)
    run = store.runs.get(run.id)
    held = collect(store, run)
    assert len(held.cells) == held.planned == 3 * 3
    assert outcome(store, run) == wanted
    assert len(server.calls) == asked_models(store, run) + lost, "nothing is paid twice but that"


@pytest.mark.parametrize(
    "kills",
    [(20,), pytest.param((6, 12, 25), marks=pytest.mark.soak)],
    ids=["once", "three times"],
)
def test_a_killed_recipe_loses_no_cell_and_repeats_only_calls_in_flight(tmp_path, wanted, kills):
    with OpenAIServer(script=actor, latency=0.04) as server:
        check_killed(tmp_path / "killed", wanted, kills, server)


# -- with workers ----------------------------------------------------------------------------------


@pytest.fixture
def workers(tmp_path, monkeypatch) -> Iterator[tuple[OpenAIServer, Cluster]]:
    """Give a model server, and a cluster with two workers that asks it."""
    # No engine outlives its test by much.
    monkeypatch.setattr(distant, "IDLE", 0.5)
    with (
        OpenAIServer(script=actor, latency=0.05) as server,
        a_cluster(tmp_path / "cluster", server.url, (4, 4), **AT_ONCE) as made,
    ):
        yield server, made
        until(lambda: "cluster" not in {thread.name for thread in threading.enumerate()})


def test_a_worker_that_is_lost_costs_what_it_had_in_flight(tmp_path, wanted, workers):
    server, made = workers
    folder = tmp_path / "held"
    runner = runner_of(folder, server, made)
    recipe, models, judges, topics = asked(folder)
    run = begin_recipe(runner, recipe, "small", models, judges, topics, seed=7)
    runner.start(run.id)
    until(lambda: len(server.calls) >= 15, 60)
    made.kill(made.workers[0])
    runner.wait(run.id, 120)
    store = runner.store
    run = store.runs.get(run.id)
    assert (run.state, run.reason) == ("done", "")
    assert outcome(store, run) == wanted
    twice = len(server.calls) - asked_models(store, run)
    assert 0 <= twice <= WIDTH, "what was in flight is asked again, and nothing else"
    booked = sum(one.maybe_paid for one in store.runs.listed(sweep=run.id, limit=1_000))
    # A call whose answer the lost worker had ready is lost once more as it is fetched.
    assert twice <= booked <= 2 * WIDTH, "and stands in the account as maybe paid"
    keys = {value for headers in server.headers_seen for value in headers.values()}
    assert f"Bearer {KEY}" in keys, "the workers ask with keys of their own"


@pytest.mark.parametrize("kills", [pytest.param((12, 25), marks=pytest.mark.soak)])
def test_a_killed_recipe_goes_on_with_the_same_workers(tmp_path, wanted, workers, kills):
    server, made = workers
    check_killed(tmp_path / "killed", wanted, kills, server, made)


@pytest.mark.soak
def test_a_recipe_rests_where_no_scheduler_answers_and_goes_on_once_one_does(
    tmp_path, wanted, workers, monkeypatch
):
    monkeypatch.setattr(cluster, "REACH", 1.0)
    server, made = workers
    folder = tmp_path / "resting"
    runner = runner_of(folder, server, made)
    recipe, models, judges, topics = asked(folder)
    run = begin_recipe(runner, recipe, "small", models, judges, topics, seed=7)
    made.kill(made.scheduler)
    assert runner.work(run.id) == "stopped"
    assert "No scheduler" in runner.store.runs.get(run.id).reason
    assert not collect(runner.store, runner.store.runs.get(run.id)).cells, "no cell failed by it"
    for worker in made.workers:
        made.kill(worker)
    made.start_scheduler("--port", made.address.rpartition(":")[2])
    made.start_worker(WIDTH)
    runner.resume(run.id)
    runner.wait(run.id, 120)
    assert outcome(runner.store, runner.store.runs.get(run.id)) == wanted
