"""The tour of a first visit: four steps on Home; left or finished, it never returns."""

from typing import NamedTuple

import streamlit as st

from components.shell import mistakes, services
from core.store.ideas import Wanted

LEFT = "tour"
"""The store's word for a tour that is over."""
AT = "home:tour"
NOTICED = "home:tour:noticed"
"""Steps that were done before the tour began, or that it has gone on from already."""


class Step(NamedTuple):
    """A step: what it tells, and the page it leads to."""

    title: str
    text: str
    page: str
    label: str
    icon: str


STEPS = (
    Step(
        "Find ideas",
        "Pick a topic above and choose **Find ideas**. Seconds later the best idea stands on top of"
        " its page, with the nearest paper, the chain it grew out of, and an experiment.",
        "pages/cases.py",
        "Or watch one that is finished",
        ":material/slideshow:",
    ),
    Step(
        "Refine one",
        "On the idea's page choose **Refine this idea**: it is reviewed, revised and compared,"
        " round by round. The first and the refined idea stand side by side, changes marked.",
        "pages/refine.py",
        "Or refine an idea of yours",
        ":material/cyclone:",
    ),
    Step(
        "Keep, compare, take along",
        "**Ideas** holds what you keep, write or import. Pick some to rate, rank, compare in the"
        " arena, or put to experts. **Copy or download** on top of an idea gives you a report.",
        "pages/ideas.py",
        "Open Ideas",
        ":material/lightbulb:",
    ),
    Step(
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
    places = services.store().places
    begun = AT in st.session_state
    if places.choice(LEFT) or (not begun and services.store().runs.count(packed=None)):
        return
    mistakes.shown(AT)
    at = _follow(st.session_state.setdefault(AT, 0))
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


def _follow(at: int) -> int:
    """Go on from a step that has been done since it was looked at last, and return the step the
    tour is at.
    """
    done = {n for n, step_done in enumerate(_done()) if step_done}
    new = done - st.session_state.setdefault(NOTICED, done)
    st.session_state[NOTICED] |= done
    if at in new:
        st.session_state[AT] = at + 1
    return int(st.session_state[AT])


def _done() -> tuple[bool, bool, bool]:
    """Say of each step but the last whether it has been done."""
    store = services.store()
    return (
        bool(store.runs.count(method="chain")),
        bool(store.runs.count(method="refine")),
        bool(store.ideas.count(Wanted(kept=True))),
    )


def _go(step: int) -> None:
    st.session_state[AT] = step


def _leave() -> None:
    with mistakes.kept(AT):
        services.store().places.choose(LEFT, "left")
