"""A server that misbehaves: most runs end all the same, the others say why, and no fault is ever
taken for an answer. Each fault by itself, through every method: tests/test_faults.py.
"""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from core import settings
from core.models import endpoint
from core.records import Run
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store
from tests.conftest import WordEmbedder
from tests.support.playing import actor
from tests.support.scripted import chain, refinement, small_source
from tests.support.servers.openai_server import SteadyServer

KINDS = ("429", "500", "hang", "half", "refusal", "empty")
RUNS = 10
SIGNS = ("planned fault", "cannot help with that")


def worked(folder, url: str, number: int) -> tuple[Store, Run]:
    """Work one run, every other one a chain, against the server and return it."""
    given = {
        "OPENAI_BASE_URL": url,
        "FOUNDRY_READ_TIMEOUT": "0.5",
        "FOUNDRY_CALL_TIMEOUT": "3",
        "FOUNDRY_PATIENCE": "20",
        "FOUNDRY_CALLS": "64",
    }
    shop = Workshop(settings.read(given, data=folder / str(number)))
    shop.embedder, source = WordEmbedder(), small_source()  # type: ignore[assignment]
    shop.source = lambda _: source  # type: ignore[method-assign]
    runner = Runner(shop)
    model = dict.fromkeys(("main", "cheap"), "openai:test-model")
    topic = f"sleep memory 2018, take {number}"
    run = (refinement if number % 2 else chain)(runner, topic=topic, models=model, seed=number)
    runner.work(run.id)
    return shop.store, shop.store.runs.get(run.id)


def test_faults_are_overcome_or_named_and_never_recorded(tmp_path, monkeypatch):
    monkeypatch.setattr(endpoint, "FIRST_WAIT", 0.1)
    faults = dict.fromkeys(KINDS, 0.05)
    with (
        SteadyServer(script=actor, faults=faults, hang=0.7) as server,
        ThreadPoolExecutor(RUNS) as pool,
    ):
        ended = list(pool.map(lambda n: worked(tmp_path, server.url, n), range(RUNS)))
        assert set(faults) == set(server.faulted), "the faults did happen"
    states = Counter(run.state for _, run in ended)
    assert states["done"] >= 0.9 * RUNS, [run.reason for _, run in ended if run.state != "done"]
    assert states["done"] + states["failed"] + states["capped"] == RUNS
    for store, run in ended:
        assert "mistake of its own" not in run.reason
        assert (run.state == "done") == (run.reason == "")
        recorded = [
            *(step.reply for step in store.steps.of(run.id) if step.status == "done"),
            *(one.data for one in store.steps.products(run.id)),
        ]
        assert not [sign for sign in SIGNS for one in recorded if sign in str(one)]
        assert store.steps.partials(run.id) == []
