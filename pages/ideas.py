"""Ideas: the shelf of ideas that were kept."""
import streamlit as st

from components import idea_list, idea_sources, services
from components.frame import frame
from components.paging import ROWS, skipped
from components.picked import ids
from core.errors import BadInput
from core.plans import idea_of
from core.records import Idea
from core.story import Story


def add() -> None:
    """Take an idea in: typed, or made in a run."""
    own, made = st.tabs(["Write your own", "From a run"], key="ideas:add", on_change="rerun")
    if own.open:
        with own:
            text = idea_sources.typed()
            if text is not None:
                keep(idea_of(text), None, "written by hand")
    if made.open:
        with made:
            from_run()


def from_run() -> None:
    """Keep what a run made."""
    store = services.store()
    run = idea_sources.run_to_look_in(store.runs.listed(limit=100))
    if run is None:
        return
    made = idea_sources.of_story(Story.of(store, run))
    wish = idea_sources.made_in(run, made, shelved(tuple(one.idea for one in made)))
    if wish:
        keep(wish.idea, run, wish.where)


def shelved(ideas: tuple[Idea, ...]) -> frozenset[str]:
    """Return the ids of those that are on the shelf already."""
    return frozenset(one for one in (idea.digest()[:16] for idea in ideas) if title(one))


def keep(idea: Idea, run: str | None, origin: str) -> None:
    """Put an idea on the shelf."""
    services.store().ideas.save(idea, run, origin)
    st.session_state["ideas:kept"] = True
    st.rerun()


def title(idea: str) -> str | None:
    """Return the title of an idea on the shelf, or None for one that was removed."""
    try:
        return services.store().ideas.get(idea).idea.title
    except BadInput:
        return None


def shelf() -> None:
    """What is kept, newest first."""
    ideas = services.store().ideas
    text, starred = idea_list.wanted()
    idea_list.hand_over({one: said for one in ids() if (said := title(one))})
    total = ideas.count(text, starred)
    cards = st.container()
    found = ideas.listed(text, starred, limit=ROWS, skip=skipped(total, "ideas:page"))
    with cards:
        if found:
            idea_list.cards(found)
        elif text or starred:
            st.info("No idea matches. Loosen the search above.", icon=":material/search_off:")
        else:
            st.info("The shelf is empty. Write an idea of your own above, or keep one that a run made.", icon=":material/lightbulb:")


with frame("pages/ideas.py"):
    if st.session_state.pop("ideas:kept", False):
        st.toast("On the shelf.", icon=":material/bookmark_added:")
    with st.expander("Add an idea", icon=":material/add:", key="ideas:adding", expanded=not services.store().ideas.count()):
        add()
    shelf()
