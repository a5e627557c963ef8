"""What evolutions come to: means per item before and after, sums by feedback provider,
trajectories, discards (EvoIdeator, tables 1 and 2, figures 2 and 3).
"""

import re
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
from core.store.steps import AnsweredStep, played_by
from core.tables.cells import Cell, make_table
from core.wording.naming import APART, BY_PERSON, UNINFORMED, departures
from core.wording.numbers import counted

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
    line: str = ""
    """Where it stands in its run; empty where it is the only one."""
    own: frozenset[int] = frozenset()
    """Of a branch, the steps of which it asked anything itself; of others, none."""
    wrote: frozenset[int] = frozenset()
    """Of these, the steps whose idea it had written itself."""
    branch: bool = False

    @property
    def informed(self) -> bool:
        return self.provider != SELF


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


def trials(
    config: Config,
    run: str,
    parts: Iterable[tuple[str, Record]],
    answered: Sequence[AnsweredStep] = (),
) -> tuple[Trial, ...]:
    """Return the evolutions of a run from its story: (place, record) pairs.

    `answered` says who answered in a run that took over some of another one's answers: what a fork
    goes on with by another model is by both.
    """
    inputs = config.inputs
    models = config.models
    steps: defaultdict[str, list[Evolved]] = defaultdict(list)
    discarded: dict[str, str] = {}
    question = str(inputs.get("question") or inputs.get("topic", ""))
    for place, record in parts:
        line = place.rpartition("/")[0]
        if isinstance(record, Evolved):
            steps[line].append(record)
        elif isinstance(record, Discarded):
            discarded.setdefault(line, record.reason)
        elif isinstance(record, Prepared):
            question = record.question
    in_columns = (UNINFORMED, BY_PERSON, APART)
    otherwise = [name for name in departures(config) if name not in in_columns]
    found = []
    for line in sorted(steps.keys() | discarded.keys(), key=lambda line: (len(line), line)):
        judge = "a person"
        if inputs.get("judged_by") != "person":
            judge = ", then ".join(played_by(answered, "judge", models["judge"], line))
        scorer = judge
        if inputs.get("apart"):
            scorer = ", then ".join(played_by(answered, "scorer", models["scorer"], line))
        generator = ", then ".join(played_by(answered, "generator", models["generator"], line))
        in_order = tuple(sorted(steps[line], key=lambda step: step.n))
        found.append(
            Trial(
                ", ".join((generator, *otherwise)),
                judge if inputs.get("informed", True) else SELF,
                scorer,
                in_order,
                discarded.get(line, ""),
                run,
                question,
                line,
                _own(answered, line, ""),
                _own(answered, line, "evolve-"),
                bool(answered),
            )
        )
    return tuple(found)


def _own(answered: Iterable[AnsweredStep], line: str, prompt: str) -> frozenset[int]:
    """Return the numbers of the steps of a line of which a branch asked something itself: anything,
    or what begins with `prompt`.
    """
    below = re.compile(rf"{re.escape(line)}/step-(\d+)/" if line else r"step-(\d+)/")
    return frozenset(
        int(found[1])
        for one in answered
        if (found := below.match(one.key))
        and not one.taken
        and one.key[found.end() :].startswith(prompt)
    )


def trajectories(held: Sequence[Trial]) -> tuple[Mean, ...]:
    """Return the mean of every item, and of the sum over items, at every step, by generator and
    provider (figures 2 and 3).

    An idea that ended early, because every item held, stands as it ended; one that was broken off
    counts as far as it came. Only ideas judged by all nine items count, and only items that have a
    score. What different judges scored is never one mean.
    """
    if len({trial.scorer for trial in held}) > 1:
        held = [
            trial._replace(provider=f"{trial.provider}, scored by {trial.scorer}") for trial in held
        ]
    names = ("", *(item.name for item in ITEMS))
    found = []
    for (generator, provider), group in _group(held, _by_provider).items():
        for step in range(max(len(trial.steps) for trial in group)):
            at = _judged(group, step)
            found += [_mean(generator, provider, step, name, at) for name in names]
    return tuple(found)


def _judged(group: Iterable[Trial], step: int) -> list[tuple[Trial, Checklist]]:
    """Return the trials that have scores at a step, with these."""
    return _once(
        ((trial, scores), trial.branch and shown.n not in trial.own, _name(trial, shown.digest()))
        for trial in group
        if (scores := _scores(trial, step)) and (shown := _shown(trial, step))
    )


def _written(group: Iterable[Trial]) -> list[Evolved]:
    """Return every idea that was written, with what was said of it."""
    return _once(
        (one, trial.branch and one.n not in trial.wrote, _name(trial, one.idea.digest()))
        for trial in group
        for one in trial.steps
    )


def _lost(group: Iterable[Trial]) -> list[Trial]:
    """Return the trials of which an idea was discarded."""
    return _once(
        (trial, trial.branch and len(trial.steps) not in trial.wrote, _name(trial, trial.discarded))
        for trial in group
        if trial.discarded
    )


def _name(trial: Trial, what: str) -> Hashable:
    return trial.question, trial.line, what


def _once(things: Iterable[tuple[T, bool, Hashable]]) -> list[T]:
    """Return things that are no branch's inheritance, and of each that is, which several branches
    may have, the first; none where its owner is there.

    Each comes with whether it is inherited, and a name that is the same wherever it is.
    """
    found, inherited, owned = list[T](), dict[Hashable, T](), set[Hashable]()
    for one, is_inherited, name in things:
        if is_inherited:
            inherited.setdefault(name, one)
        else:
            owned.add(name)
            found.append(one)
    return [*found, *(one for name, one in inherited.items() if name not in owned)]


def _shown(trial: Trial, step: int) -> Evolved:
    return trial.steps[min(step, len(trial.steps) - 1)]


def _by_provider(trial: Trial) -> tuple[str, str]:
    return trial.generator, trial.provider


def _scores(trial: Trial, step: int) -> Checklist | None:
    """Return the scores of a trial at a step; None where it did not come so far, unless every item
    held before, or where the idea is not under headings.
    """
    if not trial.steps:
        return None
    shown = _shown(trial, step)
    if step >= len(trial.steps) and not (shown.feedback and shown.feedback.holds):
        return None
    return shown.scores if len(shown.scores.items) == len(ITEMS) else None


def _mean(
    generator: str, provider: str, step: int, item: str, at: Sequence[tuple[Trial, Checklist]]
) -> Mean:
    values = list[float]()
    questions = list[str]()
    for trial, scores in at:
        if (score := _score(scores, item)) is not None:
            values.append(float(score))
            questions.append(trial.question)
    runs = tuple(dict.fromkeys(trial.run for trial, _ in at if trial.run))
    figure = _figure(values, questions, shares=bool(item))
    return Mean(generator, provider, step, item, figure, len(at) - len(values), runs)


def _figure(values: Sequence[float], questions: Sequence[str], *, shares: bool) -> Figure:
    """Return the mean of scores, by question where several have several ideas; `shares` says that
    scores are 1 or 0.
    """
    several = 1 < len(set(questions)) < len(questions)
    if shares and values:
        hits = np.array(values, dtype=bool)
        if several:
            return clustered_share(hits, np.array(questions), QUESTION)
        return clustered_share(hits, np.arange(len(hits)), IDEA)
    if several:
        return clustered_ci(values, questions, SUM, QUESTION[1])
    return mean_ci(values, SUM, IDEA[1])


def _score(scores: Checklist, item: str) -> int | None:
    if not item:
        return scores.total if scores.complete else None
    return next((judged.score for judged in scores.items if judged.item == item), None)


def per_item(held: Sequence[Trial]) -> Table:
    """Return the mean of each item after generation and after the last refinement, by generator and
    provider (table 1).
    """
    rows = list[tuple[Cell, ...]]()
    for stage, generator, provider, means in _stages(held):
        total, *items = map(_value, means)
        rows.append((stage, generator, provider, *items, total))
    head = ("Stage", "Model", "Directives by", *(item.name.capitalize() for item in ITEMS), "Sum")
    title = "Mean score per item, after generation and after refinement"
    return make_table("checklist-items", title, head, rows, _note(held))


def by_provider(held: Sequence[Trial]) -> Table:
    """Return the mean sum over items by feedback provider, after generation and after the last
    refinement (table 2).
    """
    found: defaultdict[tuple[str, str], dict[str, Value]] = defaultdict(dict)
    for stage, generator, provider, means in _stages(held):
        found[provider, generator][stage] = _value(means[0])
    rows = list[tuple[Cell, ...]]()
    for (provider, generator), stages in found.items():
        rows.append((provider, generator, *map(stages.get, STAGES)))
    head = ("Directives by", "Model", "Generation step", "Refinement step")
    title = "Sum over items by feedback provider"
    return make_table("checklist-providers", title, head, rows, _note(held))


def _stages(held: Sequence[Trial]) -> list[tuple[str, str, str, list[Mean]]]:
    """Return the means of step 0 and of the last step of every group, the sum first; a group of a
    single step has no refinement.
    """
    by_step = _by_step(held)
    last = {(generator, provider): step for generator, provider, step in by_step}
    generation, refinement = STAGES
    found = [(generation, *group, by_step[*group, 0]) for group in last]
    for group, step in last.items():
        if step:
            found.append((refinement, *group, by_step[*group, step]))
    return found


def steps_table(held: Sequence[Trial]) -> Table:
    """Return the figures of the trajectories as a table: one row per step, group by group (figures
    2 and 3).
    """
    rows = list[tuple[Cell, ...]]()
    for group, means in _by_step(held).items():
        rows.append((*group, *map(_value, means)))
    head = ("Model", "Directives by", "Step", "Sum", *(item.name.capitalize() for item in ITEMS))
    return make_table("checklist-steps", "Scores step by step", head, rows, _note(held))


def discards(held: Sequence[Trial]) -> Table:
    """Return which share of the ideas asked for could not be read, by generator and provider."""
    rows = list[tuple[Cell, ...]]()
    for (generator, provider), group in _group(held, _by_provider).items():
        lost = _lost(group)
        written = len(_written(group)) + len(lost)
        share = Value(
            mean=len(lost) / written if written else None,
            n=written,
            counted="ideas",
            unit="percent",
            runs=tuple(dict.fromkeys(trial.run for trial in lost if trial.run)),
        )
        rows.append((generator, provider, written, len(lost), share))
    head = ("Model", "Directives by", "Asked for", "Discarded", "Share")
    return make_table("checklist-discards", "Ideas that could not be read", head, rows)


def _value(one: Mean) -> Value:
    figure = one.figure
    return Value(
        mean=figure.value,
        low=figure.low,
        high=figure.high,
        n=figure.n,
        of=figure.n + one.unjudged,
        counted="ideas",
        digits=2,
        note=". ".join(filter(None, (figure.how, figure.note))),
        runs=one.runs,
    )


def _note(held: Sequence[Trial]) -> str:
    lost = len(_lost(held))
    first = [one for one in _written(held) if not one.n]
    other = sum(len(one.scores.items) < len(ITEMS) for one in first)
    scorers = sorted({trial.scorer for trial in held})
    sentences = [INTERVALS]
    if scorers:
        sentences.append(f"Scored by {', '.join(scorers)}.")
    sentences.append(
        "An idea that ended early because every item held stands as it ended; one that was"
        " broken off counts as far as it came."
    )
    if lost:
        sentences.append(f"{lost} discarded.")
    if other:
        sentences.append(
            f"{other} began in another form and are left out where they were judged by seven items."
        )
    return " ".join(sentences)


def _by_step(held: Sequence[Trial]) -> dict[tuple[str, str, int], list[Mean]]:
    return _group(trajectories(held), lambda mean: (mean.generator, mean.provider, mean.step))


def _group(things: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    groups: defaultdict[K, list[T]] = defaultdict(list)
    for thing in things:
        groups[key(thing)].append(thing)
    return groups


def in_words(reason: str, last: Checklist | None) -> tuple[str, str]:
    """Return how an evolution ended, and its rewards in words: as recorded they are signs alone.

    `last` is the checklist of the last version: of a single version it says what r counts.
    """
    found = re.fullmatch(r"(.*) R = (\d+) \(r = ([\d, ]+)\)\.", reason)
    if not found:
        return reason, ""
    told, total, each = found.groups()
    if "," in each:
        return told, f"Reward r of each version: {each}. Their sum R: {total}."
    if last is None or last.reward != int(total):
        return told, f"Reward r = {total}."
    counts = "the primary ones alone" if last.by_primary else "all of them"
    held = f"{last.total} of {counted(len(last.items), 'item')} hold"
    return told, f"{held}. The reward counts {counts}: r = {total}."
