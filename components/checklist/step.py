"""One step of an evolution: vector, the idea with its passages or with what changed, and its
directives.
"""

import streamlit as st

from components.checklist import address, directives, passages, vector
from components.checklist.items import fell, judges, named
from components.checklist.scene import ChecklistScene, last
from components.runs import differences
from components.shell import idea_card
from components.shell.text import inline
from core.judging import headed
from core.records import Checklist, Idea, Judged
from core.wording.differences import Difference, between, compare

PASSAGES, CHANGES = "Passages", "What changed"
EVERY = "all"
GIVES, SCORES = "Directives", "Scores"


def draw(scene: ChecklistScene, n: int) -> None:
    """Draw step `n`, which is over."""
    step = scene.steps[n]
    gives = _judge(scene, n)
    found = last(step, gives)
    vector.draw(found)
    if n and (said := fell(last(scene.steps[n - 1], gives), found)):
        st.markdown(f":small[:orange[:material/trending_down:] {inline(said, 600)}]")
    left, right = st.columns([3, 2], gap="medium")
    with left:
        chosen = _text(scene, n, found)
    with right:
        directives.draw(scene, n, found, chosen, followed=gives and step.feedback is not None)
    if not scene.run.packed and not (scene.outcome and scene.outcome.round == n):
        idea_card.keeping(
            step.idea, scene.run.id, f"{scene.prefix}step-{n}", key=f"checklist:{scene.prefix}{n}"
        )


def _judge(scene: ChecklistScene, n: int) -> bool:
    """Draw which judge is looked at, where another one scores; return whether it is the one that
    gives directives.
    """
    step = scene.steps[n]
    if not scene.inputs.apart or step.feedback is None:
        return step.feedback is not None
    names = {GIVES: f"{GIVES}: {judges(step.feedback)}", SCORES: f"{SCORES}: {judges(step.scores)}"}
    return (
        st.segmented_control(
            "Judge",
            list(names),
            key="checklist:judge",
            default=GIVES,
            required=True,
            format_func=lambda one: inline(names[one], 60),
            persist_state="session",
            label_visibility="collapsed",
        )
        == GIVES
    )


def _text(scene: ChecklistScene, n: int, found: Checklist) -> str | None:
    """Draw the idea and return the one item whose passages are looked at, or None for all."""
    ways, way = (PASSAGES, CHANGES), PASSAGES
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if n:
            way = (
                st.segmented_control(
                    "Show in the text",
                    ways,
                    key="checklist:way",
                    default=PASSAGES,
                    required=True,
                    persist_state="session",
                    label_visibility="collapsed",
                )
                or PASSAGES
            )
        chosen = _item(scene, n, found)
    if way == CHANGES:
        marked = changes(scene.steps[n - 1].idea, scene.steps[n].idea)
        differences.draw(marked, whole=differences.unchanged(marked))
    else:
        passages.draw(scene.steps[n].idea, tinted(found), chosen)
    return chosen


def _item(scene: ChecklistScene, n: int, found: Checklist) -> str | None:
    offered = [one.item for one in found.unsatisfied]
    if len(offered) < 2:
        return None
    asked, key = (
        address.at(scene.run, "item"),
        f"checklist:item:{scene.run.id}:{scene.n}:{n}",
    )
    st.session_state[key] = asked if asked in offered else EVERY
    picked = st.pills(
        "Item",
        [EVERY, *offered],
        key=key,
        required=True,
        format_func=lambda one: one if one == EVERY else named(one),
        wrap=True,
        on_change=address.chosen,
        args=(scene.run, "item", key, lambda one: "" if one == EVERY else str(one)),
        label_visibility="collapsed",
    )
    return None if picked in (None, EVERY) else str(picked)


def changes(older: Idea, newer: Idea) -> tuple[Difference, ...]:
    """Return what changed, section by section; as one text where the headings are not the same or
    something stands before the first one.
    """
    held = [headed.sections(idea.text) if idea.form == "headed" else () for idea in (older, newer)]
    names = [[one.written for one in sections] for sections in held]
    whole = any(
        idea.text[: sections[0].at].strip()
        for idea, sections in zip((older, newer), held, strict=True)
        if sections
    )
    if names[0] != names[1] or not names[0] or len(set(names[0])) < len(names[0]) or whole:
        return between(older, newer)
    before, after = (
        [idea.text[one.start : one.end].strip() for one in sections]
        for idea, sections in zip((older, newer), held, strict=True)
    )
    return tuple(
        Difference(field=name, pieces=compare(old, new))
        for name, old, new in zip(names[0], before, after, strict=True)
    )


def tinted(found: Checklist) -> list[Judged]:
    """Return the items whose passages are tinted."""
    return [one for one in found.unsatisfied if one.directive]
