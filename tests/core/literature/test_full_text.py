"""Full texts: what was read once is not fetched again, what failed says why, and what a person
attaches comes first.
"""

import hashlib

import pytest

from core import settings
from core.errors import BadInput, Stopped
from core.literature import full_text
from core.literature.full_text import FullTexts
from core.records import FullText, Paper
from tests.support.servers.pdf_server import GOOD, PARAGRAPH, SCANNED, PdfServer, locked, pdf


@pytest.fixture
def server():
    with PdfServer() as running:
        yield running


@pytest.fixture
def texts(server, store):
    return FullTexts(settings.read({}, pdf_hosts=server.host), store.library)


def paper(server, path="/good.pdf") -> Paper:
    return Paper(id="p1", title="Naps", pdf=server.url + path)


def test_an_open_pdf_is_read_and_its_text_kept_under_its_hash(server, store, texts):
    held = texts.read(paper(server))
    assert (held.state, held.pages, held.origin, held.reason) == (
        "read",
        2,
        server.url + "/good.pdf",
        "",
    )
    text = store.library.full_text(held.sha)
    assert PARAGRAPH in text
    assert held.sha == hashlib.sha256(text.encode()).hexdigest()
    assert held.chars == len(text)


def test_a_second_run_does_not_fetch_again(server, store, texts):
    first = texts.read(paper(server))
    assert (
        FullTexts(settings.read({}, pdf_hosts=server.host), store.library).read(paper(server))
        == first
    )
    assert len(server.asked) == 1


def test_the_same_file_at_another_address_is_not_read_again(server, texts, monkeypatch):
    first = texts.read(paper(server))
    monkeypatch.setattr(full_text, "pdf_text", lambda *_: pytest.fail("read again"))
    again = texts.read(paper(server, "/to?/good.pdf"))
    assert (again.sha, again.pages, again.origin) == (
        first.sha,
        first.pages,
        server.url + "/to?/good.pdf",
    )


def test_a_failure_is_not_kept_for_good(server, texts):
    assert texts.read(paper(server, "/busy.pdf")).state == "failed"
    assert texts.read(paper(server, "/busy.pdf")).state == "failed"
    assert len(server.asked) == 2


def test_a_paper_without_pdf_says_so(store, texts):
    assert texts.read(Paper(id="p2", title="Naps")) == FullText(
        state="no PDF",
        reason="The source gives no open-access PDF. Attach the PDF to have it read.",
    )


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/page", "web page instead of a PDF"),
        ("/page.pdf", "web page instead of a PDF"),
        ("/broken.pdf", "damaged"),
        ("/scanned.pdf", "scanned"),
        ("/notice.pdf", "a few words"),
        ("/locked.pdf", "locked with a password"),
        ("/missing.pdf", "nothing at this address"),
        ("/large.pdf", "larger than 30 MB"),
    ],
)
def test_a_pdf_that_cannot_be_had_is_a_failure_with_a_sentence_and_never_an_error(
    server, texts, path, sentence
):
    held = texts.read(paper(server, path))
    assert (held.state, held.sha, held.chars) == ("failed", None, 0)
    assert sentence in held.reason
    assert held.reason.endswith("Attach the PDF to have it read.")


def test_credentials_in_an_address_are_neither_sent_nor_shown(server, texts):
    held = texts.read(
        Paper(id="p1", title="Naps", pdf=server.url.replace("//", "//me:secret@") + "/good.pdf")
    )
    assert held.state == "failed"
    assert "secret" not in held.model_dump_json()
    assert server.asked == []


def test_whoever_waits_can_break_off(server, texts):
    def stop(note: str) -> None:
        raise Stopped("Stopped as asked.")

    with pytest.raises(Stopped):
        texts.read(paper(server, "/drip.pdf"), stop)
    assert server.broken_off.wait(2)


def test_what_a_person_attaches_comes_before_what_could_be_fetched(server, store, texts):
    own = pdf(f"My own copy.\n{PARAGRAPH}")
    attached = texts.attach("p1", own, "Ada")
    assert texts.read(paper(server)) == attached == store.library.attached("p1")
    assert attached.origin == "Ada"
    assert "My own copy." in store.library.full_text(attached.sha)
    assert server.asked == []


def test_a_second_attachment_replaces_the_first_and_can_be_taken_off(server, store, texts):
    first = texts.attach("p1", pdf(f"First.\n{PARAGRAPH}"), "Ada")
    assert texts.attach("p1", GOOD, "Ben") == store.library.attached("p1")
    store.library.detach("p1")
    assert store.library.attached("p1") is None
    assert store.library.full_text(first.sha).startswith("First.")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "empty"),
        (b"<html>", "web page"),
        (b"PK\x03\x04", "The file is not a PDF"),
        (SCANNED, "scanned"),
        (locked("x"), "password"),
        (GOOD[:300], "damaged|no text"),
        (b"%PDF-1.4" + bytes(30_000_000), "larger than 30 MB"),
    ],
)
def test_what_is_no_readable_pdf_is_not_attached(store, texts, data, sentence):
    with pytest.raises(BadInput, match=sentence):
        texts.attach("p1", data, "Ada")
    assert store.library.attached("p1") is None


def test_a_pdf_is_read_once_for_looking_and_for_attaching(texts, monkeypatch):
    seen = texts.text_in(GOOD)
    monkeypatch.setattr(full_text, "pdf_text", lambda *_: pytest.fail("read again"))
    assert (seen.title, seen.pages) == ("Naps restore the memory of athletes", 2)
    assert texts.text_in(GOOD) == seen
    assert texts.attach("p1", GOOD, "Ada").pages == 2
