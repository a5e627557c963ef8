"""Case studies: finished runs that play back."""

import streamlit as st

from components.cases import listing as case_list
from components.cases import player as case_player
from components.shell.frame import frame

asked = st.query_params.get("run", "")
projecting = bool(asked) and st.query_params.get("projector") == "1"
with frame("pages/cases.py", headed=not asked, menu=not projecting):
    if asked:
        case_player.draw(case_list.there(asked), projecting)
    else:
        case_list.draw()
