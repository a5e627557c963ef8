"""Ballots and what a person is shown: kept once, nothing lost on a reload, balanced, and the last
word counts.
"""

import threading
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.errors import BadInput, StoreFailed
from core.judging.arena.competition import ArenaInputs
from core.judging.arena.contests import (
    again,
    ballot_of,
    contested,
    contests,
    count_contests,
    deal,
    place,
    progress,
    side,
    unmatched,
)
from core.records import (
    DESIGN_CRITERIA,
    FIVE_WAY,
    IDEA_CRITERIA,
    Ballot,
    Contest,
    Entry,
    HalfBallot,
    Idea,
    Lineup,
    Seat,
)
from tests.support.arena_kit import METHODS, TOPICS, one_paragraph

WHOLE = contests((topic, method) for topic in TOPICS for method in METHODS)
ONE = WHOLE[0]


def ballot(key="k", **changed):
    given_ = {
        "arena": "arena",
        "contest": ONE,
        "first": ONE.a,
        "sides": dict.fromkeys(IDEA_CRITERIA, "first"),
        "judge": "scripted:one",
        "key": key,
    }
    return Ballot(**(given_ | changed))


def filled(half: HalfBallot, strength: int = 1) -> HalfBallot:
    return half.model_copy(update={"strength": dict.fromkeys(IDEA_CRITERIA, strength)})


def votes(store, person, n, whole=WHOLE, strength=1):
    """Have a person judge the next n pairs, and return them as dealt."""
    dealt = []
    for _ in range(n):
        half = deal(store, "arena", whole, person)
        store.ballots.add((ballot_of(filled(half, strength), "idea"),))
        dealt.append(half)
    return dealt


def test_a_ballot_comes_back_as_it_was_filed(store):
    whole = ballot(
        strength=dict.fromkeys(IDEA_CRITERIA, 2),
        judge="Ada",
        person=True,
        why='It is "bold"\n— 漢字',
        repeat=2,
        at="2026-01-01T00:00:00+00:00",
    )
    assert store.ballots.add((whole,)) == 1
    assert store.ballots.of("arena") == [whole]


def test_a_ballot_filed_twice_is_kept_once_and_as_it_was(store):
    assert store.ballots.add((ballot(),)) == 1
    assert (
        store.ballots.add((ballot(sides=dict.fromkeys(IDEA_CRITERIA, "second")), ballot("other")))
        == 1
    )
    assert [one.sides["novelty"] for one in store.ballots.of("arena")] == ["first", "first"]


def test_ballots_are_filed_all_or_none(store):
    broken = ballot("two").model_copy(update={"judge": None})
    with pytest.raises(StoreFailed, match="refused a write"):
        store.ballots.add((ballot(), broken))
    assert store.ballots.of("arena") == []


def test_the_last_word_of_a_person_counts_and_every_word_of_a_model(store):
    first = votes(store, "Ada", 1, strength=1)[0]
    reopened = again(store, store.ballots.of("arena")[0])
    assert (reopened.contest, reopened.first, reopened.strength) == (
        first.contest,
        first.first,
        dict.fromkeys(IDEA_CRITERIA, 1),
    )
    store.ballots.add((ballot_of(filled(reopened, -2), "idea"),))
    store.ballots.add((ballot("m1"), ballot("m2")))
    assert [(one.judge, one.sides["novelty"]) for one in store.ballots.of("arena")] == [
        ("Ada", "second"),
        ("scripted:one", "first"),
        ("scripted:one", "first"),
    ]
    assert len(store.ballots.by("arena", "Ada")) == 2, "what was said before stays in the book"
    assert [line[4] for line in store.ballots.lines("arena")] == [
        "Ada",
        "scripted:one",
        "scripted:one",
    ]
    assert progress(store, "arena", WHOLE, "Ada") == (1, 6)


def test_a_double_click_files_one_ballot_and_leaves_the_next_pair_alone(store):
    half = filled(deal(store, "arena", WHOLE, "Ada"))
    store.ballots.add((ballot_of(half, "idea"),))
    following = deal(store, "arena", WHOLE, "Ada").model_copy(update={"strength": {"novelty": 2}})
    store.ballots.keep_half(following)
    assert store.ballots.add((ballot_of(half, "idea"),)) == 0
    assert deal(store, "arena", WHOLE, "Ada") == following
    assert store.ballots.count("arena") == (0, 1)


def test_a_click_that_comes_late_does_not_bring_a_judged_pair_back(store):
    half = filled(deal(store, "arena", WHOLE, "Ada"))
    store.ballots.add((ballot_of(half, "idea"),))
    store.ballots.keep_half(half)
    assert deal(store, "arena", WHOLE, "Ada").contest != half.contest


def test_two_clicks_at_the_same_moment_file_one_ballot(store):
    filed = ballot_of(filled(deal(store, "arena", WHOLE, "Ada")), "idea")
    threads = [threading.Thread(target=store.ballots.add, args=((filed,),)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.ballots.count("arena") == (0, 1)


def test_a_reload_shows_the_same_pair_in_the_same_order_with_what_was_pressed(store):
    half = deal(store, "arena", WHOLE, "Ada")
    kept = half.model_copy(update={"strength": {"novelty": -1}, "why": "Because"})
    store.ballots.keep_half(kept)
    votes(store, "Grace", 3)
    assert deal(store, "arena", WHOLE, "Ada") == kept


def test_every_pair_is_judged_once_and_then_there_is_none(store):
    dealt = votes(store, "Ada", len(WHOLE))
    assert Counter(one.contest for one in dealt) == Counter(WHOLE)
    assert deal(store, "arena", WHOLE, "Ada") is None
    assert progress(store, "arena", WHOLE, "Ada") == (6, 6)


@pytest.mark.parametrize("person", ["Ada", "Grace", "Emmy"])
def test_every_method_stands_left_and_right_equally_often(store, person):
    many = contests((f"topic {n}", method) for n in range(20) for method in METHODS)
    dealt = votes(store, person, len(many), many)
    for method in METHODS:
        left = sum(one.first == method for one in dealt)
        assert abs(2 * left - 40) <= 4
    firsts = Counter((one.contest.a, one.contest.b, one.first == one.contest.a) for one in dealt)
    assert all(3 <= n <= 17 for n in firsts.values()), "no pair always stands in one order"


def test_topics_are_mixed(store):
    many = contests((f"topic {n}", method) for n in range(6) for method in METHODS)
    dealt = votes(store, "Ada", 18, many)
    assert [len({one.contest.topic for one in dealt[n : n + 6]}) for n in (0, 6, 12)] == [6, 6, 6]


def test_pairs_that_few_people_judged_come_first(store):
    seen = {one.contest for one in votes(store, "Ada", 3)}
    assert {one.contest for one in votes(store, "Grace", 3)} == set(WHOLE) - seen


def test_people_see_pairs_in_orders_of_their_own(store):
    many = contests((f"topic {n}", method) for n in range(20) for method in METHODS)
    runs = {
        person: [one.contest for one in votes(store, person, 5, many)]
        for person in ("Ada", "Grace")
    }
    assert runs["Ada"] != runs["Grace"]


def test_texts_that_are_not_there_meet_nobody():
    lineup = Lineup(
        seats=(
            Seat(topic="t", method="a", sha="1"),
            Seat(topic="t", method="b", sha="2"),
            Seat(topic="t", method="c", reason="Refused."),
            Seat(topic="u", method="a", sha="3"),
        ),
        common=True,
    )
    assert contested(lineup) == (Contest(topic="t", a="a", b="b"),)


@pytest.mark.parametrize(
    ("strength", "said"),
    list(zip(FIVE_WAY, ("first", "first", "tie", "second", "second"), strict=True)),
)
def test_a_five_way_answer_names_a_side(strength, said):
    assert side(strength) == said
    filed = ballot_of(
        filled(HalfBallot(arena="arena", judge="Ada", contest=ONE, first=ONE.b), strength), "idea"
    )
    assert (set(filed.sides.values()), set(filed.strength.values()), filed.first, filed.person) == (
        {said},
        {strength},
        ONE.b,
        True,
    )


def test_a_gap_in_a_ballot_is_said_and_nothing_is_made_up():
    half = HalfBallot(arena="arena", judge="Ada", contest=ONE, first=ONE.a, strength={"novelty": 1})
    with pytest.raises(
        BadInput, match="still open: significance, clarity, feasibility, effectiveness"
    ):
        ballot_of(half, "idea")
    with pytest.raises(BadInput, match="An answer is one of"):
        ballot_of(half.model_copy(update={"strength": dict.fromkeys(IDEA_CRITERIA, 3)}), "idea")
    with pytest.raises(BadInput, match="technical quality"):
        ballot_of(half.model_copy(update={"strength": {}}), "design")
    assert set(
        ballot_of(
            half.model_copy(update={"strength": dict.fromkeys(DESIGN_CRITERIA, 0)}), "design"
        ).sides
    ) == set(DESIGN_CRITERIA)


def test_what_people_said_is_carried_once_with_what_was_imported_and_no_model_s_ballot(store):
    votes(store, "Ada", 6)
    reopened = again(store, store.ballots.by("arena", "Ada")[0])
    store.ballots.add(
        (
            ballot_of(filled(reopened, -1), "idea"),
            ballot("m1"),
            ballot("import/model/x/1", judge="elsewhere"),
        )
    )
    for _ in range(2):
        store.ballots.carry("arena", "another", WHOLE[:3])
    carried, whole = (
        store.ballots.of("another"),
        [
            one
            for one in store.ballots.of("arena")
            if one.judge != "scripted:one" and one.contest in WHOLE[:3]
        ],
    )
    assert carried == [one.model_copy(update={"arena": "another"}) for one in whole]
    assert progress(store, "another", WHOLE, "Ada") == (3, 6)


@given(st.text(min_size=1, max_size=300), st.text(min_size=1, max_size=300))
def test_two_contests_never_share_a_place(one, other):
    made = [
        place(Contest.model_construct(topic=topic, a=a, b=b))
        for topic, a, b in ((one, other, "b"), (other, one, "b"), (one, "b", other))
    ]
    assert len(set(made)) == len({(one, other, "b"), (other, one, "b"), (one, "b", other)})


def test_ballots_of_one_pair_are_found(store):
    store.ballots.add((ballot("1"), ballot("2", contest=WHOLE[1], first=WHOLE[1].a)))
    assert [one.key for one in store.ballots.of("arena", contest=WHOLE[1])] == ["2"]


def test_forms_and_frozen_texts_are_found_many_at_once(store):
    ideas = tuple(one_paragraph(f"Idea {n}") for n in range(1_200))
    shas = store.frozen.keep_all(ideas)
    assert tuple(store.frozen.several(shas, Idea).values()) == ideas
    assert store.frozen.several((), Idea) == {}
    store.frozen.keep_form(shas[0], "idea", ideas[1], "run")
    store.frozen.keep_form(shas[0], "idea", ideas[2], "another")
    assert store.frozen.forms(shas, "idea") == {shas[0]: shas[1]}, (
        "the first form that was made stays"
    )
    with pytest.raises(BadInput, match="no frozen idea"):
        store.frozen.several((*shas, "0" * 64), Idea)


def test_a_ballot_that_was_begun_in_another_tab_is_not_dealt_over(store):
    dealt = deal(store, "arena", WHOLE, "Ada")
    begun = dealt.model_copy(update={"strength": {"novelty": 2}})
    store.ballots.keep_half(begun)
    # A tab that looked before the first one was dealt keeps nothing over it.
    assert store.ballots.deal_half(dealt, None) == begun
    assert store.ballots.half("arena", "Ada") == begun
    assert store.ballots.deal_half(dealt, begun) == dealt


@given(st.lists(st.tuples(st.sampled_from("stuv"), st.sampled_from("abcde"))))
def test_contests_are_counted_and_who_meets_nobody_is_found_without_making_them(places):
    whole = contests(places)
    assert count_contests(places) == len(whole)
    meeting = {name for one in whole for name in (one.a, one.b)}
    assert unmatched(places) == tuple(sorted({method for _, method in places} - meeting))


def test_an_arena_of_more_pairs_than_can_be_held_is_refused_before_they_are_made():
    entries = tuple(
        Entry(id=f"e{n}", collection="c", topic="t", method=f"m{n}", kind="idea", sha=f"{n:064x}")
        for n in range(1_500)
    )
    with pytest.raises(ValidationError, match="1,124,250 pairs of texts would meet"):
        ArenaInputs(topic="t", entries=entries)
