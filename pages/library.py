"""Library: papers that runs met, and the built-in shelf."""
import streamlit as st

from components import library_list, meaning, services
from components.frame import frame
from components.paging import ROWS, skipped
from core.errors import BadInput
from core.literature.port import Query
from core.records import Paper


def used_by(paper: str) -> dict[str, str]:
    """Return the runs that met a paper: id -> title."""
    store, found = services.store(), {}
    for run in store.library.runs_with(paper)[:ROWS]:
        try:
            found[run] = store.runs.get(run).title
        except BadInput:  # Deleted since: its papers stay.
            continue
    return found


def met() -> None:
    """Papers that runs met."""
    library = services.store().library
    text = library_list.words("met", "Search in titles, authors and abstracts")
    total = library.count(text)
    cards = st.container()
    found = library.papers(text, limit=ROWS, skip=skipped(total, "library:met-page"))
    with cards:
        if found:
            st.caption(f"{total:,} papers, newest first")
            library_list.cards(found, "met", used_by)
        elif text:
            st.info("No paper of your runs holds these words.", icon=":material/search_off:")
        else:
            st.info("Your runs have met no papers yet. Build a chain, and the papers it reads are kept here.", icon=":material/timeline:")
            st.page_link("pages/chains.py", label="Build a chain", icon=":material/timeline:")


def shelf() -> None:
    """The papers that come with the workbench."""
    shop = services.workshop()
    st.caption("Real papers for trying the workbench without a network. Each entry says where it was checked; summaries were written for the shelf.")
    field = library_list.field(shop.shelf.neighbourhoods())
    find, how = st.columns([5, 2], vertical_alignment="bottom")
    with find:
        text = library_list.words("shelf", "Search the shelf")
    by_meaning = how.toggle("By meaning", key="library:meaning", bind="query-params", help="Papers near in meaning, nearest first.")
    ready = meaning.state("library") if by_meaning else False
    papers = near(text) if by_meaning and ready and text else holding(shop.shelf.all(), text)
    within = in_field(field) if field else None
    papers = [paper for paper in papers if within is None or paper.id in within]
    total = len(papers)
    cards = st.container()
    skip = skipped(total, "library:shelf-page")
    with cards:
        if papers:
            st.caption(f"{total} papers" + (", nearest in meaning first" if by_meaning and ready and text else ""))
            library_list.cards(papers[skip:skip + ROWS], "shelf", used_by)
        else:
            st.info("Nothing on the shelf fits. Try other words, or another field.", icon=":material/search_off:")


def in_field(name: str) -> frozenset[str]:
    """Return the ids of a field's papers; the shelf lists them field by field."""
    shelf, before = services.workshop().shelf, 0
    for field in shelf.neighbourhoods():
        if field.name == name:
            return frozenset(paper.id for paper in shelf.all()[before:before + field.papers])
        before += field.papers
    return frozenset()


def near(text: str) -> list[Paper]:
    """Return the shelf's papers near a text in meaning."""
    with st.spinner("Comparing meanings ..."):
        return list(services.workshop().shelf.search(Query(text=text, limit=ROWS)))


def holding(papers: tuple[Paper, ...], text: str) -> list[Paper]:
    """Return the papers that hold every word."""
    wanted = text.lower().split()
    return [paper for paper in papers if all(word in f"{paper.title} {' '.join(paper.authors)} {paper.abstract}".lower() for word in wanted)]


with frame("pages/library.py"):
    papers, built_in = st.tabs(["Met by your runs", "Built-in shelf"], key="library:tab", bind="query-params", on_change="rerun")
    if papers.open:
        with papers:
            met()
    if built_in.open:
        with built_in:
            shelf()
