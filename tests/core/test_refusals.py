"""What is not taken of a file: all of it is counted, and the first of it kept."""

from core.commands.training import NAMED, taught
from core.importing.sheets import RefusedRow
from core.refusals import KEPT, LONGEST, OTHER, REASONS, Refusals, kind_of


def row(n: int, reason: str = "No topic.") -> RefusedRow:
    return RefusedRow(where=f"line {n}", reason=reason)


def number(one: RefusedRow) -> int:
    return int(one.where.split()[1])


def test_all_rows_are_counted_and_the_first_are_kept():
    found = Refusals(row(n) for n in range(2 * KEPT + 7))
    assert (found.count, len(found.first), found.more) == (2 * KEPT + 7, KEPT, KEPT + 7)
    assert found.first[-1].where == f"line {KEPT - 1}"
    assert found.reasons == {"No topic.": 2 * KEPT + 7}


def test_the_first_by_their_place_are_kept_however_late_they_come():
    found = Refusals((row(n) for n in reversed(range(3 * KEPT))), place=number)
    assert [one.where for one in found.first] == [f"line {n}" for n in range(KEPT)]
    assert len(found._first) < 2 * KEPT, "no more is held than twice what is kept"


def test_few_rows_are_all_kept():
    found = Refusals((row(2), row(1)), place=number)
    assert ([number(one) for one in found.first], found.more) == ([1, 2], 0)


def test_reasons_are_counted_without_the_names_in_them():
    found = Refusals(row(n, f"'a{n}' and \"b's\" do not meet on {n}.5") for n in range(30))
    assert found.reasons == {"… and … do not meet on …": 30}


def test_an_apostrophe_is_no_name():
    assert kind_of("It doesn't say 'who', and isn't dated") == "It doesn't say …, and isn't dated"


def test_a_quote_that_is_part_of_a_name_begins_none():
    """It is cut off there, and would be read anew from each of a thousand."""
    cut = r"cut off behind \'these' and \"those\""
    assert kind_of(cut) == cut
    assert kind_of(r"whole: 'it\'s' and 'that'") == "whole: … and …"


def test_kinds_of_reasons_are_bounded():
    words = [f"{chr(97 + n // 26)}{chr(97 + n % 26)} is wrong" for n in range(REASONS + 9)]
    found = Refusals(row(1, word) for word in words)
    assert len(found.reasons) == REASONS + 1
    assert found.reasons[OTHER] == 9
    assert len(kind_of("x" * 10 * LONGEST)) == LONGEST


def test_the_command_line_names_the_first_rows_and_how_many_more_there_are(store, tmp_path, capsys):
    file = tmp_path / "questions.csv"
    asked = "".join(f"Question {n}?,x\n" for n in range(20))
    file.write_text(f"question,review\n{asked}" + ",no question\n" * 300)
    taught(store, str(file), 4)
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "line 22: It has no question."
    assert (len(told), told[-1]) == (NAMED + 1, "and 280 more rows")
