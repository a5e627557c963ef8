"""Any two ideas side by side: both texts, how they met, in the judge's words, and whether they can
be told apart.
"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.arena.votes import draw_vote
from components.shell import idea_card, services
from components.shell.text import inline
from components.shortlist import steps
from core.export.shortlist_report import (
    are_level,
    describe_interval,
    describe_meeting,
    name_idea,
)
from core.methods.shortlist.so_far import IdeaSoFar, Present, why_above
from core.records import Run
from core.records.shortlist import Meeting, Place

SIDES = ("a", "b")
"""What the two ideas are called in the address."""


def key(run: Run, side: str) -> str:
    """Return the name under which the idea of a side is kept."""
    return f"shortlist:compare:{run.id}:{side}"


def draw(run: Run, now: Present) -> None:
    """Draw the choice of two ideas, how they met, and their texts."""
    if len(now.ideas) < 2:
        st.caption("There are no two ideas to compare yet.")
        return
    ideas = {one.n: one for one in now.ideas}
    columns = st.columns(2, gap="medium")
    chosen = [
        ideas[_pick(column, run, now, side)] for column, side in zip(columns, SIDES, strict=True)
    ]
    a, b = chosen
    if a.n == b.n:
        st.info("Pick two different ideas.", icon=":material/compare:")
        return
    _meetings(now, a, b)
    for column, one in zip(st.columns(2, gap="medium"), chosen, strict=True):
        with column:
            _side(now, one, run)


def _usual(now: Present, side: int) -> int:
    """Return the idea of a side that nobody has picked: the first two of the shortlist, else the
    first two there are.
    """
    numbers = [card.n for card in now.cards]
    numbers += [one.n for one in now.ideas if one.n not in numbers]
    return numbers[side]


def _pick(column: DeltaGenerator, run: Run, now: Present, side: str) -> int:
    names = {one.n: name_idea(now, one.n) for one in now.ideas}
    here = key(run, side)
    if st.session_state.get(here) not in names:
        st.session_state[here] = _usual(now, SIDES.index(side))
    places = {card.n: f"Place {card.place}. " for card in now.cards}
    picked = column.selectbox(
        "One idea" if side == "a" else "Against",
        list(names),
        key=here,
        format_func=lambda n: f"{places.get(n, '')}{names[n]}",
        persist_state="session",
    )
    return int(picked)


def _meetings(now: Present, a: IdeaSoFar, b: IdeaSoFar) -> None:
    """Draw why one stands above the other: each meeting with the judge's words."""
    above, below = _in_order(now, a, b)
    if now.rated is None:
        st.info("The ideas have not been compared yet.", icon=":material/hourglass_empty:")
        return
    with st.container(border=True):
        if are_level(now.rated, a.n, b.n):
            st.markdown(
                f":material/equal: **Ideas {a.n} and {b.n} cannot be told apart:** what was judged"
                " does not decide between them."
            )
        elif above:
            st.markdown(f"**Why idea {above.n} is above idea {below.n}**")
        if now.rated.by == "rules":
            st.caption("By the built-in model's rules, which understand nothing.")
        found = why_above(now, a.n, b.n)
        if not found:
            st.markdown(_unmet(now, a, b))
        for one in found:
            _meeting(one)


def _in_order(now: Present, a: IdeaSoFar, b: IdeaSoFar) -> tuple[IdeaSoFar | None, IdeaSoFar]:
    order = [one.n for one in now.rated.order] if now.rated else []
    if a.n not in order or b.n not in order:
        return None, b
    return (a, b) if order.index(a.n) < order.index(b.n) else (b, a)


def _unmet(now: Present, a: IdeaSoFar, b: IdeaSoFar) -> str:
    order = {one.n for one in now.rated.order} if now.rated else set()
    out = [one for one in (a, b) if one.n not in order]
    if out:
        return f"Idea {out[0].n} did not come into the comparison."
    return (
        f"Ideas {a.n} and {b.n} did not meet: each idea meets some of the others, and their places"
        " follow from all meetings together."
    )


def _meeting(one: Meeting) -> None:
    failed = ":red[:material/error:] " if one.failed else ""
    st.markdown(f"{failed}{inline(describe_meeting(one), 1_000)}")
    if one.reason and not one.failed:
        st.markdown(f"> {inline(one.reason, 2_000)}")
    if not one.run:
        return
    between = {f"Idea {one.a}", f"Idea {one.b}"}
    for ballot in services.store().ballots.of(one.run):
        if {ballot.contest.a, ballot.contest.b} == between:
            draw_vote(ballot, None)
    st.page_link(
        "pages/arena.py",
        label="The whole match, with both texts",
        icon=":material/compare_arrows:",
        query_params={"run": one.run, "tab": "Matches"},
    )


def _side(now: Present, one: IdeaSoFar, run: Run) -> None:
    st.markdown(f"##### {inline(name_idea(now, one.n), 200)}{steps.link(one.made)}")
    if one.rechecked and one.rechecked.sentence:
        place = Place(run=one.rechecked.run) if one.rechecked.run else None
        st.markdown(f"{inline(one.rechecked.sentence, 600)}{steps.link(place, 'the check')}")
    if one.stood and one.stood.rating is not None:
        interval = describe_interval(one.stood)
        between = f", {interval} where its meetings are resampled" if interval else ""
        st.caption(f"Rating {one.stood.rating:.0f}{between} (1000 is the mean)")
    idea_card.draw(one.idea, None, "", f"shortlist:side:{run.id}:{one.n}")
