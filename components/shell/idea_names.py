"""Ideas that stand together: those that are picked, and what each is called."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import streamlit as st

from components.shell import picked, services
from components.shell.frame import told
from core.errors import BadInput
from core.importing.benchmarked import describe_origin
from core.store.ideas import IdeaQuery, Saved

SEEN = 64
"""Letters of a title that are seen beside what tells it from another one."""
OFFERED = 500
"""Ideas in one list to choose from."""


class PickedIdeas(NamedTuple):
    """The picked ideas, in their order, and how many of those picked are there no longer."""

    found: list[Saved]
    gone: int


def picked_ideas() -> PickedIdeas:
    """Return the ideas that the address names."""
    found: list[Saved] = []
    gone = 0
    for one in picked.ids():
        try:
            found.append(services.store().ideas.get(one))
        except BadInput:
            gone += 1
    return PickedIdeas(found, gone)


def offered(first: Sequence[Saved] = ()) -> list[Saved]:
    """Return the ideas a picker offers, the newest of those that are kept before others, after
    those that come `first`; says where the rest is found.
    """
    ideas = services.store().ideas
    kept = ideas.listed(IdeaQuery(kept=True), limit=OFFERED)
    others = ideas.listed(IdeaQuery(kept=False), limit=max(OFFERED - len(kept), 0))
    once = {one.id: one for one in (*first, *kept, *others)}
    if (there := ideas.count()) > len(once):
        st.caption(f"{len(once):,} of {there:,} ideas are offered. Pick others on Ideas.")
    return list(once.values())


def choose(key: str) -> Saved | None:
    """Draw the choice of one idea of the page Ideas and return it; None while none is chosen.

    What this key holds already, as an address may have said, is among them however many there are;
    where it is no longer there this is said, and no other idea is taken for it. Raises BadInput
    where there is no idea at all.
    """
    asked, first, gone = st.session_state.get(key), [], False
    if asked:
        gone = True
        with told():
            first, gone = [services.store().ideas.get(asked)], False
    there = {one.id: one for one in offered(first)}
    if not there:
        raise BadInput(
            "There is no idea yet. Keep one that a run made, or write one on the Ideas page."
        )
    if asked is None and key not in st.session_state:
        st.session_state[key] = next(iter(there))
    elif gone:
        st.session_state[key] = None
    names = tell_apart(tuple(there.values()))
    chosen = st.selectbox(
        "Idea",
        list(there),
        index=None,
        placeholder="Choose an idea",
        key=key,
        format_func=names.__getitem__,
        persist_state="session",
    )
    return there[chosen] if chosen else None


def tell_apart(ideas: Sequence[Saved]) -> dict[str, str]:
    """Return a name for each idea, by id: its title, and where two have the same one, which version
    it is, what made it, and when; where that is the same too, the beginning of its id. A long title
    is cut then, so that the rest is seen.
    """
    named = {one.id: one.idea.title for one in ideas}
    for source in (_describe, _mark):
        times = Counter(named.values())
        for one in ideas:
            if times[named[one.id]] > 1:
                if source is _describe:
                    named[one.id] = shorten(named[one.id])
                named[one.id] += f" ({source(one)})"
    return named


def shorten(title: str) -> str:
    """Return a title that leaves room for what tells it from another one."""
    return title if len(title) <= SEEN else f"{title[:SEEN].rsplit(' ', 1)[0]} …"


def _describe(one: Saved) -> str:
    return ", ".join(part for part in _parts(one) if part)


def _parts(one: Saved) -> Iterator[str]:
    yield describe_origin(services.store(), one.run, one.origin)
    yield one.method
    yield next(iter(one.collections), "")
    yield one.saved[:10]


def _mark(one: Saved) -> str:
    return one.id[:6]
