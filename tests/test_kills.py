"""Two hundred kills over every kind of run: whatever is killed at whatever moment, what came of it
is what would have come of it, no call is missing in the account, and no more is asked again than
was in flight.
"""

from collections.abc import Iterator

import pytest

from tests.support.kills.kinds import KINDS
from tests.support.kills.victim import HEAD, Tally, besiege
from tests.support.servers.scholar_server import ScholarServer

pytestmark = pytest.mark.soak
KILLS = 6
"""Of each kind."""


@pytest.fixture(scope="module")
def tallies(request) -> Iterator[list[Tally]]:
    """Collect what came of the kills, and print it as a table at the end."""
    made: list[Tally] = []
    yield made
    rows = [HEAD, *(one.row() for one in made)]
    numbers = [list(column) for column in zip(*rows[1:], strict=True)][1:]
    rows.append(("in all", *(max(c) if n in (7, 9) else sum(c) for n, c in enumerate(numbers, 1))))
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print()
        for row in rows:
            print(f"{row[0]:20}" + "".join(f"{cell!s:>12}" for cell in row[1:]))


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_ends_as_if_nothing_had_been_killed(tmp_path, tallies, kind):
    with ScholarServer() as papers:
        tally = besiege(kind, tmp_path, papers.url, KILLS)
    tallies.append(tally)
    assert (tally.kills, tally.unaccounted) == (KILLS, 0)
    assert tally.repeats <= sum(tally.in_flight)
