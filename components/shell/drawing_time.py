"""What drawing pages takes is on the account of those they are drawn for: of an expert's, all of
whose tabs have their part of the server and no more (components/access/strangers.py). And few of
experts' pages are drawn at once: an organiser's takes its turns with all of them.
"""

import threading
import time
from contextlib import nullcontext
from functools import wraps

import streamlit as st
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

from components.access.admissions import SOCKET, admissions
from components.access.strangers import seat_of

AT_ONCE = 2
"""Pages of experts that are drawn at once."""


def count_drawing_time() -> None:
    """Let every page of this process be counted, in seconds of the processor, and those at seats be
    drawn a few at once.
    """
    run = ScriptRunner._run_script
    if getattr(run, "is_counted", False):
        return

    places = threading.BoundedSemaphore(AT_ONCE)

    def whose() -> str:
        return admissions.seat_at(st.context.headers.to_dict().get(SOCKET, ""))

    @wraps(run)
    def run_and_count(runner: ScriptRunner, asked: RerunData) -> None:
        with places if whose() else nullcontext():
            began = time.thread_time()
            try:
                run(runner, asked)
            finally:
                if seat := whose():
                    seat_of(seat).drew(time.thread_time() - began)

    run_and_count.is_counted = True  # type: ignore[attr-defined]
    ScriptRunner._run_script = run_and_count  # type: ignore[method-assign,assignment]
