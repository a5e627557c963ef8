"""An experiment matrix: its cells, and the runs behind them."""

from typing import Annotated, Literal

from pydantic import Field

from core.records.base import Record, Text, hyphenate
from core.records.ideas import Idea

CellState = Literal["done", "failed"]


class Worked(Record):
    """What became of a run that a sweep started."""

    run: str
    state: CellState
    reason: str = ""


def model_part(model: str) -> str:
    """Return a model's name as a part of a path."""
    return hyphenate(model, also=".")


class Cell(Record):
    """One place of the matrix: a method, a model, an indicator and a target."""

    method: Text
    model: Text
    indicator: Text
    target: str
    """SHA-256 of the frozen target."""

    @property
    def name(self) -> str:
        """The cell as a part of a path; it does not depend on what else is in the matrix."""
        indicator = hyphenate(self.indicator.lower())
        return f"{self.method}/{model_part(self.model)}/{indicator}/{self.target[:12]}"

    def rank_by(self, judge: str) -> str:
        """Return the name of the run in which a judge ranks this cell's ideas, and of the place
        where their standings are shown.
        """
        return f"{self.name}/rank-by-{model_part(judge)}"


class Made(Record):
    """What a cell came to: its ideas, in the common form if that was asked for, and the run that
    wrote them.
    """

    cell: Cell
    run: str
    ideas: tuple[Idea, ...] = ()
    rounds: tuple[int, ...] = ()
    """Per idea, the round it is of: of one that did not converge the last that was found better."""
    converged: tuple[bool, ...] = ()
    began: Annotated[tuple[str, ...], Field(exclude_if=lambda runs: not runs)] = ()
    """Runs that wrote what the ideas began with, shared with other cells: first ideas, and the
    question and review of an evolution.
    """
    state: CellState = "done"
    reason: str = ""


class Standings(Record):
    """How a cell's ideas stand against the target by one judge: Q per repeat, and per round where
    every round was ranked.
    """

    cell: Cell
    judge: Text
    run: str
    q: tuple[float, ...]
    """One per repeat, of the final ideas."""
    by_round: tuple[float | None, ...] = ()
    """Mean Q of round 0, 1, ...; empty where only the end was ranked."""
    state: CellState = "done"
    reason: str = ""


class EvolvedCell(Record):
    """What a cell of a checklist experiment came to: how the scoring judge found one idea of a
    generator on one question, step by step.
    """

    question: str
    """SHA-256 of the TrainingQuery."""
    generator: Text
    provider: str
    """The model that gave the directives; empty where the generator corrected itself without."""
    run: str
    began: tuple[str, ...] = ()
    """Runs that wrote what it began with: the first idea, and the directives on it."""
    first: str = ""
    """SHA-256 of the first idea, the same in all cells of a generator and question."""
    steps: tuple[tuple[Literal[0, 1] | None, ...], ...] = ()
    """The scores of the items in their order at each step; a finished cell with fewer steps than
    asked for ended because every item held.
    """
    undirected: Annotated[int, Field(exclude_if=lambda n: not n)] = 0
    """Items, over all steps that were revised, of which the provider gave no usable answer: the
    generator was told nothing of them.
    """
    state: Literal["done", "discarded", "failed"] = "done"
    """Discarded: an idea of it could not be read; the steps before it count."""
    reason: str = ""
