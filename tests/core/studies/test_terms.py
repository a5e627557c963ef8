"""What is agreed with experts: deadlines and late answers, versions of the consent, maxima, and
lists that grow only with a word from the expert.
"""

import csv
import io

import pytest

from core.errors import BadInput, SeatClosed
from core.export.sessions.folder import files
from core.export.sessions.wide import wide
from core.records import StudyTerms
from core.store import Store, now
from core.store.studies import work as study_work
from core.studies import growing, inviting, live, organising, sitting
from core.studies.analysis import analysed
from core.studies.dealing import work_within
from core.studies.filed import Filed
from core.studies.inviting import Invited
from core.studies.paragraph import methods
from tests.support.sessions import studies_kit as kit

PAST, FUTURE = "2020-01-01T00:00+00:00", "2090-01-01T00:00+00:00"


@pytest.fixture
def store(tmp_path) -> Store:
    return Store(tmp_path / "data")


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def length(store: Store, seat: str) -> int:
    return len(store.study_work.of(seat))


# -- deadlines ---------------------------------------------------------------------------------


def test_after_the_deadline_nothing_is_taken_where_late_answers_are_refused(store, monkeypatch):
    held = kit.opened(store)
    store.terms.put(held.study.id, StudyTerms(deadline=FUTURE, late=False))
    here = held.at_work()
    at = sitting.upcoming(store, here)
    shown = sitting.show(store, here, at.unit, at.time)
    # The form was drawn before, and comes after.
    store.terms.put(held.study.id, StudyTerms(deadline=PAST, late=False))
    for act in (
        lambda: kit.say(store, here, shown),
        lambda: sitting.show(store, here, at.unit, at.time),
        lambda: sitting.enter(store, held.secret()),
        lambda: sitting.enter(store, held.secret(1)),
    ):
        with pytest.raises(SeatClosed, match="deadline"):
            act()
    assert store.study_work.answers(held.study.id) == ()
    store.terms.put(held.study.id, StudyTerms(deadline=PAST, late=True))
    assert kit.say(store, here, shown).new
    assert sitting.overdue(sitting.enter(store, held.secret()).terms)


def test_an_answer_is_late_by_the_deadline_that_held_when_it_was_filed(store):
    held = kit.opened(store, experts=2)
    study = held.study.id
    store.terms.put(study, StudyTerms(deadline=FUTURE))
    kit.work_through(store, held.at_work(0))
    store.terms.put(study, StudyTerms(deadline=PAST))
    # In time is what was filed before, though it is after the deadline that holds now.
    sheet = rows_of(files(store, study)["answers.csv"])
    assert {row["late"] for row in sheet} == {"no"}
    kit.work_through(store, held.at_work(1))
    counted = [row for row in rows_of(files(store, study)["answers.csv"]) if row["counts"] == "yes"]
    by_rater = {(row["rater"], row["late"]) for row in counted}
    assert by_rater == {("E1", "no"), ("E2", "yes")}
    late = len({row["answer"] for row in counted if row["late"] == "yes"})
    filed = Filed(store, study)
    assert (filed.counts.late, live.dashboard(store, study).late) == (late, late)
    assert f"{late} of them filed after the deadline" in filed.counts.said
    told = methods(analysed(store, study))
    assert f"{late} answers of 1 expert came after the deadline that held then" in told.text
    assert told.text.count("it was set to") == 2
    assert any(f"Why {late} answers filed after the deadline count" in one for one in told.missing)
    table = wide(filed)
    at = [one.name for one in table.variables].index("late")
    assert {(row[1], row[at]) for row in table.rows} == {("E1", 0), ("E2", 1)}
    store.terms.put(study, StudyTerms())
    assert "it was lifted" in methods(analysed(store, study)).text


def test_who_finished_in_time_is_thanked_after_the_deadline_and_a_model_has_none(store):
    held = kit.opened(store)
    judge = organising.add_model(store, held.study.id, "openai:a")
    here = held.at_work()
    kit.work_through(store, here)
    kit.finished(store, here)
    store.terms.put(held.study.id, StudyTerms(deadline=PAST, late=False))
    assert sitting.enter(store, held.secret()).step == "done"
    one = store.study_work.of(judge.id)[0]
    assert store.study_work.claim(study_work.ListedUnit(judge.id, one.unit, one.time))


@pytest.mark.parametrize("given", ["soon", "2030-12-04T18:00+01:00", "2030-12-04T18:00"])
def test_a_deadline_is_kept_in_utc_alone(given):
    with pytest.raises(ValueError, match="no moment in UTC"):
        StudyTerms(deadline=given)


def test_a_moment_of_now_is_compared_with_a_deadline_as_it_is_written():
    moment = now()
    minute = StudyTerms(deadline=f"{moment[:16]}+00:00").deadline
    assert minute <= moment < StudyTerms(deadline=f"{moment[:10]}T23:59:59+00:00").deadline + "~"


@pytest.mark.parametrize(
    "given",
    [
        {"return_address": "javascript:alert(1)"},
        {"return_address": "app.prolific.com/complete"},
        {"return_address": "https://x.org/?cc=$code"},
        {"zone": "Moon/Base"},
        {"code": "one\nline"},
        {"rate": "-1"},
    ],
)
def test_terms_that_cannot_be_meant_are_refused(given):
    with pytest.raises(ValueError, match=r"."):
        StudyTerms(**given)


# -- consent -----------------------------------------------------------------------------------


def test_what_was_agreed_to_is_on_record_and_a_new_text_is_for_those_who_come_later(store):
    held = kit.opened(store)
    held.at_work(0)
    made = store.terms.consent(held.study.id, "Another text.")
    assert sitting.enter(store, held.secret(1)).consent == "Another text."
    held.at_work(1)
    agreed = store.terms.of(held.study.id)
    first, second = held.seats[0].id, held.seats[1].id
    assert (agreed[first].consent, agreed[second].consent) == (1, 2)
    assert agreed[first].units == length(store, first)
    assert [one.text for one in store.terms.consents(held.study.id)] == [
        held.study.plan.consent,
        "Another text.",
    ]
    event = next(
        one for one in store.studies.events(held.study.id) if one.what == "consent text changed"
    )
    assert made.sha in event.detail
    assert store.terms.consent(held.study.id, "Another text.").version == 2
    assert store.studies.get(held.study.id).plan == held.study.plan


def test_who_declines_agreed_to_nothing(store):
    held = kit.opened(store)
    sitting.decline(store, sitting.enter(store, held.secret()))
    kit.agreed(store, sitting.enter(store, held.secret()))
    assert store.terms.of(held.study.id) == {}


# -- maxima ------------------------------------------------------------------------------------


@pytest.mark.parametrize("repeats", range(4))
@pytest.mark.parametrize("checks", range(3))
def test_work_within_a_maximum_leaves_room_for_checks_and_repeats(repeats, checks):
    for most in range(40):
        n = work_within(most, repeats, checks)
        assert n == 0 or n + min(repeats, n // 2) + checks <= most
        assert n + 1 + min(repeats, (n + 1) // 2) + checks > most


@pytest.mark.parametrize("task", ["rate", "rank", "compare", "comment"])
def test_no_list_is_longer_than_the_maximum_whoever_leaves(store, task):
    study = kit.drafted(store, task, 9, overlap=2)
    store.terms.put(study.id, StudyTerms(most=8))
    needed = organising.experts_needed(store, study)
    made = inviting.invite(store, study.id, [Invited(f"E {n}") for n in range(needed - 1)])
    with pytest.raises(BadInput, match=f"{needed} experts"):
        organising.open_study(store, study.id)
    made += inviting.invite(store, study.id, (Invited("Last"),))
    organising.open_study(store, study.id)
    assert organising.lacking(store, study.id) == 0
    assert all(0 < length(store, one.seat.id) <= 8 for one in made)
    organising.take_back(store, made[0].seat.id)
    assert all(length(store, one.seat.id) <= 8 for one in made)
    lists = {one.seat.id: length(store, one.seat.id) for one in made[1:]}
    assert organising.lacking(store, study.id) > 0 or max(lists.values()) < 8


def test_a_maximum_that_leaves_no_room_is_said(store):
    study = kit.drafted(store)
    organising.add_seat(store, study.id, "A")
    organising.add_seat(store, study.id, "B")
    store.terms.put(study.id, StudyTerms(most=1))
    with pytest.raises(BadInput, match="leaves no room"):
        organising.open_study(store, study.id)
    assert store.studies.get(study.id).state == "draft"


# -- lists that grow ---------------------------------------------------------------------------


def grown(store):
    """Hold a session in which two of three experts agreed, and the third left."""
    held = kit.opened(store, experts=3, texts=12, overlap=2)
    here = held.at_work(0)
    held.at_work(1)
    kit.work_through(store, here, units=2)
    before = length(store, here.seat)
    organising.take_back(store, held.seats[2].id)
    return held, sitting.enter(store, held.secret()), before


def test_an_expert_is_told_before_a_list_grows_and_can_take_it(store):
    held, here, before = grown(store)
    found = growing.growth(store, here)
    assert (found.agreed, found.now, found.done) == (before, length(store, here.seat), 2)
    assert found.now > before
    assert found.minutes > 0
    growing.take_more(store, here, found.now)
    assert growing.growth(store, here) is None
    kit.work_through(store, here)
    assert kit.finished(store, here).step == "done"
    assert [one.what for one in store.studies.events(held.study.id)].count(
        "agreed to more units"
    ) == 1


def test_who_wants_no_more_keeps_to_what_was_agreed_and_is_given_nothing_later(store):
    held, here, before = grown(store)
    growing.keep_to_agreed(store, here)
    assert length(store, here.seat) <= before
    kept = length(store, here.seat)
    assert organising.lacking(store, held.study.id) > 0
    organising.redeal(store, held.study.id)
    assert length(store, here.seat) <= before
    assert growing.growth(store, sitting.enter(store, held.secret())) is None
    assert all(one.done for one in store.study_work.of(here.seat)[:2])
    growing.keep_to_agreed(store, here)
    assert length(store, here.seat) == kept
    organising.add_seat(store, held.study.id, "New")
    assert organising.lacking(store, held.study.id) == 0


def test_nobody_is_asked_who_has_not_agreed_yet(store):
    held = kit.opened(store, experts=3, texts=12, overlap=2)
    organising.take_back(store, held.seats[2].id)
    assert growing.growth(store, sitting.enter(store, held.secret())) is None
    assert growing.growth(store, held.at_work()) is None
