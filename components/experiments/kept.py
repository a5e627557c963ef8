"""What a large experiment comes to, kept while nothing of it changes: of 100,000 cells it takes
seconds to read, and a page is drawn anew at every touch.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from math import inf
from time import monotonic
from typing import Any, NamedTuple, TypeVar, cast

from components.runs.states import active
from components.shell import services
from core.records import Run

WORTH = 0.05
"""Seconds from which on what was made is kept: all else is made anew each time."""
REST = 20.0
"""Times as long as it took, what was read of an experiment at work serves."""
MOST = 48
"""Things kept in memory."""
T = TypeVar("T")
Place = tuple[str, str, str]
_held: "OrderedDict[Place, _Kept]" = OrderedDict()
_turns: dict[Place, threading.Lock] = {}
_guard = threading.Lock()


class _Kept(NamedTuple):
    stamp: tuple[object, ...]
    value: Any
    until: float


def kept(run: Run, what: str, make: Callable[[], T], *also: object) -> T:
    """Return what `make` gives, made anew only where the run, or what is named `also`, is another
    than when it was made last, or a run it started is gone; of a run at work also after a while.
    Raises what `make` raises.
    """
    store = services.store()
    place = (str(store.folder), run.id, what)
    there = sum(store.runs.count(sweep=one) for one in store.runs.lineage(run.id))
    stamp = (run.state, run.updated, there, *also)
    with _guard:
        turn = _turns.setdefault(place, threading.Lock())
    # Two who look at one experiment wait for one reading of it.
    with turn:
        known = _held.get(place)
        if known and known.stamp == stamp and monotonic() < known.until:
            return cast(T, known.value)
        began = monotonic()
        value = make()
        took = monotonic() - began
        with _guard:
            _held.pop(place, None)
            if took > WORTH:
                until = monotonic() + REST * took if active(run) else inf
                _held[place] = _Kept(stamp, value, until)
            while len(_held) > MOST:
                _turns.pop(_held.popitem(last=False)[0], None)
    return value
