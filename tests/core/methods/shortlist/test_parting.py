"""Which ideas of a shortlist are joined: as its judge said of two, and by way of a third."""

from core.methods.shortlist.alike import Compared, distinct, join
from core.records import EDITION, Absorbed, Alike, Idea


def pair(a: int, b: int, same: bool, by: str = "judge") -> Alike:
    return Alike(a=a, b=b, similarity=0.9, same=same, better=a if same else None, by=by)


def joined(many: int, *alike: Alike, pinned=(), edition=EDITION):
    found = join(range(1, many + 1), frozenset(pinned), alike, edition)
    return {one.survivor: one.absorbed for one in found}


CHAIN = (pair(1, 2, True), pair(2, 3, True))


def test_ideas_are_joined_by_way_of_a_third_where_nobody_said_that_they_are_two():
    assert joined(3, *CHAIN) == {1: (2, 3)}


def test_no_idea_is_absorbed_by_one_of_which_the_judge_said_that_it_is_another():
    alike = (*CHAIN, pair(1, 3, False))
    assert joined(3, *alike) == {1: (2,)}
    assert joined(3, *alike, edition=4) == {1: (2, 3)}
    assert joined(3, *CHAIN, pair(1, 3, False, "meaning alone")) == {1: (2, 3)}, "nobody judged"


def test_those_that_are_left_are_joined_among_themselves():
    alike = (*CHAIN, pair(3, 4, True), pair(1, 3, False), pair(1, 4, False))
    assert joined(4, *alike) == {1: (2,), 3: (4,)}


def test_pinned_ideas_stay_and_one_of_them_stands_for_what_another_does_not():
    assert joined(3, *CHAIN, pinned=(3,)) == {3: (1, 2)}
    alike = (*CHAIN, pair(1, 3, False))
    assert joined(3, *alike, pinned=(1, 2)) == {2: (3,)}
    assert joined(3, *alike, pinned=(1, 2), edition=4) == {1: (3,)}
    assert joined(3, *alike, pinned=(1, 2, 3)) == {}


def test_ideas_are_counted_as_they_are_joined():
    ideas = dict.fromkeys((1, 2, 3), Idea(form="hypothesis", fields={"hypothesis": "Sleep."}))
    found = Compared({}, (*CHAIN, pair(1, 3, False)), by_judge=True)
    counts = [distinct("part", ideas, found, edition).by_judge for edition in (EDITION, 4)]
    assert counts == [2, 1]


def test_groups_stand_in_the_order_of_their_first_ideas():
    found = join((1, 2, 3, 4), frozenset(), (pair(3, 4, True), pair(1, 2, True)), EDITION)
    assert found == (Absorbed(survivor=1, absorbed=(2,)), Absorbed(survivor=3, absorbed=(4,)))
