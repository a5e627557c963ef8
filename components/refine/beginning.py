"""What a refinement begins with: the idea of a run or of a case study, one of the page Ideas, an
idea that is typed, or only a topic.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

import streamlit as st

from components.runs import naming
from components.runs.asking import choose_idea
from components.runs.states import NO_IDEAS
from components.shell import gone, idea_card, idea_names, services
from components.shell.frame import told
from components.shell.text import counted, inline
from core.benchmark.sampling import idea_at
from core.cases.bundled import bundled, opened
from core.errors import BadInput, FoundryError
from core.importing.gathering import topic_of
from core.methods.presets import NOVELTY
from core.records import Idea, Paper
from core.runs.planning import ideas_of, played, refine_run
from core.story import Story

RUN, KEPT, IDEA, TOPIC = "A run's idea", "From Ideas", "An idea I type", "Only a topic"
WAYS = (RUN, KEPT, IDEA, TOPIC)
GIVEN = "refine:given"
"""What the address gave last: taken up once, so that it never overwrites what was chosen after it.
"""


class RefineBeginning(NamedTuple):
    way: str
    run: str = ""
    line: int | None = None
    """Which of the run's ideas."""
    papers: tuple[Paper, ...] = ()
    """What the run drew on."""
    idea: str = ""
    topic: str = ""
    kept: Idea | None = None
    """The idea of the page Ideas, in its own form."""

    @property
    def about(self) -> str:
        """The text that a paper has to fit: the idea, or the topic where there is none yet."""
        return self.idea.strip() or self.topic.strip()


def draw(address: Mapping[str, str]) -> RefineBeginning:
    """Draw the choice of what to begin with and return it; an address with `from`, `line`, `cell`,
    `idea` or `topic` has made it already.
    """
    _prefill(address)
    st.session_state.setdefault(
        "refine:start",
        RUN if services.store().runs.count(states=("done",), without=NO_IDEAS) else TOPIC,
    )
    way = (
        st.segmented_control(
            "Begin with", WAYS, key="refine:start", required=True, persist_state="session"
        )
        or TOPIC
    )
    if way == RUN:
        return _of_run("" if address["cell"] else address["from"])
    if way == KEPT:
        return _kept()
    idea = (
        st.text_area(
            "The idea",
            key="refine:idea",
            height=140,
            persist_state="session",
            placeholder="One paragraph, or JSON with the fields of one of the forms",
        )
        if way == IDEA
        else ""
    )
    topic = st.text_area(
        "Topic",
        key="refine:topic",
        height=80,
        persist_state="session",
        placeholder=(
            "What do you want an idea about?"
            if way == TOPIC
            else "Optional: background papers are looked for by it"
        ),
    )
    return RefineBeginning(way, idea=idea or "", topic=topic or "")


def _prefill(address: Mapping[str, str]) -> None:
    given = {name: address[name] for name in ("from", "line", "cell", "idea", "topic")}
    if st.session_state.get(GIVEN) == given:
        return
    st.session_state[GIVEN] = given
    if given["cell"]:
        _take(given["from"], given["cell"])
    elif given["from"]:
        st.session_state["refine:start"], st.session_state["refine:from"] = RUN, given["from"]
        if given["line"].isdecimal():
            st.session_state["refine:line"] = int(given["line"])
    elif given["idea"]:
        st.session_state["refine:start"], st.session_state["refine:kept"] = KEPT, given["idea"]
    elif given["topic"]:
        st.session_state["refine:start"], st.session_state["refine:topic"] = TOPIC, given["topic"]


def _take(run: str, key: str) -> None:
    """Begin with an idea of a benchmark, as if it had been typed; raises BadInput."""
    store = services.store()
    cell = idea_at(store, store.runs.get(run).id, key)
    if cell is None:
        raise BadInput(
            f"Benchmark {run} has no idea of its own called {key!r}. Choose one on its page."
        )
    st.session_state["refine:start"], st.session_state["refine:idea"] = IDEA, cell.text
    st.session_state["refine:topic"] = store.benchmarks.keywords(run)[cell.keyword].text


def _kept() -> RefineBeginning:
    """Draw which idea of the page Ideas goes on, the idea folded, and its topic."""
    try:
        saved = idea_names.choose("refine:kept")
    except BadInput as error:
        st.info(inline(str(error)))
        return RefineBeginning(KEPT)
    if saved is None:
        return RefineBeginning(KEPT)
    with st.expander(f"The idea: {inline(saved.idea.title, 90)}"):
        idea_card.draw(saved.idea, None, "", key="refine:preview")
    # A box for each idea: the topic of one is not that of another.
    box = f"refine:topic:{saved.id}"
    st.session_state.setdefault(box, topic_of(services.store(), saved))
    topic = st.text_area(
        "Topic",
        key=box,
        height=80,
        persist_state="session",
        placeholder="Optional: background papers are looked for by it",
    )
    return RefineBeginning(KEPT, idea=saved.idea.text, topic=topic or "", kept=saved.idea)


def _of_run(given: str) -> RefineBeginning:
    names = _runs(given)
    unknown = bool(given) and given not in names
    if unknown and st.session_state.get("refine:from") in (None, given):
        # Nothing is chosen in its stead: somebody would refine another idea than was meant.
        gone.found(given, "pages/refine.py", "All refinements")
        st.session_state["refine:from"] = None
    elif names and st.session_state.get("refine:from") not in names:
        st.session_state["refine:from"] = next(iter(names))
    if not names:
        st.info("No finished run yet. Build a chain first, or begin with a topic.")
        return RefineBeginning(RUN)
    picked = st.selectbox(
        "Run or case study",
        list(names),
        index=None,
        placeholder="Choose a run or a case study",
        format_func=lambda one: names[one],
        key="refine:from",
        persist_state="session",
    )
    if picked is None:
        return RefineBeginning(RUN)
    try:
        # A case study that comes with the program is opened on first use.
        cases = [case for case in bundled() if case.run == picked]
        run = opened(services.store(), cases[0].name).id if cases else picked
        return _idea_of(run)
    except FoundryError as error:
        st.warning(inline(str(error), 1_000))
        return RefineBeginning(RUN, picked)


def _runs(given: str) -> dict[str, str]:
    """Return finished runs and case studies by id, each with its name; the one that was asked for
    is among them, in whatever state.
    """
    store = services.store()
    found = {
        run.id: naming.in_list(run)
        for run in store.runs.listed(states=("done",), without=NO_IDEAS, limit=50)
    }
    with told():
        found |= {
            case.run: f"Case study: {case.title}" for case in bundled() if case.run not in found
        }
        if given and given not in found:
            # Of one that is not there the form says so itself.
            with suppress(BadInput):
                found = {given: naming.in_list(store.runs.get(given))} | found
    return found


def _idea_of(run_id: str) -> RefineBeginning:
    """Draw which of the run's ideas goes on, and the idea folded; raises BadInput."""
    store = services.store()
    ideas = ideas_of(store.runs.get(run_id), Story.of(store, run_id))
    line = choose_idea(ideas, "refine:line") if len(ideas) > 1 else None
    inputs = refine_run(store, run_id, played("infal", (NOVELTY,)), line=line)
    if inputs.idea is None:
        raise BadInput(f"Run {run_id} has no idea to refine.")
    with st.expander(
        f"Its idea: {inline(inputs.idea.title, 80)} ({counted(len(inputs.context), 'paper')} as"
        " background)"
    ):
        idea_card.draw(inputs.idea, None, "", key="refine:preview")
    return RefineBeginning(
        RUN, run_id, line, inputs.context, idea=inputs.idea.text, topic=inputs.topic
    )
