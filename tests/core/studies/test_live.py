"""How a session goes: counts and signs of hurry, seat by seat, quickly, and never where a text
comes from.
"""

import json
import time
from pathlib import Path

import pytest

from core.records import CommentAnswer, CompareAnswer, Preference, RankAnswer, RateAnswer
from core.store import Store
from core.studies import organising, sitting
from core.studies.live import Tally, alike, dashboard, left_bias
from tests.support.sessions import studies_kit as kit


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def json_of(answer) -> dict:
    return answer.model_dump(mode="json")


def spread(here, shown):
    """Answer as the attention unit asks, and otherwise with a difference."""
    if shown.unit.id == "u900":
        return RateAnswer(scores=dict.fromkeys(kit.CRITERIA, 1))
    return RateAnswer(scores={"novelty": 7, "clarity": None if shown.unit.id == "u001" else 4})


# -- signs of hurry ----------------------------------------------------------------------------


def test_straight_lining_is_one_score_on_all_criteria_of_two_or_more():
    said = {
        ("u1", 1, 1): {"scores": {"a": 5, "b": 5}},
        ("u2", 1, 1): {"scores": {"a": 5, "b": 6}},
        ("u3", 1, 1): {"scores": {"a": 5, "b": None}},
    }
    criteria = [kit.criterion(name) for name in "ab"]
    assert alike("rate", said, {}, criteria) == Tally(1, 2)


def test_a_set_left_as_it_was_shown_or_all_tied_makes_no_distinction():
    shown = {("u1", 1): ("B", "A"), ("u2", 1): ("B", "A"), ("u3", 1): ("B", "A")}
    said = {
        (unit, 1, 1): json_of(RankAnswer(groups=groups))
        for unit, groups in (
            ("u1", (("B",), ("A",))),
            ("u2", (("A", "B"),)),
            ("u3", (("A",), ("B",))),
        )
    }
    assert alike("rank", said, shown) == Tally(2, 3)


def test_comparing_always_to_one_side_with_one_strength_is_counted_by_side_shown_not_by_label():
    shown = {("u1", 1): ("A", "B"), ("u2", 1): ("C", "A"), ("u3", 1): ("A", "D")}
    said = {
        (unit, 1, 1): json_of(
            CompareAnswer(preferences={"q": Preference(better=better, much=True)})
        )
        for unit, better in (("u1", "A"), ("u2", "C"), ("u3", "D"))
    }
    assert alike("compare", said, shown) == Tally(2, 3)


def test_a_left_bias_has_an_interval_that_knows_units_hang_together():
    shown = {(f"u{n}", 1): ("A", "B") for n in range(20)}
    once = {
        (f"u{n}", 1, 1): json_of(
            CompareAnswer(preferences={"q": Preference(better="A" if n < 15 else "B")})
        )
        for n in range(20)
    }
    five = {
        place: {"preferences": {f"q{k}": one["preferences"]["q"] for k in range(5)}}
        for place, one in once.items()
    }
    single, repeated = left_bias(once, shown), left_bias(five, shown)
    assert single.value == repeated.value == 0.75
    assert single.low < 0.55
    assert repeated.low == pytest.approx(
        single.low, abs=0.05
    )  # Five criteria of one mind are no five times as much.
    assert left_bias(dict(list(once.items())[:9]), shown).value is None


def test_ties_say_nothing_of_a_side():
    shown = {(f"u{n}", 1): ("A", "B") for n in range(20)}
    said = {
        (f"u{n}", 1, 1): json_of(
            CompareAnswer(preferences={"q": Preference(better="" if n < 10 else "B")})
        )
        for n in range(20)
    }
    assert left_bias(said, shown)[:1] == (0.0,)
    assert left_bias(said, shown).n == 10


def test_rounds_answered_with_the_same_three_are_counted():
    said = {
        ("u1", 1, stage): json_of(
            CommentAnswer(valid="yes", answered="yes", change="better" if stage < 3 else "same")
        )
        for stage in (1, 2, 3)
    }
    assert alike("comment", said, {}) == Tally(2, 3)


# -- a session ---------------------------------------------------------------------------------


def test_a_seat_that_was_added_while_the_seats_were_read_is_in_the_next_reading(store, monkeypatch):
    held = kit.opened(store, experts=2)
    kit.work_through(store, held.at_work(0), spread)
    known = store.seats.of(held.study.id)
    with monkeypatch.context() as reading:
        reading.setattr(store.seats, "of", lambda study: known[1:])
        assert [seat.done for seat in dashboard(store, held.study.id).seats] == [0]
    assert len(dashboard(store, held.study.id).seats) == 2


def test_every_seat_is_shown_with_what_it_did(store):
    held = kit.opened(store, experts=3)
    kit.work_through(store, held.at_work(0), spread)
    kit.work_through(store, held.at_work(1), units=2)
    store.connections.write(
        "UPDATE seat_units SET active = 90 WHERE seat = ? AND stage = stages", held.seats[0].id
    )
    found = dashboard(store, held.study.id)
    one, two, three = found.seats
    assert (one.done, one.whole, one.minutes, one.step) == (6, 6, 1.5, "afterwards")
    assert (one.alike.hits, one.attention, one.again) == (0, Tally(1, 1), Tally(1, 1))
    assert one.cannot == Tally(
        sum(spot.unit == "u001" for spot in store.study_work.of(one.seat) if spot.time == 1), 8
    )
    assert (two.done, two.whole) == (2, 6)
    assert (three.done, three.step, three.minutes, three.attention) == (
        0,
        "consent",
        None,
        Tally(0, 0),
    )
    assert found.units == 6
    assert found.wanted == 12


def test_an_attention_unit_answered_otherwise_is_not_passed(store):
    held = kit.opened(store, experts=2)
    kit.work_through(store, held.at_work(0))
    assert dashboard(store, held.study.id).seats[0].attention == Tally(0, 1)


def test_overlap_counts_experts_once_and_not_those_who_withdrew(store):
    held = kit.opened(store, experts=2)
    here = [held.at_work(n) for n in (0, 1)]
    for one in here:
        kit.work_through(store, one)
    assert dashboard(store, held.study.id)[2:6] == (6, 12, 12, 6)
    sitting.withdraw(store, here[0])
    assert dashboard(store, held.study.id)[2:6] == (6, 6, 12, 0)


def test_a_model_judge_fills_no_place_of_an_expert(store):
    held = kit.opened(store, experts=2)
    seat = organising.add_model(store, held.study.id, "openai:some-judge")
    for one in store.study_work.of(seat.id):
        store.connections.write(
            "UPDATE seat_units SET stage = stages WHERE seat = ? AND unit = ? AND time = ?",
            one.seat,
            one.unit,
            one.time,
        )
    found = dashboard(store, held.study.id)
    assert found.answered == 0
    assert found.seats[-1].model == "openai:some-judge"
    assert found.seats[-1].done == 6


def test_the_end_is_expected_from_the_pace_so_far(store):
    held = kit.opened(store, experts=2, texts=8)
    assert dashboard(store, held.study.id).end == ""
    kit.work_through(store, held.at_work(0), units=5)
    store.connections.write("UPDATE seat_units SET active = 60 WHERE stage = stages")
    found = dashboard(store, held.study.id)
    assert found.end > held.study.opened[:16]
    assert (
        found.minutes_left == found.seats[1].whole
    )  # Nobody's pace but the first's is known: a minute a unit.


def test_nothing_of_the_key_is_in_it(store):
    held = kit.opened(store, "compare", experts=3)
    kit.work_through(store, held.at_work(0))
    said = repr(dashboard(store, held.study.id))
    assert not any(word in said for word in (*kit.METHODS, kit.MODEL, "run-secret", "Title"))


def test_fifty_seats_of_two_hundred_units_are_read_quickly(store):
    study = kit.drafted(store, texts=200, attention=0)
    seats = [organising.add_seat(store, study.id, f"Expert {n}")[0].id for n in range(50)]
    said = RateAnswer(scores=dict.fromkeys(kit.CRITERIA, 5)).model_dump_json()
    with store.connections.writing() as connection:
        for seat in seats:
            connection.executemany(
                "INSERT INTO seat_units VALUES (?,?,1,?,?,'[\"A1\"]',1,1,1,?,60,?,'[]')",
                [
                    (seat, f"u{n:03d}", study.id, n, study.created, study.created)
                    for n in range(1, 201)
                ],
            )
            connection.executemany(
                "INSERT INTO study_answers (study, seat, unit, time, stage, key, answer, at) VALUES"
                " (?,?,?,1,1,?,?,?)",
                [
                    (study.id, seat, f"u{n:03d}", f"k{n}", said, study.created)
                    for n in range(1, 201)
                ],
            )
    took = min(timed(lambda: dashboard(store, study.id)) for _ in range(3))
    assert dashboard(store, study.id).answered == 10_000
    assert took < 0.8, f"{took:.2f} s"  # 0.2 s on a machine that does nothing else.


def timed(work) -> float:
    began = time.process_time()  # The processor's own, which others on the machine take nothing of.
    work()
    return time.process_time() - began


def test_the_last_revision_is_what_is_looked_at(store):
    held = kit.opened(store, experts=2, repeats=0, attention=0)
    here = held.at_work(0)
    one = sitting.upcoming(store, here)
    shown = sitting.show(store, here, one.unit, 1)
    kit.say(store, here, shown, RateAnswer(scores=dict.fromkeys(kit.CRITERIA, 5)))
    shown = sitting.show(store, here, one.unit, 1)
    kit.say(store, here, shown, RateAnswer(scores={"novelty": 5, "clarity": 6}))
    _, said = store.study_work.standing(held.study.id)
    assert [one.answer["scores"]["clarity"] for one in said] == [6]
    assert json.dumps(dashboard(store, held.study.id).seats[0].alike) == "[0, 1]"


def test_what_somebody_withdrew_is_in_no_figure_of_theirs(store):
    held = kit.opened(store, experts=3)
    kit.work_through(store, held.at_work(0))
    before = dashboard(store, held.study.id).seats[0]
    assert min(before.alike.of, before.attention.of, before.cannot.of) > 0
    sitting.withdraw(store, sitting.enter(store, held.secret(0)))
    seat = dashboard(store, held.study.id).seats[0]
    assert (seat.alike.of, seat.attention.of, seat.again.of, seat.cannot.of) == (0, 0, 0, 0)
