"""Calls made by the workers of a real dask cluster: what travels, what a death costs, and what a
person is told.
"""

import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from core import settings
from core.benchmark.conducting import cluster
from core.benchmark.conducting.cluster import DaskEngine
from core.benchmark.conducting.kept import Keep
from core.benchmark.conducting.wire import Returned, WireRequest
from core.errors import BadInput, ModelFailed
from core.records import MAYBE_PAID, Sampling
from core.store.spool import Spool
from tests.support.benchmark.bench_kit import script, small
from tests.support.benchmark.cluster_kit import (
    AT_ONCE,
    KEY,
    PLACES,
    Cluster,
    booked,
    outcome,
    shop_at,
    undisturbed,
    worked,
)
from tests.support.benchmark.cluster_kit import cluster as a_cluster
from tests.support.servers.openai_server import OpenAIServer
from tests.support.waiting import until

OWN_KEY = "sk-planted-on-the-coordinator"
FOLDER = tempfile.TemporaryDirectory()
"""Where calls are noted; these tests ask the engine alone, and nobody reads it."""


def keep() -> Keep:
    spool = Spool(Path(FOLDER.name) / "spool", 1)
    spool.open()
    return Keep(spool)


@pytest.fixture(scope="module")
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(script=script) as server:
        yield server


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory, server) -> Iterator[Cluster]:
    with a_cluster(tmp_path_factory.mktemp("cluster"), server.url, **AT_ONCE) as made:
        yield made


@pytest.fixture
def engine(two_workers, server) -> Iterator[DaskEngine]:
    made = reaching(two_workers, server)
    yield made
    made.close()


def reaching(made: Cluster, server: OpenAIServer, places: int = PLACES) -> DaskEngine:
    """Return an engine once its workers are there."""
    made_for = DaskEngine(
        made.address,
        settings.read({"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": OWN_KEY}),
        keep(),
    )
    until(lambda: made_for.places() == places)
    return made_for


def asked(n: int, model: str = "openai:a") -> WireRequest:
    return WireRequest(
        id=n,
        key=f"cell-{n}",
        model=model,
        kind="idea",
        prompt="bench-idea",
        values={},
        standing="You propose ideas.",
        text=f"<keyword>\nword {n}\n</keyword>",
        shaped=False,
        sampling=Sampling(),
        seed=n,
    )


def all_of(engine: DaskEngine, count: int, seconds: float = 120.0) -> dict[int, Returned]:
    """Return what came back, by cell, once so many did."""
    found: list[Returned] = []
    end = time.monotonic() + seconds
    while len(found) < count:
        assert time.monotonic() < end, found
        found += engine.heard(0.25)
    assert len({one.id for one in found}) == len(found), "each comes back once"
    return {one.id: one for one in found}


def test_workers_make_the_calls_with_keys_of_their_own(engine, server):
    calls, seen = len(server.calls), len(server.headers_seen)
    for n in range(12):
        engine.submit(asked(n))
    back = all_of(engine, 12)
    assert all(
        f"word {n}" in back[n].text and back[n].finish == "stop" and back[n].tokens_in
        for n in range(12)
    )
    assert len(server.calls) - calls == 12
    sent = {
        value
        for headers in server.headers_seen[seen:]
        for name, value in headers.items()
        if name.lower() == "authorization"
    }
    assert sent == {f"Bearer {KEY}"}


@pytest.mark.parametrize(
    "wrong",
    [{"id": 8}, {"tokens_in": 10**30}, {"tokens_out": -1}, {"latency": float("inf")},
     {"tokens_thought": 2**70}, {"tokens_cached": -1},
     *({"lost": [{"model": "openai:a", "latency": 1.0, "outcome": ""} | lie]}
       for lie in ({"tokens_in": 10**30}, {"cost": -1000.0}, {"cost": float("nan")},
                   {"cost_expected": -1.0}, {"tokens_expected": -(10**9)}))],
    ids=str,
)  # fmt: skip
def test_what_a_worker_makes_up_is_no_answer(wrong):
    question = asked(7, "openai:a")
    cluster._check(question, Returned(id=7, tokens_in=3))
    with pytest.raises(ValueError, match=r"it answers call 8|none that a call has"):
        cluster._check(question, Returned.model_validate({"id": 7} | wrong))


def test_nothing_secret_travels(engine, server, monkeypatch):
    sent: list[str] = []
    submit = engine._client.submit
    monkeypatch.setattr(
        engine._client,
        "submit",
        lambda made_by, job, **more: (sent.append(job), submit(made_by, job, **more))[1],
    )
    engine.submit(asked(1))
    all_of(engine, 1)
    assert len(sent) == 1
    assert "word 1" in sent[0]
    assert OWN_KEY not in sent[0]


def test_what_fails_at_the_server_is_a_failure_and_no_lost_worker(engine, server):
    server.refusing = lambda body: (404, "no such model") if body["model"] == "none" else None
    engine.submit(asked(1, "openai:none"))
    back = all_of(engine, 1)[1]
    assert back.failure == "ModelFailed"
    assert "openai:none" in back.said
    assert engine.places() == PLACES


def test_what_is_broken_off_comes_back_at_once_and_the_workers_hang_up(engine, server):
    server.latency = 6.0
    try:
        for n in range(PLACES):
            engine.submit(asked(n))
        until(lambda: server.in_flight == PLACES)
        began = time.monotonic()
        engine.cut()
        back = all_of(engine, PLACES)
        assert time.monotonic() - began < 5.0, "the answers themselves take six"
        assert {one.failure for one in back.values()} == {"Stopped"}
        assert all(one.lost[0].tokens_expected > 0 for one in back.values()), (
            "each may have been paid"
        )
        until(lambda: server.in_flight == 0)
    finally:
        server.latency = 0.0


def test_what_was_given_back_and_asked_again_is_answered_by_the_second_call(engine, server):
    server.latency = 1.0
    try:
        engine.submit(asked(1))
        until(lambda: server.in_flight == 1)
        engine._give_back()
        assert all_of(engine, 1)[1].failure == "WorkerLost"
    finally:
        server.latency = 0.0
    engine.submit(asked(1))
    assert "word 1" in all_of(engine, 1)[1].text


def test_a_closed_engine_leaves_nothing_behind(two_workers, server):
    first = reaching(two_workers, server)
    first.close()
    before = names_of_threads()
    again = reaching(two_workers, server)
    server.latency = 2.0
    try:
        again.submit(asked(1))
        until(lambda: server.in_flight == 1)
        again.close()
        until(lambda: names_of_threads() <= before)
        until(lambda: server.in_flight == 0)
    finally:
        server.latency = 0.0


def names_of_threads() -> Counter[str]:
    """Return the threads of this process but the server's, which has one for each connection."""
    return Counter(
        one.name for one in threading.enumerate() if "process_request_thread" not in one.name
    )


# -- workers that cannot make calls ------------------------------------------------------------


def stopped_with(engine: DaskEngine, server: OpenAIServer, one: WireRequest) -> str:
    """Return what a person is told once a worker found itself unfit, and check that nobody was
    asked and the cell is given back.
    """
    calls = len(server.calls)
    engine.submit(one)
    back = all_of(engine, 1)[one.id]
    assert (back.failure, back.lost) == ("WorkerLost", ())
    assert engine.places() == 0, "nothing more is handed out"
    with pytest.raises(BadInput) as told:
        engine.heard(0.1)
    assert len(server.calls) == calls
    return str(told.value)


def test_a_worker_without_the_key_says_which(engine, server):
    told = stopped_with(engine, server, asked(1, "anthropic:claude"))
    assert "worker" in told
    assert "ANTHROPIC_API_KEY" in told


def test_a_worker_with_another_program_is_not_asked(engine, server, monkeypatch):
    monkeypatch.setattr(cluster, "program", lambda: "another")
    assert "another copy of the program" in stopped_with(engine, server, asked(1))


def test_a_worker_that_would_ask_another_server_is_not_asked(two_workers, server):
    elsewhere = DaskEngine(
        two_workers.address, settings.read({"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}), keep()
    )
    try:
        told = stopped_with(elsewhere, server, asked(1))
        assert "127.0.0.1:9" in told
        assert server.url in told
    finally:
        elsewhere.close()


def test_the_built_in_model_is_not_asked_on_workers(engine, server):
    assert "built-in" in stopped_with(engine, server, asked(1, "builtin"))


def test_a_cluster_without_the_program_takes_no_calls(tmp_path, server):
    made = Cluster(tmp_path, {}, program=tmp_path)
    try:
        engine = reaching(made, server, 0)
        engine.submit(asked(1))
        back = all_of(engine, 1)[1]
        assert (back.failure, back.lost) == ("WorkerLost", ())
        with pytest.raises(ModelFailed, match="with the program on their path"):
            engine.heard(0.1)
        engine.close()
    finally:
        made.end()


# -- where no cluster is -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "address", ["127.0.0.1:8786", "dask://127.0.0.1", "dask://:8786", "ray://127.0.0.1:1", ""]
)
def test_what_is_no_address_says_how_to_write_one(address):
    with pytest.raises(BadInput, match="dask://host:port"):
        DaskEngine(address, settings.read({}), keep())


def test_where_nobody_answers_a_person_is_told_so(monkeypatch):
    monkeypatch.setattr(cluster, "REACH", 0.5)
    with pytest.raises(BadInput, match="No scheduler"):
        DaskEngine("dask://127.0.0.1:9", settings.read({}), keep())


def test_without_the_package_a_person_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadInput, match="pip install distributed"):
        DaskEngine("dask://127.0.0.1:8786", settings.read({}), keep())


# -- deaths ------------------------------------------------------------------------------------


def test_a_worker_that_is_killed_gives_its_cells_back(two_workers, server, tmp_path):
    words, calls = [f"word {n}" for n in range(3)], len(server.calls)
    wanted = undisturbed(tmp_path / "calm", server, words)
    cells, server.latency = len(server.calls) - calls, 1.0
    shop = shop_at(tmp_path / "killed", server, cluster=two_workers.address)

    def kill_at_work() -> None:
        until(lambda: server.in_flight >= PLACES - 1)  # Each worker has four: both are at work.
        two_workers.kill(two_workers.workers[0])

    try:
        ended = worked(shop, small(shop, keywords=words), server, {cells // 3: kill_at_work})
    finally:
        server.latency = 0.0
        two_workers.start_worker()
    assert (ended.state, ended.reason) == ("done", "")
    assert outcome(shop, ended) == wanted
    calls = len(server.calls) - calls - cells
    assert cells == 42
    assert cells < calls <= cells + PLACES, "what was in flight is asked twice, and nothing else"
    assert calls <= booked(shop, ended) <= cells + PLACES, "and is in the account"


def test_a_call_that_another_worker_makes_again_is_in_the_account_twice(tmp_path):
    kept = keep()
    with (
        OpenAIServer(script=script, latency=3.0) as server,
        a_cluster(tmp_path, server.url, (1,)) as made,
    ):
        engine = reaching(made, server, 1)
        engine._keep = kept
        engine.submit(asked(1))
        until(lambda: len(server.calls) == 1)
        made.kill(made.workers[0])
        made.start_worker(1)
        until(lambda: len(server.calls) == 2)
        until(lambda: kept.spool.under_way() == {1: 2})
        back = all_of(engine, 1)[1]
        assert "word 1" in back.text
        (lost,) = back.lost
        assert lost.outcome.startswith(MAYBE_PAID)
        assert lost.tokens_expected > 0
        assert 0 < lost.latency < 30
        engine.close()


def test_where_nobody_is_left_what_is_in_flight_is_given_back(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "ALONE", 0.5)
    monkeypatch.setattr(cluster, "FRESH", 0.1)
    monkeypatch.setattr(cluster, "REACH", 2.0)
    with (
        OpenAIServer(script=script, latency=30.0) as server,
        a_cluster(tmp_path, server.url, (2,)) as made,
    ):
        before = names_of_threads()
        engine = reaching(made, server, 2)
        for n in (1, 2):
            engine.submit(asked(n))
        until(lambda: server.in_flight == 2)
        made.kill(made.workers[0])
        back = all_of(engine, 2)
        assert {one.failure for one in back.values()} == {"WorkerLost"}
        assert all(one.lost for one in back.values()), "each may have been paid"
        assert engine.places() == 0
        assert engine.heard(0.05) == [], "workers may come again"
        made.kill(made.scheduler)
        engine.submit(asked(3))
        assert all_of(engine, 1)[3].failure == "WorkerLost"
        with pytest.raises(ModelFailed, match="scheduler of the cluster at dask://"):
            until(lambda: engine.heard(0.1))
        engine.close()
        until(lambda: names_of_threads() <= before)


def test_a_worker_that_says_without_end_that_it_begins_a_call_is_heard_so_often(monkeypatch):
    accounts: list[int] = []
    engine = DaskEngine.__new__(DaskEngine)
    monkeypatch.setattr(cluster, "unheard", lambda asked, outcome, seconds: seconds)
    engine._begun = {"a": cluster.Begun(None, [])}
    engine._keep = SimpleNamespace(begin=lambda asked, died: accounts.append(len(died)))
    for _ in range(1_000):
        engine._hear_of_begin((0.0, "a"))
    assert accounts == list(range(1, cluster.MOST_TIMES))
