"""Keyword lists: the one that is shipped, and files somebody brings in, whatever they hold."""

import json
from collections import Counter

import pytest

from core.benchmark.keywords import DOMAINS, paper_keywords
from core.errors import BadInput
from core.importing.keywords import from_file


def texts(data, name="list.csv"):
    found, said = from_file(data if isinstance(data, bytes) else data.encode(), name)
    return [one.text for one in found.keywords], said


def test_the_papers_list_is_whole_and_its_labels_are_marked_as_published():
    found = paper_keywords()
    assert len(found.keywords) == 1180
    assert [one.text for one in found.keywords[:3]] == [
        "meteorology",
        "periodic table",
        "weather forecasting",
    ]
    assert {one.domain for one in found.keywords} == set(DOMAINS)
    assert len(DOMAINS) == 22
    assert Counter(one.by for one in found.keywords) == {"published": 1180}
    assert next(one.domain for one in found.keywords if one.text == "earthquakes") == "Pharmacy"
    assert "2024" in found.source


def test_the_first_line_of_a_plain_list_is_a_keyword_unless_it_says_so():
    assert texts("text\ntopology\n", "a.txt") == (["text", "topology"], ())
    assert texts("Keywords\ntopology\n", "a.txt") == (["topology"], ())


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("keyword\nerosion\nsoil, dry\n", "a.csv"),
        ("erosion\nsoil, dry\n", "a.txt"),
        ("erosion\n\n  soil, dry  \r\n", "a.txt"),
        ("Domain;Keyword\n;erosion\n;soil, dry", "a.csv"),
        (',Keyword\n0,erosion\n1,"soil, dry"\n', "kws.csv"),
        ("id\tkeywords\n1\terosion\n2\tsoil, dry", "a.txt"),
        ('["erosion", "soil, dry"]', "a.json"),
        ('{"keywords": [{"text": "erosion"}, {"keyword": "soil, dry"}]}', "a.txt"),
        ("keyword\nerosion\nsoil, dry".encode("utf-16"), "a.csv"),
        (b"\xef\xbb\xbfkeyword\nerosion\nsoil, dry", "a.csv"),
        ("erosion\nsoil, dry".encode("utf-16-le"), "a.txt"),
        (
            json.dumps({"name": "x", "keywords": [{"text": "erosion", "domain": ""}, "soil, dry"]}),
            "l.json",
        ),
    ],
)
def test_a_list_is_read_whatever_its_format(data, name):
    assert texts(data, name) == (["erosion", "soil, dry"], ())


def test_domains_of_a_file_are_kept_and_those_of_the_paper_spelled_as_there():
    found, said = from_file(
        b"keyword,domain\nerosion,earth SCIENCE\nquasars,\nodes,Poetry\n", "a.csv"
    )
    assert [(one.domain, one.by) for one in found.keywords] == [
        ("Earth science", "file"),
        ("", ""),
        ("Poetry", "file"),
    ]
    assert said == ("Not among the paper's 22 domains, and counted as they are: 'Poetry'.",)


def test_what_is_left_out_is_said_with_its_reason():
    long = "x" * 201
    kept, said = texts(
        f'keyword\nErosion\nerosion\nEROSION\n{long}\n=HYPERLINK(1)\n@SUM(A1)\n-2+3\n-omics\nbad\x00one\n"open\n'
    )
    assert kept == ["Erosion", "-omics"]
    assert (
        "2 rows were left out, because the keyword is there already (line 3: 'erosion'; line 4:"
        " 'EROSION')." in said
    )
    assert any("more than 200 characters (line 5" in one for one in said)
    assert any("3 rows were left out, because it begins like a formula" in one for one in said)
    assert any("control character U+0000" in one for one in said)
    assert any("quotation mark" in one and "line 11" in one for one in said)
    assert len(said) == 5


def test_rows_without_a_keyword_and_values_that_are_no_text_are_said():
    assert texts("keyword,domain\n,Biology\nerosion,Biology\n") == (
        ["erosion"],
        ("1 row was left out, because there is no keyword (line 2).",),
    )
    kept, said = texts(
        '["erosion", 5, null, {"keyword": ["a"]}, {"domain": "Biology"}, "\u200b"]', "a.json"
    )
    assert kept == ["erosion"]
    assert said == (
        (
            "3 rows were left out, because the keyword or its domain is no text (item 2; item 3;"
            " item 4)."
        ),
        "2 rows were left out, because there is no keyword (item 5; item 6).",
    )


def test_many_rows_of_one_kind_are_one_sentence():
    _, said = texts("keyword\n" + "erosion\n" * 5_000)
    assert said == (
        (
            "4,999 rows were left out, because the keyword is there already "
            "(line 3: 'erosion'; line 4: 'erosion'; line 5: 'erosion'; and 4,996 more)."
        ),
    )


def test_twenty_thousand_keywords_are_taken_and_no_more():
    rows = "keyword\n" + "".join(f"topic {n}\n" for n in range(20_000))
    assert len(texts(rows)[0]) == 20_000
    with pytest.raises(BadInput, match=r"more than 20,000 keywords"):
        texts(rows + "one more\n")


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (b"", "a.txt", "is empty"),
        (b" \n\n", "a.csv", "is empty"),
        (b"keyword\n\n", "a.csv", "holds no keyword"),
        (b"=1+1\n", "a.txt", "holds no keyword"),
        (b"a,b\n1,2\n", "a.csv", "no column 'keyword', but 'a', 'b'"),
        (b"Keyword,keyword\nsleep,light\n", "a.csv", "'Keyword' and 'keyword', and only one"),
        (
            b"keyword,keyword\nsleep,light\n",
            "a.csv",
            r"'keyword' and 'keyword \(2\)', and only one",
        ),
        (b"keyword,Domain,domain\nsleep,x,y\n", "a.csv", "'Domain' and 'domain', and only one"),
        (b"{}", "a.json", "no list of keywords"),
        (b'"x"', "a.json", "no list of keywords"),
        (b"[[[", "a.json", "is no JSON"),
        (b"[" * 100_000, "a.json", "JSON|deeply"),
        (b"[1" + b"0" * 5000 + b"]", "a.json", "is no JSON"),
        (b"%PDF-1.4", "a.pdf", "is a PDF"),
        (b"PK\x03\x04", "a.xlsx", "packed file"),
    ],
)
def test_a_file_without_keywords_is_refused_with_what_to_do(data, name, said):
    with pytest.raises(BadInput, match=said):
        texts(data, name)


def test_an_item_with_two_keywords_is_left_out_by_itself():
    found, said = texts(b'[{"keyword": "a", "Keyword": "b"}, {"keyword": "light"}]', "a.json")
    assert found == ["light"]
    assert "'keyword' and 'Keyword', and only one can be read" in str(said)
