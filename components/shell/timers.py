"""What a part of a page sends that is drawn again by its timer: nobody pressed anything.

Streamlit (1.67) lets a timer's request carry the value of every widget, as a press does. A browser
that is busy may send it before it has heard what the page itself has put into one: the page would
take the old value for a choice, run what belongs to it, and scroll there. Whatever a person changes
is sent with a request of its own, before.
"""

from functools import wraps

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession


def let_timers_choose_nothing() -> None:
    """Let every session of this process take values of widgets from presses alone."""
    ask = AppSession.request_rerun
    if hasattr(ask, "__wrapped__"):
        return

    @wraps(ask)
    def ask_as_who(session: AppSession, client_state: ClientState | None) -> None:
        if client_state and client_state.is_auto_rerun:
            client_state.ClearField("widget_states")
        ask(session, client_state)

    AppSession.request_rerun = ask_as_who  # type: ignore[method-assign,assignment]
