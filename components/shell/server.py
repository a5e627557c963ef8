"""What a server does beside answering: it takes up interrupted runs as it starts, makes backups,
and ends in time when it is told to.
"""

import asyncio
import logging
import os
import signal
import threading
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from types import FrameType

from streamlit.runtime import runtime_util
from streamlit.starlette import App

from components.access.repeats import tell_repeats_seldom
from components.shell import services
from components.shell.connections import (
    allow_many_connections,
    bound_tls,
    end_silent_connections,
    end_unread_answers,
    read_requests_within_bounds,
    send_a_little_at_once,
)
from components.shell.drawing_time import count_drawing_time
from components.shell.frames import bound_frames
from components.shell.left_page import (
    draw_parts_of_this_page_only,
    hear_presses_in_parts_that_are_gone,
)
from components.shell.memory import (
    collect_seldom,
    give_back,
    keep_few_heaps,
    keep_for_good,
    keep_within_bounds,
    let_pages_be_ended,
)
from components.shell.stale import forget_stale_widgets
from components.shell.timers import let_timers_choose_nothing
from core import VERSION
from core.errors import StoreFailed
from core.runs.leases import STALE
from core.runs.runner import Runner
from core.store.backups.schedule import keep_backing_up
from core.store.event_log import listening

log = logging.getLogger("foundry.server")
# Seconds from the start of the server to the loading of the embedding model: its libraries import
# for as long again, beside which the first page would take a second more (measured).
LOADS_AFTER = 2.0
SETTLES = 45.0
"""Seconds after which the libraries that pages import are there, the embedding model's too."""
GIVES_BACK = 60.0
"""Seconds from one giving back of free memory to the next."""
AGAIN = STALE + 5.0
"""Seconds to the second look for runs that were interrupted: those of a machine, or a container, of
another name count as at work for as long as a lease is good.
"""
GRACE = 5.0
"""Seconds for which answers under way are waited for at the end."""
ENDING = (signal.SIGTERM, signal.SIGINT)
LAST = 8.0
"""Seconds from the signal to the end in any case: whoever started the server may kill it after ten,
and somebody may still be reading a file slowly.
"""
FILES = 32
"""Files that are made at once, or wait for figures."""
SENT = 32_000_000
"""Bytes that a message to a browser may have: several times what any page sends."""


@asynccontextmanager
async def lifespan(_: App) -> AsyncIterator[None]:
    """Take up interrupted runs as the server starts, and soon after load the embedding model,
    before anybody waits for it; make backups from time to time; end in time.
    """
    over = threading.Event()
    keep_few_heaps()
    collect_seldom()
    allow_many_connections()
    bound_tls()
    end_silent_connections()
    end_unread_answers()
    send_a_little_at_once()
    read_requests_within_bounds()
    bound_frames()
    forget_stale_widgets()
    let_timers_choose_nothing()
    draw_parts_of_this_page_only()
    hear_presses_in_parts_that_are_gone()
    count_drawing_time()
    let_pages_be_ended()
    allow_large_pages()
    tell_repeats_seldom()
    try:
        runner, shop = services.runner(), services.workshop()
        runner.recover()
    except StoreFailed as error:  # Every page says so, too, until it is mended.
        logging.getLogger("foundry.gate").error(
            "%s Then start the server again, so that interrupted runs go on.", error
        )
        yield
        return
    shop.store.log.tell("server.started", version=VERSION)
    # Files are made in these as they are asked for: one that waits for long figures keeps a thread.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(FILES, "files"))
    asyncio.get_running_loop().call_later(LOADS_AFTER, shop.embedder.load_beside)
    for work, given in (
        (keep_backing_up, (shop.store, shop.settings, over)),
        (_look_again, (runner, over)),
        (_settle, (over,)),
        (keep_within_bounds, (over,)),
    ):
        threading.Thread(target=work, args=given, name=work.__name__, daemon=True).start()
    with listening(shop.store.log), _ending_in_time(runner):
        yield
        over.set()
        await asyncio.to_thread(runner.rest, GRACE)
        shop.store.log.tell("server.ended")


def allow_large_pages() -> None:
    """Let messages to browsers be larger than those from them.

    Streamlit has one setting for both. The web server has taken its bound from it by now, and keeps
    of every connection so many bytes of a message that does not end.
    """
    most = max(SENT, runtime_util.get_max_message_size_bytes())
    runtime_util._max_message_size_bytes = most


def _look_again(runner: Runner, over: threading.Event) -> None:
    if not over.wait(AGAIN):
        try:
            runner.recover_late()
        except StoreFailed as error:
            log.warning("Interrupted runs could not be looked for once more. %s", error)


def _settle(over: threading.Event) -> None:
    if not over.wait(SETTLES):
        keep_for_good()
    while not over.wait(GIVES_BACK):
        give_back()


@contextmanager
def _ending_in_time(runner: Runner) -> Iterator[None]:
    """See to it that this process is gone so many seconds after a signal to end, whatever keeps it;
    what the web server does at such a signal is done, too.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # Signals are the main thread's business.
        return
    before = {number: signal.getsignal(number) for number in ENDING}

    def end(number: int, frame: FrameType | None) -> None:
        # Without a thread to spare it ends too, however long that takes.
        with suppress(RuntimeError):
            threading.Thread(target=_end, args=(runner, number), name="end", daemon=True).start()
        theirs = before[signal.Signals(number)]
        if callable(theirs):
            theirs(number, frame)

    for number in ENDING:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(runner: Runner, number: int) -> None:
    until = time.monotonic() + LAST
    runner.store.log.tell("server.told-to-end", signal=number)
    runner.rest(GRACE)
    time.sleep(max(0.0, until - time.monotonic()))
    # What was stored is kept: all that is open is made to be killed.
    os._exit(128 + number)
