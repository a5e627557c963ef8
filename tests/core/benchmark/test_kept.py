"""Answers that were heard and not written, or written and not forgotten, when the work broke off:
none is asked or booked a second time.
"""

import pytest

from core.benchmark.conducting.kept import left
from core.errors import ModelFailed, StoreFailed
from core.records import Call
from core.runs.runner import Runner
from tests.core.benchmark.test_conducting import cells_of, requests, what_stands
from tests.support.benchmark.bench_kit import script, shop_of, small, worked
from tests.support.scripted import resumed
from tests.support.waiting import until

NOBODYS = 0
"""The epoch of no worker."""
SORRY = {"bench-idea": lambda _: "I’m sorry, but I cannot help."}
VAGUE = {"bench-judge": lambda request: script(request) if request.corrections else "eight of ten"}


@pytest.mark.parametrize(
    "written", [False, True], ids=["before it is written", "after it is written"]
)
@pytest.mark.parametrize(
    "scripts",
    [{}, {"openai:a": SORRY}, {"openai:c": VAGUE}],
    ids=["answers", "a refusal", "an unusable answer"],
)
def test_an_answer_that_was_heard_is_neither_asked_nor_booked_again(
    tmp_path, monkeypatch, scripts, written
):
    whole, shop = (shop_of(tmp_path / name, scripts) for name in ("whole", "cut"))
    undisturbed = worked(whole, keywords=["erosion"])
    run, runner, cuts = small(shop, keywords=["erosion"]), Runner(shop), 0
    rows, settle = shop.store.benchmarks, shop.store.benchmarks.settle

    def nothing_in_flight():
        return {one.id for one in cells_of(shop.store, run, state="taken")} <= set(
            left(shop.store.spool(run.id, NOBODYS))
        )

    def cut_off(*given):
        nonlocal cuts
        cuts += 1
        if cuts % 2:
            until(nothing_in_flight)
        if written or not cuts % 2:
            settle(*given)
        if cuts % 2:
            raise StoreFailed("The disk is gone.")

    monkeypatch.setattr(rows, "settle", cut_off)
    state = runner.work(run.id)
    while state == "failed":
        state = resumed(runner, run.id)
    assert state == "done"
    assert cuts > 3
    assert what_stands(shop.store, run) == what_stands(whole.store, undisturbed)
    assert sum(requests(shop).values()) == shop.store.runs.get(run.id).calls == undisturbed.calls
    assert not any(
        one.store.spool(of.id, NOBODYS).left() for one, of in ((shop, run), (whole, undisturbed))
    )


def test_failures_of_a_server_that_was_gone_are_booked_and_asked_anew(tmp_path, monkeypatch):
    """A worker counts failures in a row to leave a model alone; those it takes over would burn a
    cell each.
    """

    def gone(_):
        failed = ModelFailed("openai:a did not answer.")
        failed.calls = (
            Call(model="openai:a", latency=0.1, outcome="broken off", tokens_expected=5),
        )
        return failed

    shop = shop_of(tmp_path, {"openai:a": {"bench-idea": gone}})
    run, runner, settle = small(shop), Runner(shop), shop.store.benchmarks.settle

    def cut_off(*_):
        until(lambda: len(left(shop.store.spool(run.id, NOBODYS))) == 8)
        raise StoreFailed("The disk is gone.")

    monkeypatch.setattr(shop.store.benchmarks, "settle", cut_off)
    assert runner.work(run.id) == "failed"
    monkeypatch.setattr(shop.store.benchmarks, "settle", settle)
    shop.named["openai:a"].script["bench-idea"] = script
    assert resumed(runner, run.id) == "done"
    assert not cells_of(shop.store, run, state="failed")
    assert shop.store.runs.get(run.id).calls == sum(requests(shop).values()) == 28 + 4, (
        "the failed tries stay on the bill"
    )
