"""The engine of threads: so many calls at once by provider, the next one at once, and none any more
once it is held or cut.
"""

import threading
import time

import pytest

from core.benchmark.conducting.kept import Keep
from core.benchmark.conducting.threads import ThreadEngine
from core.benchmark.conducting.wire import WireRequest
from core.errors import NoThread, StoreUnusable
from core.records import Sampling
from core.runs.runner import Runner
from core.store.spool import Spool
from tests.conftest import ScriptedModel
from tests.support.benchmark.bench_kit import SCRIPT, script, shop_of, worked
from tests.support.scripted import resumed
from tests.support.waiting import until

NAMES = ("openai:a", "ollama:b")


class Held:
    """Models that answer when they are let, and count how many are asked at once."""

    def __init__(self, folder):
        self.spool = Spool(folder, 1)
        self.spool.open()
        self.keep = Keep(self.spool)
        self.open, self.guard, self.now, self.most, self.asked = (
            threading.Event(),
            threading.Lock(),
            {},
            {},
            [],
        )
        self.models = {
            name: ScriptedModel(
                {"bench-idea": lambda request, name=name: self.answer(name, request)}, name
            )
            for name in NAMES
        }

    def answer(self, name, request):
        with self.guard:
            self.now[name] = self.now.get(name, 0) + 1
            self.most[name] = max(self.most.get(name, 0), self.now[name])
            self.asked.append(name)
        assert self.open.wait(10)
        with self.guard:
            self.now[name] -= 1
        return SCRIPT["bench-idea"](request)


def question(n, model):
    return WireRequest(
        id=n,
        key=f"cell-{n}",
        model=model,
        kind="idea",
        prompt="bench-idea",
        values={},
        standing="You write ideas.",
        text="<keyword>\nlava\n</keyword>",
        shaped=False,
        sampling=Sampling(),
        seed=n,
    )


def heard(engine, many):
    found, deadline = [], time.monotonic() + 60
    while len(found) < many and time.monotonic() < deadline:
        found += engine.heard(0.1)
    return sorted(found, key=lambda one: one.id)


@pytest.fixture
def held(tmp_path):
    made = Held(tmp_path / "spool")
    yield made
    made.open.set()


def test_each_provider_is_asked_so_many_at_once_and_what_waits_begins_by_itself(held):
    engine = ThreadEngine(held.models, {"openai": 2, "ollama": 6}, held.keep, "test")
    assert (engine.places(), engine.ahead) == (8, 8)
    for n in range(20):
        engine.submit(question(n, NAMES[n % 2]))
    until(lambda: len(held.asked) == 8)
    held.open.set()
    assert [(one.id, one.failure, one.finish) for one in heard(engine, 20)] == [
        (n, "", "stop") for n in range(20)
    ]
    assert held.most == {"openai:a": 2, "ollama:b": 6}
    engine.close()


@pytest.mark.parametrize("given", [0, 1])
def test_where_the_system_gives_fewer_threads_those_there_are_ask(held, monkeypatch, given):
    start, begun = threading.Thread.start, []

    def stingy(thread):
        if len(begun) == given:
            raise RuntimeError("can't start new thread")
        begun.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", stingy)
    engine = ThreadEngine(held.models, {"openai": 4}, held.keep, "test")
    held.open.set()
    if not given:
        with pytest.raises(NoThread):
            engine.submit(question(0, NAMES[0]))
        return
    for n in range(6):
        engine.submit(question(n, NAMES[0]))
    assert [one.id for one in heard(engine, 6)] == [*range(6)]
    assert held.most == {"openai:a": 1}
    engine.close()


@pytest.mark.parametrize("how", ["hold", "cut"])
def test_what_has_not_begun_comes_back_unasked_once_it_is_held_or_cut(held, how):
    engine = ThreadEngine(held.models, {"openai": 2, "ollama": 6}, held.keep, "test")
    for n in range(5):
        engine.submit(question(n, "openai:a"))
    until(lambda: len(held.asked) == 2)
    assert held.spool.under_way() == {0: 1, 1: 1}, "what waits its turn has not gone out"
    getattr(engine, how)()
    held.open.set()
    came = heard(engine, 5)
    assert [one.failure for one in came] == [{"hold": "", "cut": "Stopped"}[how]] * 2 + [
        "Stopped"
    ] * 3
    assert len(held.asked) == 2
    engine.close()


def test_a_mistake_in_the_program_is_raised_where_answers_are_taken_in(held):
    engine = ThreadEngine(held.models, {"openai": 1, "ollama": 1}, held.keep, "test")
    engine.submit(question(1, "openai:a").model_copy(update={"prompt": "no-such-prompt"}))
    with pytest.raises(AssertionError, match="no-such-prompt"):
        heard(engine, 1)
    engine.close()


def test_a_database_that_is_locked_as_a_call_begins_is_no_failure_of_its_model(tmp_path):
    """What a server can do is looked up in the store before each call."""
    locked = iter([StoreUnusable("The database is locked by another program.")])
    shop = shop_of(
        tmp_path,
        {"openai:a": {"bench-idea": lambda request: next(locked, None) or script(request)}},
    )
    run = worked(shop)
    assert (run.state, run.reason) == ("interrupted", "The database is locked by another program.")
    assert resumed(Runner(shop), run.id) == "done"
    assert not shop.store.benchmarks.sums.lost(run.id, "failed")


def test_nothing_goes_out_once_nobody_would_book_it(held):
    """As where a run is lost while a call waits for a busy server."""
    engine = ThreadEngine(held.models, {"openai": 1, "ollama": 1}, held.keep, "late")
    held.spool.close()
    held.open.set()
    engine.submit(question(1, "openai:a"))
    assert [one.failure for one in heard(engine, 1)] == ["Stopped"]
    assert held.asked == []
    engine.close()


def test_threads_go_when_it_is_closed(held):
    engine = ThreadEngine(held.models, {"openai": 3, "ollama": 3}, held.keep, "gone")
    held.open.set()
    for n in range(6):
        engine.submit(question(n, NAMES[n % 2]))
    assert len(heard(engine, 6)) == 6
    engine.close()
    until(lambda: not [one for one in threading.enumerate() if one.name == "bench-gone"])
