"""Ideas: all there are, kept, written and brought in, and the collections they are in."""

import streamlit as st

from components.ideas import collections as idea_collections
from components.ideas import importing as idea_import
from components.ideas import listing as idea_list
from components.ideas import sources as idea_sources
from components.runs.states import NO_IDEAS
from components.shell import in_view, mistakes, services
from components.shell.frame import followed, frame
from components.shell.idea_names import picked_ideas, tell_apart
from components.shell.paging import ROWS, skipped
from core.errors import BadInput
from core.importing.filing import FilingReport, bring_in
from core.importing.gathering import entries_of_run, entries_of_shelf, topic_of
from core.importing.own import taken_along
from core.prompts.wording import worded
from core.records import Entry, Idea, Record
from core.runs.planning import idea_of
from core.store.ideas import ALL, WRITTEN, IdeaQuery, Saved
from core.story import Story

LEAD_ON = "ideas:lead-on"  # The page and the collection to go on with.
ADDING = "ideas:adding"
REPORTED = "ideas-reported"  # The container of what became of an import.
FOLD = "ideas:fold"  # Whether what is added is done with, and its box is to be folded.


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
                keep(idea_of(text), None, WRITTEN)
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
            in_view.wish(REPORTED)
            st.session_state[FOLD] = True
            st.rerun()
    mistakes.shown("ideas:bringing")


def collections() -> None:
    """What is kept to be compared: each collection, and putting together what is here."""
    store = services.store()
    bunches = store.entries.bunches()
    with st.expander(
        f"Collections ({len({one.name for one in bunches})})",
        icon=":material/stacks:",
        key="ideas:collections",
    ):
        wish = idea_collections.listed(bunches)
        if wish and wish.what == "Remove":
            same = [one for one in bunches if one.name == wish.name]
            idea_collections.confirm(wish.name, same)
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
        if put := idea_collections.gathering(
            runs, store.ideas.listed(IdeaQuery(kept=True), limit=500), names
        ):
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
        in_view.wish(REPORTED)
        st.rerun()


def reported() -> None:
    """What became of the last import, until it is closed."""
    with st.container(key=REPORTED):
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
    kept = services.store().ideas
    return frozenset(kept.name(idea) for idea in ideas if kept.holds(idea))


def keep(idea: Idea, run: str | None, origin: str) -> None:
    """Keep an idea."""
    services.store().ideas.save(idea, run, origin)
    st.session_state["ideas:kept"] = True
    st.rerun()


def every_idea() -> None:
    """List all ideas, newest first."""
    store = services.store()
    bunches = store.entries.bunches()
    look_for = idea_list.wanted([one.name for one in bunches if one.kind == "idea"])
    total = store.ideas.count(look_for)
    hand_over(store.ideas.ids(look_for, idea_list.MOST_AT_ONCE), total)
    mistakes.shown("ideas:changing")
    cards = st.container()
    found = store.ideas.listed(look_for, limit=ROWS, skip=skipped(total, "ideas:page"))
    with cards:
        if found:
            idea_list.cards(found)
        elif look_for != ALL:
            st.info("No idea matches. Remove a filter.", icon=":material/search_off:")
        else:
            st.info(
                "No idea yet. Write one of your own above, keep one that a run made, or bring in a"
                " file.",
                icon=":material/lightbulb:",
            )


def hand_over(listed: tuple[str, ...], total: int) -> None:
    """Show what is picked of the ideas listed, and lead on to where it is judged."""
    ideas = picked_ideas().found
    page = idea_list.hand_over(tell_apart(ideas), listed, total)
    if page and ideas:
        store = services.store()
        topic = idea_list.propose_topic([topic_of(store, one) for one in ideas])

        def take(wish: idea_list.NewCollection) -> bool:
            if not put_picked(ideas, wish, topic.needed):
                return False
            st.session_state[LEAD_ON] = page, wish.name
            return True

        idea_list.put(ideas, topic, page, take)


def put_picked(ideas: list[Saved], wish: idea_list.NewCollection, topic_needed: bool) -> bool:
    """Put picked ideas into a collection and say whether all of them are in it."""
    taken: FilingReport | None = None
    with mistakes.kept("ideas:putting"):
        if topic_needed and not wish.topic.strip():
            raise BadInput("Say their topic: judges read it, and compare texts on it.")
        report = entries_of_shelf(
            services.store(),
            tuple(one.id for one in ideas),
            wish.name,
            topic=wish.topic,
            own_method=wish.method,
        )
        if report.refused:
            first = report.refused[0]
            raise BadInput(f"“{first.title}” was not taken. {first.reason}")
        taken = report
    return taken is not None


def leave_idea() -> None:
    """Go back from one idea to all of them."""
    st.query_params.pop("idea", None)


def one_idea(name: str) -> None:
    """Show the idea an address names, by its own id or that of an entry, and the way to all."""
    store = services.store()
    st.button(
        "All ideas",
        icon=":material/arrow_back:",
        type="tertiary",
        key="ideas:all",
        on_click=leave_idea,
    )
    mistakes.shown("ideas:changing")
    try:
        saved = store.ideas.get(name)
    except BadInput:
        saved = store.ideas.get(store.entries.get(name).sha[:16])
    idea_list.cards([saved], unfolded=True)


with frame("pages/ideas.py"):
    if LEAD_ON in st.session_state:
        page, name = st.session_state.pop(LEAD_ON)
        st.switch_page(page, query_params={"collection": " ".join(name.split())})
    if st.session_state.pop("ideas:kept", False):
        st.toast("Kept in Ideas.", icon=":material/bookmark_added:")
    if name := st.query_params.get("idea", ""):
        if followed():
            st.query_params["idea"] = name
        one_idea(name)
        st.stop()
    if st.session_state.pop(FOLD, False):
        st.session_state[ADDING] = False
    unfolded = not services.store().ideas.count() or "ideas:add" in st.query_params
    st.session_state.setdefault(ADDING, unfolded)
    with st.expander("Add an idea", icon=":material/add:", key=ADDING, on_change="rerun"):
        add()
    reported()
    collections()
    every_idea()
