"""A run as a file, made when it is asked for."""

import re
import unicodedata
from collections.abc import Callable

import streamlit as st

from components.shell import services
from core.export.bundling import bundle
from core.export.files import ballots, bibliography, chains_json, picture
from core.export.html import html
from core.export.markdown import markdown
from core.export.papers import drawn_on
from core.export.results import beside, tables
from core.export.tables import archive
from core.export.word import word
from core.records import Run
from core.story import Story

TABLED = {"evolve": "Evolved", "rank": "Standing", "sweep": "Made", "arena": ""}
"""Methods whose runs have tables, and the record that is there once they have."""
DRAWING = ("refine", "evolve", "question", "seed-dataset", "target-dataset", "rag", "real-paper")
"""Methods other than chains that draw on papers."""
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def draw(run: Run, key: str) -> None:
    """Draw what the run can be taken along as: a report in three formats and the bundle, tables and
    papers where there are some, and of chains the graph too.
    """
    store = services.store()
    st.caption(
        "Markdown, Word and HTML hold the same report, for reading; the JSON bundle holds every"
        " step with its request, reply and tries. None holds a key."
    )
    with st.container(horizontal=True):
        _button(
            "Markdown",
            "md",
            "text/markdown",
            "description",
            lambda: markdown(store, run.id),
            run,
            key,
        )
        _button("Word", "docx", WORD, "article", lambda: word(store, run.id), run, key)
        _button("HTML", "html", "text/html", "html", lambda: html(store, run.id), run, key)
        _button(
            "JSON bundle",
            "json",
            "application/json",
            "data_object",
            lambda: bundle(store, run.id),
            run,
            key,
        )
    _more(run, key)
    if run.config.method != "chain" or not any(
        branch.chain for branch in Story.of(store, run.id).branches
    ):
        return
    st.caption(
        "The chains alone: their papers for a reference manager, chains and trends as JSON, the"
        " graph as a picture."
    )
    with st.container(horizontal=True):
        _button(
            "BibTeX",
            "bib",
            "application/x-bibtex",
            "format_quote",
            lambda: bibliography(store, run.id),
            run,
            key,
        )
        _button(
            "Chains as JSON",
            "chains.json",
            "application/json",
            "timeline",
            lambda: chains_json(store, run.id),
            run,
            key,
        )
        _button(
            "Graph as SVG",
            "svg",
            "image/svg+xml",
            "polyline",
            lambda: picture(store, run.id, "svg"),
            run,
            key,
        )
        _button(
            "Graph as PNG",
            "png",
            "image/png",
            "image",
            lambda: picture(store, run.id, "png"),
            run,
            key,
        )


def _more(run: Run, key: str) -> None:
    """Draw the papers of a run that has no chains, and the tables of one that judges."""
    store = services.store()
    kinds = (
        {product.kind for product in store.steps.products(run.id)}
        if run.config.method in TABLED
        else set()
    )
    tabled = TABLED.get(run.config.method) in kinds or (
        run.config.method == "arena" and sum(store.ballots.count(run.id)) > 0
    )
    papers = run.config.method in DRAWING and drawn_on(run, Story.of(store, run.id))
    if not (tabled or papers):
        return
    with st.container(horizontal=True):
        if tabled:
            _button(
                "Tables (zip)",
                "zip",
                "application/zip",
                "table",
                lambda: archive(tables(store, run), beside(store, run)),
                run,
                key,
            )
        if tabled and run.config.method == "arena":
            _button(
                "Ratings as SVG",
                "svg",
                "image/svg+xml",
                "polyline",
                lambda: picture(store, run.id, "svg"),
                run,
                key,
            )
            _button(
                "Ratings as PNG",
                "png",
                "image/png",
                "image",
                lambda: picture(store, run.id, "png"),
                run,
                key,
            )
            _button(
                "Ballots (csv)",
                "ballots.csv",
                "text/csv",
                "how_to_vote",
                lambda: ballots(store, run.id),
                run,
                key,
            )
        if papers:
            _button(
                "BibTeX",
                "bib",
                "application/x-bibtex",
                "format_quote",
                lambda: bibliography(store, run.id),
                run,
                key,
            )


def named(run: Run) -> str:
    """Return what a file of the run is called: by its title, in letters any system takes."""
    words = re.findall(
        r"[a-z0-9]+",
        unicodedata.normalize("NFKD", run.title).encode("ascii", "ignore").decode().lower(),
    )
    return "-".join(words)[:60].strip("-") or f"run-{run.id}"


def _button(
    label: str,
    ending: str,
    kind: str,
    icon: str,
    make: Callable[[], str | bytes],
    run: Run,
    key: str,
) -> None:
    st.download_button(
        label,
        make,
        f"{named(run)}.{ending}",
        kind,
        key=f"{key}:{ending}",
        icon=f":material/{icon}:",
        on_click="ignore",
    )
