"""A finished run as a case study, in one file."""
import streamlit as st

from components import person, services
from components.text import inline
from core.cases import pack
from core.errors import FoundryError
from core.records import Run


def offer(run: Run) -> None:
    """Draw the ways to play a finished run back and to pack it; nothing for one that goes on."""
    if run.state != "done" or run.config.method not in ("refine", "chain"):
        return
    st.page_link("pages/cases.py", label="Play it back", icon=":material/slideshow:", query_params={"run": run.id})
    if run.packed:
        return
    with st.popover("Save as case study", icon=":material/archive:"):
        st.caption("One file with every step, its notes and settings; it opens anywhere, without a key. It holds the texts of the run and the names people "
                   "gave, but no key and nothing of this machine.")
        about = st.text_area("What it shows, in a sentence or two", key=f"case:about:{run.id}", height=80)
        by = st.text_input("Packed by (may stay empty)", value=person.given(), key=f"case:by:{run.id}", max_chars=80)
        if st.button("Pack it", type="primary", icon=":material/archive:", key=f"case:pack:{run.id}"):
            try:
                st.session_state[f"case:packed:{run.id}"] = pack(services.store(), run.id, about or "", by or "")
            except FoundryError as error:
                st.error(inline(str(error), 1000))
        if packed := st.session_state.get(f"case:packed:{run.id}"):
            st.download_button(f"Download ({len(packed) / 1000:,.0f} kB)", packed, f"case-{run.id}.json", "application/json", icon=":material/download:",
                               key=f"case:download:{run.id}", on_click="ignore")
