"""What a run waits to be told, as forms: the direction of a branch, the topic of a real paper; it
goes on once all are answered.
"""

from collections.abc import Mapping

import streamlit as st

from components.refine import seats as refine_seats
from components.runs import answering
from components.shell import in_view, mistakes, person, services
from components.shell.frame import told
from components.shell.text import counted, inline, shown
from core.errors import BadInput
from core.records import Run, label
from core.runs.catalogue import entry
from core.store.answers import OpenQuestion

ASKED = {
    "direction": (
        "This is where the model sees the chain leading. Change it, or confirm it as it is; draft"
        " and idea are made from it."
    ),
    "topic": (
        "This is the topic the model sees in the paper. It must not give the paper's own answer"
        " away. Change it, or confirm it as it is."
    ),
}
"""What a person is to do, by the name of the step that asks."""
WAITS_FOR = {
    "direction": "your word on the predicted direction",
    "topic": "your word on the topic",
    "first-idea": "your first idea",
    "review": "your review",
    "revise": "your revision",
    "verdict": "your verdict",
    "go-ahead": "your word to go on",
    "declines": "your choice of directives",
    "judge": "your judgment of the items",
    "rank": "your ranking",
    "choices": "your word on the ideas",
    "topics": "your word on the topics",
}
"""What a run waits for, by the name of the step that asks."""


def draw(run: Run) -> None:
    """Draw a form for each open question of a run; nothing where there is none."""
    questions = services.store().answers.open(run.id)
    answering.draw(run.id, questions, where)
    if not questions:
        return
    box = f"waiting:{run.id}"
    if answering.brings_next(run.id):
        in_view.wish(box)
    with st.container(border=True, key=box):
        several = len(questions) > 1
        more = f"; the run goes on once all {len(questions)} are answered" if several else ""
        if run.state == "stopped":
            more = "; the run is stopped, and takes your answer when it is resumed"
        st.markdown(
            f"##### :material/person_raised_hand: {counted(len(questions), 'question')} for"
            f" you{more}"
        )
        person.field("waiting:by", "Your name, kept with the answers (optional)")
        for question in questions:
            step = question.key.rsplit("/", 1)[-1]
            if entry(run.config).screen == "refine" and step in refine_seats.ASKS:
                st.markdown(f"##### {inline(where(question.key))}")
                refine_seats.draw(run, question)
            else:
                with told():
                    _ask(question, several)


def _ask(question: OpenQuestion, several: bool) -> None:
    asked, key = question.question, f"waiting:{question.run}:{question.key}"
    given = asked.get("shown")
    about: Mapping[str, object] = given if isinstance(given, dict) else {}
    proposed = about.get("proposed")
    if not isinstance(proposed, dict):
        raise BadInput(
            f"“{where(question.key)}” cannot be answered here. Open the run from Runs; the page"
            " that shows it has the form."
        )
    called = where(question.key)
    st.markdown(f"**{inline(called)}**")
    st.caption(ASKED.get(str(asked["ask"]), "Change what is proposed, or confirm it as it is."))
    if paper := about.get("paper"):
        st.markdown(f"*{inline(str(paper))}*\n\n{shown(str(about.get('abstract', '')))}")
    answering.restored(question, key)
    answer: dict[str, object] = {}
    for name, text in proposed.items():
        st.session_state.setdefault(f"{key}:{name}", str(text))
        answer[name] = st.text_area(
            label(name), key=f"{key}:{name}", height="content", persist_state="session"
        )
    if st.button(
        f"Confirm {inline(called)}" if several else "Confirm",
        icon=":material/check:",
        type="primary",
        key=f"{key}:confirm",
    ):
        with mistakes.kept(key):
            answering.forget(question, key)
            answering.hand_in(question, answer)
    answering.keep(question, key, list(proposed))
    answering.begin(question, key)
    mistakes.shown(key)


def wanted(key: str) -> str:
    """Say what a run waits for, as part of a sentence: `your verdict (round 1)`."""
    places, _, asked = key.rpartition("/")
    if asked not in WAITS_FOR:
        return f"your answer: {where(key).lower()}"
    if asked == "rank":  # `person/final/novelty/repeat-1`
        return f"{WAITS_FOR[asked]} by {places.split('/')[-2].replace('-', ' ')}"
    at = where(key).rpartition(":")[0].lower()
    return f"{WAITS_FOR[asked]} ({at})" if at else WAITS_FOR[asked]


def where(key: str) -> str:
    """Say which question a step asks: `branch-2/idea-1/direction` is `Branch 2, round 1:
    direction`.
    """
    *places, asked = key.split("/")
    # In a chain an idea is made anew in every round; in a refinement it is one of several, with
    # rounds of its own.
    named = [place.replace("-", " ") for place in places]
    if "round-" not in key and "step-" not in key:
        named = [place.replace("idea", "round") for place in named]
    if named and named[-1] == "round 0":
        named[-1:] = [] if asked == "first-idea" else ["first idea"]
    return f"{', '.join(named)}: {asked.replace('-', ' ')}".removeprefix(": ").capitalize()
