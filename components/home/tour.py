"""The tour of a first visit: four steps on Home, kept in the store, so that it goes on wherever it
was, also in another tab; left or finished, it never returns.
"""

from typing import NamedTuple

import streamlit as st

from components.shell import mistakes, services
from core.records import Record
from core.store.ideas import IdeaQuery

TOUR = "tour"
"""What the store calls the choice that holds where the tour is."""
LEFT = "left"
"""What stands there once it is over."""
WRONG = "home:tour"
"""Where a mistake is said."""


class Tour(Record):
    """Where the tour is: the number of its step from 0, and the steps that were done before it
    began or that it has gone on from already.
    """

    at: int
    noticed: frozenset[int]


class TourStep(NamedTuple):
    """A step: what it tells, and the page it leads to."""

    title: str
    text: str
    page: str
    label: str
    icon: str


STEPS = (
    TourStep(
        "Find ideas",
        "Pick a topic above and choose **Shortlist ideas**: the best stand on top of the page, from"
        " the first one on. **One chain** is quicker: seconds later one idea stands there, with the"
        " nearest paper, the chain it grew out of, and an experiment.",
        "pages/cases.py",
        "Or watch one that is finished",
        ":material/slideshow:",
    ),
    TourStep(
        "Refine one",
        "On the idea's page choose **Refine this idea**: it is reviewed, revised and compared,"
        " round by round. The first and the refined idea stand side by side, changes marked.",
        "pages/refine.py",
        "Or refine an idea of yours",
        ":material/cyclone:",
    ),
    TourStep(
        "Keep, compare, take along",
        "**Ideas** holds what you keep, write or import. Pick some to rate, rank, compare in the"
        " arena, or put to experts. **Copy or download** on top of an idea gives you a report.",
        "pages/ideas.py",
        "Open Ideas",
        ":material/lightbulb:",
    ),
    TourStep(
        "Connect a model",
        "Until now the built-in model answered. It is no language model: it shows how everything"
        " works. **Settings** connects one, by a key or an address. What each screen is for stands"
        " in the **Guide**.",
        "pages/settings.py",
        "Connect a model",
        ":material/tune:",
    ),
)


def draw() -> None:
    """Draw the step of the tour this visitor is at, on a first visit."""
    tour = _begun()
    if tour is None:
        return
    mistakes.shown(WRONG)
    at = _follow(tour).at
    step, last = STEPS[at], at == len(STEPS) - 1
    with st.container(border=True, key="home-tour"):
        st.markdown(f"**New here? {at + 1} of {len(STEPS)}: {step.title}**")
        st.markdown(step.text)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.page_link(step.page, label=step.label, icon=step.icon)
            st.space("stretch")
            st.button("Leave the tour", type="tertiary", key="home:tour:leave", on_click=_leave)
            if at:
                st.button("Back", key="home:tour:back", on_click=_go, args=(at - 1,))
            if last:
                st.button("Done", key="home:tour:done", on_click=_leave)
            else:
                st.button("Next", key="home:tour:next", on_click=_go, args=(at + 1,))


def _begun() -> Tour | None:
    """Return where the tour is, which begins in a store without a run; None where there is none."""
    store = services.store()
    kept = store.places.choice(TOUR)
    if kept == LEFT or (not kept and store.runs.count(packed=None)):
        return None
    return Tour.model_validate_json(kept) if kept else _keep(Tour(at=0, noticed=_done()))


def _keep(tour: Tour) -> Tour:
    services.store().places.choose(TOUR, tour.model_dump_json())
    return tour


def _follow(tour: Tour) -> Tour:
    """Go on from steps that have been done since they were looked at last."""
    done, at = _done(), tour.at
    if done <= tour.noticed:
        return tour
    while at in done - tour.noticed:
        at += 1
    return _keep(Tour(at=at, noticed=tour.noticed | done))


def _done() -> frozenset[int]:
    """Return the numbers of the steps that have been done; the last is never."""
    store = services.store()
    done = (
        any(store.runs.count(method=name) for name in ("chain", "shortlist"))
        or store.runs.count(packed=True),
        store.runs.count(method="refine"),
        store.ideas.count(IdeaQuery(kept=True)),
    )
    return frozenset(n for n, found in enumerate(done) if found)


def _go(step: int) -> None:
    with mistakes.kept(WRONG):
        if tour := _begun():
            _keep(tour.model_copy(update={"at": step}))


def _leave() -> None:
    with mistakes.kept(WRONG):
        services.store().places.choose(TOUR, LEFT)
