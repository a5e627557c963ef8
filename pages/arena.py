"""Arena: methods compared pair by pair, by models and by people."""

import streamlit as st

from components.arena import form as arena_form
from components.arena import view as arena_view
from components.arena import voting as vote_screen
from components.shell import gone
from components.shell.frame import addressed, followed, frame

run = st.query_params.get("run", "")
voting = bool(run) and st.query_params.get("vote") == "1"
with frame("pages/arena.py", headed=not voting, menu=not voting):
    if run:
        # As `addressed` does; but the view's own choices are bound to the address by themselves,
        # and must not be set here.
        if not voting and followed():
            st.query_params["run"] = run
        found = gone.found(run, "pages/arena.py", "All arenas")
        if found and voting:
            vote_screen.draw(found, addressed("run", "vote", "by")["by"])
        elif found:
            arena_view.whole_run(found)
    else:
        arena_form.draw(addressed("collection")["collection"])
