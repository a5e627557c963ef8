"""Rows of a CSV file: what a cell holds is never a row, and a broken one costs itself."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import csv_rows
from core.csv_rows import LARGEST_CELL, read_rows
from core.errors import BadInput

CELLS = st.text(st.sampled_from('ab "\n,;x'), max_size=12)
TABLES = st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=8)


def written(rows: list[list[str]]) -> list[str]:
    held = io.StringIO()
    csv.writer(held, lineterminator="\n").writerows(rows)
    return held.getvalue().removesuffix("\n").split("\n")


@given(TABLES)
def test_what_was_written_is_read(rows):
    lines = written([["one", "two", "three"], *rows])
    assert [row.cells for row in read_rows(lines, ",")][1:] == rows


def test_a_cell_of_any_number_of_lines_is_one_cell():
    note = "fine" + "\n" * 1_500 + "E7,u1,10\nE8,u1,10\nend"
    rows = [["E1", "u1", note], ["E2", "u1", "2"]]
    lines = written([["rater", "unit", "note"], *rows])
    read = list(read_rows(lines, ","))
    assert [row.cells for row in read[1:]] == rows
    assert [row.line for row in read] == [0, 1, len(lines) - 1]


def test_a_row_with_too_large_a_cell_is_refused_whole():
    note = "\n".join(["E7,10"] * 30_000)
    lines = written([["rater", "note"], ["E1", note], ["E2", "short"]])
    _, large, last = read_rows(lines, ",")
    assert large.cells is None
    assert f"more than {LARGEST_CELL:,} characters, and ends in line 30001" in large.trouble
    assert last.cells == ["E2", "short"]


def test_a_quotation_mark_that_is_never_closed_costs_its_row():
    lines = ["a,b", '"open,1', *(f"x{n},2" for n in range(3_000))]
    _, broken, *rest = read_rows(lines, ",")
    assert broken.cells is None
    assert "quotation mark" in broken.trouble
    assert [row.cells for row in rest] == [[f"x{n}", "2"] for n in range(3_000)]


def test_pieces_of_a_broken_row_are_no_rows():
    lines = ["idea,method,year", 'Nap "well",x,1', '"He said "no" there', "and, then,"]
    lines += ["second half", "", "A whole one,y,2", "short"]
    _, first, broken, piece, half, blank, whole, short = read_rows(lines, ",")
    assert first.cells == ['Nap "well"', "x", "1"]
    assert broken.cells is None
    assert piece.cells == ["and", " then", ""]
    assert half.cells == ["second half"]
    assert (blank.cells, whole.cells, short.cells) == ([], ["A whole one", "y", "2"], ["short"])


def test_pieces_with_other_cells_than_the_columns_are_refused_until_a_whole_row():
    lines = ["idea,method,year", '"He said "no" there', "second half", "", "A whole one,y,2", "s"]
    _, broken, half, blank, whole, short = read_rows(lines, ",")
    assert broken.cells is None
    assert half.trouble == "it comes after a broken row, and has 1 cells under 3 column names"
    assert (blank.cells, whole.cells, short.cells) == ([], ["A whole one", "y", "2"], ["s"])


def test_a_file_of_marks_that_are_never_closed_is_refused_in_time(monkeypatch):
    monkeypatch.setattr(csv_rows, "MOST_READ_AGAIN", 100_000)
    lines = ["a,b", *['x","y'] * 3_000]
    with pytest.raises(BadInput, match="never closed"):
        list(read_rows(lines, ","))
