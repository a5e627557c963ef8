"""An organiser's session: frozen when it opens, seats that come and go, units handed on, closed,
then unblinded.
"""

from collections import Counter
from pathlib import Path

import pytest

from core.errors import BadInput, SeatClosed
from core.records import Criterion, Preference, StudySeat, StudyTerms
from core.store import Store
from core.store.studies.work import ListedUnit, ListStanding
from core.studies import organising, sitting
from core.studies.filed import Filed
from tests.support.sessions import studies_kit as kit


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def overlaps(store: Store, study: str) -> Counter[str]:
    """Return by how many experts each work unit is answered, or still can be; withdrawn answers do
    not count.
    """
    steps = {seat.id: seat.step for seat in store.seats.of(study) if not seat.model}
    counted = [
        one
        for one in store.study_work.all(study)
        if steps.get(one.seat, "withdrawn") != "withdrawn" and one.time == 1
    ]
    held = Counter(
        one.unit for one in counted if one.done or steps[one.seat] not in organising.LEFT
    )
    return Counter({one.id: held[one.id] for one in store.studies.units(study) if one.id != "u900"})


def events(store: Store, study: str) -> list[str]:
    return [one.what for one in store.studies.events(study)]


# -- drafts and opening ------------------------------------------------------------------------


def test_a_session_is_frozen_when_it_opens(store):
    held = kit.opened(store)
    study = held.study
    assert (study.state, len(study.sha), bool(study.opened)) == ("open", 64, True)
    with pytest.raises(BadInput, match="frozen"):
        store.studies.replan(study.id, kit.plan(overlap=1))
    with pytest.raises(BadInput, match="frozen"):
        store.studies.fill(study.id, (), (), (), ())
    with pytest.raises(BadInput, match="not a draft"):
        organising.open_study(store, study.id)
    assert events(store, study.id).count("opened") == 1


def test_the_hash_is_of_all_that_is_frozen(store):
    def sha(**over) -> str:
        return kit.opened(store, **over).study.sha

    same = sha()
    assert sha() == same, "seats and chance are no part of it"
    assert (
        len({same, sha(seed=8), sha(texts=5), sha(instructions="Other words."), sha(overlap=1)})
        == 5
    )


@pytest.mark.parametrize(("task", "n"), [("rate", 2), ("rank", 3), ("compare", 2), ("comment", 1)])
def test_what_lacks_something_does_not_open(store, task, n):
    study = kit.drafted(store, task, overlap=n)
    for k in range(n - 1):
        organising.add_seat(store, study.id, f"Expert {k}")
    organising.add_model(store, study.id, "offline:judge")
    with pytest.raises(BadInput, match=f"by {n} experts, and there are {n - 1}"):
        organising.open_study(store, study.id)
    assert (store.studies.get(study.id).state, store.study_work.all(study.id)) == ("draft", ())
    organising.add_seat(store, study.id, "One more")
    assert organising.open_study(store, study.id).state == "open"


def test_a_session_without_texts_or_of_the_wrong_shape_does_not_open(store):
    empty = organising.create(store, kit.plan(overlap=1))
    organising.add_seat(store, empty.id, "Ada")
    with pytest.raises(BadInput, match="nothing to judge"):
        organising.open_study(store, empty.id)
    items, units, keys, unit_keys = kit.material(store, kit.plan("compare"))
    store.studies.fill(empty.id, items, units, keys, unit_keys)
    with pytest.raises(BadInput, match="does not have the texts"):
        organising.open_study(store, empty.id)


def test_everybody_is_dealt_to_and_sees_the_criteria_in_an_own_order(store):
    study = kit.drafted(store, overlap=2, texts=9)
    for n in range(4):
        organising.add_seat(store, study.id, f"Expert {n}")
    changed = (
        *study.plan.criteria,
        Criterion(name="charm", meaning="How much it delights.", low="None.", high="All."),
    )
    store.studies.replan(study.id, study.plan.model_copy(update={"criteria": changed}))
    organising.open_study(store, study.id)
    assert set(overlaps(store, study.id).values()) == {2}
    assert {frozenset(seat.criteria) for seat in store.seats.of(study.id)} == {
        frozenset({*kit.CRITERIA, "charm"})
    }


def meant(store, study: str):
    """Return what a study holds without its labels: sources by text, and which texts are judged
    together.
    """
    items, keys = store.studies.items(study), store.study_keys.items(study)
    sources = {items[label]: key.model_dump(exclude={"label"}) for label, key in keys.items()}
    return sources, [
        (one.id, {items[label] for label in one.labels}, one.criterion)
        for one in store.studies.units(study)
    ]


def test_a_copy_is_a_draft_with_the_same_texts_and_no_seats_under_labels_drawn_anew(store):
    held = kit.opened(store, "rank", texts=20, hidden_target=True)
    kit.work_through(store, held.at_work())
    made = organising.copied(store, held.study.id)
    assert (
        made.state,
        made.plan.name,
        store.seats.of(made.id),
        store.study_work.answers(made.id),
    ) == ("draft", "The organiser's own name (copy)", (), ())
    assert meant(store, made.id) == meant(store, held.study.id)
    assert store.study_keys.units(made.id) == store.study_keys.units(held.study.id) != {}
    before, after = (store.studies.items(one.id) for one in (held.study, made))
    assert set(before) == set(after)
    assert before != after, "its open original could be unblinded by what a draft shows"
    assert {label: before[label] for label in kit.ATTENTION} == {
        label: after[label] for label in kit.ATTENTION
    }
    long = organising.copied(store, organising.create(store, kit.plan(name="n" * 200)).id)
    assert len(long.plan.name) == 200


# -- seats -------------------------------------------------------------------------------------


def test_lists_in_plain_columns_say_what_their_records_do(store):
    held = kit.opened(store, "compare", repeats=1, attention=1)
    kit.work_through(store, held.at_work(), units=2)
    whole = store.study_work.all(held.study.id)
    assert [one._asdict() for one in store.study_work.lists(held.study.id)] == [
        {name: getattr(one, name) for name in ListStanding._fields} for one in whole
    ]


def test_a_seat_added_while_open_takes_over_units_nobody_has_opened(store):
    held = kit.opened(store, texts=12, overlap=2, experts=3)
    here = held.at_work()
    kit.work_through(store, here, units=4)
    before = sitting.listed(store, here)[:4]
    seat, secret = organising.add_seat(store, held.study.id, "Late")
    assert set(overlaps(store, held.study.id).values()) == {2}
    loads = Counter(
        one.seat
        for one in store.study_work.all(held.study.id)
        if one.time == 1 and one.unit != "u900"
    )
    assert set(loads.values()) == {6}
    assert sitting.listed(store, here)[:4] == before
    late = kit.at_work(store, secret)
    assert kit.work_through(store, late) == 8
    assert seat.criteria


def test_a_seat_taken_back_is_dead_at_once_and_its_units_go_on(store):
    held = kit.opened(store, experts=4, texts=8, overlap=2)
    here = held.at_work()
    kit.work_through(store, here, units=2)
    shown = sitting.show(store, here, sitting.upcoming(store, here).unit)
    for _ in range(2):  # Twice: the button pressed twice.
        assert organising.take_back(store, here.seat).step == "revoked"
    with pytest.raises(SeatClosed):
        kit.say(store, here, shown)
    with pytest.raises(SeatClosed):
        kit.agreed(store, here)
    assert set(overlaps(store, held.study.id).values()) == {2}
    assert len(store.study_work.answers(held.study.id)) == 2
    assert (
        events(store, held.study.id).count("revoked"),
        events(store, held.study.id).count("link taken back"),
    ) == (1, 1)
    with pytest.raises(BadInput, match="seat is revoked"):
        organising.new_link(store, here.seat)


def test_who_withdrew_is_replaced_also_where_they_answered(store):
    """Their answers are left out (consent says so), so overlap is counted without them."""
    held = kit.opened(store, experts=4, texts=8, overlap=2)
    here = held.at_work()
    kit.work_through(store, here, units=3)
    sitting.withdraw(store, here)
    mine = {one.unit for one in sitting.listed(store, here) if one.time == 1 and one.unit != "u900"}
    assert organising.redeal(store, held.study.id) == len(mine)
    assert organising.redeal(store, held.study.id) == 0
    assert set(overlaps(store, held.study.id).values()) == {2}
    assert len(store.study_work.answers(held.study.id)) == 3, "answers are only ever added"


def test_who_declined_is_replaced(store):
    held = kit.opened(store, experts=3, texts=6, overlap=2)
    sitting.decline(store, sitting.enter(store, held.secret()))
    assert organising.redeal(store, held.study.id) == 4
    assert set(overlaps(store, held.study.id).values()) == {2}
    assert store.study_work.of(held.seats[0].id) == ()


def test_what_nobody_is_left_to_answer_is_counted(store):
    held = kit.opened(store, experts=2, texts=6, overlap=2)
    assert organising.lacking(store, held.study.id) == 0
    kit.work_through(store, held.at_work(0), units=2)
    organising.take_back(store, held.seats[1].id)
    assert organising.lacking(store, held.study.id) == 6
    organising.add_seat(store, held.study.id, "New")
    assert organising.lacking(store, held.study.id) == 0


def test_units_that_nobody_can_take_are_not_reassigned_without_a_word(store):
    held = kit.opened(store, experts=2, texts=6, overlap=2)
    organising.take_back(store, held.seats[1].id)
    with pytest.raises(BadInput, match="1 expert at work has these units already"):
        organising.reassign(store, held.study.id)
    held = kit.opened(store, experts=3, texts=6, overlap=2)
    store.terms.put(held.study.id, StudyTerms(most=6))
    organising.take_back(store, held.seats[2].id)
    assert organising.lacking(store, held.study.id)
    with pytest.raises(BadInput, match="2 experts at work may be given no more units"):
        organising.reassign(store, held.study.id)
    for seat in held.seats[:2]:
        store.seats.move(seat.id, "done", leaving=("consent",))
    with pytest.raises(BadInput, match="no expert is left at work"):
        organising.reassign(store, held.study.id)


def test_who_is_through_goes_back_to_work_when_given_more_and_who_is_done_is_left_in_peace(store):
    held = kit.opened(store, experts=3, texts=6, overlap=1, repeats=0, attention=0)
    through, done = held.at_work(0), held.at_work(1)
    for here in (through, done):
        kit.work_through(store, here)
    kit.finished(store, done)
    organising.take_back(store, held.seats[2].id)
    assert sitting.enter(store, held.secret(0)).step == store.seats.get(through.seat).step == "work"
    assert sitting.enter(store, held.secret(1)).step == "done"
    assert len(sitting.listed(store, done)) == 2
    assert kit.work_through(store, sitting.enter(store, held.secret(0))) == 2
    assert set(overlaps(store, held.study.id).values()) == {1}


def test_a_list_with_nothing_on_it_is_no_end(store):
    held = kit.opened(store, experts=2, texts=2, overlap=2, attention=0, repeats=0)
    for n in range(2):
        kit.work_through(store, held.at_work(n))
    _, secret = organising.add_seat(store, held.study.id, "Late")
    here = kit.at_work(store, secret)
    assert (here.step, sitting.upcoming(store, here)) == ("work", None)
    with pytest.raises(BadInput, match="not answered yet"):
        kit.finished(store, here)


def test_a_model_is_given_every_unit_and_has_no_link(store):
    held = kit.opened(store, "compare", texts=4)
    seat = organising.add_model(store, held.study.id, "offline:judge")
    mine = store.study_work.of(seat.id)
    units = {one.id for one in store.studies.units(held.study.id)} - {"u900"}
    assert Counter(one.unit for one in mine) == dict.fromkeys(units, 2)
    assert (seat.model, seat.step, seat.id in store.seats.linked(held.study.id)) == (
        "offline:judge",
        "work",
        False,
    )
    assert set(overlaps(store, held.study.id).values()) == {2}, (
        "a model is no expert: overlap is counted without it"
    )
    with pytest.raises(BadInput, match="seat in this session already"):
        organising.add_model(store, held.study.id, "offline:judge")
    with pytest.raises(BadInput, match="no link"):
        organising.new_link(store, seat.id)


@pytest.mark.parametrize("name", ["", "  ", "n" * 201])
def test_a_seat_has_a_name(store, name):
    with pytest.raises(BadInput, match="name"):
        organising.add_seat(store, kit.drafted(store).id, name)


def test_a_secret_is_in_no_record(store):
    seat, secret = organising.add_seat(store, kit.drafted(store).id, "Ada")
    assert isinstance(seat, StudySeat)
    assert secret not in seat.model_dump_json()


# -- the end -----------------------------------------------------------------------------------


def test_sources_stay_hidden_until_the_session_is_closed(store):
    held = kit.opened(store)
    with pytest.raises(BadInput, match="Close the study first"):
        organising.unblind(store, held.study.id, "Ada")
    organising.close(store, held.study.id)
    assert organising.unblind(store, held.study.id, "Ada")["A1"].method == kit.METHODS[0]
    organising.unblind(store, held.study.id, "Bea")
    assert [
        one.detail for one in store.studies.events(held.study.id) if one.what == "unblinded"
    ] == ["Ada", "Bea"]


def test_closed_means_closed(store):
    held = kit.opened(store)
    here = held.at_work()
    shown = sitting.show(store, here, sitting.listed(store, here)[0].unit)
    organising.close(store, held.study.id)
    for act in (
        lambda: kit.say(store, here, shown),
        lambda: sitting.show(store, here, shown.unit.id),
        lambda: sitting.enter(store, held.secret()),
    ):
        with pytest.raises(SeatClosed):
            act()
    for act in (
        lambda: organising.add_seat(store, held.study.id, "Late"),
        lambda: organising.add_model(store, held.study.id, "m"),
        lambda: organising.close(store, held.study.id),
        lambda: organising.redeal(store, held.study.id),
    ):
        with pytest.raises(BadInput):
            act()
    assert store.study_work.answers(held.study.id) == ()


def test_an_open_session_is_not_deleted_and_a_closed_one_wholly(store):
    held, other = kit.opened(store), kit.opened(store)
    for one in (held, other):
        here = one.at_work()
        kit.work_through(store, here, units=2)
        ahead = sitting.upcoming(store, here)
        sitting.keep(
            store, here, ListedUnit(here.seat, ahead.unit, ahead.time), 1, {"note": "half"}
        )
    with pytest.raises(BadInput, match="Close the session first"):
        organising.remove(store, held.study.id)
    organising.close(store, held.study.id)
    organising.remove(store, held.study.id)
    for table in (
        "studies",
        "study_items",
        "study_units",
        "study_keys",
        "seats",
        "seat_units",
        "study_answers",
        "study_events",
    ):
        column = "id" if table == "studies" else "study"
        assert (
            store.connections.rows(f"SELECT 1 FROM {table} WHERE {column} = ?", held.study.id) == []
        ), table
        assert store.connections.rows(
            f"SELECT 1 FROM {table} WHERE {column} = ?", other.study.id
        ), table
    assert len(store.connections.rows("SELECT 1 FROM study_drafts")) == 1


def test_answers_are_in_labels_whatever_side_they_stood_on(store):
    held = kit.opened(store, "compare")
    here = held.at_work()
    kit.work_through(store, here)
    shown = {(one.unit, one.time): one.shown for one in sitting.listed(store, here)}
    for one in store.study_work.answers(held.study.id):
        assert set(one.answer.preferences.values()) == {
            Preference(better=shown[one.unit, one.time][0], much=True)
        }


@pytest.mark.parametrize("leave", [sitting.decline, sitting.withdraw])
def test_a_link_taken_back_from_somebody_who_left_changes_nothing_else(store, leave):
    """Answers that somebody withdrew would count again if the seat were taken for a revoked one."""
    held = kit.opened(store, experts=3)
    if leave is sitting.withdraw:
        kit.work_through(store, held.at_work(0))
    left = leave(store, sitting.enter(store, held.secret(0))).step
    for _ in range(2):
        assert organising.take_back(store, held.seats[0].id).step == left
    assert Filed(store, held.study.id).taking.experts == ()
    assert events(store, held.study.id).count("link taken back") == 1
    with pytest.raises(SeatClosed, match="opens no session"):
        sitting.enter(store, held.secret(0))


def test_who_is_done_stays_done_without_a_link(store):
    held = kit.opened(store, experts=2, texts=2, overlap=2)
    kit.work_through(store, held.at_work(0))
    kit.finished(store, sitting.enter(store, held.secret(0)))
    ended = store.seats.get(held.seats[0].id).ended
    assert organising.take_back(store, held.seats[0].id).step == "done"
    assert (store.seats.get(held.seats[0].id).ended, store.seats.linked(held.study.id)) == (
        ended,
        {held.seats[1].id},
    )


def test_consent_is_when_an_expert_gave_it_and_a_model_gives_none(store):
    held = kit.opened(store, experts=2)
    judge = organising.add_model(store, held.study.id, "some:model")
    store.seats.move(judge.id, "done", leaving=("work",))
    kit.agreed(store, sitting.enter(store, held.secret(0)))
    assert [bool(one.begun) for one in store.seats.of(held.study.id)] == [True, False, False]


def test_a_repeat_that_was_opened_before_its_first_time_keeps_the_first_time_on_the_list(store):
    held = kit.opened(store, experts=3, texts=9, overlap=2, repeats=2)
    here = held.at_work()
    again = next(one for one in sitting.listed(store, here) if one.time == 2)
    sitting.show(store, here, again.unit, 2)
    organising.take_back(store, held.seats[1].id)
    assert (again.unit, 1) in {(one.unit, one.time) for one in sitting.listed(store, here)}
    assert set(overlaps(store, held.study.id).values()) == {2}


@pytest.mark.parametrize(
    "act",
    [
        organising.close,
        organising.open_study,
        organising.redeal,
        organising.remove,
        organising.copied,
        lambda store, study: organising.unblind(store, study, "me"),
        lambda store, study: organising.add_seat(store, study, "A"),
    ],
)
def test_a_session_that_is_not_there_is_said_to_be_none(store, act):
    with pytest.raises(BadInput, match="There is no session 'nope'"):
        act(store, "nope")
