"""A failing OpenAlex is a typed failure with a readable reason, never 'nothing found'; answers are
kept, failures are not.
"""

import socket
import threading
import time

import pytest

from core.errors import SourceFailed, Stopped
from core.literature.port import Query
from core.records import Paper
from tests.core.literature.test_openalex import KEY, known, oa, open_at
from tests.support.clock import quick
from tests.support.servers.openalex_server import OpenAlexServer
from tests.support.waiting import SOON

__all__ = ["quick"]
ASKS = {
    "search=": lambda source: source.search(Query(text="research ideas")),
    "ids.openalex": lambda source: source.papers((oa("a1"),)),
    "cites:": lambda source: source.citations(known("a1"), 5),
    "referenced_works": lambda source: source.references(known("a2"), 5),
    "filter=doi:": lambda source: source.references(
        Paper(id="s2:x", title="A2", doi="10.5555/a2"), 5
    ),
}
FINAL = {
    "400": "HTTP 400",
    "401": "OPENALEX_API_KEY",
    "403": "OPENALEX_API_KEY",
    "404": "FOUNDRY_OPENALEX_URL",
    "429": "busy",
    "500": "busy",
    "502": "busy",
    "503": "busy",
    "504": "busy",
    "drop": "broke the connection",
    "html": "not JSON",
    "half": "not JSON",
    "null": "without a list",
    "no data": "Internal problem",
    "wrong types": "Failed while|without a list of references",
    "bare 404": "HTTP 404",
    "other shape": "that is none",
}


@pytest.fixture
def server():
    with OpenAlexServer() as running:
        yield running


@pytest.mark.parametrize("kind", FINAL)
def test_every_fault_on_every_call_is_a_failure_with_its_reason(server, store, kind):
    for part, ask in ASKS.items():
        server.faults.clear()
        server.fail(part, kind)
        with pytest.raises(SourceFailed, match=FINAL[kind]) as failure:
            ask(open_at(server.url, store, patience=0.5))
        assert KEY not in str(failure.value), part
        assert "\n" not in str(failure.value), part


@pytest.mark.parametrize("ask", ASKS.values())
@pytest.mark.parametrize("key", ["planted\u2019", "planted\nkey"])
def test_a_key_that_cannot_be_sent_is_a_failure_that_names_its_variable(server, store, ask, key):
    with pytest.raises(SourceFailed, match=r"OPENALEX_API_KEY .* is not usable") as failure:
        ask(open_at(server.url, store, openalex_key=key))
    assert "planted" not in str(failure.value)
    assert not server.asked


def test_an_address_that_is_not_whole_is_a_failure_that_names_its_variable(store):
    source = open_at("http:///me:planted@x.example", store)
    with pytest.raises(SourceFailed, match="FOUNDRY_OPENALEX_URL is not usable") as failure:
        source.search(Query(text="ideas"))
    assert "planted" not in f"{failure.value} {source.last()}"


def test_a_failure_on_the_way_is_no_shorter_list(server, store):
    server.fail("abstract_inverted_index", "503")
    with pytest.raises(SourceFailed, match="busy"):
        open_at(server.url, store, patience=0.5).references(known("a6"), 5)


def test_a_server_that_hangs_is_given_up(server, store):
    server.fail("search=", "hang")
    began = time.monotonic()
    with pytest.raises(SourceFailed, match="did not answer within"):
        ASKS["search="](open_at(server.url, store, read_timeout=0.3))
    assert time.monotonic() - began < SOON


def test_nobody_listening_is_a_failure_that_names_the_address(store):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(SourceFailed, match=r"OpenAlex could not be reached at 127\.0\.0\.1"):
        ASKS["search="](open_at(f"http://127.0.0.1:{port}", store, patience=0.5))


@pytest.mark.parametrize(("kind", "retry_after"), [("429", 1), ("half", None)])
def test_a_passing_fault_is_waited_for_and_told(server, store, quick, kind, retry_after):
    server.fail("cites:", kind, times=1, retry_after=retry_after)
    source, heard = open_at(server.url, store), []
    with source.telling(heard.append):
        assert len(source.citations(known("a1"), 5)) == 2
    assert "OpenAlex" in heard[0]
    assert source.last()["requests"] == 2
    assert 0.9 <= source.last()["waited"] < SOON


def test_a_spent_day_is_refused_at_once_and_says_what_helps(server, store):
    server.fail("search=", "429", retry_after=53_578)
    began = time.monotonic()
    with pytest.raises(
        SourceFailed,
        match=(
            r"asks to wait 53578 s.*at most 5 s.*OPENALEX_API_KEY: a free key allows ten times as"
            r" much"
        ),
    ):
        ASKS["search="](open_at(server.url, store, openalex_key=None))
    assert time.monotonic() - began < SOON


def test_a_storm_ends_with_our_patience(server, store, quick):
    server.fail("search=", "429", retry_after=1)
    source, heard, began = open_at(server.url, store, patience=2.5), [], time.monotonic()
    with pytest.raises(SourceFailed, match="busy"), source.telling(heard.append):
        ASKS["search="](source)
    assert time.monotonic() - began < SOON
    assert len(server.asked) <= 3
    assert any("busy" in note for note in heard)


def test_somebody_who_stops_is_not_kept_waiting(server, store):
    server.fail("cites:", "429", retry_after=60)

    def stop(note: str) -> None:
        raise Stopped("Stopped by a person.")

    source, began = open_at(server.url, store, patience=120), time.monotonic()
    with pytest.raises(Stopped), source.telling(stop):
        source.citations(known("a1"), 5)
    assert time.monotonic() - began < SOON


def test_calls_from_many_threads_and_sources_keep_the_interval(server, store):
    sources = [open_at(server.url, store, openalex_interval=0.1) for _ in range(2)]
    threads = [
        threading.Thread(target=sources[n % 2].citations, args=(known(f"a{n + 1}"), 5))
        for n in range(6)
    ]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.asked) == 6
    assert max(asked.at for asked in server.asked) - began >= 0.5


def test_the_same_question_is_answered_from_what_was_kept(server, store):
    first, again = (
        open_at(server.url, store),
        open_at(server.url, store, openalex_key="another-key"),
    )
    found = [ask(first) for ask in ASKS.values()]
    asked = len(server.asked)
    assert [ask(again) for ask in ASKS.values()] == found
    assert len(server.asked) == asked
    assert (first.last()["cached"], again.last()["cached"]) == (False, True)
    store.connections.write("UPDATE source_cache SET fetched = '2020-01-01T00:00:00+00:00'")
    server.fail("search=", "503")
    with pytest.raises(SourceFailed):
        ASKS["search="](open_at(server.url, store, patience=0.5))


@pytest.mark.parametrize("kind", ["503", "half", "html", "wrong types", "no data"])
def test_a_failure_is_not_kept(server, store, kind):
    server.fail("search=", kind)
    source = open_at(server.url, store, patience=0.5)
    with pytest.raises(SourceFailed):
        ASKS["search="](source)
    server.faults.clear()
    assert ASKS["search="](source)
