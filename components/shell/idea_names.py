"""Ideas that stand together: those that are picked, and what each is called."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import streamlit as st

from components.shell import picked, services
from core.errors import BadInput
from core.importing.benchmarked import describe_origin
from core.store.ideas import Saved, Wanted

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
    kept = ideas.listed(Wanted(kept=True), limit=OFFERED)
    others = ideas.listed(Wanted(kept=False), limit=max(OFFERED - len(kept), 0))
    once = {one.id: one for one in (*first, *kept, *others)}
    if (there := ideas.count()) > len(once):
        st.caption(f"{len(once):,} of {there:,} ideas are offered. Pick others on Ideas.")
    return list(once.values())


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
