"""Choosing what is ranked: of a collection, kept, of a run, or typed; and the published idea
among them, if there is one.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from typing import NamedTuple

import streamlit as st

from components.ideas.sources import of_story
from components.library import chooser
from components.runs import naming
from components.runs.states import NO_IDEAS
from components.shell import gone, picked, services
from components.shell.idea_names import offered, picked_ideas, tell_apart
from components.shell.text import inline
from core.errors import BadInput, FoundryError
from core.judging.ranking import TARGET
from core.records import Idea
from core.runs.planning import idea_of
from core.story import Story

COLLECTION, KEPT, RUN, TYPED = "A collection", "Ideas", "A run", "Typed"
NONE, AMONG, PAPER, TEXT = "None", "One of them", "A paper of the library", "A text"
MOST = 12
LONGEST = 120
"""Letters of a candidate's name."""
BETWEEN = re.compile(r"^[^\S\n]*---+[^\S\n]*$", re.MULTILINE)
"""What stands between two typed ideas."""
Found = dict[str, Idea]
"""Ideas by what they are called."""


class Candidates(NamedTuple):
    ideas: Found
    target: Idea | None = None
    wrong: str = ""
    """What keeps a ranking from starting, as a sentence."""

    @property
    def named(self) -> Found:
        """The ideas by names that differ, in their order; numbered only where they have to be,
        since a number before a name reads like a place.
        """
        plain = {name[:LONGEST]: idea for name, idea in self.ideas.items()}
        if len(plain) == len(self.ideas) and TARGET not in plain:
            return plain
        return {
            f"{n}: {name}"[:LONGEST]: idea for n, (name, idea) in enumerate(self.ideas.items(), 1)
        }


def draw(address: Mapping[str, str]) -> Candidates:
    """Draw the choice of candidates and of the target; an address with `collection` or `from` has
    made it already.
    """
    _prefill(address)
    st.session_state.setdefault("ranks:ways", [KEPT] if services.store().ideas.count() else [TYPED])
    offers: dict[str, Callable[[], Found]] = {
        COLLECTION: _of_collection,
        KEPT: _every_idea,
        RUN: partial(_of_run, address.get("from", "")),
        TYPED: _typed,
    }
    ways = st.pills(
        "Ideas to rank",
        list(offers),
        selection_mode="multi",
        key="ranks:ways",
        persist_state="session",
    )
    found: Found = {}
    for way, offer in offers.items():
        if way in ways:
            found |= offer()
    once = {idea.digest(): (name, idea) for name, idea in reversed(found.items())}
    ideas = dict(reversed(once.values()))
    try:
        target, ideas = _target(ideas)
    except BadInput as error:
        return Candidates(ideas, None, str(error))
    wrong = ""
    if len(ideas) > MOST:
        wrong = (
            f"{len(ideas)} ideas are chosen; one ranking takes {MOST} at most. Take some out, or"
            " compare them pair by pair in the arena."
        )
    elif not ideas:
        wrong = "Choose the ideas that are ranked."
    elif len(ideas) == 1 and target is None:
        wrong = (
            "One idea alone cannot be put in order. Choose another, or a published idea to rank it"
            " with."
        )
    return Candidates(ideas, target, wrong)


def _prefill(address: Mapping[str, str]) -> None:
    collection, run = address.get("collection", ""), address.get("from", "")
    given = collection, run, picked.ids()
    if st.session_state.get("ranks:given") == given:
        return
    st.session_state["ranks:given"] = given
    if collection:
        st.session_state.update({"ranks:ways": [COLLECTION], "ranks:collection": collection})
    elif run:
        st.session_state.update({"ranks:ways": [RUN], "ranks:run": run})
    elif picked.ids():
        st.session_state["ranks:ways"] = [KEPT]
        st.session_state.pop("ranks:shelf:offered", None)


def _pick(label: str, key: str, offered: Found, first: tuple[str, ...] = ()) -> Found:
    """Draw the choice among ideas and return those that are picked; `first` are those to begin
    with.
    """
    if st.session_state.get(f"{key}:offered") != list(offered):
        st.session_state[f"{key}:offered"] = list(offered)
        st.session_state[key] = list(first)
    picked = st.multiselect(
        label,
        list(offered),
        key=key,
        persist_state="session",
        select_all=False,
        placeholder="Pick the ideas",
    )
    return {name: offered[name] for name in picked}


def _of_collection() -> Found:
    store = services.store()
    names = list(dict.fromkeys(one.name for one in store.entries.bunches() if one.kind == "idea"))
    if not names:
        st.caption(
            "No collection of ideas yet. Import a file, or put one together, on the Ideas page."
        )
        return {}
    if st.session_state.get("ranks:collection") not in names:
        st.session_state["ranks:collection"] = names[0]
    name = str(st.selectbox("Collection", names, key="ranks:collection", persist_state="session"))
    entries = store.entries.of((name,))
    topics = list(dict.fromkeys(entry.topic for entry, _ in entries))
    topic = topics[0]
    if len(topics) > 1:
        topic = st.selectbox("Topic", topics, key=f"ranks:topic:{name}")
    here = [(entry, title) for entry, title in entries if entry.topic == topic]
    ideas = store.frozen.several(tuple(entry.sha for entry, _ in here), Idea)
    found: Found = {}
    for entry, title in here:
        found[_free_name(f"{title} ({entry.method})", found)] = ideas[entry.sha]
    return _pick("Its ideas", f"ranks:of:{name}:{topic}", found, tuple(found)[:MOST])


def _free_name(name: str, taken: Found) -> str:
    """Return a name that no idea has yet: the name itself, or with the first number that is
    free.
    """
    if name not in taken:
        return name
    return next(f"{name}, {n}" for n in count(2) if f"{name}, {n}" not in taken)


def _every_idea() -> Found:
    """Draw the choice among all ideas; those the address names are picked to begin with."""
    given = picked_ideas().found
    ideas = offered(given)
    if not ideas:
        st.caption("No idea yet. Keep one that a run made, or choose another way.")
        return {}
    names = tell_apart(ideas)
    found = {names[one.id]: one.idea for one in ideas}
    return _pick("Ideas", "ranks:shelf", found, tuple(names[one.id] for one in given))


def _of_run(given: str) -> Found:
    store = services.store()
    listed = store.runs.listed(without=NO_IDEAS, states=("done",), packed=None, limit=100)
    asked = given or str(st.session_state.get("ranks:run") or "")
    runs, _ = gone.among(
        {run.id: run for run in listed}, asked, "ranks:run", "pages/ranking.py", "All rankings"
    )
    if not runs:
        st.caption("No run has come to its end yet.")
        return {}
    picked = st.selectbox(
        "Run",
        list(runs),
        key="ranks:run",
        format_func=lambda one: naming.in_list(runs[one]),
        persist_state="session",
        index=None,
        placeholder="Pick a run, newest first",
    )
    if not picked:
        return {}
    try:
        made = of_story(Story.of(store, picked))
    except FoundryError as error:
        st.caption(f":material/info: {inline(str(error), 300)}")
        return {}
    if not made:
        st.caption("This run came to no idea.")
    ideas: Found = {}
    outcomes = []
    for where, idea in made:
        name = _free_name(f"{idea.title} ({where})", ideas)
        ideas[name] = idea
        if where.startswith("outcome"):
            outcomes.append(name)
    return _pick("Its ideas", f"ranks:of:{picked}", ideas, tuple(outcomes)[:MOST])


def _typed() -> Found:
    text = st.text_area(
        "Ideas, a line of three dashes between them",
        key="ranks:typed",
        height=160,
        persist_state="session",
        placeholder="One idea\n---\nanother idea",
    )
    found = [idea_of(part.strip()) for part in BETWEEN.split(text or "") if part.strip()]
    named: Found = {}
    for idea in found:
        named[_free_name(idea.title, named)] = idea
    return named


def _target(ideas: Found) -> tuple[Idea | None, Found]:
    """Draw the choice of the published idea and return it, and the ideas without it; raises
    BadInput.
    """
    way = st.segmented_control(
        "Target (a published idea)",
        [NONE, AMONG, PAPER, TEXT],
        default=NONE,
        key="ranks:target",
        required=True,
        persist_state="session",
    )
    if way == AMONG:
        if st.session_state.get("ranks:among") not in ideas:
            st.session_state["ranks:among"] = None
        picked = st.selectbox(
            "Which of them is published",
            list(ideas),
            key="ranks:among",
            index=None,
            placeholder="Pick the one that is published",
        )
        if not picked:
            raise BadInput("Say which of them is the published idea.")
        return ideas[picked], {name: idea for name, idea in ideas.items() if name != picked}
    target = None
    if way == PAPER:
        paper = chooser.pick("ranks:paper")
        if paper is None:
            raise BadInput("Pick the paper whose idea the others are ranked with, or choose none.")
        target = chooser.idea_told(paper, ", or give its idea as a text")
    elif way == TEXT:
        text = st.text_area(
            "The published idea",
            key="ranks:text",
            height=140,
            persist_state="session",
            placeholder="Title and abstract, or the idea",
        )
        target = idea_of(text or "")
    if target and target.digest() in {idea.digest() for idea in ideas.values()}:
        raise BadInput(
            "The published idea is among the ideas too. Take it out there, or choose “One of them”."
        )
    return target, ideas
