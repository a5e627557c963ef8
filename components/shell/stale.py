"""What Streamlit keeps of widgets that have left the screen (1.67), and its end.

Their values go as soon as a page is drawn without them, but what they were made of stays as long as
the tab is open: callbacks with all that they were given, a whole run's story among it. A tab that
is read in for an hour held every page that was ever on it (measured in thirty tabs whose readers
hurry: 2,700 widgets a minute).
"""

from functools import wraps

from streamlit.components.v2.bidi_component.constants import EVENT_DELIM
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX


def forget_stale_widgets() -> None:
    """Let every session of this process forget a widget, callbacks and all, when a drawing of its
    page, or of the part of the page that it stood in, has come to its end without it.
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
        parts, known = drawing.fragment_ids_this_run, session._new_widget_state.widget_metadata
        gone = [
            name
            for name, widget in known.items()
            if _element(name) not in widget_ids_this_run
            and (not parts or widget.fragment_id in parts)
        ]
        for name in gone:
            del known[name]

    SessionState.on_script_finished = finish_and_forget  # type: ignore[method-assign,assignment]


def _element(name: str) -> str:
    """Return which element of a page a widget is: what a component of our own tells of (a key that
    was pressed) is kept as a widget of its own, which is never counted among those drawn.
    """
    if not name.startswith(STREAMLIT_INTERNAL_KEY_PREFIX):
        return name
    return name.removeprefix(f"{STREAMLIT_INTERNAL_KEY_PREFIX}_").partition(EVENT_DELIM)[0]
