"""The experiment that would test the chosen idea: its design, each review of it, what was looked
up, what was refined.
"""

import streamlit as st

from components.runs import searches, states
from components.shell.text import inline, shown
from core.records import Design, DesignReview, DesignRound, Run, label
from core.story import Story
from core.wording.differences import compare

JUDGED = {
    "clear": "clear",
    "complete": "complete",
    "named": "data, models and metrics named",
    "runnable": "reproducible",
}


def draw(run: Run, story: Story) -> None:
    """Draw the newest design and how it came about, or what it waits for."""
    first, rounds = story.last(Design), story.all(DesignRound)
    if first is None:
        st.caption(
            "The experiment is designed for the idea that is chosen."
            if states.active(run)
            else "The run ended before an experiment was designed."
        )
    else:
        design, history = st.columns([3, 2], gap="large")
        with design:
            times = "once" if len(rounds) == 1 else f"{len(rounds)} times"
            refined = f" :gray-badge[refined {times}]" if rounds else ""
            st.markdown(f"##### Experiment{refined}")
            parts(rounds[-1].design if rounds else first)
        with history:
            designs = [first, *(done.design for done in rounds)]
            for before, after in zip(designs, rounds, strict=False):
                st.markdown(f"##### Review, round {after.n}")
                _review(after.review)
                if after.searches:
                    st.markdown("**Looked up**")
                    searches.draw(after.searches)
                _refined(before, after.design)
            if not rounds:
                st.caption(
                    "It was not reviewed." if not states.active(run) else "Its review comes next."
                )
    if states.active(run):
        states.doing(run, "experiment/")


def parts(design: Design) -> None:
    """Draw a design, part by part."""
    with st.container(border=True):
        for name, text in design.model_dump(exclude={"procedure", "analysis"}).items():
            st.markdown(f"**{label(name)}**\n\n{shown(text)}")
        st.markdown(
            "**Procedure**\n\n"
            + "\n".join(f"{n}. {inline(step, 2_000)}" for n, step in enumerate(design.procedure, 1))
        )
        st.markdown(f"**Analysis**\n\n{shown(design.analysis)}")


def _review(review: DesignReview) -> None:
    badges = []
    for name, quality in JUDGED.items():
        if getattr(review, name):
            badges.append(f":green-badge[:material/check: {quality}]")
        else:
            badges.append(f":orange-badge[:material/close: not {quality}]")
    st.markdown(" ".join(badges))
    for remark in review.remarks:
        st.markdown(f"- **{inline(remark.id)}** {inline(remark.text, 2_000)}")
    if not review.remarks:
        st.caption("No remark.")


def _refined(before: Design, after: Design) -> None:
    changed = [
        name for name in Design.model_fields if getattr(before, name) != getattr(after, name)
    ]
    if not changed:
        st.caption("Nothing was changed.")
        return
    with st.expander("What was refined: " + ", ".join(name.replace("_", " ") for name in changed)):
        for name in changed:
            old, new = (
                " ".join(value) if isinstance(value, tuple) else str(value)
                for value in (getattr(before, name), getattr(after, name))
            )
            st.markdown(f"**{label(name)}.** {changes(old, new)}")
        st.caption("New words on green; what was there before is struck out.")


def changes(before: str, after: str) -> str:
    """Return the newer text as Markdown, word by word: what is new marked, what is gone struck
    out.
    """
    marks = {"same": "{}", "removed": ":gray[~~{}~~]", "added": ":green-background[{}]"}
    told = [one for one in compare(before, after) if one.text.strip()]
    return " ".join(marks[one.kind].format(inline(one.text, 4_000)) for one in told)
