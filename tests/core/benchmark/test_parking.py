"""What keeps a benchmark's calls from beginning: a pause, a cap, a provider that is gone; and what
goes on meanwhile.
"""

import threading
import time
from collections import Counter

import pytest

from core import settings
from core.errors import BadInput, ModelFailed
from core.runs.extending import again
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store.benchmarks import FAILED, Benchmarks
from tests.core.benchmark.test_conducting import begun_and_held, finished, tally
from tests.support.benchmark.bench_kit import (
    JUDGES,
    SCRIPT,
    script,
    settled_store,
    shop_of,
    small,
    worked,
)
from tests.support.scripted import die
from tests.support.servers.openai_server import OpenAIServer
from tests.support.waiting import SOON, until, until_heard

PRICED = "openai:gpt-4o"


def test_a_pause_waits_for_answers_and_not_for_a_server_that_is_busy(tmp_path, monkeypatch):
    monkeypatch.setattr("core.runs.runner.BEAT", 0.05)
    monkeypatch.setattr("tests.support.servers.openai_server.RETRY_AFTER", "120")
    with OpenAIServer(script=script, faults={"429": 1.0}) as server:
        runner = Runner(
            Workshop(
                settings.read(
                    {
                        "OPENAI_BASE_URL": server.url,
                        "FOUNDRY_CALLS": "4",
                        "FOUNDRY_PATIENCE": "300",
                    },
                    data=tmp_path,
                )
            )
        )
        run = small(runner.workshop)
        runner.start(run.id)
        until(
            lambda: (
                [one.note for one in runner.store.steps.partials(run.id)]
                == ["4 calls wait: the server is busy (429)"]
            )
        )
        began = time.monotonic()
        runner.stop(run.id, "after calls")
        runner.wait(run.id, 20)
        assert time.monotonic() - began < SOON
        parked = runner.store.runs.get(run.id)
        assert (parked.state, parked.reason[:6], parked.calls) == ("stopped", "Paused", 0)
        assert tally(runner.store, run) == {("idea", "ready"): 8}
        assert not runner.store.steps.partials(run.id)
        server.faults = {}
        assert finished(runner, run).state == "done"


def test_a_pause_lets_a_call_end_that_waits_for_nothing(tmp_path, monkeypatch):
    """The other way round: what is being answered is not broken off."""
    monkeypatch.setattr("core.runs.runner.BEAT", 0.05)
    asked, opened = threading.Event(), threading.Event()

    def slow(request):
        asked.set()
        assert opened.wait(10)
        return SCRIPT[request.prompt](request)

    shop = shop_of(
        tmp_path, {name: dict.fromkeys(SCRIPT, slow) for name in ("openai:a", "openai:b")}
    )
    shop.settings = shop.settings.model_copy(update={"calls": 1})
    runner, run = Runner(shop), small(shop)
    runner.start(run.id)
    assert asked.wait(10)
    runner.stop(run.id, "after calls")
    until_heard(runner, run.id)
    time.sleep(0.4)  # And the coordinator has: it looks between answers.
    opened.set()
    runner.wait(run.id, 10)
    assert shop.store.runs.get(run.id).calls == 1
    assert tally(shop.store, run)["idea", "done"] == 1


def test_a_worker_that_lost_the_run_writes_nothing_more(tmp_path, monkeypatch):
    """Neither what was in flight nor what followed from it; who took the run over asks that
    anew.
    """
    runner, run, gate = begun_and_held(tmp_path, monkeypatch)
    store = runner.store
    epoch = store.runs.lease(run.id)["epoch"]
    assert store.runs.claim(run.id, "elsewhere|1|1", epoch) == epoch + 1
    held = [
        store.connections.rows(f"SELECT * FROM {table} WHERE run = ?", run.id)
        for table in ("bench_cells", "bench_groups", "bench_tally", "calls")
    ]
    gate.opened.set()
    runner.wait(run.id, 10)
    assert held == [
        store.connections.rows(f"SELECT * FROM {table} WHERE run = ?", run.id)
        for table in ("bench_cells", "bench_groups", "bench_tally", "calls")
    ]
    assert store.runs.lease(run.id)["owner"] == "elsewhere|1|1"
    die(runner, run.id)
    assert finished(runner, run).state == "done"
    assert tally(store, run) == {("idea", "done"): 8, ("judge", "done"): 16, ("fluency", "done"): 4}


def test_a_benchmark_that_is_deleted_at_work_leaves_nothing_behind(tmp_path, monkeypatch):
    runner, run, gate = begun_and_held(tmp_path, monkeypatch)
    with pytest.raises(BadInput, match="is running"):
        runner.delete(run.id)
    runner.store.runs.delete(run.id)
    gate.opened.set()
    runner.wait(run.id, 10)
    runner.store.runs.clear_deleted()
    for table in (
        "bench_cells",
        "bench_groups",
        "bench_tally",
        "bench_usage",
        "calls",
        "reservations",
    ):
        assert not runner.store.connections.rows(f"SELECT * FROM {table}")


def test_a_cap_in_dollars_keeps_no_provider_back_that_costs_nothing(tmp_path):
    """Whatever their names: providers are looked at in alphabetical order."""
    for free in ("azure:free", "zeta:free"):
        shop = shop_of(tmp_path / free[:4], models=(PRICED, free, *JUDGES))
        run = worked(shop, models=(PRICED, free), judges=(), cap_usd=0.0001, cap_tokens=10_000_000)
        assert (run.state, "this run's cap of $0.00" in run.reason, run.cost) == ("capped", True, 0)
        assert shop.store.benchmarks.sums.tally(run.id) == {
            ("idea", 0, "ready"): 4,
            ("idea", 1, "done"): 4,
        }


def test_many_calls_side_by_side_pass_no_cap(tmp_path, monkeypatch):
    shop = shop_of(tmp_path, models=(PRICED, *JUDGES))
    shop.settings = shop.settings.model_copy(update={"calls": 16})
    most, settle = [0.0], Benchmarks.settle

    def counted(*args, **named):
        row = shop.store.connections.row(
            "SELECT (SELECT sum(cost) FROM runs) + (SELECT coalesce(sum(cost), 0) FROM"
            " reservations) AS dollars"
        )
        most[0] = max(most[0], row["dollars"])
        settle(*args, **named)

    monkeypatch.setattr(Benchmarks, "settle", counted)
    run = worked(
        shop,
        models=(PRICED,),
        keywords=[f"keyword {n}" for n in range(20)],
        cap_usd=0.1,
        cap_tokens=10_000_000,
    )
    assert run.state in ("capped", "done")
    assert 0.04 < most[0] <= 0.1, "what is set aside counts"
    assert run.cost <= 0.1
    assert not shop.store.connections.rows("SELECT * FROM reservations")


def test_a_provider_that_is_left_alone_whole_is_not_looked_through_again_and_again(
    tmp_path, monkeypatch
):
    asked, claim = Counter(), Benchmarks.claim

    def counted(self, run, epoch, lane, most, allowance, cap, without=()):
        asked[lane, bool(without)] += 1
        return claim(self, run, epoch, lane, most, allowance, cap, without)

    monkeypatch.setattr(Benchmarks, "claim", counted)
    names = ("ollama:gone", "openai:b", *JUDGES)
    shop = shop_of(
        tmp_path,
        {"ollama:gone": {"bench-idea": lambda _: ModelFailed("ollama:gone did not answer.")}},
        models=names,
    )
    shop.settings = shop.settings.model_copy(update={"calls": 2})
    run = worked(shop, models=names[:2], keywords=[f"keyword {n}" for n in range(20)])
    assert (run.state, "ollama:gone: ollama:gone did not answer." in run.reason) == ("failed", True)
    assert tally(shop.store, run) == {
        ("idea", "ready"): 40,
        ("idea", "done"): 40,
        ("judge", "done"): 80,
        ("fluency", "done"): 20,
    }
    assert asked["openai", True]
    assert not asked["ollama", True]


def test_what_failed_is_found_without_reading_what_did_not(store):
    run = settled_store(store, keywords=[f"keyword {n}" for n in range(20)])
    for where, values in (
        (FAILED, (run.id,)),
        (f"{FAILED} AND id IN (SELECT value FROM json_each(?))", (run.id, "[1, 2]")),
    ):
        plan = store.connections.rows(
            f"EXPLAIN QUERY PLAN SELECT * FROM bench_cells WHERE {where}", *values
        )
        assert "bench_cells_lost" in plan[0]["detail"]


def test_what_failed_in_a_run_whose_process_is_gone_can_be_asked_again_at_once(tmp_path):
    shop = shop_of(tmp_path, {"openai:c": {"bench-judge": lambda _: "no"}})
    run, runner = worked(shop), Runner(shop)
    shop.named["openai:c"].script["bench-judge"] = SCRIPT["bench-judge"]
    die(runner, run.id)
    assert again(runner, run.id)
    runner.wait(run.id, 10)
    assert shop.store.runs.get(run.id).state == "done"
    assert not shop.store.benchmarks.lost(run.id, "failed")
