"""What a measurement of novelty checks came to: agreement with people, false "new" and false
"known", what was inconclusive, what a check cost, by depth and by judge.

A check that is inconclusive is in no share but its own: it says neither. Intervals: Wilson's where
every idea was checked once, else a bootstrap over ideas.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from core.experiments.novelty.cells import Condition, NoveltyExperimentInputs, conditions
from core.records import CheckedIdea, Record, Run, Table, Value
from core.statistics.intervals import (
    COEFFICIENT,
    Figure,
    Floats,
    clustered_share,
    percentiles,
    refused,
    resampled,
    wilson,
)
from core.store import Store
from core.story import Story
from core.tables.cells import Cell, count, make_table, number
from core.wording.numbers import percent

FINISHED = ("done", "failed")
IDEAS = ("idea", "ideas")


class NoveltyResults(Record):
    """The checks of a measurement that are there."""

    run: str
    asked: NoveltyExperimentInputs
    cells: tuple[CheckedIdea, ...] = ()
    unfinished: bool = False

    @property
    def planned(self) -> int:
        """How many checks there ought to be."""
        return self.asked.ideas * len(conditions(self.asked)) * self.asked.seeds


class CheckAgreement(NamedTuple):
    """How checks of one kind agree with people."""

    condition: Condition
    checks: int
    failed: int
    agreement: Figure
    """Share of the decided checks that say what people said."""
    kappa: Figure
    """Cohen's kappa of the same."""
    false_new: Figure
    """Share of the decided checks of known ideas that say "new"."""
    false_known: Figure
    """Share of the decided checks of new ideas that say "known"."""
    inconclusive: Figure
    """Share of all checks."""
    found: Figure
    """Share of checks of known ideas whose row names papers that found one of these."""
    same: Figure
    """Share of ideas that every seed says the same of; with one seed there is none."""
    cost: float | None
    """US dollars a check; None where a price is unknown, or as with calls."""
    calls: float | None
    """Model calls a check; None where the run of one was deleted."""


def collect(store: Store, run: Run) -> NoveltyResults:
    """Return the checks that a measurement has to show so far."""
    return NoveltyResults(
        run=run.id,
        asked=run.inputs_as(NoveltyExperimentInputs),
        cells=Story.only(store, run.id, CheckedIdea).all(CheckedIdea),
        unfinished=run.state not in FINISHED,
    )


def figures(store: Store, held: NoveltyResults) -> tuple[CheckAgreement, ...]:
    """Return the figures of every depth and judge that has a check."""
    by: dict[Condition, list[CheckedIdea]] = defaultdict(list)
    for cell in held.cells:
        by[Condition(cell.depth, cell.judge)].append(cell)
    return tuple(measure(store, one, by[one]) for one in conditions(held.asked) if by[one])


def measure(store: Store, condition: Condition, cells: Sequence[CheckedIdea]) -> CheckAgreement:
    """Return how these checks, all of one kind, agree with people."""
    ended = [cell for cell in cells if cell.said]
    decided = [cell for cell in ended if cell.said != "inconclusive"]
    known = [cell for cell in decided if cell.known]
    new = [cell for cell in decided if not cell.known]
    named = [cell for cell in ended if cell.known and cell.named is not None]
    runs = list(store.runs.needed(cell.run for cell in cells).values())
    deleted = len(runs) < len({cell.run for cell in cells})
    unpriced = deleted or any(run["unpriced"] for run in runs)
    return CheckAgreement(
        condition=condition,
        checks=len(cells),
        failed=len(cells) - len(ended),
        agreement=share(decided, lambda one: one.known == (one.said == "known"), "decided check"),
        kappa=kappa(decided),
        false_new=share(known, lambda one: one.said == "new", "decided check of a known idea"),
        false_known=share(new, lambda one: one.said == "known", "decided check of a new idea"),
        inconclusive=share(ended, lambda one: one.said == "inconclusive", "check"),
        found=share(named, lambda one: bool(one.named), "check of a known idea with named papers"),
        same=_same(ended),
        cost=None if unpriced else sum(run["cost"] for run in runs) / len(runs),
        calls=None if deleted else sum(run["calls"] for run in runs) / len(runs),
    )


def share(cells: Sequence[CheckedIdea], holds: Callable[[CheckedIdea], bool], what: str) -> Figure:
    """Return the share of checks of which something holds, with its interval; refused where there
    is no check.
    """
    if not cells:
        return refused(0, f"There is no {what}.")
    hits = np.array([holds(cell) for cell in cells], dtype=bool)
    ideas = [cell.idea for cell in cells]
    if len(set(ideas)) == len(ideas):
        low, high = wilson(float(hits.sum()), len(hits))
        return Figure(float(hits.mean()), low, high, len(hits), "Wilson's")
    return clustered_share(hits, np.array(ideas), IDEAS)


def kappa(decided: Sequence[CheckedIdea]) -> Figure:
    """Return Cohen's kappa of checks and people, with a bootstrap over ideas; refused where one of
    both never differs.
    """
    table: dict[str, list[float]] = defaultdict(lambda: [0.0] * 4)
    for cell in decided:
        table[cell.idea][2 * cell.known + (cell.said == "known")] += 1
    if not table:
        return refused(0, "No check is decided.")
    sums = np.array([table[idea] for idea in sorted(table)])
    value = float(_kappa(sums.sum(axis=0)))
    if not np.isfinite(value):
        note = "All labels, or all checks, are alike: chance agreement cannot be told."
        return refused(len(decided), note)
    ends = percentiles(_kappa(resampled(sums)), len(sums))
    if ends is None or ends[0] == ends[1]:
        note = (
            f"Resamples of the {len(sums)} ideas are alike or undefined, so no interval is given."
        )
        return Figure(value, None, None, len(decided), note=note)
    figure = Figure(value, *ends, len(decided), f"bootstrap over {len(sums)} ideas")
    return figure.within(COEFFICIENT)


def _kappa(counts: Floats) -> Floats:
    """Return kappa of counts (..., 4): new-new, new-known, known-new, known-known; nan where
    undefined.
    """
    n = counts.sum(axis=-1)
    agreed = (counts[..., 0] + counts[..., 3]) / n
    known = (counts[..., 2] + counts[..., 3]) / n
    said = (counts[..., 1] + counts[..., 3]) / n
    chance = known * said + (1 - known) * (1 - said)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.where(
            (known * (1 - known) > 0) & (said * (1 - said) > 0),
            (agreed - chance) / (1 - chance),
            np.nan,
        )
    return found


def _same(ended: Iterable[CheckedIdea]) -> Figure:
    said: dict[str, list[str]] = defaultdict(list)
    for cell in ended:
        said[cell.idea].append(cell.said or "")
    several = [set(one) for one in said.values() if len(one) > 1]
    if not several:
        return refused(0, "Every idea was checked once.")
    alike = sum(len(one) == 1 for one in several)
    low, high = wilson(alike, len(several))
    return Figure(alike / len(several), low, high, len(several), "Wilson's")


# -- tables and words --------------------------------------------------------------------------


def tables(store: Store, held: NoveltyResults) -> tuple[Table, ...]:
    """Return the table of figures, and the table of every check."""
    found = figures(store, held)
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        rows.append(
            (
                one.condition.depth,
                one.condition.judge,
                count(one.checks),
                _cell(one.agreement),
                _cell(one.kappa),
                _cell(one.false_new),
                _cell(one.false_known),
                _cell(one.inconclusive),
                _cell(one.found),
                _cell(one.same),
                number(one.cost, 4, "dollars") if one.cost is not None else "unknown",
                number(one.calls, 1),
            )
        )
    head = (
        *("Depth", "Judge", "Checks", "Agreement", "Kappa", "False “new”", "False “known”"),
        *("Inconclusive", "Named paper read", "Same in all seeds", "Cost a check", "Calls a check"),
    )
    note = (
        "Brackets: 95 % interval, Wilson's where every idea was checked once, else a bootstrap over"
        " ideas. “New in part” counts as new. Inconclusive checks are in no share but their own."
    )
    each: list[tuple[Cell, ...]] = []
    for cell in held.cells:
        people = "known" if cell.known else "new"
        said = cell.said or f"failed: {cell.reason}"
        each.append(
            (cell.depth, cell.judge, str(cell.seed), cell.idea[:12], people, said, cell.verdict)
        )
    columns = ("Depth", "Judge", "Seed", "Idea", "People said", "The check said", "Verdict")
    return (
        make_table("novelty-agreement", "Novelty checks beside what people said", head, rows, note),
        make_table("novelty-checks", "Every check", columns, each),
    )


def _cell(figure: Figure) -> Value:
    if figure.value is None:
        return Value(text="–", note=figure.note)
    return Value(
        mean=figure.value,
        low=figure.low,
        high=figure.high,
        n=figure.n,
        counted="checks",
        digits=2,
        note=figure.how,
    )


def outcome(store: Store, held: NoveltyResults) -> tuple[str, ...]:
    """Say in sentences how checks agree with people, a sentence for each depth and judge."""
    sentences = []
    for one in figures(store, held):
        who = f"{one.condition.judge}, {one.condition.depth}"
        if one.agreement.value is None:
            sentences.append(f"{who}: no check of {one.checks} is decided.")
            continue
        sentences.append(
            f"{who}: of {one.agreement.n} decided checks {_percent(one.agreement)} say what people"
            f" said{_between(one.agreement)}; false “new” {_percent(one.false_new)}, false “known”"
            f" {_percent(one.false_known)}, inconclusive {_percent(one.inconclusive)}."
        )
    return tuple(sentences)


def _percent(figure: Figure) -> str:
    return "–" if figure.value is None else percent(figure.value)


def _between(figure: Figure) -> str:
    if figure.low is None or figure.high is None:
        return ""
    return f" ({percent(figure.low)} to {percent(figure.high)})"
