"""An experiment on screen: how far it is, the matrix, and what it found; the address says what is
looked at, so that a link restores it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from components.experiments import (
    address,
    extend,
    matrix,
    novelty,
    recipes,
    results,
    topics,
    words,
)
from components.experiments import form as experiment_form
from components.experiments.checklist import form as checklist_form
from components.experiments.checklist import view as checklist_view
from components.experiments.results import ResultFilter
from components.experiments.words import LOOKS, named
from components.ranking import orders as ranking_orders
from components.runs import export as run_export
from components.runs import recipe, states
from components.runs.models import called
from components.runs.states import PAGES, active, title
from components.shell import idea_card, in_view, services
from components.shell.address import follow_renamed
from components.shell.frame import told
from components.shell.paging import ROWS, skipped
from components.shell.text import ago, counted, inline, money
from core.errors import BadInput, FoundryError
from core.experiments.cells import SweepInputs
from core.experiments.checklist.progress import checklist_progress
from core.experiments.contenders import ENDLESS, WRITERS
from core.experiments.progress import CellProgress, CellRun, progress
from core.judging import ranked_sets
from core.records import Made, Run, Standing, Standings, Target, usage
from core.runs.catalogue import METHODS, entry
from core.story import Story, revive

EXPERIMENTS = tuple(
    name for name, one in METHODS.items() if one.screen == "experiments" and one.has_runs_made
)
"""Methods whose runs are experiments."""
RENAMED = {"Matrix": "Cells", "Downloads": "Export"}
"""Views by the names they had in addresses before."""
SLOW, FAST = 10.0, 2.0
"""Seconds after which results, and the matrix, of a running experiment are looked at again."""
DONE = {
    "question": (":material/help:", "asked and reviewed for all evolutions"),
    "first ideas": (":material/edit_note:", "begun for all methods alike"),
    "ideas": (":material/draw:", "written"),
    "common form": (":material/view_agenda:", "brought into six fields"),
    "ranking": (":material/balance:", "ranked"),
}
"""What each kind of run did, with its icon."""
MATRIX, CHECKLIST = "Ideas beside published ones", "Models by the checklist"
PAPERS = "The papers' experiments"
ABOUT = {
    MATRIX: (
        "Methods, models and qualities as one matrix: ideas are ranked together with published ones"
        " (InfAL)."
    ),
    CHECKLIST: (
        "Models answer held-out questions; one judge scores nine items before and after a revision,"
        " with directives and without (EvoIdeator)."
    ),
    PAPERS: (
        "Tables and figures of the papers, each as one experiment, with the published values"
        " beside what you find."
    ),
}
KIND, FOLLOWED = "experiments:kind", "experiments:recipe-followed"


def whole(run: Run) -> None:
    """Draw the experiment; while it is active its parts renew themselves."""
    states.head(run, "sweep", "New experiment", "New experiment")
    extend.extends(run)
    recipe.draw(run)
    states.followed(run, _progress)
    try:
        asked = run.inputs_as(SweepInputs)
    except ValueError:
        raise BadInput(
            "This experiment began with an earlier version of this program; its runs stay readable"
            " under Runs."
        ) from None
    wanted = _filter(run, asked)
    follow_renamed("tab", RENAMED)
    tabs = st.tabs(list(VIEWS), key="tab", bind="query-params", on_change="rerun")
    for tab, (name, draw) in zip(tabs, VIEWS.items(), strict=True):
        if tab.open:
            with tab:
                _repeat(run, wanted, draw, FAST if name == "Cells" else SLOW)


def _progress(run: Run) -> None:
    whole = services.store().runs.with_runs_made(run)
    names = dict.fromkeys(whole.config.models.values())
    # The strip has room for one model; all of them are named below it.
    first = next((name for name in names if name != "builtin"), "builtin")
    config = whole.config.model_copy(update={"models": {"main": first}})
    states.strip(whole.model_copy(update={"config": config}), "experiment")
    usd, tokens = services.store().runs.caps(run.id)
    caps = [f"${usd:,.2f}"] if usd else []
    if tokens:
        caps.append(f"{tokens:,} tokens")
    bound = "no cap is set"
    if caps:
        bound = f"the cap of {' and '.join(caps)} holds over them together"
    if active(run):
        states.doing(run)
    models = ", ".join(map(called, names))
    whose = f"of all the runs it started; {bound}"
    if run.packed:
        whose = "of all the runs in its file"
    st.caption(inline(f"Calls, tokens and cost are {whose}. Models: {models}."))


def _repeat(
    run: Run, wanted: ResultFilter, draw: Callable[[Run, ResultFilter], None], seconds: float
) -> None:
    """Draw a view, again and again while the experiment is active."""

    @st.fragment(run_every=seconds if active(run) else None)
    def drawn() -> None:
        with told():
            draw(services.store().runs.get(run.id), wanted)

    drawn()


def _filter(run: Run, asked: SweepInputs) -> ResultFilter:
    """Draw the filters that leave a choice, which hold for every view, and return what is looked
    at.
    """
    filters: dict[str, tuple[str, Sequence[str]]] = {
        "method": ("Method", asked.methods),
        "model": ("Model", asked.models),
        "indicator": ("Quality", [goal.name for goal in asked.indicators]),
        "judge": ("Q by judge", asked.judges),
        "category": ("Category", sorted({one.category for one in asked.targets} - {""})),
    }
    offered = {name: one for name, one in filters.items() if len(one[1]) > 1}
    places = st.columns(len(filters)) if offered else []
    picked = {}
    for place, (name, (label, options)) in zip(places, offered.items(), strict=False):
        placeholder = options[0] if name == "judge" else "All"
        more: dict[str, Any] = {"format_func": named} if name == "method" else {}
        picked[name] = address.pick(
            place, label, options, name, run.id, placeholder=placeholder, **more
        )
    return ResultFilter(**picked)


def _matrix(run: Run, wanted: ResultFilter) -> None:
    found = progress(services.store(), run)
    cells = tuple(filter(wanted.lets, found.cells))
    matrix.draw(run, cells, judged=bool(run.inputs_as(SweepInputs).judges))
    opened = matrix.pick(run, cells)
    if opened:
        _cell(run, opened)
    extend.draw(run, found)
    in_view.follow("experiments")


def _files(run: Run, wanted: ResultFilter) -> None:
    results.draw_files(run, wanted)
    st.divider()
    run_export.draw(run, "experiments")


VIEWS: dict[str, Callable[[Run, ResultFilter], None]] = {
    "Cells": _matrix,
    "Results": results.draw_tables,
    "Figures": results.draw_figures,
    "Tests": results.draw_tests,
    "Export": _files,
}


# -- the list -------------------------------------------------------------------------------------


def listed() -> None:
    """Draw the experiments, newest first, or say what to do where there is none."""
    runs = services.store().runs
    total = runs.count(methods=EXPERIMENTS)
    if not total:
        st.info(
            "No experiment yet. Gather targets under “Data sets”, or paste the abstract of a paper;"
            " then choose methods and models under “New experiment”.",
            icon=":material/science:",
        )
        return
    rows = st.container()
    found = runs.listed(methods=EXPERIMENTS, limit=ROWS, skip=skipped(total, "experiments:page"))
    with rows:
        for run in found:
            _row(run)


def _cells(run: Run) -> str:
    """Return how many cells are in each state, as Markdown badges."""
    store = services.store()
    match entry(run.config).view:
        case "checklist":
            return checklist_view.badges(checklist_progress(store, run).counts)
        case "topics":
            return words.badges(topics.progress(run))
        case "novelty":
            return words.badges(novelty.progress(run))
    return words.badges(progress(store, run).counts)


def _row(run: Run) -> None:
    with st.container(border=True, gap="xsmall"):
        title(run, "pages/experiments.py")
        try:
            cells = _cells(run)
        except (FoundryError, ValueError):  # An experiment of an earlier version stays in the list.
            cells = ":gray-badge[cells of an earlier version]"
        whole = services.store().runs.with_runs_made(run)
        extends = f" · extends {inline(run.parent)}" if run.parent else ""
        st.markdown(
            f"{cells} :gray[{usage.calls(whole.calls, whole.maybe_paid)} ·"
            f" {inline(money(whole))} · {ago(run.created)}{extends}]"
        )


# -- one cell of the matrix ----------------------------------------------------------------------


def _cell(run: Run, cell: CellProgress) -> None:
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
    may_converge = made.cell.method not in ENDLESS
    for k, (idea, n, converged) in enumerate(zip(made.ideas, rounds, ended, strict=False), 1):
        how = f"the idea of round {n}" if n else "as it was first written"
        if may_converge:
            how += ", not converged"
        if n and converged:
            how = f"{counted(n, 'round')}, converged"
        with st.expander(
            f"**Idea {k}** {inline(idea.title, 110)} :gray[{how}]", key=f"cell:idea:{made.run}:{k}"
        ):
            idea_card.draw(
                idea,
                made.run,
                f"experiment, {made.cell.method}, round {n}",
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


# -- a new one -----------------------------------------------------------------------------------


def draw_form(given: Mapping[str, str]) -> None:
    """Draw the choice of a kind, and its form; what an address named is given: `targets`,
    `questions` and models that write (`generators`), or a `recipe`.
    """
    questions, writers, recipe = given["questions"], given["generators"], given["recipe"]
    if recipe != st.session_state.get(FOLLOWED, ""):
        st.session_state[FOLLOWED] = recipe
        if recipe:
            st.session_state[KIND] = PAPERS
    if (questions or writers) and KIND not in st.session_state:
        st.session_state[KIND] = CHECKLIST
    kind = st.segmented_control(
        "What to compare",
        list(ABOUT),
        default=None if KIND in st.session_state else MATRIX,
        key=KIND,
        required=True,
        persist_state="session",
    )
    st.caption(ABOUT[kind or MATRIX])
    if kind == PAPERS and not recipe:
        # The address names the gallery, so that a reload comes back to it.
        st.query_params["recipe"] = st.session_state[FOLLOWED] = recipes.ALL
    elif kind != PAPERS and recipe == recipes.ALL:
        st.query_params.pop("recipe", None)
        st.session_state[FOLLOWED] = ""
    if kind == CHECKLIST:
        checklist_form.draw(questions, writers)
    elif kind == PAPERS:
        recipes.draw(recipe)
    else:
        experiment_form.draw(given["targets"])
