"""What a benchmark may take before it starts: calls, tokens, dollars, hours. A guess for planning,
said to be one; the caps are what holds.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from core.benchmark.inputs import BenchInputs, eligible
from core.benchmark.progress import ProgressPart
from core.models.prices import price
from core.records import BenchKind, BenchUsage, Record, Sampling
from core.store import Store

TYPICAL: dict[BenchKind, tuple[int, int]] = {
    "idea": (250, 200),
    "judge": (550, 250),
    "fluency": (500, 10),
}
"""Typical tokens in and out of a call: the prompt's own words, an idea of some hundred words or
two, a judge's analysis.
"""
SECONDS = 6.0
"""Seconds a call is taken to last where none was measured."""
PLACES = 16
"""Calls at once for each provider where the settings say nothing else."""
BUILT_IN = "builtin"
LATEST = 10
"""Benchmarks that are looked at for what calls take."""


class Load(Record):
    """What is expected of one model in one role; `cost` is None where its price is unknown."""

    model: str
    role: BenchKind
    calls: float
    tokens: float
    cost: float | None
    seconds: float
    """Of all its calls together."""
    measured: bool
    """Whether earlier benchmarks say how long its calls take."""


class Expected(Record):
    """`cost` is None where a price is unknown; calls hold no answer that is asked for twice."""

    calls: int
    tokens: int
    cost: float | None
    unreported: int = 0
    """Tokens that count against a cap where servers do not report how many a call took: replies
    count with all they may have.
    """
    hours: float
    said: str
    """What the hours rest on, as a sentence."""
    loads: tuple[Load, ...]

    @property
    def unpriced(self) -> tuple[str, ...]:
        """The models whose price is unknown."""
        return tuple(dict.fromkeys(one.model for one in self.loads if one.cost is None))


def expected(
    inputs: BenchInputs, sampling: Sampling, known: Iterable[BenchUsage] = (), places: int = PLACES
) -> Expected:
    """Return what a benchmark takes: judges drawn evenly from those that may judge each model;
    `known` is what the same models took before.

    `places` are the calls at once for each provider. Hours are those of the provider that takes
    longest with its places filled all the time.
    """
    return _foreseen(inputs, calls_by_model(inputs), inputs.calls, sampling, known, places)


def remaining(
    inputs: BenchInputs,
    far: Sequence[ProgressPart],
    sampling: Sampling,
    known: Iterable[BenchUsage] = (),
    places: int = PLACES,
) -> Expected:
    """Return what is still to be taken of a benchmark that is so `far`; what failed is asked
    again.
    """
    left = {(one.model, one.kind): one.left + one.running + one.failed for one in far}
    return _foreseen(inputs, _spread(inputs, left), sum(left.values()), sampling, known, places)


def calls_by_model(inputs: BenchInputs) -> dict[tuple[str, BenchKind], float]:
    """Return how many calls each model is expected to get in each role."""
    each: dict[BenchKind, int] = {
        "idea": inputs.ideas,
        "judge": inputs.ideas * inputs.judged,
        "fluency": inputs.pairs,
    }
    return _spread(
        inputs,
        {(one.model, kind): inputs.count * n for one in inputs.models for kind, n in each.items()},
    )


def _spread(
    inputs: BenchInputs, answers: Mapping[tuple[str, BenchKind], int]
) -> dict[tuple[str, BenchKind], float]:
    """Spread answers about each model's ideas over those who give them: itself, and evenly the
    judges that may.
    """
    calls: dict[tuple[str, BenchKind], float] = defaultdict(float)
    judges = tuple(one.model for one in inputs.judges)
    judging: tuple[BenchKind, ...] = ("judge", "fluency")
    for entrant in inputs.models:
        writer = entrant.model
        calls[writer, "idea"] += answers.get((writer, "idea"), 0)
        able = eligible(writer, judges)
        for judge in able:
            for kind in judging:
                calls[judge, kind] += answers.get((writer, kind), 0) / len(able)
    return dict(calls)


def _foreseen(
    inputs: BenchInputs,
    open_: Mapping[tuple[str, BenchKind], float],
    calls: int,
    sampling: Sampling,
    known: Iterable[BenchUsage],
    places: int,
) -> Expected:
    before = _together(known)
    loads = tuple(
        _load(model, role, n, sampling, before.get((model, role)))
        for (model, role), n in open_.items()
        if n
    )
    cost = sum(one.cost or 0.0 for one in loads)
    hours, said = _lasting(loads, inputs.limits, places)
    unreported = round(
        sum(
            one.calls * (TYPICAL[one.role][0] + sampling.max_tokens)
            for one in loads
            if one.model != BUILT_IN
        )
    )
    return Expected(
        calls=calls,
        tokens=round(sum(one.tokens for one in loads)),
        unreported=unreported,
        cost=None if any(one.cost is None for one in loads) else cost,
        hours=hours,
        said=said,
        loads=loads,
    )


def _together(known: Iterable[BenchUsage]) -> dict[tuple[str, BenchKind], BenchUsage]:
    """Add up what each model took in each role; of the built-in model the benchmark in which its
    calls were fastest says it.

    Its calls wait for the processor they share, and after each start for the embedding model: that
    is counted into their seconds, and not theirs.
    """
    found: dict[tuple[str, BenchKind], BenchUsage] = {}
    for one in known:
        place = one.model, one.role
        had = found.get(place)
        if not had:
            found[place] = one
        elif had.calls and one.calls and one.model == BUILT_IN:
            found[place] = min(had, one, key=lambda use: use.seconds / use.calls)
        else:
            amounts = BenchUsage.model_fields.keys() - {"model", "role"}
            sums = {name: getattr(one, name) + getattr(had, name) for name in amounts}
            found[place] = one.model_copy(update=sums)
    return {place: one for place, one in found.items() if one.calls}


def _load(
    model: str, role: BenchKind, calls: float, sampling: Sampling, before: BenchUsage | None
) -> Load:
    taken, given = _tokens(model, role, sampling, before)
    each = price(model, taken, given)
    seconds = 0.0 if model == BUILT_IN else SECONDS
    if before:
        seconds = before.seconds / before.calls
    return Load(
        model=model,
        role=role,
        calls=calls,
        tokens=calls * (taken + given),
        cost=None if each is None else calls * each,
        seconds=calls * seconds,
        measured=before is not None,
    )


def _tokens(
    model: str, role: BenchKind, sampling: Sampling, before: BenchUsage | None
) -> tuple[int, int]:
    """Return tokens in and out of one call: what was measured, if the server reported all of it."""
    if model == BUILT_IN:
        return 0, 0
    if before and not before.unreported:
        return round(before.tokens_in / before.calls), round(before.tokens_out / before.calls)
    taken, given = TYPICAL[role]
    return taken, min(given, sampling.max_tokens)


def _lasting(loads: Sequence[Load], limits: dict[str, int], places: int) -> tuple[float, str]:
    """Return hours and what they rest on."""
    lanes: dict[str, list[Load]] = defaultdict(list)
    for one in loads:
        lanes[one.model.partition(":")[0]].append(one)
    at_once = {lane: min(limits.get(lane, places), places) for lane in lanes}
    seconds = {lane: sum(one.seconds for one in held) for lane, held in lanes.items()}
    lasting = {lane: seconds[lane] / at_once[lane] for lane in sorted(lanes)}
    slowest = max(lasting, key=lasting.__getitem__)
    held = lanes[slowest]
    each = seconds[slowest] / sum(one.calls for one in held)
    how = "partly measured, partly assumed"
    if all(one.measured for one in held):
        how = "measured in earlier benchmarks"
    elif not any(one.measured for one in held):
        how = "assumed"
    n = at_once[slowest]
    calls = "1 call" if n == 1 else f"{n} calls"
    return lasting[slowest] / 3600, f"{calls} at once for {slowest}, {each:.1f} s a call ({how})"


def earlier_usage(store: Store) -> list[BenchUsage]:
    """Return what the models of the latest benchmarks took in each role."""
    return [
        one
        for run in store.runs.listed(method="bench", limit=LATEST)
        for one in store.benchmarks.sums.usage(run.id)
    ]
