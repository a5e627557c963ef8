"""What a large experiment came to is made once, and anew as soon as anything of it is another."""

from types import SimpleNamespace

import pytest

from components.experiments import kept as module
from components.experiments.kept import kept


class Clock:
    def __init__(self):
        self.now = 0.0
        self.runs = 0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch, tmp_path) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "monotonic", made)
    monkeypatch.setattr(module, "_held", type(module._held)())
    made.runs = 9
    runs = SimpleNamespace(lineage=lambda run: (run,), count=lambda sweep: made.runs)
    store = SimpleNamespace(folder=tmp_path, runs=runs)
    monkeypatch.setattr(module.services, "store", lambda: store)
    return made


def run(state="done", updated="1"):
    return SimpleNamespace(id="r", state=state, updated=updated)


def reading(clock: Clock, seconds: float):
    """Return what takes so many seconds to read, and how often it was read."""
    times = []

    def read() -> int:
        clock.now += seconds
        times.append(clock.now)
        return len(times)

    return read, times


def test_what_takes_long_is_read_once_until_the_run_moves_on(clock):
    read, times = reading(clock, 2.0)
    assert [kept(run(), "found", read, 5) for _ in range(3)] == [1, 1, 1]
    assert kept(run(), "counts", read, 5) == 2, "something else of it"
    assert kept(run(), "found", read, 6) == 3, "a vote more"
    assert kept(run(updated="2"), "found", read, 6) == 4
    clock.runs -= 1
    assert kept(run(updated="2"), "found", read, 6) == 5, "one of its runs was deleted"
    clock.now += 10_000
    assert kept(run(updated="2"), "found", read, 6) == 5
    assert len(times) == 5


def test_what_is_read_at_once_is_read_each_time(clock):
    read, _ = reading(clock, 0.01)
    assert [kept(run(), "found", read) for _ in range(3)] == [1, 2, 3]


def test_of_a_run_at_work_it_serves_for_a_while(clock):
    read, _ = reading(clock, 1.0)
    assert [kept(run("running"), "found", read) for _ in range(2)] == [1, 1]
    clock.now += module.REST * 1.0
    assert kept(run("running"), "found", read) == 2


def test_no_more_is_kept_than_has_room(clock, monkeypatch):
    monkeypatch.setattr(module, "MOST", 2)
    read, _ = reading(clock, 1.0)
    for what in ("one", "two", "three"):
        kept(run(), what, read)
    assert kept(run(), "three", read) == 3
    assert kept(run(), "one", read) == 4


def test_what_fails_is_tried_again(clock):
    def fail() -> int:
        raise ValueError("The database is locked.")

    with pytest.raises(ValueError, match="locked"):
        kept(run(), "found", fail)
    assert kept(run(), "found", lambda: 1) == 1
