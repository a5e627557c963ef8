"""What a browser still asks of what is gone: of a page that was left, and of a part of the page
that was drawn anew elsewhere on it (Streamlit 1.67).

A button that changes the page changes it at the server. Until the browser hears of it, the second
press of a double click, or a timer, may ask for a part of the page before. Streamlit draws that
after the new page, says the old one's name with it, and the browser clears its screen: it stayed
blank until somebody did something.
"""

from functools import wraps

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData


def draw_parts_of_this_page_only() -> None:
    """Let every session of this process pass over what is asked of a part of another page than the
    one that it shows.
    """
    run = ScriptRunner._run_script
    if hasattr(run, "__wrapped__"):
        return

    @wraps(run)
    def run_if_here(runner: ScriptRunner, asked: RerunData) -> None:
        shown = runner._pages_manager.current_page_script_hash
        if asked.fragment_id_queue and asked.page_script_hash not in ("", shown):
            return
        run(runner, asked)

    ScriptRunner._run_script = run_if_here  # type: ignore[method-assign,assignment]


def hear_presses_in_parts_that_are_gone() -> None:
    """Let every session of this process draw the whole page where something was pressed in a part
    of it that is there no more under its name, since what stands above it came or went: Streamlit
    passes over the press.
    """
    rerun = AppSession.request_rerun
    if hasattr(rerun, "__wrapped__"):
        return

    @wraps(rerun)
    def rerun_whole(session: AppSession, asked: ClientState | None) -> None:
        if asked and asked.fragment_id and not asked.is_auto_rerun:
            # Of a page that was left nothing is pressed any more.
            here = asked.page_script_hash in ("", session._pages_manager.current_page_script_hash)
            if here and not session.has_fragment(asked.fragment_id):
                asked.ClearField("fragment_id")
        rerun(session, asked)

    AppSession.request_rerun = rerun_whole  # type: ignore[method-assign,assignment]
