"""What a part of a page sends that is drawn again by its timer: nobody pressed anything.

Streamlit (1.67) lets a timer's request carry the value of every widget, as a press does. A browser
that is busy may send it before it has heard what the page itself has put into one: the page would
take the old value for a choice, run what belongs to it, and scroll there. Whatever a person changes
comes with a request of its own, which may still wait as the timer's comes: what it says stays, and
where it leads.
"""

from dataclasses import replace
from functools import wraps

from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner_utils.script_requests import (
    RerunData,
    ScriptRequests,
    ScriptRequestType,
)


def let_timers_choose_nothing() -> None:
    """Let every session of this process take values of widgets from presses alone."""
    ask = ScriptRequests._request_rerun_locked
    if hasattr(ask, "__wrapped__"):
        return

    @wraps(ask)
    def ask_as_who(requests: ScriptRequests, asked: RerunData) -> bool:
        if asked.is_auto_rerun:
            waits = requests._state == ScriptRequestType.RERUN
            asked = _without_choice(asked, requests._rerun_data if waits else None)
        return ask(requests, asked)

    ScriptRequests._request_rerun_locked = ask_as_who  # type: ignore[method-assign,assignment]


def _without_choice(asked: RerunData, waiting: RerunData | None) -> RerunData:
    """Return what a timer asks for beside what waits already."""
    # Not none at all: with none Streamlit would not forget what was pressed before.
    said = waiting.widget_states if waiting else None
    asked = replace(asked, widget_states=said or WidgetStates())
    if waiting is None or waiting.is_auto_rerun:
        return asked
    # Both become one, which is a press: the next timer finds it waiting.
    return replace(
        asked,
        is_auto_rerun=False,
        page_script_hash=waiting.page_script_hash,
        page_name=waiting.page_name,
        query_string=waiting.query_string,
        is_history_navigation=waiting.is_history_navigation,
    )
