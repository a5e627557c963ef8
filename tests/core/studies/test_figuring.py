"""The figures of a session of many answers are made in a process beside the server, and are the
same.
"""

import pytest

from core.beside import run_beside
from core.errors import StoreFailed
from core.store import Store
from core.studies import figuring, organising, sitting
from core.studies.analysis import analysed
from core.studies.figuring import analyse
from tests.core.importing.test_read_back import HOLDS, held


def whole(found) -> dict:
    return {name: value for name, value in vars(found).items() if name != "filed"}


@pytest.mark.parametrize("task", HOLDS)
def test_a_process_beside_the_server_makes_the_same_figures(tmp_path, monkeypatch, task):
    store = Store(tmp_path)
    study = held(store, task).study.id
    organising.close(store, study)
    organising.unblind(store, study, "Ada")
    attentive = task == "rank"
    at_once = analysed(store, study, attentive)
    assert at_once.sourced
    assert sum(one.value is not None for part in at_once.parts for one in part.statistics) > 5
    monkeypatch.setattr(figuring, "AT_ONCE", 0)
    monkeypatch.setattr(figuring, "analysed", None)
    found = analyse(store, study, attentive)
    assert whole(found) == whole(at_once)
    assert (found.filed.attentive, found.filed.taking) == (attentive, at_once.filed.taking)


def test_figures_are_of_the_answers_that_were_there_as_they_were_asked_for(tmp_path, monkeypatch):
    store = Store(tmp_path)
    made = held(store, "rate")
    study = made.study.id
    before = analysed(store, study)
    monkeypatch.setattr(figuring, "AT_ONCE", 0)

    def meanwhile(*asked):
        sitting.withdraw(store, sitting.enter(store, made.secret(0)))
        return run_beside(*asked)

    monkeypatch.setattr(figuring, "run_beside", meanwhile)
    found = analyse(store, study)
    assert whole(found) == whole(before)
    assert found.filed.taking == before.filed.taking
    assert found.filed.counts == before.filed.counts
    monkeypatch.setattr(figuring, "run_beside", run_beside)
    after = analyse(store, study)
    assert len(after.filed.taking.withdrawn) == 1
    assert whole(after) == whole(analysed(store, study)) != whole(before)


def test_who_waited_for_figures_of_the_same_answers_has_those_that_were_made(tmp_path, monkeypatch):
    store = Store(tmp_path)
    study = held(store, "rate").study.id
    monkeypatch.setattr(figuring, "AT_ONCE", 0)
    asked = []
    monkeypatch.setattr(
        figuring, "run_beside", lambda *words: asked.append(words) or run_beside(*words)
    )
    first = analyse(store, study)
    second = analyse(store, study, by_label=True)
    assert whole(first) == whole(second), "nothing is by source yet"
    assert len(asked) == 1
    organising.close(store, study)
    organising.unblind(store, study, "Ada")
    assert analyse(store, study).sourced
    assert not analyse(store, study, by_label=True).sourced
    assert not analyse(store, study, attentive=True, by_label=True).sourced
    assert len(asked) == 4


def test_a_process_that_breaks_down_is_said_to(tmp_path, monkeypatch):
    store = Store(tmp_path)
    study = held(store, "rate").study.id
    monkeypatch.setattr(figuring, "AT_ONCE", 0)
    monkeypatch.setattr(figuring, "__name__", "core.studies.nowhere")
    with pytest.raises(StoreFailed, match=r"The figures could not be made: .*nowhere"):
        analyse(store, study, attentive=False)
