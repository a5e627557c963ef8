"""What was said of ideas, as a chart and a table."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from components.shell.opinions import Mark
from components.shell.text import inline
from core.charts.style import error_bars, plain

CONFIG = {"displaylogo": False, "toImageButtonOptions": {"filename": "ratings", "scale": 2}}
Marks = Mapping[tuple[str, str], Mark]


def chart(marks: Marks, titles: Mapping[str, str], criteria: Sequence[str]) -> None:
    """Draw every rating as a dot and the mean with its 95 % interval, one panel a criterion."""
    st.plotly_chart(figure(marks, titles, criteria), key="rate:chart", config=CONFIG)
    st.caption(
        "Dot: one rater's latest rating, darker where several agree. Diamond: the mean. Bar: its 95"
        " % interval (Student's t, cut at the ends of the scale), where at least two people rated."
        " n: how many rated."
    )
    st.caption(" · ".join(f"**{n}** {inline(title)}" for n, title in enumerate(titles.values(), 1)))


def figure(marks: Marks, titles: Mapping[str, str], criteria: Sequence[str]) -> Any:
    """Return the figure: ideas down, ratings from 1 to 10 across."""
    from plotly.subplots import make_subplots

    names = []
    for n, title in enumerate(titles.values(), 1):
        short = title if len(title) <= 30 else f"{title[:29]}…"
        names.append(plain(f"{n}. {short}"))
    headings = [plain(one) for one in criteria]
    drawn = make_subplots(
        1, len(criteria), shared_yaxes=True, subplot_titles=headings, horizontal_spacing=0.02
    )
    for column, criterion in enumerate(criteria, 1):
        here = [
            (name, mark)
            for name, idea in zip(names, titles, strict=True)
            if (mark := marks.get((idea, criterion)))
        ]
        for trace in _traces(here):
            drawn.add_trace(trace, row=1, col=column)
    drawn.update_xaxes(
        range=[0.5, 10.5], tickvals=[1, 4, 7, 10], showgrid=True, title_text="Rating, 1 to 10"
    )
    drawn.update_yaxes(
        categoryorder="array", categoryarray=names[::-1], range=[-0.6, len(names) - 0.4]
    )
    drawn.update_yaxes(title_text="Idea", row=1, col=1)
    drawn.update_layout(
        title_text="Ratings by idea and criterion",
        height=170 + 58 * len(names),
        margin={"l": 10, "r": 10, "t": 90, "b": 50},
        showlegend=False,
    )
    return drawn


def _traces(here: Sequence[tuple[str, Mark]]) -> tuple[Any, Any]:
    from plotly import graph_objects

    dots = [(name, score) for name, mark in here for score in mark.scores]
    single = graph_objects.Scatter(
        x=[score for _, score in dots],
        y=[name for name, _ in dots],
        mode="markers",
        name="one rating",
        marker={"size": 11, "color": "#4f9bd9", "opacity": 0.6},
        hovertemplate="%{x}<extra></extra>",
    )
    means = graph_objects.Scatter(
        x=[mark.mean for _, mark in here],
        y=[name for name, _ in here],
        mode="markers+text",
        name="mean",
        text=[f"n={len(mark.scores)}" for _, mark in here],
        textposition="top center",
        textfont={"size": 11},
        cliponaxis=False,
        marker={
            "size": 13,
            "symbol": "diamond",
            "color": "#d9822b",
            "line": {"width": 1, "color": "#7a4a12"},
        },
        error_x=error_bars(
            [min(mark.half or 0, 10 - mark.mean) for _, mark in here],
            [min(mark.half or 0, mark.mean - 1) for _, mark in here],
            "#d9822b",
        ),
        hovertemplate="mean %{x:.2f}<extra></extra>",
    )
    return means, single


def table(
    marks: Marks,
    ranked: Mapping[str, tuple[float, ...]],
    titles: Mapping[str, str],
    criteria: Sequence[str],
) -> list[dict[str, str]]:
    """Return one row an idea: mean and n by criterion, mean place; what nobody said stays empty."""
    rows = []
    for idea, title in titles.items():
        row = {"Idea": title}
        for criterion in criteria:
            mark = marks.get((idea, criterion))
            row[criterion] = f"{mark.mean:.2f} (n={len(mark.scores)})" if mark else ""
        places = ranked.get(idea, ())
        row["Mean place"] = f"{sum(places) / len(places):.2f} (n={len(places)})" if places else ""
        rows.append(row)
    return rows
