"""Backups by themselves: a server makes one as soon as the newest is too old."""

import logging
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.errors import FoundryError
from core.settings import Settings
from core.store import Store
from core.store.backups.backup import Backup, listed, make, place

log = logging.getLogger("foundry.backup")
FIRST = 120.0
"""Seconds from the start of a server to its first look: those who wait for its first page come
before.
"""
AGAIN = 600.0
"""Seconds between two looks."""
SKEW = timedelta(hours=1)
"""How far ahead of this clock a backup may be that another machine made."""


def due(folder: Path, hours: float, now: datetime) -> bool:
    """Say whether the newest backup in a folder is older than so many hours, or there is none; 0
    hours is never. Raises StoreFailed.
    """
    if not hours:
        return False
    # One that is of a time to come was made by a clock that was wrong, and puts off no other.
    made = [one for one in listed(folder) if one.made <= now + SKEW]
    return not made or now - made[0].made >= timedelta(hours=hours)


def back_up_if_due(store: Store, settings: Settings) -> Backup | None:
    """Make a backup if it is time, and return it; a failure is logged, and tried again at the next
    look.
    """
    folder = place(store, settings.backups)
    try:
        if due(folder, settings.backup_every, datetime.now(UTC)):
            return make(store, folder, settings.backup_keep)
    except FoundryError as error:
        log.error("No backup could be made; it is tried again in ten minutes. %s", error)
    return None


def keep_backing_up(store: Store, settings: Settings, over: threading.Event) -> None:
    """Look again and again whether it is time for a backup, until it is over."""
    pause = FIRST
    while not over.wait(pause):
        back_up_if_due(store, settings)
        pause = AGAIN
