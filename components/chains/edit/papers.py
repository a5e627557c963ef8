"""The papers of a chain as they will be: put in order, dropped, pinned, read again, added; then
made, or grown anew around what is kept.
"""

from functools import partial
from itertools import pairwise

import streamlit as st

from components.chains.edit import add, bar
from components.chains.edit import copy as copies
from components.chains.paper import name
from components.library import text as library_text
from components.library.finder import PERSON
from components.library.importing import jobs, progress
from components.shell import services
from components.shell.frame import told
from components.shell.text import counted, inline
from core.charts.edges import against
from core.literature.full_text import FullTexts
from core.literature.intake import Intake
from core.literature.ranking import let_through
from core.methods import ChainInputs
from core.methods.chain_of_ideas.editing import (
    asks_the_same,
    drop,
    move,
    pin,
    read_again,
    start_of,
)
from core.methods.chain_of_ideas.reading import needs_reading
from core.records import Chain, Link, Paper, Run
from core.story import Branch

EARLIER = "Moves the picked paper one place up."
LATER = "Moves the picked paper one place down."
DROPS = "Takes the picked paper out of the chain."
PINS = "A pinned paper is kept when the rest is grown anew."
READS = "Fetches and reads the picked paper anew."


def draw(run: Run, branch: Branch, key: str, paper_id: str | None) -> None:
    """Draw the working copy of a branch's chain with all that can be done to it; `paper_id` is the
    paper picked on the page.
    """
    settled = branch.chain
    assert settled is not None
    copies.load(key, settled)
    _attaching_pdf(key)
    copy = copies.load(key, settled)
    link = _list(key, copy.now, settled, paper_id)
    _tools(key, link)
    _pdf(link.paper, key)
    _warn(run, copy.now, settled)
    adding = st.expander(
        "Add or replace a paper, or merge with another chain",
        icon=":material/add:",
        key=f"{key}:adding",
        on_change="rerun",
    )
    if adding.open:
        with adding, told():
            add.draw(run, branch, key, copy.now, link)
    with told():
        _making(run, branch, key, copy, settled)


def _list(key: str, chain: Chain, settled: Chain, paper_id: str | None) -> Link:
    """Draw the chain as it will be and return the picked paper's place in it; the first that is
    picked is the page's.
    """
    by_id, held = {link.paper.id: link for link in chain.links}, copies.picked(key)
    if st.session_state.get(held) not in by_id:
        st.session_state[held] = paper_id if paper_id in by_id else next(iter(by_id))
    st.radio(
        "The chain as it will be, oldest first" if chain.ordered else "The papers as they will be",
        list(by_id),
        key=held,
        persist_state="session",
        format_func=lambda one: f"{name(by_id[one])}{_marks(by_id[one], settled)}",
    )
    return by_id[st.session_state[held]]


def _marks(link: Link, settled: Chain) -> str:
    marks = []
    if all(not link.paper.same(paper) for paper in settled.papers):
        marks.append("new")
    if needs_reading(link):
        marks.append("will be read")
    return f" :blue[({', '.join(marks)})]" if marks else ""


def _tools(key: str, link: Link) -> None:
    with st.container(horizontal=True, gap="small"):
        # Never disabled: a button that is takes the keyboard's focus away with it.
        for label, icon, name, edit, about in (
            ("Earlier", "arrow_upward", "earlier", partial(move, by=-1), EARLIER),
            ("Later", "arrow_downward", "later", partial(move, by=1), LATER),
            ("Drop", "remove_circle", "drop", drop, DROPS),
            (
                "Unpin" if link.pinned else "Pin",
                "push_pin",
                "pin",
                partial(pin, pinned=not link.pinned),
                PINS,
            ),
            ("Read again", "menu_book", "read", read_again, READS),
        ):
            st.button(
                label,
                icon=f":material/{icon}:",
                key=f"{key}:{name}",
                on_click=copies.change,
                args=(key, edit),
                help=about,
            )
    said, new = copies.refused(key)
    if said:
        st.warning(inline(said), icon=":material/block:")
    if new:  # The button pressed may be far below.
        st.toast(inline(said), icon=":material/block:")


def _warn(run: Run, chain: Chain, settled: Chain) -> None:
    """Warn of papers out of time order or outside the run's own rules, and name those taken out."""
    for a, b in pairwise(chain.papers) if chain.ordered else ():
        if b.before(a):
            st.warning(
                f"Out of date order: {inline(against(a, b))} Move one of them, or keep it so"
                " knowingly.",
                icon=":material/history:",
            )
    rules = run.inputs_as(ChainInputs)
    fit = let_through(chain.papers, rules.query(rules.topic))
    if against_rules := [
        paper
        for paper in chain.papers
        if paper not in fit and all(not paper.same(one) for one in settled.papers)
    ]:
        named = inline("; ".join(paper.title for paper in against_rules), 600)
        st.warning(
            f"The run's cut-off date or ban list leaves out: {named}. The chain cannot be made with"
            " it; drop it.",
            icon=":material/event_busy:",
        )
    gone = [paper for paper in settled.papers if all(not paper.same(one) for one in chain.papers)]
    if gone:
        st.caption(
            f":material/remove_circle: Dropped: {inline('; '.join(paper.title for paper in gone))}"
        )


def _making(run: Run, branch: Branch, key: str, copy: copies.Copy, settled: Chain) -> None:
    """Draw what making the chain takes, and growing it anew."""
    at, same = f"branch-{branch.n}/chain", asks_the_same(copy.now, settled)
    if not same:
        bar.say(run, at, copy.now)
    else:
        st.caption(
            "Nothing has changed yet that would be asked anew."
            if copy.now == settled
            else "A pin changes nothing by itself: grow the rest anew below."
        )
    with st.container(horizontal=True):
        if not same:
            bar.button(run, at, copy.now, key, "Make this chain")
        if copy.past:
            st.button(
                "Undo",
                icon=":material/undo:",
                key=f"{key}:undo",
                on_click=copies.undo,
                args=(key,),
                help=f"Takes the last of {counted(len(copy.past), 'change')} back.",
            )
            st.button(
                "Discard",
                icon=":material/delete_sweep:",
                key=f"{key}:discard",
                on_click=copies.discard,
                args=(key,),
                help="Forgets all changes; the chain stays as it is.",
            )
    if services.store().steps.place(run.id, f"branch-{branch.n}/start") is None:
        return
    growing = st.expander(
        "Grow the rest anew",
        icon=":material/account_tree:",
        key=f"{key}:growing",
        on_change="rerun",
    )
    if growing.open:
        with growing, told():
            _growing(run, branch, key, copy.now)


def _growing(run: Run, branch: Branch, key: str, chain: Chain) -> None:
    start = start_of(chain)
    held = {link.paper.id for link in start.links}
    lost = [link.paper.title for link in chain.links if link.paper.id not in held]
    st.markdown(
        "Kept are the anchor, what is pinned, and everything between:"
        f" **{inline('; '.join(link.paper.title for link in start.links), 800)}**."
    )
    st.caption(
        f"Looked for anew: {inline('; '.join(lost), 600)}"
        if lost
        else "All papers are kept; the chain grows on at its ends, up to its length."
    )
    bar.say(run, f"branch-{branch.n}/start", start)
    bar.button(
        run, f"branch-{branch.n}/start", start, f"{key}:grow", "Grow the rest anew", first=False
    )


def _pdf(paper: Paper, key: str) -> None:
    """Draw whether a paper's text is known, with a way to attach its PDF."""
    shop = services.workshop()
    library = shop.store.library
    wish = library_text.draw(
        paper,
        library.attached(paper.id),
        library.text_at(paper.pdf) if paper.pdf else None,
        f"{key}:{paper.id}",
    )
    if wish and wish.what == "attach":
        intake = Intake(library, FullTexts(shop.settings, library))
        st.session_state[f"{key}:pdf"] = (
            jobs().begin([(paper.title, partial(intake.attach, paper, wish.data, PERSON))]).id,
            paper.id,
        )
        st.rerun()
    elif wish:
        library.detach(paper.id)
        st.rerun()


def _attaching_pdf(key: str) -> None:
    """Draw how far a PDF is that is being read; once it is, its paper is marked to be read
    again.
    """
    name, paper = st.session_state.get(f"{key}:pdf", ("", ""))
    job = jobs().get(name)
    if job is None:
        return
    if job.over and not any(report.failed for report in job.reports):
        del st.session_state[f"{key}:pdf"]
        copies.change(key, lambda chain, _: read_again(chain, paper))
        st.toast(
            "The PDF is attached; the paper will be read again.", icon=":material/attach_file:"
        )
        st.rerun()
    progress(job)
