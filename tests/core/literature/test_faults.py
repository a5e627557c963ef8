"""A failing service is a typed failure with a readable reason, never 'nothing found'."""

import socket
import threading
import time

import pytest

from core.errors import SourceFailed, Stopped
from core.literature.port import Query
from tests.core.literature.test_semantic_scholar import KEY, known, open_at, s2
from tests.support.clock import quick
from tests.support.servers.scholar_server import ScholarServer
from tests.support.waiting import SOON

__all__ = ["quick"]
ASKS = {
    "/paper/search": lambda source: source.search(Query(text="research ideas")),
    "/paper/batch": lambda source: source.papers((s2("a1"),)),
    "/citations": lambda source: source.citations(known("a1"), 5),
    "/references": lambda source: source.references(known("a2"), 5),
}
FINAL = {
    "400": "HTTP 400",
    "401": "SEMANTIC_SCHOLAR_API_KEY",
    "403": "SEMANTIC_SCHOLAR_API_KEY",
    "404": "HTTP 404",
    "429": "busy",
    "500": "busy",
    "502": "busy",
    "503": "busy",
    "504": "busy",
    "drop": "broke the connection",
    "html": "not JSON",
    "half": "not JSON",
    "no data": "Internal problem",
    "wrong types": "Failed while|one entry per paper",
    "bare 404": "HTTP 404",
    "other shape": "that is none|one entry per paper",
}


@pytest.fixture
def server():
    with ScholarServer() as running:
        yield running


@pytest.mark.parametrize("path", ASKS)
@pytest.mark.parametrize("kind", FINAL)
def test_every_fault_on_every_call_is_a_failure_with_its_reason(server, store, path, kind):
    server.fail(path, kind)
    with pytest.raises(SourceFailed, match=FINAL[kind]) as failure:
        ASKS[path](open_at(server.url, store, patience=0.5))
    assert KEY not in str(failure.value)
    assert "\n" not in str(failure.value)


@pytest.mark.parametrize("path", ["/paper/search", "/paper/batch"])
def test_null_in_place_of_results_is_a_failure_where_nothing_can_be_withheld(server, store, path):
    server.fail(path, "null")
    with pytest.raises(SourceFailed):
        ASKS[path](open_at(server.url, store))


@pytest.mark.parametrize("path", ["/citations", "/references"])
def test_null_in_place_of_a_list_the_publisher_may_withhold_is_nothing_found(server, store, path):
    server.fail(path, "null")
    assert ASKS[path](open_at(server.url, store)) == ()


def test_a_server_that_hangs_is_given_up(server, store):
    server.fail("/paper/search", "hang")
    began = time.monotonic()
    with pytest.raises(SourceFailed, match="did not answer within"):
        ASKS["/paper/search"](open_at(server.url, store, read_timeout=0.3))
    assert time.monotonic() - began < SOON


def test_a_server_that_trickles_is_given_up(store):
    listener = socket.create_server(("127.0.0.1", 0))

    def trickle() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n")
            for _ in range(40):
                try:
                    connection.sendall(b" ")
                except OSError:
                    return
                time.sleep(0.05)

    threading.Thread(target=trickle, daemon=True).start()
    with listener, pytest.raises(SourceFailed, match="without end"):
        ASKS["/paper/search"](
            open_at(f"http://127.0.0.1:{listener.getsockname()[1]}", store, read_timeout=0.4)
        )


def test_nobody_listening_is_a_failure_that_names_the_address(store):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(SourceFailed, match=r"could not be reached at 127\.0\.0\.1"):
        ASKS["/paper/search"](open_at(f"http://127.0.0.1:{port}", store, patience=0.5))


@pytest.mark.parametrize(
    ("kind", "retry_after"), [("429", 1), ("503", None), ("half", None), ("drop", None)]
)
def test_a_passing_fault_is_waited_for_and_told(server, store, quick, kind, retry_after):
    server.fail("/references", kind, times=1, retry_after=retry_after)
    source, heard = open_at(server.url, store), []
    with source.telling(heard.append):
        assert len(source.references(known("a2"), 5)) == 1
    assert "Semantic Scholar" in heard[0]
    assert source.last()["requests"] == 2
    assert 0.9 <= source.last()["waited"] < SOON


def test_retry_after_is_obeyed(server, store):
    server.fail("/references", "429", times=1, retry_after=1.2)
    open_at(server.url, store).references(known("a2"), 5)
    assert server.asked[1].at - server.asked[0].at >= 1.2


@pytest.mark.parametrize("asked", [600, "Fri, 31 Dec 2049 23:59:59 GMT"])
def test_a_wait_longer_than_our_patience_is_refused_at_once(server, store, asked):
    server.fail("/references", "429", retry_after=asked)
    began = time.monotonic()
    with pytest.raises(SourceFailed, match="asks to wait"):
        open_at(server.url, store).references(known("a2"), 5)
    assert time.monotonic() - began < SOON


@pytest.mark.parametrize("asked", [0, "nan"])
def test_a_senseless_retry_after_does_not_hammer_the_service(server, store, quick, asked):
    server.fail("/references", "503", retry_after=asked)
    with pytest.raises(SourceFailed, match="busy"):
        open_at(server.url, store, patience=1.2).references(known("a2"), 5)
    assert len(server.asked) <= 2


def test_somebody_who_stops_is_not_kept_waiting(server, store):
    server.fail("/references", "429", retry_after=60)

    def stop(note: str) -> None:
        raise Stopped("Stopped by a person.")

    source = open_at(server.url, store, patience=120)
    began = time.monotonic()
    with pytest.raises(Stopped), source.telling(stop):
        source.references(known("a2"), 5)
    assert time.monotonic() - began < SOON


def test_calls_from_many_threads_and_sources_keep_the_interval(server, store):
    sources = [open_at(server.url, store, semantic_scholar_interval=0.1) for _ in range(2)]
    threads = [
        threading.Thread(target=sources[n % 2].citations, args=(known(f"a{n + 1}"), 5))
        for n in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    starts = sorted(asked.at for asked in server.asked)
    assert len(starts) == 6
    assert starts[-1] - starts[0] >= 0.35, (
        "two limiters would let them in within 0.2 seconds; on a busy machine the first is noted"
        " late"
    )
