"""What somebody half said goes with the seat, the name, the session or the run it was said to."""

from core.store import Store
from core.store.places import OF_A_CHAIN, OF_A_RUN, OF_A_SEAT
from core.store.studies.work import ListedUnit
from core.studies import organising, sitting
from tests.conftest import make_run
from tests.support.sessions import studies_kit as kit


def half_said(store: Store) -> set[str]:
    """Return whose last questions are half said, in what is kept at all."""
    names = store.connections.column("SELECT name FROM choices WHERE name LIKE 'draft:seat:%'")
    return {name.split(":")[2] for name in names}


def test_what_is_half_said_goes_with_the_seat_the_name_or_the_session(store):
    held, other = kit.opened(store), kit.opened(store)
    withdrawn, erased, still, done = kit.opened(store, experts=4).seats
    away = held.seats[0]
    for seat in (withdrawn, erased, still, done, away, other.seats[0]):
        store.places.choose(OF_A_SEAT.format(seat.id), '{"note": "I am Grace Hopper"}')
    store.seats.move(withdrawn.id, "withdrawn")
    assert half_said(store) == {one.id for one in (erased, still, done, away, other.seats[0])}
    store.people.erase(erased.id)
    store.seats.move(done.id, "done")
    organising.close(store, held.study.id)
    organising.remove(store, held.study.id)
    assert half_said(store) == {still.id, other.seats[0].id}
    store.seats.move(still.id, "declined")
    store.seats.move(other.seats[0].id, "revoked")
    assert half_said(store) == set()


def test_a_half_said_answer_goes_with_whoever_withdraws(store):
    held = kit.opened(store)
    here, there = held.at_work(), held.at_work(1)
    for who in (here, there):
        first = sitting.show(store, who, sitting.listed(store, who)[0].unit).unit
        sitting.keep(store, who, ListedUnit(who.seat, first.id), 1, {"note": "x"})
    sitting.withdraw(store, here)
    assert {row["seat"] for row in store.connections.rows("SELECT seat FROM study_drafts")} == {
        there.seat
    }


def test_what_is_half_said_to_a_run_goes_with_it(store):
    gone, kept = make_run(store), make_run(store)
    for run in (gone, kept):
        store.places.choose(OF_A_RUN.format(run.id, "round-1/review"), '{"summary": "x"}')
        store.places.choose(OF_A_CHAIN.format(run.id, "1:abcd"), '{"now": "x"}')
    store.places.choose("model-main", "builtin")
    store.runs.delete(gone.id)
    left = store.connections.column("SELECT name FROM choices")
    whose = {OF_A_CHAIN.format(kept.id, "1:abcd"), OF_A_RUN.format(kept.id, "round-1/review")}
    assert set(left) == {*whose, "model-main"}
