"""What a benchmark found, and its figures: made once for each state of its answers, and kept."""

import logging
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any, NamedTuple

from components.benchmark.results.parts import chart
from components.runs import export as run_export
from components.runs.states import active
from components.shell import services
from components.shell.colours import ink
from core.benchmark.figures import board as figures_board
from core.benchmark.figures.gallery import (
    FigureRequest,
    Gallery,
    Missing,
    attempted,
    gallery,
)
from core.benchmark.results.board import published
from core.benchmark.results.findings import BenchFindings, findings, version
from core.charts.style import DrawnFigure
from core.records import Run

KEPT = 16
"""Benchmarks whose findings are kept in memory."""
FIGURES = 64
"""Groups of figures that are kept in memory."""
REST = 10.0
"""Times as long as it took to make them, findings of a running benchmark stay before newer ones are
made: answers come in all the time.
"""
OLD = 60.0
"""Seconds after which nobody is shown them any more: nobody has looked for so long."""
log = logging.getLogger("foundry.benchmark")
_pool = ThreadPoolExecutor(1, "bench-findings")
_guard = threading.Lock()
"""Held for moments only."""
_making: defaultdict[tuple[str, ...], threading.Lock] = defaultdict(threading.Lock)
"""Held by whoever makes a benchmark's findings, or its figures: nobody makes them twice, and
readers of other benchmarks do not wait.
"""
_held: OrderedDict[tuple[str, str], "_Held"] = OrderedDict()
_drawn: OrderedDict[tuple[str, ...], tuple[str, Gallery]] = OrderedDict()
"""With the version of the findings that they show: nobody asks for older ones again."""


class _Held(NamedTuple):
    found: BenchFindings
    until: float
    """When newer ones may be made, by the clock of this process."""


def latest(run: Run) -> BenchFindings:
    """Return what was found; of a running benchmark that may be as of a minute ago.

    Nobody waits for newer findings of a running benchmark: they are made beside the page, which
    shows those before.
    """
    place = (str(services.store().folder), run.id)
    held = _known(place)
    if held is None or not active(run) or monotonic() >= held.until + OLD:
        return _made(place)
    with _guard:
        making = _making[place]
    if monotonic() >= held.until and not making.locked():
        _pool.submit(_make_newer, place, held)
    return held.found


def _make_newer(place: tuple[str, str], than: "_Held") -> None:
    try:
        # Two readers may have asked for them in the same moment.
        if _known(place) is than:
            _made(place)
    except Exception:
        log.exception(
            "The findings of benchmark %s could not be made; the next reader tries again", place[1]
        )


def _made(place: tuple[str, str]) -> BenchFindings:
    store, (_, run) = services.store(), place
    with _guard:
        making = _making[place]
    with making:
        held = _known(place)
        if held is None or held.found.version != version(store, run):
            began = monotonic()
            found = findings(store, run)
            held = _Held(found, monotonic() + REST * (monotonic() - began))
            with _guard:
                _held[place] = held
                _let_go(_held, KEPT)
        return held.found


def _known(place: tuple[str, str]) -> _Held | None:
    with _guard:
        if place in _held:
            _held.move_to_end(place)
        return _held.get(place)


def figures(
    found: BenchFindings, group: str, ink: str, beside: bool = False
) -> tuple[DrawnFigure, ...]:
    """Return the figures of a group, with published results beside where that is asked for."""
    return _gallery(found, group, ink, beside).drawn


def draw_group(
    run: Run, found: BenchFindings, group: str, words: str | Mapping[str, str] = ""
) -> None:
    """Draw the figures of a group, each with its words, or with those under its name."""
    for one in figures(found, group, ink()):
        said = words if isinstance(words, str) else words[one.name]
        chart(one, f"bench:{run.id}", run_export.named(run), said)


def missing(found: BenchFindings, group: str, ink: str) -> tuple[Missing, ...]:
    """Return the figures of a group that are not drawn, each with the reason."""
    return _gallery(found, group, ink, False).missing


def _gallery(found: BenchFindings, group: str, ink: str, beside: bool) -> Gallery:
    request = FigureRequest(found, ink, published() if beside else None)
    return _keep(found, (group, ink, str(beside)), lambda: gallery(request, (group,)))


def standing(found: BenchFindings, by: str, ink: str, beside: bool) -> Gallery:
    """Return one of the six figures of every model, with published results beside where that is
    asked for.
    """

    def make() -> Gallery:
        one = attempted(
            "leaderboard",
            "Leaderboard",
            lambda: figures_board.standing(found.board, ink, published() if beside else None, by),
        )
        return Gallery(
            (one,) if isinstance(one, DrawnFigure) else (),
            (one,) if isinstance(one, Missing) else (),
        )

    return _keep(found, ("standing", by, ink, str(beside)), make)


def _keep(found: BenchFindings, which: tuple[str, ...], make: Callable[[], Gallery]) -> Gallery:
    folder = str(services.store().folder)
    place = (folder, found.run, *which)
    with _guard:
        making = _making[folder, found.run, "figures"]
    with making:
        of, made = _drawn.get(place, ("", None))
        if made is None or of != found.version:
            made = make()
            with _guard:
                _drawn[place] = found.version, made
                _let_go(_drawn, FIGURES)
        return made


def _let_go(kept: OrderedDict[Any, Any], most: int) -> None:
    while len(kept) > most:
        kept.popitem(last=False)
