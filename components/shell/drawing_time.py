"""What drawing pages takes is on the account of those they are drawn for: of an expert's, all of
whose tabs have their part of the server and no more, and of all strangers
(components/access/strangers.py). And few of these pages are drawn at once: an organiser's takes its
turns with all of them.
"""

import threading
import time
from functools import wraps

import streamlit as st
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

from components.access.admissions import SOCKET, admissions
from components.access.strangers import OF_STRANGERS, STRANGERS_WORK, seat_of

AT_ONCE = 2
"""Pages that are drawn at once of people who are no organisers."""


def count_drawing_time() -> None:
    """Let every page of this process be counted, in seconds of the processor, and those of people
    who are no organisers be drawn a few at once.
    """
    run = ScriptRunner._run_script
    if getattr(run, "is_counted", False):
        return

    places = threading.BoundedSemaphore(AT_ONCE)

    @wraps(run)
    def run_and_count(runner: ScriptRunner, asked: RerunData) -> None:
        socket = st.context.headers.to_dict().get(SOCKET, "")
        # Without a lock nobody is named, and whoever is here organises.
        if not socket or admissions.expected(socket) or admissions.within(socket):
            return run(runner, asked)
        with places:
            seated, began = admissions.seat_at(socket), time.thread_time()
            try:
                run(runner, asked)
            finally:
                took = time.thread_time() - began
                if not seated:
                    OF_STRANGERS.take(STRANGERS_WORK * took)
                if seat := admissions.seat_at(socket):
                    seat_of(seat).drew(took)
        return None

    run_and_count.is_counted = True  # type: ignore[attr-defined]
    ScriptRunner._run_script = run_and_count  # type: ignore[method-assign,assignment]
