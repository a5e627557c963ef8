"""One limiter per address, and waits that end."""

import threading
import time
from itertools import pairwise

import pytest

from core.errors import Stopped
from core.literature.answering import silent
from core.literature.limiter import Limiter, Patience, limiter
from tests.support.waiting import SOON


def test_one_address_has_one_limiter_whoever_asks():
    assert limiter("http://one.example") is limiter("http://one.example")
    assert limiter("http://one.example") is not limiter("http://two.example")


def test_threads_take_turns_an_interval_apart():
    shared, starts, lock = Limiter(), [], threading.Lock()

    def call() -> None:
        assert Patience(10, silent).turn(shared, 0.08, "a source")
        with lock:
            starts.append(time.monotonic())

    threads = [threading.Thread(target=call) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    starts.sort()
    assert min(b - a for a, b in pairwise(starts)) >= 0.07


def test_nobody_begins_while_a_source_asks_for_quiet():
    shared = Limiter()
    shared.quiet(0.2)
    began = time.monotonic()
    assert Patience(1, silent).turn(shared, 0, "a source")
    assert time.monotonic() - began >= 0.19


def test_a_turn_beyond_our_patience_is_not_waited_for():
    shared = Limiter()
    shared.quiet(60)
    began = time.monotonic()
    assert not Patience(1, silent).turn(shared, 0, "a source")
    assert time.monotonic() - began < SOON


def test_waits_add_up():
    patience = Patience(3, silent)
    patience.wait(0.1, "busy")
    assert patience.covers(2)
    assert not patience.covers(2.95)


def test_a_listener_hears_why_and_can_break_off_at_once():
    heard = []

    def listener(note: str) -> None:
        heard.append(note)
        if len(heard) == 2:
            raise Stopped("stop")

    began = time.monotonic()
    with pytest.raises(Stopped):
        Patience(60, listener).wait(30, "the source is busy")
    assert time.monotonic() - began < SOON
    assert heard[0] == "the source is busy, 30 s"


def test_what_is_waited_for_is_one_sentence_with_the_seconds_left():
    told: list[str] = []
    Patience(2, told.append).wait(1.2, "trying a source again: It broke off.")
    assert told[0] == "trying a source again: It broke off, 1 s"
