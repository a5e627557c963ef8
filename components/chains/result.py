"""What a chain run has come to, on top of its page: the idea in brief, what speaks for its being
new, how the branches compared, and where to go from here; until then, what the run is at.
"""

from collections.abc import Callable, Sequence

import streamlit as st

from components.cases import save as case_save
from components.chains import novelty
from components.runs import export as run_export
from components.runs import states
from components.shell import idea_card, onward
from components.shell.text import counted, inline
from core.judging.claims import SIMILARITY, comparison, earlier_overlaps, ending, off_topic
from core.judging.coverage import reservations
from core.literature.addresses import addresses
from core.records import Design, NoveltyCheck, Outcome, Paper, Run, Selection
from core.story import Branch, Story
from core.wording.gist import gist

HEIGHT = 64
"""Of the card in pixels while there is no result."""


def draw(
    run: Run, story: Story, several: bool, show: Callable[[int], None], playing: bool = False
) -> None:
    """Draw the card; `show` opens a branch. Of a recording that is `playing` nothing is taken
    along.
    """
    ended, best = story.last(Outcome), story.best
    if ended is None or best is None:
        with st.container(border=True, height=HEIGHT, vertical_alignment="center"):
            st.markdown(f":gray[{standing(run, story, several)}]")
        return
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"#### {inline(ended.idea.title, 300)}", width="stretch")
            if not playing:
                run_export.take(run, ended.idea, "chains:result")
        if aside := off_topic(story.links, run.config.source):
            st.warning(inline(aside, 1_000), icon=":material/travel_explore:")
        for said in reservations(story):
            st.markdown(f":orange[:material/info:] {inline(said, 1_000)}")
        st.markdown(" ".join(inline(said) for said in gist(ended.idea)))
        check = best.check
        _evidence(run, ended, check, best.chain.papers if best.chain else ())
        if overlapped := earlier_overlaps(best.checks):
            st.markdown(f":material/history: {inline(overlapped, 1_000)}")
        if several and (chosen := story.last(Selection)):
            told = comparison(chosen, len(story.branches), story.set_aside)
            st.markdown(f":material/balance: {inline(told, 1_000)}")
        with st.container(horizontal=True, vertical_alignment="center"):
            onward.draw(
                "pages/refine.py", "Refine this idea", ":material/cyclone:", {"from": run.id}
            )
            st.button(
                "See the whole idea",
                icon=":material/visibility:",
                key="chains:see",
                on_click=show,
                args=(best.n,),
            )
            if not run.packed:
                idea_card.keeping(ended.idea, run.id, "outcome", key="chains:result")
                idea_card.check_novelty(ended.idea, run.id)
                case_save.offer(run, "chains")


def _evidence(run: Run, ended: Outcome, check: NoveltyCheck | None, own: Sequence[Paper]) -> None:
    icon = f"{novelty.icon(check)} " if check else ""
    said = inline(ending(ended, check, run.config.source), 1_500)
    read = f" {where_to_read(check, own)}" if check else ""
    st.markdown(icon + said + read, help=SIMILARITY if check else None)


def where_to_read(check: NoveltyCheck, own: Sequence[Paper]) -> str:
    """Return where the paper nearest to the idea can be read, as links."""
    if not check.compared:
        return ""
    nearest = check.compared[0].id
    # The chain's own papers are compared too, and need not have been found again.
    papers = {paper.id: paper for paper in own}
    papers |= {paper.id: paper for search in check.searches for paper in search.papers}
    paper = papers.get(nearest)
    return " ".join(f"[{name}]({address})" for name, address in addresses(paper)) if paper else ""


def standing(run: Run, story: Story, several: bool) -> str:
    """Say what the run is at, or how far it came."""
    if run.state != "done" and not states.active(run):
        return "No idea has been checked and chosen." if several else "No idea has been checked."
    alive = [branch for branch in story.branches if not branch.given_up]
    papers = sum(len(branch.chain.links) for branch in alive if branch.chain)
    checked = sum(branch.check is not None and branch.check.state != "similar" for branch in alive)
    if not papers:
        return "Looking for papers to start from."
    if not all(branch.settled for branch in alive):
        return f"Growing: {counted(papers, 'paper')} so far."
    if story.last(Selection) is None:
        return _ideas(alive, checked, several)
    return (
        "Designing the experiment."
        if run.config.inputs.get("design") and story.last(Design) is None
        else "Finishing."
    )


def _ideas(alive: Sequence[Branch], checked: int, several: bool) -> str:
    """Say how far the ideas of the branches are, each written before it is checked."""
    written = sum(branch.idea is not None for branch in alive)
    if several:
        return f"Ideas: {written} of {len(alive)} written, {checked} checked for being published."
    return "Checking whether the idea is published already." if written else "Drafting the idea."
