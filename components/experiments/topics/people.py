"""People on an experiment: the ways to its arenas and to a vote in them, and sessions with experts:
one made here in two clicks, and how far those are that were made.
"""

from collections.abc import Mapping, Sequence

import streamlit as st

from components.shell import services
from components.shell.clicks import do_once
from components.shell.frame import told
from components.shell.text import counted, inline
from core.experiments.topics import experts
from core.experiments.topics.cells import collection_of
from core.experiments.topics.results import TopicResults, collect, experiment_of
from core.records import Kind, Run, Study, StudyState, TopicArena
from core.studies.live import far

PAGE = "pages/sessions.py"
ICONS: dict[StudyState, str] = {
    "draft": ":material/edit:",
    "open": ":material/lock_open:",
    "closed": ":material/lock:",
}
MOST = 1_000
"""Pairs that can be asked for here."""


def draw(run: Run, held: TopicResults, sessions: Mapping[Kind, Sequence[Study]]) -> None:
    """Draw the ways for people to take part, and what became of sessions with experts."""
    arenas = [one for one in held.arenas if one.run]
    with st.container(horizontal=True, vertical_alignment="center"):
        for arena in held.arenas:
            if not arena.run:
                st.caption(f"There is no arena of {arena.kind}s. {inline(arena.reason, 400)}")
                continue
            st.page_link(
                "pages/arena.py",
                label=f"Arena of {arena.kind}s ({counted(arena.entries, 'text')})",
                icon=":material/swords:",
                query_params={"run": arena.run},
            )
            st.page_link(
                "pages/arena.py",
                label=f"Vote on {arena.kind}s",
                icon=":material/how_to_vote:",
                query_params={"run": arena.run, "vote": "1"},
            )
        if arenas and not run.packed:
            with st.popover("Ask experts", icon=":material/group:"), told():
                _ask(run, arenas)
    for arena in held.arenas:
        for study in sessions.get(arena.kind, ()):
            _session(study)


def _ask(run: Run, arenas: list[TopicArena]) -> None:
    st.markdown("**A blind session with experts**")
    st.caption(
        "They compare two texts side by side, by the criteria of the arena, and see neither method"
        " nor model. What they say counts here once the session is closed and its sources are"
        " revealed."
    )
    key = f"topics-experts:{run.id}"
    arena = arenas[0]
    if len(arenas) > 1:
        kind = st.segmented_control(
            "What they judge",
            [one.kind for one in arenas],
            default=arena.kind,
            required=True,
            key=f"{key}:kind",
            format_func=lambda one: f"{one.capitalize()}s",
        )
        arena = next(one for one in arenas if one.kind == kind)
    whole = min(experts.pairs_of(services.store(), arena.run), MOST)
    if not whole:
        st.caption("No two texts meet in the arena yet.")
        return
    pairs = st.number_input(
        "Pairs",
        1,
        whole,
        min(whole, experts.USUAL),
        key=f"{key}:pairs:{arena.kind}",
        help=f"Of {counted(whole, 'pair')}, drawn evenly over contenders and topics.",
    )
    if st.button("Set up the session", type="primary", icon=":material/add:", key=f"{key}:go"):
        st.switch_page(PAGE, query_params={"session": _set_up(run, arena, int(pairs))})
    st.page_link(
        PAGE,
        label="Another kind of session",
        icon=":material/tune:",
        query_params={"view": "new", "collection": collection_of(run.id)},
    )


def _set_up(run: Run, arena: TopicArena, pairs: int) -> str:
    """Set the session up, once however often the button was pressed; raises BadInput."""

    def make() -> str:
        name = f"{run.title[:150]}: {arena.kind}s"
        store = services.store()
        found = experiment_of(collect(store, run))
        return experts.set_up(store, found, arena.run, arena.kind, name, pairs).id

    return do_once(f"topics-experts:{run.id}", [run.id, arena.kind, pairs], make)


def _session(study: Study) -> None:
    """Draw a session with the experiment's texts: how far it is, and what it lacks to count."""
    how = far(services.store(), study)
    said = f"{how.done:,} of {counted(how.wanted, 'answer')}"
    lacks = {
        "draft": "It has no experts yet: open it there.",
        "open": f"{said}; they count here once it is closed and its sources are revealed.",
        "closed": f"{said}; they count here once its sources are revealed.",
    }[study.state]
    if study.unblinded:
        lacks = f"{said}: they are among the votes of people below."
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(
            PAGE,
            label=f"{inline(study.plan.name, 120)} ({study.state})",
            icon=ICONS[study.state],
            query_params={"session": study.id},
        )
        st.caption(lacks, width="content")
