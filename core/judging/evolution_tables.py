"""What evolutions come to: means per item before and after, sums by feedback provider,
trajectories, discards (EvoIdeator, tables 1 and 2, figures 2 and 3).
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from core.records import (
    ITEMS,
    Checklist,
    Config,
    Discarded,
    Evolved,
    Prepared,
    Record,
    Table,
    Value,
)
from core.statistics.intervals import Figure, Scale, clustered_share
from core.statistics.paired import clustered_ci, mean_ci
from core.tables.cells import count
from core.wording.naming import APART, BY_PERSON, UNINFORMED, departures

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
INTERVALS = (
    "Intervals: 95 %, over ideas; over questions, where several have several ideas each. Of an"
    " item, by a bootstrap, under 10 by Wilson's or Student's t, the wider end of either; of the"
    " sum, by Student's t, or Wilson's where all sums are equal."
)
SUM = Scale(0.0, float(len(ITEMS)))
IDEA, QUESTION = ("idea", "ideas"), ("question", "questions")
STAGES = ("generation", "refinement")
SELF = "none (self-correction)"
"""The feedback provider of an uninformed evolution."""


class Trial(NamedTuple):
    """One idea's evolution."""

    generator: str
    """The model, with what departs from the method's defaults and stands in no other column."""
    provider: str
    """The model whose directives it was revised by."""
    scorer: str
    steps: tuple[Evolved, ...]
    discarded: str = ""
    """Why an idea of it was discarded; empty where all could be read."""
    run: str = ""
    question: str = ""
    """What it answers: ideas on one question are alike, and no independent observations."""

    @property
    def informed(self) -> bool:
        return self.provider != SELF

    @property
    def written(self) -> int:
        """How many ideas were asked for, the discarded one included."""
        return len(self.steps) + bool(self.discarded)


class Mean(NamedTuple):
    """An item's mean at a step, or that of the sum over items (`item` empty), with what it is a
    mean over.
    """

    generator: str
    provider: str
    step: int
    item: str
    figure: Figure
    unjudged: int
    """Ideas left out because their judge gave no usable answer."""
    runs: tuple[str, ...]


def trials(config: Config, run: str, parts: Iterable[tuple[str, Record]]) -> tuple[Trial, ...]:
    """Return the evolutions of a run from its story: (place, record) pairs."""
    lines: defaultdict[str, list[Record]] = defaultdict(list)
    question = str(config.inputs.get("question") or config.inputs.get("topic", ""))
    for place, record in parts:
        if isinstance(record, Evolved | Discarded):
            lines[place.rpartition("/")[0]].append(record)
        elif isinstance(record, Prepared):
            question = record.question
    informed, apart = bool(config.inputs.get("informed", True)), bool(config.inputs.get("apart"))
    judge = "a person" if config.inputs.get("judged_by") == "person" else config.models["judge"]
    provider, scorer = judge if informed else SELF, config.models["scorer"] if apart else judge
    ordered = [held for _, held in sorted(lines.items(), key=lambda one: (len(one[0]), one[0]))]
    otherwise = tuple(
        one for one in departures(config) if one not in (UNINFORMED, BY_PERSON, APART)
    )
    generator = ", ".join((config.models["generator"], *otherwise))
    return tuple(
        Trial(generator, provider, scorer, *_steps(held), run, question) for held in ordered
    )


def _steps(held: Sequence[Record]) -> tuple[tuple[Evolved, ...], str]:
    """Return the ideas of an evolution in their order, and why one of them was discarded, if one
    was.
    """
    steps = sorted((one for one in held if isinstance(one, Evolved)), key=lambda one: one.n)
    return tuple(steps), next((one.reason for one in held if isinstance(one, Discarded)), "")


def trajectories(held: Sequence[Trial]) -> tuple[Mean, ...]:
    """Return the mean of every item, and of the sum over items, at every step, by generator and
    provider (figures 2 and 3).

    An idea that ended early, because every item held, stands as it ended; one that was broken off
    counts as far as it came. Only ideas judged by all nine items count, and only items that have a
    score. What different judges scored is never one mean.
    """
    found = []
    for (generator, provider), group in _grouped(
        _by_scorer(held), lambda one: (one.generator, one.provider)
    ).items():
        for step in range(max((len(one.steps) for one in group), default=0)):
            at = [(one, scores) for one in group if (scores := _scores(one, step))]
            for item in ("", *(item.name for item in ITEMS)):
                found.append(_mean(generator, provider, step, item, at))
    return tuple(found)


def _by_scorer(held: Sequence[Trial]) -> list[Trial]:
    """Return the trials with who scored them named beside the provider, where that is not the same
    judge for all.
    """
    several = len({one.scorer for one in held}) > 1
    return [
        one._replace(provider=f"{one.provider}, scored by {one.scorer}") if several else one
        for one in held
    ]


def _scores(trial: Trial, step: int) -> Checklist | None:
    """Return the scores of a trial at a step; None where it did not come so far, unless every item
    held before, or where the idea is not under headings.
    """
    if step >= len(trial.steps) and not (
        trial.steps and (last := trial.steps[-1].feedback) and last.holds
    ):
        return None
    scores = trial.steps[min(step, len(trial.steps) - 1)].scores
    return scores if len(scores.items) == len(ITEMS) else None


def _mean(
    generator: str, provider: str, step: int, item: str, at: Sequence[tuple[Trial, Checklist]]
) -> Mean:
    values = [
        (float(score), trial.question)
        for trial, scores in at
        if (score := _of(scores, item)) is not None
    ]
    runs = tuple(dict.fromkeys(trial.run for trial, _ in at if trial.run))
    return Mean(
        generator,
        provider,
        step,
        item,
        _figure(values, SUM if not item else None),
        len(at) - len(values),
        runs,
    )


def _figure(values: Sequence[tuple[float, str]], scale: Scale | None) -> Figure:
    """Return the mean of (score, question), by question where several have several ideas; without a
    scale, scores are 1 or 0.
    """
    scores, questions = [score for score, _ in values], [question for _, question in values]
    several = 1 < len(set(questions)) < len(questions)
    if scale is None and scores:
        clusters, unit = (
            (np.array(questions), QUESTION) if several else (np.arange(len(scores)), IDEA)
        )
        return clustered_share(np.array(scores, dtype=bool), clusters, unit)
    return (
        clustered_ci(scores, questions, scale or SUM, QUESTION[1])
        if several
        else mean_ci(scores, scale or SUM, IDEA[1])
    )


def _of(scores: Checklist, item: str) -> int | None:
    if not item:
        return scores.total if scores.complete else None
    return next((one.score for one in scores.items if one.item == item), None)


def per_item(held: Sequence[Trial]) -> Table:
    """Return the mean of each item after generation and after the last refinement, by generator and
    provider (table 1).
    """
    rows = [
        (
            Value(text=stage),
            Value(text=generator),
            Value(text=provider),
            *(_value(one, 2) for one in means[1:]),
            _value(means[0], 2),
        )
        for stage, generator, provider, means in _stages(held)
    ]
    head = ("Stage", "Model", "Directives by", *(item.name.capitalize() for item in ITEMS), "Sum")
    return Table(
        name="checklist-items",
        title="Mean score per item, after generation and after refinement",
        head=head,
        rows=tuple(rows),
        note=_note(held),
    )


def by_provider(held: Sequence[Trial]) -> Table:
    """Return the mean sum over items by feedback provider, after generation and after the last
    refinement (table 2).
    """
    found: defaultdict[tuple[str, str], dict[str, Value]] = defaultdict(dict)
    for stage, generator, provider, means in _stages(held):
        found[provider, generator][stage] = _value(means[0], 2)
    rows = tuple(
        (
            Value(text=provider),
            Value(text=generator),
            *(stages.get(stage, Value()) for stage in STAGES),
        )
        for (provider, generator), stages in found.items()
    )
    return Table(
        name="checklist-providers",
        title="Sum over items by feedback provider",
        head=("Directives by", "Model", "Generation step", "Refinement step"),
        rows=rows,
        note=_note(held),
    )


def _stages(held: Sequence[Trial]) -> list[tuple[str, str, str, list[Mean]]]:
    """Return the means of step 0 and of the last step of every group, the sum first; a group of a
    single step has no refinement.
    """
    by_step = _grouped(trajectories(held), lambda one: (one.generator, one.provider, one.step))
    last = {(generator, provider): step for generator, provider, step in by_step}
    return [
        (stage, *group, by_step[*group, step])
        for n, stage in enumerate(STAGES)
        for group, most in last.items()
        if n <= (step := n and most)
    ]


def steps_table(held: Sequence[Trial]) -> Table:
    """Return the figures of the trajectories as a table: one row per step, group by group (figures
    2 and 3).
    """
    by_step = _grouped(trajectories(held), lambda one: (one.generator, one.provider, one.step))
    rows = tuple(
        (
            Value(text=generator),
            Value(text=provider),
            count(step),
            *(_value(one, 2) for one in means),
        )
        for (generator, provider, step), means in by_step.items()
    )
    head = ("Model", "Directives by", "Step", "Sum", *(item.name.capitalize() for item in ITEMS))
    return Table(
        name="checklist-steps", title="Scores step by step", head=head, rows=rows, note=_note(held)
    )


def discards(held: Sequence[Trial]) -> Table:
    """Return which share of the ideas asked for could not be read, by generator and provider."""
    rows = []
    for (generator, provider), group in _grouped(
        held, lambda one: (one.generator, one.provider)
    ).items():
        asked, lost = sum(one.written for one in group), sum(bool(one.discarded) for one in group)
        runs = tuple(dict.fromkeys(one.run for one in group if one.discarded and one.run))
        share = Value(
            mean=lost / asked if asked else None,
            n=asked,
            counted="ideas",
            unit="percent",
            runs=runs,
        )
        rows.append(
            (
                Value(text=generator),
                Value(text=provider),
                count(asked),
                count(lost),
                share,
            )
        )
    head = ("Model", "Directives by", "Asked for", "Discarded", "Share")
    return Table(
        name="checklist-discards", title="Ideas that could not be read", head=head, rows=tuple(rows)
    )


def _value(one: Mean, digits: int) -> Value:
    figure = one.figure
    said = ". ".join(filter(None, (figure.how, figure.note)))
    return Value(
        mean=figure.value,
        low=figure.low,
        high=figure.high,
        n=figure.n,
        of=figure.n + one.unjudged,
        counted="ideas",
        digits=digits,
        note=said,
        runs=one.runs,
    )


def _note(held: Sequence[Trial]) -> str:
    lost = sum(bool(one.discarded) for one in held)
    other = sum(bool(one.steps) and len(one.steps[0].scores.items) < len(ITEMS) for one in held)
    scorers = sorted({one.scorer for one in held})
    told = [
        INTERVALS,
        f"Scored by {', '.join(scorers)}." if scorers else "",
        (
            "An idea that ended early because every item held stands as it ended; one that was"
            " broken off counts as far as it came."
        ),
        f"{lost} discarded." if lost else "",
        (
            f"{other} began in another form and are left out where they were judged by seven items."
            if other
            else ""
        ),
    ]
    return " ".join(filter(None, told))


def _grouped(held: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    found: defaultdict[K, list[T]] = defaultdict(list)
    for one in held:
        found[key(one)].append(one)
    return found
