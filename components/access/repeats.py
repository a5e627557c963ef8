"""What strangers can have logged as often as they like, told a few times a minute."""

import logging
import time
from typing import NamedTuple

OFTEN, WHILE = 20, 60.0
"""Lines of one place in the program that are kept of so many seconds."""
LOGGERS = ("foundry.gate", "uvicorn.error")
"""Of who was not let in, and of connections that were refused."""


class _Told(NamedTuple):
    since: float
    times: int


class Repeats(logging.Filter):
    """Lets a few lines of one place through in a while; the first of the next while says how many
    were left out. Errors with a trace all come through.
    """

    def __init__(self) -> None:
        super().__init__()
        self._told: dict[tuple[str, int], _Told] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether this line is to be kept."""
        if record.exc_info or record.levelno >= logging.ERROR:
            return True
        place, now = (record.pathname, record.lineno), time.monotonic()
        told = self._told.get(place, _Told(now, 0))
        if now - told.since >= WHILE:
            left_out = told.times - OFTEN
            if left_out > 0:
                said = record.getMessage()
                record.msg, record.args = "%s (and %d more like it before)", (said, left_out)
            told = _Told(now, 0)
        self._told[place] = told._replace(times=told.times + 1)
        return told.times < OFTEN


def tell_repeats_seldom() -> None:
    """Keep what strangers have logged short, in this process from now on."""
    for name in LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(one, Repeats) for one in logger.filters):
            logger.addFilter(Repeats())
