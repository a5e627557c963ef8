"""Research questions from files: each is read with its review from the columns that are named."""

import pytest

from core.errors import BadInput
from core.importing.questions import questions_in


def test_questions_are_read_with_their_reviews_and_rows_without_one_are_named():
    data = b"Research question,Review\nDo naps help?,They may.\n,Of nothing.\n"
    (found,), (refused,) = questions_in("q.csv", data)
    assert (found.question, found.review) == ("Do naps help?", "They may.")
    assert refused.where == "line 3"


@pytest.mark.parametrize("second", ["question", "Question", "question "])
def test_of_two_columns_of_one_name_none_replaces_the_other(second):
    data = f"question,{second}\nDo naps help?,Does light?\n"
    with pytest.raises(BadInput, match="and only one can be read"):
        questions_in("q.csv", data.encode())


def test_a_question_that_lost_a_byte_is_named():
    data = "question,review\nDo naps help?,Übersicht.\n".encode() + b"Does caf\xe9 help?,It may.\n"
    (found,), (refused,) = questions_in("q.csv", data)
    assert found.question == "Do naps help?"
    assert (refused.where, "the byte 0xE9" in refused.reason) == ("line 3", True)
