"""A run over published papers: how far it is, its topics to be confirmed, the list that was frozen,
and the papers that cannot be used.
"""

import streamlit as st

from components.experiments.real_papers import confirming
from components.runs import export as run_export
from components.runs import states
from components.runs.states import active
from components.shell import services
from components.shell.frame import told
from components.shell.text import counted, inline
from core.records import LeftOut, RealPaper, Run, TopicList
from core.story import Story

SLOW = 2.0
"""Seconds after which a running run is looked at again."""


def whole(run: Run) -> None:
    """Draw the run; what a person is to confirm stands before all else."""
    states.head(run, "real-papers", "New data set", "Data sets")
    states.followed(run, lambda now: states.strip(now, "real-papers", "Reading papers."))
    if run.state in ("waiting", "stopped"):
        with told():
            confirming.draw(run)
    states.draw_again(run, _found, SLOW if active(run) else None)


def _found(run: Run) -> None:
    story = Story.only(services.store(), run.id, RealPaper, LeftOut, TopicList)
    usable, lost, held = story.all(RealPaper), story.all(LeftOut), story.last(TopicList)
    st.markdown(
        f":green-badge[:material/check_circle: {counted(len(usable), 'paper')} can be used]"
        f" :gray-badge[:material/block: {counted(len(lost), 'paper')} cannot]"
    )
    if active(run):
        states.doing(run)
    if held:
        _list(run, held)
    _lost(lost)
    with st.expander("Export", icon=":material/download:"):
        run_export.draw(run, "experiments")


def _list(run: Run, held: TopicList) -> None:
    by = f", confirmed by {inline(held.confirmed_by, 80)}" if held.confirmed_by else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"##### {counted(len(held.topics), 'topic')}{by}", width="stretch")
        st.page_link(
            "pages/experiments.py",
            label="Use in an experiment",
            icon=":material/science:",
            query_params={"recipe": "coi-arena", "topics": run.id},
        )
    rows = [
        {"Topic": one.topic, "Paper": one.paper.title if one.paper else ""} for one in held.topics
    ]
    st.dataframe(rows, hide_index=True, key=f"real-papers:list:{run.id}")
    st.caption(f"Frozen as {held.digest()}.")


def _lost(lost: tuple[LeftOut, ...]) -> None:
    if not lost:
        return
    st.markdown(f"##### {counted(len(lost), 'paper')} cannot be used")
    rows = [{"Paper": one.paper.title or one.paper.id, "Why": one.reason} for one in lost]
    st.dataframe(rows, hide_index=True, key="real-papers:lost", height="content")
