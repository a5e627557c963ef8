"""Files by any name and in any encoding; ids and dates however people write them."""

import pytest

from core import settings
from core.errors import BadInput
from core.literature.full_text import FullTexts
from core.literature.importing import LARGEST, entries, read_file
from core.literature.importing.dates import when
from core.literature.importing.text import decode, plain
from core.literature.paper_ids import arxiv_in, doi_in, paper_id, wanted_id

BIB = "@article{a, title={Étude of naps – “one”}, author={Ann Lée}, year=2020}\n"
RIS = "TY  - JOUR\nTI  - Étude of naps\nER  - \n"


@pytest.fixture
def texts(store):
    return FullTexts(settings.read({}), store.library)


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"]
)
def test_every_usual_encoding_is_read(texts, encoding):
    (paper,) = read_file("x.bib", BIB.encode(encoding), texts).papers
    assert (paper.title, paper.authors) == ("Étude of naps – “one”", ("Ann Lée",))


def test_an_encoding_that_changes_within_a_file_harms_no_line():
    assert decode("é1\n".encode() + "é2\r\n".encode("latin-1") + "中3".encode()) == "é1\né2\n中3"


def test_the_ending_tells_the_format_and_a_txt_is_looked_into(texts):
    formats = {
        "a.bib": BIB,
        "A.BIB": BIB,
        "b.ris": RIS,
        "c.csv": "title\nNaps",
        "d.tsv": "title\tyear\nNaps\t2020",
        "e.txt": "10.1000/x",
        "f.txt": RIS,
        "g.txt": "% a remark\n" + BIB,
    }
    assert {
        name: read_file(name, text.encode(), texts).format for name, text in formats.items()
    } == {
        "a.bib": "BibTeX",
        "A.BIB": "BibTeX",
        "b.ris": "RIS",
        "c.csv": "CSV",
        "d.tsv": "CSV",
        "e.txt": "list of DOIs",
        "f.txt": "RIS",
        "g.txt": "BibTeX",
    }


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.docx", b"x", "choose a file that ends in one of .bib"),
        ("noending", b"x", "choose a file"),
        ("a.bib", b"", "holds no entry"),
        ("a.ris", b"nothing here", "holds no entry"),
        ("a.csv", b"", "No column is named title"),
        ("a.csv", b"name,year\nx,1", "No column is named title"),
        ("a.txt", b"\n\n# only a remark", "holds no entry"),
        ("a.bib", bytes(range(256)) * 40, "holds no entry|no text"),
        ("a.pdf", b"<html>", "web page"),
        ("a.bib", b" " * (LARGEST + 1), "20 MB; 20 MB are read at most"),
    ],
)
def test_a_file_that_holds_nothing_is_refused_with_a_sentence(texts, name, data, says):
    with pytest.raises(BadInput, match=says):
        read_file(name, data, texts)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("a.csv", "A title"),
        ("a.txt", "10.1000/{n}"),
        ("a.txt", "no id"),
        ("a.ris", "TY  - JOUR\nTI  - A{n}\nER  - "),
        ("a.bib", "@article{{a{n}, title = {{A{n}}}}}"),
    ],
)
def test_a_file_of_too_many_entries_is_refused(texts, monkeypatch, name, line):
    monkeypatch.setattr(entries, "MOST_ENTRIES", 50)
    head = ["title"] if name == "a.csv" else []

    def held(many: int) -> bytes:
        return "\n".join([*head, *(line.format(n=n) for n in range(many))]).encode()

    assert read_file(name, held(50), texts)
    with pytest.raises(BadInput, match="more than 50 entries"):
        read_file(name, held(51), texts)


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("10.1000/ABC", "10.1000/ABC"),
        ("https://doi.org/10.1000/a.b", "10.1000/a.b"),
        ("doi: 10.1000/x(1)y", "10.1000/x(1)y"),
        ("see (https://dx.doi.org/10.1000/x).", "10.1000/x"),
        ("https://doi.org/10.1000%2Fx%20y", "10.1000/x"),
        ("10.1002/(SICI)1097<1::AID>3.0.CO;2-1", "10.1002/(SICI)1097<1::AID>3.0.CO;2-1"),
        ("10.10/x", None),
        ("", None),
        ("page 10.1000 / x", None),
    ],
)
def test_a_doi_is_found_however_it_is_written(text, doi):
    assert doi_in(text) == doi


@pytest.mark.parametrize(
    ("text", "arxiv"),
    [
        ("2401.00001", "2401.00001"),
        ("2401.00001v3", "2401.00001"),
        ("2401.00001 [cs.CL]", "2401.00001"),
        ("arXiv:2401.00001v2", "2401.00001"),
        ("https://arxiv.org/abs/2401.00001v1", "2401.00001"),
        ("https://arxiv.org/pdf/2401.00001.pdf", "2401.00001"),
        ("hep-th/9901001", "hep-th/9901001"),
        ("arXiv preprint arXiv:1706.03762", "1706.03762"),
        ("2413.00001", None),
        ("12345", None),
        ("", None),
    ],
)
def test_an_arxiv_id_is_found_however_it_is_written(text, arxiv):
    assert arxiv_in(text, bare=True) == arxiv


def test_a_doi_of_arxiv_itself_is_looked_up_by_its_arxiv_id():
    assert wanted_id("https://doi.org/10.48550/arXiv.2401.00001") == "arxiv:2401.00001"
    assert wanted_id("https://doi.org/10.1000/ABC") == "doi:10.1000/abc"
    assert wanted_id("not an id") is None


def test_a_paper_without_ids_gets_one_that_stays():
    name = paper_id(None, None, "On the nap, and what follows", ("Ann Çelik",), 2020)
    assert name.startswith("own:celik-2020-on-the-nap-and-")
    assert name == paper_id(None, None, "On the nap, and what follows", ("Ann Çelik",), 2020)
    assert name != paper_id(None, None, "On the nap, and what follows", ("Ann Çelik",), 2021)
    assert paper_id(None, None, "中文", (), None).startswith("own:")


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        (("2020-05-01",), (2020, "2020-05-01")),
        (("2020/05/01/",), (2020, "2020-05-01")),
        (("2020-05",), (2020, "2020-05")),
        (("2020",), (2020, None)),
        (("2020///",), (2020, None)),
        (("2020-13-01",), (2020, None)),
        (("2020-02-31",), (2020, "2020-02")),
        (("5 May 2020",), (2020, "2020-05-05")),
        (("May 5, 2020",), (2020, "2020-05-05")),
        (("September 2020",), (2020, "2020-09")),
        (("2020-05/2020-06",), (2020, "2020-05")),
        (("", "2020", "may"), (2020, "2020-05")),
        (("", "2020", "5"), (2020, "2020-05")),
        (("", "2020", "May--June"), (2020, "2020-05")),
        (("", "2020", "10 jun"), (2020, "2020-06-10")),
        (("", "2020", "may", "7"), (2020, "2020-05-07")),
        (("", "c2020a"), (2020, None)),
        (("MAY 3", "2020"), (2020, "2020-05-03")),
        (("", "in press"), (None, None)),
        (("0020-01-01",), (None, None)),
        (("",), (None, None)),
        (("99999999",), (None, None)),
        (("2020-05-01", "2019"), (2019, "2020-05-01")),
    ],
)
def test_dates_are_read_as_far_as_they_go(fields, found):
    assert when(*fields) == found


@pytest.mark.parametrize(
    "hostile", ["a\0b", "a\x1b[31mb", "a\u2028b", "a\n\n b", "a\u00a0b", "a\x85b"]
)
def test_a_line_of_text_holds_nothing_but_text(hostile):
    assert re_spaced(plain(hostile)) == plain(hostile)
    assert "\x00" not in plain(hostile)
    assert plain(hostile).startswith("a")


def re_spaced(text: str) -> str:
    return " ".join(text.split())


def test_half_a_character_is_replaced():
    assert plain("a\ud83d").encode() == b"a?"


def test_a_file_of_too_many_citations_is_refused(texts, monkeypatch):
    monkeypatch.setattr(entries, "MOST_CITED", 50)

    def held(many: int) -> bytes:
        return f"title,references\nNaps,{';'.join(f'10.1000/{n}' for n in range(many))}\n".encode()

    assert len(read_file("a.csv", held(50), texts).edges) == 50
    with pytest.raises(BadInput, match="more than 50 citations up to line 2"):
        read_file("a.csv", held(51), texts)
