"""Answers of the service, one by one: what becomes a paper, and what is refused."""

import json
import tracemalloc
from base64 import b64encode
from dataclasses import replace

import pytest
from semanticscholar.Paper import Paper as Found

from core.errors import SourceFailed
from core.literature.http import MOST_PARTS, MOST_SAID, HttpAnswer, NotReadable, Service
from core.literature.semantic_scholar.answers import paper, shape

SERVICE = Service(
    name="s2",
    whom="Semantic Scholar",
    address="http://s",
    address_variable="URL",
    interval=0,
    key=None,
    key_variable="KEY",
    without_key="slow",
)
HOP, SEARCH = (
    "http://s/graph/v1/paper/x/references?fields=title",
    "http://s/graph/v1/paper/search?query=x",
)


def test_an_empty_search_may_come_without_a_list():
    assert shape(SERVICE, SEARCH, None, b'{"total": 0, "offset": 0}')["data"] == []


def test_entries_the_service_could_not_resolve_are_left_out():
    unresolved = [None, {"paperId": None, "title": "T"}, {"paperId": "x", "title": None}]
    said = {"offset": 0, "data": [{"citedPaper": paper} for paper in unresolved]}
    entries = shape(SERVICE, HOP, None, json.dumps(said).encode())["data"]
    assert [paper(Found(entry["citedPaper"])) for entry in entries] == [None, None]


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b'"text"',
        b"7",
        b"null",
        b"{}",
        b'{"data": 7}',
        b'{"data": [7]}',
        b'{"total": 3}',
        b'{"data": [{"x": 1}]}',
        b'{"data": [{"citedPaper": 7}]}',
        b'{"data": [{"citedPaper": {"title": "no id"}}]}',
    ],
)
def test_json_of_another_shape_is_a_failure_for_hops_and_searches(body):
    for url in (HOP, SEARCH):
        with pytest.raises(SourceFailed):
            shape(SERVICE, url, None, body)


@pytest.mark.parametrize("body", [b"", b"<html>", b'{"data": [', b"\xff\xfe", b"[" * 200_000])
def test_what_is_no_json_is_worth_another_try(body):
    with pytest.raises(NotReadable):
        shape(SERVICE, SEARCH, None, body)


def test_a_batch_answers_every_id_or_fails():
    assert shape(
        SERVICE, "http://s/paper/batch", {"ids": ["a", "b"]}, b'[null, {"paperId": "b"}]'
    ) == [None, {"paperId": "b"}]
    with pytest.raises(SourceFailed):
        shape(SERVICE, "http://s/paper/batch", {"ids": ["a", "b"]}, b'[{"paperId": "b"}]')


def test_every_text_of_an_answer_can_be_stored_whatever_the_service_sends():
    sent = (
        rb'{"data": [{"paperId": "x\ud83d", "title": "A\u0000", "url": "\udc00/"}], "a\ud83d": 1}'
    )
    assert SERVICE.parsed(sent) == {
        "data": [{"paperId": "x?", "title": "A?", "url": "?/"}],
        "a?": 1,
    }


def test_names_that_become_one_keep_their_order_and_the_last_value():
    sent = rb'{"a\ud83d": 1, "b": {"c\u0000": ["d\u0000"]}, "a?": 3}'
    assert list(SERVICE.parsed(sent).items()) == [("a?", 3), ("b", {"c?": ["d?"]})]


def test_an_answer_is_cleaned_without_a_copy_beside_it():
    body = json.dumps({f"name {n}": [f"a text {n}"] for n in range(20_000)}).encode()

    def peak(read) -> int:
        tracemalloc.start()
        try:
            read(body)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(SERVICE.parsed) < 1.1 * peak(json.loads)


def test_an_answer_has_no_more_parts_than_the_largest_honest_one_needs():
    with pytest.raises(NotReadable, match="more than anybody can have asked for"):
        SERVICE.parsed(b"[" + b"0," * MOST_PARTS + b"0]")
    work = {
        "authorships": [authorship("Department of Physics, A University, Town, Country")] * 100,
        "locations": [{"source": dict.fromkeys("abcdefghijklmno"), "license": "cc-by"}] * 10,
        "abstract_inverted_index": {f"word{n}": [n] for n in range(250)},
    }
    honest = json.dumps({"results": [work] * 100})
    assert 0.8 * MOST_PARTS < sum(map(honest.count, "{[,")) < MOST_PARTS


def authorship(named: str) -> dict[str, object]:
    """Return one author of a work with two affiliations, as OpenAlex lists them."""
    place = {
        **dict.fromkeys(["id", "display_name", "ror", "country_code", "type"], "x"),
        "lineage": ["https://openalex.org/I1"] * 3,
    }
    return {
        "author_position": "middle",
        "author": dict.fromkeys(["id", "display_name", "orcid"], "x"),
        "institutions": [place] * 2,
        "countries": ["US"],
        "is_corresponding": False,
        "raw_author_name": "A. Name",
        "raw_affiliation_strings": [named] * 2,
        "affiliations": [{"raw_affiliation_string": named, "institution_ids": ["I1"]}] * 2,
    }


def test_words_on_a_refusal_are_not_looked_for_in_a_large_answer():
    said = json.dumps({"error": "Not now", "more": "x" * MOST_SAID}).encode()
    assert "(HTTP 400)" in str(SERVICE.refused(HttpAnswer(400, 0.0, said)))


def test_the_words_of_a_refusal_can_be_stored_whatever_the_service_says():
    said = rb'{"error": "Not \ud83d now\u0000"}'
    refused = SERVICE.refused(HttpAnswer(400, 0.0, said))
    assert "(HTTP 400: Not ? now?)" in str(refused)


def test_a_key_is_hidden_before_what_a_service_says_is_cut():
    key = "s2k-QwErTyUiOpAsDfGhJkLzXcVbNm0123456789"
    service = replace(SERVICE, key=key, address="http://ada:Pa55word@s")
    for before in range(0, 301, 4):
        said = json.dumps({"message": "z" * before + key}).encode()
        refused = str(service.refused(HttpAnswer(403, 0.0, said)))
        assert key[:8] not in refused
        with pytest.raises(SourceFailed) as failed:
            shape(service, SEARCH, None, said)
        assert key[:8] not in str(failed.value)
    with pytest.raises(NotReadable) as unread:
        service.parsed(b"z" * 20 + key.encode())
    assert key[:8] not in str(unread.value)
    packed = b64encode(b"ada:Pa55word").decode()
    refused = str(service.refused(HttpAnswer(403, 0.0, json.dumps({"error": packed}).encode())))
    assert "[key]" in refused
    assert packed not in refused


def test_half_a_surrogate_pair_does_not_reach_the_store():
    found = paper(
        Found(
            json.loads(
                '{"paperId": "x", "title": "A \\ud83d title", "abstract": "\\udc00", "authors":'
                ' [{"name": "\\ud83d"}]}'
            )
        )
    )
    assert found is not None
    assert found.model_dump_json().encode()
    assert found.title == "A ? title"


def test_the_open_access_file_stands_in_for_a_missing_page():
    found = paper(
        Found({"paperId": "x", "title": "T", "openAccessPdf": {"url": "https://example.org/x.pdf"}})
    )
    assert found is not None
    assert found.url == found.pdf == "https://example.org/x.pdf"


def test_a_page_and_its_open_access_file_are_kept_apart_and_an_empty_address_is_none():
    found = [
        paper(
            Found(
                {
                    "paperId": "x",
                    "title": "T",
                    "url": "https://example.org/x",
                    "openAccessPdf": {"url": url},
                }
            )
        )
        for url in ("https://p.org/x", "")
    ]
    assert [(one.url, one.pdf) for one in found] == [
        ("https://example.org/x", "https://p.org/x"),
        ("https://example.org/x", None),
    ]


def test_markup_in_a_title_stays_text():
    found = paper(Found({"paperId": "x", "title": "<script>alert(1)</script> **x**"}))
    assert found is not None
    assert found.title == "<script>alert(1)</script> **x**"


def test_of_an_endless_title_its_beginning_is_kept():
    found = paper(Found({"paperId": "a" * 40, "title": "Sleep " * 50_000}))
    assert found is not None
    assert found.title == ("Sleep " * 50_000)[:1_000]
