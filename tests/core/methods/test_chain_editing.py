"""A chain edited by hand: every change makes a new, sound chain, and what cannot be done is
said.
"""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.methods.chain_of_ideas.editing import (
    LONGEST,
    asks_the_same,
    depends,
    drop,
    insert,
    merge,
    move,
    pin,
    place,
    read_again,
    replace,
    start_of,
    to_read,
)
from core.records import Chain, FullText, Link, Paper, PaperIdea, Reading

READ = {
    "reading": Reading(idea=PaperIdea(novelty="new")),
    "text": FullText(state="read", sha="a" * 64, pages=3, chars=9_000),
}


def paper(name: str, year: int | None = 2020, **more: object) -> Paper:
    return Paper(
        id=name, title=f"On {name}", year=year, published=f"{year}-05-01" if year else None, **more
    )


def chain(*years: int, anchor: int | None = None) -> Chain:
    """Return a chain with a paper a year, read, its anchor in the middle unless told otherwise."""
    middle = years[len(years) // 2] if anchor is None else anchor
    hops = [
        "anchor" if year == middle else "backward" if year < middle else "forward" for year in years
    ]
    return Chain(
        topic="t",
        links=tuple(
            Link(paper=paper(f"p{year}", year), hop=hop, **READ)
            for year, hop in zip(years, hops, strict=True)
        ),
    )


def ids(chain: Chain) -> list[str]:
    return [one.id for one in chain.papers]


CHAINS = st.lists(st.integers(1950, 2026), min_size=1, max_size=LONGEST, unique=True).map(
    lambda years: chain(*sorted(years))
)
EDITS = st.lists(
    st.tuples(
        st.sampled_from(["insert", "drop", "move", "pin", "read", "replace"]),
        st.integers(0, 99),
        st.integers(-9, 9),
    ),
    max_size=12,
)


def edited(chain: Chain, what: str, n: int, by: int) -> Chain:
    there = chain.papers[n % len(chain.papers)].id
    new = paper(f"new{n}", 1950 + n)
    ways = {
        "insert": lambda: insert(chain, new, "mine", by if by >= 0 else None),
        "drop": lambda: drop(chain, there),
        "move": lambda: move(chain, there, by),
        "pin": lambda: pin(chain, there, by > 0),
        "read": lambda: read_again(chain, there),
        "replace": lambda: replace(chain, there, new, "mine"),
    }
    return ways[what]()


@given(CHAINS, EDITS)
def test_whatever_is_done_a_chain_has_each_paper_once_and_its_length_is_bounded(chain, edits):
    for edit in edits:
        before = chain.model_copy(deep=True)
        after = chain
        with suppress(BadInput):
            after = edited(chain, *edit)
        assert chain == before, "an edit leaves the chain it was made from alone"
        assert 1 <= len(after.links) <= LONGEST
        assert len(set(ids(after))) == len(after.links)
        chain = after


@given(CHAINS, st.integers(1950, 2026))
def test_what_is_put_in_by_date_keeps_time_order(chain, year):
    if len(chain.links) < LONGEST:
        after = insert(chain, paper("new", year), "mine")
        assert not after.violations
        assert [one for one in ids(after) if one != "new"] == ids(chain)


@given(CHAINS, st.integers(0, 99), st.integers(0, LONGEST))
def test_dropping_what_was_put_in_gives_the_chain_back(chain, n, at):
    if len(chain.links) < LONGEST:
        assert drop(insert(chain, paper("new", 1950 + n), "mine", at), "new") == chain


@given(CHAINS, st.integers(0, 99), st.integers(-20, 20))
def test_moving_keeps_all_papers_and_the_order_of_the_others(chain, n, by):
    there = chain.papers[n % len(chain.papers)].id
    after = move(chain, there, by)
    assert [one for one in ids(after) if one != there] == [
        one for one in ids(chain) if one != there
    ]
    assert place(after, there) == max(0, min(place(chain, there) + by, len(chain.links) - 1))


@given(CHAINS, CHAINS)
def test_merging_takes_every_paper_of_both_once_in_time_order_or_says_why_not(one, other):
    both = set(ids(one)) | set(ids(other))
    if len(both) > LONGEST or both == set(ids(one)):
        with pytest.raises(BadInput):
            merge(one, other)
        return
    merged = merge(one, other)
    assert set(ids(merged)) == both
    assert not merged.violations
    assert sum(link.hop == "anchor" for link in merged.links) == 1


@given(CHAINS, st.lists(st.integers(0, 99), max_size=4))
def test_what_is_kept_is_the_anchor_all_that_is_pinned_and_what_lies_between(chain, pins):
    for n in pins:
        chain = pin(chain, chain.papers[n % len(chain.papers)].id, True)
    start = start_of(chain)
    held = [link.paper.id for link in start.links]
    assert {link.paper.id for link in chain.links if link.pinned or link.hop == "anchor"} <= set(
        held
    )
    assert held == ids(chain)[place(chain, held[0]) : place(chain, held[-1]) + 1]
    assert all(link.pinned or link.hop == "anchor" for link in (start.links[0], start.links[-1]))


def test_a_paper_under_another_id_is_the_same_paper():
    one = Chain(topic="t", links=(Link(paper=paper("a", doi="10.1/X"), hop="anchor"),))
    with pytest.raises(BadInput, match="in this chain already"):
        insert(one, paper("b", 2021, doi="10.1/x"), "mine")
    longer = insert(one, paper("c", 2021), "mine")
    with pytest.raises(BadInput, match="in this chain already"):
        replace(longer, "c", paper("d", 2021, doi="10.1/x"), "mine")
    assert ids(replace(longer, "a", paper("d", 2021, doi="10.1/x"), "mine")) == ["d", "c"], (
        "an entry may be replaced by another entry of the same paper"
    )


def test_the_last_paper_stays_and_a_full_chain_takes_no_more():
    with pytest.raises(BadInput, match="Add another before dropping this one"):
        drop(chain(2020), "p2020")
    with pytest.raises(BadInput, match="Drop one first"):
        insert(chain(*range(2000, 2000 + LONGEST)), paper("new"), "mine")


def test_what_was_found_from_a_dropped_paper_says_that_it_is_gone():
    left = drop(chain(2000, 2005, 2010, 2015, anchor=2005), "p2005")
    since = "Found from 'On p2005', which was dropped since."
    assert [link.reason for link in left.links] == [since, since, ""]
    assert drop(chain(2000, 2005, 2010, anchor=2000), "p2010").links[-1].reason == ""


def test_a_paper_that_is_gone_is_said_to_be_gone():
    for change in (
        lambda c: drop(c, "x"),
        lambda c: move(c, "x", 1),
        lambda c: pin(c, "x", True),
        lambda c: read_again(c, "x"),
    ):
        with pytest.raises(BadInput, match="no paper 'x' any more"):
            change(chain(2019, 2020))


def test_moving_against_time_is_allowed_and_shown():
    moved = move(chain(2018, 2019, 2020), "p2020", -1)
    assert [(a.id, b.id) for a, b in moved.violations] == [("p2020", "p2019")]


def test_what_replaces_the_anchor_is_the_anchor_and_is_read():
    after = replace(chain(2018, 2019, 2020), "p2019", paper("new", 2019), "mine")
    assert [link.hop for link in after.links] == ["backward", "anchor", "forward"]
    assert [link.paper.id for link in to_read(after)] == ["new"]
    assert [link.paper.id for link in start_of(after).links] == ["new"]


def test_without_anchor_and_pins_there_is_nothing_to_grow_from():
    bare = drop(chain(2018, 2019, 2020), "p2019")
    with pytest.raises(BadInput, match="Pin one"):
        start_of(bare)
    assert [link.paper.id for link in start_of(pin(bare, "p2020", True)).links] == ["p2020"]


def test_what_is_read_is_what_a_person_put_in_or_wants_read_again_and_nothing_else():
    after = read_again(insert(chain(2018, 2019, 2020), paper("new", 2017), "mine"), "p2020")
    unread = after.links[1].model_copy(update={"reading": None})
    failed = after.model_copy(update={"links": (after.links[0], unread, *after.links[2:])})
    assert [link.paper.id for link in to_read(failed)] == ["new", "p2020"], (
        "what no model could read is not asked again by itself"
    )
    assert to_read(after.links[0]) == ()


def test_a_chain_from_elsewhere_comes_as_put_in_by_a_person_with_what_was_read():
    merged = merge(chain(2018, 2019, 2020), chain(2015, 2016, 2017))
    assert [link.hop for link in merged.links] == ["person"] * 3 + ["backward", "anchor", "forward"]
    assert to_read(merged) == ()
    assert merged.links[0].reason.startswith("From the other chain.")


def test_a_pin_asks_nothing_and_a_move_asks_anew():
    one = chain(2018, 2019, 2020)
    assert asks_the_same(one, pin(one, "p2020", True))
    assert not asks_the_same(one, move(one, "p2020", -1))
    assert not asks_the_same(one, read_again(one, "p2020"))


@pytest.mark.parametrize(
    ("changed", "other", "so"),
    [
        ("branch-1/chain", "branch-1/trend", True),
        ("branch-1/chain", "branch-2/trend", False),
        ("branch-2/chain", "selection/1-3/select", False),
        ("branch-2/chain", "selection/3-2/select", True),
        ("branch-1/chain", "experiment/experiment-design", True),
        ("branch-1/chain", "map/plane", True),
        ("branch-1/trend", "branch-1/entities", False),
        ("branch-1/trend", "branch-1/idea-1/future", True),
        ("anchors/queries", "branch-2/trend", True),
        ("branch-1/chain", "branch-11/trend", False),
        ("branch-1/chain", "selection/11-2/select", False),
    ],
)
def test_what_depends_on_a_change_is_in_its_branch_or_behind_all_branches(changed, other, so):
    assert depends(changed, other) is so
