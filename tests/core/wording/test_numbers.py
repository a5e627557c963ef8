"""Numbers with what they count."""

import pytest

from core.wording.numbers import counted, percent


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


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0, "0%"),
        (0.0004, "under 0.1%"),
        (0.004, "0.4%"),
        (0.25, "25%"),
        (249 / 250, "99.6%"),
        (0.9996, "over 99.9%"),
        (1, "100%"),
    ],
)
def test_what_is_not_all_or_nothing_is_not_rounded_to_it(share, said):
    assert percent(share) == said
