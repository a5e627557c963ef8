"""People judge a shortlist: experts in a session, or votes on its ideas two by two."""

from functools import partial

import streamlit as st

from components.shell import mistakes, services
from components.shell.clicks import do_once
from core.errors import BadInput
from core.importing.filing import file_entries
from core.importing.making import LONGEST_SAID, Offered
from core.judging.arena.competition import ArenaInputs
from core.literature.importing.text import plain
from core.methods.shortlist.so_far import Present
from core.records import Run
from core.runs.beginning import seated
from core.runs.planning import validated
from core.store import Store

WRONG = "shortlist:judging"
LEAD_ON = "shortlist:lead-on"
"""Where a click leads once the page is drawn again: the page and its address."""


def draw(run: Run, now: Present) -> None:
    """Draw the two ways; nothing where fewer than two ideas stand on the shortlist."""
    if run.packed or len(now.cards) < 2:
        return
    st.button(
        "Send to experts",
        icon=":material/groups:",
        key=f"shortlist:experts:{run.id}",
        on_click=_send,
        args=(run, now, "pages/sessions.py"),
        help="Opens a new session on these ideas, sources hidden; set it up with one more click.",
    )
    st.button(
        "Let people vote",
        icon=":material/how_to_vote:",
        key=f"shortlist:vote:{run.id}",
        on_click=_send,
        args=(run, now, "pages/arena.py"),
        help="Opens an arena in which people alone judge these ideas, two by two.",
    )
    mistakes.shown(WRONG)


def lead_on() -> None:
    """Go where the last click leads."""
    if LEAD_ON in st.session_state:
        page, query = st.session_state.pop(LEAD_ON)
        st.switch_page(page, query_params=query)


def collection_of(run: Run) -> str:
    """Return the name of the collection that the ideas of a shortlist go into."""
    return f"Shortlist {run.id}: {' '.join(run.title.split())}"[:100].strip()


def put_together(store: Store, run: Run, now: Present) -> str:
    """Put the ideas on the cards into a collection, each a text of its own, and return its name;
    the same again where they are in it already. Raises BadInput.
    """
    name = collection_of(run)
    topic = " ".join(run.config.topic.split())[:LONGEST_SAID]
    report = file_entries(
        store,
        f"run {run.id}",
        name,
        [
            Offered(
                f"idea {card.n}",
                card.idea,
                "idea",
                {
                    "method": f"Idea {card.n}",
                    "topic": topic,
                    "source": f"run {run.id}, idea {card.n}",
                },
                plain(card.title)[:120],
            )
            for card in now.cards
        ],
    )
    if report.refused:
        raise BadInput(f"“{report.refused[0].title}” was not taken. {report.refused[0].reason}")
    return report.collection


def _send(run: Run, now: Present, page: str) -> None:
    """Put the ideas together and remember where to go; a callback."""
    with mistakes.kept(WRONG):
        name = put_together(services.store(), run, now)
        if page == "pages/sessions.py":
            st.session_state[LEAD_ON] = page, {"view": "new", "collection": name}
            return
        arena = do_once("shortlist:arena", [run.id, name], partial(_arena, run, now, name))
        st.session_state[LEAD_ON] = page, {"run": arena, "tab": "Votes"}


def _arena(run: Run, now: Present, collection: str) -> str:
    """Begin an arena of people over the ideas on the cards and return its id."""
    shown = {f"Idea {card.n}" for card in now.cards}
    entries = [
        entry
        for entry, _ in services.store().entries.of((collection,), "idea", limit=1_000)
        if entry.method in shown
    ]
    inputs = validated(
        ArenaInputs,
        topic=f"Shortlist: {run.title}"[:150],
        kind="idea",
        entries=tuple(entries),
        same_form=False,
        people_only=True,
    )
    judges = seated((services.workshop().chosen("judge"),))
    return services.begin("arena", inputs, inputs.topic, models=judges).id
