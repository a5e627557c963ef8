"""The scores of an evolution step by step: nine small trajectories, the vectors, and the same as a
table.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import streamlit as st

from components.checklist.items import COLOURS, LOOKS, NUMBERS, item_name, say_fall
from components.checklist.scene import ChecklistScene, line
from components.shell.colours import ink
from components.shell.plots import BARE, tool_bar
from components.shell.text import counted, inline
from core.records import PRIMARY, Checklist, Discarded, Evolved

Row = dict[str, object]
SIGNS = {1: "circle", 0: "circle-open"}


def draw(scene: ChecklistScene) -> None:
    """Draw how every item fared from step to step, of this idea and, where there are several, of
    all of them.
    """
    if not scene.steps:
        st.info("Scores appear with the first step.", icon=":material/query_stats:")
        return
    scores = [step.scores for step in scene.steps]
    ideas = range(1, scene.inputs.lines + 1) if scene.inputs.lines > 1 else ()
    several = [line(scene.story, n).all(Evolved) for n in ideas]
    st.plotly_chart(
        small_multiples(scores, several, ink()),
        key=f"checklist:items:{scene.run.id}",
        config=tool_bar("evolution-items"),
    )
    dotted = (
        " The dotted line is the share for which the item holds, of ideas that came to this step;"
        " one that ended early because every item held counts as it ended."
    )
    st.caption(
        "Filled mark: the item holds; open mark: it does not; no mark: it was not judged."
        + (dotted if several else "")
    )
    st.dataframe(
        rows(scores), hide_index=True, key=f"checklist:table:{scene.run.id}", height="content"
    )
    for before, after in pairwise(scores):
        if said := say_fall(before, after):
            st.markdown(f":small[:orange[:material/trending_down:] {inline(said, 600)}]")
    if lost := scene.story.all(Discarded):
        asked = len(scene.story.all(Evolved)) + len(lost)
        st.markdown(
            f":small[:material/delete_sweep: {len(lost)} of {counted(asked, 'idea')} could not be"
            f" read and {'was' if len(lost) == 1 else 'were'} discarded ({len(lost) / asked:.0%}).]"
        )


def small_multiples(
    scores: Sequence[Checklist], all_: Sequence[Sequence[Evolved]], colour: str
) -> Any:
    """Return nine small figures, one an item: 1 holds, 0 does not; and the share over all ideas
    where there are several.
    """
    from plotly.subplots import make_subplots

    drawn = make_subplots(
        rows=2,
        cols=5,
        subplot_titles=[f"{item_name(item)}" for item in NUMBERS],
        shared_yaxes=True,
        shared_xaxes=True,
        vertical_spacing=0.22,
        horizontal_spacing=0.03,
    )
    for n, item in enumerate(NUMBERS):
        row, column = (1, n + 1) if item in PRIMARY else (2, n - len(PRIMARY) + 1)
        for trace in _traces(item, scores, all_, colour):
            drawn.add_trace(trace, row=row, col=column)
    text = {"color": colour}
    drawn.update_layout(
        height=330,
        margin={"l": 60, "r": 10, "t": 40, "b": 40},
        font=text,
        showlegend=False,
        **BARE,
    )
    drawn.update_annotations(font={"size": 13, **text})
    drawn.update_yaxes(
        range=[-0.25, 1.25],
        tickvals=[0, 1],
        ticktext=["fails", "holds"],
        tickfont=text,
        zeroline=False,
    )
    drawn.update_xaxes(
        dtick=1,
        range=[-0.4, max(len(scores), *(len(one) for one in all_), 2) - 0.6],
        tickfont=text,
        zeroline=False,
    )
    drawn.update_xaxes(title={"text": "Step", "font": text}, row=2)
    return drawn


def _traces(
    item: str, scores: Sequence[Checklist], all_: Sequence[Sequence[Evolved]], colour: str
) -> list[dict[str, Any]]:
    points = [(n, score) for n, one in enumerate(scores) if (score := _of(one, item)) is not None]
    own = {
        "type": "scatter",
        "x": [n for n, _ in points],
        "y": [y for _, y in points],
        "mode": "lines+markers",
        "line": {"color": COLOURS[item], "width": 2},
        "marker": {"size": 10, "color": COLOURS[item], "symbol": [SIGNS[y] for _, y in points]},
        "hovertemplate": "step %{x}: %{y}<extra>" + item_name(item) + "</extra>",
    }
    if not all_:
        return [own]
    shares: dict[int, float] = {}
    for n in range(max(map(len, all_))):
        found = [_of(step.scores, item) for steps in all_ if (step := _at(steps, n))]
        judged = [score for score in found if score is not None]
        if judged:
            shares[n] = sum(judged) / len(judged)
    share = {
        "type": "scatter",
        "x": list(shares),
        "y": list(shares.values()),
        "mode": "lines",
        "line": {"color": colour, "dash": "dot", "width": 1.2},
        "hovertemplate": "step %{x}: %{y:.0%} of the ideas<extra></extra>",
    }
    return [share, own]


def _at(steps: Sequence[Evolved], n: int) -> Evolved | None:
    """Return an idea as it stood at a step: one that ended early, because every item held, as it
    ended; nothing of one that was discarded before, or is not there yet.
    """
    if n < len(steps):
        return steps[n]
    last = steps[-1] if steps else None
    return last if last and last.feedback and last.feedback.holds else None


def _of(found: Checklist, item: str) -> int | None:
    return next((one.score for one in found.items if one.item == item), None)


def rows(scores: Sequence[Checklist]) -> list[Row]:
    """Return a row for each step: r, s, t, then every item."""
    return [
        {
            "Step": n,
            "r": "?" if one.reward is None else str(one.reward),
            "s": one.primary,
            "t": one.total,
            **{item_name(judged.item): LOOKS[judged.score].word for judged in one.items},
        }
        for n, one in enumerate(scores)
    ]
