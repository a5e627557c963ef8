"""Model judges in a session from the command line: a seat is made, filled, and filled again only
where something is missing.
"""

import pytest

from core.store import Store
from core.studies import organising
from tests.support.headless import MODEL, cli, server
from tests.support.sessions import studies_kit as kit

__all__ = ["cli", "server"]


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "data")


def test_a_model_is_given_a_seat_and_judges_every_unit_once(cli, server, store):
    held = kit.opened(store)
    code, document, _ = cli("study", "judge", held.study.id, "--judge", MODEL, "--at-once", "2")
    assert (code, document["state"], document["method"], document["calls"], len(server.calls)) == (
        0,
        "done",
        "seat",
        6,
        6,
    ), document["reason"]
    assert (document["filled"]["answered"], document["open"], document["inputs"]["at_once"]) == (
        6,
        0,
        2,
    )
    answers = [
        one for one in store.study_work.answers(held.study.id) if one.seat == document["seat"]
    ]
    assert {tuple(sorted(one.answer.scores.items())) for one in answers} == {
        (("clarity", 6), ("novelty", 6))
    }
    assert store.seats.get(document["seat"]).step == "done"
    code, again, _ = cli("study", "judge", held.study.id, "--judge", MODEL)
    assert (code, "answered everything" in again["reason"], len(server.calls)) == (2, True, 6)


def test_the_one_model_that_has_a_seat_need_not_be_named(cli, store):
    held = kit.opened(store)
    code, document, _ = cli("study", "judge", held.study.id)
    assert (code, "No model has a seat yet" in document["reason"]) == (2, True)
    seat = organising.add_model(store, held.study.id, MODEL)
    assert cli("study", "judge", held.study.id)[1]["seat"] == seat.id


def test_the_built_in_model_is_refused_before_it_has_a_seat(cli, store):
    held = kit.opened(store)
    code, document, _ = cli("study", "judge", held.study.id, "--judge", "builtin")
    assert (code, "judges nothing that needs understanding" in document["reason"]) == (2, True)
    assert [one.model for one in store.seats.of(held.study.id)] == ["", "", ""]
    assert store.runs.listed() == []


def test_a_session_that_is_not_there_is_a_sentence(cli, store):
    code, document, _ = cli("study", "judge", "nope", "--judge", MODEL)
    assert (code, document["run"]) == (2, None)
    assert "nope" in document["reason"]
