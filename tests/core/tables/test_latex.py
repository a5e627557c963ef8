"""Tables as LaTeX, CSV and Markdown: every text as text, every figure in full, nothing that another
program would run.
"""

import csv
import io
import re
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.export.tables import archive, markdown
from core.records import Table, Value
from core.tables.latex import escaped, latex
from core.tables.sheets import sheet

ALLOWED = re.compile(
    r"\\[%&_#{}$,]|\\text(?:backslash|asciitilde|asciicircum|less|greater|bar|asciigrave|bullet|euro)\{\}|\\ldots\{\}"
    r"|\\symbol\{34\}|\$\\?[^$%&#_~]*\$|\{\}"
)
"""All that may be left of LaTeX's own signs in a text that was escaped."""


def table(*rows, head=("Method", "Q")):
    return Table(name="t", title="A table", head=head, rows=rows)


@given(st.text(max_size=60) | st.text("\\{}%&_#$~^<>|`\"'-,[]*\n\t§é≤αЖ中", max_size=30))
def test_no_text_is_ever_run_by_latex(text):
    said = escaped(text)
    assert "\n" not in said
    assert not re.search(r"[\\%&_#$~^{}<>|`\"]", ALLOWED.sub("", said).replace("``", "")), said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("50 % & more_#1", r"50 \% \& more\_\#1"),
        ("a\\b{c}~d^e", r"a\textbackslash{}b\{c\}\textasciitilde{}d\textasciicircum{}e"),
        ("a--b – c", "a-{}-b -- c"),
        ("α ≤ 3 °C", r"$\alpha$ $\leq$ 3 $^\circ$C"),
        ("Müller\n\nand\x00 Šťastný", "Müller and Šťastný"),
        ("$5", r"\$5"),
    ],
)
def test_signs_are_set_as_they_are_meant(text, said):
    assert escaped(text) == said


def test_letters_that_pdflatex_lacks_are_announced():
    assert "XeLaTeX" in latex(table((Value(text="睡眠"), Value(mean=1))))
    assert "XeLaTeX" not in latex(table((Value(text="Müller α"), Value(mean=1))))


def test_an_even_interval_is_written_with_plus_minus():
    assert "$0.981_{\\pm 0.004}$" in latex(
        table((Value(text="InfAL"), Value(mean=0.981, low=0.977, high=0.985)))
    )


def test_a_column_with_one_uneven_interval_has_brackets_throughout():
    said = latex(
        table(
            (Value(text="a"), Value(mean=0.9, low=0.8, high=0.95)),
            (Value(text="b"), Value(mean=0.5, low=0.4, high=0.6)),
        )
    )
    assert "$0.900$ [$0.800$, $0.950$]" in said
    assert "$0.500$ [$0.400$, $0.600$]" in said


def test_figures_are_set_in_math_with_their_units():
    said = latex(
        table(
            (Value(text="x"), Value(mean=0.98, unit="percent")),
            (Value(text="y"), Value(mean=221.6, unit="change", digits=1)),
            (Value(text="z"), Value(mean=3.28e-16, unit="p")),
            (Value(text="v"), Value(mean=-0.2, n=3, of=10, counted="targets")),
            (Value(text="w"), Value(mean=1.27, unit="dollars", digits=2)),
            (Value(text="u"), Value()),
        )
    )
    for cell in (
        r"$98.0\,\%$",
        r"$+221.6\,\%$",
        r"$3.28 \times 10^{-16}$",
        "$-0.200$ (3 of 10 targets)",
        r"$\$1.27$",
        "u & --",
    ):
        assert cell in said


def test_every_row_has_as_many_cells_as_the_head_and_none_begins_like_an_argument():
    said = latex(
        table((Value(text="[a] & b"), Value(mean=1)), (Value(text="*"), Value(text="c\\\\d")))
    )
    body = said.split("\\midrule\n")[1].split("\\bottomrule")[0].strip().splitlines()
    assert len(body) == 2
    assert all(len(re.findall(r"(?<!\\)&", line)) == 1 and line.endswith(r" \\") for line in body)
    assert body[0].startswith("{}[")
    assert body[1].startswith("{}*")
    assert said.startswith("% Needs \\usepackage{booktabs}")
    assert "\\label{tab:t}" in said


@pytest.mark.parametrize("text", ["=1+1", "+49", "-2", "@sum", "  =x", "\t=x"])
def test_no_text_becomes_a_formula(text):
    rows = list(
        csv.reader(
            io.StringIO(sheet(table((Value(text=text), Value(mean=-0.5)), head=("Method", "=Q"))))
        )
    )
    assert rows[0][1] == "'=Q"
    assert rows[1][0] == f"'{text}"
    assert rows[1][1] == "-0.5", "a negative figure stays a figure"


def test_a_sheet_has_figures_in_full_with_ends_and_counts():
    whole = Value(mean=1 / 3, low=0.1, high=0.7, n=3, of=10, counted="targets")
    rows = list(
        csv.DictReader(
            io.StringIO(
                sheet(table((Value(text="InfAL"), whole), (Value(text="Initial idea"), Value())))
            )
        )
    )
    assert rows[0] == {
        "Method": "InfAL",
        "Q": repr(1 / 3),
        "Q (95 % low)": "0.1",
        "Q (95 % high)": "0.7",
        "Q (n)": "3",
        "Q (n planned)": "10",
    }
    assert set(rows[1].values()) == {"Initial idea", ""}, "what is unknown stays empty, and is no 0"


def test_markdown_shows_texts_as_texts():
    said = markdown(table((Value(text="a|b <script> *c*"), Value(mean=0.5, low=0.4, high=0.6))))
    assert r"a\|b \<script> \*c\*" in said
    assert "0.500 [0.400, 0.600]" in said


def test_the_archive_holds_every_table_in_three_forms_and_is_the_same_each_time():
    one = table((Value(text="a"), Value(mean=1)))
    packed = archive([one, one.model_copy(update={"name": "u"})])
    with zipfile.ZipFile(io.BytesIO(packed)) as file:
        assert file.namelist() == ["t.csv", "t.tex", "t.md", "u.csv", "u.tex", "u.md"]
        assert file.read("t.csv").decode() == sheet(one)
    assert archive([one, one.model_copy(update={"name": "u"})]) == packed
