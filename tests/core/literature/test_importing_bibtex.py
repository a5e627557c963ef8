"""BibTeX in: LaTeX, macros and names are read; a broken entry is named and takes no other along."""

import re

import pytest

from core.errors import BadInput
from core.literature.importing import bibtex as importing_bibtex
from core.literature.importing.entries import gather
from core.store.own import Imported


def read(text: str) -> Imported:
    return gather("x.bib", "BibTeX", importing_bibtex.entries(text))


def title(value: str) -> str:
    (paper,) = read(f"@misc{{k,\n title = {value}\n}}").papers
    return paper.title


def entry(n: int, **changed: str) -> str:
    given = {
        "title": f"{{Study number {n} of {{\\'e}}t\\'e}}",
        "author": '{M{\\"u}ller, Anna and Lee, B.}',
        "year": "2020",
        "doi": f"{{10.1000/s.{n}}}",
        **changed,
    }
    return (
        f"@article{{key{n},\n"
        + ",\n".join(f"  {name} = {value}" for name, value in given.items() if value)
        + "\n}\n"
    )


FAULTS = {
    50: ("@article{key50,\n  title = {Never closed,\n  year = 2020\n}\n", "missing"),
    150: ('@article{key150,\n  title = "Quote never closed,\n  year = 2020\n}\n', "missing"),
    250: (
        "@article{key250,\n  title = {Closed} too often},\n  year = {2020}\n}\n",
        "too many|missing",
    ),
    300: (entry(300, title=""), "no title"),
    350: (entry(350, doi="{https://doi.org/10.1000/S.7}"), "same paper as key7 "),
    450: (entry(450, title="{STUDY number 8: of Été!}", doi=""), "same paper as key8 "),
    550: ("@article key550, title = {No bracket}}\n", "bracket is missing"),
    650: (entry(650, title="{" + "endless " * 200 + "}"), "more than 1,000 characters"),
    750: (entry(750, title="{{}{}}"), "no title"),
    850: ("@article{key850\n  title = {No comma after the key},\n  year = 2020\n}\n", "missing"),
}


def test_of_a_thousand_entries_exactly_the_planted_faults_are_left_out():
    text = "% made by hand\n" + "\n".join(
        FAULTS[n][0] if n in FAULTS else entry(n) for n in range(1000)
    )
    found = read(text.replace("Study number 8 of", "Study number 8: of"))
    assert [paper.doi for paper in found.papers] == [
        f"10.1000/s.{n}" for n in range(1000) if n not in FAULTS
    ]
    assert len(found.skipped) == len(FAULTS)
    lines = text.split("\n")
    for left, (n, (_, why)) in zip(found.skipped, FAULTS.items(), strict=True):
        line = next(
            number
            for number, said in enumerate(lines, 1)
            if f"key{n}," in said or said.endswith(f"key{n}")
        )
        assert left.where in (f"key{n} (line {line})", f"line {line}")
        assert re.search(why, left.reason), (n, left.reason)
    assert {paper.authors for paper in found.papers} == {("Anna Müller", "B. Lee")}
    assert found.papers[0].title == "Study number 0 of été"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (r"{G{\"o}del, {\AA}ngstr{\"o}m \& {\ss}}", "Gödel, Ångström & ß"),
        (r'"Quoted {Title} {"}x{"}"', 'Quoted Title "x"'),
        ("{50% of 5 & $10}", "50% of 5 & $10"),
        (r"{$\alpha$-helices of $O(n^2)$}", "α-helices of O(n^2)"),
        ("{a -- b --- c}", "a – b — c"),
        ("{one\n   two}", "one two"),
        ("{a~b}", "a b"),
        (r"{\emph{Nap} \textbf{now}}", "Nap now"),
        (r"{\href{http://x.org}{Text}}", "Text"),
        (r"{\unknowncommand{kept}}", "kept"),
        ("{{LLM}s}", "LLMs"),
        (r"{\today naps}", "naps"),
        ('"A" # { and } # "B"', "A and B"),
        ("1984", "1984"),
        (r"{\input{/etc/passwd}naps}", "naps"),
        ("{a @ {b}}", "a @ b"),
    ],
)
def test_latex_is_read_as_text(value, said):
    assert title(value) == said


def test_macros_are_filled_in_and_months_are_known_by_name():
    found = read(
        '@string{j = "Journal of " # naps}\n@string(naps = {Naps})\n@STRING{J2 ='
        " {Sleep}}\n@article{a, title={One}, journal=j2, year=2020, month=mar}\n@article{b,"
        " title={Two}, journal={X} # { } # J2, month={10~} # jun, year={2021}}"
    )
    assert [(paper.venue, paper.published) for paper in found.papers] == [
        ("Sleep", "2020-03"),
        ("X Sleep", "2021-06-10"),
    ]


@pytest.mark.parametrize(
    ("field", "names"),
    [
        ("Knuth, Donald E. and Lamport, Leslie", ("Donald E. Knuth", "Leslie Lamport")),
        ("Donald E. Knuth", ("Donald E. Knuth",)),
        (
            "{Barnes and Noble, Inc.} and van der Berg, Jan",
            ("Barnes and Noble, Inc.", "Jan van der Berg"),
        ),
        ("King, Jr., Martin Luther", ("Martin Luther King Jr.",)),
        ("A and others", ("A", "others")),
        ("A and others and B", ("A", "B")),
        ("others", ()),
        (r"Erd{\H o}s, P\'al", ("Pál Erdős",)),
        ("", ()),
        ("Trailing, ", ("Trailing",)),
        ("A,B,C,D,E", None),
    ],
)
def test_names_are_read_as_they_are_said(field, names):
    (paper,) = read(f"@misc{{k, title={{T1}}, author={{{field}}}}}").papers
    assert names is None or paper.authors == names


@pytest.mark.parametrize(
    ("fields", "arxiv"),
    [
        ("eprint={2401.00001}, archivePrefix={arXiv}", "2401.00001"),
        ("eprint={2401.00001v2}", "2401.00001"),
        ("journal={arXiv preprint arXiv:2401.00001}", "2401.00001"),
        ("doi={10.48550/arXiv.2401.00001}", "2401.00001"),
        ("url={https://arxiv.org/abs/2401.00001}", "2401.00001"),
        ("eprint={12345678}, eprinttype={pubmed}", None),
    ],
)
def test_the_arxiv_id_is_found_where_people_put_it(fields, arxiv):
    (paper,) = read(f"@misc{{k, title={{T1}}, {fields}}}").papers
    assert paper.arxiv == arxiv


def test_a_paper_without_a_date_on_arxiv_came_out_when_its_id_says():
    dated = read(
        "@misc{k, title={T1}, eprint={2401.00001}}\n@misc{l, title={T2}, eprint={hep-th/9901001}}\n"
        "@misc{m, title={T3}, eprint={2401.00002}, year=2025}"
    )
    assert [(paper.year, paper.published) for paper in dated.papers] == [
        (2024, "2024-01"),
        (1999, "1999-01"),
        (2025, None),
    ]


def test_two_entries_of_one_key_are_two_papers_and_of_a_field_given_twice_the_first_counts():
    found = read("@misc{k, title={One}}\n@misc{k, title={Two}, title={Three}}")
    assert [paper.title for paper in found.papers] == ["One", "Two"]


def test_what_the_file_says_is_cited_becomes_edges():
    found = read(
        "@misc{a, title={One}, doi={10.1000/a}, references={b; 10.1000/elsewhere, nothing"
        " a}}\n@misc{b, title={Two}, cites={arXiv:2401.00001}}"
    )
    two = found.papers[1].id
    assert found.edges == (
        ("doi:10.1000/a", two),
        ("doi:10.1000/a", "doi:10.1000/elsewhere"),
        (two, "arxiv:2401.00001"),
    )


def test_an_entry_too_deep_to_read_is_skipped_alone():
    found = read(
        "@misc{deep, title={\\x" + "{" * 3000 + "x" + "}" * 3000 + "}}\n@misc{fine, title={Fine}}"
    )
    assert [paper.title for paper in found.papers] == ["Fine"]
    assert "LaTeX" in found.skipped[0].reason


def test_macros_that_hold_macros_do_not_grow_without_end():
    """Each ten times the one before: a file of 500 bytes would hold all memory."""
    macros = '@string{m0 = "ha"}' + "".join(
        f"@string{{m{n} = {' # '.join([f'm{n - 1}'] * 10)}}}\n" for n in range(1, 12)
    )
    with pytest.raises(BadInput, match=r"Macro m5 \(line .\): macros fill in more than 200,000"):
        read(macros + entry(1))


def test_an_entry_that_macros_would_blow_up_is_named_and_those_before_it_are_read():
    macro = f'@string{{long = "{"ha " * 100_000}"}}\n'
    blown = read(macro + entry(1) + entry(2, note="{} # " + " # ".join(["long"] * 20)) + entry(3))
    assert [paper.title for paper in blown.papers] == [
        "Study number 1 of été",
        "Study number 3 of été",
    ]
    (skipped,) = blown.skipped
    assert "key2" in str(skipped)
    assert "macros fill in more" in str(skipped)


def test_what_macros_fill_in_is_no_more_than_a_long_file_has():
    papers = "".join(f"@misc{{k{n}, title={{One {n}}}, journal=j}}\n" for n in range(6_000))
    found = read(f'@string{{j = "Journal of the many names of naps"}}\n{papers}')
    assert (len(found.papers), found.skipped) == (6_000, ())


@pytest.mark.parametrize("field", ["title", "abstract", "journal", "year", "doi", "url", "cites"])
def test_a_field_longer_than_any_is_named_and_its_latex_is_not_read(monkeypatch, field):
    asked = latex_read(monkeypatch)
    found = read(entry(1) + entry(2, **{field: long(100_005)}))
    assert [paper.title for paper in found.papers] == ["Study number 1 of été"]
    (skipped,) = found.skipped
    said = f"its field '{field}' has 100,005 characters; 100,000 are read at most"
    assert (skipped.where, skipped.reason) == ("key2 (line 7)", said)
    assert max(map(len, asked)) < 1_000


@pytest.mark.parametrize(
    ("author", "said"),
    [
        ("1,005", "the name of an author has 1,005 characters; 1,000 are read at most"),
        ("500,005", "its field 'author' has 500,005 characters; 500,000 are read at most"),
    ],
)
def test_a_name_longer_than_any_is_said_and_not_read(monkeypatch, author, said):
    asked = latex_read(monkeypatch)
    found = read(entry(1) + entry(2, author=long(int(author.replace(",", "")))))
    assert (len(found.papers), said in found.skipped[0].reason) == (1, True), found.skipped
    assert max(map(len, asked)) < 1_000


def long(size: int) -> str:
    return "{" + "{\\'e}" * (size // 5) + "}"


def latex_read(monkeypatch) -> list[str]:
    """Return where every piece of LaTeX is put that is read from now on."""
    asked = []
    reading = importing_bibtex.text_of
    monkeypatch.setattr(
        importing_bibtex, "text_of", lambda latex: asked.append(latex) or reading(latex)
    )
    return asked


def test_a_field_that_nobody_reads_may_be_long_and_a_paper_have_many_authors():
    names = " and ".join(f"B{chr(97 + n % 26)}ker, Ann{n}" for n in range(12_000))
    found = read(
        f"@misc{{k, title={{One}}, author={{{names}}}, annote={{{'a' * 200_000}}}, year=2020}}"
    )
    assert len(found.papers[0].authors) == 12_000


def test_remarks_are_not_entries():
    found = read(
        '@comment{jabref-meta: x;}\nSome words.\n@preamble{"\\newcommand"}\n@misc{k,'
        " title={One}}\nmail a@b.org (c)"
    )
    assert (len(found.papers), found.skipped) == (1, ())


@pytest.mark.parametrize(
    "hostile",
    [
        "@" * 5000,
        "@a{" * 2000,
        "{" * 100_000,
        "@misc{k, title=" + '"' * 999,
        "@misc{,}",
        "@{}",
        "@misc(k, title={x)}",
        "\\" * 999,
        "@misc{k,=}",
    ],
)
def test_what_is_no_bibtex_breaks_nothing(hostile):
    assert [paper.title for paper in read(f"{hostile}\n\n@misc{{fine, title={{Fine}}}}\n").papers][
        -1:
    ] in ([], ["Fine"])


def test_a_formula_that_never_ends_is_looked_through_once():
    assert title("{Cost $" + "\\a" * 45_000 + "}").startswith("Cost")
    assert title("{Of $x^2$ and $\\alpha$ alone}") == "Of x^2 and α alone"
