"""A person as the checklist's judge: the idea with the passages they quote, and item by item
whether it holds, what is wrong, and what to do.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.checklist import passages
from components.checklist.items import item_name
from components.runs import answering
from components.shell import in_view, mistakes, person
from components.shell.frame import told
from components.shell.text import counted, inline
from core.errors import BadInput
from core.judging.checklist import by_code, items_of
from core.records import BY_CODE, Directive, Idea, Item, Judged, PersonChecklist, PersonItem
from core.store.answers import OpenQuestion
from core.wording.passages import locate

SAYS = {1: "Satisfied", 0: "Not satisfied"}
FIELDS = ("score", "span", "issue", "suggestion")
BESIDE = "checklist-beside"
STAYS = f"""<style>
    @media (min-width: 640px) {{
        [data-testid=stColumn]:has(> * > * > .st-key-{BESIDE}) {{
            position: sticky; top: 3.75rem; align-self: flex-start;
            max-height: calc(100vh - 5rem); overflow-y: auto;
        }}
    }}
</style>"""
"""The idea stays beside the items while they are judged; not on a phone, where it stands above."""
WHERE = {
    "verbatim": ":green[:material/check:] Found in the text, and tinted there.",
    "nearest": (
        ":orange[:material/near_me:] Not word for word in the text; the nearest passage is tinted."
    ),
    "not found": (
        ":red[:material/link_off:] These words are not in the text. Copy them from it, or leave the"
        " box empty."
    ),
}


def draw(question: OpenQuestion) -> None:
    """Draw the idea, the items and the way to hand them in."""
    about: Any = question.question["shown"]
    idea = Idea.model_validate(about["idea"])
    items = [Item.model_validate(one) for one in about["items"]]
    key = f"checklist:seat:{question.run}:{question.key}"
    answering.restored(question, key)
    st.markdown("##### :material/person_raised_hand: You judge this idea, item by item")
    left, right = st.columns([3, 2], gap="medium")
    with right, told():
        for item in items:
            _item(idea, item, key)
        _coded(idea)
        _hand_in(question, idea, items, key)
    st.html(STAYS)
    with left, st.container(key=BESIDE):
        st.caption(
            "Copy the words a remark is about from here into the item's box; they are tinted as"
            " soon as they are found."
        )
        passages.draw(idea, [one for item in items if (one := _quoted(idea, item, key))])
    answering.keep(question, key, [f"{name}:{item.name}" for item in items for name in FIELDS])
    answering.begin(question, key)


def _item(idea: Idea, item: Item, key: str) -> None:
    with st.container(key=passages.key(item.name), gap="xsmall"):
        st.markdown(f"**{inline(item_name(item.name))}** {inline(item.holds, 600)}")
        score = st.radio(
            item_name(item.name),
            list(SAYS),
            index=None,
            key=f"{key}:score:{item.name}",
            horizontal=True,
            format_func=SAYS.__getitem__,
            persist_state="session",
            label_visibility="collapsed",
        )
        if score != 0:
            return
        span = (
            st.text_area(
                "The words it is about (empty if something is missing)",
                key=f"{key}:span:{item.name}",
                height=68,
                persist_state="session",
                max_chars=2_000,
            )
            or ""
        )
        if span.strip():
            st.caption(WHERE[locate(idea.text, span).state])
        st.text_area(
            "What is wrong",
            key=f"{key}:issue:{item.name}",
            height=68,
            persist_state="session",
            max_chars=20_000,
        )
        st.text_area(
            "What to do about it",
            key=f"{key}:suggestion:{item.name}",
            height=68,
            persist_state="session",
            max_chars=20_000,
        )


def _coded(idea: Idea) -> None:
    for item in items_of(idea):
        if item.name in BY_CODE:
            found = by_code(idea, item)
            word = ":green[:material/check_circle:] holds"
            if not found.score:
                issue = found.directive.issue if found.directive else ""
                word = f":red[:material/cancel:] fails. {inline(issue, 300)}"
            st.markdown(f":small[**{inline(item_name(item.name))}**, by code: {word}]")


def _quoted(idea: Idea, item: Item, key: str) -> Judged | None:
    """Return the item with the passage that is quoted for it, to be tinted."""
    score, span, issue, suggestion = (_said(key, name, item) for name in FIELDS)
    if score != 0 or not str(span or "").strip():
        return None
    directive = Directive(
        span=str(span),
        issue=str(issue or "").strip() or "Not answered yet",
        suggestion=str(suggestion or "").strip() or "not answered yet",
    )
    return Judged(
        item=item.name, score=0, by="you", directive=directive, passage=locate(idea.text, str(span))
    )


def _said(key: str, name: str, item: Item) -> object:
    return st.session_state.get(f"{key}:{name}:{item.name}")


def _hand_in(question: OpenQuestion, idea: Idea, items: Sequence[Item], key: str) -> None:
    person.field(f"{key}:by", "Your name, kept with the judgment (optional)")
    if st.button("Submit the judgment", type="primary", icon=":material/check:", key=f"{key}:go"):
        with mistakes.kept(key):
            made = PersonChecklist(items=tuple(_judged(idea, item, key) for item in items))
            answering.forget(question, key)
            in_view.wish(in_view.TOP)
            answering.hand_in(question, made.model_dump(mode="json"))
    if left := sum(_said(key, "score", item) is None for item in items):
        st.caption(f"{counted(left, 'item')} not judged yet.")
    mistakes.shown(key)


def _judged(idea: Idea, item: Item, key: str) -> PersonItem:
    """Return what was said of an item; raises BadInput for what is not whole."""
    score, span, issue, suggestion = (_said(key, name, item) for name in FIELDS)
    if score not in (0, 1):
        raise BadInput(
            f"Say of every item whether it is satisfied; {item_name(item.name)} is still open."
        )
    if score == 1:
        return PersonItem(item=item.name, score=1)
    words = [str(one or "").strip() for one in (span, issue, suggestion)]
    if not words[1] or not words[2]:
        raise BadInput(
            f"{item_name(item.name)} is not satisfied: say what is wrong, and what to do about it."
        )
    if words[0] and locate(idea.text, words[0]).state == "not found":
        raise BadInput(
            f"The words quoted for {item_name(item.name)} are not in the text. Copy them from it,"
            " or leave the box empty."
        )
    return PersonItem(
        item=item.name,
        score=0,
        directive=Directive(span=words[0], issue=words[1], suggestion=words[2]),
    )
