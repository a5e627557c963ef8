"""Answering what a run asks: handing a person's answer in, where somebody else may be quicker, even
while one is still writing; and keeping what is half said until then.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from time import monotonic

import streamlit as st

from components.shell import person, services
from components.shell.text import inline, shown
from core.errors import BadInput
from core.store.answers import OpenQuestion
from core.store.places import OF_A_RUN

SOON = 20.0
"""Seconds after an answer in which the person still waits for the next question."""


def hand_in(question: OpenQuestion, answer: dict[str, object]) -> None:
    """Give the answer and draw the page anew; raises BadInput for what does not fit."""
    by, begun = person.name(), _drawn_forms(question.run)
    try:
        services.runner().answer(question.run, question.key, answer, by)
        begun.pop(question.key, None)
    except BadInput:
        given = services.store().answers.given(question.run, question.key)
        if given is None:
            raise
        # The browser may report one click twice: the answer that stands may be this one.
        if given == (answer, by):
            begun.pop(question.key, None)
    st.session_state[f"answered:{question.run}"] = monotonic()
    st.rerun()


def brings_next(run: str) -> bool:
    """Say, once, whether an answer was handed in here a moment ago, so that the next question of
    the run is to be brought into view.
    """
    at = st.session_state.pop(f"answered:{run}", None)
    return at is not None and monotonic() - at < SOON


def begin(question: OpenQuestion, key: str) -> None:
    """Remember what the form of a question held when it was first drawn; its boxes are called by
    this key.
    """
    _drawn_forms(question.run).setdefault(question.key, (key, _boxes(key)))


def draw(run: str, questions: Sequence[OpenQuestion], called: Callable[[str], str]) -> None:
    """Say where somebody else answered what was being answered here, and show what was written in
    vain.
    """
    overtaken = f"answering:lost:{run}"
    for name in set(_drawn_forms(run)) - {question.key for question in questions}:
        key, before = _drawn_forms(run).pop(name)
        given = services.store().answers.given(run, name)
        mine = [value for place, value in _boxes(key).items() if before.get(place) != value]
        if given and mine:
            texts = [value for value in mine if isinstance(value, str) and value.strip()]
            st.session_state[overtaken] = (name, given[1], texts)
    if overtaken not in st.session_state:
        return
    name, by, texts = st.session_state[overtaken]
    with st.container(border=True):
        st.warning(
            f"{inline(called(name))} was answered by {inline(by, 80)} meanwhile. The first answer"
            " stands, and the run goes on with it.",
            icon=":material/group:",
        )
        if texts:
            with st.expander("What you wrote"):
                st.markdown("\n\n".join(map(shown, texts)))
        st.button(
            "Dismiss",
            type="tertiary",
            key=f"answering:away:{run}",
            on_click=st.session_state.pop,
            args=(overtaken, None),
        )


def _drawn_forms(run: str) -> dict[str, tuple[str, dict[str, object]]]:
    """Return the forms that were drawn here and not handed in, by the key of their question."""
    found: dict[str, tuple[str, dict[str, object]]] = st.session_state.setdefault(
        f"answering:begun:{run}", {}
    )
    return found


def _boxes(key: str) -> dict[str, object]:
    """Return what stands in the boxes of a form."""
    return {
        str(name): value
        for name, value in st.session_state.items()
        if str(name).startswith(f"{key}:")
    }


def withdraw(run: str, number: int) -> None:
    """Withdraw a wish that was filed; the run's screen says where it was taken up already."""
    try:
        services.store().answers.withdraw(run, number)
    except BadInput as error:
        st.session_state["states:said"] = str(error)


# -- what is half said: kept in the store until it is handed in, so that a reload loses nothing ---


def restored(question: OpenQuestion, key: str) -> None:
    """Put what was kept into the boxes called by this key, before they are first drawn here."""
    if _last_key(key) in st.session_state:
        return
    kept = services.store().places.choice(_choice_name(question)) or "{}"
    draft = json.loads(kept)
    for name, value in draft.items():
        st.session_state.setdefault(f"{key}:{name}", value)
    # Last: Streamlit may break a drawing off at any of these lines, and boxes marked as restored
    # that are not would be kept as empty.
    st.session_state[_last_key(key)] = draft


def keep(question: OpenQuestion, key: str, names: Iterable[str]) -> None:
    """Keep what stands in these boxes, if it is not what was kept last."""
    values = {name: st.session_state.get(f"{key}:{name}") for name in names}
    draft = {name: value for name, value in values.items() if value not in (None, "", [])}
    if draft != st.session_state.get(_last_key(key)):
        text = json.dumps(draft, ensure_ascii=False)
        services.store().places.choose(_choice_name(question), text if draft else None)
        st.session_state[_last_key(key)] = draft


def forget(question: OpenQuestion, key: str) -> None:
    """Let go of what was kept, as it is handed in; what is refused is kept again at the next
    drawing.
    """
    services.store().places.choose(_choice_name(question), None)
    st.session_state[_last_key(key)] = None


def _choice_name(question: OpenQuestion) -> str:
    return OF_A_RUN.format(question.run, question.key)


def _last_key(key: str) -> str:
    return f"draft:{key}"
