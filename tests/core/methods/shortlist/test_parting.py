"""Which ideas of a shortlist are joined: as its judge said of two, and by way of a third."""

from types import SimpleNamespace

import pytest

from core.methods.shortlist.parting import join
from core.records import Absorbed, Alike


def pair(a: int, b: int, same: bool) -> Alike:
    return Alike(a=a, b=b, similarity=0.9, same=same, better=a if same else None, by="judge")


def ideas(many: int, *pinned: int):
    return {n: SimpleNamespace(pinned=n in pinned) for n in range(1, many + 1)}


CHAIN = (pair(1, 2, True), pair(2, 3, True))


def test_ideas_are_joined_by_way_of_a_third_where_nobody_said_that_they_are_two():
    assert join(ideas(3), CHAIN) == (Absorbed(survivor=1, absorbed=(2, 3)),)


def test_no_idea_is_absorbed_by_one_of_which_the_judge_said_that_it_is_another():
    alike = (*CHAIN, pair(1, 3, False))
    assert join(ideas(3), alike) == (Absorbed(survivor=1, absorbed=(2,)),)
    assert join(ideas(3), alike, edition=4) == (Absorbed(survivor=1, absorbed=(2, 3)),)


def test_those_that_are_left_are_joined_among_themselves():
    alike = (*CHAIN, pair(3, 4, True), pair(1, 3, False), pair(1, 4, False))
    assert join(ideas(4), alike) == (
        Absorbed(survivor=1, absorbed=(2,)),
        Absorbed(survivor=3, absorbed=(4,)),
    )


@pytest.mark.parametrize("pinned", [(1, 3), (3,)])
def test_pinned_ideas_stay(pinned):
    (joined,) = join(ideas(3, *pinned), CHAIN)
    assert joined.survivor in pinned
    assert not {*joined.absorbed} & {*pinned}
