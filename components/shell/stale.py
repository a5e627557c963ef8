"""What Streamlit keeps of widgets that have left the screen (1.67), and its end.

Their values go as soon as a page is drawn without them, but what they were made of stays as long as
the tab is open: callbacks with all that they were given, a whole run's story among it. A tab that
is read in for an hour held every page that was ever on it (measured in thirty tabs whose readers
hurry: 2,700 widgets a minute). A press can still be on its way when its button has left, so each
is kept for a while.
"""

from functools import wraps
from time import monotonic

from streamlit.components.v2.bidi_component.constants import EVENT_DELIM
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX

# Seconds. No press is on its way for longer: a browser whose line is cut for that long draws anew.
KEPT_FOR = 60


def forget_stale_widgets() -> None:
    """Let every session of this process forget a widget, callbacks and all, when a drawing of its
    page, or of the part of the page that it stood in, comes to its end without it a minute after
    it left.
    """
    finish = SessionState.on_script_finished
    if hasattr(finish, "__wrapped__"):
        return

    @wraps(finish)
    def finish_and_forget(
        session: SessionState, widget_ids_this_run: frozenset[str], **how: bool
    ) -> None:
        finish(session, widget_ids_this_run, **how)
        drawing = get_script_run_ctx()
        # Not asked: between two pages, with what the browser sent and not what was drawn.
        # Refused: it was broken off, and what was not drawn yet may still be on the screen.
        if drawing is None or not how.get("remove_stale_widgets"):
            return
        _forget(session, widget_ids_this_run, drawing.fragment_ids_this_run)

    SessionState.on_script_finished = finish_and_forget  # type: ignore[method-assign,assignment]


def _forget(session: SessionState, drawn: frozenset[str], parts: list[str] | None) -> None:
    """Forget those not drawn, of the page or of these parts of it, that have been gone for long."""
    known = session._new_widget_state.widget_metadata
    now = monotonic()
    for name, widget in list(known.items()):
        if _element(name) in drawn or (parts and widget.fragment_id not in parts):
            continue
        # On the record itself: one that is drawn again has a new one.
        left_at = vars(widget).setdefault("left_at", now)
        if now - left_at >= KEPT_FOR:
            del known[name]


def _element(name: str) -> str:
    """Return which element of a page a widget is: what a component of our own tells of (a key that
    was pressed) is kept as a widget of its own, which is never counted among those drawn.
    """
    if not name.startswith(STREAMLIT_INTERNAL_KEY_PREFIX):
        return name
    return name.removeprefix(f"{STREAMLIT_INTERNAL_KEY_PREFIX}_").partition(EVENT_DELIM)[0]
