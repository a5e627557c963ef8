"""What a benchmark found: everything its page, its figures and its report show, read from the sums
alone.
"""

from typing import Literal, get_args

from core.benchmark.inputs import BenchInputs
from core.benchmark.progress import parts
from core.benchmark.results.board import Board, board, pareto
from core.benchmark.results.by_domain import DomainScore, by_domain, domains
from core.benchmark.results.clarity import Clarity, clarity
from core.benchmark.results.distributions import Distribution, distributions
from core.benchmark.results.lengths import LineFit, lengths
from core.benchmark.results.panel_figures import JudgeFigure, agreement, severity
from core.benchmark.results.proxies import Proxy, proxies, with_fluency
from core.benchmark.results.refused import Refusal, refusals
from core.benchmark.results.replies import Replies, replies
from core.records import BenchKind, BenchUsage, Record
from core.statistics.statistic import Statistic
from core.store import Store

Settlement = Literal["done", "failed", "excluded"]


class Count(Record):
    """How many cells of one model are settled in one way."""

    kind: BenchKind
    model: str
    """Whose ideas they are about."""
    state: Settlement
    n: int


class BenchFindings(Record):
    """All figures of a benchmark as it stands."""

    run: str
    version: str
    """What `version` gave when it was read."""
    models: tuple[str, ...]
    keywords: int
    """How many are asked."""
    domains: tuple[str, ...]
    """In the order their keywords come, those without one left aside; empty where no keyword has
    one.
    """
    open: int
    """Answers that are still to come: not what failed, but what hangs on an idea that failed."""
    counts: tuple[Count, ...]
    board: Board
    pareto: frozenset[str]
    by_domain: tuple[DomainScore, ...]
    distributions: tuple[Distribution, ...]
    lengths: tuple[LineFit, ...]
    clarity: tuple[Clarity, ...]
    replies: Replies
    refusals: tuple[Refusal, ...]
    severity: tuple[JudgeFigure, ...]
    agreement: tuple[Statistic, ...]
    proxies: tuple[Proxy, ...]
    """Empty where no embeddings were computed."""
    proxy_r: Statistic | None
    """How the proxy goes with judged fluency, over models; None without proxies."""
    usage: tuple[BenchUsage, ...]


def findings(store: Store, run: str) -> BenchFindings:
    """Return everything a benchmark found so far; resampling is seeded alike for all, so that the
    same answers always give the same figures.

    Reads the sums of every model and keyword, in a few seconds for a full sweep: keep what it
    returns by `version`.
    """
    stamp, kept = version(store, run), store.runs.get(run)
    asked, sums = kept.inputs_as(BenchInputs), store.benchmarks.sums
    names = tuple(one.model for one in asked.models)
    groups = sums.groups(run)
    keywords = store.benchmarks.keywords(run)
    tally = sums.tally(run)
    details = sums.details(run)
    leaders, distances = board(groups, names, kept.title), proxies(groups, names)
    counts = tuple(
        Count(kind=kind, model=name, state=state, n=tally[kind, m, state])
        for kind in get_args(BenchKind)
        for m, name in enumerate(names)
        for state in get_args(Settlement)
        if tally.get((kind, m, state))
    )
    return BenchFindings(
        run=run,
        version=stamp,
        models=names,
        keywords=asked.count,
        domains=tuple(name for name in domains(keywords) if name),
        open=sum(
            one.left + one.running for one in parts(asked, tally, sums.by_domain(run, asked.ideas))
        ),
        counts=counts,
        board=leaders,
        pareto=pareto(leaders),
        by_domain=by_domain(groups, keywords, names),
        distributions=distributions(sums.scores(run), names),
        lengths=lengths(groups, names),
        clarity=clarity(details, names),
        replies=replies(details, names),
        refusals=refusals(groups, names),
        severity=severity(details),
        agreement=agreement(details),
        proxies=distances,
        proxy_r=with_fluency(distances) if distances else None,
        usage=tuple(sums.usage(run)),
    )


def version(store: Store, run: str) -> str:
    """Return what changes whenever an answer of the benchmark, a domain or a proxy changed: to keep
    findings by.
    """
    return store.benchmarks.sums.stamp(run)
