"""Ranking by a person: the candidates under letters, put in order by keys or buttons, and how near
the person's Q is to a model's.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from components.runs import answering
from components.runs.models import ranks
from components.shell import idea_card, in_view, keys, mistakes, person, services
from components.shell.frame import told
from components.shell.text import counted, inline
from core.errors import BadInput
from core.judging.ranked_sets import PERSON, RankInputs, judges, place
from core.judging.ranking import agreement, by_chance
from core.records import Indicator, Labelled, PersonPlaced, PersonPlacement, Run, Standing
from core.store.answers import OpenQuestion

ACROSS = 2
"""How many candidates stand side by side, beside the order."""
BLIND = (
    "Who wrote which, where they come from, and which one is published, if one is, is hidden from"
    " you as it is from a judge. Press the letter of the best one, then of the next best; Backspace"
    " takes the last one back."
)

WHO = {"models": "Models", "person": "I, by hand, blind", "both": "I first, then models"}
CHOSEN = "ranks:by"


def choice() -> str:
    """Draw the choice of who ranks and return it; a person, to begin with, where the model chosen
    as judge cannot.
    """
    st.session_state.setdefault(
        CHOSEN, "models" if ranks(services.workshop().chosen("judge")) else "person"
    )
    return str(
        st.segmented_control(
            "Who ranks them",
            list(WHO),
            key=CHOSEN,
            format_func=WHO.__getitem__,
            required=True,
            persist_state="session",
        )
    )


def choose() -> None:
    """Have a person rank."""
    st.session_state[CHOSEN] = "person"


def ahead(asked: RankInputs) -> str:
    """Say what a person will be asked."""
    orders = counted(len(_places(asked)), "order")
    if asked.judged_by == "both":
        return (
            f"{orders} by you first, so that nothing the models say reaches you; then the models go"
            " on by themselves."
        )
    forms = {idea.form for one in asked.sets for idea in one.whole.values()}
    free = f"{orders} by you, free; no model is asked."
    if not asked.same_form or forms <= {"six-field"}:
        return free
    return (
        f"{free} So the ideas stand as they are, and their form may give away where they come from."
    )


def hides(run: Run, asked: RankInputs, held: Mapping[str, Standing]) -> bool:
    """Say whether a person has still to rank here, blind: nothing that would tell them more may be
    seen.
    """
    if asked.judged_by == "models" or run.packed:
        return False
    return any(at not in held for at in _places(asked))


def seat(run: Run, asked: RankInputs) -> None:
    """Draw the next question a person is asked, or say what it waits for."""
    questions = services.store().answers.open(run.id) if run.state == "waiting" else []
    answering.draw(run.id, questions, lambda _: "This order")
    if not questions:
        st.info(
            "The candidates are hidden until you have put them in order: the order is asked for"
            " first, and blind.",
            icon=":material/visibility_off:",
        )
        return
    whole = len(_places(asked))
    with told():
        _ask(questions[0], whole - len(questions) + 1, whole)


def _ask(question: OpenQuestion, n: int, whole: int) -> None:
    about: Any = question.question["shown"]
    candidates = [Labelled.model_validate(one) for one in about["candidates"]]
    goal = Indicator.model_validate(about["goal"])
    letters = [candidate.label for candidate in candidates]
    key = f"ranks:seat:{question.run}:{question.key}"
    answering.restored(question, key)
    keys.listen(
        [*letters, *map(str.lower, letters), "Backspace"],
        partial(_press, key, letters),
        f"{key}:keys",
    )
    st.markdown(
        f"##### :material/person_raised_hand: Which has most {inline(goal.name)}?"
        + (f" :gray[{n} of {whole}]" if whole > 1 else "")
    )
    st.markdown(f"Traits: {inline('; '.join(goal.traits), 600)}.")
    st.caption(BLIND)
    left, right = st.columns([2, 1], gap="large")
    with left:
        _cards(candidates, key)
    with right:
        _order(question, {one.label: one.idea.title for one in candidates}, key)
    answering.keep(question, key, ["order", *(f"why:{one}" for one in letters)])
    answering.begin(question, key)


def _cards(candidates: Sequence[Labelled], key: str) -> None:
    order = _order_so_far(key)
    for at in range(0, len(candidates), ACROSS):
        row = candidates[at : at + ACROSS]
        for column, one in zip(st.columns(ACROSS, gap="medium"), row, strict=False):
            with column:
                with st.container(horizontal=True, vertical_alignment="center"):
                    st.markdown(f"### {one.label}")
                    st.space("stretch")
                    placed = one.label in order
                    st.button(
                        f"Place {order.index(one.label) + 1}" if placed else "Next best",
                        key=f"{key}:take:{one.label}",
                        disabled=placed,
                        icon=":material/check:" if placed else ":material/add:",
                        on_click=_take,
                        args=(key, one.label),
                    )
                idea_card.draw(one.idea, None, "", "")


def _order(question: OpenQuestion, titles: Mapping[str, str], key: str) -> None:
    """Draw the places, all of them from the beginning so that nothing jumps, with a reason for each
    that may stay empty; `titles` are what the candidates are headed, by letter.
    """
    letters = tuple(titles)
    order = _order_so_far(key)
    st.markdown("**Your order, best first**")
    for n in range(1, len(letters) + 1):
        letter = order[n - 1] if n <= len(order) else None
        if letter:
            st.text_input(
                f"Place {n}: {letter}, {inline(titles[letter], 60)}. Why (optional)",
                key=f"{key}:why:{letter}",
                max_chars=4_000,
                persist_state="session",
            )
        else:
            st.text_input(f"Place {n}: open", key=f"{key}:open:{n}", disabled=True)
    with st.container(horizontal=True):
        st.button(
            "Take the last back",
            icon=":material/undo:",
            key=f"{key}:undo",
            disabled=not order,
            on_click=_undo,
            args=(key,),
        )
        st.button(
            "Begin again",
            type="tertiary",
            key=f"{key}:again",
            disabled=not order,
            on_click=st.session_state.update,
            args=({f"{key}:order": []},),
        )
    person.field(f"{key}:by", "Your name, kept with the order (optional)")
    if st.button(
        "Submit the order",
        type="primary",
        icon=":material/check:",
        key=f"{key}:go",
        disabled=len(order) < len(letters),
    ):
        with mistakes.kept(key):
            _hand_in(question, letters, key)
    if len(order) < len(letters):
        st.caption(f"{counted(len(letters) - len(order), 'candidate')} without a place yet.")
    mistakes.shown(key)


def _hand_in(question: OpenQuestion, letters: Sequence[str], key: str) -> None:
    order = _order_so_far(key)
    if sorted(order) != sorted(letters):
        raise BadInput("Give every candidate a place first.")
    places = tuple(
        PersonPlaced(label=one, reason=str(st.session_state.get(f"{key}:why:{one}") or "").strip())
        for one in order
    )
    answering.forget(question, key)
    in_view.wish(in_view.TOP)
    answering.hand_in(question, PersonPlacement(places=places).model_dump(mode="json"))


def _order_so_far(key: str) -> list[str]:
    held: list[str] = st.session_state.get(f"{key}:order") or []
    return held


def _take(key: str, letter: str) -> None:
    if letter not in (order := _order_so_far(key)):  # The browser may report one click twice.
        st.session_state[f"{key}:order"] = [*order, letter]


def _undo(key: str) -> None:
    st.session_state[f"{key}:order"] = _order_so_far(key)[:-1]


def _press(key: str, letters: Sequence[str], pressed: str) -> None:
    if pressed == "Backspace":
        _undo(key)
    elif pressed.upper() in letters:
        _take(key, pressed.upper())


# -- beside the models -------------------------------------------------------------------------


def called(run: Run, asked: RankInputs) -> dict[str, str]:
    """Return who ranks, by role: models by name, the person by theirs, or as you."""
    return judges(asked, run.config.models) | (
        {PERSON: _who(run, asked)} if asked.judged_by != "models" else {}
    )


def _who(run: Run, asked: RankInputs) -> str:
    names: list[str] = []
    for at in _places(asked):
        step = services.store().steps.get(run.id, f"{at}/repeat-1/rank")
        if step and step.origin.name not in names:
            names.append(step.origin.name)
    yours = names in ([], [person.NOBODY], [person.given()])
    return "you" if yours else ", ".join(names)


def _places(asked: RankInputs) -> list[str]:
    """Return the places of the orders that a person is asked for."""
    return [place(PERSON, one.name, goal.name) for one in asked.sets for goal in asked.goals]


def agreements(said: Mapping[str, Standing], names: Mapping[str, str]) -> None:
    """Say how near the person's Q is to each model's, and how near two who guess would be."""
    mine = said.get(PERSON)
    found = {
        role: near
        for role, one in said.items()
        if mine and role != PERSON and (near := agreement(mine, one)) is not None
    }
    if not mine or not found:
        return
    others = len(mine.rankings[0].shown) - 1
    with st.container(border=True, gap="xsmall"):
        st.markdown(
            " · ".join(
                f":material/handshake: A(Q) with {inline(names[role], 60)}: **{near:.2f}**"
                for role, near in found.items()
            )
        )
        st.caption(
            "A(Q) = 1 - |difference of Q|, the mean over the model's repeats; 1 is the same place"
            f" every time. Two who place the published idea at random among {others + 1} agree"
            f" {by_chance(others):.2f} on average, so only what is well above that says something,"
            " and one order says little."
        )
