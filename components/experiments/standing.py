"""How an experiment of many runs stands: its state, what all its runs took, how many cells are in
each state; and a list of cells that lead to their runs.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import streamlit as st

from components.experiments.extend import extends
from components.experiments.kept import kept
from components.experiments.words import LOOKS, badges
from components.runs import recipe, states
from components.runs.models import called
from components.runs.states import PAGES, active
from components.shell import services
from components.shell.paging import ROWS, filtering, skipped
from components.shell.text import counted, inline
from core.errors import BadInput
from core.experiments.progress import CellProgressState
from core.records import Run

Counts = dict[CellProgressState, int]
Views = Mapping[str, Callable[[Run], None]]
T = TypeVar("T", bound=str)
SLOW = 10.0
"""Seconds after which a view of a running experiment is looked at again."""


class CellLine(NamedTuple):
    """A cell as a line of the list."""

    said: str
    state: CellProgressState
    run: str
    """The run that filled it; empty where none did."""
    reason: str = ""
    came_to: str = ""
    facts: str = ""
    """What is told of it beside its state."""


def whole(run: Run, progress: Callable[[Run], Counts], views: Views, tab: str) -> None:
    """Draw an experiment of cells: how it stands, and its views as tabs under the key `tab`; while
    it is active its parts renew themselves.
    """
    states.head(run, run.config.method, "New experiment", "New experiment")
    extends(run)
    recipe.draw(run, tables=False)
    states.followed(run, lambda now: draw(now, progress(now)))
    tabs = st.tabs(list(views), key=tab, bind="query-params", on_change="rerun")
    for one, view in zip(tabs, views.values(), strict=True):
        if one.open:
            with one:
                states.draw_again(run, view, SLOW if active(run) else None)


def counts(run: Run, kind: str, planned: Callable[[], int]) -> Counts:
    """Return how many cells are in each state: of those that ended, which the run shows as records
    of this kind, and of so many planned.
    """
    return kept(run, "counts", lambda: _counts(run, kind, planned()))


def _counts(run: Run, kind: str, planned: int) -> Counts:
    store = services.store()
    states_of = store.steps.tally(run.id, kind, "state")
    ended, failed = sum(states_of.values()), states_of.get("failed", 0)
    at_work = [name for name in store.sweeps.under_way(run.id) if not name.startswith("arena/")]
    running = min(len(at_work), planned - ended)
    return {
        "done": ended - failed,
        "running": running,
        "failed": failed,
        "left": max(0, planned - ended - running),
    }


def draw(run: Run, found: Counts) -> None:
    """Draw state, numbers and controls, and how far the cells are."""
    whole = kept(run, "whole", lambda: services.store().runs.with_runs_made(run))
    # The strip has room for one model; all of them are named below it.
    names = dict.fromkeys(whole.config.models.values())
    first = next((name for name in names if name != "builtin"), "builtin")
    config = whole.config.model_copy(update={"models": {"main": first}})
    states.strip(whole.model_copy(update={"config": config}), "experiment")
    st.markdown(badges(found))
    if active(run):
        ended = found["done"] + found["failed"]
        st.progress(min(ended / max(1, sum(found.values())), 1.0))
        states.doing(run)
    usd, tokens = services.store().runs.caps(run.id)
    caps = [f"${usd:,.2f}"] if usd else []
    if tokens:
        caps.append(f"{tokens:,} tokens")
    said = f"the cap of {' and '.join(caps)} holds over them together" if caps else "no cap is set"
    models = ", ".join(map(called, names))
    st.caption(
        inline(f"Calls, tokens and cost are of all the runs it started; {said}. Models: {models}.")
    )


def outcome(run: Run, said: Sequence[str], ended: int, planned: int) -> None:
    """Draw what was found in sentences, the first one large, and that more may come."""
    if said:
        first, *others = said
        st.markdown(f"##### {inline(first, 600)}")
        for sentence in others:
            st.markdown(inline(sentence, 600))
    elif active(run):
        st.info("Nothing can be told yet. Figures appear as cells end.", icon=":material/pending:")
    elif run.state != "done":
        st.info("Nothing can be told yet. Resume to go on.", icon=":material/pause_circle:")
    if ended and run.state not in ("done", "failed"):
        st.info(
            f"Partial: {counted(ended, 'cell')} of {planned:,} so far. Every figure is of what is"
            " there, and will change.",
            icon=":material/pending:",
        )


def cells(lines: Sequence[CellLine], noun: str, also: Mapping[str, str] | None = None) -> None:
    """Draw the cells, those that failed first, with the ways to their runs; `also` are further
    choices of a filter, by what a line came to.
    """
    kinds = {"failed": "Failed", "done": "Done", **(also or {})}
    key, page = f"{noun}:which", f"{noun}:page"
    which = _choose(kinds, key, page)
    held = [one for one in lines if which in (None, one.state, one.came_to)]
    held.sort(key=lambda one: one.state != "failed")
    _page(len(held), page, lambda skip: held[skip : skip + ROWS], bool(lines))


def cells_by_page(
    found: Counts, noun: str, fetch: Callable[[CellProgressState, int, int], Sequence[CellLine]]
) -> None:
    """Draw the cells, those that failed first, with the ways to their runs; `fetch` gives so many
    of those that failed, or are done, after so many: no more are read than are drawn.
    """
    key, page = f"{noun}:which", f"{noun}:page"
    kinds: dict[CellProgressState, str] = {"failed": "Failed", "done": "Done"}
    which = _choose(kinds, key, page)
    wanted = [which] if which else list(kinds)

    def lines(skip: int) -> list[CellLine]:
        held = list[CellLine]()
        for state in wanted:
            if len(held) < ROWS and skip < found[state]:
                held += fetch(state, skip, ROWS - len(held))
            skip = max(0, skip - found[state])
        return held

    ended = found["failed"] + found["done"]
    _page(sum(found[state] for state in wanted), page, lines, ended > 0)


def _choose(kinds: Mapping[T, str], key: str, page: str) -> T | None:
    """Draw the choice of which cells are shown; None stands for all."""
    chosen: T | None = st.selectbox(
        "Show",
        list(kinds),
        index=None,
        key=key,
        format_func=kinds.__getitem__,
        placeholder="All",
        **filtering(page),
    )
    return chosen


def _page(
    total: int, page: str, lines: Callable[[int], Sequence[CellLine]], any_ended: bool
) -> None:
    if not total:
        st.caption("None. Choose others above." if any_ended else "None has ended yet.")
        return
    rows = st.container(gap="xsmall")
    skip = skipped(total, page)
    with rows:
        for one in lines(skip):
            _line(one)


def _line(one: CellLine) -> None:
    look = LOOKS[one.state]
    with st.container(border=True, gap=None):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":{look.colour}-badge[{look.icon} {look.word}]", width="content")
            if one.facts:
                st.markdown(f":gray[{inline(one.facts)}]", width="stretch")
            else:
                _way(one)
        if one.facts:
            _way(one)
        if one.reason:
            st.markdown(f":red[{inline(one.reason, 600)}]")


def _way(one: CellLine) -> None:
    try:
        run = services.store().runs.get(one.run) if one.run else None
    except BadInput:
        run = None  # Removed since; what it came to stays.
    said = inline(one.said, 160)
    if run is None:
        st.markdown(said)
        return
    st.page_link(
        PAGES.get(run.config.method, "pages/runs.py"),
        label=said,
        icon=":material/arrow_forward:",
        query_params={"run": run.id},
    )
