"""How far a matrix is, cell by cell: what is done, failed, running and left, with the runs behind
it.
"""

from collections import Counter
from typing import Literal

from core.experiments import contenders
from core.experiments.cells import Group, SweepInputs, groups
from core.experiments.shared import shared_by
from core.records import Cell, Indicator, Record, Run
from core.store import Store
from core.store.sweeps import SweepRun

CellProgressState = Literal["left", "running", "done", "failed"]
Does = Literal["question", "first ideas", "ideas", "common form", "ranking"]


class CellRun(Record):
    """One of the runs a cell needs: what it is for, and where it stands."""

    name: str
    """Its name within the sweep."""
    what: Does
    """A question and first ideas are shared: other cells begin with the same."""
    by: str
    """The model that writes the ideas, or the judge."""
    run: str | None = None
    """None as long as it is not begun."""
    state: str = "left"
    """The state of the run, or `left`."""
    calls: int = 0
    reason: str = ""


class CellProgress(Record):
    """One cell and its runs; `left` holds for a cell that is half done while nobody works on it,
    too.
    """

    cell: Cell
    title: str
    """The target's."""
    category: str
    state: CellProgressState
    reason: str = ""
    pieces: tuple[CellRun, ...]


class ExperimentProgress(Record):
    cells: tuple[CellProgress, ...]

    @property
    def counts(self) -> dict[CellProgressState, int]:
        """How many cells are in each state."""
        found = Counter(one.state for one in self.cells)
        return {state: found[state] for state in ("done", "failed", "running", "left")}


def progress(store: Store, run: Run) -> ExperimentProgress:
    """Return how far a matrix is, from what the store has of it."""
    asked = run.inputs_as(SweepInputs)
    begun, shown = store.sweeps.begun(run.id), store.sweeps.shown(run.id)
    return ExperimentProgress(
        cells=tuple(
            _cell(asked, group, goal, run.config.edition, begun, shown)
            for group in groups(asked)
            for goal in group.goals
        )
    )


def methods_by_name(asked: SweepInputs, edition: int) -> dict[str, str]:
    """Return the methods of all runs that a matrix may have made, by the names of the runs."""
    found: dict[str, str] = {}
    for group in groups(asked):
        writer = contenders.WRITERS[group.method].method
        for one in shared_by(asked, group, edition):
            begins = "evolve" if one.evolving else contenders.WRITERS["initial"].method
            shared = {"question": "question", "common form": "forms", "first ideas": begins}
            found[one.name] = shared[one.what]
        found |= dict.fromkeys(contenders.names(group.method, group.under, asked.n), writer)
        found[f"{group.under}/forms"] = "forms"
        rankings = (group.cell(goal).rank_by(by) for goal in group.goals for by in asked.judges)
        found |= dict.fromkeys(rankings, "rank")
    return found


def _cell(
    asked: SweepInputs,
    group: Group,
    goal: Indicator,
    edition: int,
    begun: dict[str, SweepRun],
    shown: dict[str, tuple[str, str]],
) -> CellProgress:
    cell, shared = group.cell(goal), shared_by(asked, group, edition)
    own = contenders.names(group.method, group.under, asked.n)
    before = tuple(
        _piece(one.name, one.what, one.by, begun)
        for one in shared
        if one.what != "common form" and one.name not in own
    )
    ideas = (*before, *(_piece(name, "ideas", group.model, begun) for name in own))
    formed = dict.fromkeys(
        (*(one.name for one in shared if one.what == "common form"), f"{group.under}/forms")
    )
    forms = tuple(
        _piece(name, "common form", asked.judges[0], begun) for name in formed if name in begun
    )
    rankings = tuple(_piece(cell.rank_by(judge), "ranking", judge, begun) for judge in asked.judges)
    results = [
        shown[place]
        for place in (f"{cell.name}/ideas", *(one.name for one in rankings))
        if place in shown
    ]
    failed = next((reason for state, reason in results if state == "failed"), None)
    pieces = (*ideas, *forms, *rankings)
    return CellProgress(
        cell=cell,
        title=group.target.title,
        category=group.target.category,
        pieces=pieces,
        reason=failed or "",
        state=_state(pieces, failed is not None, len(results) == 1 + len(rankings)),
    )


def _state(pieces: tuple[CellRun, ...], failed: bool, whole: bool) -> CellProgressState:
    if any(one.state in ("queued", "running") for one in pieces):
        return "running"
    return "failed" if failed else "done" if whole else "left"


def _piece(name: str, what: Does, by: str, begun: dict[str, SweepRun]) -> CellRun:
    found = begun.get(name)
    if found:
        return CellRun(
            name=name,
            what=what,
            by=by,
            run=found.run,
            state=found.state,
            calls=found.calls,
            reason=found.reason,
        )
    return CellRun(name=name, what=what, by=by)
