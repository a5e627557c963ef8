"""What an expert agrees to is what is on the screen, and whoever agreed can withdraw until the
session is closed.
"""

import pytest
from streamlit.components.v2 import manifest_scanner

from core.records import StudyTerms
from core.runs.runner import Runner
from core.studies import organising, sitting
from tests.conftest import Shop
from tests.support.sessions.annotate_kit import labels, opened, pressed
from tests.support.sessions.studies_kit import at_work, finished, work_through
from tests.support.sessions.studies_kit import opened as session
from tests.support.visiting import host, said

CHANGED = "What you would agree to has changed since you opened this page."


@pytest.fixture
def store(tmp_path, monkeypatch):
    # Every new AppTest reads the metadata of all installed packages, nine tenths of its time
    # (Streamlit 1.67).
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", list)
    return host(monkeypatch, Runner(Shop(tmp_path / "data", {})))


def agreement(store, held) -> tuple[int, int]:
    agreed = store.terms.seat(held.seats[0].id)
    return agreed.consent, agreed.units


@pytest.mark.parametrize("meanwhile", ["another text", "a longer list", "another deadline"])
def test_a_press_agrees_to_nothing_that_was_not_on_the_screen(store, meanwhile):
    held = session(store, "rate", 4, 12)
    app = opened(held.secret())
    match meanwhile:
        case "another text":
            store.terms.consent(held.study.id, "Your answers are published with your name.")
        case "a longer list":
            organising.take_back(store, held.seats[1].id)
        case _:
            terms = StudyTerms(deadline="2099-01-01T00:00+00:00", late=False)
            store.terms.put(held.study.id, terms)
    app = pressed(app, "I agree")
    assert CHANGED in said(app)
    assert store.seats.get(held.seats[0].id).step == "consent"
    assert agreement(store, held) == (0, 0)
    app = pressed(app, "I agree")
    assert CHANGED not in said(app)
    assert store.seats.get(held.seats[0].id).step == "instructions"
    version = store.terms.consents(held.study.id)[-1].version
    whole = store.study_work.so_far(held.seats[0].id)[1]
    assert agreement(store, held) == (version, whole)


def test_a_press_takes_no_more_units_than_it_was_told_of(store):
    held = session(store, "rate", 4, 12)
    at_work(store, held.secret())
    organising.take_back(store, held.seats[1].id)
    app = opened(held.secret())
    before = agreement(store, held)
    organising.take_back(store, held.seats[2].id)
    app = pressed(app, "Take them")
    assert CHANGED in said(app)
    assert agreement(store, held) == before
    pressed(app, "Take them")
    assert agreement(store, held)[1] == store.study_work.so_far(held.seats[0].id)[1] > before[1]


def test_whoever_is_done_can_withdraw_still(store):
    held = session(store)
    here = at_work(store, held.secret())
    work_through(store, here)
    finished(store, sitting.enter(store, held.secret()))
    app = pressed(opened(held.secret()), "Withdraw for good")
    assert app.title[0].value == "You have withdrawn"
    assert store.seats.get(here.seat).step == "withdrawn"
    assert not labels(app)


def test_after_the_deadline_one_can_withdraw_and_nothing_else(store):
    held = session(store)
    here = at_work(store, held.secret())
    store.terms.put(held.study.id, StudyTerms(deadline="2026-01-01T00:00+00:00", late=False))
    app = opened(held.secret())
    assert "The deadline of this session has passed" in said(app)
    assert labels(app) == ["Withdraw for good"]
    assert not labels(opened(held.secret(1))), "who never agreed has nothing to withdraw"
    app = pressed(app, "Withdraw for good")
    assert app.title[0].value == "You have withdrawn"
    assert store.seats.get(here.seat).step == "withdrawn"


def test_once_closed_a_session_is_left_as_it_is(store):
    held = session(store)
    here = at_work(store, held.secret())
    organising.close(store, held.study.id)
    assert not labels(opened(held.secret()))
    assert store.seats.get(here.seat).step == "work"
