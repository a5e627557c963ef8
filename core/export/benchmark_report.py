"""A benchmark as blocks: how far it is, what was found, what failed and why, how it was held, and
what it cannot say.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.benchmark import BenchInputs
from core.benchmark import tables as made
from core.benchmark.energy import energy, table, whole
from core.benchmark.findings import BenchFindings, findings
from core.benchmark.progress import progress
from core.errors import StoreFailed, boundary
from core.export.asked import counted
from core.export.benchmark_protocol import LIMITS, departures, methods, protocol
from core.export.benchmark_rows import KINDS, READ, Benchmark
from core.export.blocks import Block, Blocks, Fields, Heading, Span, Table, listed, nested, said
from core.export.facts import unfinished
from core.export.grids import grid
from core.records import BENCH_DIMENSIONS, BenchCell, BenchUsage, KeywordList, Run, Value
from core.records import Table as Figures
from core.records.usage import tokens
from core.store import Store
from core.store.bench_cells import IdeaOrder

ELSEWHERE = ("judges", "agreement", "usage", "energy")
"""Tables that stand under headings of their own."""
BEST, ALL = 5, 40
"""Ideas a report tells of the highest scored, and of the lowest; of a brainstorm all, up to so
many.
"""
SHOWN = 240
"""Letters of a failure's words that are told."""
STATES = {
    "planned": "planned",
    "done": "done",
    "failed": "failed",
    "excluded": "left out",
    "needless": "not needed",
    "running": "under way",
    "left": "still to come",
}
WHY = {
    "refused": "refused twice",
    "long": "too long",
    "NoUsableAnswer": "no usable answer",
    "ModelFailed": "the model could not be reached or failed",
    "CannotAnswer": "the model does not answer this",
    "WorkerLost": "its worker was lost",
}
MOST = 120
"""Rows of a table that a report prints; a longer one is in the archive alone."""


def opened(store: Store, run: Run) -> Benchmark:
    """Return a benchmark with what its report and its rows name things by; raises StoreFailed for
    what this program cannot read.
    """
    with boundary(
        StoreFailed,
        f"reading what run {run.id} was asked for, which another version of this program may have"
        " written",
    ):
        inputs = run.inputs_as(BenchInputs)
    asked = store.benchmarks.keywords(run.id)  # Laid out once the run is worked on.
    return Benchmark(
        store,
        run,
        inputs,
        asked or list(store.frozen.get(inputs.keywords, KeywordList).keywords[: inputs.count]),
    )


def benchmark(store: Store, run: Run) -> Blocks:
    """Write a benchmark as it stands."""
    held, found = opened(store, run), findings(store, run.id)
    source = store.frozen.get(held.inputs.keywords, KeywordList)
    away = list(departures(held.inputs, source))
    return (
        Heading("How it stands"),
        *_standing(held, found),
        Heading("What was found"),
        *_results(found),
        *_best(held),
        Heading("Judges"),
        *_judges(found),
        Heading("What failed, and what was left out"),
        *_lost(held),
        Heading("What it took"),
        *_took(found.usage),
        Heading("How it was held"),
        Fields(tuple(protocol(run, held.inputs, source, held.keywords))),
        Heading("Where it departs from the paper", 3),
        *listed(away),
        Heading("Methods paragraph"),
        said(paragraph(store, run)),
        Heading("What it cannot say"),
        *listed(LIMITS),
    )


def paragraph(store: Store, run: Run) -> str:
    """Return a paragraph for a methods section, every number filled in as it stands."""
    held = opened(store, run)
    scored = store.benchmarks.sums.keywords_judged(run.id)
    return methods(
        run,
        held.inputs,
        store.frozen.get(held.inputs.keywords, KeywordList),
        progress(store, run),
        scored,
        spent(store, run),
    )


def tables(found: BenchFindings) -> dict[str, Figures]:
    """Return every table of figures that has rows, by name."""
    held = (
        made.board(found.board),
        made.trade_off(found.board, found.pareto),
        made.domains(found.by_domain),
        made.scores(found.distributions),
        made.words(found.distributions),
        made.lengths(found.lengths),
        made.clarity(found.clarity),
        made.replies(found.replies),
        made.thoughts(found.replies),
        made.refusals(found.refusals),
        made.proxies(found.proxies, found.proxy_r),
        made.severity(found.severity),
        made.agreement(found.agreement),
        made.usage(found.usage),
        table(energy(found.usage)),
    )
    return {one.name: one for one in held if one.rows}


def spent(store: Store, run: Run) -> str:
    """Say what a benchmark took so far."""
    return took(store.benchmarks.sums.usage(run.id))


def took(usage: Sequence[BenchUsage]) -> str:
    """Say calls, tokens and cost; what nobody reported or priced is named, never counted as
    nothing.
    """

    def total(name: str) -> int:
        return sum(getattr(one, name) for one in usage)

    known = tokens(total("tokens_in"), total("tokens_out"), total("calls"), made.unreported(usage))
    unknown = (
        f" (up to {total('unreported'):,} more by an upper guess)" if total("unreported") else ""
    )
    return (
        f"{counted(total('calls'), 'call')}; {known}{unknown};"
        f" {money_of(sum(one.cost for one in usage), total('unpriced'))}"
    )


def money_of(cost: float, unpriced: int) -> str:
    """Say a cost; calls of unknown price are named."""
    unknown = counted(unpriced, "call") + " of unknown price"
    return (
        unknown
        if unpriced and not cost
        else f"${cost:.4f}" + (f" and {unknown}" if unpriced else "")
    )


def _standing(held: Benchmark, found: BenchFindings) -> Iterator[Block]:
    far = progress(held.store, held.run)
    rows = (
        (f"{name}s", *(f"{far.total(what, kind):,}" for what in STATES))
        for kind, name in KINDS.items()
    )
    yield Table(("", *(what.capitalize() for what in STATES.values())), tuple(rows))
    yield said(
        "What failed or was left out is in no figure; judgments and comparisons of ideas that were"
        " left out are not needed."
    )
    if held.run.state != "done":
        yield said(
            f"So far: {unfinished(held.run)} {counted(found.open, 'answer')} still to come. Every"
            " figure is over what is there."
        )


def _results(found: BenchFindings) -> Blocks:
    held = tables(found)
    if not any(row.keywords for row in found.board.rows):
        held = {name: one for name, one in held.items() if name in ("refusals", "words")}
    blocks = tuple(
        block for name, one in held.items() if name not in ELSEWHERE for block in _grid(one)
    )
    front = (
        f"On the Pareto front of feasibility and originality: {', '.join(sorted(found.pareto))}."
        if found.pareto
        else ""
    )
    return (said(front or "No judgments yet."), *nested(blocks))


def _grid(one: Figures) -> Blocks:
    if len(one.rows) <= MOST:
        return grid(one)
    return (
        Heading(one.title),
        said(
            f"{counted(len(one.rows), 'row')}: tables/{one.name}.csv in what is taken"
            f" along.{f' {one.note}' if one.note else ''}"
        ),
    )


def _best(held: Benchmark) -> Iterator[Block]:
    everything = held.inputs.brainstorm
    if everything:
        yield from _told(held, "Its ideas", "", held.store.benchmarks.ideas(held.run.id, limit=ALL))
        return
    best, worst = extremes(held)
    luck = (
        "Of many scores the highest are partly luck: more judges would bring them nearer to the"
        " mean."
    )
    yield from _told(
        held, "The ideas that scored highest", f"{luck} {_cut(held, 'best')}".rstrip(), best
    )
    yield from _told(
        held,
        "The ideas that scored lowest",
        f"The same holds at this end. {_cut(held, 'worst')}".rstrip(),
        worst,
    )


def _cut(held: Benchmark, order: IdeaOrder) -> str:
    """Say that further ideas have the score of the last that is listed, where some have, and why
    they are not listed.
    """
    ends = [
        one.score
        for one in held.store.benchmarks.ideas(held.run.id, order=order, limit=2, skip=BEST - 1)
    ]
    if len(ends) < 2 or ends[0] is None or ends[0] != ends[1]:
        return ""
    return (
        "A tie: others have the score of the last one too; of equal scores those written down first"
        " are listed."
    )


def _told(held: Benchmark, title: str, words: str, several: Sequence[BenchCell]) -> Iterator[Block]:
    if several:
        yield Heading(title, 3)
        if words:
            yield said(words)
    for one in several:
        keyword, model = held.where(one)
        scored = (
            ""
            if one.score is None
            else f", mean score {one.score:.2f} of {counted(one.judged, 'judgment')}"
        )
        yield from listed([(Span(f"{keyword} ({model}{scored}). ", "strong"), Span(one.text))])


def extremes(held: Benchmark) -> tuple[list[BenchCell], list[BenchCell]]:
    """Return the ideas that scored highest, the best first, and those that scored lowest, the worst
    first; none is in both.
    """
    ideas = held.store.benchmarks.ideas
    best = ideas(held.run.id, order="best", limit=BEST)
    known = {one.id for one in best}
    return best, [
        one for one in ideas(held.run.id, order="worst", limit=BEST) if one.id not in known
    ]


def samples(held: Benchmark) -> Figures:
    """Return the ideas that scored highest and lowest with their means, as the paper's table S.2
    has them.
    """
    best, worst = extremes(held)
    rows = (
        (
            Value(text=kind),
            Value(text=held.where(one)[1]),
            Value(text=held.where(one)[0]),
            Value(text=one.text),
            *(Value(mean=getattr(one, name), digits=4) for name in (*BENCH_DIMENSIONS, "score")),
            Value(mean=one.judged, digits=0),
        )
        for kind, some in (("highest", best), ("lowest", list(reversed(worst))))
        for one in some
    )
    return Figures(
        name="samples",
        title="Ideas that scored highest and lowest",
        rows=tuple(rows),
        head=(
            "Among the",
            "Model",
            "Keyword",
            "Idea",
            *(f"Mean {name}" for name in BENCH_DIMENSIONS),
            "Score",
            "Judgments",
        ),
        note=(
            "As in table S.2 of LiveIdeaBench, whole texts. Score: mean of the three means. Of many"
            " scores the ends are partly luck."
        ),
    )


def _judges(found: BenchFindings) -> Blocks:
    held = tables(found)
    return nested(
        tuple(block for name in ELSEWHERE[:2] if name in held for block in grid(held[name]))
    ) or (said("No judgments yet."),)


class _Kind(NamedTuple):
    kind: str
    asked: str
    why: str


def _lost(held: Benchmark) -> Iterator[Block]:
    for state, title in (
        ("failed", "What failed, and why"),
        ("excluded", "What was left out, and why"),
    ):
        kinds: dict[_Kind, list[str | int]] = {}
        skip = 0
        while some := held.store.benchmarks.lost(held.run.id, state, READ, skip):
            skip += len(some)
            for one in some:
                first = " ".join(one.text.split())
                entry = kinds.setdefault(
                    _Kind(KINDS[one.kind], one.asked, one.why),
                    [0, f"{held.where(one)[0]}: {first[:SHOWN]}{'…' * (len(first) > SHOWN)}"],
                )
                entry[0] = int(entry[0]) + 1
        if kinds:
            rows = sorted(kinds.items(), key=lambda pair: (-int(pair[1][0]), pair[0]))
            yield Heading(title, 3)
            yield Table(
                ("What was asked for", "Of whom", "Why", "How many", "The first of them"),
                tuple(
                    (kind, asked, WHY.get(why, why), f"{n:,}", str(example))
                    for (kind, asked, why), (n, example) in rows
                ),
            )
        else:
            yield said("Nothing failed." if state == "failed" else "Nothing was left out.")


def _took(usage: Sequence[BenchUsage]) -> Iterator[Block]:
    yield said(
        f"{took(usage)}. Each call with what was answered: calls.csv in what is taken along with"
        " every answer."
    )
    estimated = energy(usage)
    yield from nested((*grid(made.usage(usage)), *grid(table(estimated))))
    total = whole(estimated)
    unknown = (
        f" {counted(total.left_out, 'row')} of {len(estimated)} could not be estimated and count"
        " with nothing."
        if total.left_out
        else ""
    )
    if total.counted:
        yield said(
            f"In all, estimated: {total.kwh_low:.3g} to {total.kwh_high:.3g} kWh,"
            f" {total.kg_low:.3g} to {total.kg_high:.3g} kg CO2eq.{unknown}"
        )
