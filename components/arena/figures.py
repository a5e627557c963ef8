"""The figures of an arena: of a small one made at once, of a large one in a process beside the
page, which shows the last there are.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from time import monotonic
from typing import Literal, NamedTuple

from components.shell import services
from core.beside import EndedEarly, run_beside
from core.errors import StoreFailed
from core.judging.arena.competition import ArenaInputs, lineup_of
from core.judging.arena.contests import contested
from core.judging.arena.sheet import RatingsSheet, Trust, sheet, trust
from core.records import Contest, Lineup, Run
from core.store import Store

AT_ONCE = 2_500
"""Ballots of which figures are made while the page is drawn: a third of a second at most."""
FEW = 60
"""Methods of which figures are made while the page is drawn: each is compared with every other in
a thousand resamples.
"""
REST = 2.0
"""Times as long as it took, the process beside the page rests before it begins anew: votes may come
in all the time.
"""
KEPT, CONTESTS_KEPT = 64, 100_000
"""Figures and contests kept in memory; of the latest arena always all, half a kilobyte each."""
What = Literal["sheet", "trust"]
Place = tuple[str, str, What, str]
MAKES: dict[
    What,
    tuple[
        Callable[[Store, str, str | None], RatingsSheet | Trust], type[RatingsSheet] | type[Trust]
    ],
] = {"sheet": (sheet, RatingsSheet), "trust": (trust, Trust)}
_pool = ThreadPoolExecutor(1, "arena-figures")
_guard = threading.Lock()
_held: OrderedDict[Place, RatingsSheet | Trust] = OrderedDict()
_making: dict[Place, Future[RatingsSheet | Trust]] = {}
_whole: OrderedDict[int, tuple[Lineup, tuple[Contest, ...]]] = OrderedDict()
_not_before: dict[Place, float] = {}
_refused: dict[Place, tuple[int, str]] = {}
"""Of how many ballots there are no figures, and why."""


class Latest(NamedTuple):
    """The last figures there are, of `made.ballots` ballots; how many ballots there are now;
    whether newer ones are being made, and why there are none where there are not.
    """

    made: RatingsSheet | Trust | None
    ballots: int
    making: bool
    why: str = ""


def line_up(run: Run) -> Lineup | None:
    """Return what an arena shows, or None while it is not settled."""
    return _line_up(str(services.store().folder), run.id, run.state, run.steps)


@lru_cache(32)
def _line_up(_folder: str, run_id: str, _state: str, _steps: int) -> Lineup | None:
    # Read anew when the run has moved on: an arena of thousands of texts takes long to be read at
    # every drawing.
    return lineup_of(services.store(), run_id)


def inputs(run: Run) -> ArenaInputs:
    """Return what an arena was asked for."""
    return _inputs(str(services.store().folder), run.id)


@lru_cache(32)
def _inputs(_folder: str, run_id: str) -> ArenaInputs:
    return ArenaInputs.model_validate(services.store().runs.get(run_id).config.inputs)


def whole(lineup: Lineup) -> tuple[Contest, ...]:
    """Return every contest of an arena."""
    held = _whole.get(id(lineup))
    if held is None or held[0] is not lineup:
        # By identity: to compare two line-ups of thousands of texts takes as long as what is saved.
        held = _whole[id(lineup)] = (lineup, contested(lineup))
        while len(_whole) > 1 and sum(len(one) for _, one in _whole.values()) > CONTESTS_KEPT:
            _whole.popitem(last=False)
    return held[1]


def latest(run: Run, what: What, criterion: str | None) -> Latest:
    """Return an arena's figures, made now where it is small, else the last that were made; raises
    StoreFailed where they could not be made.
    """
    store = services.store()
    place: Place = (str(store.folder), run.id, what, criterion or "")
    ballots = sum(store.ballots.count(run.id))
    known = _held.get(place)
    if known and known.ballots == ballots:
        return Latest(known, ballots, False)
    of, why = _refused.get(place, (-1, ""))
    if why and (of == ballots or monotonic() < _not_before[place]):
        if known is None:
            raise StoreFailed(why)
        return Latest(known, ballots, False, why)
    if ballots <= AT_ONCE and _players(run) <= FEW:
        return Latest(_keep(place, MAKES[what][0](store, run.id, criterion)), ballots, False)
    return Latest(known, ballots, _begin(place, ballots, known is None))


def _players(run: Run) -> int:
    lineup = line_up(run)
    return len({seat.method for seat in lineup.seats}) if lineup else 0


def _begin(place: Place, ballots: int, first: bool) -> bool:
    """Begin to make figures beside the page unless that goes on already, or has just been done;
    return whether newer figures are to come.
    """
    with _guard:
        going = _making.get(place)
        if going and going.done():
            del _making[place]
            if place not in _refused:  # Else that was said already.
                going.result()
        elif not going and (first or monotonic() >= _not_before.get(place, 0)):
            _making[place] = _pool.submit(_beside, place, ballots)
    return True


def _beside(place: Place, ballots: int) -> RatingsSheet | Trust:
    folder, run, what, criterion = place
    began = monotonic()
    try:
        made = run_beside("core.judging.arena.sheet", (folder, run, what, criterion))
    except StoreFailed as error:
        if isinstance(error, EndedEarly) and error.would_again:
            _refused[place] = ballots, str(error)
            raise
        raise StoreFailed(f"{error} Reload to try again.") from error
    finally:
        _not_before[place] = monotonic() + REST * (monotonic() - began)
    _refused.pop(place, None)
    return _keep(place, MAKES[what][1].model_validate_json(made))


def _keep(place: Place, made: RatingsSheet | Trust) -> RatingsSheet | Trust:
    _held[place] = made
    _held.move_to_end(place)
    while len(_held) > KEPT:
        _held.popitem(last=False)
    return made
