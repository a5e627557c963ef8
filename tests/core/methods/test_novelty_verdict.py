"""The verdict as a rule: smallest sets, ties, what is undated, and the thresholds."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.methods.novelty.dating import Hit, arxiv_month, beside, earliest, merge
from core.methods.novelty.verdict import LEAST_READ, decide, repeated
from core.records import (
    Claim,
    Looked,
    NoveltyCell,
    NoveltyMatrix,
    Paper,
    Passage,
    PriorWork,
)

QUOTE = Passage(state="verbatim", start=0, end=4, quote="what", likeness=1.0)


def claim(n):
    return Claim(n=n, kind="mechanism", text=f"Claim {n}.", passage=QUOTE)


def work(name, date="2020-05-01", when="earlier", similarity=0.5, read_from="abstract"):
    return PriorWork(
        paper=Paper(id=name, title=f"Work {name}", abstract="It is so."),
        versions=(),
        date=date,
        when=when,
        similarity=similarity,
        read_from=read_from,
    )


def matrix(claims, covers, extra=LEAST_READ, **more):
    """Return a matrix of works that cover these claims, and some that cover none."""
    works = [one if isinstance(one, PriorWork) else work(one) for one in covers]
    works += [work(f"z{n}") for n in range(extra)]
    held = dict(zip([one.id for one in works], covers.values(), strict=False))
    cells = tuple(
        NoveltyCell(
            claim=n,
            work=one.id,
            state=(
                "unread"
                if one.read_from == "nothing"
                else "covers"
                if n in held.get(one.id, ())
                else "does not"
            ),
            said=None if one.read_from == "nothing" else "does not",
        )
        for one in works
        for n in range(1, claims + 1)
    )
    given = {
        "dated": "2024-01-01",
        "reader": "scripted:one",
        "claims": tuple(map(claim, range(1, claims + 1))),
        "works": tuple(works),
        "cells": cells,
        "looked": (looked("a"), looked("b")),
        "found": 20,
    }
    return NoveltyMatrix(**(given | more))


def looked(source, state="found", **more):
    return Looked(source=source, what="claim 1", query="q", state=state, **more)


def test_one_work_with_every_claim_anticipates_whatever_else_was_not_seen():
    held = matrix(3, {"a": (1, 2), "b": (1, 2, 3)}, extra=0, looked=(looked("x", "source failed"),))
    verdict = decide(held)
    assert (verdict.state, verdict.works, verdict.why) == ("anticipated", ("b",), ())
    assert verdict.sentence == (
        "Anticipated: one earlier work covers all 3 claims: Work b (2020-05-01)."
    )
    assert (verdict.risk.value, verdict.coverage.value) == (1.0, 1.0)
    assert str(verdict.sources) == "0 of 1 sources that answered"


def test_the_smallest_set_is_named_of_ties_what_was_public_first_and_that_is_said():
    held = matrix(
        3,
        {
            work("a", "2021-01-01"): (1, 2),
            work("b", "2019-01-01"): (3,),
            work("c", "2018-01-01"): (3,),
            work("d", "2022-01-01"): (1, 2),
            work("e", "2010-01-01"): (1,),
            work("f", "2010-01-01"): (2,),
        },
    )
    verdict = decide(held)
    assert (verdict.state, verdict.works, verdict.ties) == ("combination", ("a", "c"), 3)
    assert "3 other sets do too; named is what was public first." in verdict.sentence


def test_four_works_together_are_new_in_part_because_nobody_put_them_together():
    held = matrix(4, {"a": (1,), "b": (2,), "c": (3,), "d": (4,)})
    verdict = decide(held)
    assert (verdict.state, verdict.covered, verdict.new) == ("new in part", (1, 2, 3, 4), ())
    assert "no 3 works cover all of them" in verdict.sentence


def test_what_is_covered_in_part_alone_is_not_covered():
    held = matrix(2, {"a": ()})
    cells = tuple(
        one.model_copy(update={"state": "in part"}) if one.work == "a" else one
        for one in held.cells
    )
    verdict = decide(held.model_copy(update={"cells": cells}))
    assert (verdict.state, verdict.risk.value) == ("nothing found", 0.5)


@pytest.mark.parametrize("when", ["later", "same day"])
def test_nothing_later_anticipates_anything(when):
    verdict = decide(matrix(2, {work("a", "2024-01-01", when): (1, 2)}))
    assert (verdict.state, verdict.works, verdict.risk.value) == ("nothing found", (), 0)


@pytest.mark.parametrize("when", ["undated", "cannot be told"])
def test_a_work_whose_date_decides_and_is_not_known_makes_it_inconclusive(when):
    verdict = decide(matrix(2, {work("a", "2024", when): (1, 2)}))
    assert (verdict.state, verdict.so_far) == ("inconclusive", "nothing found")
    assert "is not known, and it would change the verdict: Work a (2024)" in verdict.sentence
    known = decide(matrix(2, {"b": (1, 2), work("a", None, when): (1, 2)}))
    assert known.state == "anticipated"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"extra": LEAST_READ - 2}, "Only 4 earlier works could be read; at least 5 are needed."),
        (
            {"extra": LEAST_READ - 2, "passed_over": 8},
            "Only 4 of 12 works found were to be read; at least 5 are needed.",
        ),
        (
            {"looked": (looked("openalex", "source failed"), looked("b"))},
            "OpenAlex answered 0 of 1 questions only; at least 80% are needed.",
        ),
        ({"bare": 6}, "6 of 20 works found have no abstract; at most 25% may lack one."),
        (
            {"linked": 20, "linked_bare": 8},
            "8 of 20 works found along citations have no abstract; at most 25% may lack one.",
        ),
    ],
)
def test_too_little_seen_is_inconclusive_with_its_threshold(more, said):
    verdict = decide(matrix(2, {"a": (1,)}, **more))
    assert (verdict.state, verdict.so_far, verdict.why) == ("inconclusive", "new in part", (said,))
    assert said in verdict.sentence


def test_unread_cells_are_inconclusive_beyond_their_share():
    unread = {work(f"u{n}", read_from="nothing"): () for n in range(3)}
    verdict = decide(matrix(2, {"a": (1,), **unread}))
    assert verdict.why == ("6 of 18 cells are unread; at most 20% may be.",)


def test_a_paper_a_source_does_not_hold_is_no_failure_of_the_source():
    strange = looked("a", "not known there")
    verdict = decide(matrix(2, {"a": (1,)}, looked=(looked("a"), strange, looked("b"))))
    assert (verdict.state, str(verdict.sources)) == (
        "new in part",
        "2 of 2 sources that answered",
    )


def test_what_is_covered_is_told_by_claim_and_work():
    found = repeated(matrix(2, {"a": (2,)}))
    assert [str(one) for one in found] == ["mechanism: Claim 2. (repeats: Work a (2020-05-01))"]


covers = st.lists(st.sets(st.integers(1, 4)), min_size=1, max_size=6)


@given(covers, st.randoms())
def test_the_set_is_the_smallest_there_is_and_the_order_of_works_is_no_matter(sets, dice):
    named = {work(f"w{n}", f"20{10 + n}-01-01"): one for n, one in enumerate(sets)}
    verdict = decide(matrix(4, named))
    smallest = next(
        (
            size
            for size in (1, 2, 3)
            if any(
                set().union(*several) == {1, 2, 3, 4}
                for several in itertools.combinations(sets, size)
            )
        ),
        0,
    )
    assert len(verdict.works) == smallest
    shuffled = list(named.items())
    dice.shuffle(shuffled)
    assert decide(matrix(4, dict(shuffled))).works == verdict.works


# -- dates -------------------------------------------------------------------------------------


def test_a_preprint_dates_a_work_and_versions_are_one_work_however_far_around():
    preprint = Paper(id="s2:1", title="On yeast", arxiv="2401.01234", year=2024)
    venue = Paper(id="s2:2", title="Yeast in the dark", doi="10.1/X", published="2025-03-01")
    both = Paper(id="oa:3", title="Dark yeast", doi="10.1/x", arxiv="2401.01234", year=2025)
    other = Paper(id="oa:4", title="On bread", year=2020)
    hits = [Hit(one, one.id[:2], "claim 1") for one in (venue, other, preprint, both)]
    first, second = merge(hits, "2025-01-01")
    assert (first.date, first.when) == ("2024-01", "earlier")
    assert [one.id for one in first.versions] == ["oa:3", "s2:1", "s2:2"]
    assert (second.date, second.when) == ("2020", "earlier")
    assert merge(hits, "2024-01-15")[0].when == "cannot be told"


@pytest.mark.parametrize(
    ("date", "when"),
    [
        (None, "undated"),
        ("2023", "earlier"),
        ("2024", "cannot be told"),
        ("2024-06", "cannot be told"),
        ("2024-05", "earlier"),
        ("2024-06-10", "same day"),
        ("2024-06-09", "earlier"),
        ("2024-06-11", "later"),
        ("2024-07", "later"),
        ("2025", "later"),
    ],
)
def test_a_date_that_may_be_too_late_is_not_taken_for_earlier(date, when):
    assert beside(date, "2024-06-10") == when


def test_arxiv_ids_of_both_kinds_tell_their_month():
    ids = ("2401.01234", "cs/0501001", "hep-th/9901001", "math.GT/0309136", "what", None)
    assert list(map(arxiv_month, ids)) == ["2024-01", "2005-01", "1999-01", "2003-09", None, None]


def test_a_year_says_nothing_beside_a_day_of_that_year():
    papers = [
        Paper(id="a", title="A", year=2020, published="2020-11-05"),
        Paper(id="b", title="A", year=2021),
    ]
    assert earliest(papers) == "2020-11-05"
    assert earliest([Paper(id="c", title="C")]) is None
