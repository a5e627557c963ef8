"""What an expert reads: texts under their labels, and a refinement up to the round that is asked
for; nothing of where they are from.
"""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from components.annotate.words import anchors, little_and_much, quality
from components.arena.voting import read
from components.runs import differences
from components.shell.text import inline, shown
from core.records import Criterion, Design, Idea, Task, Trajectory, TrajectoryRound
from core.studies.effort import Seen
from core.wording.catalogue import ENGLISH, Wording, source
from core.wording.differences import between, form_changed

Opened = Callable[[str], None]
"""Takes the label of a text that is opened, or folded again."""


def side_by_side(words: Wording, texts: Sequence[tuple[str, Seen]], place: str) -> None:
    """Draw texts whole, in the order shown; two beside one another, each scrolling by itself."""
    if len(texts) == 1:
        _whole(words, *texts[0])
        return
    for n, (column, (label, text)) in enumerate(
        zip(st.columns(len(texts), gap="small"), texts, strict=True)
    ):
        # By the unit's own name, so that a new pair begins at its top.
        with column, st.container(border=True, gap="xsmall", key=f"seat-text-{n}-{place}"):
            _whole(words, label, text)


def folded(words: Wording, texts: Sequence[tuple[str, Seen]]) -> None:
    """Draw the texts of a set under their numbers, to be opened one by one."""
    for n, (label, text) in enumerate(texts, 1):
        with st.expander(heading(words, n, label, text)):
            _read(words, text)


def one_by_one(
    words: Wording, texts: Sequence[tuple[str, Seen]], place: str, open_: Opened
) -> None:
    """Draw the texts of a set under their numbers, the first opened: which others are is told to
    `open_`.
    """
    for n, (label, text) in enumerate(texts, 1):
        # A heading that changed would fold it again.
        with st.expander(
            heading(words, n, label, text),
            expanded=n == 1,
            key=f"seat:read:{place}:{n}",
            on_change=open_,
            args=(label,),
        ):
            _read(words, text)


def heading(words: Wording, n: int, label: str, text: Seen) -> str:
    """Return what a text of a set is called where it is folded; labels may have other names."""
    return f"{n} · **{inline(words.again(label))}** {title(text)}"


def title(text: Seen) -> str:
    """Return what a text is called in a list."""
    if isinstance(text, Trajectory):
        text = text.first
    return inline(text.title if isinstance(text, Idea) else text.setup, 70)


def _whole(words: Wording, label: str, text: Seen) -> None:
    name = "text.design" if isinstance(text, Design) else "text.idea"
    st.markdown(f"#### {words(name, label=inline(words.again(label)))}", anchors=False)
    _read(words, text)


def _read(words: Wording, text: Seen) -> None:
    read(text.first if isinstance(text, Trajectory) else text, field_names(words).get)


def field_names(words: Wording) -> dict[str, str]:
    """Return what the parts of a text are called, by their names in records."""
    known = (name.removeprefix("field.") for name in source() if name.startswith("field."))
    return {name: words(f"field.{name}") for name in known}


def unrolled(label: str, text: Seen) -> None:
    """Draw a text whole, of a refinement every round: for an organiser before a session opens."""
    _whole(ENGLISH, label, text)
    if not isinstance(text, Trajectory):
        return
    for n, done in enumerate(text.rounds, 1):
        with st.expander(f"Round {n}"):
            _round(ENGLISH, n, done, _before(text, n))


def criterion(words: Wording, said: Criterion, task: Task) -> None:
    """Draw a quality with what it means, and what points of its scale mean, or little and much of
    it; of an order, which has neither, nothing.
    """
    lines = [f"**{quality(words, said.name)}**", inline(said.meaning, 2_000)]
    if task == "compare":
        lines.append(little_and_much(words, said))
    elif task == "rate":
        lines.append(anchors(words, said))
    st.markdown("  \n".join(filter(None, lines)))


def trajectory(words: Wording, label: str, text: Seen, locked: Mapping[int, str]) -> None:
    """Draw a refinement: rounds that are answered folded, with the answer given; then the one that
    is asked for, with what it changed word by word.
    """
    assert isinstance(text, Trajectory)
    goal = ""
    if text.goal:
        goal = f" :gray[· {words('text.improve', goal=inline(words.again(text.goal)))}]"
    name = words("text.idea", label=inline(words.again(label)))
    st.markdown(f"#### {name}{goal}", anchors=False)
    last = len(text.rounds)
    with st.expander(words("text.first"), expanded=last == 1 and 1 not in locked):
        _read(words, text.first)
    for n, done in enumerate(text.rounds, 1):
        if n in locked:
            heading = words("text.locked", n=n)
            with st.expander(f":gray[:material/lock: {heading}] · {locked[n]}"):
                _round(words, n, done, _before(text, n))
        elif n == last:
            _round(words, n, done, _before(text, n))


def _before(text: Trajectory, n: int) -> Idea:
    return text.first if n == 1 else text.rounds[n - 2].idea


def _round(words: Wording, n: int, done: TrajectoryRound, before: Idea) -> None:
    st.markdown(f"##### {words('text.review', n=n)}", anchors=False)
    st.markdown(
        shown(done.review.summary)
        + "\n\n"
        + "\n".join(f"- {inline(remark.text, 4_000)}" for remark in done.review.remarks)
    )
    st.markdown(f"##### {words('text.revised', n=n)}", anchors=False)
    form = words("text.form_changed") if form_changed(before, done.idea) else ""
    differences.draw(between(before, done.idea), whole=True, form=form, says=_marks(words))


def _marks(words: Wording) -> differences.Marks:
    return differences.Marks(
        removed=words("text.removed"),
        added=words("text.added"),
        tags={
            "same": words("text.same"),
            "removed": words("text.gone"),
            "added": words("text.new"),
        },
        rest=words("text.sentences_gone"),
        fields=field_names(words),
    )
