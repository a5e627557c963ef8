"""Case studies: finished runs that play back."""

import streamlit as st

from components import case_list, case_player, case_projector
from components.frame import frame

asked = st.query_params.get("run", "")
projecting = bool(asked) and st.query_params.get("projector") == "1"
with frame("pages/cases.py", headed=not asked, menu=not projecting):
    if projecting:
        case_projector.large()
    if asked:
        case_player.draw(case_list.there(asked), projecting)
    else:
        case_list.draw()
