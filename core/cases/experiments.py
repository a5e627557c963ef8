"""An experiment as a case study: the runs its results rest on go with it, and are checked against
its matrix; nothing is taken from a file that its own runs do not bear out.
"""

import json
import math
from collections.abc import Iterator, Mapping
from functools import cache

from core.errors import BadInput
from core.experiments.cells import SweepInputs, cells
from core.experiments.progress import methods_by_name
from core.judging import ranked_sets, ranking
from core.judging.ranked_sets import RankInputs
from core.records import Made, Record, Run, Standing, Standings, Target
from core.runs.catalogue import entry
from core.store import Store
from core.store.cases import Cases
from core.store.steps import Product
from core.store.sweeps import Weight
from core.store.whole import ExperimentWhole, MadeRun, Whole

FINISHED = ("done", "failed")


def gather(store: Store, run: Run, stepwise: bool) -> ExperimentWhole:
    """Return what an experiment's results rest on, its runs with their steps or without; raises
    BadInput for a target that is not kept here any more.
    """
    shas = tuple(target.sha for target in run.inputs_as(SweepInputs).targets)
    targets = store.frozen.several(shas, Target)
    begun, kept = store.sweeps.begun(run.id), Cases(store.connections)
    runs = [
        kept.made(one.run, name, stepwise)
        for name, one in sorted(begun.items())
        if one.state in FINISHED
    ]
    return ExperimentWhole(stepwise=stepwise, targets=tuple(targets.values()), runs=tuple(runs))


def weigh(store: Store, run: Run) -> Weight:
    """Return how many runs the case study of an experiment holds, and about how large it is."""
    runs = [one.run for one in store.sweeps.begun(run.id).values()]
    return store.sweeps.weigh(run.id, runs)


def misfits(whole: Whole) -> Iterator[str]:
    """Yield what about an experiment is not borne out by the runs it came with, each as the end of
    a sentence.
    """
    kept = whole.experiment
    if kept is None:
        yield "it is an experiment without its runs"
        return
    asked = whole.config.inputs_as(SweepInputs)
    across = (asked.methods, asked.models, asked.indicators, asked.targets)
    if (many := math.prod(map(len, across))) > len(whole.products):
        # A stranger's matrix may have a million cells: none is looked at before there is something
        # of each.
        yield f"it has not something of each of its {many:,} cells"
        return
    if {one.digest() for one in kept.targets} != {one.sha for one in asked.targets}:
        yield "its targets are not those of its matrix"
    methods, runs = methods_by_name(asked, whole.config.edition), {}
    for made in kept.runs:
        if methods.get(made.name) != made.config.method:
            yield f"its run {made.name[:100]!r} is none that its matrix has made"
        if not kept.stepwise and made.steps:
            yield f"its run {made.name[:100]!r} has steps, and it says that none has"
        if kept.stepwise and len(made.steps) != made.totals.steps:
            yield f"its run {made.name[:100]!r} has not all its steps"
        runs[made.id] = made
    if len(runs) < len(kept.runs):
        yield "two of its runs have one id"
    yield from _odd_steps(whole, methods, runs)
    yield from _odd_results(whole, asked, runs)


def _odd_steps(
    whole: Whole, methods: Mapping[str, str], runs: Mapping[str, MadeRun]
) -> Iterator[str]:
    """Yield which steps are not the making of a run that is there."""
    for step in whole.steps:
        made = runs.get(str(step.reply.get("run"))) if isinstance(step.reply, dict) else None
        if step.key not in methods or made is None or made.name != step.key:
            yield f"step {step.key!r} made no run that came with it"


def _odd_results(whole: Whole, asked: SweepInputs, runs: Mapping[str, MadeRun]) -> Iterator[str]:
    """Yield which cells say otherwise than the runs behind them."""
    shown = {one.name: _revive(one) for one in whole.products}

    @cache
    def quality(run: str, goal: str) -> tuple[tuple[float, ...], tuple[float | None, ...]]:
        # Once, however many of a stranger's rankings name the run.
        return _quality(runs[run], goal)

    for cell in cells(asked):
        name = f"{cell.name}/ideas"
        made = shown.pop(name, None)
        if not isinstance(made, Made) or made.cell != cell:
            yield f"its cell {cell.name!r} came to nothing, not even to a failure"
        elif not runs.keys() >= {*made.began, made.run}:
            yield f"the runs of its cell {cell.name!r} are not in it"
        for judge in asked.judges:
            said = shown.pop(cell.rank_by(judge), None)
            if said is None:
                continue
            if not isinstance(said, Standings) or (said.cell, said.judge) != (cell, judge):
                yield f"{cell.rank_by(judge)!r} is no ranking of its cell"
            elif said.run not in runs:
                yield f"the ranking {cell.rank_by(judge)!r} is not in it"
            elif (said.q, said.by_round) != quality(said.run, cell.indicator):
                yield f"the Q of {cell.rank_by(judge)!r} is not that of its ranking"
    if shown:
        yield f"{min(shown)!r} is of no cell of its matrix"


def _quality(run: MadeRun, goal: str) -> tuple[tuple[float, ...], tuple[float | None, ...]]:
    """Return Q as a ranking's own records have it: per repeat, and per round."""
    told = {one.name: _revive(one) for one in run.products if one.kind == "Standing"}
    final: tuple[float, ...] = ()
    rounds: list[float | None] = []
    for one in run.config.inputs_as(RankInputs).sets:
        standing = told.get(ranked_sets.place("judge", one.name, goal))
        stands = standing if isinstance(standing, Standing) else None
        if one.name != "final":
            rounds.append(stands.q if stands else None)
        elif stands:
            final = tuple(map(ranking.q_of, stands.rankings))
    return final, tuple(rounds)


KINDS: dict[str, type[Record]] = {one.__name__: one for one in (Made, Standing, Standings)}


def _revive(product: Product) -> Record | None:
    """Return a result as its record; None for what is no result."""
    kind = KINDS.get(product.kind)
    return kind.model_validate_json(json.dumps(product.data), strict=True) if kind else None


def too_large(run: Run, size: int, most: int) -> BadInput:
    """Return what is said of an experiment or a shortlist whose file nobody could open."""
    what = entry(run.config).whole
    return BadInput(
        f"{what.capitalize()} {run.id} would take {size / 1e6:.1f} MB, and a case study has at most"
        f" {most / 1e6:.0f}. Pack it without the steps of its runs; where that is too large as"
        f" well, export {'its tables' if what == 'experiment' else 'its report'}."
    )
