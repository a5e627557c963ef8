"""White space without end is cut; what honest texts hold stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import settings
from core.gaps import MOST, narrow
from core.importing.marked import heading
from core.importing.reading import read
from core.literature.full_text import FullTexts
from core.literature.importing import read_file
from core.literature.venues import read_pages
from core.models.port import Reply
from core.models.validating import accept_text
from core.records import Idea


@given(st.text(alphabet="ab \n\t\u00a0", max_size=400))
def test_only_gaps_longer_than_any_honest_one_are_cut(text):
    narrowed = narrow(text)
    assert narrowed.split() == text.split()
    assert narrow(narrowed) == narrowed
    assert f"{' ' * (MOST + 1)}" not in narrowed.replace("\n", " ").replace("\t", " ").replace(
        "\u00a0", " "
    )
    if len(text) <= MOST:
        assert narrowed == text


@pytest.mark.parametrize("gap", [" ", "\n", " \n", "\t"])
def test_a_text_with_gaps_without_end_is_read_at_once(gap, store):
    # Each took minutes to hours: the square or the cube of the length.
    wide = gap * 300_000
    assert accept_text(Reply(f"x{wide}y", "stop", "m")) == f"x{(gap * MOST)[:MOST]}y"
    texts = FullTexts(settings.read({}), store.library)
    assert read_file("papers.txt", f"{wide}TY  - x".encode(), texts).format
    sheet = read("ideas.md", f"# One{wide}two\n\nIt is said.\n# Three{wide}\n".encode())
    assert all(len(cell) < 2 * MOST + 20 for row in sheet.rows for cell in row.cells.values())


def test_signs_without_end_are_read_at_once():
    many = "#" * 100_000
    assert heading(f"# C {many}").text == "C"
    assert heading(f"# {many}x").text == f"{many}x"
    assert heading(f"### {'* ' * 50_000}").level == 3
    assert read_pages("12 -- 15") == "12-15"
    assert read_pages(f"1{' ' * 100_000}2") == "1 2"
    starred = Idea(form="headed", fields={"text": f"{'*' * 19_000}! a text of its own"})
    assert starred.fields["text"].endswith("own")
