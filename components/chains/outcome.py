"""What a chain run has come to, in one row that is there from the start: what it does now, then
which idea was chosen and whether it is new.
"""

from collections.abc import Callable

import streamlit as st

from components.chains import novelty
from components.runs import states
from components.shell import onward
from components.shell.text import counted, inline
from core.judging.claims import SIMILARITY, ending, level, tie
from core.records import Design, Outcome, Run, Selection
from core.story import Branch, Story

ROW = 50
"""Height of the row in pixels: two lines of text."""


def draw(run: Run, story: Story, several: bool, show: Callable[[int], None]) -> None:
    """Draw the row; `show` opens a branch."""
    outcome, best = story.last(Outcome), story.best
    with st.container(border=True):
        words, ways = st.columns([7, 4], vertical_alignment="center")
        with ways.container(
            horizontal=True, horizontal_alignment="right", vertical_alignment="center"
        ):
            st.container(width=1, height=ROW, border=False)
            if outcome and best:
                _ways(run, best.n if several else None, show)
        if outcome and best:
            words.markdown(
                _chosen(run, story, outcome, best, several),
                help=SIMILARITY if best.checks else None,
            )
        else:
            words.markdown(f":gray[{doing(run, story, several)}]")


def _ways(run: Run, branch: int | None, show: Callable[[int], None]) -> None:
    if branch:
        st.button(
            "See it", icon=":material/visibility:", key="chains:see", on_click=show, args=(branch,)
        )
    onward.draw("pages/refine.py", "Refine this idea", ":material/cyclone:", {"from": run.id})


def _chosen(run: Run, story: Story, outcome: Outcome, best: Branch, several: bool) -> str:
    check, chosen = best.checks[-1] if best.checks else None, story.last(Selection)
    badge = f"{novelty.badge(check)} " if check else ""
    named = f"**Branch {best.n} was chosen.** " if several else "**The idea is there.** "
    drawn = f"{inline(tie(chosen))} " if chosen and level(chosen) else ""
    return badge + named + drawn + inline(ending(outcome, check, run.config.source), 1_500)


def doing(run: Run, story: Story, several: bool) -> str:
    """Say what the run is at, or how far it came."""
    if run.state != "done" and not states.active(run):
        return (
            "It has not come to an idea that was checked and chosen."
            if several
            else "It has not come to an idea that was checked."
        )
    alive = [branch for branch in story.branches if not branch.given_up]
    papers = sum(len(branch.chain.links) for branch in alive if branch.chain)
    checked = sum(bool(branch.checks) and branch.checks[-1].state != "similar" for branch in alive)
    if not papers:
        return "Looking for papers to start from."
    if not all(branch.settled for branch in alive):
        return f"Growing: {counted(papers, 'paper')} so far."
    if story.last(Selection) is None:
        return (
            f"Thinking: {checked} of {len(alive)} branches came to an idea."
            if several
            else "Thinking about the chain."
        )
    return (
        "Designing the experiment."
        if run.config.inputs.get("design") and story.last(Design) is None
        else "Finishing."
    )
