"""What a fork will do again before it is made, and what that cost last time."""

import re
from collections.abc import Callable
from itertools import cycle, islice

from core.errors import BadInput
from core.methods.chain_of_ideas.editing import to_read
from core.records import Chain, Record, Run, Start
from core.runs.catalogue import entry
from core.store import Store
from core.store.steps import Outline

EDIT = "edit"
"""Who answered a step that a person's record was put in place of."""


class Forecast(Record):
    """`cost` is what the same calls cost last time in dollars, None where that is not known; `kept`
    steps come over for free.
    """

    redone: tuple[str, ...]
    """Keys of the model calls that are asked again, or may be; of an experiment those of the runs
    it started.
    """
    new: int = 0
    """Papers that are read for the first time, or anew."""
    kept: int
    calls: int
    """As many as the same steps took last time, answers that were asked for again included: a
    guess, and no bound.
    """
    tokens: int
    cost: float | None
    unknown: int = 0
    """Runs that are made again and of which nothing is known, since all like them were deleted."""


def of_fork(store: Store, run: Run, at: str, new: int = 0) -> Forecast:
    """Return what a fork at `at` asks again: the model calls from it on that may depend on it, and
    `new` papers to read; raises BadInput.

    A guess from the run as it went: a novelty loop may take fewer or more rounds than last time. Of
    several ideas refined or evolved side by side the others are left as they are; matches of an
    arena and rankings depend on nothing but the settings, so that all from `at` on are counted. An
    experiment asks by the runs it has made: what these took from `at` on is counted, though one
    whose settings stay the same is taken over for free.
    """
    if entry(run.config).has_runs_made:
        return _of_runs(store, run, at)
    return _forecast(store, run, at, new, lambda _: False)


def of_edit(store: Store, run: Run, at: str, put: Record) -> Forecast:
    """Return what a fork asks again where a person's record stands in place of the step `at`: what
    depends on it, and what it has unread; raises BadInput.

    As good a guess as `of_fork`; when a chain is grown anew, what is found may also be less or more
    than last time.
    """
    spared = _spare(at.split("/", maxsplit=1)[0], put)
    return _forecast(store, run, at, len(to_read(put)), lambda key: key == at or spared(key))


def _of_runs(store: Store, run: Run, at: str) -> Forecast:
    """Forecast by the runs that a run started from the step `at` on, and what it asked itself; one
    that was deleted since counts as the mean of the others, at no known cost. Raises BadInput.
    """
    before, later = _divide(store, run, at)
    redone = tuple(step.key for step in later)
    begun = store.sweeps.begun(run.id)
    runs = [store.runs.get(begun[key].run) for key in redone if key in begun]
    deleted = store.sweeps.deleted(run.id)
    lost = sum(key in deleted for key in redone)
    whole = 1 + lost / len(runs) if runs else 1.0
    own = [_as_paid(store, run, step) for step in later if step.kind == "model"]
    costs = [None if made.unpriced else made.cost for made in runs]
    costs += [step.cost for step in own]
    costs += [None] * lost
    return Forecast(
        redone=redone,
        kept=len(before),
        calls=round(whole * sum(made.calls for made in runs))
        + sum(max(1, step.tries) for step in own),
        tokens=round(whole * sum(made.tokens_in + made.tokens_out for made in runs))
        + sum((step.tokens_in or 0) + (step.tokens_out or 0) for step in own),
        unknown=0 if runs else lost,
        cost=None if None in costs else sum(cost for cost in costs if cost is not None),
    )


def _divide(store: Store, run: Run, at: str) -> tuple[list[Outline], list[Outline]]:
    """Return the steps before `at`, and those from it on; raises BadInput."""
    steps = store.steps.outline(run.id)
    for n, step in enumerate(steps):
        if step.key == at:
            return steps[:n], steps[n:]
    raise BadInput(f"Run {run.id} has no step {at!r} to fork at.")


def _forecast(store: Store, run: Run, at: str, new: int, spared: Callable[[str], bool]) -> Forecast:
    before, later = _divide(store, run, at)
    follows = entry(run.config).follows
    touched = [step for step in later if not spared(step.key) and follows(at, step.key)]
    redone = [step for step in touched if step.kind == "model" or _stood_in(step)]
    steps = before + later
    readings = [step for step in steps if step.kind == "model" and step.key.endswith("/extract")]
    # What a paper takes that was not read yet is what those took that were, in turn.
    new_readings = islice(cycle(readings), new)
    paid = [_as_paid(store, run, step) for step in (*redone, *new_readings)]
    costs = [step.cost for step in paid]
    cost = None if None in costs else sum(cost for cost in costs if cost is not None)
    return Forecast(
        redone=tuple(step.key for step in redone),
        new=new,
        kept=len(steps) - len(touched),
        calls=sum(max(1, step.tries) for step in paid) + (0 if readings else new),
        tokens=sum((step.tokens_in or 0) + (step.tokens_out or 0) for step in paid),
        cost=0.0 if set(run.config.models.values()) == {"builtin"} else cost,
    )


def _spare(branch: str, put: Record) -> Callable[[str], bool]:
    """Say which steps of the branch are not asked again, because the record holds what they led
    to.
    """
    if isinstance(put, Chain):
        return lambda key: key.startswith(f"{branch}/paper-")
    if not isinstance(put, Start):
        return lambda _: False
    middle = next((n for n, link in enumerate(put.links) if link.hop == "anchor"), 0)
    hops = {"backward": middle, "forward": len(put.links) - 1 - middle}

    def reached(key: str) -> bool:
        if key.startswith((f"{branch}/start-", f"{branch}/paper-")):
            return True
        hop = re.match(rf"{branch}/(forward|backward)-(\d+)/", key)
        return hop is not None and int(hop[2]) <= hops[hop[1]]

    return reached


def _stood_in(step: Outline) -> bool:
    """Say whether a person's text replaced a model's reply."""
    return (
        step.kind == "person"
        and step.origin == EDIT
        and step.key.rsplit("/", 1)[-1] not in ("chain", "start", "direction")
    )


def _as_paid(store: Store, run: Run, step: Outline) -> Outline:
    """Return the step from the run that paid for it; a fork stores no usage of reused or edited
    steps.
    """
    while step.taken_from or _stood_in(step):
        try:
            run = store.runs.get(step.taken_from or run.parent or "")
        except BadInput:  # Deleted since, and its numbers with it.
            return step
        step = next(one for one in store.steps.outline(run.id) if one.key == step.key)
    return step
