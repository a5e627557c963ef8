"""A benchmark as blocks: how far it is, what was found, what failed and why, how it was run, and
what it cannot say.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from core.benchmark import BenchInputs
from core.benchmark.progress import progress
from core.benchmark.results import tables as made
from core.benchmark.results.energy import energy, table, whole
from core.benchmark.results.findings import BenchFindings, findings
from core.export.asked import inputs_as
from core.export.benchmarks.protocol import LIMITS, departures, methods, protocol
from core.export.benchmarks.rows import KINDS, Benchmark
from core.export.blocks import (
    Block,
    Blocks,
    Fields,
    Heading,
    Span,
    Table,
    grid,
    listing,
    nest,
    prose,
    section,
)
from core.export.facts import money, unfinished
from core.records import BENCH_DIMENSIONS, BenchCell, BenchUsage, KeywordList, Run
from core.records import Table as Figures
from core.records.usage import tokens
from core.store import Store
from core.store.bench_cells import IdeaOrder
from core.tables.cells import count, number, value
from core.wording.numbers import counted

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
TIE = (
    "A tie: others have the score of the last one too; of equal scores those written down first are"
    " listed."
)
MOST = 120
"""Rows of a table that a report prints; a longer one is in the archive alone."""


def opened(store: Store, run: Run) -> Benchmark:
    """Return a benchmark with what its report and its rows name things by; raises StoreFailed for
    what this program cannot read.
    """
    inputs = inputs_as(run, BenchInputs)
    keywords = store.benchmarks.keywords(run.id)  # Laid out once the run is worked on.
    if not keywords:
        keywords = list(store.frozen.get(inputs.keywords, KeywordList).keywords[: inputs.count])
    return Benchmark(store, run, inputs, keywords)


def benchmark(store: Store, run: Run) -> Blocks:
    """Write a benchmark as it stands."""
    bench, found = opened(store, run), findings(store, run.id)
    source = store.frozen.get(bench.inputs.keywords, KeywordList)
    return (
        Heading("How it stands"),
        *_standing(bench, found),
        Heading("What was found"),
        *_results(found),
        *_best(bench),
        Heading("Judges"),
        *_judges(found),
        Heading("What failed, and what was left out"),
        *_lost(bench, "failed", "What failed, and why"),
        *_lost(bench, "excluded", "What was left out, and why"),
        Heading("What it took"),
        *_took(found.usage),
        Heading("How it was run"),
        Fields(tuple(protocol(run, bench.inputs, source, bench.keywords))),
        Heading("Where it departs from the paper", 3),
        *listing(departures(bench.inputs, source)),
        Heading("Methods paragraph"),
        prose(paragraph(store, run)),
        Heading("What it cannot say"),
        *listing(LIMITS),
    )


def paragraph(store: Store, run: Run) -> str:
    """Return a paragraph for a methods section, every number filled in as it stands."""
    bench = opened(store, run)
    scored = store.benchmarks.sums.keywords_judged(run.id)
    return methods(
        run,
        bench.inputs,
        store.frozen.get(bench.inputs.keywords, KeywordList),
        progress(store, run),
        scored,
        spent(store, run),
    )


def tables(found: BenchFindings) -> dict[str, Figures]:
    """Return every table of figures that has rows, by name."""
    every = (
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
    return {figures.name: figures for figures in every if figures.rows}


def spent(store: Store, run: Run) -> str:
    """Say what a benchmark took so far."""
    return took(store.benchmarks.sums.usage(run.id))


def took(usage: Sequence[BenchUsage]) -> str:
    """Say calls, tokens and cost; what nobody reported or priced is named, never counted as
    nothing.
    """

    def total(name: str) -> int:
        return sum(getattr(model, name) for model in usage)

    known = tokens(total("tokens_in"), total("tokens_out"), total("calls"), made.unreported(usage))
    unknown = (
        f" (up to {total('unreported'):,} more by an upper guess)" if total("unreported") else ""
    )
    return (
        f"{counted(total('calls'), 'call')}; {known}{unknown};"
        f" {money(sum(model.cost for model in usage), total('unpriced'))}"
    )


def _standing(bench: Benchmark, found: BenchFindings) -> Iterator[Block]:
    far = progress(bench.store, bench.run)
    rows = (
        (f"{name}s", *(f"{far.total(what, kind):,}" for what in STATES))
        for kind, name in KINDS.items()
    )
    yield Table(("", *(what.capitalize() for what in STATES.values())), tuple(rows))
    yield prose(
        "What failed or was left out is in no figure; judgments and comparisons of ideas that were"
        " left out are not needed."
    )
    if bench.run.state != "done":
        yield prose(
            f"So far: {unfinished(bench.run)} {counted(found.open, 'answer')} still to come. Every"
            " figure is over what is there."
        )


def _results(found: BenchFindings) -> Iterator[Block]:
    front = ", ".join(sorted(found.pareto))
    if front:
        yield prose(f"On the Pareto front of feasibility and originality: {front}.")
    else:
        yield prose("No judgments yet.")
    judged = any(row.keywords for row in found.board.rows)
    for name, figures in tables(found).items():
        if name in ELSEWHERE or not (judged or name in ("refusals", "words")):
            continue
        if len(figures.rows) <= MOST:
            yield from nest(grid(figures))
        else:
            rows = f"{counted(len(figures.rows), 'row')}: tables/{name}.csv in what is taken along."
            yield Heading(figures.title, 3)
            yield prose(f"{rows} {figures.note}".rstrip())


def _best(bench: Benchmark) -> Iterator[Block]:
    if bench.inputs.brainstorm:
        ideas = bench.store.benchmarks.ideas(bench.run.id, limit=ALL)
        yield from section("Its ideas", _ideas(bench, ideas), 3)
        return
    around = partial(bench.store.benchmarks.ideas, bench.run.id)
    best, worst = extremes(bench)
    luck = (
        "Of many scores the highest are partly luck: more judges would bring them nearer to the"
        " mean."
    )
    ends: tuple[tuple[IdeaOrder, str, str, list[BenchCell]], ...] = (
        ("best", "highest", luck, best),
        ("worst", "lowest", "The same holds at this end.", worst),
    )
    for order, end, note, cells in ends:
        if cells:
            yield Heading(f"The ideas that scored {end}", 3)
            # The score of the last that is listed, and of the one after.
            scores = [cell.score for cell in around(order=order, limit=2, skip=BEST - 1)]
            tied = len(scores) == 2 and scores[0] is not None and scores[0] == scores[1]
            yield prose(f"{note} {TIE}" if tied else note)
            yield from _ideas(bench, cells)


def _ideas(bench: Benchmark, cells: Sequence[BenchCell]) -> Iterator[Block]:
    for cell in cells:
        keyword, model = bench.where(cell)
        score = ""
        if cell.score is not None:
            score = f", mean score {cell.score:.2f} of {counted(cell.judged, 'judgment')}"
        lead = Span(f"{keyword} ({model}{score}). ", "strong")
        yield from listing([(lead, Span(cell.text))])


def extremes(bench: Benchmark) -> tuple[list[BenchCell], list[BenchCell]]:
    """Return the ideas that scored highest, the best first, and those that scored lowest, the worst
    first; none is in both.
    """
    ideas = partial(bench.store.benchmarks.ideas, bench.run.id, limit=BEST)
    best = ideas(order="best")
    known = {cell.id for cell in best}
    worst = [cell for cell in ideas(order="worst") if cell.id not in known]
    return best, worst


def samples(bench: Benchmark) -> Figures:
    """Return the ideas that scored highest and lowest with their means, as the paper's table S.2
    has them.
    """
    best, worst = extremes(bench)
    cells = [*(("highest", cell) for cell in best), *(("lowest", cell) for cell in worst[::-1])]
    rows = []
    for end, cell in cells:
        keyword, model = bench.where(cell)
        means = (getattr(cell, name) for name in (*BENCH_DIMENSIONS, "score"))
        texts = (value(text) for text in (end, model, keyword, cell.text))
        rows.append((*texts, *(number(mean, 4) for mean in means), count(cell.judged)))
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


def _judges(found: BenchFindings) -> Iterator[Block]:
    figures = tables(found)
    there = [figures[name] for name in ("judges", "agreement") if name in figures]
    for figure in there:
        yield from nest(grid(figure))
    if not there:
        yield prose("No judgments yet.")


def _lost(bench: Benchmark, state: str, title: str) -> Iterator[Block]:
    """Write what was lost in a state by kind, model and reason, the most frequent first."""
    counts = Counter[tuple[str, str, str]]()
    examples = dict[tuple[str, str, str], str]()
    for cell in bench.lost(state):
        reason = KINDS[cell.kind], cell.asked, cell.why
        counts[reason] += 1
        text = " ".join(cell.text.split())
        cut = "…" if len(text) > SHOWN else ""
        examples.setdefault(reason, f"{bench.where(cell)[0]}: {text[:SHOWN]}{cut}")
    if not counts:
        yield prose("Nothing failed." if state == "failed" else "Nothing was left out.")
        return
    rows = []
    for reason, n in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        kind, asked, why = reason
        rows.append((kind, asked, WHY.get(why, why), f"{n:,}", examples[reason]))
    head = ("What was asked for", "Of whom", "Why", "How many", "The first of them")
    yield Heading(title, 3)
    yield Table(head, tuple(rows))


def _took(usage: Sequence[BenchUsage]) -> Iterator[Block]:
    yield prose(
        f"{took(usage)}. Each call with what was answered: calls.csv in what is taken along with"
        " every answer."
    )
    estimated = energy(usage)
    yield from nest((*grid(made.usage(usage)), *grid(table(estimated))))
    total = whole(estimated)
    if not total.counted:
        return
    text = (
        f"In all, estimated: {total.kwh_low:.3g} to {total.kwh_high:.3g} kWh,"
        f" {total.kg_low:.3g} to {total.kg_high:.3g} kg CO2eq."
    )
    if total.left_out:
        text += (
            f" {counted(total.left_out, 'row')} of {len(estimated)} could not be estimated and"
            " count with nothing."
        )
    yield prose(text)
