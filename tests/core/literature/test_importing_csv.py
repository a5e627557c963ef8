"""CSV and lists of DOIs in."""

import pytest

from core.errors import BadInput
from core.literature.importing import table
from core.literature.importing.entries import gather, read_list
from core.store.own import Imported


def read(text: str) -> Imported:
    return gather("x.csv", "CSV", table.entries(text))


def test_columns_are_known_in_any_case_and_order():
    found = read(
        "DOI,Title,AUTHORS,Publication Year,Source title,Cited by,arXiv,Abstract,Link,PDF,Date\n"
        '10.1000/x,"Naps, and more","Lee, Ann; Müller,'
        ' B.",2020,Sleep,"1,234",2005.00001,"Two\nlines",https://x.org,https://x.org/a.pdf,2020-05-03\n'
    )
    (paper,) = found.papers
    assert paper.model_dump(exclude_defaults=True) == {
        "id": "doi:10.1000/x",
        "title": "Naps, and more",
        "authors": ("Ann Lee", "B. Müller"),
        "year": 2020,
        "published": "2020-05-03",
        "venue": "Sleep",
        "abstract": "Two lines",
        "citations": 1234,
        "arxiv": "2005.00001",
        "doi": "10.1000/x",
        "url": "https://x.org",
        "pdf": "https://x.org/a.pdf",
        "source": "library",
    }


@pytest.mark.parametrize(
    ("text", "authors"),
    [
        ("Lee, Ann; Berg, Jan", ("Ann Lee", "Jan Berg")),
        ("Ann Lee; Jan Berg", ("Ann Lee", "Jan Berg")),
        ("Ann Lee, Jan Berg", ("Ann Lee", "Jan Berg")),
        ("Lee, Ann and Berg, Jan", ("Ann Lee", "Jan Berg")),
        ("", ()),
        ("Ann Lee", ("Ann Lee",)),
    ],
)
def test_authors_are_told_apart(text, authors):
    assert read(f'title,authors\nNaps,"{text}"\n').papers[0].authors == authors


@pytest.mark.parametrize("comma", [",", ";", "\t"])
def test_cells_may_be_parted_by_comma_semicolon_or_tab(comma):
    assert read(f"title{comma}year\nNaps{comma}2020\n").papers[0].year == 2020


def test_of_a_thousand_rows_exactly_the_planted_faults_are_left_out():
    faults = {
        100: '"Never closed,2020,',
        200: "Naps, unquoted,2020,10.1000/s.200",
        300: ",2020,10.1000/s.300",
        400: "Study 400,2020,10.1000/S.7",
        500: 'He said "no" twice" x,2020,',
        999: '"The last, never closed,2020',
    }
    why = {
        100: "quotation mark",
        200: "4 cells under 3 column names",
        300: "put its DOI into a list",
        400: "same paper as line 9",
        999: "quotation mark",
    }
    rows = [faults.get(n, f'"Study {n}, in ""quotes""",2020,10.1000/s.{n}') for n in range(1000)]
    found = read("\n".join(["title,year,doi", *rows]))
    assert [left.where for left in found.skipped] == [f"line {n + 2}" for n in why]
    assert all(said in left.reason for left, said in zip(found.skipped, why.values(), strict=True))
    assert len(found.papers) == 995
    assert found.papers[1].title == 'Study 1, in "quotes"'


def test_references_become_edges_by_id_key_or_doi():
    found = read(
        'id;title;doi;references\na;One;10.1000/a;\nb;Two;;"a; 10.1000/ELSEWHERE ;nothing known"\n'
    )
    two = found.papers[1].id
    assert found.edges == ((two, "doi:10.1000/a"), (two, "doi:10.1000/elsewhere"))


def test_an_edge_names_the_entry_that_was_kept():
    found = read(
        "title,doi,arxiv,references\nOne,10.1000/a,2401.00001,\nOne"
        ' again,10.1000/A,,\nTwo,,2401.00002,"arXiv:2401.00001;10.1000/a"\n'
    )
    assert found.edges == (("arxiv:2401.00002", "doi:10.1000/a"),)


def test_only_web_addresses_and_plain_numbers_are_taken():
    (paper,) = read(
        "title,url,pdf,citations,year,doi,arxiv\nNaps,javascript:alert(1),file:///etc/passwd,many,soon,none,none\n"
    ).papers
    assert paper.model_dump(exclude_defaults=True) == {
        "id": paper.id,
        "title": "Naps",
        "source": "library",
    }


def test_a_file_without_titles_is_refused_and_says_what_to_do():
    with pytest.raises(BadInput, match=r"list of DOIs goes into a \.txt file"):
        read("doi\n10.1000/x\n")


@pytest.mark.parametrize(
    "hostile",
    [
        '"' * 10_001,
        "title\n" + '"a\n' * 3000,
        "title\n" + "x" * 300_000,
        "title\n" + ",\n" * 5000,
        "title,title\na,b",
        "title\n\0",
        "title\n=1+1",
    ],
)
def test_what_is_no_csv_breaks_nothing(hostile):
    try:
        found = read(hostile)
    except BadInput:
        return
    assert len(found.papers) <= 1500


def test_a_list_holds_dois_arxiv_ids_and_addresses_of_either():
    found = read_list(
        "x.txt",
        "10.1000/A\n\n# a"
        " remark\nhttps://doi.org/10.1000/b\narXiv:2401.00001v2\n2401.00002\nhttps://arxiv.org/abs/hep-th/9901001\ndoi:10.48550/arXiv.2401.00001\nhttp://dx.doi.org/10.1000/a\nsome"
        " words\n12345\n",
    )
    assert found.wanted == (
        "doi:10.1000/a",
        "doi:10.1000/b",
        "arxiv:2401.00001",
        "arxiv:2401.00002",
        "arxiv:hep-th/9901001",
    )
    assert [(left.where, left.reason) for left in found.skipped] == [
        ("line 8", "the same as line 5"),
        ("line 9", "the same as line 1"),
        ("line 10", "neither a DOI nor an arXiv id"),
        ("line 11", "neither a DOI nor an arXiv id"),
    ]
