"""Choosing the set of ideas to rate: all that are kept, a collection, or one by one; and the way
back to what was rated and ranked already.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import streamlit as st

from components.shell import person, picked, services
from components.shell.idea_names import tell_apart
from components.shell.paging import ROWS, skipped
from components.shell.text import ago, counted, inline
from core.errors import BadInput
from core.store.ideas import IdeaQuery

UNFOLDED, AT_FIRST = "rate:set", "rate:unfolded"
"""Whether the choice is unfolded, and whether it was when the page was opened: a box whose name
changes is drawn anew, as it was at first.
"""
TAB = "rate:tab"
OLDER = "rate:older"
BUTTONS = 8
"""Collections that have a button each."""
MOST_AT_ONCE = 100
"""Ideas that are picked in one go: an address holds them all."""


def draw(total: int) -> None:
    """Draw the ways to pick the set; it lives in the address."""
    chosen = picked.ids()
    said = f"The set: {counted(len(chosen), 'idea')}" if chosen else "Pick the ideas to rate"
    # Decided once: a box that folds itself away after the first pick would be in the way of the
    # second.
    at_first = st.session_state.setdefault(AT_FIRST, not chosen)
    unfolded = st.expander(
        said, icon=":material/checklist:", expanded=at_first, key=UNFOLDED, on_change="rerun"
    )
    if not unfolded.open:
        return
    with unfolded:
        _several()
        boxes = st.container()
        page = services.store().ideas.listed(limit=ROWS, skip=skipped(total, "rate:shelf-page"))
        with boxes:
            for one, title in tell_apart(page).items():
                picked.box(one, f"rate:pick:{one}", inline(title, 140))


def _several() -> None:
    """Draw the ways to pick every kept idea, or those of a collection: a button for each of the
    newest, a list for the others.
    """
    bunches = services.store().entries.bunches()
    names = [bunch.name for bunch in bunches if bunch.kind == "idea"]
    sets = {"All kept": IdeaQuery(kept=True)} | {
        f"All of “{name}”": IdeaQuery(collection=name) for name in names[:BUTTONS]
    }
    with st.container(horizontal=True, vertical_alignment="center"):
        for n, (label, wanted) in enumerate(sets.items()):
            if there := services.store().ideas.count(wanted):
                many = there if there <= MOST_AT_ONCE else f"first {MOST_AT_ONCE} of {there:,}"
                st.button(
                    f"{inline(label, 60)} ({many})",
                    icon=":material/select_all:" if n == 0 else ":material/stacks:",
                    key=f"rate:all:{n}",
                    on_click=_pick,
                    args=(wanted,),
                )
    if others := names[BUTTONS:]:
        st.selectbox(
            "All of an older collection",
            others,
            index=None,
            key=OLDER,
            placeholder=f"{counted(len(others), 'collection')} more",
            on_change=_pick_older,
            format_func=inline,
        )


def _pick_older() -> None:
    if name := st.session_state.get(OLDER):
        _pick(IdeaQuery(collection=name))


def _pick(wanted: IdeaQuery) -> None:
    picked.keep(services.store().ideas.ids(wanted, limit=MOST_AT_ONCE))
    st.session_state[UNFOLDED] = st.session_state[AT_FIRST] = False


# -- what was rated and ranked already ------------------------------------------------------------


class Earlier(NamedTuple):
    """A ranking, or all that one rater rated: which ideas, and in words."""

    rater: str
    ideas: tuple[str, ...]
    does: str
    at: str
    best: str = ""
    """The id of the first of a ranking, where it is not tied."""


def earlier() -> list[Earlier]:
    """Return the rankings and what each rater rated, the newest first."""
    return sorted((*_rankings(), *_rated()), key=lambda one: one.at, reverse=True)


def _rankings() -> Iterator[Earlier]:
    for ranking, at in services.store().ideas.rankings():
        ideas = tuple(one for group in ranking.groups for one in group)
        does = f"ranked {counted(len(ideas), 'idea')}, {inline(ranking.criterion, 60)}"
        best = ranking.groups[0][0] if len(ranking.groups[0]) == 1 else ""
        yield Earlier(ranking.rater, ideas, does, at, best)


def _rated() -> Iterator[Earlier]:
    for one in services.store().ideas.rated():
        does = f"rated {counted(len(one.ideas), 'idea')}, {counted(one.ratings, 'rating')}"
        yield Earlier(one.rater, one.ideas[:MOST_AT_ONCE], does, one.at)


def draw_earlier(unfolded: bool) -> None:
    """Draw what was rated and ranked so far, each with the way to its summary."""
    found = earlier()
    if not found:
        return
    said = f"Ratings and rankings so far ({len(found)})"
    with st.expander(said, icon=":material/history:", expanded=unfolded):
        rows = st.container(gap="xsmall")
        skip = skipped(len(found), "rate:earlier-page")
        with rows:
            for n, one in enumerate(found[skip : skip + ROWS], skip):
                _row(n, one)


def _row(n: int, one: Earlier) -> None:
    who = "You" if one.rater == person.given() else inline(one.rater, 80)
    with st.container(horizontal=True, vertical_alignment="center"):
        best = f" · best: {inline(name, 80)}" if (name := _title(one.best)) else ""
        st.markdown(f"**{who}** {one.does}{best} :gray[· {ago(one.at)}]", width="stretch")
        st.button(
            "See it",
            icon=":material/visibility:",
            type="tertiary",
            key=f"rate:earlier:{n}",
            on_click=_open,
            args=(one.ideas,),
        )


def _title(idea: str) -> str:
    """Return the title of an idea; empty where it is no longer here."""
    try:
        return services.store().ideas.get(idea).idea.title if idea else ""
    except BadInput:
        return ""


def _open(ideas: Sequence[str]) -> None:
    picked.keep(tuple(ideas))
    st.session_state[UNFOLDED] = st.session_state[AT_FIRST] = False
    st.session_state[TAB] = "Summary"
