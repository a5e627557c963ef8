"""Case studies: finished runs that play back."""
import streamlit as st

from components import case_list, case_player, case_projector, services
from components.frame import frame

projecting = st.query_params.get("projector") == "1"
with frame("pages/cases.py", bare=projecting):
    if projecting:
        case_projector.large()
    asked = st.query_params.get("run", "")
    if asked:
        case_player.draw(services.store().runs.get(asked), projecting)
    else:
        case_list.draw()
