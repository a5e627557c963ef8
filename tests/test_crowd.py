"""Thirty people at once for half an hour: everything is drawn in time, no answer is lost, and the
server's memory does not grow.
"""

import os

import pytest

from tests import ROOT
from tests.bench.crowd import CELLS, Look, Measured, Submit, lost_answers, measure, p95, table
from tests.support.browser import needs_browser
from tests.support.sessions import studies_kit

MINUTES = float(os.environ.get("CROWD_MINUTES", "30"))
LIMIT = 1.0
"""Seconds that the 95th percentile of a page, and of a submit, may take."""
ENOUGH = 40
"""Visits of one page from which its own 95th percentile is held to that, too."""
GROWTH = 32.0
"""MB of growth over the last two thirds that count as none: three in a hundred of what the server
holds. What the database's connections keep by them still fills, and it has more and more to show.
"""


@pytest.mark.soak
@pytest.mark.browser
@needs_browser
def test_half_an_hour_of_thirty_people(tmp_path):
    found = measure(tmp_path, MINUTES)
    said = table(found)
    (ROOT / "crowd.txt").write_text(said)
    print(said)
    assert not found.broken, said
    assert not found.lost, said
    assert not found.errors, said
    assert not found.failed, said
    assert found.cells >= 0.7 * CELLS * min(1.0, MINUTES / 30), said
    assert p95(found.all_pages) <= LIMIT, said
    assert p95(found.submits) <= LIMIT, said
    slow = {name: p95(took) for name, took in found.pages.items() if len(took) >= ENOUGH}
    assert max(slow.values(), default=0.0) <= LIMIT, said
    assert found.growth <= GROWTH, said


def test_an_answer_that_is_lost_doubled_or_another_is_told(store):
    held = studies_kit.opened(store, experts=2, texts=3, overlap=2, repeats=0, attention=0)
    studies_kit.work_through(store, held.at_work())
    kept = store.study_work.answers(held.study.id)
    sent = [Submit(one.seat, one.unit, (6, 6), 0.1, 1.0) for one in kept]
    assert lost_answers(store, held.study.id, sent) == []
    assert lost_answers(store, held.study.id, sent[1:]) == [
        f"{sent[0].seat} {sent[0].unit} is stored and was not seen taken"
    ]
    other = [sent[0]._replace(scores=(6, 7)), *sent[1:], Submit("x", "u1", (1, 2), 0.1, 1.0)]
    assert lost_answers(store, held.study.id, other) == [
        f"{sent[0].seat} {sent[0].unit}: sent (6, 7), stored (6, 6)",
        "x u1: sent (1, 2), stored None",
    ]


def test_growth_is_that_of_the_last_two_thirds_and_all_figures_are_told():
    looks = [
        Look(at, 500 + min(at, 60) + at / 60, at / 2, 0.5, at / 4, at / 4) for at in range(181)
    ]
    pages = {"Home": [n / 100 for n in range(100)], "Runs": [0.1]}
    found = Measured(
        pages, {}, [0.2], [1.0], looks, ["a person: Gone"], [], [], 7, 20_016, 5, [], 3.0
    )
    assert found.growth == pytest.approx(119 / 60)
    assert found.cores == pytest.approx(0.5)
    assert found.kept_waiting == pytest.approx(0.5)
    assert p95(found.pages["Home"]) == 0.95
    told = table(found)
    assert "ALL PAGES" in told
    assert "7 answers submitted, 0 lost or doubled; 20,016 cells done" in told
    assert "a person: Gone" in told
