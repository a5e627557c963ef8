"""A shortlist as a case study: the runs behind its stages go with it, and are checked against what
it says of them.
"""

import json
import re
from collections.abc import Iterator, Mapping

from core.records import (
    STAGES,
    Choices,
    ClaimsVerdict,
    Explored,
    Idea,
    Outcome,
    Parted,
    RatedIdeas,
    Rechecked,
    Record,
    RefinedIdea,
    Run,
    Shortlist,
)
from core.store import Store
from core.store.cases import SELF, Cases, call_runs
from core.store.steps import Product
from core.store.whole import ExperimentWhole, KeptStep, MadeRun, Whole

FINISHED = ("done", "failed")
MADE = {
    r"explore/chain": "chain",
    r"refine/idea-\d+/checklist": "evolve",
    r"refine/idea-\d+/[^/]+": "refine",
    r"check/idea-\d+/novelty": "novelty",
    r"check/idea-\d+/forms": "arena",
    r"compare/(.+/)?forms": "forms",
    r"compare/(.+/)?(arena|idea-\d+-idea-\d+)": "arena",
}
"""The runs a shortlist has made, by name, and their methods."""
SHOWN = (
    *(Choices, ClaimsVerdict, Explored, Idea, Outcome),
    *(Parted, RatedIdeas, Rechecked, RefinedIdea, Shortlist),
)
KINDS: dict[str, type[Record]] = {one.__name__: one for one in SHOWN}


def gather(store: Store, run: Run, stepwise: bool) -> ExperimentWhole:
    """Return the runs a shortlist rests on, with their steps or without."""
    begun, kept = store.sweeps.begun(run.id), Cases(store.connections)
    runs = [
        kept.made(one.run, name, stepwise)
        for name, one in sorted(begun.items())
        if one.state in FINISHED
    ]
    return ExperimentWhole(stepwise=stepwise, targets=(), runs=tuple(runs))


def names_in(run: Run, kept: ExperimentWhole) -> dict[str, str]:
    """Return what a file calls the runs in it, by their ids here: the same wherever it is made."""
    numbered = {made.id: f"run-{n:04}" for n, made in enumerate(kept.runs, 1)}
    return {**numbered, run.id: SELF}


def renamed(whole: Mapping[str, object], names: Mapping[str, str]) -> dict[str, object]:
    """Return a run as JSON whose steps and results call runs by other names."""
    return {**whole, **{part: call_runs(whole[part], names) for part in ("steps", "products")}}


def makes_run(step: KeptStep) -> bool:
    """Whether a step of a shortlist is the making of a run."""
    computed = step.origin.kind == "computed" and step.origin.name == "run"
    return computed and method_of(step.key) is not None


def method_of(name: str) -> str | None:
    """Return the method of the run that a shortlist calls so; None where it calls none so."""
    return next((made for like, made in MADE.items() if re.fullmatch(like, name)), None)


def misfits(whole: Whole) -> Iterator[str]:
    """Yield what about a shortlist is not borne out by the runs it came with, each as the end of a
    sentence.
    """
    kept = whole.experiment
    if kept is None:
        yield "it is a shortlist without its runs"
        return
    runs = {made.id: made for made in kept.runs}
    if len(runs) < len(kept.runs) or SELF in runs:
        yield "two of its runs have one id"
    for made in kept.runs:
        if method_of(made.name) != made.config.method:
            yield f"its run {made.name[:100]!r} is none that a shortlist makes"
        if not kept.stepwise and made.steps:
            yield f"its run {made.name[:100]!r} has steps, and it says that none has"
        if kept.stepwise and len(made.steps) != made.totals.steps:
            yield f"its run {made.name[:100]!r} has not all its steps"
    for step in filter(makes_run, whole.steps):
        reply = step.reply if isinstance(step.reply, dict) else {}
        found = runs.get(str(reply.get("run")))
        if found is None or found.name != step.key:
            yield f"step {step.key!r} made no run that came with it"
    named = {run for product in whole.products for run in _named(product.data)}
    if unknown := named - {*runs, SELF, ""}:
        yield f"what it shows names a run that did not come with it, {min(unknown)[:60]!r}"
        return
    yield from _odd_results(whole, runs)


def _odd_results(whole: Whole, runs: Mapping[str, MadeRun]) -> Iterator[str]:
    """Yield which results say otherwise than the runs behind them."""
    at_place = {product.name: _revive(product) for product in whole.products}
    yield from _strays(at_place)
    results = at_place.values()
    there = {idea.digest() for said in results for idea in _brought(said)}
    # Each run is looked through once, however often a stranger's results name it.
    shown = [(run, one, _revive(one)) for run, made in runs.items() for one in made.products]
    at = {(run, one.name): record for run, one, record in shown}
    last = {(run, one.kind): record for run, one, record in shown}
    for said in results:
        if isinstance(said, Explored):
            for one in said.ideas:
                wrote = one.made
                if wrote and one.idea != at.get((wrote.run, wrote.place)):
                    yield f"its idea {one.n} is not the one that its chain wrote"
        elif isinstance(said, RefinedIdea) and said.runs:
            ends = [last.get((run, "Outcome")) for run in said.runs]
            written = [end.idea for end in ends if isinstance(end, Outcome)]
            if written and said.idea != written[-1]:
                yield f"its idea {said.n} is not the one that its refinement ended with"
        elif isinstance(said, Rechecked) and said.state:
            verdict = last.get((said.run, "ClaimsVerdict"))
            told = isinstance(verdict, ClaimsVerdict) and (verdict.state, verdict.sentence)
            if told != (said.state, said.sentence):
                yield f"the verdict on its idea {said.n} is not that of its check"
        elif isinstance(said, Shortlist):
            for card in said.cards:
                if card.idea.digest() not in there:
                    yield f"the idea on its card {card.place} is none that came through its stages"


def _strays(results: Mapping[str, Record | None]) -> Iterator[str]:
    """Yield which results, by their places, are of an idea that had not come in by their stage."""
    explored = results.get("explore")
    ideas = {one.n for one in explored.ideas} if isinstance(explored, Explored) else set()
    for stage in STAGES:
        for place, said in results.items():
            if place.partition("/")[0] == stage and (strange := _about(said) - ideas):
                yield f"{place[:100]!r} is of an idea {min(strange)}, and none has come in as that"
        choices = results.get(f"{stage}/choices")
        if isinstance(choices, Choices):
            newest = max(ideas, default=0)
            ideas.update(range(newest + 1, newest + 1 + len(choices.added)))


def _about(said: Record | None) -> set[int]:
    """Return the ideas that a result says something of, by their numbers."""
    if isinstance(said, Parted):
        return {one.survivor for one in said.joined} | {one.n for one in said.aside}
    if isinstance(said, RatedIdeas):
        return {one.n for one in said.order} | {one.n for one in said.aside}
    if isinstance(said, Shortlist):
        return {card.n for card in said.cards}
    return {said.n} if isinstance(said, RefinedIdea | Rechecked) else set()


def _brought(said: Record | None) -> Iterator[Idea]:
    """Yield the ideas that a result brings in, in the form they have there."""
    if isinstance(said, Explored):
        yield from (one.idea for one in said.ideas)
    elif isinstance(said, RefinedIdea):
        yield said.idea
    elif isinstance(said, Choices):
        yield from (*said.added, *(one.idea for one in said.edited))


def _named(data: object) -> Iterator[str]:
    """Yield the runs that a result names."""
    if isinstance(data, list):
        for part in data:
            yield from _named(part)
    if not isinstance(data, dict):
        return
    for name, part in data.items():
        if name == "run" and isinstance(part, str):
            yield part
        elif name == "runs" and isinstance(part, list):
            yield from (one for one in part if isinstance(one, str))
        else:
            yield from _named(part)


def _revive(product: Product) -> Record | None:
    kind = KINDS.get(product.kind)
    return kind.model_validate_json(json.dumps(product.data), strict=True) if kind else None
