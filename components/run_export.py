"""A run as a file, made when it is asked for."""
import re
import unicodedata
from collections.abc import Callable

import streamlit as st

from components import services
from core.export import bibliography, bundle, chains_json, html, markdown, picture, word
from core.records import Run
from core.story import Story

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def draw(run: Run, key: str) -> None:
    """Draw what the run can be taken along as: a report in three formats and the bundle, and of chains their papers and the graph."""
    store = services.store()
    st.caption("Markdown, Word and HTML hold the same report, for reading; the JSON bundle holds every step with its request, reply and tries. "
               "None holds a key.")
    with st.container(horizontal=True):
        _button("Markdown", "md", "text/markdown", "description", lambda: markdown(store, run.id), run, key)
        _button("Word", "docx", WORD, "article", lambda: word(store, run.id), run, key)
        _button("HTML", "html", "text/html", "html", lambda: html(store, run.id), run, key)
        _button("JSON bundle", "json", "application/json", "data_object", lambda: bundle(store, run.id), run, key)
    if run.config.method != "chain" or not any(branch.chain for branch in Story.of(store, run.id).branches):
        return
    st.caption("The chains alone: their papers for a reference manager, chains and trends as JSON, the graph as a picture.")
    with st.container(horizontal=True):
        _button("BibTeX", "bib", "application/x-bibtex", "format_quote", lambda: bibliography(store, run.id), run, key)
        _button("Chains as JSON", "chains.json", "application/json", "timeline", lambda: chains_json(store, run.id), run, key)
        _button("Graph as SVG", "svg", "image/svg+xml", "polyline", lambda: picture(store, run.id, "svg"), run, key)
        _button("Graph as PNG", "png", "image/png", "image", lambda: picture(store, run.id, "png"), run, key)


def named(run: Run) -> str:
    """Return what a file of the run is called: by its title, in letters any system takes."""
    words = re.findall(r"[a-z0-9]+", unicodedata.normalize("NFKD", run.title).encode("ascii", "ignore").decode().lower())
    return "-".join(words)[:60].strip("-") or f"run-{run.id}"


def _button(label: str, ending: str, kind: str, icon: str, make: Callable[[], str | bytes], run: Run, key: str) -> None:
    st.download_button(label, make, f"{named(run)}.{ending}", kind, key=f"{key}:{ending}", icon=f":material/{icon}:", on_click="ignore")
