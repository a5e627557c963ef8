"""One keyword: the ideas of every model side by side, each where its place was kept for it, judged
as they come.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from components.benchmark import address, brainstorm_form, idea_card
from components.benchmark.form import panel as bench_form_panel
from components.benchmark.idea_card import CardScene, scene_of
from components.benchmark.progress_lost import ask_again
from components.runs import writing
from components.runs.models import spoken
from components.runs.states import active
from components.shell import mistakes, services
from components.shell.text import inline, shown
from core.records import BENCH_DIMENSIONS, BenchCell, Run
from core.store.steps import Partial

WIDTH, TEXT, LINE, BAR = 280, 540, 26, 60
"""Pixels: a model's column, an idea's text (a hundred words), a small line, a line with a button in
it. The same before and after something is there, so that nothing moves.
"""
ROW = 4 * WIDTH + 3 * 16
"""Pixels of four columns with their gaps; fewer stand beside each other where there is less room.
"""
draw_form = brainstorm_form.draw


class ModelCells(NamedTuple):
    """The cells of one model, by what they are."""

    ideas: Mapping[int, BenchCell]
    judges: Mapping[int, Sequence[BenchCell]]
    """By idea."""
    pairs: Sequence[BenchCell]


def draw(run: Run) -> None:
    """Draw the ideas on the keyword; the page draws it again and again while it is active."""
    scene = scene_of(run)
    _head(scene)
    _further(scene)
    with st.container(horizontal=True, gap="small", width=ROW):
        for n, one in enumerate(scene.asked.models):
            with st.container(width=WIDTH, gap="small"):
                _model(scene, n, one.model)


def _head(scene: CardScene) -> None:
    said = "Ideas only: not judged."
    if scene.asked.judges:
        said = (
            f"{scene.asked.judges_each} of the {len(scene.asked.judges)} judges read each idea,"
            " none its own: originality, feasibility, clarity, 1 to 10."
        )
    if any(one.model == "builtin" for one in scene.asked.models):
        said += f" {brainstorm_form.BUILT_IN}"
    st.caption(said)


def _model(scene: CardScene, n: int, name: str) -> None:
    """Draw one model's ideas, one under the other, and how different they are."""
    store = services.store()
    held = _sort_out(store.benchmarks.cells(scene.run.id, n, 0))
    parts = (
        {one.key: one for one in store.steps.partials(scene.run.id)} if active(scene.run) else {}
    )
    # On one line, whatever it is called: columns begin at one height.
    st.markdown(
        f"**{'built-in, rule-based' if name == 'builtin' else inline(name, 32)}**",
        help=spoken(name) if len(name) > 32 else None,
    )
    for k in range(1, scene.asked.ideas + 1):
        _idea(scene, held.ideas.get(k), held.judges.get(k, ()), parts)
    if _repeats(held.ideas.values()):
        st.caption(":material/content_copy: Some of these ideas are the same, word for word.")
    if scene.asked.pairs:
        with st.container(height=LINE * 3 * scene.asked.pairs, border=False):
            _pairs(held)


def _repeats(ideas: Iterable[BenchCell]) -> bool:
    texts = [one.text for one in ideas if one.state == "done"]
    return len(set(texts)) < len(texts)


def _sort_out(cells: Sequence[BenchCell]) -> ModelCells:
    judges: dict[int, list[BenchCell]] = defaultdict(list)
    for one in cells:
        if one.kind == "judge":
            judges[one.n].append(one)
    ideas = {one.n: one for one in cells if one.kind == "idea"}
    return ModelCells(ideas, judges, [one for one in cells if one.kind == "fluency"])


def _idea(
    scene: CardScene,
    cell: BenchCell | None,
    judges: Sequence[BenchCell],
    parts: Mapping[str, Partial],
) -> None:
    with st.container(border=True, gap="small"):
        with st.container(height=TEXT, border=False):
            st.markdown(_text(scene, cell))
            if cell is not None and cell.state == "taken" and cell.key in parts:
                writing.draw(parts[cell.key])
        if scene.asked.judges:
            with st.container(
                horizontal=True, vertical_alignment="center", height=BAR, border=False
            ):
                _mean(cell, judges)
            with st.container(height=LINE * 2 * scene.asked.judges_each + 20, border=False):
                # Each judge's scores as they come, in two lines each.
                lines = [f":small[{spoken(one.asked)}]  \n:small[{_given(one)}]" for one in judges]
                st.markdown("  \n".join(lines))
        with st.container(horizontal=True, vertical_alignment="center", height=BAR, border=False):
            if cell is not None and cell.state == "done":
                idea_card.actions(scene, cell, "brainstorm", narrow=True)


def _text(scene: CardScene, cell: BenchCell | None) -> str:
    """Return an idea, or what is known in its place."""
    if cell is None or cell.state == "ready":
        if active(scene.run):
            return ":gray[:material/hourglass_empty: waits for its turn]"
        return ":gray[:material/pause_circle: not asked yet]"
    if cell.state == "taken":
        again = ", once more in another framing: it refused" if cell.refusals else ""
        return f":blue[:material/edit_note: being written{again}]"
    if cell.state == "failed":
        return f"{idea_card.reason(scene, cell)}\n\n{inline(cell.text, 500)}"
    if cell.state == "excluded":
        return f"{idea_card.reason(scene, cell)}\n\n{shown(cell.text)}"
    return f"{shown(cell.text)}\n\n{idea_card.badges(scene, cell)}"


def _mean(cell: BenchCell | None, judges: Sequence[BenchCell]) -> None:
    """Draw the mean of an idea's scores so far, and the judges' words."""
    if cell is not None and cell.state in ("failed", "excluded"):
        st.markdown(":gray[Not judged.]")
        return
    if cell is None or cell.score is None:
        st.markdown(":gray[no score yet]")
        return
    st.markdown(
        f"**{cell.score:.1f}** :gray[mean of {cell.judged * len(BENCH_DIMENSIONS)} scores]",
        width="content",
    )
    with st.popover("Why", type="tertiary", width="content"):
        for one in judges:
            idea_card.judgment(one)


def _given(one: BenchCell) -> str:
    if one.state == "failed":
        return ":red[:material/error: failed]"
    if one.state == "done":
        return " · ".join(f"{name[:4]}. **{getattr(one, name):g}**" for name in BENCH_DIMENSIONS)
    return idea_card.waiting(one)


def _pairs(held: ModelCells) -> None:
    if not held.pairs:
        missing = [one for one in held.ideas.values() if one.state in ("failed", "excluded")]
        st.markdown(
            ":gray[Nothing to compare: ideas are missing.]"
            if missing
            else ":gray[How different they are is asked once both are there.]"
        )
    for one in held.pairs:
        st.markdown(f":small[{idea_card.compared(one, 0)}]")


# -- further -----------------------------------------------------------------------------------


def _further(scene: CardScene) -> None:
    """Draw another round of the same, and the way to a whole benchmark with these models."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(
            "Another round of the same",
            icon=":material/replay:",
            key="brainstorm:again",
            disabled=active(scene.run),
            help="The same keyword, models and judges, asked anew.",
        ):
            with mistakes.kept("brainstorm:again"):
                address.go_to(brainstorm_form.start(scene.asked))
        if st.button(
            "Turn into a benchmark",
            icon=":material/leaderboard:",
            key="brainstorm:bench",
            help="The same models and judges, on as many keywords as you choose.",
        ):
            _as_benchmark(scene)
        failed = any(
            state == "failed"
            for _, _, state in services.store().benchmarks.sums.tally(scene.run.id)
        )
        # There from the beginning: at the end of a round it would push all ideas down.
        st.button(
            "Ask the failed ones again",
            icon=":material/refresh:",
            key="brainstorm:failed",
            on_click=ask_again,
            args=("brainstorm:again", scene.run.id),
            disabled=active(scene.run) or not failed,
            help="Only what failed, and what follows from it, is asked and paid.",
        )
        st.page_link(
            "pages/benchmark.py",
            label="Another keyword",
            icon=":material/lightbulb:",
            query_params={"section": "keyword"},
        )
    mistakes.shown("brainstorm:again")


def _as_benchmark(scene: CardScene) -> None:
    """Open the form of a new benchmark with these models and judges chosen."""
    st.session_state["bench:models"] = [one.model for one in scene.asked.models]
    st.session_state["bench:judges"] = [one.model for one in scene.asked.judges]
    st.session_state["bench:way"] = (
        bench_form_panel.PICKED if scene.asked.judges else bench_form_panel.NOBODY
    )
    st.query_params.from_dict({address.SECTION: "new"})
    st.rerun()
