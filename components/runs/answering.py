"""Handing a person's answer to the run that asked for it; somebody else may be quicker, even while
one is still writing.
"""

from collections.abc import Callable, Sequence

import streamlit as st

from components.shell import person, services
from components.shell.text import inline, shown
from core.errors import BadInput
from core.store.answers import OpenQuestion


def hand_in(question: OpenQuestion, answer: dict[str, object]) -> None:
    """Give the answer and draw the page anew; raises BadInput for what does not fit."""
    by, begun = person.name(), _begun(question.run)
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
    st.rerun()


def begin(question: OpenQuestion, key: str) -> None:
    """Remember what the form of a question held when it was first drawn; its boxes are called by
    this key.
    """
    _begun(question.run).setdefault(question.key, (key, _held(key)))


def draw(run: str, questions: Sequence[OpenQuestion], called: Callable[[str], str]) -> None:
    """Say where somebody else answered what was being answered here, and show what was written in
    vain.
    """
    for name in set(_begun(run)) - {question.key for question in questions}:
        key, before = _begun(run).pop(name)
        given = services.store().answers.given(run, name)
        mine = [value for place, value in _held(key).items() if before.get(place) != value]
        if given and mine:
            st.session_state[_lost(run)] = (
                name,
                given[1],
                [value for value in mine if isinstance(value, str) and value.strip()],
            )
    if lost := st.session_state.get(_lost(run)):
        _overtaken(run, called(lost[0]), lost[1], lost[2])


def _overtaken(run: str, called: str, by: str, wrote: Sequence[str]) -> None:
    with st.container(border=True):
        st.warning(
            f"{inline(called)} was answered by {inline(by, 80)} meanwhile. The first answer stands,"
            " and the run goes on with it.",
            icon=":material/group:",
        )
        if wrote:
            with st.expander("What you wrote"):
                st.markdown("\n\n".join(map(shown, wrote)))
        st.button(
            "Put it away",
            type="tertiary",
            key=f"answering:away:{run}",
            on_click=st.session_state.pop,
            args=(_lost(run), None),
        )


def _begun(run: str) -> dict[str, tuple[str, dict[str, object]]]:
    """Return the forms that were drawn here and not handed in, by the key of their question."""
    found: dict[str, tuple[str, dict[str, object]]] = st.session_state.setdefault(
        f"answering:begun:{run}", {}
    )
    return found


def _held(key: str) -> dict[str, object]:
    return {
        str(name): value
        for name, value in st.session_state.items()
        if str(name).startswith(f"{key}:")
    }


def _lost(run: str) -> str:
    return f"answering:lost:{run}"


def withdraw(run: str, number: int) -> None:
    """Withdraw a wish that was filed; the run's screen says where it was taken up already."""
    try:
        services.store().answers.withdraw(run, number)
    except BadInput as error:
        st.session_state["states:said"] = str(error)
