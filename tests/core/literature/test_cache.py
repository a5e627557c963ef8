"""Answers are kept with their age; failures are not kept."""

import threading
from datetime import UTC, datetime, timedelta

import pytest

from core.errors import SourceFailed
from core.literature.port import Query
from tests.core.literature.test_semantic_scholar import known, open_at, s2
from tests.support.servers.scholar_server import ScholarServer


@pytest.fixture
def server():
    with ScholarServer() as running:
        yield running


def test_the_same_question_is_answered_from_what_was_kept_and_says_when_it_was_fetched(
    server, store
):
    first = open_at(server.url, store)
    found = first.search(Query(text="research ideas"))
    fetched = first.last()["fetched"]
    again = open_at(server.url, store)
    assert again.search(Query(text="research ideas")) == found
    assert len(server.asked) == 1
    assert (first.last()["cached"], again.last()["cached"]) == (False, True)
    assert abs(
        datetime.fromisoformat(again.last()["fetched"]) - datetime.fromisoformat(fetched)
    ) < timedelta(seconds=2)


def test_other_words_dates_limits_and_ids_are_other_questions(server, store):
    source = open_at(server.url, store)
    for ask in (
        Query(text="research ideas"),
        Query(text="research idea"),
        Query(text="research ideas", before="2024-01-01"),
        Query(text="research ideas", limit=3),
    ):
        source.search(ask)
    source.papers((s2("a1"),))
    source.papers((s2("a2"),))
    assert len(server.asked) == 6


def test_an_answer_a_week_old_is_asked_for_again(server, store):
    source = open_at(server.url, store)
    source.search(Query(text="research ideas"))
    old = (datetime.now(UTC) - timedelta(days=8)).isoformat(timespec="milliseconds")
    store.connections.write("UPDATE source_cache SET fetched = ?", old)
    source.search(Query(text="research ideas"))
    assert len(server.asked) == 2
    assert source.last()["fetched"] > old


def test_an_old_answer_never_stands_in_for_a_failure(server, store):
    source = open_at(server.url, store, patience=0.5)
    source.search(Query(text="research ideas"))
    store.connections.write("UPDATE source_cache SET fetched = '2020-01-01T00:00:00+00:00'")
    server.fail("/paper/search", "503")
    with pytest.raises(SourceFailed):
        source.search(Query(text="research ideas"))


@pytest.mark.parametrize("kind", ["503", "half", "html", "wrong types", "no data"])
def test_a_failure_is_not_kept(server, store, kind):
    server.fail("/citations", kind)
    source = open_at(server.url, store, patience=0.5)
    with pytest.raises(SourceFailed):
        source.citations(known("a1"), 5)
    server.faults.clear()
    assert len(source.citations(known("a1"), 5)) == 2


def test_a_paper_unknown_today_is_asked_for_again_tomorrow(server, store):
    source = open_at(server.url, store)
    assert source.citations(known("new"), 5) == ()
    assert source.citations(known("new"), 5) == ()
    assert len(server.asked) == 2


def test_each_thread_hears_and_remembers_only_its_own_answers(server, store):
    source, heard = open_at(server.url, store), []
    with source.telling(heard.append):
        source.search(Query(text="research ideas"))
        ours = source.last()
        server.fail("/references", "429", times=1)
        other = threading.Thread(target=source.references, args=(known("a2"), 5))
        other.start()
        other.join()
    assert heard == []
    assert source.last() == ours
