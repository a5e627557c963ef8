"""One step of an evolution: vector, the idea with its passages or with what changed, and its
directives.
"""

from collections.abc import Sequence

import streamlit as st
from pydantic import ValidationError
from pydantic_core import from_json

from components.checklist import address, declines, items, passages
from components.checklist.items import item_name, judges, say_fall
from components.checklist.passages import key
from components.checklist.scene import WRITES, ChecklistScene, last
from components.runs import differences
from components.shell import idea_card, in_view
from components.shell.text import counted, inline, shown
from components.shell.widget_state import put
from core.judging import headed
from core.records import Checklist, Idea, Judged
from core.wording.differences import Difference, between, compare, form_changed

PASSAGES, CHANGES = "Passages", "What changed"
EVERY = "all"
GIVES, SCORES = "Directives", "Scores"


INVENTED = ":orange[:material/link_off:] The judge quotes words that are not in the text."
NEAREST = (
    ":material/near_me: The passage nearest to the words the judge quotes is tinted; they are not"
    " word for word in the text."
)
WHOLE = ":material/article: About the text as a whole: no passage."
HEIGHT = 520
"""Pixels the text takes while it is written, so that nothing jumps."""


def draw(scene: ChecklistScene, n: int) -> None:
    """Draw step `n`, which is over."""
    step = scene.steps[n]
    gives = _judge(scene, n)
    found = last(step, gives)
    items.draw(found)
    if n and (said := say_fall(last(scene.steps[n - 1], gives), found)):
        st.markdown(f":small[:orange[:material/trending_down:] {inline(said, 600)}]")
    left, right = st.columns([3, 2], gap="medium")
    with left:
        chosen = _text(scene, n, found)
    with right:
        _directives(scene, n, found, chosen, followed=gives and step.feedback is not None)
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
    way: str | None = PASSAGES
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if n:
            way = st.segmented_control(
                "Show in the text",
                (PASSAGES, CHANGES),
                key="checklist:way",
                default=PASSAGES,
                required=True,
                persist_state="session",
                label_visibility="collapsed",
            )
        chosen = _item(scene, n, found)
    if way == CHANGES:
        older, newer = scene.steps[n - 1].idea, scene.steps[n].idea
        marked = changes(older, newer)
        whole = differences.unchanged(marked)
        form = form_changed(older, newer) or headed.headings_changed(older, newer)
        differences.draw(marked, whole=whole, form=form)
    else:
        passages.draw(scene.steps[n].idea, tinted(found), chosen)
    return chosen


def _item(scene: ChecklistScene, n: int, found: Checklist) -> str | None:
    offered = [one.item for one in found.unsatisfied]
    if len(offered) < 2:
        return None
    asked = address.at(scene.run, "item")
    key = f"checklist:item:{scene.run.id}:{scene.n}:{n}"
    put(key, asked if asked in offered else EVERY)
    picked = st.pills(
        "Item",
        [EVERY, *offered],
        key=key,
        required=True,
        format_func=lambda one: one if one == EVERY else item_name(one),
        wrap=True,
        on_change=_open_item,
        args=(scene, key),
        label_visibility="collapsed",
    )
    return None if picked in (None, EVERY) else str(picked)


def _open_item(scene: ChecklistScene, key: str) -> None:
    address.chosen(scene.run, "item", key, lambda one: "" if one == EVERY else str(one))
    in_view.wish(key)


def changes(older: Idea, newer: Idea) -> tuple[Difference, ...]:
    """Return what changed, section by section; as one text where the headings are not the same or
    something stands before the first one.
    """
    ideas = (older, newer)
    parts = [headed.sections(idea.text) if idea.form == "headed" else () for idea in ideas]
    names, after = ([section.written for section in sections] for sections in parts)
    ahead = any(
        idea.text[: sections[0].at].strip()
        for idea, sections in zip(ideas, parts, strict=True)
        if sections
    )
    if not names or names != after or len(set(names)) < len(names) or ahead:
        return between(older, newer)
    old, new = (
        [idea.text[section.start : section.end].strip() for section in sections]
        for idea, sections in zip(ideas, parts, strict=True)
    )
    return tuple(
        Difference(field=name, pieces=compare(was, now))
        for name, was, now in zip(names, old, new, strict=True)
    )


def tinted(found: Checklist) -> list[Judged]:
    """Return the items whose passages are tinted."""
    return [one for one in found.unsatisfied if one.directive]


def _directives(
    scene: ChecklistScene,
    n: int,
    found: Checklist,
    chosen: str | None = None,
    followed: bool = True,
) -> None:
    """Draw the directives of step `n`; `followed` says whether they are those a revision is made
    by.
    """
    open_ = [one for one in found.unsatisfied if one.directive]
    st.markdown(
        f"**{counted(len(open_), 'directive')}**"
        if open_
        else "**No directives: every item that was judged holds.**"
    )
    if open_ and followed and declines.may_choose(scene, n):
        st.caption("What is not ticked is declined: the next revision is made without it.")
    if open_ and not followed:
        st.caption(
            "These directives are not used: "
            + (
                "this judge only scores."
                if scene.inputs.informed
                else "the model corrects itself without seeing them."
            )
        )
    declined = scene.steps[n + 1].declined if n < scene.newest else None
    for one in open_:
        if chosen in (None, one.item):
            with st.container(key=key(one.item), gap="xsmall"):
                assert one.directive
                st.markdown(f"**{inline(item_name(one.item))}** {shown(one.directive.issue)}")
                st.markdown(
                    f":small[:material/arrow_forward: {inline(one.directive.suggestion, 2_000)}]"
                )
                passage = one.passage
                if passage is None or (
                    passage.state == "not found" and not one.directive.span.strip()
                ):
                    st.caption(WHOLE)
                elif passage.state == "not found":
                    st.caption(INVENTED)
                elif passage.state == "nearest":
                    st.caption(NEAREST)
                if followed:
                    declines.choice(scene, n, one, declined)
    if left := len(open_) - sum(chosen in (None, one.item) for one in open_):
        st.caption(
            f"{counted(left, 'directive')} on other items {'is' if left == 1 else 'are'} not shown."
        )
    _unjudged(scene, n, found)


def _unjudged(scene: ChecklistScene, n: int, found: Checklist) -> None:
    """Say which items have no score, why, and how to have them judged again."""
    missing = [one for one in found.items if one.score is None]
    if not missing:
        return
    with st.container(border=True, gap="xsmall"):
        for one in missing:
            st.markdown(
                f":orange[:material/help:] **{inline(item_name(one.item))}: not judged.**"
                f" {inline(one.reason, 400)}"
            )
        st.page_link(
            "pages/runs.py",
            label=f"Fork at {scene.prefix}step-{n} to ask again",
            icon=":material/call_split:",
            query_params={"run": scene.run.id},
        )


def live(scene: ChecklistScene, n: int) -> None:
    """Draw step `n` as far as it is made."""
    idea = scene.written(n)
    if idea is None and not scene.live:
        st.info(
            "This step was not written. Resume continues from the last recorded step. Recorded"
            " steps are not paid for again.",
            icon=":material/pause_circle:",
        )
        return
    found = scene.so_far(n, idea) if idea else {}
    items.so_far(idea, {name: one.score for name, one in found.items()})
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
            _directives_so_far(
                f"Directives on {'the first idea' if n == 1 else f'step {n - 1}'}",
                before.unsatisfied,
            )
        else:
            _directives_so_far("Directives so far" if open_ else "Directives appear here", open_)


def _directives_so_far(heading: str, held: Sequence[Judged]) -> None:
    st.markdown(f"**{heading}**")
    for one in held:
        with st.container(key=passages.key(one.item), gap="xsmall"):
            st.markdown(
                f"**{inline(item_name(one.item))}**"
                f" {shown(one.directive.issue) if one.directive else ''}"
            )


def _written(scene: ChecklistScene, n: int) -> None:
    place = f"{scene.prefix}step-{n}/"
    part = next(
        (
            one
            for one in scene.parts
            if one.key.startswith(place) and one.key.rsplit("/", 1)[-1] in WRITES
        ),
        None,
    )
    what = (
        f"The idea of step {n - 1} is being revised." if n else "The first idea is being written."
    )
    note = f" {inline(part.note)}" if part and part.note else ""
    st.caption(f":material/edit_note: {what}{note}")
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
