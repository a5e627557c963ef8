"""What drives a server over its memory is ended, and nothing else, and never half way through a
transaction.
"""

import sys
import threading
import time

import pytest

from core import memory
from core.errors import TooMuchMemory
from core.memory import MemoryBound, may_be_ended, resident, whole
from core.store import Store

MEGABYTE = 1_000_000

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    """Let little count as much."""
    monkeypatch.setattr(memory, "GREW", 60 * MEGABYTE)


class Worker(threading.Thread):
    """Something that takes so many megabytes and works on until it is over, or ended."""

    def __init__(self, megabytes: int = 0, rests: bool = False):
        super().__init__(daemon=True)
        self.megabytes, self.rests = megabytes, rests
        self.begun, self.full, self.over = threading.Event(), threading.Event(), threading.Event()
        self.ended: BaseException | None = None

    def run(self) -> None:
        try:
            with may_be_ended():
                self.begun.set()
                self.work(time.monotonic() + 60)
        except BaseException as error:
            # With its frames it would keep what it took, until whenever that is collected: what
            # the next test's worker takes would be no growth.
            self.ended = error.with_traceback(None)

    def work(self, until: float) -> None:
        held = []
        while not self.over.is_set() and time.monotonic() < until:
            if len(held) < self.megabytes:
                held.append(b"x" * MEGABYTE)
                continue
            self.full.set()
            if self.rests:
                self.over.wait(60)


@pytest.fixture
def workers():
    """Begin workers, and wait until each has what it takes."""
    made: list[Worker] = []

    def begin(*some: Worker) -> None:
        for one in some:
            made.append(one)
            one.start()
        for one in some:
            assert one.full.wait(30)

    yield begin
    for one in made:
        one.over.set()
        one.join(30)


def told(most: int, seconds: float = 30) -> bool:
    """Look again and again, and return whether something was told to end."""
    bound, until = MemoryBound(most), time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(0.05)
        if bound.end_what_takes_too_much():
            return True
    return False


def test_what_takes_too_much_is_ended_with_a_sentence_and_nothing_that_began_later(workers):
    before, greedy, later = resident(), Worker(300), Worker(rests=True)
    workers(greedy)
    workers(later)
    assert told(before + 100 * MEGABYTE)
    greedy.join(30)
    assert isinstance(greedy.ended, TooMuchMemory)
    assert "more memory" in str(greedy.ended)
    assert not told(before, 0.5), "what was there before is nobody's to end"
    assert later.ended is None


def test_nothing_is_ended_within_the_bound(workers):
    greedy = Worker(200)
    workers(greedy)
    assert not told(resident() + 100 * MEGABYTE, 0.3)
    assert greedy.ended is None


def test_who_rests_or_does_little_is_not_ended_for_what_somebody_else_takes(workers):
    idle = Worker(rests=True)
    workers(idle)
    elsewhere = threading.Event()
    held = []

    def take() -> None:  # A run, which is on no list.
        while not elsewhere.is_set():
            if len(held) < 200:
                held.append(b"x" * MEGABYTE)

    other = threading.Thread(target=take, daemon=True)
    other.start()
    assert not told(0, 1.0)
    elsewhere.set()
    other.join(30)
    assert idle.ended is None


def test_what_is_kept_whole_is_not_ended_half_way(workers):
    within, goes_on = threading.Event(), threading.Event()

    class Writing(Worker):
        def work(self, until: float) -> None:
            held = [b"x" * MEGABYTE for _ in range(self.megabytes)]
            with whole(), whole():
                self.full.set()
                while not goes_on.is_set() and time.monotonic() < until:
                    pass
                within.set()
            while time.monotonic() < until:
                del held[200:]

    one = Writing(300)
    workers(one)
    assert not told(0, 0.5)
    goes_on.set()
    assert within.wait(30)
    assert told(0)
    one.join(30)
    assert isinstance(one.ended, TooMuchMemory)


def test_whoever_is_told_leaves_no_transaction_behind(tmp_path, monkeypatch):
    """Told again and again, at whatever moment, while it writes and others hold the lock."""
    store, other = Store(tmp_path), Store(tmp_path)
    over, left, heard = threading.Event(), [], []

    def write() -> None:
        n = 0
        while not over.is_set():
            try:
                with may_be_ended():
                    while not over.is_set():
                        n += 1
                        store.places.choose("one", str(sum(range(5_000))))
                        time.sleep(0)  # Else the teller's turn comes only where SQLite has it.
                        with store.connections.writing():
                            store.places.choose("two", str(n))
            except TooMuchMemory:
                heard.append(n)
            left.append(store.connections.connection.in_transaction)

    def hold() -> None:
        while not over.is_set():
            other.places.choose("other", "x")
            time.sleep(0.001)

    threads = [threading.Thread(target=one, daemon=True) for one in (write, hold)]
    for thread in threads:
        thread.start()
    until = time.monotonic() + 30
    while len(heard) < 3 and time.monotonic() < until:
        time.sleep(0.0005)
        with memory._guard:
            for thread, going in memory._going_on.items():
                if not going.kept_whole:
                    memory._tell(thread, TooMuchMemory)
    over.set()
    for thread in threads:
        thread.join(30)
    assert len(heard) >= 3
    assert not any(left)
    assert not memory._going_on
    other.places.choose("last", "y")


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
