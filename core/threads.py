"""Threads that work in the background: daemons, so that they never keep a process from ending."""

import threading
from collections.abc import Callable

from core.errors import NoThread


def begin_thread(work: Callable[..., object], name: str, *given: object) -> threading.Thread:
    """Begin work in a thread of its own, and return it; raises NoThread where the system gives no
    more.
    """
    thread = threading.Thread(target=work, args=given, name=name, daemon=True)
    try:
        thread.start()
    except RuntimeError as error:
        raise NoThread(
            f"This machine gives the program no more threads ({error}). Run fewer things at once,"
            " or raise the limit (TasksMax, pids_limit); then try again."
        ) from None
    return thread
