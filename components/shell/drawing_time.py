"""What drawing pages takes is on the account of those they are drawn for: of an expert's, all of
whose tabs have their part of the server and no more (components/access/strangers.py).
"""

import time
from functools import wraps

import streamlit as st
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

from components.access.admissions import SOCKET, admissions
from components.access.strangers import seat_of


def count_drawing_time() -> None:
    """Let every page of this process be counted, in seconds of the processor."""
    run = ScriptRunner._run_script
    if getattr(run, "is_counted", False):
        return

    @wraps(run)
    def run_and_count(runner: ScriptRunner, asked: RerunData) -> None:
        began = time.thread_time()
        try:
            run(runner, asked)
        finally:
            if seat := admissions.seat_at(st.context.headers.to_dict().get(SOCKET, "")):
                seat_of(seat).drew(time.thread_time() - began)

    run_and_count.is_counted = True  # type: ignore[attr-defined]
    ScriptRunner._run_script = run_and_count  # type: ignore[method-assign,assignment]
