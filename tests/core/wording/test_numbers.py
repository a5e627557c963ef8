"""Numbers with what they count."""

import pytest

from core.wording.numbers import counted


@pytest.mark.parametrize(
    ("n", "noun", "said"),
    [
        (1, "match", "1 match"),
        (2, "match", "2 matches"),
        (0, "study", "0 studies"),
        (3, "survey", "3 surveys"),
        (2, "judged idea", "2 judged ideas"),
        (1_200, "call", "1,200 calls"),
    ],
)
def test_a_count_has_its_noun_in_the_right_number(n, noun, said):
    assert counted(n, noun) == said
