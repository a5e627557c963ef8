"""What a session would hold, before it is kept: units, the work for each expert, and whether the
texts give their sources away.
"""

from collections.abc import Mapping

import streamlit as st

from components.sessions.words import amount, units
from components.shell import services
from components.shell.text import counted, inline
from core.records import Record, StudyPlan, StudyUnit, digest
from core.statistics.intervals import FEWEST
from core.studies.blinding import Blinding, report
from core.studies.effort import Effort, Seen, effort, spoken
from core.studies.picking import Chosen
from core.studies.setting_up import PreparedDraft, prepare

HELD = "study:ahead"
EXPERTS = "study:experts-planned"
"""How many experts were thought of last: the draft begins with what the form was told."""
UNREAD = {"name", "title", "consent", "instructions", "example", "overlap", "repeats", "practice"}
"""Parts of a plan that change nothing of what a draft holds."""


def draw(plan: StudyPlan, chosen: Chosen, key: str) -> None:
    """Draw what the session would be; raises BadInput where it could not be set up."""
    made, blinding = looked(plan, chosen)
    texts = sum(not one.attention for one in made.item_keys)
    st.markdown(
        f"**{amount(plan, made.work)}** to judge"
        + (f", made of {counted(texts, 'text')}." if made.work != texts else ".")
    )
    words = {one.label: said(made.texts[one.sha]) for one in made.items}
    known = {one.unit for one in made.unit_keys}
    burden(plan, [one for one in made.units if one.id not in known], words, key)
    if made.left_out:
        with st.expander(f"{counted(len(made.left_out), 'text')} left out"):
            st.dataframe(
                [{"Title": one.title, "Why": one.reason} for one in made.left_out[:500]],
                hide_index=True,
                key=f"{key}:left-out",
            )
    st.markdown("**Can sources be told apart?**")
    st.markdown(inline(blinding.conclusion, 800))
    st.caption("The draft shows the whole report, by source and with the words it found.")


def looked(plan: StudyPlan, chosen: Chosen) -> tuple[PreparedDraft, Blinding]:
    """Return what a draft would hold and its blinding report, made once for each choice; raises
    BadInput.
    """
    store = services.store()
    held = [one.model_dump(mode="json") for one in store.entries.bunches()]
    mark = digest(
        [
            str(store.folder),
            plan.model_dump(mode="json", exclude=UNREAD),
            chosen.model_dump(mode="json"),
            held,
        ]
    )
    last = st.session_state.get(HELD)
    if last is None or last[0] != mark:
        made = prepare(store, plan, chosen)
        last = st.session_state[HELD] = (mark, made, report(store, made))
    return last[1], last[2]


def said(text: Record) -> int:
    """Return how many words are read of a text."""
    return len(spoken(text).split()) if isinstance(text, Seen) else 0


def burden(
    plan: StudyPlan, work: list[StudyUnit], words: Mapping[str, int], key: str, seats: int = 0
) -> None:
    """Draw how much work the session is for one of so many experts; how many is asked, at first as
    many as have seats.
    """
    experts = st.number_input(
        "Number of experts",
        plan.overlap,
        500,
        max(plan.overlap, seats or st.session_state.get(EXPERTS, 6)),
        key=f"{key}:experts:{plan.overlap}:{seats}",
        persist_state="session",
    )
    st.session_state[EXPERTS] = int(experts)
    st.markdown(spelled(effort(plan, work, words, int(experts))))
    if few := too_few(plan, work):
        st.caption(f":material/hourglass_empty: {few}")


def too_few(plan: StudyPlan, work: list[StudyUnit]) -> str:
    """Say that figures of agreement would be refused, where they would; nothing otherwise."""
    # Agreement on refinements is taken over their rounds.
    what, there = (
        ("round", sum(one.stages for one in work))
        if plan.task == "comment"
        else (units(plan.task), len({one.labels for one in work}))
    )
    lacks = [counted(FEWEST, what)] if there < FEWEST else []
    lacks += ["two experts for each"] if plan.overlap < 2 else []
    return (
        f"Figures of agreement need {' and '.join(lacks)}; without them they are not computed."
        if lacks
        else ""
    )


def spelled(mine: Effort) -> str:
    """Say how much work an expert has."""
    most = (
        f"about {max(1, round(mine.minutes)):,} minutes"
        if mine.minutes < 120
        else f"about {mine.minutes / 60:.1f} hours"
    )
    return (
        f"Each expert has {counted(mine.units, 'unit')}: {most}, guessed from the length of the"
        " texts."
    )
