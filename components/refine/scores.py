"""The scores of a refinement against the round: where it stands against a target, and how far it
has moved.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import streamlit as st

from components.refine import tradeoff
from components.refine.facts import papers
from components.refine.scene import RefineScene
from components.refine.tradeoff import GOALS
from components.shell.colours import ink
from components.shell.plots import axis, draw_table, lay_out, marked_line, tool_bar
from components.shell.text import counted, inline
from core.charts.style import error_bars, plain
from core.judging.claims import SIMILARITY
from core.judging.ranking import q_of
from core.records import Checklist, Measures, Outcome, Round, Standing

NEAREST = "to the nearest background paper"
NEAR = (
    ("to the first idea", "to_first", "solid", "circle"),
    ("to the version before", "to_previous", "dot", "square"),
    (NEAREST, "to_nearest", "dash", "diamond"),
)
Q_MEANS = (
    "Q = (place of the target - 1) / number of our ideas, the mean over the rankings: 0 where the"
    " target is best, 1 where all of ours stand before it."
)
ITEMS_MEAN = (
    "Each item is judged by itself. An idea in six fields has no headings, so that length and"
    " layout are not judged: there are seven items, five of them primary."
)
FILES = {
    "q": "score",
    "together": "score-of-all",
    "checklist": "checklist",
    "moved": "similarity",
}
"""What each chart is called when it is saved, after the name of the screen."""
Row = dict[str, object]


def draw(scene: RefineScene) -> None:
    """Draw every score there is against the round, each with its table."""
    rounds, goals, colour = scene.line.rounds, quality_names(scene), ink()
    if not rounds:
        st.info("Scores appear with the first round.")
        return
    outcome, versions = scene.line.outcome, range(scene.line.newest + 1)
    standings = {n: scene.line.standings(n) for n in versions}
    if any(standings.values()):
        st.markdown("##### Score against the target", help=Q_MEANS)
        _chart(score_figure(standings, goals, outcome, colour), "q", scene, scored_rows(standings))
    if rankings := scene.story.rankings:
        st.markdown("##### Score of all ideas together against the target", help=Q_MEANS)
        together = {
            n: tuple(one for one in rankings if one.round == n)
            for n in sorted({one.round or 0 for one in rankings})
        }
        _chart(
            score_figure(together, goals, None, colour), "together", scene, scored_rows(together)
        )
    if lists := {n: found for n in versions if (found := scene.line.checklist(n))}:
        st.markdown("##### Items of the checklist that hold", help=ITEMS_MEAN)
        _chart(checklist_figure(lists, outcome, colour), "checklist", scene, ticked_rows(lists))
    if any(one.measures for one in rounds):
        st.markdown("##### Similarity", help=SIMILARITY)
        titles = {paper.id: paper.title for paper in papers(scene)}
        first = scene.line.measures(0)
        better = {done.n for done in rounds if scene.inputs.counts(done)}
        drawn = similarity_figure(rounds, better, outcome, colour, first)
        _chart(drawn, "moved", scene, moved_rows(rounds, titles, first))
    if len(goals) > 1:
        tradeoff.draw(scene, goals, colour)
    if not scene.story.target:
        st.caption(
            "There is no target idea, so nothing is ranked. A target is chosen where a refinement"
            " starts."
        )


def to_nearest(near: float) -> str:
    """Return how near a version is to the background, as a line of a list."""
    return f"- {NEAREST}: **{near:.2f}**"


def standing(one: Standing) -> str:
    """Say where the target stands, or why that is not known."""
    missing = f" ({inline(one.reason, 300)})" if one.reason else ""
    if one.q is None:
        return f"{inline(one.goal)}: not ranked{missing}"
    ours = len(one.rankings[0].best_first) - 1 if one.rankings else 1
    many = counted(len(one.rankings), "ranking")
    place = f"{ours} ideas, {many}"
    if ours == 1:
        before = sum(ranked.best_first[-1] == "target" for ranked in one.rankings)
        place = f"before the target in {before} of {many}"
    return f"{inline(one.goal)}: **Q {one.q:.2f}**, {place}{missing}"


def spread(one: Standing) -> tuple[float, float]:
    """Return the least and the greatest Q over the rankings that came about."""
    qs = [q_of(ranked) for ranked in one.rankings]
    return min(qs), max(qs)


def quality_names(scene: RefineScene) -> tuple[str, ...]:
    """Return the qualities of the whole refinement, in its order."""
    plays = (*(leg.play for leg in scene.inputs.earlier), scene.inputs.play)
    return tuple(dict.fromkeys(goal.name for play in plays for goal in play.goals))


def _chart(figure: Any, name: str, scene: RefineScene, rows: Sequence[Row]) -> None:
    run, bar = scene.run.id, tool_bar(f"refinement-{FILES[name]}")
    st.plotly_chart(figure, key=f"refine:chart:{name}:{run}", config=bar)
    draw_table(rows, f"refine:table:{name}:{run}")


# -- figures -----------------------------------------------------------------------------------


def score_figure(
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
            up = [high - q for _, q, _, high in points]
            down = [q - low for _, q, low, _ in points]
            drawn.add_trace(
                marked_line(
                    [n for n, *_ in points],
                    [q for _, q, *_ in points],
                    shade,
                    plain(goal),
                    "round %{x}: Q %{y:.2f}",
                    marker={"symbol": symbol, "size": 10},
                    error_y=error_bars(up, down, shade),
                )
            )
    return _lay_out(drawn, max(held), outcome, colour, "Q (bar: range over repeats)", [-0.05, 1.05])


def similarity_figure(
    rounds: Sequence[Round],
    better: Collection[int],
    outcome: Outcome | None,
    colour: str,
    first: Measures | None,
) -> Any:
    """Return similarities against the round; rounds that count as better are filled marks, others
    open. Of the first idea, which is round 0, the one to the background alone is drawn, where it
    was measured.
    """
    import plotly.graph_objects as go

    drawn = go.Figure()
    least = 0.0
    for name, field, dash, symbol in NEAR:
        points = [
            (done.n, near, done.n in better)
            for done in rounds
            if done.measures and (near := getattr(done.measures, field)) is not None
        ]
        if name == NEAREST and first and first.to_nearest is not None:
            points = [(0, first.to_nearest, True), *points]
        if points:
            least = min(least, *(near for _, near, _ in points))
            marks = [symbol if filled else f"{symbol}-open" for *_, filled in points]
            drawn.add_trace(
                marked_line(
                    [n for n, *_ in points],
                    [near for _, near, _ in points],
                    colour,
                    name,
                    "round %{x}: %{y:.2f}",
                    line={"dash": dash, "width": 1.2},
                    marker={"symbol": marks, "size": 8},
                )
            )
    return _lay_out(
        drawn,
        rounds[-1].n,
        outcome,
        colour,
        "Similarity",
        [least - 0.03, 1.05],
        "Round (0: the first idea; open mark: no improvement found)",
        first=0 if first else 1,
    )


def checklist_figure(lists: Mapping[int, Checklist], outcome: Outcome | None, colour: str) -> Any:
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
            marked_line(
                list(whole),
                [getattr(one, field) for one in whole.values()],
                colour,
                name,
                "round %{x}: %{y}",
                line={"dash": dash, "width": 1.2},
                marker={"symbol": symbol, "size": 9},
            )
        )
    most = max(len(one.items) for one in lists.values())
    return _lay_out(drawn, max(lists), outcome, colour, "Items that hold", [-0.3, most + 0.3])


def _lay_out(
    drawn: Any,
    last: int,
    outcome: Outcome | None,
    colour: str,
    y: str,
    span: list[float],
    x: str = "Round (0: the first idea)",
    first: int = 0,
) -> Any:
    rounds = {"dtick": 1 if last <= 20 else 5, "range": [first - 0.4, last + 0.6]}
    lay_out(drawn, colour, 280, axis(x, colour, **rounds), axis(y, colour, range=span))
    if outcome and outcome.converged:
        drawn.add_vline(x=outcome.round, line={"color": colour, "dash": "dot", "width": 1})
        drawn.add_annotation(
            x=outcome.round,
            y=0.02,
            yref="paper",
            xanchor="right",
            showarrow=False,
            text="converged ",
            font={"color": colour},
        )
    return drawn


# -- tables ------------------------------------------------------------------------------------


def scored_rows(held: Mapping[int, Sequence[Standing]]) -> list[Row]:
    """Return a row for each version and quality."""
    rows: list[Row] = []
    for n, several in held.items():
        for one in several:
            row: Row = {"Round": n, "Quality": one.goal, "Q": None, "Least": None, "Greatest": None}
            if one.q is not None:
                low, high = (round(end, 3) for end in spread(one))
                row |= {"Q": round(one.q, 3), "Least": low, "Greatest": high}
            rows.append(row | {"Rankings": len(one.rankings)})
    return rows


def moved_rows(
    rounds: Sequence[Round], titles: Mapping[str, str], first: Measures | None
) -> list[Row]:
    """Return a row for each round, and one for the first idea where it was measured; a paper is
    called by its title.
    """
    said = {True: "improved", False: "no improvement", None: ""}
    rows: list[Row] = []
    if first and first.to_nearest is not None:
        row: Row = {"Round": 0, "Quality": "", "Verdict": "first idea"}
        row |= {name.capitalize(): None for name, *_ in NEAR}
        row[NEAREST.capitalize()] = round(first.to_nearest, 3)
        rows.append(row | {"Nearest paper": titles.get(first.nearest or "", first.nearest)})
    for done in rounds:
        measures = done.measures
        nearest = (measures.nearest or "") if measures else ""
        verdict = said[done.verdict.improved if done.verdict else None]
        row = {"Round": done.n, "Quality": done.goal, "Verdict": verdict}
        for name, field, *_ in NEAR:
            value = getattr(measures, field, None)
            row[name.capitalize()] = value and round(value, 3)
        rows.append(row | {"Nearest paper": titles.get(nearest, nearest)})
    return rows


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
