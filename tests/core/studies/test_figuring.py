"""The figures of a session of many answers are made in a process beside the server, and are the
same.
"""

import pytest

from core.errors import StoreFailed
from core.store import Store
from core.studies import figuring, organising
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


def test_a_process_that_breaks_down_is_said_to(tmp_path, monkeypatch):
    store = Store(tmp_path)
    study = held(store, "rate").study.id
    monkeypatch.setattr(figuring, "AT_ONCE", 0)
    monkeypatch.setattr(figuring, "__name__", "core.studies.nowhere")
    with pytest.raises(StoreFailed, match=r"The figures could not be made: .*nowhere"):
        analyse(store, study, attentive=False)
