"""One cell of the matrix: its ideas, where the published idea stands among them, what the judges
said, and the runs behind all that.
"""

import streamlit as st

from components.experiments import matrix
from components.experiments.words import LOOKS
from components.ranking import orders as ranking_orders
from components.runs.states import PAGES
from components.shell import idea_card, services
from components.shell.text import counted, inline
from core.experiments.contenders import WRITERS
from core.experiments.progress import CellProgress, CellRun
from core.judging import ranked_sets
from core.records import Made, Run, Standing, Standings, Target
from core.story import Story, revive

DONE = {
    "question": (":material/help:", "asked and reviewed for all evolutions"),
    "first ideas": (":material/edit_note:", "begun for all methods alike"),
    "ideas": (":material/draw:", "written"),
    "common form": (":material/view_agenda:", "brought into six fields"),
    "ranking": (":material/balance:", "ranked"),
}
"""What each kind of run did, with its icon."""


def draw(run: Run, cell: CellProgress) -> None:
    """Draw all there is of a cell."""
    look = LOOKS[cell.state]
    names = {f"{cell.cell.name}/ideas", *(piece.name for piece in cell.pieces)}
    products = services.store().steps.products(run.id)
    told = {one.name: revive(one) for one in products if one.name in names}
    with st.container(border=True, key=matrix.OPENED):
        st.markdown(f"##### {inline(matrix.titled(cell.cell), 160)}")
        st.markdown(
            f":{look.colour}-badge[{look.icon} {look.word}] {inline(cell.title, 200)}"
            f" :gray[{inline(cell.category)}]"
        )
        if cell.reason:
            st.error(inline(cell.reason, 1_000))
        _target(cell)
        made = told.get(f"{cell.cell.name}/ideas")
        if isinstance(made, Made):
            _ideas(made)
        for piece in cell.pieces:
            standings = told.get(piece.name)
            if isinstance(standings, Standings):
                _judged(standings, piece)
        _runs(cell)


def _target(cell: CellProgress) -> None:
    target = services.store().frozen.get(cell.cell.target, Target)
    with st.expander(
        ":material/adjust: The published idea, and the topic given to the methods",
        key=f"cell:target:{cell.cell.target[:12]}",
    ):
        st.markdown(f"**Topic:** {inline(target.topic, 600)}")
        idea_card.draw(target.idea, None, "", "")
        st.caption(f"{counted(len(target.background), 'abstract')} as background.")


def _ideas(made: Made) -> None:
    rounds = made.rounds or (0,) * len(made.ideas)
    ended = made.converged or (False,) * len(made.ideas)
    for k, (idea, n, converged) in enumerate(zip(made.ideas, rounds, ended, strict=False), 1):
        how = "not revised"
        if n:
            how = f"{counted(n, 'round')}, {'converged' if converged else 'not converged'}"
        with st.expander(
            f"**Idea {k}** {inline(idea.title, 110)} :gray[{how}]", key=f"cell:idea:{made.run}:{k}"
        ):
            idea_card.draw(
                idea,
                made.run,
                f"experiment, {made.cell.method}, {n} rounds",
                f"cell:idea:{made.run}:{k}:card",
            )


def _judged(said: Standings, piece: CellRun) -> None:
    verdict = f"no ranking came about. {inline(said.reason, 400)}"
    if said.q:
        n = len(said.q)
        mean = sum(said.q) / n
        verdict = f"mean Q **{mean:.2f}** over {counted(n, 'repeat')}"
    st.markdown(f"**{inline(said.judge)}**: {verdict}")
    rounds = [f"{q:.2f}" for q in said.by_round if q is not None]
    if rounds:
        st.caption(f"By round, from the first idea on: {', '.join(rounds)}")
    final = ranked_sets.place("judge", "final", said.cell.indicator)
    found = dict(Story.of(services.store(), said.run).parts).get(final)
    if isinstance(found, Standing):
        with st.expander("Orders and reasons", key=f"cell:why:{piece.run}"):
            ranking_orders.draw(found, {}, f"cell:{piece.run}")


def _screen(cell: CellProgress, piece: CellRun) -> str:
    """Return the page that shows a run: every page has the way to its steps, and back here."""
    if piece.what in ("ideas", "first ideas"):
        return PAGES[WRITERS[cell.cell.method].method]
    method = {"ranking": "rank", "question": "question"}.get(piece.what, "forms")
    return PAGES.get(method, "pages/runs.py")


def _runs(cell: CellProgress) -> None:
    st.markdown("**Runs behind it**")
    with st.container(horizontal=True):
        for piece in cell.pieces:
            icon, what = DONE[piece.what]
            if piece.run:
                st.page_link(
                    _screen(cell, piece),
                    label=(
                        f"{what} by {inline(piece.by, 40)} ({piece.state},"
                        f" {counted(piece.calls, 'call')})"
                    ),
                    icon=icon,
                    query_params={"run": piece.run},
                )
            else:
                st.caption(f"{icon} to be {what} by {inline(piece.by, 40)}", width="content")
