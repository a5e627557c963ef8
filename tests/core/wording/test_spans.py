"""Where the words of a judge stand: whatever it says, only the idea's own words are shown as a
quote.
"""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import Passage
from core.wording import passages
from core.wording.passages import LIKE, cut_at_passages, locate
from tests.support.evolving import WELL

LETTERS = st.text(alphabet="abcdef .,'\n“”’*-—éßİ", max_size=200)
NEVER = "zqxjkvw"
"""Letters of which no word of the idea is made up."""


def sound(text: str, found: Passage) -> bool:
    if found.state == "not found":
        return (found.start, found.end, found.quote, found.likeness) == (0, 0, "", 0.0)
    return found.quote == text[found.start : found.end] != "" and LIKE <= found.likeness <= 1


@given(LETTERS | st.text(max_size=80), LETTERS | st.text(max_size=80))
def test_a_quote_is_the_text_at_its_place_or_there_is_none(text, span):
    assert sound(text, locate(text, span))


@given(LETTERS | st.just(WELL), st.data())
def test_words_taken_from_the_text_are_found_verbatim(text, data):
    start = data.draw(st.integers(0, len(text)))
    span = text[start : data.draw(st.integers(start, len(text)))]
    found = locate(text, span)
    assert sound(text, found)
    if re.search(r"\w", span):
        assert (found.state, found.quote, found.likeness) == ("verbatim", span.strip(), 1.0)
    else:
        assert found.state == "not found"


@given(
    st.integers(0, len(WELL.split()) - 12), st.integers(6, 12), st.randoms(use_true_random=False)
)
def test_words_with_a_few_typos_are_found_nearly_where_they_stand(first, n, dice: random.Random):
    words = WELL.split()[first : first + n]
    span = " ".join(words)
    damaged = list(span)
    for _ in range(len(span) // 30 + 1):
        damaged[dice.randrange(len(damaged))] = dice.choice("abcdefgh")
    found = locate(WELL, "".join(damaged))
    assert found.state != "not found"
    assert sound(WELL, found)
    assert len(set(found.quote.split()) & set(words)) >= len(set(words)) / 2


@given(
    st.integers(0, len(WELL.split()) - 8),
    st.lists(st.sampled_from(["  ", "\n", "\t", "\u00a0", " \n "]), min_size=7, max_size=7),
)
def test_words_with_other_spaces_between_them_are_found_verbatim(first, spaces):
    words = WELL.split()[first : first + 8]
    span = words[0] + "".join(space + word for space, word in zip(spaces, words[1:], strict=True))
    found = locate(WELL, span)
    assert (found.state, found.quote.replace("*", "").split()) == (
        "verbatim",
        " ".join(words).replace("*", "").split(),
    )


@given(st.lists(st.text(alphabet=NEVER, min_size=3, max_size=9), min_size=1, max_size=12))
def test_invented_words_are_never_shown_as_a_quote(words):
    assert locate(WELL, " ".join(words)) == Passage(state="not found")


@pytest.mark.parametrize(
    "span",
    [
        "",
        "   ",
        "\n",
        '""',
        "...",
        "**",
        "Quantum annealing finds the ground state of dark matter halos.",
        "We pretrain a transformer on ten billion protein sequences",
        "gate xyz",
        "The network is evaluated on ImageNet by human raters",
    ],
)
def test_what_the_idea_does_not_say_is_not_found(span):
    assert locate(WELL, span) == Passage(state="not found")


@pytest.mark.parametrize(
    ("span", "state", "quote"),
    [
        ("“We ablate the gate.”", "verbatim", "We ablate the gate."),
        ("... The gate may not learn ...", "verbatim", "The gate may not learn"),
        ("Sleep‑gated replay", "verbatim", "Sleep-gated replay"),
        ("the gate", "verbatim", "the gate"),
        (
            "Networks that learn one task after an other forget (Smith et al 2024)",
            "nearest",
            "Networks that learn one task after another forget (Smith et al., 2024).",
        ),
        ("we ablate THE gate", "nearest", "We ablate the gate."),
        (
            "Experimental Plan / Evaluation We train on CIFAR-100",
            "verbatim",
            "Experimental Plan / Evaluation**\nWe train on CIFAR-100",
        ),
    ],
)
def test_quotes_dashes_emphasis_and_small_slips_do_not_hide_a_passage(span, state, quote):
    found = locate(WELL, span)
    assert (found.state, found.quote) == (state, quote)


def test_a_word_is_found_by_itself_before_it_is_found_in_another():
    assert locate("A train of thought on AI.", "AI").start == 22
    assert locate("The gates and the gate.", "gate").start == 18


PASSAGES = st.dictionaries(
    st.sampled_from(["risk", "method", "problem", "length"]),
    st.tuples(st.integers(0, 60), st.integers(0, 60)),
)


@given(st.text(max_size=60), PASSAGES)
def test_overlapping_passages_cut_the_text_into_pieces_that_are_the_text(text, places):
    passages = {
        item: Passage(
            state="verbatim",
            start=min(a, b),
            end=max(a, b),
            quote=text[min(a, b) : max(a, b)],
            likeness=1,
        )
        for item, (a, b) in places.items()
        if max(a, b) <= len(text)
    } | {"layout": Passage(state="not found")}
    pieces = cut_at_passages(text, passages)
    assert "".join(piece.text for piece in pieces) == text
    assert all(piece.text for piece in pieces)
    at = 0
    for piece in pieces:
        for item, one in passages.items():
            inside = (
                one.state != "not found" and one.start <= at and at + len(piece.text) <= one.end
            )
            assert (item in piece.items) == inside
        at += len(piece.text)
    assert not any("layout" in piece.items for piece in pieces)


def test_a_piece_names_every_passage_it_belongs_to():
    passages = {
        "risk": locate(WELL, "The gate may not learn; then"),
        "method": locate(WELL, "may not learn; then a fixed"),
    }
    held = {piece.text: piece.items for piece in cut_at_passages(WELL, passages)}
    assert held["may not learn; then"] == ("risk", "method")
    assert held["The gate "] == ("risk",)
    assert held[" a fixed"] == ("method",)


@pytest.mark.parametrize("changed", [0, 3, 20])
def test_in_a_whole_paper_the_nearest_passage_is_found_where_it_stands(changed):
    dice = random.Random(1)
    words = ["".join(dice.choices("abcdefgh", k=dice.randint(2, 9))) for _ in range(3_000)]
    paper = dice.choices(words, k=30_000)
    meant = range(21_000, 21_200)
    said = [paper[at] for at in meant]
    for at in dice.sample(range(10, 190), changed):
        said[at] = NEVER
    text = " ".join(paper)
    start = len(" ".join(paper[: meant.start])) + 1
    found = locate(text, " ".join(said))
    assert found.state == ("nearest" if changed else "verbatim")
    assert (found.start, found.end) == (start, start + len(" ".join(paper[at] for at in meant)))


def test_of_a_long_text_that_repeats_itself_only_a_stretch_is_compared(monkeypatch):
    looked_at = []
    real = passages.fuzz.partial_ratio_alignment

    def look(wanted, text, **how):
        looked_at.append(len(wanted) * len(text))
        return real(wanted, text, **how)

    monkeypatch.setattr(passages.fuzz, "partial_ratio_alignment", look)
    span = ("a b " * 3 + "c ") * 140
    text = "a b " * 75_000
    assert sound(text, locate(text, span))
    assert len(looked_at) == 1
    assert looked_at[0] <= 3 * len(span) ** 2 < len(span) * len(text) / 10


@pytest.mark.parametrize("gap", [" ", "\n", '"', "' ", " ..."])
def test_a_long_gap_within_a_quote_takes_no_time(gap):
    found = locate("A method is x y, and no more than that.", "x" + gap * 1_990 + "y")
    assert found.state in ("verbatim", "not found")
