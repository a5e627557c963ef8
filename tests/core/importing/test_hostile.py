"""Hostile files: a sentence or a report, within bounded time, and nothing half-written."""

import json
import sqlite3
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import BadInput, StoreFailed
from core.importing import keywords, own
from core.importing.decoding import LARGEST
from core.importing.filing import FilingReport, bring_in
from core.importing.mapping import Mapping, proposed
from core.importing.reading import ENDINGS, read
from core.importing.sheets import MOST_COLUMNS, MOST_ROWS
from core.importing.targets import targets_in
from core.importing.topics import topics_in
from core.records.faults import has_few_parts
from core.store import Store

bounded = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
names = st.sampled_from(
    [f"a.{ending}" for ending in ENDINGS]
    + ["", ".", "a", "\ud800.csv", "x" * 5_000 + ".json", "<script>.md"]
)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30)
anything = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "idea",
                    "ideas",
                    "title",
                    "method",
                    "topic",
                    "model",
                    "problem",
                    "record",
                    "format",
                    "products",
                    "run",
                ]
            )
            | st.text(max_size=8),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40)


def taken(store: Store, name: str, data: bytes) -> FilingReport | None:
    """Bring a file in, or return None where it was refused in a sentence; every row is then in the
    report once, and can be written down.
    """
    try:
        sheet = read(name, data)
        mapping = proposed(sheet) or Mapping(columns=sheet.columns[:1] or ("none",))
        report = bring_in(
            store,
            sheet,
            mapping.model_copy(update={"constants": {"method": "M", "topic": "T"}}),
            "mine",
        )
    except BadInput as error:
        str(error).encode()
        return None
    assert len(report.taken) + len(report.known) + len(report.refused) == len(sheet.rows) + len(
        sheet.refused
    )
    report.model_dump_json().encode()
    "".join(sheet.columns).encode()
    return report


@bounded
@given(name=names, data=st.binary(max_size=400))
def test_any_bytes_give_a_report_or_a_sentence(store, name, data):
    taken(store, name, data)


@bounded
@given(
    name=names, text=st.text(st.characters() | st.sampled_from(',;|\t"\n\r#-*:{}[]'), max_size=400)
)
def test_any_text_gives_a_report_or_a_sentence(store, name, text):
    taken(store, name, text.encode("utf-8", "surrogatepass"))


@bounded
@given(value=anything)
def test_any_json_gives_a_report_or_a_sentence(store, value):
    for name in ("a.json", "a.jsonl"):
        taken(store, name, json.dumps(value).encode())


@bounded
@given(
    rows=st.lists(st.tuples(words, words, words.map("x{}".format)), min_size=1, max_size=20),
    comma=st.sampled_from(",;\t|"),
)
def test_what_a_csv_writer_wrote_is_read_back_cell_by_cell(rows, comma):
    import csv
    import io

    out = io.StringIO()
    lines = csv.writer(out, delimiter=comma, quoting=csv.QUOTE_ALL)
    lines.writerows([("idea", "system", "topic"), *rows])
    sheet = read("a.csv", out.getvalue().encode())
    assert [tuple(row.cells.values()) for row in sheet.rows] == rows
    assert sheet.refused == ()


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        (
            "big.csv",
            b"idea\n" + b"x" * 50_000_000,
            "big.csv has 50.0 MB; 25 MB are read at most. Split it",
        ),
        ("long.csv", b"idea\n" + b"x\n" * (MOST_ROWS + 1), "more than 10,000 rows"),
        (
            "long.json",
            json.dumps([{"idea": "x"}] * (MOST_ROWS + 1)).encode(),
            "more than 10,000 rows",
        ),
        ("lines.csv", b"idea\n" + b"\n" * 20_000_000, "more than 1,000,000 lines"),
        ("wide.csv", b"," * 100_000 + b"\nx", "100,001 columns"),
        ("deep.json", b"[" * 100_000, "nested too deeply"),
        ("deep.json", b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply"),
        ("many.json", b"[" + b"[]," * 4_000_000 + b"1]", "more than 2,000,000 brackets"),
        ("number.json", b"[" + b"9" * 5_000 + b"]", "a number too long"),
        ("broken.json", b'[{"idea": "x"},\n{"idea" "y"}]', "line 2, column 9"),
        ("sheet.csv", b"PK\x03\x04" + b"\0" * 100, "packed file"),
        ("paper.md", b"%PDF-1.7", "a PDF"),
        ("noise.csv", b"\0" * 1_000 + b"\xff\0" * 100, "holds no text"),
        ("empty.csv", b"", "is empty"),
        ("blank.json", b" \n\n ", "is empty"),
        ("head.csv", b"idea,topic\n", "holds no idea"),
        ("list.json", b"[]", "holds no idea"),
        ("head.csv", b'"idea,topic\nx\n', "line 1: a quotation mark"),
        ("mark.csv", b"\xef\xbb\xbf", "is empty"),
    ],
)
def test_a_bad_file_is_refused_in_a_sentence_before_long(store, name, data, said):
    began = time.thread_time()
    with pytest.raises(BadInput) as error:
        read(name, data)
    assert said in str(error.value)
    assert str(error.value).endswith((".", "?"))
    assert time.thread_time() - began < 5
    assert store.entries.bunches() == []


@pytest.mark.parametrize(
    "taken_in",
    [
        targets_in,
        topics_in,
        lambda name, data: keywords.from_file(data, name),
    ],
)
def test_other_json_has_the_same_bound(taken_in):
    with pytest.raises(BadInput, match="more than 2,000,000 brackets"):
        taken_in("many.json", b"[" + b"[]," * 4_000_000 + b"1]")


@pytest.mark.parametrize(
    ("name", "data", "where", "said"),
    [
        (
            "a.csv",
            b"idea\nGood.\n" + b"x" * 200_000 + b"\n",
            "line 3",
            "more than 131,072 characters",
        ),
        ("a.jsonl", b'{"idea": "Good."}\n' + b"[" * 100_000, "line 2", "nested too deeply"),
        (
            "a.jsonl",
            b'{"idea": "Good."}\n{"a": [' + b"1.5," * 500_000 + b"0]}",
            "line 2",
            "more than 2,000,000 signs",
        ),
        (
            "a.jsonl",
            b'{"idea": "Good."}\n' + b'{"a":' * 30 + b"1" + b"}" * 30,
            "line 2",
            "deeper than 20 levels",
        ),
        (
            "a.jsonl",
            b'{"idea": "Good."}\n' + json.dumps({f"k{n}": n for n in range(100_000)}).encode(),
            "line 2",
            f"more than {MOST_COLUMNS} parts",
        ),
        (
            "a.json",
            json.dumps([{"idea": "Good."}, {f"k{n}": n for n in range(MOST_COLUMNS)}]).encode(),
            "item 2",
            f"more than {MOST_COLUMNS} columns",
        ),
        (
            "a.json",
            json.dumps([{"idea": "Good."}, {"idea": "Bad \x1b[31m"}]).encode(),
            "item 2",
            "control character U+001B",
        ),
        (
            "a.json",
            json.dumps([{"idea": "Good."}, {"idea": {"a": 1}}]).encode(),
            "item 2",
            "There is no text",
        ),
        ("a.csv", "idea\nGood.\nBad \ufffd sign.\n".encode(), "line 3", "unreadable characters"),
    ],
)
def test_a_bad_row_costs_only_itself(store, name, data, where, said):
    report = taken(store, name, data)
    assert [one.title for one in report.taken] == ["Good."]
    assert [(one.where, said in one.reason) for one in report.refused] == [(where, True)]


def test_the_largest_file_that_is_taken_is_read_in_seconds(store):
    row = b"x" * 2_400
    data = b"idea,topic\n" + b"".join(b"%d %s,t\n" % (n, row) for n in range(MOST_ROWS))
    assert 24_000_000 < len(data) < LARGEST
    began = time.thread_time()
    assert len(taken(store, "a.csv", data).taken) == MOST_ROWS
    assert time.thread_time() - began < 20


def test_quotation_marks_without_end_do_not_make_reading_slow(store):
    began = time.thread_time()
    assert taken(store, "a.csv", b'idea\n"' + b'x\n"""' * 9_000) is not None
    assert time.thread_time() - began < 10


def test_a_write_that_fails_leaves_whole_batches_and_the_next_try_goes_on(store, monkeypatch):
    data = b"idea\n" + b"".join(b"Idea %d.\n" % n for n in range(1_200))
    add, calls = store.entries.add, []

    def failing(entries, at):
        calls.append(len(entries))
        if len(calls) == 2:
            add(entries[:10], at)
            raise sqlite3.OperationalError("disk I/O error")
        return add(entries, at)

    monkeypatch.setattr(store.entries, "add", failing)
    with pytest.raises(StoreFailed, match="disk"):
        taken(store, "a.csv", data)
    assert (
        store.entries.bunches()[0].entries,
        len(store.connections.rows("SELECT sha FROM frozen")),
    ) == (500, 500)
    monkeypatch.undo()
    again = taken(store, "a.csv", data)
    assert (len(again.taken), len(again.known)) == (700, 500)


@pytest.mark.parametrize(
    ("taken_in", "row"),
    [
        (targets_in, {"topic": "naps", "paper": {"title": "Naps"}, "background": [1] * 200_000}),
        (topics_in, {"topic": "naps", "paper": {"title": "Naps", "authors": [1] * 200_000}}),
    ],
)
def test_a_row_of_more_parts_than_any_has_is_refused_before_it_is_taken_apart(taken_in, row):
    with pytest.raises(BadInput, match="has more than 100,000 parts"):
        taken_in("many.json", json.dumps([row]).encode())


def test_a_bundle_of_more_parts_than_any_run_has_is_damaged():
    given = {
        "format": own.BUNDLE,
        "products": [],
        "run": {"id": "x", "config": {"thinking": [1] * 200_000}},
    }
    (row,) = own.bundle(given)
    assert "is damaged" in row.reason


def test_values_of_json_are_counted_with_all_inside_of_them():
    value = {"a": [1, [2, {}], "three"], "b": None}
    assert has_few_parts(value, 8)
    assert not has_few_parts(value, 7)
    assert not has_few_parts([[[1] * 100_000]])
