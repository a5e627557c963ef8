"""The embedding model on screen: not loaded, loading, ready, failed. It is loaded as the server
starts, and never holds a page up.
"""

import streamlit as st

from components.shell import services

SAID = {
    "not loaded": (
        "The embedding model is not loaded. It loads when first needed, which takes several"
        " seconds."
    ),
    "loading": "The embedding model is loading (several seconds) ...",
    "ready": "The embedding model is loaded.",
    "failed": (
        "The embedding model could not be loaded; the log says why. Searching for words still"
        " works."
    ),
}


def state(key: str) -> bool:
    """Draw how the embedding model stands, with a button that loads it, and say whether it can be
    used.
    """
    now = services.workshop().embedder.state
    if now == "loading":
        st.fragment(_wait, run_every=1)()
    elif now == "ready":
        st.caption(f":material/check: {SAID[now]}")
    else:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(SAID[now])
            embedder = services.workshop().embedder
            st.button("Load it now", key=f"{key}:load", on_click=embedder.load_beside)
    return now == "ready"


def _wait() -> None:
    if services.workshop().embedder.state != "loading":
        st.rerun()
    st.caption(f":material/hourglass_top: {SAID['loading']}")
