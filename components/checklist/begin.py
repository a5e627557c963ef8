"""What an evolution begins with: a topic or a question, or an idea that is typed, kept, or
made by a run; and the literature around it.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import streamlit as st

from components.runs import naming
from components.runs.asking import choose_idea, source
from components.runs.states import NO_IDEAS
from components.shell import gone, idea_card, idea_names, services
from components.shell.text import inline
from core.errors import BadInput
from core.judging import headed
from core.records import HEADINGS, Idea, Prepared
from core.runs.catalogue import entry
from core.runs.planning import idea_of, ideas_of
from core.story import Story

TOPIC, IDEA = "A topic or question", "An idea"
TYPED, KEPT, RUN = "I type it", "From Ideas", "From a run"
LOOK, PASTE, NONE = (
    "Look for papers and review them",
    "A literature review I paste",
    "None: only what the model knows",
)
GIVEN = "checklist:given"
"""What the address gave last: taken up once, so that it never overwrites what was chosen after it.
"""


class ChecklistBeginning(NamedTuple):
    way: str
    topic: str = ""
    question: str = ""
    idea: Idea | None = None
    review: str = ""
    wrong: str = ""
    """What keeps a run from starting, as a sentence."""


class ChosenLiterature(NamedTuple):
    inputs: dict[str, Any]
    source: str = "shelf"
    wrong: str = ""


def draw(address: Mapping[str, str]) -> ChecklistBeginning:
    """Draw the choice of what to begin with; an address with `topic`, `idea` or `from` has made it
    already.
    """
    _prefill(address)
    # No default beside it: what an address chose is set in the session, and Streamlit takes one.
    st.session_state.setdefault("checklist:start", TOPIC)
    way = (
        st.segmented_control(
            "Begin with",
            (TOPIC, IDEA),
            key="checklist:start",
            required=True,
            persist_state="session",
        )
        or TOPIC
    )
    if way == IDEA:
        return _idea(address)
    topic = (
        st.text_area(
            "Topic, or research question",
            key="checklist:topic",
            height=80,
            persist_state="session",
            placeholder="What do you want an idea about?",
        )
        or ""
    ).strip()
    whole = st.checkbox(
        "This is the research question itself",
        key="checklist:whole",
        persist_state="session",
        help=(
            "Ticked, it is used word for word; otherwise the main model makes one goal-oriented"
            " question of it."
        ),
    )
    return ChecklistBeginning(
        TOPIC,
        topic,
        topic if whole else "",
        wrong="" if topic else "The topic is empty. Write what you want ideas about.",
    )


def _prefill(address: Mapping[str, str]) -> None:
    given = {name: address[name] for name in ("topic", "idea", "from", "line")}
    if st.session_state.get(GIVEN) == given:
        return
    st.session_state[GIVEN] = given
    if given["idea"]:
        st.session_state.update(
            {"checklist:start": IDEA, "checklist:which": KEPT, "checklist:shelf": given["idea"]}
        )
    elif given["from"] and (made := _asked_only(given["from"])):
        st.session_state.update(
            {
                "checklist:start": TOPIC,
                "checklist:topic": made.question,
                "checklist:whole": True,
                "checklist:literature": PASTE,
                "checklist:review": made.review,
            }
        )
    elif given["from"]:
        st.session_state.update(
            {"checklist:start": IDEA, "checklist:which": RUN, "checklist:run": given["from"]}
        )
        if given["line"].isdecimal():
            st.session_state["checklist:of"] = int(given["line"])
    elif given["topic"]:
        st.session_state.update({"checklist:start": TOPIC, "checklist:topic": given["topic"]})


def _asked_only(run: str) -> Prepared | None:
    """Return question and review of a run that made nothing else."""
    store = services.store()
    with suppress(BadInput):  # Of one that is not there the choice among runs says so.
        if entry(store.runs.get(run).config).view == "question":
            return Story.of(store, run).last(Prepared)
    return None


# -- an idea -----------------------------------------------------------------------------------


def _idea(address: Mapping[str, str]) -> ChecklistBeginning:
    which = (
        st.segmented_control(
            "Which idea",
            (TYPED, KEPT, RUN),
            key="checklist:which",
            required=True,
            persist_state="session",
            default=TYPED,
        )
        or TYPED
    )
    begin = ChecklistBeginning(IDEA, wrong="Choose an idea first.")
    try:
        begin = (
            _typed()
            if which == TYPED
            else _kept_idea()
            if which == KEPT
            else _of_run(address["from"])
        )
    except BadInput as error:
        begin = begin._replace(wrong=str(error))
        st.caption(f":material/info: {inline(begin.wrong, 600)}")
    if begin.idea and which != TYPED:
        with st.expander(f"The idea: {inline(begin.idea.title, 90)}"):
            idea_card.draw(begin.idea, None, "", "checklist:preview")
    if begin.idea and begin.idea.form != "headed":
        st.caption(
            f"It does not stand under the seven headings ({', '.join(HEADINGS)}), so it is judged"
            " by the seven items that hold for any form; its first revision has the headings."
        )
    question = (
        st.text_input(
            "Its research question (optional)",
            key="checklist:question",
            persist_state="session",
            placeholder=begin.question or "Without one, its title stands for it",
        )
        or ""
    ).strip()
    return begin._replace(question=question or begin.question)


def _typed() -> ChecklistBeginning:
    text = (
        st.text_area(
            "The idea",
            key="checklist:idea",
            height=220,
            persist_state="session",
            placeholder=(
                f"Text under the headings {', '.join(HEADINGS)}; or a paragraph; or JSON with the"
                " fields of a form"
            ),
        )
        or ""
    ).strip()
    if not text:
        return ChecklistBeginning(IDEA, wrong="Write the idea first.")
    idea = idea_of(text) if text.startswith("{") else headed.taken(text)
    return ChecklistBeginning(IDEA, idea.title, idea=idea)


def _kept_idea() -> ChecklistBeginning:
    saved = idea_names.choose("checklist:shelf")
    if saved is None:
        return ChecklistBeginning(IDEA, wrong="Choose an idea first.")
    return ChecklistBeginning(IDEA, saved.idea.title, idea=saved.idea)


def _of_run(given: str) -> ChecklistBeginning:
    store = services.store()
    listed = store.runs.listed(states=("done",), without=NO_IDEAS, limit=50)
    runs, lost = gone.among(
        {run.id: run for run in listed},
        given,
        "checklist:run",
        "pages/checklist.py",
        "All checklist evolutions",
    )
    names = {name: naming.in_list(run) for name, run in runs.items()}
    if not names:
        raise BadInput("No finished run has an idea yet. Begin with a topic, or type an idea.")
    if not lost and st.session_state.get("checklist:run") not in names:
        st.session_state["checklist:run"] = next(iter(names))
    picked = st.selectbox(
        "Run",
        list(names),
        index=None,
        placeholder="Choose a run",
        key="checklist:run",
        format_func=names.__getitem__,
        persist_state="session",
    )
    if picked is None:
        return ChecklistBeginning(IDEA, wrong="Choose a finished run, or type an idea.")
    run = runs[picked]
    story = Story.of(store, run.id)
    ideas, made = ideas_of(run, story), story.last(Prepared)
    topic = str(run.config.inputs.get("topic") or run.title)
    if not ideas:
        raise BadInput(f"Run {run.id} has no idea yet (it is {run.state}).")
    idea = ideas[choose_idea(ideas, "checklist:of")]
    if made is None:
        return ChecklistBeginning(IDEA, topic, idea=idea)
    return ChecklistBeginning(IDEA, topic, made.question, idea, made.review)


# -- the literature ----------------------------------------------------------------------------


def literature(begin: ChecklistBeginning) -> ChosenLiterature:
    """Draw where the literature review comes from."""
    if begin.review:
        st.caption(":material/menu_book: Question and literature review are those of the run.")
        return ChosenLiterature({"review": begin.review, "papers": False})
    way = st.radio(
        "Literature", (LOOK, PASTE, NONE), key="checklist:literature", persist_state="session"
    )
    if way == PASTE:
        text = (
            st.text_area(
                "Literature review",
                key="checklist:review",
                height=160,
                persist_state="session",
                placeholder="One or two paragraphs: themes and gaps, cited as Author et al., Year",
            )
            or ""
        ).strip()
        return ChosenLiterature(
            {"review": text, "papers": False},
            wrong="" if text else "Paste the literature review, or choose another way.",
        )
    if way == NONE:
        return ChosenLiterature({"papers": False})
    name = source("checklist")
    before = (
        st.text_input(
            "Only papers before (optional)",
            key="checklist:before",
            persist_state="session",
            placeholder="YYYY-MM-DD",
        )
        or ""
    ).strip()
    return ChosenLiterature({"papers": True, "before": before or None}, name)
