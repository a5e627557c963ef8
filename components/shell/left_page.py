"""What a browser still asks of a page that was left (Streamlit 1.67), and why it is not drawn.

A button that changes the page changes it at the server. Until the browser hears of it, the second
press of a double click, or a timer, may ask for a part of the page before. Streamlit draws that
after the new page, says the old one's name with it, and the browser clears its screen: it stayed
blank until somebody did something.
"""

from functools import wraps

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
