"""How long a training may take: its judge as fast as it was seen here, the policy as in earlier
trainings of the same base.
"""

from statistics import median

from core.records import Learned, Record, Run
from core.runs.estimates import Estimate, worded
from core.store import Store
from core.training.method import TrainInputs

ASSUMED = 6.0
"""Seconds of a judge's call where none was made here: two or three thousand tokens in, a few
hundred out.
"""
LOOKED_AT = 50
"""Earlier trainings that are looked at, the newest."""


class TrainingTime(Record):
    """How long a training may take, as far as that is known."""

    judge_seconds: float
    """Of one call."""
    judge_seen: bool
    """Whether that is the median of calls made here; otherwise it is assumed."""
    judge_hours: float
    """All calls, so many at once as settings allow."""
    policy_hours: float | None
    """Writing and learning; None where no training of this base and size was made here."""


def foresee(store: Store, asked: TrainInputs, judge: str, calls: int, at_once: int) -> TrainingTime:
    """Return how long a training with so many calls of its judge may take."""
    seen = store.spending.seconds_a_call(judge) if calls else None
    seconds = ASSUMED if seen is None else seen
    # One draft's items are asked together, and the drafts of a round.
    together = min(at_once, asked.how.queries * asked.how.shape.rollouts * 7)
    pace = _policy_seconds(store, asked)
    return TrainingTime(
        judge_seconds=seconds,
        judge_seen=seen is not None,
        judge_hours=calls * seconds / together / 3600,
        policy_hours=None if pace is None else pace * asked.how.steps / 3600,
    )


def _policy_seconds(store: Store, asked: TrainInputs) -> float | None:
    """Return how long a step of the same size took the same base, judged by code alone; None where
    none was seen.
    """
    earlier = [
        (run, run.inputs_as(TrainInputs))
        for run in store.runs.listed(method="train", limit=LOOKED_AT)
        if run.worked
    ]
    paces = [
        run.worked / learned
        for run, inputs in earlier
        if inputs.judged == "code" and _alike(inputs, asked) and (learned := _steps(store, run))
    ]
    return median(paces) if paces else None


def _alike(one: TrainInputs, other: TrainInputs) -> bool:
    same = one.base_digest == other.base_digest and one.how.adapter == other.how.adapter
    return same and one.how.rows == other.how.rows and one.how.most == other.how.most


def _steps(store: Store, run: Run) -> int:
    return len(store.steps.field(run.id, Learned.__name__, "step"))


def in_words(guess: Estimate, time: TrainingTime, judge: str) -> str:
    """Say what a training may take: calls, dollars and hours."""
    if not guess.calls:
        said = "No model is asked: code judges."
    else:
        known = "as seen here" if time.judge_seen else "assumed, since none was made here"
        said = (
            f"{worded(guess)} {judge} takes about {_hours(time.judge_hours)} for them"
            f" ({time.judge_seconds:.0f} s a call, {known})."
        )
    if time.policy_hours is None:
        return (
            f"{said} What writing and learning take comes on top; it is known after the first"
            " steps."
        )
    return f"{said} Writing and learning take about {_hours(time.policy_hours)} on top."


def _hours(hours: float) -> str:
    if hours < 1:
        return f"{max(1, round(60 * hours))} min"
    return f"{hours:,.1f} h" if hours < 10 else f"{hours:,.0f} h"
