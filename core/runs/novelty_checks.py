"""Novelty checks: what one is asked of an idea from anywhere, a person's word on one of its cells,
and what a new chain is not to repeat.
"""

from collections.abc import Iterator
from datetime import UTC, datetime

from core.errors import BadInput, boundary
from core.methods.inputs import NoveltyInputs
from core.methods.novelty.overruling import KEY, with_word
from core.methods.novelty.verdict import repeated
from core.records import (
    Evolved,
    Idea,
    NoveltyMatrix,
    Outcome,
    Overruling,
    Paper,
    Record,
    RepeatedDirection,
    Round,
    Run,
)
from core.records.novelty import Decided
from core.runs.planning import ideas_of, validated
from core.runs.runner import Runner
from core.store import Store, must_be
from core.store.library import Library
from core.story import Story

OWN = "library"
OVERRULED = " (overruled by a person)"
"""What the title of a check ends with in which a person's word stands."""


def today() -> str:
    """Return the day it is, YYYY-MM-DD in UTC."""
    return datetime.now(UTC).date().isoformat()


def of_idea(idea: Idea, dated: str | None = None, **how: object) -> NoveltyInputs:
    """Return what a check of an idea is asked for; one without a date of its own is from today.
    Raises BadInput.
    """
    return validated(NoveltyInputs, topic=idea.title, idea=idea, dated=dated or today(), **how)


def of_run(
    store: Store, run_id: str, n: int | None = None, dated: str | None = None, **how: object
) -> NoveltyInputs:
    """Return what a check of a run's idea is asked for, dated on the day the run ended; raises
    BadInput where it has no idea, or several and none is chosen.
    """
    run = store.runs.get(run_id)
    ideas = ideas_of(run, Story.of(store, run_id))
    if not ideas:
        raise BadInput(f"Run {run_id} has no idea to check yet (it is {run.state}).")
    if n is None and len(ideas) > 1:
        raise BadInput(
            f"Run {run_id} has {len(ideas)} ideas. Choose which one is checked:"
            f" {', '.join(map(str, ideas))}."
        )
    chosen = n if n is not None else next(iter(ideas))
    if chosen not in ideas:
        raise BadInput(f"Run {run_id} has no idea {chosen}; it has {', '.join(map(str, ideas))}.")
    day = dated or (run.ended or run.created)[:10]
    return of_idea(ideas[chosen], day, from_run=run_id, **{**limits_of(run), **how})


def limits_of(run: Run) -> dict[str, object]:
    """Return which papers no check of a run's idea reads: those that the run did not read either,
    and the paper that the idea is of.
    """
    inputs = run.config.inputs
    limits = {name: inputs[name] for name in ("before", "ban") if inputs.get(name)}
    if isinstance(inputs.get("paper"), dict):
        with boundary(BadInput, f"reading the paper that run {run.id} is of"):
            own = Paper.model_validate(inputs["paper"])
        banned = inputs.get("ban")
        before = map(str, banned) if isinstance(banned, list | tuple) else ()
        limits["ban"] = tuple(dict.fromkeys((*before, *sorted(own.names))))
    return limits


def idea_in(store: Store, run_id: str, sha: str) -> Idea | None:
    """Return the idea with this hash among all that a run wrote on its way; None where it wrote no
    such idea.
    """
    for record in Story.of(store, run_id).records:
        for idea in _ideas_of(record):
            if idea.digest() == sha:
                return idea
    return None


def _ideas_of(record: Record) -> Iterator[Idea]:
    match record:
        case Idea():
            yield record
        case Outcome() | Evolved():
            yield record.idea
        case Round():
            yield record.revision.idea


def at_hand(library: Library, source: str) -> str:
    """Return a source with one's own literature beside it, where there is any."""
    names = source.replace("|", "+").split("+")
    return source if OWN in names or not library.own_count() else f"{OWN}+{source}"


def overrule(
    runner: Runner, run_id: str, claim: int, work: str, state: Decided, reason: str, by: str
) -> Run:
    """Make a run in which a person's word stands in one cell: everything else is its parent's, and
    nothing is paid. It is queued, not started. Raises BadInput.
    """
    matrix = matrix_of(runner.store, run_id)
    given = {"claim": claim, "work": work, "state": state, "reason": reason, "by": by}
    word = validated(Overruling, **given)
    made = runner.fork_edited(run_id, KEY, with_word(matrix, word))
    title = made.title.removesuffix(OVERRULED)
    runner.store.runs.change(made.id, title=f"{title}{OVERRULED}")
    return runner.store.runs.get(made.id)


def matrix_of(store: Store, run_id: str) -> NoveltyMatrix:
    """Return the matrix of a check that has one; raises BadInput."""
    run = must_be(store.runs.get(run_id), "novelty", f"Run {run_id} is no novelty check.")
    matrix = Story.of(store, run.id).last(NoveltyMatrix)
    if matrix is None:
        raise BadInput(
            f"Run {run_id} has no matrix of claims and works"
            + (
                " yet."
                if run.state != "done"
                else ": it was checked quickly. Check it with --deep."
            )
        )
    return matrix


def covered_by(store: Store, run_id: str) -> tuple[RepeatedDirection, ...]:
    """Return what a check found covered, claim by claim, for a chain that is not to repeat it;
    raises BadInput.
    """
    return repeated(matrix_of(store, run_id))
