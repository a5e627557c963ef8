"""Reading a PDF: its text without typesetting's leftovers, within bounds whatever the file does."""

import contextlib
import io
import os
import random
import string
import threading
import time
import zlib
from pathlib import Path

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfWriter
from pypdf.generic import DictionaryObject, NameObject, NumberObject, StreamObject

from core.errors import Stopped
from core.literature.full_text import reading
from core.literature.full_text.pdf import NoText
from core.literature.full_text.reading import clean, pdf_text
from tests.support.servers.pdf_server import GOOD, PARAGRAPH, SCANNED, locked, pdf, raw_pdf
from tests.support.waiting import SOON, until

SLOW = raw_pdf(b"BT /F 10 Tf\n" + b"1 0 0 1 50 700 Tm (word) Tj\n" * 400_000 + b"ET", pack=True)
"""Keeps a reader busy for a minute."""


def test_text_title_and_pages_are_read():
    read = pdf_text(GOOD)
    assert read.text.startswith(
        "Naps restore the memory of athletes\nA. Runner, B. Sleeper\nAbstract\n" + PARAGRAPH
    )
    assert (read.title, read.pages, read.reason) == ("Naps restore the memory of athletes", 2, "")


def test_a_pdf_that_only_forbids_printing_is_read():
    assert pdf_text(locked("")).text == pdf_text(GOOD).text


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (locked("secret"), "locked with a password"),
        (SCANNED, "scanned"),
        (raw_pdf(), "no pages|none of its pages"),
        (b"%PDF-1.7\nnothing", "damaged"),
        (pdf(" ".join(["/G31/G32/G33"] * 40)), "fonts do not say"),
        (GOOD[:700], "damaged|scanned"),
    ],
)
def test_what_cannot_be_read_says_why(data, sentence):
    with pytest.raises(NoText, match=sentence):
        pdf_text(data)


def named(data: bytes, title: str) -> bytes:
    """Return a PDF with a title in its metadata."""
    writer, file = PdfWriter(clone_from=io.BytesIO(data)), io.BytesIO()
    writer.add_metadata({"/Title": title})
    writer.write(file)
    return file.getvalue()


def stamped(side: int, *lines: str) -> bytes:
    """Return a page with a square picture of so many dots a side, and lines of text over it."""
    writer, file = PdfWriter(clone_from=io.BytesIO(pdf("\n".join(lines)))), io.BytesIO()
    picture = StreamObject()
    picture.set_data(zlib.compress(bytes(side * side)))
    picture.update(
        {
            NameObject(f"/{name}"): value
            for name, value in {
                "Type": NameObject("/XObject"),
                "Subtype": NameObject("/Image"),
                "Width": NumberObject(side),
                "Height": NumberObject(side),
                "BitsPerComponent": NumberObject(8),
                "ColorSpace": NameObject("/DeviceGray"),
                "Filter": NameObject("/FlateDecode"),
            }.items()
        }
    )
    writer.pages[0]["/Resources"][NameObject("/XObject")] = DictionaryObject(
        {NameObject("/I"): writer._add_object(picture)}
    )
    writer.write(file)
    return file.getvalue()


@pytest.mark.parametrize(
    "data",
    [pdf("Naps help."), pdf("Naps help.", "Athletes remember."), stamped(120, "Naps help.")],
    ids=["line", "pages", "logo"],
)
def test_a_text_of_one_line_is_no_scan(data):
    assert pdf_text(data).text.startswith("Naps help.")


def test_a_stamp_on_a_picture_of_a_page_is_no_text():
    with pytest.raises(NoText, match="its pages are pictures"):
        pdf_text(stamped(1000, "Downloaded on 3 May 2020"))


PLAIN = pdf("Sleep\nA. Runner, B. Sleeper\nAbstract", PARAGRAPH)
"""Nothing on its first page is larger than the rest, and its title is shorter than a line that is
taken for one.
"""


@pytest.mark.parametrize(
    ("data", "said", "title"),
    [
        (GOOD, "Naps Restore the Memory of Athletes", "Naps Restore the Memory of Athletes"),
        (GOOD, "", "Naps restore the memory of athletes"),
        (GOOD, "Another paper of the same people", "Naps restore the memory of athletes"),
        (PLAIN, "Sleep", "Sleep"),
        (PLAIN, "On the sleep of athletes", "On the sleep of athletes"),
        *(
            (data, junk, title)
            for data, title in ((GOOD, "Naps restore the memory of athletes"), (PLAIN, ""))
            for junk in (
                "Microsoft Word - x.doc",
                "untitled",
                "Untitled-3",
                "paper.dvi",
                "acl_latex",
                "C:\\Users\\me\\x",
                "Document1",
                "PII: S0140-6736(20)",
                "doi:10.1000/x",
                "Instructions for *ACL Proceedings",
                "draft",
                "",
            )
        ),
    ],
)
def test_a_title_in_the_metadata_is_taken_where_it_is_one(data, said, title):
    assert pdf_text(named(data, said)).title == title


def test_a_title_without_end_is_not_read_to_it():
    data = named(GOOD, "A title of a stranger's file, " * 300_000)
    began = time.thread_time()
    assert pdf_text(data).title
    assert time.thread_time() - began < 1


def test_more_pages_than_are_read_are_told():
    read = pdf_text(pdf(*[PARAGRAPH] * 203))
    assert (read.pages, read.reason) == (200, "Only the first 200 of 203 pages were read.")


def test_more_characters_than_are_read_are_told():
    read = pdf_text(pdf(*["\n".join([PARAGRAPH] * 700)] * 6))
    assert len(read.text) <= 400_100
    assert read.reason == f"Only the first {read.pages} of 6 pages were read."


def test_one_damaged_page_does_not_take_the_others_along():
    good = f"BT /F 10 Tf 1 0 0 1 50 700 Tm ({PARAGRAPH}) Tj ET".encode()
    damaged = raw_pdf(good, b"0" * 160_000_000, good, pack=True)
    read = pdf_text(damaged)
    assert (read.pages, read.reason) == (2, "1 of 3 pages could not be read.")


def test_a_reader_that_starts_late_is_given_the_whole_file(monkeypatch, tmp_path):
    late = tmp_path / "late.py"
    late.write_text("import time\ntime.sleep(0.6)\n" + Path(reading._CHILD).read_text())
    monkeypatch.setattr(reading, "_CHILD", late)
    monkeypatch.setattr(reading, "DEADLINE", 30)
    large = pdf(*[PARAGRAPH] * 203)
    assert len(large) > 1 << 16, "more than a pipe holds"
    assert pdf_text(large).pages == 200


def test_a_pdf_that_never_ends_is_given_up_and_its_process_ended(monkeypatch):
    monkeypatch.setattr(reading, "DEADLINE", 0.5)
    began = time.monotonic()
    with pytest.raises(NoText, match="takes longer"):
        pdf_text(SLOW)
    assert time.monotonic() - began < SOON
    assert not [
        child for child in psutil.Process().children() if "pdf_child" in " ".join(child.cmdline())
    ]


def test_whoever_waits_can_break_off_and_the_process_ends():
    def stop(note: str) -> None:
        assert note == "reading PDF"
        raise Stopped("Stopped as asked.")

    with pytest.raises(Stopped):
        pdf_text(SLOW, stop)
    assert not [
        child for child in psutil.Process().children() if "pdf_child" in " ".join(child.cmdline())
    ]


def test_whoever_waits_for_a_turn_to_read_is_told_and_can_break_off():
    def stop(note: str) -> None:
        raise Stopped(note)

    with reading._TURNS, reading._TURNS, pytest.raises(Stopped, match="waiting to read the PDF"):
        pdf_text(GOOD, stop)
    assert pdf_text(GOOD).pages == 2


def test_a_pdf_that_a_person_gives_is_read_before_all_that_runs_fetch(monkeypatch):
    order, waiting = [], set()
    monkeypatch.setattr(reading, "_child", lambda data, _: order.append(data) or {})
    monkeypatch.setattr(reading, "_judge", lambda found: found)

    def read(data: bytes, given: bool) -> None:
        pdf_text(data, lambda _: waiting.add(threading.get_ident()), given)

    threads = [threading.Thread(target=read, args=(GOOD + b"%", False)) for _ in range(4)]
    threads.append(threading.Thread(target=read, args=(GOOD, True)))
    with reading._TURNS:
        with reading._TURNS:
            for thread in threads:
                thread.start()
            until(lambda: reading._GIVEN)
            waiting.clear()
            until(lambda: len(waiting) == len(threads))
        for thread in threads:
            thread.join()
    assert (order[0], len(order)) == (GOOD, 5)
    assert not reading._GIVEN


def test_a_reader_that_needs_too_much_memory_breaks_down_alone(monkeypatch, tmp_path):
    greedy = tmp_path / "greedy.py"
    greedy.write_text(
        Path(reading._CHILD)
        .read_text()
        .replace("PdfReader(io.BytesIO(data))", "bytearray(3 << 30)")
    )
    monkeypatch.setattr(reading, "_CHILD", greedy)
    with pytest.raises(NoText, match="more memory"):
        pdf_text(GOOD)


def test_no_key_reaches_the_process_that_opens_strange_files(monkeypatch, tmp_path):
    spy = tmp_path / "spy.py"
    spy.write_text(
        "import json, os, sys; sys.stdin.read(); print(json.dumps({'refused': 'broken', 'detail': '"
        " '.join(sorted(os.environ))}))"
    )
    monkeypatch.setattr(reading, "_CHILD", spy)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    with pytest.raises(NoText) as told:
        pdf_text(GOOD)
    assert "PYTHONPATH" in str(told.value)
    assert "OPENAI" not in str(told.value)
    assert os.environ["OPENAI_API_KEY"] == "sk-1"


def test_damage_anywhere_never_comes_through_as_another_error():
    dice = random.Random(7)
    for _ in range(4):
        broken = bytearray(GOOD)
        for _ in range(30):
            broken[dice.randrange(9, len(broken))] = dice.randrange(256)
        with contextlib.suppress(NoText):
            assert pdf_text(bytes(broken)).text


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ("e\ufb03cient \ufb01le o\ufb00er", "efficient file offer"),
        ("an exam-\nple here", "an example here"),
        ("an exam‐\n  ple", "an example"),
        ("soft\xad\nware and hy\xadphen", "software and hyphen"),
        ("a\x00b\x07c\u200bd\u202ee\U000e0041f", "abcdef"),
        ("one\r\ntwo\x0cthree", "one\ntwo\nthree"),
        ("a\n\n\n\n\nb  \nc", "a\n\nb\nc"),
        ("GPT-\n4 and BERT-\nBase", "GPT-4 and BERT-Base"),
        ("half \ud83d\ude00 \ud800", "half \U0001f600 \ufffd"),
        ("self-attention is self-\nattention", "self-attention is self-attention"),
        (
            "pretraining and pre-training: pre-\ntraining",
            "pretraining and pre-training: pretraining",
        ),
    ],
)
def test_what_typesetting_left_is_cleaned_away(raw, wanted):
    assert clean(raw) == wanted


@given(
    st.text(
        alphabet=st.sampled_from(string.ascii_letters + "-‐\n \x00\xad\ufb01\u202e\ud800"),
        max_size=300,
    )
)
def test_cleaning_leaves_nothing_unseen_and_is_settled(raw):
    once = clean(raw)
    assert not set(once) & set("\x00\xad\ufb01\u202e\ud800\r")
    assert "\n\n\n" not in once


def test_cleaning_a_hostile_text_takes_no_time():
    began = time.thread_time()
    clean("a" * 200_000 + "-\n" * 100_000)
    assert time.thread_time() - began < 2
