"""A session's figures are made once, and newer ones beside the page that is read."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from components.sessions import kept
from components.sessions.kept import AT_ONCE, REST, latest
from core.errors import BadInput
from core.records import StudyTerms
from core.studies import organising
from tests.support.sessions import studies_kit


class Makers:
    """What makes figures of the answers there are, how long that takes, and on which thread."""

    def __init__(self, store):
        self.store, self.takes, self.now = store, 1.0, 0.0
        self.made: list[str] = []
        self.fails = False

    def analyse(self, store, study, attentive):
        self.made.append(threading.current_thread().name)
        self.now += self.takes
        if self.fails:
            raise RuntimeError("a figure that cannot be made")
        return f"{store.study_work.filed(study)} answers, {attentive}"


@pytest.fixture
def makers(store, monkeypatch):
    made = Makers(store)
    monkeypatch.setattr(kept, "_held", {})
    monkeypatch.setattr(kept, "_making", set())
    monkeypatch.setattr(kept, "analyse", made.analyse)
    monkeypatch.setattr(kept, "monotonic", lambda: made.now)
    monkeypatch.setattr(kept.services, "store", lambda: store)
    with ThreadPoolExecutor(1, "beside") as pool:
        monkeypatch.setattr(kept, "_pool", pool)
        yield made


@pytest.fixture
def session(store):
    """A session of which each call adds an answer."""
    held = studies_kit.opened(store, "rate", 2, 6, overlap=2, repeats=0, attention=0)
    here = held.at_work()

    def answer():
        studies_kit.work_through(store, here, units=1)
        return store.studies.get(held.study.id)

    return answer


def settled() -> None:
    """Wait until what was asked for beside is made."""
    kept._pool.submit(lambda: None).result()


def test_a_reader_is_shown_those_before_while_newer_ones_are_made_beside(makers, session):
    study = session()
    first = latest(study, beside=True)
    study = session()
    assert latest(study, beside=True) is first, "they were made just now"
    makers.now += REST * makers.takes
    assert latest(study, beside=True) is first
    settled()
    newer = latest(study, beside=True)
    assert (first.made, newer.made) == ("1 answers, False", "2 answers, False")
    assert [name.partition("_")[0] for name in makers.made] == ["MainThread", "beside"]


def test_who_does_not_look_again_waits_for_the_newest(makers, session):
    latest(session())
    study = session()
    makers.now += REST * makers.takes
    assert latest(study).made == "2 answers, False"
    assert latest(study, attentive=True).made == "2 answers, True"
    assert set(makers.made) == {"MainThread"}


def test_what_is_made_at_once_is_made_at_every_answer(makers, session):
    makers.takes = AT_ONCE / 2
    assert latest(session(), beside=True).made == "1 answers, False"
    assert latest(session(), beside=True).made == "2 answers, False"
    assert set(makers.made) == {"MainThread"}


def test_figures_of_a_session_that_was_closed_are_waited_for(makers, session):
    study = session()
    latest(study, beside=True)
    makers.now += REST * makers.takes
    latest(study.model_copy(update={"state": "closed"}), beside=True)
    assert makers.made == ["MainThread"] * 2


def test_who_withdraws_is_left_out_at_once(makers, session, store, monkeypatch):
    study = session()
    latest(study, beside=True)
    seats = [
        one.model_copy(update={"step": "withdrawn"}) if one.step == "work" else one
        for one in store.seats.of(study.id)
    ]
    monkeypatch.setattr(store.seats, "of", lambda _: seats)
    latest(study, beside=True)
    assert makers.made == ["MainThread"] * 2


def test_what_cannot_be_made_beside_is_told_to_the_next_reader(makers, session, caplog):
    latest(session(), beside=True)
    study = session()
    makers.now += REST * makers.takes
    makers.fails = True
    latest(study, beside=True)
    settled()
    assert "could not be made beside its page" in caplog.text
    with pytest.raises(RuntimeError, match="cannot be made"):
        latest(study, beside=True)


def test_what_has_no_figures_is_asked_for_once_for_each_state(makers, session, monkeypatch):
    asked = []

    def refuse(*_):
        asked.append(1)
        raise BadInput("There are too many raters.")

    monkeypatch.setattr(kept, "_refused", {})
    monkeypatch.setattr(kept, "analyse", refuse)
    study = session()
    for _ in range(3):
        with pytest.raises(BadInput, match="too many raters"):
            latest(study)
    assert len(asked) == 1
    with pytest.raises(BadInput):
        latest(session())
    assert len(asked) == 2


def test_other_terms_are_in_the_figures_at_once(makers, session, store):
    study = session()
    latest(study, beside=True)
    store.terms.put(study.id, StudyTerms(rate="12.50", currency="EUR"))
    latest(study, beside=True)
    assert makers.made == ["MainThread"] * 2


def test_units_that_are_handed_out_again_are_in_the_figures_at_once(makers, store):
    study = studies_kit.opened(store, "rate", 3, 6, overlap=2, repeats=0, attention=0).study
    latest(study, beside=True)
    gone = store.seats.of(study.id)[1]
    store.seats.move(gone.id, "declined")
    latest(study, beside=True)
    makers.made.clear()
    assert organising.redeal(store, study.id) > 0
    latest(study, beside=True)
    assert makers.made == ["MainThread"]


def test_who_waited_takes_what_was_made_meanwhile_though_an_answer_came(
    makers, session, monkeypatch
):
    study = session()
    place = kept.KeptName(str(makers.store.folder), study.id, False)

    def analyse_while_answers_come(*asked):
        made = makers.analyse(*asked)
        session()
        return made

    monkeypatch.setattr(kept, "analyse", analyse_while_answers_come)
    with ThreadPoolExecutor(3) as tabs:
        waiting = [tabs.submit(kept._make, place, study) for _ in range(3)]
        assert {one.result().made for one in waiting} == {"1 answers, False"}
    assert len(makers.made) == 1
