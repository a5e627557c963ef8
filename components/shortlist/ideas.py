"""All ideas of a shortlist, with the stage that each is at, what is known of it, and its first and
newest form.
"""

import streamlit as st

from components.runs import differences
from components.shell import idea_card
from components.shell.paper_links import listed
from components.shell.text import counted, inline
from components.shortlist import steps
from core.export.shortlist_report import NAMES, WHY
from core.methods.shortlist.so_far import IdeaSoFar, Present
from core.records import Run
from core.records.shortlist import STAGES, Place
from core.wording.differences import between, form_changed

ORIGINS = {"chain": "from the chain", "file": "your own", "person": "added by a person"}


def draw(run: Run, now: Present) -> None:
    """Draw every idea in a box of its own, folded, its stage above it."""
    if not now.ideas:
        st.caption("No idea yet. The first stands here as soon as the chain has drafted it.")
        return
    st.caption(
        "Ideas keep their number through all stages. Unfold one to read it, as it is and as it"
        " came in."
    )
    for one in now.ideas:
        _idea(run, now, one)


def _idea(run: Run, now: Present, one: IdeaSoFar) -> None:
    key = f"shortlist:idea:{run.id}:{one.n}"
    with st.container(gap="xxsmall"):
        st.markdown(f"{_badge(now, one)} {_facts(one)}")
        with st.expander(
            f"{one.n}. {inline(one.idea.title, 160)}", key=key, on_change="rerun"
        ) as unfolded:
            if unfolded.open:
                _whole(one, key)


def _badge(now: Present, one: IdeaSoFar) -> str:
    if one.aside:
        icon = {"known": "travel_explore", "absorbed": "merge", "dropped": "person_remove"}
        colour = {"known": "red", "absorbed": "blue", "dropped": "orange"}
        why = one.aside.why
        return f":{colour[why]}-badge[:material/{icon[why]}: {WHY[why]}]"
    if now.finished:
        on = any(card.n == one.n for card in now.cards)
        return (
            ":green-badge[:material/check_circle: on the shortlist]"
            if on
            else ":gray-badge[:material/arrow_downward: ranked lower]"
        )
    at = STAGES.index(one.stage) + 1
    return f":blue-badge[:material/filter_alt: {at} of {len(STAGES)}: {NAMES[one.stage]}]"


def _facts(one: IdeaSoFar) -> str:
    facts = [f"{ORIGINS[one.listed.origin]}, {one.listed.source}"]
    if one.refined:
        facts.append(counted(one.refined.rounds, "round"))
    if one.rechecked and one.rechecked.state:
        facts.append(one.rechecked.state)
    if one.stood:
        facts.append(f"won {one.stood.wins}, lost {one.stood.losses}, tied {one.stood.ties}")
    if one.pinned:
        facts.append("pinned")
    if one.put_back:
        facts.append("first form put back")
    return f":gray[{inline(' · '.join(facts), 300)}]"


def _whole(one: IdeaSoFar, key: str) -> None:
    if one.aside:
        reason = inline(one.aside.reason, 800)
        st.markdown(f"It goes no further: {reason}{steps.link(one.aside.made, 'evidence')}")
    if one.listed.novelty:
        st.markdown(f"The chain's own check: {inline(one.listed.novelty, 800)}")
    if one.rechecked and one.rechecked.sentence:
        works = "\n".join(map(listed, one.rechecked.works[:5]))
        st.markdown(
            f"Checked again: {inline(one.rechecked.sentence, 1_000)}"
            f"{steps.link(Place(run=one.rechecked.run), 'the check')}\n\n{works}"
        )
    first, newest = one.listed.idea, one.idea
    if first == newest:
        idea_card.draw(newest, None, "", key)
        return
    st.markdown(f"**As it is now, against how it came in**{steps.link(one.made)}")
    differences.draw(between(first, newest), whole=True, form=form_changed(first, newest))
