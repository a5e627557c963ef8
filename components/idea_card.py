"""An idea on screen, by its fields, with a way to keep it."""
import streamlit as st

from components import services
from components.text import inline, shown
from core.records import Idea, label


def draw(idea: Idea, run: str | None, origin: str, key: str) -> None:
    """Draw an idea and the button that puts it on the shelf."""
    with st.container(border=True):
        for name, text in idea.fields.items():
            if name == "title":
                st.markdown(f"**{inline(text)}**")
            else:
                st.markdown(f"**{label(name)}**\n\n{shown(text)}" if len(idea.fields) > 1 else shown(text))
    if run and st.button("Keep this idea", icon=":material/bookmark_add:", key=f"{key}:keep-{idea.digest()[:8]}"):
        kept = services.store().ideas.save(idea, run, origin)
        st.toast("On the shelf. Find it under Ideas.", icon=":material/bookmark_added:")
        st.page_link("pages/rate.py", label="Rate it", icon=":material/star:", query_params={"ideas": kept})
