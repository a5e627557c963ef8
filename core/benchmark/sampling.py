"""A sample of a benchmark's ideas for experts to judge (LiveIdeaBench, Methods, human validation):
drawn, named so that nothing is given away, handed over.
"""

import random
import re
from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Literal, NamedTuple

from core.errors import BadInput
from core.records import BENCH_DIMENSIONS, BenchCell, Criterion, StudyPlan, digest
from core.store import Store
from core.studies import texts
from core.tables.sheets import rows_as_csv

By = Literal["score", "model"]
PUBLISHED = 22
"""Ideas of the published validation, rated by six experts."""
FEWEST, MOST = 10, 500
"""Ideas of a sample: figures need ten, and every idea is read by people."""
CRITERIA: tuple[Criterion, ...] = (
    Criterion(
        name="originality",
        meaning=(
            "Does it contribute something new, in an area nobody has explored or by a new approach"
            " to a known problem?"
        ),
        low="poor: nothing in it is new",
        high="excellent: new, and in a way that matters",
    ),
    Criterion(
        name="feasibility",
        meaning="Can it be implemented technically, and is it practical?",
        low="poor: it cannot be carried out",
        high="excellent: it could be carried out with means there are",
    ),
    Criterion(
        name="clarity",
        meaning="Is it well put and easy to understand?",
        low="poor: one cannot tell what is proposed",
        high="excellent: understood at one reading",
    ),
)
"""What the judges' prompt asks, in its words, so that experts answer the same questions; the prompt
calls 1 to 3 poor and 7 to 10 excellent.
"""
_KEY = re.compile(r"keyword-(\d+)/model-(\d+)/idea-(\d+)")


class IdeaPlace(NamedTuple):
    """Which idea of a benchmark is meant; keyword and model count from 0, n from 1."""

    keyword: int
    model: int
    n: int


def sample(store: Store, run: str, n: int, by: By, seed: int) -> tuple[BenchCell, ...]:
    """Draw judged ideas evenly over thirds of the score, or over models; the same seed draws the
    same. Raises BadInput where fewer were judged.
    """
    _, judged = store.benchmarks.sums.accepted(run)
    if not FEWEST <= n <= MOST:
        raise BadInput(f"A sample has {FEWEST} to {MOST} ideas; {n} are asked for.")
    if judged < n:
        raise BadInput(
            f"{judged} ideas of this benchmark were judged; {n} cannot be drawn. Draw fewer, or let"
            " it go on."
        )
    rng = random.Random(digest([run, "validation", by, seed]))
    if by == "score":
        drawn = _by_score(store, run, n, judged, rng)
    else:
        drawn = _by_model(store, run, n, rng)
    return tuple(sorted(drawn, key=lambda one: one.id))


def apart(drawn: Sequence[BenchCell]) -> tuple[BenchCell, ...]:
    """Return the ideas without those that one model wrote word for word again for the same keyword:
    raters read them once.
    """
    held: dict[tuple[int, int, str], BenchCell] = {}
    for one in drawn:
        held.setdefault((one.keyword, one.model, one.text), one)
    return tuple(held.values())


def _by_score(store: Store, run: str, n: int, judged: int, rng: random.Random) -> list[BenchCell]:
    ends = [judged * part // 3 for part in range(4)]
    thirds = [range(start, end) for start, end in pairwise(ends)]
    shares = _shares(list(map(len, thirds)), n, rng)
    drawn: list[BenchCell] = []
    for third, share in zip(thirds, shares, strict=True):
        for place in rng.sample(third, share):
            drawn += store.benchmarks.ideas(run, order="best", limit=1, skip=place)
    return drawn


def _by_model(store: Store, run: str, n: int, rng: random.Random) -> list[BenchCell]:
    rated = [one for one in store.benchmarks.sums.groups(run) if one.rated]
    models = []
    for _, of_model in groupby(rated, lambda one: one.model):
        models.append([(one, k) for one in of_model for k in range(one.rated)])
    shares = _shares(list(map(len, models)), n, rng)
    drawn: list[BenchCell] = []
    for slots, share in zip(models, shares, strict=True):
        for group, k in rng.sample(slots, share):
            ideas = store.benchmarks.ideas(run, keyword=group.keyword, model=group.model, limit=100)
            judged = [one for one in ideas if one.judged]
            drawn.append(judged[k])
    return drawn


def _shares(sizes: Sequence[int], n: int, rng: random.Random) -> list[int]:
    """Share n places out evenly, none getting more than it has; what is left over goes by
    chance.
    """
    shares = [0] * len(sizes)
    while left := n - sum(shares):
        open_ = [at for at, size in enumerate(sizes) if shares[at] < size]
        for at in rng.sample(open_, min(left, len(open_))):
            shares[at] += 1
    return shares


def blind(run: str, key: str) -> str:
    """Return what an idea is called where raters read it: it tells neither model nor place."""
    return f"B{digest([run, key])[:7]}"


def source(run: str, key: str) -> str:
    """Return where an idea is from, as entries and keys of sessions say it."""
    return f"run {run}, {key}"


def key_in(run: str, said: str) -> str:
    """Return the key of the idea of this benchmark that `source` named; empty for another one's."""
    key = said.removeprefix(source(run, ""))
    return key if key != said and place_of(key) else ""


def keys_handed(store: Store, run: str, collection: str) -> list[str]:
    """Return which ideas of this benchmark a collection holds."""
    return [
        key for entry, _ in store.entries.of((collection,)) if (key := key_in(run, entry.source))
    ]


def place_of(key: str) -> IdeaPlace | None:
    """Return which idea a key names, None for none."""
    found = _KEY.fullmatch(key)
    return IdeaPlace(int(found[1]) - 1, int(found[2]) - 1, int(found[3])) if found else None


def idea_at(store: Store, run: str, key: str) -> BenchCell | None:
    """Return the accepted idea of that key, None where there is none."""
    place = place_of(key)
    if place is None:
        return None
    ideas = store.benchmarks.ideas(run, keyword=place.keyword, model=place.model, limit=100)
    return next((one for one in ideas if one.n == place.n), None)


def rating_sheet(run: str, ideas: Sequence[BenchCell], keywords: Sequence[str]) -> str:
    """Return a sample as CSV for raters without this program: blind names, texts, and empty columns
    to fill in; copy it once for each rater.
    """
    head = ("idea id", "keyword", "text", "rater", *BENCH_DIMENSIONS)
    rows = []
    for idea in ideas:
        keyword = keywords[idea.keyword]
        rows.append((blind(run, idea.key), keyword, idea.text, "", "", "", ""))
    return rows_as_csv([head, *sorted(rows)])


def plan(name: str, experts: int, seed: int) -> StudyPlan:
    """Return how a session on a sample is held: every expert scores each idea by itself, on what
    the judges' prompt asks.
    """
    return texts.standard("rate", name, criteria=CRITERIA, overlap=experts, seed=seed)
