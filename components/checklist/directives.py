"""The directives of a step beside its text: what is wrong, what to do, where, and whether the next
revision is to follow them.
"""

import streamlit as st

from components.checklist import people
from components.checklist.items import named
from components.checklist.passages import key
from components.checklist.scene import ChecklistScene
from components.shell.text import counted, inline, shown
from core.records import Checklist, Judged

INVENTED = ":orange[:material/link_off:] The judge quotes words that are not in the text."
NEAREST = (
    ":material/near_me: The passage nearest to the words the judge quotes is tinted; they are not"
    " word for word in the text."
)
WHOLE = ":material/article: About the text as a whole: no passage."


def draw(
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
    if open_ and followed and people.may_choose(scene, n):
        st.caption("What is not ticked is declined: the next revision is made without it.")
    if open_ and not followed:
        st.caption(
            "They go no further: "
            + (
                "this judge only scores."
                if scene.inputs.informed
                else "the model corrects itself without seeing them."
            )
        )
    declined = _declined(scene, n)
    for one in open_:
        if chosen in (None, one.item):
            with st.container(key=key(one.item), gap="xsmall"):
                _one(one)
                if followed:
                    people.choice(scene, n, one, declined)
    if left := len(open_) - sum(chosen in (None, one.item) for one in open_):
        st.caption(
            f"{counted(left, 'directive')} on other items {'is' if left == 1 else 'are'} not shown."
        )
    unjudged(scene, n, found)


def unjudged(scene: ChecklistScene, n: int, found: Checklist) -> None:
    """Say which items have no score, why, and how to have them judged again."""
    missing = [one for one in found.items if one.score is None]
    if not missing:
        return
    with st.container(border=True, gap="xsmall"):
        for one in missing:
            st.markdown(
                f":orange[:material/help:] **{inline(named(one.item))}: not judged.**"
                f" {inline(one.reason, 400)}"
            )
        st.page_link(
            "pages/runs.py",
            label=f"Fork at {scene.prefix}step-{n} to ask again",
            icon=":material/call_split:",
            query_params={"run": scene.run.id},
        )


def _one(one: Judged) -> None:
    assert one.directive
    st.markdown(f"**{inline(named(one.item))}** {shown(one.directive.issue)}")
    st.markdown(f":small[:material/arrow_forward: {inline(one.directive.suggestion, 2_000)}]")
    passage = one.passage
    if passage is None or (passage.state == "not found" and not one.directive.span.strip()):
        st.caption(WHOLE)
    elif passage.state == "not found":
        st.caption(INVENTED)
    elif passage.state == "nearest":
        st.caption(NEAREST)


def _declined(scene: ChecklistScene, n: int) -> tuple[str, ...] | None:
    """Return the items whose directive was declined before the revision that followed, or None
    where none followed yet.
    """
    return scene.steps[n + 1].declined if n < scene.newest else None
