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


def test_pieces_of_a_broken_row_are_refused_until_a_row_as_wide_as_others():
    lines = ["idea,method,year", '"He said "no" there', "second half", "", "A whole one,y,2", "s"]
    _, broken, half, blank, whole, short = read_rows(lines, ",")
    assert broken.cells is None
    assert half.trouble == "it comes after a broken row, and has 1 cell where others have 3"
    assert (blank.cells, whole.cells, short.cells) == ([], ["A whole one", "y", "2"], ["s"])


@pytest.mark.parametrize("row", ["x,1,2,,", "x,1,2"])
def test_empty_cells_at_the_end_of_rows_say_nothing(row):
    """Spreadsheets leave them out, or put more of them."""
    lines = ["a,b,c,d,e", row, '"Never closed,1,2', *[row] * 30]
    refused = [read.line for read in read_rows(lines, ",") if read.cells is None]
    assert refused == [2]


def test_rows_of_another_width_are_taken_again_some_lines_after_a_broken_one():
    lines = ["a,b,c,d", '"Never closed,1,2', *[f"x{n},1,2" for n in range(60)]]
    refused = [read.line for read in read_rows(lines, ",") if read.cells is None]
    assert refused == list(range(1, 2 + csv_rows.IN_DOUBT))


def test_a_row_that_swallowed_others_is_refused_with_where_it_ends():
    lines = ["rater,idea,score", "Ann,1,3", '"Bob,2,4', *[f"Cy,{n},5" for n in range(3_000)]]
    lines += ['Dee,9,5"', "Eve,10,2"]
    _, ann, bob, eve = read_rows(lines, ",")
    assert (ann.cells, eve.cells) == (["Ann", "1", "3"], ["Eve", "10", "2"])
    assert bob.trouble == (
        "it goes on to line 3004 and has 1 cell where others have 3; a quotation mark may be"
        " missing"
    )


def test_a_cell_of_several_lines_may_stand_in_a_row_that_leaves_empty_cells_out():
    lines = ["idea,rater,score,comment,more", 'Nap,Ann,3,"Fine.', 'Really."', "Nap,Bob,4"]
    assert [row.cells for row in read_rows(lines, ",")][1:] == [
        ["Nap", "Ann", "3", "Fine.\nReally."],
        ["Nap", "Bob", "4"],
    ]


def test_a_file_of_marks_that_are_never_closed_is_refused_in_time(monkeypatch):
    monkeypatch.setattr(csv_rows, "MOST_READ_AGAIN", 100_000)
    lines = ["a,b", *['x","y'] * 3_000]
    with pytest.raises(BadInput, match="never closed"):
        list(read_rows(lines, ","))
