"""Whether the parts of a case study fit one another, and this program."""

import json
import re
from collections import Counter
from collections.abc import Iterable

from pydantic import ValidationError

from core import prompts
from core.cases.costs import implausible
from core.cases.step_names import stranger
from core.errors import KINDS, BadInput
from core.records import (
    Chain,
    Checklist,
    Config,
    Considered,
    Design,
    DesignRound,
    Direction,
    Discarded,
    Draft,
    Entities,
    Evolved,
    Gathered,
    GivenUp,
    Idea,
    IdeaChoice,
    LeftOut,
    Link,
    Lost,
    Map,
    NoveltyCheck,
    Outcome,
    Outlook,
    Prepared,
    Record,
    Round,
    Search,
    Selection,
    Standing,
    Target,
    Topic,
    Trend,
    digest,
)
from core.records.faults import faults_in_words
from core.runs.catalogue import METHODS, entry
from core.store.steps import Product
from core.store.whole import KeptStep, Whole
from core.story import Line, Story

NOT_OPENED = "Nothing was opened. Ask whoever packed it for the file again."
KINDS_SHOWN: tuple[type[Record], ...] = (
    Chain,
    Checklist,
    Considered,
    Design,
    DesignRound,
    Direction,
    Discarded,
    Draft,
    Entities,
    Evolved,
    Gathered,
    GivenUp,
    Idea,
    IdeaChoice,
    LeftOut,
    Link,
    Lost,
    Map,
    NoveltyCheck,
    Outcome,
    Outlook,
    Prepared,
    Round,
    Search,
    Selection,
    Standing,
    Target,
    Topic,
    Trend,
)
"""Every kind of record shown by a method whose runs can be packed."""
SHOWN: dict[str, type[Record]] = {kind.__name__: kind for kind in KINDS_SHOWN}
_DATE = re.compile(r"(\d{4}(-\d{1,2}){0,2})?", re.ASCII)
"""YYYY-MM-DD as far as the source says."""


def consistent(whole: Whole) -> None:
    """Raise BadInput where a part of a case study does not fit the others, or this program."""
    _configuration(whole.config)
    _no_two("step", (step.key for step in whole.steps))
    _no_two("record", (one.name for one in whole.products))
    _no_two("paper", (one.id for one in whole.papers))
    if whole.totals.steps != len(whole.steps):
        raise _wrong(f"it counts {whole.totals.steps} steps and has {len(whole.steps)}")
    for sha, prompt in whole.prompts.items():
        if prompts.sha(prompt.text) != sha:
            raise _wrong(
                f"the text of its prompt {prompt.name!r} is not the one the run was asked with"
            )
    for step in whole.steps:
        _step(step)
        if odd := stranger(whole.config, step):
            raise _wrong(f"step {step.key!r} {odd}")
    if wrong := implausible(whole):
        raise _wrong(wrong)
    _story(whole)
    _dated([paper.model_dump() for paper in whole.papers])
    _dated([product.data for product in whole.products])


def _configuration(config: Config) -> None:
    known = METHODS.get(config.method)
    if known is None or config.version > known.version:
        raise BadInput(
            f"The case study was made by the method {config.method[:60]!r}, version"
            f" {config.version}, which this program does not know. Nothing was opened. Open it with"
            " a newer version of Idea Foundry."
        )
    if known.apart:
        raise _wrong(
            f"it is of the method {known.name!r}, which no case study holds: {known.apart}"
        )
    if known.advances == "steps" and (absent := set(known.roles) - set(config.models)):
        raise _wrong(f"it names no model as {min(absent)}")
    try:
        known.inputs.model_validate(config.inputs)
    except ValidationError as error:
        raise _wrong(f"what its run was asked for cannot be read ({_first(error)})") from None


def _no_two(what: str, names: Iterable[str]) -> None:
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        raise _wrong(f"it has more than one {what} {twice[0][:100]!r}")


def _step(step: KeptStep) -> None:
    if digest(step.request) != step.hash:
        raise _wrong(f"the request of step {step.key!r} does not fit its hash")
    authored = step.origin.kind == "authored"
    if authored and (
        step.calls
        or step.tries
        or (step.tokens_in, step.tokens_out, step.cost, step.latency) != (None,) * 4
    ):
        raise _wrong(
            f"step {step.key!r} was written by no model, and yet names tokens, cost or time"
        )
    if not authored and step.latency is None:
        raise _wrong(f"step {step.key!r} says nothing of its time")
    kept = step.reply
    if step.status == "failed" and not (
        isinstance(kept, dict)
        and kept.get("kind") in KINDS
        and isinstance(kept.get("message"), str)
    ):
        raise _wrong(f"step {step.key!r} failed, and does not say why")


def _story(whole: Whole) -> None:
    told = Story(tuple((product.name, _shown(product)) for product in whole.products))
    advances = entry(whole.config).advances
    try:
        lines = told.lines if advances else ()
        assert told.branches is not None
    except ValueError:
        raise _wrong("the places of its records cannot be read") from None
    for standing in told.all(Standing):
        _ranked(standing)
    for line in lines:
        (_steps if advances == "steps" else _rounds)(line)


def _shown(product: Product) -> Record:
    if product.kind not in SHOWN:
        raise _wrong(
            f"{product.name!r} is of a kind this program does not know, {product.kind[:60]!r}"
        )
    try:
        return SHOWN[product.kind].model_validate_json(json.dumps(product.data), strict=True)
    except ValidationError as error:
        raise _wrong(f"{product.name!r} is no {product.kind} ({_first(error)})") from None


def _dated(value: object) -> None:
    """Raise BadInput for a paper anywhere in `value` whose date could not be drawn."""
    for part in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        _dated(part)
    if not isinstance(value, dict):
        return
    published, year = value.get("published") or "", value.get("year") or 0
    if not (
        isinstance(published, str)
        and _DATE.fullmatch(published)
        and isinstance(year, int)
        and 0 <= year <= 9999
    ):
        raise _wrong(f"the date of the paper {str(value.get('title'))[:100]!r} cannot be read")


def _rounds(line: Line) -> None:
    if [one.n for one in line.rounds] != list(range(1, len(line.rounds) + 1)) or (
        line.rounds and line.first is None
    ):
        raise _wrong("its rounds are not in order")
    if line.outcome and not 0 <= line.outcome.round <= len(line.rounds):
        raise _wrong("its outcome is from a round it does not have")


def _ranked(standing: Standing) -> None:
    for one in standing.rankings:
        if (
            len(one.shown) < 2
            or sorted(one.shown) != sorted(one.best_first)
            or len(set(one.shown)) < len(one.shown)
        ):
            raise _wrong("a ranking does not put in order what was shown")


def _steps(line: Line) -> None:
    if [one.n for one in line.steps] != list(range(len(line.steps))):
        raise _wrong("its steps are not in order")
    if line.outcome and line.steps and not 0 <= line.outcome.round < len(line.steps):
        raise _wrong("its outcome is from a step it does not have")


def _wrong(what: str) -> BadInput:
    return BadInput(
        f"The case study does not hold together: {what.removesuffix('.')}. {NOT_OPENED}"
    )


def _first(error: ValidationError) -> str:
    return faults_in_words(error)[:300]
