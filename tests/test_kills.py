"""Two hundred kills over every kind of run: whatever is killed at whatever moment, what came of it
is what would have come of it, no call is missing in the account, and no more is asked again than
was in flight.
"""

from collections.abc import Iterator

import pytest

from tests.support.kills.kinds import KINDS
from tests.support.kills.session import besiege_session
from tests.support.kills.victim import besiege
from tests.support.kills.watch import Tally, table
from tests.support.servers.scholar_server import ScholarServer

pytestmark = pytest.mark.soak
KILLS = {**dict.fromkeys(KINDS, 25), "training": 5, "session": 25}
"""Two hundred, and those of a training, whose packages are not everywhere."""


@pytest.fixture(scope="module")
def tallies(request: pytest.FixtureRequest) -> Iterator[list[Tally]]:
    """Collect what came of the kills, and print it as a table at the end."""
    made: list[Tally] = []
    yield made
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print("", *table(made), sep="\n")


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_ends_as_if_nothing_had_been_killed(tmp_path, tallies, kind):
    if kind == "training":
        pytest.importorskip("trl", reason="requirements-train.txt is not installed")
    with ScholarServer() as papers:
        tally = besiege(kind, tmp_path, papers.url, KILLS[kind])
    tallies.append(tally)
    assert (tally.kills, tally.unaccounted) == (KILLS[kind], 0)
    assert tally.repeats <= sum(tally.in_flight)


def test_a_session_keeps_every_answer_it_has_acknowledged_and_none_twice(tmp_path, tallies):
    people, judge = besiege_session(tmp_path, KILLS["session"])
    tallies += [people, judge]
    assert (people.kills, people.unaccounted, judge.unaccounted) == (KILLS["session"], 0, 0)
    assert people.repeats <= sum(people.in_flight)
    assert judge.repeats <= sum(judge.in_flight)
