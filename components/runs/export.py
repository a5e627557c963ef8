"""A run as a file, made when it is asked for."""

import re
from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple

import streamlit as st
from streamlit.elements.lib.mutable_popover_container import PopoverContainer

from components.shell import copying, links, services
from components.shell.text import inline
from core.cases.replay import html as replay
from core.cases.tape import plays
from core.export.bundling import bundle_file
from core.export.chains import idea_alone
from core.export.files import ballots, bibliography, chains_json, picture
from core.export.html import html
from core.export.markdown import markdown, written
from core.export.papers import cite_plainly, drawn_on, unlisted
from core.export.pdf import pdf
from core.export.results import beside, offered, tables
from core.export.short import has_short
from core.export.tables import archive
from core.export.word import word
from core.literature.bibtex import bibtex
from core.literature.references import FORMATS
from core.normal_forms import normal
from core.records import Idea, Run
from core.runs.catalogue import entry
from core.story import Story


class FileLook(NamedTuple):
    """How a file is offered."""

    label: str
    kind: str
    """Its MIME type."""
    icon: str


FILES = {
    "md": FileLook("Markdown", "text/markdown", "description"),
    "docx": FileLook(
        "Word",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "article",
    ),
    "pdf": FileLook("PDF", "application/pdf", "picture_as_pdf"),
    "html": FileLook("HTML", "text/html", "html"),
    "replay.html": FileLook("Plays by itself (HTML)", "text/html", "slideshow"),
    "json": FileLook("JSON bundle", "application/json", "data_object"),
    "zip": FileLook("Tables (zip)", "application/zip", "table"),
    "ballots.csv": FileLook("Votes (csv)", "text/csv", "how_to_vote"),
    "bib": FileLook("BibTeX", "application/x-bibtex", "format_quote"),
    "ris": FileLook("RIS", "application/x-research-info-systems", "format_quote"),
    "csl.json": FileLook("CSL-JSON", "application/vnd.citationstyles.csl+json", "format_quote"),
    "chains.json": FileLook("Chains as JSON", "application/json", "timeline"),
    "svg": FileLook("{} as SVG", "image/svg+xml", "polyline"),
    "png": FileLook("{} as PNG", "image/png", "image"),
}
"""By ending."""


RIGHTS = (
    "The link opens the run with every right. For somebody who is only to read it, make a link"
    " under Steps and export, Export."
)


def draw(run: Run, key: str) -> None:
    """Draw what the run can be taken along as: a report in three formats and the bundle, tables and
    papers where there are some, and of chains the graph too.
    """
    store, known = services.store(), entry(run.config)
    st.caption(
        "Markdown, Word, PDF and HTML hold the same report, for reading; the JSON bundle holds"
        " every step with its request, reply and tries. None holds a key."
    )
    files: dict[str, Callable[[], str | bytes]] = {
        "md": lambda: markdown(store, run.id),
        "docx": lambda: word(store, run.id),
        "pdf": lambda: pdf(store, run.id),
        "html": lambda: html(store, run.id),
        "replay.html": lambda: replay(store, run.id),
        "json": lambda: bundle_file(store, run.id),
        "zip": lambda: archive(tables(store, run), beside(store, run)),
        "ballots.csv": lambda: ballots(store, run.id),
        **{ending: partial(bibliography, store, run.id, None, ending) for ending in FORMATS},
        "chains.json": lambda: chains_json(store, run.id),
        "svg": lambda: picture(store, run.id, "svg"),
        "png": lambda: picture(store, run.id, "png"),
    }

    def row(*endings: str) -> None:
        with st.container(horizontal=True):
            for ending in endings:
                _button(FILES[ending], ending, files[ending], run, key)

    row("md", "docx", "pdf", "html", "json")
    if plays(store, run):
        st.caption(
            "Or as a page that plays the run step by step, in any browser, without a server or a"
            " network."
        )
        row("replay.html")
    if known.report == "chain":
        if any(branch.chain for branch in Story.of(store, run.id).branches):
            st.caption(
                "The chains alone: their papers for a reference manager, chains and trends as JSON,"
                " the graph as a picture."
            )
            row(*FORMATS, "chains.json", "svg", "png")
        return
    more: list[str] = []
    if offered(store, run):
        more += ["zip", *(("svg", "png", "ballots.csv") if known.report == "arena" else ())]
    if known.bibliography and drawn_on(store, run, Story.of(store, run.id)):
        more += FORMATS
    if more:
        row(*more)


def take(run: Run, idea: Idea, key: str) -> None:
    """Draw the way to take an idea along: its run's report to download, texts to copy."""
    box = _taking(key, "tertiary")
    if not box.open:
        return
    store = services.store()
    story = Story.of(store, run.id)
    papers = drawn_on(store, run, story)
    texts = {"Idea": written(idea_alone(idea))}
    if papers:
        texts |= {"References": cite_plainly(papers), "BibTeX": bibtex(papers, abstracts=False)}
    with box:
        if has_short(run):
            st.markdown("**Download the short report**, about two pages")
            _reports(run, f"{key}:take:short", in_short=True)
            st.markdown("**Download the whole report**")
        else:
            st.markdown("**Download the report**")
        _reports(run, f"{key}:take", in_short=False)
        if more := unlisted(store, run, story):
            st.caption(inline(more, 600))
        st.markdown("**Copy**")
        about = f"{RIGHTS} {links.only_here('The link works')}"
        copying.draw(texts, "Link to this run", f"?run={run.id}", about, f"{key}:take:copy")


def take_whole(run: Run, key: str) -> None:
    """Draw the way to take what a run came to along as a whole: its report to download or copy, the
    bundle, the run's link.
    """
    box = _taking(key, "secondary")
    if not box.open:
        return
    store = services.store()
    with box:
        st.markdown("**Download the report**")
        _reports(run, f"{key}:take", in_short=False)
        st.markdown("**Download every step**, with its request and reply")
        _button(FILES["json"], "json", lambda: bundle_file(store, run.id), run, f"{key}:take")
        st.markdown("**Copy**")
        about = f"{RIGHTS} {links.only_here('The link works')}"
        texts = {"Report as Markdown": markdown(store, run.id)}
        copying.draw(texts, "Link to this run", f"?run={run.id}", about, f"{key}:take:copy")


def _taking(key: str, look: Literal["secondary", "tertiary"]) -> PopoverContainer:
    """Draw the button that unfolds what can be taken along."""
    return st.popover(
        "Copy or download",
        icon=":material/ios_share:",
        type=look,
        key=f"{key}:take",
        on_change="rerun",
    )


def _reports(run: Run, key: str, in_short: bool) -> None:
    store = services.store()
    writers: dict[str, Callable[..., str | bytes]] = {
        "docx": word,
        "pdf": pdf,
        "html": html,
        "md": markdown,
    }
    name = f"{named(run)}-short" if in_short else named(run)
    with st.container(horizontal=True):
        for ending, write in writers.items():
            make = partial(write, store, run.id, in_short=in_short)
            _button(FILES[ending], ending, make, run, key, name)


def named(run: Run) -> str:
    """Return what a file of the run is called: by its title, in letters any system takes."""
    words = re.findall(
        r"[a-z0-9]+",
        normal("NFKD", run.title).encode("ascii", "ignore").decode().lower(),
    )
    return "-".join(words)[:60].strip("-") or f"run-{run.id}"


def replay_button(find: Callable[[], Run], name: str, key: str, about: str = "") -> None:
    """Draw the way to take a recording along as a page that plays by itself, `about` saying what it
    shows; its run is found when it is asked for.
    """
    st.download_button(
        "Save as HTML",
        lambda: replay(services.store(), find().id, about),
        f"{name}.replay.html",
        "text/html",
        icon=":material/download:",
        type="tertiary",
        key=f"{key}:html",
        on_click="ignore",
        help="One file that plays in any browser, without a server, a network or this program",
    )


def _button(
    look: FileLook,
    ending: str,
    make: Callable[[], str | bytes],
    run: Run,
    key: str,
    name: str = "",
) -> None:
    # An arena's pictures are of its ratings, a chain's of its graph.
    label = look.label.format("Ratings" if entry(run.config).report == "arena" else "Graph")
    st.download_button(
        label,
        make,
        f"{name or named(run)}.{ending}",
        look.kind,
        key=f"{key}:{ending}",
        icon=f":material/{look.icon}:",
        on_click="ignore",
    )
