"""What an expert sees of the terms: deadline, maximum, a list that grew, and the way back."""

import pytest
from streamlit.components.v2 import manifest_scanner

from components.access.discretion import without_secrets
from core.records import StudyTerms
from core.runs.runner import Runner
from core.studies import inviting, organising, recruiting, sitting
from tests.conftest import Shop
from tests.support.sessions.annotate_kit import MARKERS, box, labels, opened, page, pressed, sent
from tests.support.sessions.studies_kit import at_work, drafted, finished, work_through
from tests.support.sessions.studies_kit import opened as session
from tests.support.visiting import host, said, settled, visit

PAST, FUTURE = "2020-01-01T17:00+00:00", "2090-01-01T17:00+00:00"
BACK = "https://app.prolific.com/submissions/complete?cc=$code"


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", list)
    return host(monkeypatch, Runner(Shop(tmp_path / "data", {})))


def ended(held, n: int = 0) -> None:
    here = at_work(held.store, held.secret(n))
    work_through(held.store, here)
    finished(held.store, here)


def test_the_consent_says_the_deadline_what_follows_it_and_the_maximum(store):
    held = session(store)
    terms = StudyTerms(deadline=FUTURE, late=False, most=20, rate="12", zone="Europe/Berlin")
    store.terms.put(held.study.id, terms)
    page = said(opened(held.secret())).replace("**", "")
    assert "Please finish by Sunday 1 January 2090, 17:00 UTC. After that no more answers" in page
    assert "You are asked before your list grows. It never has more than 20 units." in page
    assert "12.00 EUR per hour" in page


@pytest.mark.parametrize(("late", "says"), [(True, "still accepted"), (False, "not accepted")])
def test_after_the_deadline_the_page_says_what_becomes_of_answers(store, late, says):
    held = session(store)
    here = at_work(store, held.secret())
    store.terms.put(held.study.id, StudyTerms(deadline=PAST, late=late))
    app = opened(held.secret())
    assert says in said(app)
    assert (labels(app) == ["Withdraw for good"]) is not late
    assert here.step == "work"


def test_a_list_that_grew_is_asked_about_before_any_new_unit_and_nothing_typed_is_lost(store):
    held = session(store, experts=3, texts=12)
    at_work(store, held.secret())
    app = opened(held.secret())
    before = len(store.study_work.of(held.seats[0].id))
    assert f"1 of {before}" in said(app)
    organising.take_back(store, held.seats[2].id)
    box(app, "note").set_value("A thought.")
    app = settled(app.run())
    now = len(store.study_work.of(held.seats[0].id))
    assert app.title[0].value == "Your list has grown"
    assert f"You agreed to {before} units" in said(app).replace("**", "")
    assert f"{now} in all" in said(app)
    assert f"of {now}" not in said(app)
    assert not [one for one in MARKERS if one in sent(app)]
    app = pressed(app, "Take them")
    assert f"1 of {now}" in said(app)
    assert box(app, "note").value == "A thought."


def test_who_withdraws_is_withdrawn_though_the_list_has_just_grown(store):
    held = session(store, experts=3, texts=12)
    at_work(store, held.secret())
    app = opened(held.secret())
    organising.take_back(store, held.seats[2].id)
    app = pressed(app, "Withdraw for good")
    assert store.seats.at(held.seats[0].id).step == "withdrawn"
    assert app.title[0].value == "You have withdrawn"


def test_a_list_that_grew_leaves_a_way_out_for_good(store):
    held = session(store, experts=3, texts=12)
    at_work(store, held.secret())
    organising.take_back(store, held.seats[2].id)
    app = opened(held.secret())
    assert app.title[0].value == "Your list has grown"
    pressed(app, "Withdraw for good")
    assert store.seats.at(held.seats[0].id).step == "withdrawn"


def test_an_expert_may_stay_with_what_was_agreed(store):
    held = session(store, experts=3, texts=12)
    at_work(store, held.secret())
    before = len(store.study_work.of(held.seats[0].id))
    organising.take_back(store, held.seats[2].id)
    app = pressed(opened(held.secret()), "Stay with")
    assert f"1 of {before}" in said(app)
    assert "grown" not in said(opened(held.secret()))


def test_the_end_shows_the_code_and_the_way_back_and_only_the_end_does(store):
    held = session(store)
    store.terms.put(held.study.id, StudyTerms(code="C1AB2", return_address=BACK))
    assert "C1AB2" not in sent(opened(held.secret()))
    at_work(store, held.secret(1))
    assert "C1AB2" not in sent(opened(held.secret(1)))
    ended(held)
    page = sent(opened(held.secret()))
    assert 'url: "https://app.prolific.com/submissions/complete?cc=C1AB2"' in page
    assert "C1AB2" in said(opened(held.secret()))
    sitting.withdraw(store, sitting.enter(store, held.secret()))
    assert "C1AB2" not in sent(opened(held.secret()))
    assert "C1AB2" in sent(visit("annotate", preview=held.study.id, step="done"))


def test_the_ids_of_a_recruiting_service_are_kept_with_the_person_and_leave_the_address(store):
    held = session(store)
    ids = {"PROLIFIC_PID": "pid-1", "STUDY_ID": "study-1", "SESSION_ID": "session-1"}
    app = opened(held.secret(), **ids)
    assert set(app.query_params) == {"seat"}
    kept = store.people.of(held.study.id)[held.seats[0].id]
    assert (kept.prolific, kept.prolific_study, kept.prolific_session) == tuple(ids.values())
    opened(held.secret(), PROLIFIC_PID="pid-2")
    assert store.people.of(held.study.id)[held.seats[0].id].prolific == "pid-1"


def test_a_recruiting_link_leads_each_id_to_a_place_of_its_own_and_back_to_it(store):
    study = drafted(store, overlap=1).id
    recruiting.make_places(store, study, 2)
    assert inviting.to_remind(store, study) == ()
    secret = recruiting.draw_link(store, study)
    assert "not open yet" in said(page(join=secret, PROLIFIC_PID="pid-1"))
    organising.open_study(store, study)
    first = page(join=secret, PROLIFIC_PID="pid-1", STUDY_ID="s", SESSION_ID="t")
    assert set(first.query_params) == {"seat"}
    assert "You are asked to judge ideas." in said(first)
    pressed(first, "I agree")
    page(join=secret, PROLIFIC_PID="pid-2")
    assert "All places of this study are taken" in said(page(join=secret, PROLIFIC_PID="pid-3"))
    for nobody in ({}, {"PROLIFIC_PID": "{{%PROLIFIC_PID%}}"}, {"PROLIFIC_PID": "a b"}):
        assert "lacks your participant id" in said(page(join=secret, **nobody))
    assert "opens no session" in said(page(join="x" * 43, PROLIFIC_PID="pid-1"))
    again = page(join=secret, PROLIFIC_PID="pid-1")
    assert "Read, then answer." in said(again)
    for _ in range(3):
        again = page(join=secret, PROLIFIC_PID="pid-1")
    told = [one.what for one in store.studies.events(study)]
    assert told.count("link changed") == 2, "of two who came, however often"
    assert "opens no session" in said(opened(first.query_params["seat"][0]))
    assert len(inviting.to_remind(store, study)) == 2
    ids = [one.prolific for one in store.people.of(study).values()]
    assert sorted(ids) == ["pid-1", "pid-2"]
    anew = recruiting.draw_link(store, study)
    assert "opens no session" in said(page(join=secret, PROLIFIC_PID="pid-1"))
    assert "Read, then answer." in said(page(join=anew, PROLIFIC_PID="pid-1"))


def test_nobody_takes_a_place_that_was_made_for_somebody(store):
    held = session(store)
    secret = recruiting.draw_link(store, held.study.id)
    assert "All places" in said(page(join=secret, PROLIFIC_PID="pid-1"))
    opened(held.secret(), PROLIFIC_PID="pid-1")
    assert "All places" in said(page(join=secret, PROLIFIC_PID="pid-1")), (
        "nor one that says their id"
    )
    assert sitting.enter(store, held.secret())


def test_no_line_of_the_log_holds_such_an_id():
    ids = "PROLIFIC_PID=pid-1&STUDY_ID=study-1&SESSION_ID=x-1"
    line = f"GET /annotate?seat=s3cret&join=s4cret&{ids} 200"
    kept = without_secrets(line)
    assert not [one for one in ("s3cret", "s4cret", "pid-1", "study-1", "x-1") if one in kept]
    assert kept.endswith(" 200")
