"""What strangers can have logged as often as they like, told a few times a minute."""

import logging
import threading
import time
from typing import NamedTuple

OFTEN, WHILE = 20, 60.0
"""Lines of one place in the program that are kept of so many seconds."""
LOGGERS = (
    *("foundry.gate", "uvicorn.error"),
    *("streamlit.error_util", "streamlit.runtime.app_session"),
)
"""Of who was not let in, of connections that were refused, and of pages that were asked for what
makes no sense.
"""


class _Told(NamedTuple):
    since: float
    times: int


class Tally:
    """Counts what is told again and again: a little of one kind in a while is told, and then how
    much of it was not. Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._told: dict[object, _Told] = {}

    def left_out(self, kind: object) -> int | None:
        """Count one more of this kind; return how many before it were not told, or None where it is
        not to be told itself.
        """
        now, before = time.monotonic(), 0
        with self._guard:
            told = self._told.get(kind, _Told(now, 0))
            if now - told.since >= WHILE:
                before = max(0, told.times - OFTEN)
                told = _Told(now, 0)
            self._told[kind] = told._replace(times=told.times + 1)
        return before if told.times < OFTEN else None


class Repeats(logging.Filter):
    """Lets a few lines of one place through in a while, and of one failure a few traces; the first
    of the next while says how many were left out. Errors without a trace all come through.
    """

    def __init__(self) -> None:
        super().__init__()
        self._tally = Tally()

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether this line is to be kept."""
        raised = record.exc_info and record.exc_info[1]
        if record.levelno >= logging.ERROR and not raised:
            return True
        kind = record.pathname, record.lineno, *(_failed(raised) if raised else ())
        left_out = self._tally.left_out(kind)
        if left_out:
            said = record.getMessage()
            record.msg, record.args = "%s (and %d more like it before)", (said, left_out)
        return left_out is not None


def _failed(error: BaseException) -> tuple[object, ...]:
    """Return what tells one failure from others: its kind, and where it arose."""
    place = error.__traceback__
    while place and place.tb_next:
        place = place.tb_next
    return type(error), *((place.tb_frame.f_code, place.tb_lineno) if place else ())


def tell_repeats_seldom() -> None:
    """Keep what strangers have logged short, in this process from now on."""
    for name in LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(one, Repeats) for one in logger.filters):
            logger.addFilter(Repeats())
