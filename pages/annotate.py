"""Annotate: an expert's seat at a session, opened by its link; and the organiser's preview of
it.
"""

import streamlit as st

from components.access import entrance
from components.annotate import screen as seat_screen
from components.shell import services
from components.shell.frame import seat_frame

seat, previewed = st.query_params.get("seat", ""), st.query_params.get("preview", "")
if previewed and not seat:
    entrance.keep_out("pages/annotate.py")
with seat_frame("Session"):
    if previewed and not seat:
        seat_screen.preview(
            services.store().studies.get(previewed), st.query_params.get("step", "")
        )
    else:
        seat_screen.draw(seat)
