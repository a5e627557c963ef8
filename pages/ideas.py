"""Ideas: those that were kept, and collections of ideas."""

import streamlit as st

from components.ideas import collections as idea_collections
from components.ideas import importing as idea_import
from components.ideas import listing as idea_list
from components.ideas import sources as idea_sources
from components.runs.states import NO_IDEAS
from components.shell import mistakes, services
from components.shell.frame import frame
from components.shell.paging import ROWS, skipped
from components.shell.picked import ids
from core.errors import BadInput
from core.importing.filing import bring_in
from core.importing.gathering import entries_of_run, entries_of_shelf
from core.importing.own import taken_along
from core.prompts.wording import worded
from core.records import Entry, Idea, Record
from core.runs.planning import idea_of
from core.store.search import Found
from core.story import Story


def add() -> None:
    """Take an idea in: typed, or made in a run; or many, from a file."""
    own, made, file = st.tabs(
        ["Write your own", "From a run", "From a file"],
        key="ideas:add",
        bind="query-params",
        on_change="rerun",
    )
    if own.open:
        with own:
            text = idea_sources.typed()
            if text is not None:
                keep(idea_of(text), None, "written by hand")
    if made.open:
        with made:
            from_run()
    if file.open:
        with file:
            from_file()


def from_file() -> None:
    """Bring the ideas of a file into a collection, and say what became of each row."""
    if wish := idea_import.form():
        with mistakes.kept("ideas:bringing"), st.spinner("Importing…"):
            st.session_state["ideas:reports"] = [bring_in(services.store(), *wish)]
    mistakes.shown("ideas:bringing")


def collections() -> None:
    """What is kept to be compared: each collection, and putting together what is here."""
    store = services.store()
    if name := st.session_state.pop("collections:remove", None):
        store.entries.remove(name)
    bunches = store.entries.bunches()
    with st.expander(
        f"Collections to compare ({len({one.name for one in bunches})})",
        icon=":material/stacks:",
        key="ideas:collections",
        # What is looked for stands further down.
        expanded=bool(bunches) and "ideas:find" not in st.query_params,
    ):
        wish = idea_collections.listed(bunches)
        if wish and wish.what == "Remove":
            idea_collections.confirm(wish.name)
        elif wish and wish.what == "Look inside":
            inside = [
                *store.entries.of((wish.name,), "idea"),
                *store.entries.of((wish.name,), "design"),
            ]
            idea_collections.look_inside(wish.name, inside, text_of)
        elif wish:
            idea_collections.take_along(wish.name, taken_along(store, wish.name))
        names = tuple(dict.fromkeys(one.name for one in bunches))
        runs = store.runs.listed(states=("done",), without=NO_IDEAS, packed=None, limit=100)
        if put := idea_collections.gathering(runs, store.ideas.listed(limit=500), names):
            gather(put)
        mistakes.shown("ideas:gathering")


def text_of(entry: Entry) -> str:
    """Return the frozen text of an entry, as it is read."""
    return worded(services.store().frozen.get(entry.sha, Record))


def gather(put: idea_collections.Gathering) -> None:
    """Put what runs came to and kept ideas into a collection."""
    store = services.store()
    with mistakes.kept("ideas:gathering"):
        reports = [
            entries_of_run(store, run, put.collection, put.method, put.topic) for run in put.runs
        ]
        if put.ideas:
            reports.append(
                entries_of_shelf(store, put.ideas, put.collection, put.method, put.topic)
            )
        st.session_state["ideas:reports"] = reports
        st.rerun()


def reported() -> None:
    """What became of the last import, until it is closed."""
    for n, report in enumerate(st.session_state.get("ideas:reports", ())):
        if idea_import.draw_report(report, n):
            st.session_state["ideas:reports"] = [
                one for one in st.session_state["ideas:reports"] if one is not report
            ]
            st.rerun()


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
    """Return the ids of those that are kept already."""
    return frozenset(one for one in (idea.digest()[:16] for idea in ideas) if title(one))


def keep(idea: Idea, run: str | None, origin: str) -> None:
    """Keep an idea."""
    services.store().ideas.save(idea, run, origin)
    st.session_state["ideas:kept"] = True
    st.rerun()


def title(idea: str) -> str | None:
    """Return the title of a kept idea, or None for one that was removed."""
    try:
        return services.store().ideas.get(idea).idea.title
    except BadInput:
        return None


def kept_ideas() -> None:
    """What is kept, newest first."""
    store = services.store()
    ideas = store.ideas
    text, starred = idea_list.wanted()
    idea_list.hand_over({one: said for one in ids() if (said := title(one))})
    total = ideas.count(text, starred)
    cards = st.container()
    found = ideas.listed(text, starred, limit=ROWS, skip=skipped(total, "ideas:page"))
    brought_in = [] if starred else imported(text)
    with cards:
        if found:
            idea_list.cards(found)
        elif (text or starred) and not brought_in:
            st.info("No idea matches. Remove a filter.", icon=":material/search_off:")
        elif not brought_in:
            st.info(
                "No idea is kept yet. Write an idea of your own above, or keep one that a run made."
                " Imported ideas are in their collections.",
                icon=":material/lightbulb:",
            )
    idea_collections.brought_in(brought_in, lambda entry: text_of(store.entries.get(entry)))


def imported(text: str) -> list[Found]:
    """Return what collections have that holds these words."""
    found = services.store().search.find(text, "ideas", limit=100).found
    return [one for one in found if one.kind == "entry"][:ROWS]


with frame("pages/ideas.py"):
    if st.session_state.pop("ideas:kept", False):
        st.toast("Kept in Ideas.", icon=":material/bookmark_added:")
    with st.expander(
        "Add an idea",
        icon=":material/add:",
        key="ideas:adding",
        expanded=not services.store().ideas.count() or "ideas:add" in st.query_params,
    ):
        add()
    reported()
    collections()
    kept_ideas()
