"""Normal forms of Unicode: what the standard says, and in time that follows a text's length."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.literature.importing.text import plain
from core.literature.paper_ids import slug
from core.normal_forms import JOINER, MOST, normal

FORMS = ("NFC", "NFKC", "NFKD")


@given(st.text(st.sampled_from("aé\u0301\u0316\u0344\u0f73가ᄀ\u11a8Σﬁ"), max_size=MOST // 2))
def test_it_is_the_form_of_the_standard(text):
    for form in FORMS:
        assert normal(form, text) == unicodedata.normalize(form, text)


def test_a_longer_row_is_parted_once_and_for_all():
    text = "a" + "\u0301" * (MOST + 1)
    parted = normal("NFKD", text)
    assert parted == "a" + "\u0301" * MOST + JOINER + "\u0301"
    assert normal("NFKD", parted) == parted


@pytest.mark.parametrize("row", ["\u0301\u0316", "\u0344", "\u0f73", "\U0001e944\u0301\u0316"])
def test_a_text_of_nothing_but_what_combines_takes_no_longer_than_another(row):
    began = time.process_time()
    text = "a" + row * 200_000
    for form in FORMS:
        normal(form, text)
    plain(text)
    slug(text)
    # Some tenths of a second; in the square of its length it takes minutes.
    assert time.process_time() - began < 10
