"""RIS in: every dialect of its tags is read; a broken entry is named and takes no other along."""

import re

import pytest

from core.literature.importing import ris as importing_ris
from core.literature.importing.entries import gather
from core.store.own import Imported


def read(text: str) -> Imported:
    return gather("x.ris", "RIS", importing_ris.entries(text))


def entry(n: int, **changed: str) -> str:
    tags = {
        "TY": "JOUR",
        "TI": f"Study number {n} of été",
        "AU": "Müller, Anna",
        "PY": "2020/05/01",
        "DO": f"10.1000/s.{n}",
        "ER": "",
        **changed,
    }
    return "\n".join(f"{tag}  - {value}" for tag, value in tags.items() if value or tag == "ER")


FAULTS = {
    50: (entry(50).replace("ER  - ", ""), "no line ER"),
    150: (entry(150).replace("TY  - ", "T Y - "), "no line TY"),
    250: (entry(250, TI=""), "no title"),
    350: (entry(350, DO="https://doi.org/10.1000/S.7"), "same paper as line"),
    450: (entry(450, DO="", TI="STUDY Number 8 -- of Été"), "same paper as line"),
    550: (entry(550).replace("ER  - ", "RE  - "), "no line ER"),
    650: (entry(650, TI="?!"), "no title"),
    999: (entry(999).replace("ER  - ", ""), "no line ER"),
}


def test_of_a_thousand_entries_exactly_the_planted_faults_are_left_out():
    blocks = [FAULTS[n][0] if n in FAULTS else entry(n, **{"PY": "2020"}) for n in range(1000)]
    found = read("\n\n".join(blocks))
    assert [paper.doi for paper in found.papers] == [
        f"10.1000/s.{n}" for n in range(1000) if n not in FAULTS
    ]
    assert len(found.skipped) == len(FAULTS)
    for left, (n, (_, why)) in zip(found.skipped, FAULTS.items(), strict=True):
        assert re.search(why, left.reason), (n, left.reason)
        first = sum(block.count("\n") + 2 for block in blocks[:n]) + 1
        assert left.where == f"line {first + (n == 150)}", (
            "an entry without its first line begins at its second"
        )
    assert {paper.authors for paper in found.papers} == {("Anna Müller",)}


def test_every_field_has_several_tags():
    (paper,) = read(
        "TY  - CONF\nT1  - Naps\nA1  - Lee, Ann\nA1  - King, Martin Luther, Jr\nY1  - 2020///\nDA "
        " - 2020/05/03\nT2  - Proc. of Naps\nN2  - First line\ngoes on\nUR  - https://x.org/a;b\nUR"
        "  - https://arxiv.org/abs/2005.00001\nL1  - https://x.org/a.pdf\nXX  - ignored\nER  -\n"
    ).papers
    assert (paper.title, paper.authors, paper.venue) == (
        "Naps",
        ("Ann Lee", "Martin Luther King Jr"),
        "Proc. of Naps",
    )
    assert (paper.year, paper.published, paper.abstract) == (
        2020,
        "2020-05-03",
        "First line goes on",
    )
    assert (paper.url, paper.pdf, paper.arxiv, paper.id) == (
        "https://x.org/a;b",
        "https://x.org/a.pdf",
        "2005.00001",
        "arxiv:2005.00001",
    )


@pytest.mark.parametrize(
    "text",
    [
        "TY - JOUR\nTI - Naps\nER - ",
        "  TY  - JOUR\n  TI  - Naps\n  ER  - ",
        "\ufeffTY  - JOUR\nTI  - Naps\nER  -",
        "remark\nTY  - X\nTI  - Naps\nER  - x",
    ],
)
def test_small_liberties_of_exporters_are_taken(text):
    assert [paper.title for paper in read(text).papers] == ["Naps"]


def test_a_title_over_several_lines_is_one():
    assert read("TY  - JOUR\nTI  - Naps and\n  memory\nER  - ").papers[0].title == "Naps and memory"


@pytest.mark.parametrize(
    "hostile",
    [
        "TY  - " * 3000,
        "ER  - \n" * 3000,
        "\n" * 10_000,
        "TY  - JOUR\n" * 500,
        "AU  - x\n" * 5000,
        "TY  - \0\x1b[2J",
        "- - -",
    ],
)
def test_what_is_no_ris_breaks_nothing(hostile):
    assert read(hostile + "\n" + entry(1)).papers[-1:] in (read(entry(1)).papers, ())


def test_authors_that_go_into_the_thousands_are_all_kept():
    text = (
        "TY  - JOUR\nTI  - Big physics\n"
        + "\n".join(f"AU  - Person{n}, A" for n in range(3000))
        + "\nER  - "
    )
    assert len(read(text).papers[0].authors) == 3000
