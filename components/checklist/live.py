"""The step that is being made: the text as it is written, then the items as they are judged;
everything stands where it will stand.
"""

from collections.abc import Sequence

import streamlit as st
from pydantic import ValidationError
from pydantic_core import from_json

from components.checklist import passages, vector
from components.checklist.items import named
from components.checklist.scene import WRITES, ChecklistScene
from components.shell.text import inline, shown
from core.records import Idea, Judged

HEIGHT = 520
"""Pixels the text takes while it is written, so that nothing jumps."""


def draw(scene: ChecklistScene, n: int) -> None:
    """Draw step `n` as far as it is made."""
    idea = scene.written(n)
    if idea is None and not scene.live:
        st.info(
            "This step was not written. Resume goes on from here; nothing is paid twice.",
            icon=":material/pause_circle:",
        )
        return
    found = scene.so_far(n, idea) if idea else {}
    vector.so_far(idea, {name: one.score for name, one in found.items()})
    left, right = st.columns([3, 2], gap="medium")
    open_ = [one for one in found.values() if one.score == 0]
    with left:
        if idea:
            st.caption(
                ":material/rule: The text is finished;"
                f" {'its items are being judged.' if scene.live else 'the judging broke off.'}"
            )
            passages.draw(idea, open_)
        else:
            _written(scene, n)
    with right:
        if idea is None and n and (before := scene.steps[n - 1].feedback):
            _directives(
                f"Directives on {'the first idea' if n == 1 else f'step {n - 1}'}",
                before.unsatisfied,
            )
        else:
            _directives("Directives so far" if open_ else "Directives appear here", open_)


def _directives(heading: str, held: Sequence[Judged]) -> None:
    st.markdown(f"**{heading}**")
    for one in held:
        with st.container(key=passages.key(one.item), gap="xsmall"):
            st.markdown(
                f"**{inline(named(one.item))}**"
                f" {shown(one.directive.issue) if one.directive else ''}"
            )


def _written(scene: ChecklistScene, n: int) -> None:
    part = next(
        (
            one
            for one in scene.parts
            if one.key.startswith(f"{scene.prefix}step-{n}/")
            and one.key.rsplit("/", 1)[-1] in WRITES
        ),
        None,
    )
    said = (
        "The first idea is being written."
        if n == 0
        else f"The idea of step {n - 1} is being revised."
    )
    st.caption(
        f":material/edit_note: {said}" + (f" {inline(part.note)}" if part and part.note else "")
    )
    with st.container(height=HEIGHT, border=True, autoscroll=True):
        if part and (idea := _partly(part.text)):
            st.html(passages.marked(idea, ()))
        elif part:
            st.markdown(shown(part.text))


def _partly(reply: str) -> Idea | None:
    """Return the idea of a reply that is half written; None while there is none in it."""
    try:
        said = from_json(reply, allow_partial="trailing-strings")
        return Idea(form="headed", fields={"text": said["idea"]})
    except (ValueError, ValidationError, KeyError, TypeError):
        return None
