"""Sessions: experts judge ideas blind; setting sessions up, watching them, and what came of
them.
"""

import streamlit as st

from components.sessions import file as study_file
from components.sessions import form as study_form
from components.sessions import view as study_view
from components.shell.frame import addressed, followed, frame

session, view = st.query_params.get("session", ""), st.query_params.get("view", "")
with frame("pages/sessions.py"):
    if session:
        # As `addressed` does; but the tab is bound to the address by itself, and must not be set
        # here.
        if followed():
            st.query_params["session"] = session
        study_view.draw(session)
    elif view == "new":
        said = addressed("view", "collection", "run")
        study_form.draw(said["collection"], said["run"])
    elif view == "file":
        addressed("view")
        study_file.draw()
    else:
        addressed()
        study_view.draw_list()
