"""An expert's seat: the link, the steps, drafts, answers that are kept once, rounds that stay
locked; and not one look at the key.
"""

import ast
import re
import sqlite3
import threading
import time
from pathlib import Path

import pytest

from core import door
from core.errors import BadInput, Outdated, SeatClosed
from core.records import Afterwards, RateAnswer, SkipAnswer, Trajectory
from core.store import Store
from core.store.studies import work as study_work
from core.store.studies.work import ListedUnit
from core.studies import growing, organising, sitting
from core.studies.effort import MINUTES_AN_ANSWER, WORDS_A_MINUTE, spoken
from tests import ROOT
from tests.support.sessions import studies_kit as kit


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def rows(store: Store, table: str) -> list[dict]:
    return store.connections.rows(f"SELECT * FROM {table}")


# -- the link ----------------------------------------------------------------------------------


def test_secrets_are_long_and_only_their_hash_is_kept(store):
    held = kit.opened(store)
    secret = held.secret()
    assert len(secret) >= 43
    assert len({door.secret() for _ in range(50)}) == 50
    for path in Path(store.folder).iterdir():
        assert secret.encode() not in path.read_bytes(), path
    assert door.hashed(secret) in {row["token"] for row in rows(store, "seats")}


@pytest.mark.parametrize("wrong", ["", "x", "\ud800", "../../etc/passwd"])
def test_a_wrong_link_opens_nothing(store, wrong):
    kit.opened(store)
    with pytest.raises(SeatClosed, match="opens no session"):
        sitting.enter(store, wrong)


def test_the_hash_that_is_kept_is_no_link(store):
    held = kit.opened(store)
    with pytest.raises(SeatClosed):
        sitting.enter(store, door.hashed(held.secret()))


def test_a_link_taken_back_or_replaced_opens_nothing(store):
    held = kit.opened(store)
    seat, old = held.seats[0].id, held.secret()
    new = organising.new_link(store, seat)
    with pytest.raises(SeatClosed):
        sitting.enter(store, old)
    assert sitting.enter(store, new).seat == seat
    organising.take_back(store, seat)
    with pytest.raises(SeatClosed):
        sitting.enter(store, new)


def test_before_and_after_the_session_the_link_says_so(store):
    study = kit.drafted(store)
    _, secret = organising.add_seat(store, study.id, "Ada")
    organising.add_seat(store, study.id, "Bea")
    with pytest.raises(SeatClosed, match="not open yet"):
        sitting.enter(store, secret)
    organising.open_study(store, study.id)
    here = kit.at_work(store, secret)
    organising.close(store, study.id)
    with pytest.raises(SeatClosed, match="Thank you"):
        sitting.enter(store, secret)
    for act in (sitting.withdraw, kit.agreed):
        with pytest.raises(SeatClosed, match="Thank you"):
            act(store, here)


def test_a_sitting_says_nothing_of_the_organiser(store):
    held = kit.opened(store)
    said = repr(held.at_work())
    assert "organiser" not in said
    assert "Expert" not in said


def test_a_tab_left_open_on_an_old_link_does_nothing_in_the_seat_s_name(store):
    held = kit.opened(store)
    old = held.at_work()
    shown = sitting.show(store, old, sitting.listed(store, old)[0].unit)
    before = store.seats.at(old.seat)
    new = sitting.enter(store, organising.new_link(store, old.seat))
    spot = ListedUnit(old.seat, shown.unit.id)
    for act in (
        lambda: sitting.show(store, old, shown.unit.id),
        lambda: sitting.open_text(store, old, spot, shown.unit.labels[0]),
        lambda: sitting.keep(store, old, spot, 1, {"note": "x"}),
        lambda: kit.say(store, old, shown),
        lambda: sitting.withdraw(store, old),
        lambda: sitting.finish(store, old, Afterwards(familiarity=3, confidence=3)),
        lambda: growing.take_more(store, old, 99),
        lambda: growing.keep_to_agreed(store, old),
    ):
        with pytest.raises(SeatClosed, match="opens no session"):
            act()
    assert store.seats.at(old.seat) == before
    assert not rows(store, "study_answers") + rows(store, "study_drafts")
    assert kit.say(store, new, sitting.show(store, new, shown.unit.id)).new


def test_what_waited_while_the_link_was_drawn_anew_is_not_kept(store):
    held = kit.opened(store)
    old = held.at_work()
    shown = sitting.show(store, old, sitting.listed(store, old)[0].unit)
    spot = ListedUnit(old.seat, shown.unit.id)
    refused = []

    def try_to(act) -> None:
        try:
            act()
        except SeatClosed as error:
            refused.append(error)

    acts = (
        lambda: sitting.open_text(store, old, spot, shown.unit.labels[0]),
        lambda: sitting.keep(store, old, spot, 1, {"note": "x"}),
        lambda: kit.say(store, old, shown),
    )
    waiting = [threading.Thread(target=try_to, args=[act]) for act in acts]
    with store.connections.writing():
        for one in waiting:
            one.start()
        time.sleep(0.3)
        organising.new_link(store, old.seat)
    for one in waiting:
        one.join(30)
    assert len(refused) == 3
    assert not rows(store, "study_answers") + rows(store, "study_drafts")


# -- the steps ---------------------------------------------------------------------------------


def test_steps_come_in_order_and_said_twice_change_nothing(store):
    held = kit.opened(store)
    here = sitting.enter(store, held.secret())
    assert here.step == "consent"
    assert sitting.practised(store, here).step == "consent", "no step is jumped"
    once = kit.agreed(store, here)
    assert (once.step, kit.agreed(store, here).step) == ("instructions", "instructions")
    assert sitting.decline(store, here).step == "instructions", (
        "agreed in one tab, it cannot be declined in another; withdrawing is for that"
    )
    assert sitting.instructed(store, once).step == "practice"
    assert sitting.practised(store, once).step == "work"
    assert kit.agreed(store, here).step == "work"
    assert [
        event.what for event in store.studies.events(held.study.id) if event.seat == here.seat
    ] == ["seat added", "instructions", "practice", "work"]


def test_a_session_without_practice_goes_on_to_the_work(store):
    held = kit.opened(store, practice=False)
    assert (
        sitting.instructed(store, kit.agreed(store, sitting.enter(store, held.secret()))).step
        == "work"
    )


def test_units_stay_shut_before_consent(store):
    held = kit.opened(store)
    here = sitting.enter(store, held.secret())
    with pytest.raises(BadInput, match="open after consent"):
        sitting.show(store, here, sitting.listed(store, here)[0].unit)
    assert not any(row["opened"] for row in rows(store, "seat_units"))


def test_who_declined_or_withdrew_can_answer_no_more(store):
    held = kit.opened(store)
    assert sitting.decline(store, sitting.enter(store, held.secret(0))).step == "declined"
    here = held.at_work(1)
    shown = sitting.show(store, here, sitting.listed(store, here)[0].unit)
    assert sitting.withdraw(store, here).step == "withdrawn"
    with pytest.raises(SeatClosed):
        kit.say(store, here, shown)
    with pytest.raises(SeatClosed):
        sitting.keep(store, here, ListedUnit(here.seat, shown.unit.id), 1, {"note": "x"})
    assert sitting.enter(store, held.secret(1)).step == "withdrawn"
    assert kit.agreed(store, here).step == "withdrawn"


# -- one unit ----------------------------------------------------------------------------------


def test_looking_stores_no_answer_and_no_draft(store):
    held = kit.opened(store)
    here = held.at_work()
    for one in sitting.listed(store, here):
        shown = sitting.show(store, here, one.unit, one.time)
        assert (shown.draft, shown.draft_at, shown.said) == ({}, "", ())
    assert rows(store, "study_answers") == rows(store, "study_drafts") == []
    assert all(one.opened for one in sitting.listed(store, here))


def test_texts_are_shown_in_the_order_that_is_stored(store):
    held = kit.opened(store, "compare")
    here = held.at_work()
    for one in sitting.listed(store, here):
        shown = sitting.show(store, here, one.unit, one.time)
        assert tuple(label for label, _ in shown.texts) == one.shown
        said = dict(shown.texts)
        assert all(
            f"Thought {int(label[1:]) - 1} " in text.text or "Give" in text.text
            for label, text in said.items()
        )


def test_drafts_come_back_and_an_empty_one_leaves_nothing(store):
    held = kit.opened(store)
    here = held.at_work()
    unit = sitting.listed(store, here)[0].unit
    spot = ListedUnit(here.seat, unit)
    sitting.show(store, here, unit)
    assert sitting.keep(store, here, spot, 1, {"scores": {}, "note": ""})
    assert rows(store, "study_drafts") == []
    at = sitting.keep(store, here, spot, 1, {"scores": {"clarity": None}, "note": ""})
    shown = sitting.show(store, here, unit)
    assert (shown.draft, shown.draft_at) == ({"scores": {"clarity": None}, "note": ""}, at), (
        "cannot judge is something said"
    )
    kit.say(store, here, shown)
    assert sitting.show(store, here, unit).draft == {}


def test_an_answer_sent_twice_is_kept_once(store):
    held = kit.opened(store)
    here = held.at_work()
    shown = sitting.show(store, here, sitting.listed(store, here)[0].unit)
    first, again = kit.say(store, here, shown, key="k"), kit.say(store, here, shown, key="k")
    assert (first.new, again.new, first.at) == (True, False, again.at)
    assert len(rows(store, "study_answers")) == 1


def test_two_tabs_cannot_overwrite_each_other(store):
    held = kit.opened(store)
    here = held.at_work()
    unit = sitting.listed(store, here)[0].unit
    tab, other = sitting.show(store, here, unit), sitting.show(store, here, unit)
    kit.say(store, here, tab, key="one")
    with pytest.raises(Outdated):
        kit.say(store, here, other, key="other")
    assert len(rows(store, "study_answers")) == 1


def test_a_revision_is_added_and_never_replaces(store):
    held = kit.opened(store)
    here = held.at_work()
    unit = sitting.listed(store, here)[0].unit
    for score in (3, 8):
        shown = sitting.show(store, here, unit)
        kit.say(store, here, shown, RateAnswer(scores=dict.fromkeys(kit.CRITERIA, score)))
    assert [one.answer.scores["clarity"] for one in sitting.show(store, here, unit).said] == [3, 8]
    with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
        store.connections.connection.execute("UPDATE study_answers SET answer = '{}'")


def test_an_answer_is_changed_so_often_and_no_more(store):
    held = kit.opened(store)
    here = held.at_work()
    unit, other, *_ = (one.unit for one in sitting.listed(store, here))
    for n in range(study_work.MOST_CHANGES + 1):
        score = RateAnswer(scores=dict.fromkeys(kit.CRITERIA, 1 + n % 9))
        kit.say(store, here, sitting.show(store, here, unit), score, key=f"change {n}")
    again = sitting.show(store, here, unit)
    with pytest.raises(BadInput, match="changed 24 times, and what you said last is kept"):
        kit.say(store, here, again, key="one more")
    assert not kit.say(store, here, again, score, key=f"change {n}").new, "sent once more"
    assert sitting.show(store, here, unit).said[-1].answer == score
    _, [last] = store.study_work.standing(held.study.id)
    assert last.answer["scores"] == score.scores
    assert kit.say(store, here, sitting.show(store, here, other)).new


def test_a_seat_reaches_its_own_list_only(store):
    held = kit.opened(store, overlap=1)
    here, other = held.at_work(0), held.at_work(1)
    theirs = next(
        one.unit
        for one in sitting.listed(store, other)
        if one.unit not in {mine.unit for mine in sitting.listed(store, here)}
    )
    with pytest.raises(BadInput, match="not on your list"):
        sitting.show(store, here, theirs)
    shown = sitting.show(store, other, theirs)
    with pytest.raises(BadInput, match="another list"):
        sitting.submit(
            store, here, ListedUnit(other.seat, theirs), 1, kit.an_answer(other, shown), "k", 0
        )
    with pytest.raises(BadInput, match="another list"):
        sitting.keep(store, here, ListedUnit(other.seat, theirs), 1, {"note": "x"})


def test_an_answer_to_another_task_is_refused(store):
    held, other = kit.opened(store), kit.opened(store, "comment")
    here, there = held.at_work(), other.at_work()
    shown = sitting.show(store, here, sitting.listed(store, here)[0].unit)
    wrong = kit.an_answer(there, sitting.show(store, there, sitting.listed(store, there)[0].unit))
    with pytest.raises(BadInput, match="asks to rate"):
        kit.say(store, here, shown, wrong)


def test_criteria_are_the_seats_own_in_one_order(store):
    held = kit.opened(store, experts=12, texts=3)
    orders = [tuple(one.name for one in held.at_work(n).criteria) for n in range(12)]
    assert set(orders) == {kit.CRITERIA, kit.CRITERIA[::-1]}
    assert orders == [tuple(one.name for one in held.at_work(n).criteria) for n in range(12)]


# -- trajectories ------------------------------------------------------------------------------


def test_later_rounds_are_not_there_before_their_time(store):
    held = kit.opened(store, "comment")
    here = held.at_work()
    unit = next(one.unit for one in sitting.listed(store, here) if one.stages == 3)
    for stage in (1, 2, 3):
        shown = sitting.show(store, here, unit)
        ((_, text),) = shown.texts
        assert isinstance(text, Trajectory)
        assert (shown.stage, len(text.rounds)) == (stage, stage)
        assert f"version {stage + 1}" not in repr(shown)
        for wrong in {1, 2, 3} - {stage}:
            with pytest.raises(BadInput, match="locked"):
                sitting.submit(
                    store,
                    here,
                    ListedUnit(here.seat, unit),
                    wrong,
                    kit.an_answer(here, shown),
                    "w",
                    shown.assignment.version,
                )
        kit.say(store, here, shown)
    done = sitting.show(store, here, unit)
    assert (done.stage, done.assignment.done, len(done.said)) == (3, True, 3)
    with pytest.raises(BadInput, match="locked"):
        kit.say(store, here, done)


def test_a_draft_of_a_locked_round_is_not_kept(store):
    held = kit.opened(store, "comment")
    here = held.at_work()
    unit = next(one.unit for one in sitting.listed(store, here) if one.stages == 3)
    kit.say(store, here, sitting.show(store, here, unit))
    sitting.keep(store, here, ListedUnit(here.seat, unit), 1, {"note": "too late"})
    sitting.keep(store, here, ListedUnit(here.seat, unit), 3, {"note": "too early"})
    assert rows(store, "study_drafts") == []


# -- time --------------------------------------------------------------------------------------


def test_active_time_is_of_this_unit_and_without_absences(store, monkeypatch):
    held = kit.opened(store)
    here = held.at_work()
    one, other = (place.unit for place in sitting.listed(store, here)[:2])
    clock = iter(
        f"2026-01-01T00:{m:02d}:{s:02d}.000+00:00"
        for m, s in ((0, 0), (0, 30), (10, 0), (10, 5), (10, 50), (11, 0))
    )

    def look(unit: str) -> float:
        moment = next(clock)
        monkeypatch.setattr(study_work, "now", lambda: moment)
        return sitting.show(store, here, unit).assignment.active

    assert [look(one), look(one)] == [0, 30]
    assert look(one) == 150, "nine and a half minutes away count as two"
    assert look(other) == 0
    assert look(one) == 150, "45 seconds at another unit are not work on this one"
    assert look(one) == 160


def test_minutes_left_are_a_range_at_the_experts_own_pace_once_three_units_are_done(store):
    held = kit.opened(store, repeats=0, attention=0, texts=9)
    here = held.at_work()
    assert sitting.progress(store, here) == (0, 6, None)
    kit.work_through(store, here, units=2)
    assert sitting.progress(store, here) == (2, 6, None), "two quick units say nothing"
    kit.work_through(store, here, units=1)
    done = [one for one in sitting.listed(store, here) if one.done]
    for one, seconds in zip(done, (60, 120, 240), strict=True):
        store.connections.write(
            "UPDATE seat_units SET active = ? WHERE seat = ? AND unit = ?",
            seconds,
            here.seat,
            one.unit,
        )
    # The quartiles of 60, 120 and 240 seconds are 90 and 180; three units are left.
    assert sitting.progress(store, here) == (3, 6, (4.5, 9.0))
    kit.work_through(store, here)
    assert sitting.progress(store, here).minutes_left is None


def test_an_order_is_handed_in_only_when_every_text_was_opened_and_openings_are_kept(store):
    held = kit.opened(store, "rank", repeats=0, attention=0)
    here = held.at_work()
    place, again = sitting.listed(store, here)[:2]
    assert set(place.shown) == set(again.shown), "the same set by another criterion"
    shown = sitting.show(store, here, place.unit)
    assert shown.opened == frozenset()
    spot = ListedUnit(here.seat, place.unit, 1)
    for label in place.shown[:2]:
        sitting.open_text(store, here, spot, label)
        sitting.open_text(store, here, spot, label)
    order = kit.an_answer(here, shown)
    with pytest.raises(BadInput, match=f"Not opened yet: {place.shown[2]}"):
        sitting.submit(store, here, spot, 1, order, "k", 0)
    with pytest.raises(BadInput, match="not among the ideas shown"):
        sitting.open_text(store, here, spot, "Q99")
    sitting.open_text(store, here, spot, place.shown[2])
    assert sitting.submit(store, here, spot, 1, order, "k", 0).new
    assert sitting.show(store, here, again.unit).opened == frozenset(place.shown)
    rows = store.connections.rows("SELECT label, at FROM text_openings WHERE seat = ?", here.seat)
    assert sorted(row["label"] for row in rows) == sorted(place.shown)


def test_a_set_is_skipped_unread(store):
    held = kit.opened(store, "rank", repeats=0, attention=0)
    here = held.at_work()
    place = sitting.listed(store, here)[0]
    skip = SkipAnswer(reason="I wrote one of them.")
    spot = ListedUnit(here.seat, place.unit, 1)
    assert sitting.submit(store, here, spot, 1, skip, "k", 0).new
    assert store.study_work.opened(spot) == frozenset()


@pytest.mark.parametrize("task", ["rate", "rank", "compare", "comment"])
def test_a_repeat_is_shown_under_other_labels_and_answered_under_its_own(store, task):
    held = kit.opened(store, task, attention=0)
    here = held.at_work()
    labels = set(store.studies.items(held.study.id))
    (repeat,) = (one for one in sitting.listed(store, here) if one.time == 2)
    first = sitting.show(store, here, repeat.unit, 1)
    second = sitting.show(store, here, repeat.unit, 2)
    assert first.names == {label: label for label in first.unit.labels}
    assert set(second.names) == set(first.unit.labels)
    assert len(set(second.names.values())) == len(second.names)
    assert not labels.intersection(second.names.values())
    kit.open_texts(store, here, first)
    # It would be known for a repeat by what is open already.
    assert not sitting.show(store, here, repeat.unit, 2).opened
    kit.work_through(store, here)
    placed = [one.answer for one in store.study_work.said(ListedUnit(here.seat, repeat.unit, 2))]
    assert not any(name in repr(placed) for name in second.names.values())


# -- at the end --------------------------------------------------------------------------------


def test_the_end_comes_after_the_last_unit_and_once(store):
    held = kit.opened(store)
    here = held.at_work()
    said = Afterwards(familiarity=2, confidence=3)
    kit.work_through(store, here, units=2)
    with pytest.raises(BadInput, match="not answered yet"):
        sitting.finish(store, here, said)
    kit.work_through(store, here)
    assert (
        sitting.enter(store, held.secret()).step == store.seats.get(here.seat).step == "afterwards"
    )
    assert sitting.finish(store, here, said).step == "done"
    assert sitting.finish(store, here, Afterwards(familiarity=5, confidence=5)).step == "done"
    assert store.seats.afterwards(held.study.id) == {here.seat: said}
    with pytest.raises(SeatClosed, match="finished"):
        sitting.show(store, here, sitting.listed(store, here)[0].unit)


def test_each_hidden_set_is_asked_for_once(store):
    held = kit.opened(store, "rank", hidden_target=True)
    here = held.at_work()
    kit.work_through(store, here)
    sets = sitting.sets_to_guess(store, here)
    seen = {tuple(sorted(one.shown)) for one in sitting.listed(store, here)}
    # An attention check hides no idea by people.
    assert sorted(tuple(sorted(one.unit.labels)) for one in sets) == sorted(seen - {kit.ATTENTION})
    assert len(sets) == len(seen) - 1 > 0
    with pytest.raises(BadInput, match="Say of each set"):
        sitting.finish(store, here, Afterwards(familiarity=1, confidence=1))
    assert kit.finished(store, here).step == "done"


def test_what_is_ahead_is_this_seats_list_each_text_read_once(store):
    held = kit.opened(store, "rate", experts=1, texts=2, overlap=1, repeats=1, attention=0)
    here = held.at_work()
    words = sum(
        len(spoken(text).split())
        for one in sitting.listed(store, here)
        if one.time == 1
        for _, text in sitting.show(store, here, one.unit).texts
    )
    assert words > 20
    assert sitting.ahead(store, here) == (
        3,
        words / WORDS_A_MINUTE + 3 * len(kit.CRITERIA) * MINUTES_AN_ANSWER,
    )


def test_what_hides_nothing_is_not_asked_for(store):
    held = kit.opened(store, "rank")
    assert sitting.sets_to_guess(store, held.at_work()) == ()


# -- the key -----------------------------------------------------------------------------------

TABLE = re.compile(r"\b(?:FROM|INTO|UPDATE|JOIN)\s+(\w+)", re.IGNORECASE)
MINE = {
    "seats",
    "studies",
    "study_items",
    "study_units",
    "seat_units",
    "study_answers",
    "study_drafts",
    "study_events",
    "text_openings",
    "study_terms",
    "study_consents",
    "seat_terms",
    "frozen",
    "choices",
}
"""None of them has a source, or an expert's name."""


@pytest.mark.parametrize("task", ["rate", "rank", "compare", "comment"])
def test_no_query_of_an_experts_touches_the_key(store, task):
    held = kit.opened(store, task, experts=4, hidden_target=task == "rank")
    asked: list[str] = []
    store.connections.connection.set_trace_callback(asked.append)
    here = held.at_work()
    sitting.decline(store, sitting.enter(store, held.secret(1)))
    for one in sitting.listed(store, here):
        sitting.show(store, here, one.unit, one.time)
        sitting.keep(store, here, ListedUnit(here.seat, one.unit, one.time), 1, {"note": "x"})
    kit.work_through(store, here)
    sitting.progress(store, here)
    sitting.ahead(store, here)
    sitting.language(store, held.secret())
    sitting.leaving(store, held.secret())
    first = sitting.listed(store, here)[0]
    spot = ListedUnit(here.seat, first.unit, first.time)
    sitting.open_text(store, here, spot, first.shown[0])
    kit.finished(store, here)
    sitting.withdraw(store, held.at_work(2))
    with pytest.raises(SeatClosed):
        sitting.enter(store, "wrong")
    store.connections.connection.set_trace_callback(None)
    touched = {
        table for sql in asked for table in TABLE.findall(re.sub(r"'(?:[^']|'')*'", "''", sql))
    } - {"SET"}
    assert touched - {"json_each"} <= MINE, touched - MINE
    assert len(touched) >= 8, "the trace saw nothing"
    calls = {
        name
        for name in vars(sitting)
        if callable(getattr(sitting, name))
        and getattr(getattr(sitting, name), "__module__", "") == sitting.__name__
    }
    assert {name for name in calls if name.islower() and not name.startswith("_")} == {
        "enter",
        "leaving",
        "agree",
        "decline",
        "instructed",
        "practised",
        "withdraw",
        "listed",
        "upcoming",
        "progress",
        "show",
        "open_text",
        "language",
        "keep",
        "submit",
        "ahead",
        "cut_at",
        "sets_to_guess",
        "finish",
        "overdue",
        "check_link",
    }, "a function of the expert's side that this test does not go through"


def test_nothing_an_expert_sees_names_a_source(store):
    for task in ("rate", "rank", "compare", "comment"):
        held = kit.opened(store, task, hidden_target=task == "rank")
        here = held.at_work()
        seen = repr(here) + "".join(
            repr(sitting.show(store, here, one.unit, one.time))
            for one in sitting.listed(store, here)
        )
        kit.work_through(store, here)
        seen += repr(sitting.sets_to_guess(store, here)) + repr(sitting.listed(store, here))
        assert "secret" not in seen.replace("chain-of-secrets", "secret")
        assert "Title" not in seen


@pytest.mark.parametrize("name", ["sitting", "checks", "effort", "growing"])
def test_the_experts_side_imports_nothing_that_reads_the_key(name):
    tree = ast.parse((ROOT / f"core/studies/{name}.py").read_text())
    named = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} | {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name)
    }
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not named & {"study_keys", "entries", "runs", "steps", "ideas", "ItemKey", "UnitKey"}
    assert {one for one in imported if one and one.startswith("core.s")} <= {
        "core.store",
        "core.store.studies.work",
        "core.studies",
        "core.studies.effort",
        "core.studies.texts",
        "core.studies.sitting",
    }


def test_a_key_used_for_another_answer_or_unit_is_no_receipt(store):
    """Told that it is kept, an expert would go on, and the answer would be gone."""
    held = kit.opened(store)
    here = held.at_work()
    first, second = (sitting.show(store, here, one.unit) for one in sitting.listed(store, here)[:2])
    kit.say(store, here, first, key="k")
    assert not kit.say(store, here, first, key="k").new
    for shown, score in ((first, 9), (second, 6)):
        with pytest.raises(Outdated, match="this one was not"):
            kit.say(store, here, shown, kit.an_answer(here, shown, score), key="k")
    assert len(store.study_work.answers(held.study.id)) == 1


def test_a_clock_set_back_takes_no_work_away(store, monkeypatch):
    held = kit.opened(store)
    here = held.at_work()
    first, second = sitting.listed(store, here)[:2]
    for unit, moments in (
        (first.unit, ("12:00:00", "12:01:00")),
        (second.unit, ("11:01:00", "11:02:00", "11:02:30")),
    ):
        for moment in moments:
            monkeypatch.setattr(
                study_work, "now", lambda moment=moment: f"2026-01-01T{moment}.000+00:00"
            )
            sitting.show(store, here, unit)
    assert [one.active for one in sitting.listed(store, here)[:2]] == [60, 90]


@pytest.mark.parametrize("stage", [0, 2, 99])
def test_a_draft_of_a_part_that_is_not_there_is_not_kept(store, stage):
    held = kit.opened(store)
    here = held.at_work()
    sitting.keep(
        store,
        here,
        ListedUnit(here.seat, sitting.listed(store, here)[0].unit),
        stage,
        {"note": "x"},
    )
    assert rows(store, "study_drafts") == []


def test_who_withdrew_reads_so_after_the_end_too(store):
    held = kit.opened(store, "rate", 2, 4)
    sitting.withdraw(store, held.at_work(0))
    organising.close(store, held.study.id)
    assert sitting.enter(store, held.secret(0)).step == "withdrawn"
    with pytest.raises(SeatClosed, match="everything you submitted is kept"):
        sitting.enter(store, held.secret(1))
