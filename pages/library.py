"""Library: papers that runs met, your own, and the built-in papers."""

from functools import partial
from hashlib import sha256

import streamlit as st

from components.library import importing as library_import
from components.library import listing as library_list
from components.library import text as library_text
from components.shell import address, meaning, mistakes, services
from components.shell.clicks import do_once, just_done
from components.shell.frame import frame
from components.shell.paging import ROWS, skipped
from components.shell.text import counted
from core.errors import BadInput
from core.literature.full_text import FullTexts
from core.literature.intake import Intake
from core.literature.intake_jobs import Work
from core.literature.port import Query
from core.records import Paper

# Tabs by the names they had in addresses before.
RENAMED = {"Built-in shelf": "Built-in papers", "Met by your runs": "Found by your runs"}
PERSON = (  # By whom papers and PDFs are brought in here: the workbench has no sign-in.
    "on the Library page"
)
# The import that was begun last in this tab.
BEGUN = "library:begun"


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
    """Papers your runs found."""
    library = services.store().library
    text = library_list.words("met", "Search in titles, authors, abstracts and ids")
    total = library.met_count(text)
    cards = st.container()
    found = library.met(text, limit=ROWS, skip=skipped(total, "library:met-page"))
    with cards:
        if found:
            st.caption(f"{total:,} papers, newest first" if total > 1 else "1 paper")
            library_list.cards(found, "met", used_by, under)
        elif text:
            st.info("No paper of your runs holds these words.", icon=":material/search_off:")
        else:
            st.info(
                "Your runs have found no papers yet. Build a chain, and the papers it reads are"
                " kept here.",
                icon=":material/timeline:",
            )
            st.page_link("pages/chains.py", label="Build a chain", icon=":material/timeline:")


def own() -> None:
    """Papers people brought themselves, and bringing more."""
    library = services.store().library
    total = library.own_count()
    with st.expander("Import papers", icon=":material/upload:", expanded=not total):
        last = st.session_state.get(BEGUN, {})
        if wish := library_import.form(last.get("made", "")):
            bring_in(wish)
    if not total:
        st.info(
            "Your own library is empty. Import a bibliography, a list of DOIs or PDFs; chains can"
            " then be built from it.",
            icon=":material/upload_file:",
        )
        return
    text = library_list.words("own", "Search in titles, authors, abstracts and ids")
    newest = library.own_newest()
    total = library.own_count(text)
    cards = st.container()
    found = library.own_listed(text, limit=ROWS, skip=skipped(total, "library:own-page"))
    with cards, st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"{counted(total, 'paper')}, the latest import first"
            if total
            else "No paper of your own holds these words."
        )
        if total:
            library_list.removal(library_list.PapersListed(total, text, newest), take_out)
    with cards:
        mistakes.shown("library:removing")
        library_list.cards(found, "own", used_by, under)


def take_out(listed: library_list.PapersListed) -> None:
    """Take papers out of one's own library; a callback."""
    library = services.store().library
    with mistakes.kept("library:removing"):
        library.remove_own(library.own_ids(listed.text, listed.newest))


def works(wish: library_import.LibraryImportWish) -> list[tuple[str, Work]]:
    """Return what is to be done about a wish to import, each under its name."""
    shop, intake = services.workshop(), taking_in()
    source = shop.source(wish.source)
    found: list[tuple[str, Work]] = [
        (name, partial(intake.take_file, name, data, PERSON, source)) for name, data in wish.files
    ]
    if wish.listed.strip():
        found.append(
            ("typed list", partial(intake.take_list, "typed list", wish.listed, PERSON, source))
        )
    return found


def bring_in(wish: library_import.LibraryImportWish) -> None:
    """Start an import, or show the one the same click has just started."""
    listed = [[name, sha256(data).hexdigest()] for name, data in wish.files]
    if not wish.empty:
        begin(works(wish), [listed, wish.listed, wish.source], BEGUN)
    elif begun := just_done(BEGUN):  # The form is empty since the first of two clicks.
        show(str(begun))
    else:
        st.warning("Choose a file, or type a DOI.")


def begin(works: list[tuple[str, Work]], wish: object, place: str) -> None:
    """Start an import beside the page and show it; `wish` is what was asked for at this place, in
    JSON.
    """
    show(do_once(place, wish, lambda: library_import.jobs().begin(works).id))


def show(job: str) -> None:
    """Show an import; its id stays in the address, so that a reload finds it again."""
    st.query_params["import"] = job
    st.rerun()


def taking_in() -> Intake:
    """Return what takes papers and PDFs into the library."""
    shop = services.workshop()
    return Intake(shop.store.library, FullTexts(shop.settings, shop.store.library))


def under(paper: Paper, key: str) -> None:
    """What can be done about a paper: its PDF, and taking it out of one's own library."""
    library = services.store().library
    wish = library_text.draw(
        paper, library.attached(paper.id), library.text_at(paper.pdf) if paper.pdf else None, key
    )
    if wish and wish.what == "attach":
        work = partial(taking_in().attach, paper, wish.data, PERSON)
        asked = [paper.id, sha256(wish.data).hexdigest()]
        begin([(paper.title, work)], asked, "library:attached")
    elif wish:
        library.detach(paper.id)
        st.rerun()
    if library.own_papers((paper.id,)) and st.button(
        "Remove from my library", icon=":material/delete:", type="tertiary", key=f"{key}:remove"
    ):
        library.remove_own((paper.id,))
        st.rerun()


def importing() -> None:
    """The import the address names: how far it is, or what became of it."""
    if name := st.query_params.get("import"):
        if job := library_import.jobs().get(name):
            if library_import.progress(job):
                del st.query_params["import"]
                st.rerun()
        else:
            st.caption(
                "That import ended when the server restarted. The papers it had already imported"
                " are below."
            )


def built_in() -> None:
    """The papers that come with the workbench."""
    shop = services.workshop()
    st.caption(
        "Real papers for trying the workbench without a network. Each entry says where it was"
        " checked; summaries were written for the built-in papers."
    )
    field = library_list.field(shop.shelf.neighbourhoods())
    find, how = st.columns([5, 2], vertical_alignment="bottom")
    with find:
        text = library_list.words("shelf", "Search the built-in papers")
    by_meaning = how.toggle(
        "By meaning",
        key="library:meaning",
        bind="query-params",
        help="Papers near in meaning, nearest first.",
    )
    ready = meaning.state("library") if by_meaning else False
    papers = near(text) if by_meaning and ready and text else holding(shop.shelf.all(), text)
    within = in_field(field) if field else None
    papers = [paper for paper in papers if within is None or paper.id in within]
    total = len(papers)
    cards = st.container()
    skip = skipped(total, "library:shelf-page")
    with cards:
        if papers:
            st.caption(
                counted(total, "paper")
                + (", nearest in meaning first" if by_meaning and ready and text else "")
            )
            library_list.cards(papers[skip : skip + ROWS], "shelf", used_by, under)
        else:
            st.info(
                "No built-in paper fits. Try other words, or another field.",
                icon=":material/search_off:",
            )


def in_field(name: str) -> frozenset[str]:
    """Return the ids of a field's papers; they stand there field by field."""
    shelf, before = services.workshop().shelf, 0
    for field in shelf.neighbourhoods():
        if field.name == name:
            return frozenset(paper.id for paper in shelf.all()[before : before + field.papers])
        before += field.papers
    return frozenset()


def near(text: str) -> list[Paper]:
    """Return built-in papers near a text in meaning."""
    with st.spinner("Comparing meanings ..."):
        return list(services.workshop().shelf.search(Query(text=text, limit=ROWS)))


def holding(papers: tuple[Paper, ...], text: str) -> list[Paper]:
    """Return the papers that hold every word."""
    wanted = text.lower().split()
    return [
        paper
        for paper in papers
        if all(
            word in f"{paper.title} {' '.join(paper.authors)} {paper.abstract}".lower()
            for word in wanted
        )
    ]


with frame("pages/library.py"):
    importing()
    address.follow_renamed("library:tab", RENAMED)
    tabs = st.tabs(
        ["Found by your runs", "Your own papers", "Built-in papers"],
        key="library:tab",
        bind="query-params",
        on_change="rerun",
    )
    for tab, draw in zip(tabs, (met, own, built_in), strict=True):
        if tab.open:
            with tab:
                draw()
