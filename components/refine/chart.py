"""The scores of a refinement against the round: where it stands against a target, and how far it
has moved.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from components.refine import tradeoff
from components.refine.facts import papers
from components.refine.scene import RefineScene
from components.refine.tradeoff import GOALS, height
from components.refine.words import Q_MEANS, spread
from components.shell.colours import ink
from core.charts.style import plain
from core.judging.claims import SIMILARITY
from core.records import Checklist, Outcome, Round, Standing

NEAR = (
    ("to the first idea", "to_first", "solid", "circle"),
    ("to the version before", "to_previous", "dot", "square"),
    ("to the nearest paper", "to_nearest", "dash", "diamond"),
)
CONFIG = {
    "displaylogo": False,
    "modeBarButtonsToRemove": [
        "select2d",
        "lasso2d",
        "zoom2d",
        "pan2d",
        "zoomIn2d",
        "zoomOut2d",
        "autoScale2d",
        "resetScale2d",
    ],
    "toImageButtonOptions": {"format": "svg", "filename": "refinement"},
}
ITEMS_MEAN = (
    "Each item is judged by itself. An idea in six fields has no headings, so that length and"
    " layout are not judged: there are seven items, five of them primary."
)
Row = dict[str, object]


def draw(scene: RefineScene) -> None:
    """Draw every score there is against the round, each with its table."""
    rounds, goals, colour = scene.line.rounds, names(scene), ink()
    if not rounds:
        st.info("Scores appear with the first round.")
        return
    held = {n: scene.line.standings(n) for n in range(scene.line.newest + 1)}
    if any(held.values()):
        st.markdown("##### Score against the target", help=Q_MEANS)
        _chart(scored(held, goals, scene.line.outcome, colour), "q", scene, scored_rows(held))
    if scene.story.rankings:
        st.markdown("##### Score of all ideas together against the target", help=Q_MEANS)
        together = {
            n: tuple(one for one in scene.story.rankings if one.round == n)
            for n in sorted({one.round or 0 for one in scene.story.rankings})
        }
        _chart(scored(together, goals, None, colour), "together", scene, scored_rows(together))
    if lists := {
        n: found for n in range(scene.line.newest + 1) if (found := scene.line.checklist(n))
    }:
        st.markdown("##### Items of the checklist that hold", help=ITEMS_MEAN)
        _chart(ticked(lists, scene.line.outcome, colour), "checklist", scene, ticked_rows(lists))
    if any(one.measures for one in rounds):
        st.markdown("##### Similarity", help=SIMILARITY)
        _chart(
            moved(rounds, scene.line.outcome, colour),
            "moved",
            scene,
            moved_rows(rounds, {paper.id: paper.title for paper in papers(scene)}),
        )
    if len(goals) > 1:
        tradeoff.draw(scene, goals, colour)
    if not scene.story.target:
        st.caption(
            "There is no target idea, so nothing is ranked. A target is chosen where a refinement"
            " starts."
        )


def names(scene: RefineScene) -> tuple[str, ...]:
    """Return the qualities of the whole game, in its order."""
    plays = (*(leg.play for leg in scene.inputs.earlier), scene.inputs.play)
    return tuple(dict.fromkeys(goal.name for play in plays for goal in play.goals))


def _chart(figure: Any, name: str, scene: RefineScene, rows: Sequence[Row]) -> None:
    st.plotly_chart(
        figure, key=f"refine:chart:{name}:{scene.run.id}", config=CONFIG, theme="streamlit"
    )
    st.dataframe(
        rows, hide_index=True, key=f"refine:table:{name}:{scene.run.id}", height=height(len(rows))
    )


# -- figures -----------------------------------------------------------------------------------


def scored(
    held: Mapping[int, Sequence[Standing]],
    goals: Sequence[str],
    outcome: Outcome | None,
    colour: str,
) -> Any:
    """Return Q (0..1, higher is better) against the round, a line a quality, its bar the range over
    repeats.
    """
    import plotly.graph_objects as go

    drawn = go.Figure()
    for goal, (shade, symbol) in zip(goals, GOALS, strict=False):
        points = [
            (n, one.q, *spread(one))
            for n, several in held.items()
            for one in several
            if one.goal == goal and one.q is not None
        ]
        if points:
            drawn.add_trace(
                go.Scatter(
                    x=[n for n, *_ in points],
                    y=[q for _, q, *_ in points],
                    name=plain(goal),
                    mode="lines+markers",
                    line={"color": shade},
                    marker={"symbol": symbol, "size": 10, "color": shade},
                    hovertemplate="round %{x}: Q %{y:.2f}<extra>" + plain(goal) + "</extra>",
                    error_y={
                        "type": "data",
                        "symmetric": False,
                        "array": [high - q for _, q, _, high in points],
                        "arrayminus": [q - low for _, q, low, _ in points],
                        "thickness": 1.2,
                        "width": 5,
                    },
                )
            )
    return _laid_out(
        drawn, max(held), outcome, colour, "Q (bar: range over repeats)", [-0.05, 1.05]
    )


def moved(rounds: Sequence[Round], outcome: Outcome | None, colour: str) -> Any:
    """Return similarities against the round; improved rounds are filled marks, others open."""
    import plotly.graph_objects as go

    drawn = go.Figure()
    for name, field, dash, symbol in NEAR:
        points = [
            (one.n, y, one)
            for one in rounds
            if one.measures and (y := getattr(one.measures, field)) is not None
        ]
        if points:
            marks = [
                symbol if one.verdict is None or one.verdict.improved else f"{symbol}-open"
                for _, _, one in points
            ]
            drawn.add_trace(
                go.Scatter(
                    x=[n for n, *_ in points],
                    y=[y for _, y, _ in points],
                    name=name,
                    mode="lines+markers",
                    line={"color": colour, "dash": dash, "width": 1.2},
                    marker={"symbol": marks, "size": 8, "color": colour},
                    hovertemplate="round %{x}: %{y:.2f}<extra>" + name + "</extra>",
                )
            )
    return _laid_out(
        drawn,
        rounds[-1].n,
        outcome,
        colour,
        "Similarity",
        [min(0.0, *(_least(one) for one in rounds)) - 0.03, 1.05],
        "Round (open mark: no improvement)",
        first=1,
    )


def ticked(lists: Mapping[int, Checklist], outcome: Outcome | None, colour: str) -> Any:
    """Return how many items hold against the round, all of them and the primary ones; a version
    with an item that was not judged is left out.
    """
    import plotly.graph_objects as go

    drawn, whole = go.Figure(), {n: one for n, one in lists.items() if one.complete}
    for name, field, dash, symbol in (
        ("all items", "total", "solid", "circle"),
        ("primary items", "primary", "dash", "diamond-open"),
    ):
        drawn.add_trace(
            go.Scatter(
                x=list(whole),
                y=[getattr(one, field) for one in whole.values()],
                name=name,
                mode="lines+markers",
                line={"color": colour, "dash": dash, "width": 1.2},
                marker={"symbol": symbol, "size": 9, "color": colour},
                hovertemplate="round %{x}: %{y}<extra>" + name + "</extra>",
            )
        )
    most = max(len(one.items) for one in lists.values())
    return _laid_out(drawn, max(lists), outcome, colour, "Items that hold", [-0.3, most + 0.3])


def _least(one: Round) -> float:
    return (
        min(one.measures.to_first, one.measures.to_previous, one.measures.to_nearest or 0.0)
        if one.measures
        else 0.0
    )


def _laid_out(
    drawn: Any,
    last: int,
    outcome: Outcome | None,
    colour: str,
    y: str,
    span: list[float],
    x: str = "Round (0: the first idea)",
    first: int = 0,
) -> Any:
    text = {"color": colour}
    drawn.update_layout(
        height=280,
        margin={"l": 60, "r": 20, "t": 40, "b": 45},
        font=text,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        showlegend=True,
        xaxis={
            "title": {"text": x, "font": text},
            "dtick": 1 if last <= 20 else 5,
            "range": [first - 0.4, last + 0.6],
            "tickfont": text,
            "zeroline": False,
        },
        yaxis={
            "title": {"text": y, "font": text},
            "range": span,
            "tickfont": text,
            "zeroline": False,
        },
        legend={
            "orientation": "h",
            "y": 1.02,
            "x": 0,
            "xanchor": "left",
            "yanchor": "bottom",
            "font": text,
        },
    )
    if outcome and outcome.converged:
        drawn.add_vline(x=outcome.round, line={"color": colour, "dash": "dot", "width": 1})
        drawn.add_annotation(
            x=outcome.round,
            y=0.02,
            yref="paper",
            xanchor="right",
            showarrow=False,
            text="converged ",
            font=text,
        )
    return drawn


# -- tables ------------------------------------------------------------------------------------


def scored_rows(held: Mapping[int, Sequence[Standing]]) -> list[Row]:
    """Return a row for each version and quality."""
    return [
        {"Round": n, "Quality": one.goal, **_qs(one), "Rankings": len(one.rankings)}
        for n, several in held.items()
        for one in several
    ]


def _qs(one: Standing) -> Row:
    low, high = spread(one) if one.q is not None else (None, None)
    return {
        "Q": one.q and round(one.q, 3),
        "Least": low and round(low, 3),
        "Greatest": high and round(high, 3),
    }


def moved_rows(rounds: Sequence[Round], titles: Mapping[str, str]) -> list[Row]:
    """Return a row for each round; a paper is called by its title."""
    said = {True: "improved", False: "no improvement", None: ""}
    return [
        {
            "Round": one.n,
            "Quality": one.goal,
            "Verdict": said[one.verdict.improved if one.verdict else None],
            **{
                name.capitalize(): (
                    round(y, 3)
                    if one.measures and (y := getattr(one.measures, field)) is not None
                    else None
                )
                for name, field, *_ in NEAR
            },
            "Nearest paper": (
                titles.get(one.measures.nearest or "", one.measures.nearest or "")
                if one.measures
                else ""
            ),
        }
        for one in rounds
    ]


def ticked_rows(lists: Mapping[int, Checklist]) -> list[Row]:
    """Return a row for each version, an item a column; an item that was not judged is empty."""
    said = {1: "holds", 0: "does not hold", None: ""}
    return [
        {
            "Round": n,
            "Hold": one.total,
            "Primary": one.primary,
            **{judged.item.capitalize(): said[judged.score] for judged in one.items},
        }
        for n, one in lists.items()
    ]
