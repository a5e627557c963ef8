"""How far a benchmark is: what is done, running, failed, excluded, left, and no longer needed; and
how fast it goes.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import comb
from typing import NamedTuple

from core.benchmark.inputs import BenchInputs
from core.records import BenchKind, GroupSums, KeywordList, Record, Run
from core.store import Store
from core.store.bench_sums import DomainSums, Tally

KINDS: tuple[BenchKind, ...] = ("idea", "judge", "fluency")
FEW = 40
"""Keywords that still have a column each; more are put together by domain."""
WINDOW = timedelta(minutes=5)
"""What the pace is taken over."""


class ProgressPart(Record):
    """The answers of one kind for one model's ideas, counted; together they are what was
    planned.
    """

    model: str
    kind: BenchKind
    planned: int
    done: int = 0
    running: int = 0
    failed: int = 0
    excluded: int = 0
    needless: int = 0
    """Judgments and comparisons of ideas that are excluded: nobody asks for them."""

    @property
    def left(self) -> int:
        """What is still to be asked; what follows a failed idea stays here until that idea is asked
        for once more.
        """
        return max(
            0, self.planned - self.done - self.running - self.failed - self.excluded - self.needless
        )


class ProgressSquare(NamedTuple):
    """How far one model is in one place: the share of what is needed that is done or excluded, None
    where nothing is needed.
    """

    model: str
    place: str
    share: float | None
    failed: int


class Pace(NamedTuple):
    """Calls a minute over the last five minutes at most, and mean seconds a call; None where none
    ended.
    """

    a_minute: float | None = None
    each: float | None = None


class BenchProgress(Record):
    parts: tuple[ProgressPart, ...]
    squares: tuple[ProgressSquare, ...]
    by: str
    """`keyword` or `domain`: what a place of a square is."""
    pace: Pace
    minutes: tuple[tuple[str, int, float], ...]
    """(minute in UTC, calls that ended in it, seconds they took), oldest first."""
    keywords: tuple[str, ...]
    """In the benchmark's own order."""

    def total(self, what: str, kind: BenchKind | None = None) -> int:
        """Return a count of all models together: planned, done, running, failed, excluded, needless
        or left.
        """
        return sum(getattr(one, what) for one in self.parts if kind in (None, one.kind))

    @property
    def share(self) -> float:
        """The share of what is needed that is done or excluded, 0 to 1."""
        return (
            share(
                self.total("planned") - self.total("needless"),
                self.total("done") + self.total("excluded"),
            )
            or 0.0
        )

    @property
    def minutes_left(self) -> float | None:
        """Minutes for what is left at this pace; None where there is no pace."""
        left = self.total("left") + self.total("running")
        return left / self.pace.a_minute if self.pace.a_minute else None


def progress(
    store: Store, run: Run, at: datetime | None = None, domains: Sequence[DomainSums] | None = None
) -> BenchProgress:
    """Return how far a benchmark is, from its sums alone: no cell is read.

    `at` is the moment the pace is taken at, now by default; `domains` are the sums by domain, where
    somebody kept them.
    """
    asked, sums = run.inputs_as(BenchInputs), store.benchmarks.sums
    domains = sums.by_domain(run.id, asked.ideas) if domains is None else domains
    minutes = sums.pace(run.id)
    # Until its first worker lays it out, a benchmark has its keywords in the frozen list alone.
    keywords = (
        store.benchmarks.keywords(run.id)
        or store.frozen.get(asked.keywords, KeywordList).keywords[: asked.count]
    )
    if asked.count <= FEW:
        squares = _by_keyword(asked, [one.text for one in keywords], sums.groups(run.id))
    else:
        squares = _by_domain(asked, Counter(one.domain for one in keywords), domains)
    return BenchProgress(
        parts=parts(asked, sums.tally(run.id), domains),
        squares=squares,
        by="keyword" if asked.count <= FEW else "domain",
        pace=take_pace(minutes, datetime.fromisoformat(run.updated), at or datetime.now(UTC)),
        minutes=tuple(minutes),
        keywords=tuple(one.text for one in keywords),
    )


def parts(
    asked: BenchInputs, tally: Tally, domains: Sequence[DomainSums] = ()
) -> tuple[ProgressPart, ...]:
    """Return the counts of every model and kind; without sums by domain, comparisons that are no
    longer needed are not told from those that are left.
    """
    spare = Counter[int]()
    for one in domains:
        spare[one.model] += one.spare
    planned = {"idea": asked.ideas, "judge": asked.ideas * asked.judged, "fluency": asked.pairs}
    found = []
    for m, entrant in enumerate(asked.models):
        excluded = tally.get(("idea", m, "excluded"), 0)
        needless = {
            "idea": 0,
            "judge": excluded * asked.judged,
            "fluency": spare[m] if asked.pairs else 0,
        }
        found += [
            ProgressPart(
                model=entrant.model,
                kind=kind,
                planned=asked.count * planned[kind],
                needless=needless[kind],
                **{
                    name: tally.get((kind, m, state), 0)
                    for name, state in (
                        ("done", "done"),
                        ("running", "taken"),
                        ("failed", "failed"),
                        ("excluded", "excluded"),
                    )
                },
            )
            for kind in KINDS
            if planned[kind]
        ]
    return tuple(found)


def share(needed: int, settled: int) -> float | None:
    """Return settled / needed, None where nothing is needed."""
    return settled / needed if needed > 0 else None


def _by_keyword(
    asked: BenchInputs, names: Sequence[str], groups: Sequence[GroupSums]
) -> tuple[ProgressSquare, ...]:
    sums = {(one.model, one.keyword): one for one in groups}
    return tuple(
        _square(asked, entrant.model, name, 1, sums.get((m, k)))
        for m, entrant in enumerate(asked.models)
        for k, name in enumerate(names)
    )


def _by_domain(
    asked: BenchInputs, keywords: Counter[str], sums: Sequence[DomainSums]
) -> tuple[ProgressSquare, ...]:
    by_place = {(one.model, one.domain): one for one in sums}
    domains = sorted(keywords, key=lambda name: (not name, name))
    return tuple(
        _square(
            asked,
            entrant.model,
            domain or "no domain",
            keywords[domain],
            by_place.get((m, domain)),
        )
        for m, entrant in enumerate(asked.models)
        for domain in domains
    )


def _square(
    asked: BenchInputs,
    model: str,
    place: str,
    keywords: int,
    sums: GroupSums | DomainSums | None,
) -> ProgressSquare:
    needed = keywords * (asked.ideas * (1 + asked.judged) + asked.pairs)
    if sums is None:
        return ProgressSquare(model, place, share(needed, 0), 0)
    if isinstance(sums, DomainSums):
        excluded, spare = sums.excluded, sums.spare
    else:
        excluded = sums.refused_twice + sums.long
        spare = comb(asked.ideas, 2) - comb(asked.ideas - excluded, 2)
    needed -= excluded * asked.judged + (spare if asked.pairs else 0)
    settled = sums.ideas + sums.judgments + sums.pairs + excluded
    return ProgressSquare(model, place, share(needed, settled), sums.failed)


def take_pace(minutes: Sequence[tuple[str, int, float]], begun: datetime, at: datetime) -> Pace:
    """Return the pace over the last whole minutes before `at`, five at most, or since the run was
    last taken up if that is later.
    """
    since = max(begun, (at - WINDOW).replace(second=0, microsecond=0) + timedelta(minutes=1))
    calls, seconds = 0, 0.0
    for minute, n, took in minutes:
        end = datetime.fromisoformat(f"{minute}+00:00") + timedelta(minutes=1)
        if end > since:
            calls += n
            seconds += took
    over = (at - since).total_seconds() / 60
    return Pace(calls / over, seconds / calls) if calls and over > 0 else Pace()
