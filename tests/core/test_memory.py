"""What drives a server over its memory is ended, and nothing else."""

import sys
import threading
import time

import pytest

from core import memory
from core.errors import TooMuchMemory
from core.memory import end_what_takes_too_much, may_be_ended, resident

MEGABYTE = 1_000_000

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    """Let little count as much."""
    monkeypatch.setattr(memory, "GREW", 60 * MEGABYTE)
    monkeypatch.setattr(memory, "BUSY", 0.0)


class Thread(threading.Thread):
    """Something that goes on until it is over, or ended; at most so many seconds."""

    def __init__(self, megabytes: int = 0, is_waited_for: bool = True):
        super().__init__(daemon=True)
        self.megabytes, self.is_waited_for = megabytes, is_waited_for
        self.begun, self.full, self.over = threading.Event(), threading.Event(), threading.Event()
        self.ended: BaseException | None = None

    def run(self) -> None:
        try:
            with may_be_ended(self.is_waited_for):
                self.begun.set()
                self.work(time.monotonic() + 60)
        except BaseException as error:
            self.ended = error
            return

    def work(self, until: float) -> None:
        held = []
        while not self.over.is_set() and time.monotonic() < until:
            if len(held) < self.megabytes:
                held.append(b"x" * MEGABYTE)
            else:
                self.full.set()


def told(most: int, seconds: float = 30) -> bool:
    """Look again and again, and return whether something was told to end."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if end_what_takes_too_much(most):
            return True
        time.sleep(0.02)
    return False


def all_begun(*threads: Thread) -> None:
    for thread in threads:
        thread.start()
        assert thread.begun.wait(30)


def test_what_takes_too_much_is_ended_with_a_sentence_and_nothing_that_began_later():
    before = resident()
    greedy = Thread(megabytes=300)
    all_begun(greedy)
    assert greedy.full.wait(30)
    later = Thread()
    all_begun(later)
    assert told(before + 100 * MEGABYTE)
    greedy.join(30)
    assert isinstance(greedy.ended, TooMuchMemory)
    assert "more memory" in str(greedy.ended)
    assert not told(before, 0.5), "what was there before is nobody's to end"
    later.over.set()
    later.join(30)
    assert later.ended is None


def test_nothing_is_ended_within_the_bound_or_that_does_nothing(monkeypatch):
    monkeypatch.setattr(memory, "BUSY", 0.01)
    over = threading.Event()
    idle, greedy = Thread(), Thread(megabytes=200)
    idle.work = lambda _: over.wait(60)  # type: ignore[method-assign]
    all_begun(idle, greedy)
    assert greedy.full.wait(30)
    assert not told(resident() + 100 * MEGABYTE, 0.3)
    assert told(resident() - 100 * MEGABYTE)
    greedy.join(30)
    assert isinstance(greedy.ended, TooMuchMemory)
    assert not told(0, 0.3)
    over.set()
    idle.join(30)
    assert idle.ended is None


def test_what_somebody_waits_for_goes_before_a_run_and_one_is_told_at_a_time():
    run, page = Thread(megabytes=200, is_waited_for=False), Thread(megabytes=200)
    all_begun(run, page)
    assert run.full.wait(30)
    assert page.full.wait(30)
    most = resident() - 300 * MEGABYTE
    assert end_what_takes_too_much(most) or told(most)
    page.join(30)
    assert isinstance(page.ended, TooMuchMemory)
    assert run.ended is None
    assert told(0), "where that was not enough, the run is next"
    run.join(30)
    assert isinstance(run.ended, TooMuchMemory)


def test_who_is_told_as_it_comes_to_its_end_goes_on(monkeypatch):
    me, said = threading.get_ident(), []

    def tell(thread, error):
        said.append((thread, error))
        if len(said) == 1:
            raise TooMuchMemory

    monkeypatch.setattr(memory, "_tell", tell)
    with may_be_ended():
        assert me in memory._going_on
    assert said == [(me, None)] * 2, "nothing stays to be heard later"
    assert me not in memory._going_on
    assert memory._guard.acquire(blocking=False)
    memory._guard.release()


def test_work_within_work_leaves_the_outer_to_be_ended():
    me = threading.get_ident()
    with may_be_ended():
        outer = memory._going_on[me]
        with pytest.raises(TooMuchMemory):
            be_told_within(me)
        assert memory._going_on[me] is outer
    assert me not in memory._going_on


def be_told_within(me: int) -> None:
    with may_be_ended(is_waited_for=False):
        memory._tell(me, TooMuchMemory)
        time.sleep(0)
