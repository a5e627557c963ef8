"""Finding one paper a person has in mind: by DOI, arXiv id, address or title, or from its PDF."""

from collections.abc import Callable, Sequence

import streamlit as st

from components.library.importing import jobs, progress
from components.runs import looking
from components.shell import services
from components.shell.frame import told
from components.shell.text import counted, inline
from core.errors import BadInput
from core.literature import authors
from core.literature.full_text import FullTexts
from core.literature.full_text.titles import letters
from core.literature.importing import LARGEST, read_file
from core.literature.intake import Intake
from core.literature.intake_jobs import Work
from core.literature.venues import name_place
from core.methods import Looking
from core.records import Paper, Search
from core.runs.planning import validated
from core.store.own import ImportReport

MOST = 8
"""Papers shown to choose from."""
BOX = "paper-finder"
PERSON = "on the Chains page"
"""By whom a PDF is brought in here: the workbench has no sign-in."""


def draw(
    page: str, source: str | None = None, before: str | None = None, ban: Sequence[str] = ()
) -> Paper | None:
    """Draw the search for a paper and return the one that is picked; `source` is the page's own
    choice where none is given.
    """
    asked = source or str(st.session_state.get(f"{page}:source", "shelf"))
    way = st.radio(
        "Find a paper by",
        ("DOI, arXiv id, address or title", "its PDF"),
        key=f"{page}:finder:way",
        horizontal=True,
        persist_state="session",
    )
    return _by_name(page, asked, before, tuple(ban)) if way != "its PDF" else _by_pdf(page, asked)


def forget(page: str) -> None:
    """Forget what was found, so that the next search begins afresh."""
    for name in ("run", "job", "text"):
        st.session_state.pop(f"{page}:finder:{name}", None)


def left(page: str) -> None:
    """Refuse to go on while something is typed that was never looked for; raises BadInput."""
    typed = str(st.session_state.get(f"{page}:finder:text") or "").strip()
    if typed and not st.session_state.get(f"{page}:finder:run"):
        raise BadInput(
            f"The paper “{typed[:80]}” was typed but not looked for. Press Find first, or empty the"
            " field."
        )


def choose(
    key: str, said: str, papers: Sequence[Paper], caption: Callable[[Paper], str]
) -> Paper | None:
    """Draw papers to choose one from, each with a line under it, and return the chosen one; a
    single one is chosen already.
    """
    by_id = {paper.id: paper for paper in papers}
    st.session_state[f"{key}:offered"] = {
        name: paper.model_dump_json() for name, paper in by_id.items()
    }
    if st.session_state.get(key) not in by_id:
        st.session_state[key] = None
    if len(by_id) == 1:
        st.session_state[key] = papers[0].id
    st.radio(
        said,
        list(by_id),
        index=None,
        key=key,
        captions=[caption(paper) for paper in by_id.values()],
        format_func=lambda one: f"{by_id[one].year or 'undated'} · {inline(by_id[one].title, 110)}",
    )
    return chosen(key)


def chosen(key: str) -> Paper | None:
    """Return what is chosen at this moment: in a button's callback that may be more than the page
    it stands on knew.
    """
    offered = st.session_state.get(f"{key}:offered", {}).get(st.session_state.get(key))
    return Paper.model_validate_json(offered) if offered else None


def facts(paper: Paper) -> str:
    """Return authors, venue and citations in a line."""
    cited = counted(paper.citations, "citation") if paper.citations is not None else ""
    parts = (authors.listed(paper, 3), name_place(paper), cited, paper.id)
    return inline(" · ".join(filter(None, parts)), 200)


def _by_name(page: str, source: str, before: str | None, ban: tuple[str, ...]) -> Paper | None:
    key = f"{page}:finder:run"
    # Below each other: in half a page the button has no room for its name beside the text. And what
    # a form says of the Enter key would stand over the text.
    st.html(f"<style>.st-key-{BOX} [data-testid=InputInstructions] {{ display: none; }}</style>")
    with st.container(key=BOX), st.form(f"{page}:finder", border=False):
        text = st.text_input(
            "DOI, arXiv id, address or title of the paper",
            key=f"{page}:finder:text",
            persist_state="session",
            placeholder="10.1000/xyz, arXiv:2401.00001, https://..., or its title",
        )
        asked = st.form_submit_button("Find", icon=":material/search:", key=f"{page}:finder:go")
    if asked and not (text or "").strip():
        st.warning("Type a DOI, an arXiv id, an address or a title.")
    elif asked:
        with told():
            # No model is asked for it: the built-in one can always be opened, whatever is chosen in
            # Settings.
            looking.begin(
                key,
                "find",
                validated(Looking, topic=text.strip(), before=before, ban=ban),
                f"Find: {text}",
                source,
                {"main": "builtin"},
            )
    story = looking.answer(key)
    found = story.last(Search) if story else None
    if found is None:
        return None
    if found.state == "nothing found":
        st.info(
            f"The source was asked and has nothing for “{inline(found.query, 120)}”. Check the"
            " spelling, or choose another source.",
            icon=":material/search_off:",
        )
        return None
    return _one_of(page, f"Found for “{inline(found.query, 80)}”", found.papers[:MOST])


def choice(page: str) -> str:
    """Return under which name the page's choice is kept."""
    return f"{page}:finder:paper"


def _one_of(page: str, title: str, papers: Sequence[Paper]) -> Paper | None:
    key = choice(page)
    paper = choose(key, title, papers, facts)
    st.button(
        "Forget what was found",
        icon=":material/close:",
        type="tertiary",
        key=f"{key}:forget",
        on_click=forget,
        args=(page,),
    )
    return paper


def _by_pdf(page: str, source: str) -> Paper | None:
    file = st.file_uploader(
        "PDF of the paper",
        type="pdf",
        key=f"{page}:finder:pdf",
        max_upload_size=LARGEST // 1_000_000,
    )
    key = f"{page}:finder:job"
    if file is not None and st.button(
        "Read the PDF", icon=":material/description:", key=f"{page}:finder:read"
    ):
        st.session_state[key] = (
            jobs().begin([(file.name, _taking_in(file.name, file.getvalue(), source))]).id
        )
    job = jobs().get(st.session_state.get(key, ""))
    if job is None:
        return None
    if not job.over or any(report.failed for report in job.reports):
        progress(job)
        return None
    papers = [paper for report in job.reports for paper in report.added]
    if not papers:
        st.info(
            "No title can be made out on its first page. Find the paper by its title, and attach"
            " the PDF to it there.",
            icon=":material/search_off:",
        )
        return None
    return _one_of(page, "Read from the PDF, and kept in the library with its text", papers)


def _taking_in(name: str, data: bytes, source: str) -> Work:
    """Return the work of taking a PDF into the library; its report names the paper even where it
    was there before.
    """
    shop = services.workshop()
    library, opened = shop.store.library, shop.source(source)
    texts = FullTexts(shop.settings, library)

    def work(note: Callable[[str], None]) -> ImportReport:
        report = Intake(library, texts).take_file(name, data, PERSON, opened, note)
        guessed = read_file(name, data, texts).papers
        held = [
            one
            for one in library.own_papers()
            for guess in guessed
            if one.same(guess) or letters(one.title) == letters(guess.title)
        ]
        return report.model_copy(update={"added": tuple(held[:1])})

    return work
