"""What an expert reads: texts under their labels, and a refinement up to the round that is asked
for; nothing of where they are from.
"""

from collections.abc import Sequence

import streamlit as st

from components.annotate.words import anchors, quality
from components.arena.voting import read
from components.runs import differences
from components.shell.text import inline, shown
from core.records import Criterion, Design, Idea, Trajectory, TrajectoryRound
from core.studies.effort import Seen
from core.wording.differences import between, form_changed


def side_by_side(texts: Sequence[tuple[str, Seen]], place: str) -> None:
    """Draw texts whole, in the order shown; two beside one another, each scrolling by itself."""
    if len(texts) == 1:
        _whole(*texts[0])
        return
    for n, (column, (label, text)) in enumerate(
        zip(st.columns(len(texts), gap="small"), texts, strict=True)
    ):
        # By the unit's own name, so that a new pair begins at its top.
        with column, st.container(border=True, gap="xsmall", key=f"seat-text-{n}-{place}"):
            _whole(label, text)


def folded(texts: Sequence[tuple[str, Seen]], opened: bool = True) -> None:
    """Draw the texts of a set under their numbers, to be opened one by one; the first is, where
    `opened`.
    """
    for n, (label, text) in enumerate(texts, 1):
        heading = f"{n} · **{label}** {title(text)}"
        with st.expander(heading, expanded=opened and n == 1):
            _read(text)


def title(text: Seen) -> str:
    """Return what a text is called in a list."""
    if isinstance(text, Trajectory):
        text = text.first
    return inline(text.title if isinstance(text, Idea) else text.setup, 70)


def _whole(label: str, text: Seen) -> None:
    st.markdown(f"#### {'Design' if isinstance(text, Design) else 'Idea'} {inline(label)}")
    _read(text)


def _read(text: Seen) -> None:
    read(text.first if isinstance(text, Trajectory) else text)


def unrolled(label: str, text: Seen) -> None:
    """Draw a text whole, of a refinement every round: for an organiser before a session opens."""
    _whole(label, text)
    if not isinstance(text, Trajectory):
        return
    for n, done in enumerate(text.rounds, 1):
        with st.expander(f"Round {n}"):
            _round(n, done, _before(text, n))


def criterion(said: Criterion) -> None:
    """Draw a quality with what it means, and what the ends of its scale mean."""
    st.markdown(
        "  \n".join(
            filter(
                None,
                (f"**{quality(said.name)}**", inline(said.meaning, 2_000), anchors(said)),
            )
        )
    )


def trajectory(label: str, text: Seen, locked: dict[int, str]) -> None:
    """Draw a refinement: rounds that are answered folded, with the answer given; then the one that
    is asked for, with what it changed word by word.
    """
    assert isinstance(text, Trajectory)
    st.markdown(
        f"#### Idea {inline(label)}"
        + (f" :gray[· to improve: {inline(text.goal)}]" if text.goal else "")
    )
    last = len(text.rounds)
    with st.expander("The first idea", expanded=last == 1 and 1 not in locked):
        read(text.first)
    for n, done in enumerate(text.rounds, 1):
        if n in locked:
            with st.expander(f":gray[:material/lock: Round {n}, locked] · {locked[n]}"):
                _round(n, done, _before(text, n))
        elif n == last:
            _round(n, done, _before(text, n))


def _before(text: Trajectory, n: int) -> Idea:
    return text.first if n == 1 else text.rounds[n - 2].idea


def _round(n: int, done: TrajectoryRound, before: Idea) -> None:
    st.markdown(f"##### Round {n}: what the review said")
    st.markdown(
        shown(done.review.summary)
        + "\n\n"
        + "\n".join(f"- {inline(remark.text, 4_000)}" for remark in done.review.remarks)
    )
    st.markdown(f"##### Round {n}: the idea after the revision")
    differences.draw(between(before, done.idea), whole=True, form=form_changed(before, done.idea))
