"""What an experiment over topics came to: its cells, how the contenders stand in the arena, how far
each is from the one they are compared with, and what became of lengths and widths.

Intervals and tests resample topics; what was written several times on one topic is one topic.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cached_property, lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from core.experiments.topics import experts
from core.experiments.topics.cells import (
    TopicExperimentInputs,
    arena_topic,
    names_of,
    players,
    times_of,
)
from core.experiments.topics.contenders import Contender
from core.judging.arena.ballots import CastBallots, Who, cast, counted, who_voted
from core.judging.arena.competition import lineup_of
from core.judging.arena.results import Health, judged
from core.judging.ratings import RatingDifference, differences
from core.records import DistinctIdeas, Kind, Lineup, Record, Run, TopicArena, TopicCell
from core.statistics.corrections import holm
from core.store import Store
from core.store.ballots import Line
from core.story import Story

FINISHED = ("done", "failed")
TEST = "topics resampled, two-sided, Holm-corrected"
"""The one comparison of this experiment."""


class TopicResults(Record):
    """The cells and arenas of an experiment that are there."""

    run: str
    asked: TopicExperimentInputs
    cells: tuple[TopicCell, ...] = ()
    arenas: tuple[TopicArena, ...] = ()
    distinct: tuple[DistinctIdeas, ...] = ()
    unfinished: bool = False

    @property
    def planned(self) -> int:
        """How many cells there ought to be."""
        times = [self.asked.seeds if one.by_model else 1 for one, *_ in players(self.asked)]
        return self.asked.count * sum(times)

    def arena(self, kind: Kind) -> TopicArena | None:
        """The arena of a kind, once it has been held."""
        found = [one for one in self.arenas if one.kind == kind and one.run]
        return found[-1] if found else None

    @cached_property
    def names(self) -> dict[str, str]:
        """What a player is called in tables: without the model, where only one writes."""
        one_model = len(self.asked.models) == 1
        return {name: one.label if one_model else name for one, _, name in players(self.asked)}


class Compared(NamedTuple):
    """A contender beside the one that all are held against, by one criterion, or by all pooled."""

    who: Who
    criterion: str | None
    difference: RatingDifference
    corrected: float | None
    """Its p-value, corrected for all contenders of this criterion and these voters."""


class SeriesPoint(NamedTuple):
    """A contender of a series, by the number it differs in: its length, or its branches."""

    n: int
    said: str
    player: str


def collect(store: Store, run: Run) -> TopicResults:
    """Return what an experiment has to show so far; an arena that was deleted since is told as
    none.
    """
    story = Story.only(store, run.id, TopicCell, TopicArena, DistinctIdeas)
    arenas = story.all(TopicArena)
    there = store.runs.took(one.run for one in arenas)
    return TopicResults(
        run=run.id,
        asked=run.inputs_as(TopicExperimentInputs),
        cells=story.all(TopicCell),
        arenas=tuple(one if one.run in there else _deleted(one) for one in arenas),
        distinct=story.all(DistinctIdeas),
        unfinished=run.state not in FINISHED,
    )


def _deleted(arena: TopicArena) -> TopicArena:
    if not arena.run:
        return arena
    reason = (
        f"It was run {arena.run}, which was deleted since, with the votes given there; what experts"
        " said in sessions stands in these."
    )
    return arena.model_copy(update={"run": "", "state": "failed", "reason": reason})


def experiment_of(held: TopicResults) -> experts.Experiment:
    """Return what sessions with experts need to know of an experiment."""
    return experts.Experiment(held.run, held.cells, held.asked.seeds)


def ballots(store: Store, held: TopicResults, kind: Kind) -> CastBallots | None:
    """Return the votes on texts of a kind under the names that tables use, those of one topic taken
    together; None while there are none.
    """
    known = as_cast(store, held, kind)
    if known is None:
        return None
    found, _ = known
    return renamed(folded(found, base_topics(held)), held.names)


def base_topics(held: TopicResults) -> dict[str, str]:
    """Return, by what a topic is called in the arena each time it was written on, the topic."""
    seeds = range(1, held.asked.seeds + 1)
    topics = {cell.topic for cell in held.cells}
    return {arena_topic(topic, seed): topic for topic in topics for seed in seeds}


def as_cast(store: Store, held: TopicResults, kind: Kind) -> tuple[CastBallots, Lineup] | None:
    """Return the votes as the arena has them, and those of experts in sessions whose sources are
    revealed, with what it shows; None while there are none. What was said of two texts that are the
    same word for word is left out: it tells nothing of either.
    """
    arena = held.arena(kind)
    if arena is None:
        return None
    found = experts.votes(store, experiment_of(held), kind)
    in_sessions = tuple(vote.line for vote in found)
    return _read_votes(store, arena.run, kind, in_sessions, *store.ballots.count(arena.run))


@lru_cache(2)
def _read_votes(
    store: Store, arena: str, kind: Kind, in_sessions: tuple[Line, ...], *_votes: int
) -> tuple[CastBallots, Lineup] | None:
    # Every table and figure asks for them; of 70,000 votes they take a second to be read.
    lineup = lineup_of(store, arena)
    if lineup is None:
        return None
    shown = {(seat.topic, seat.method): seat.sha for seat in lineup.seats}
    lines = [
        line
        for line in (*store.ballots.lines(arena), *in_sessions)
        if shown.get((line[0], line[1])) != shown.get((line[0], line[2]))
    ]
    found = cast(lines, lineup, kind)
    return (found, lineup) if len(found.said) else None


def folded(held: CastBallots, base: Mapping[str, str]) -> CastBallots:
    """Return the ballots with several topics taken for one; their matches stay apart as repeats."""
    names = [base.get(topic, topic) for topic in held.topics]
    topics = sorted(set(names))
    at = np.array([topics.index(name) for name in names], dtype=np.int64)
    repeat = held.repeat * len(held.topics) + held.topic
    return held._replace(topics=tuple(topics), topic=at[held.topic], repeat=repeat)


def renamed(held: CastBallots, names: Mapping[str, str]) -> CastBallots:
    """Return the ballots with players under other names, in the order of the alphabet."""
    called = [names.get(player, player) for player in held.players]
    order = sorted(called)
    at = np.array([order.index(name) for name in called], dtype=np.int64)
    return held._replace(players=tuple(order), first=at[held.first], second=at[held.second])


def compared(held: TopicResults, votes: CastBallots) -> tuple[Compared, ...]:
    """Return how far every contender stands above the one that all are held against, pooled and by
    criterion, by models and by people; a contender of several models beside that of its own model.
    """
    found = []
    for who in who_voted(votes):
        for criterion in (None, *votes.criteria):
            matches = counted(votes, who, criterion)
            by_base = {base: differences(matches, base) for base in set(bases(held).values())}
            mine = [
                one
                for player, base in bases(held).items()
                for one in by_base[base]
                if one.player == player
            ]
            for one, p in zip(mine, holm([one.p for one in mine]), strict=True):
                found.append(Compared(who, criterion, one, p))
    return tuple(found)


def bases(held: TopicResults) -> dict[str, str]:
    """Return whom each player is held against, both by the names that tables use: of several
    writing models each against what its own wrote; none for the baselines themselves.
    """
    base, found = held.asked.compared_with, {}
    names = names_of(held.asked)
    for one, model, name in players(held.asked):
        if one.said == base.said:
            continue
        whose = (model or held.asked.models[0]) if base.by_model else ""
        found[held.names[name]] = held.names[names[base.said, whose]]
    return found


def series(held: TopicResults, field: str, model: str) -> tuple[SeriesPoint, ...]:
    """Return the contenders of a model that differ in nothing but one number (`length` or
    `branches`), in its order; those at the method's own default among them. None where there are
    not two.
    """
    usual = {"length": 5, "branches": 3}[field]
    groups: dict[str, list[tuple[int, Contender]]] = {}
    for one in held.asked.found:
        if one.method == "chain":
            rest = {name: value for name, value in one.given.items() if name != field}
            groups.setdefault(str(sorted(rest.items())), []).append(
                (int(one.given.get(field, usual)), one)
            )
    best = max(groups.values(), key=len, default=[])
    if len(best) < 2:
        return ()
    names = names_of(held.asked)
    points = [
        SeriesPoint(n, one.said, held.names[names[one.said, model]])
        for n, one in sorted(best, key=lambda pair: pair[0])
    ]
    return tuple(points)


def health(store: Store, held: TopicResults, kind: Kind) -> Health | None:
    """Return how far the judges of an arena can be trusted, and agree with people; None while
    nobody has judged.
    """
    known = as_cast(store, held, kind)
    return judged(*known, base=base_topics(held)) if known else None


class CellCosts(NamedTuple):
    """What the cells of a contender took."""

    player: str
    cells: int
    done: int
    runs: tuple[str, ...]
    tokens: float | None
    """Tokens a cell, as far as they were reported; None where no model wrote."""
    calls: float | None
    cost: float | None
    """US dollars a cell; None where a price is unknown."""
    deleted: int
    """Runs that were deleted since, of which nobody knows what they took: of the others are the
    means.
    """
    reasons: tuple[tuple[str, int], ...]
    """Why cells failed, with how often."""


def costs(store: Store, held: TopicResults) -> tuple[CellCosts, ...]:
    """Return what the cells of every contender took on average, and how many failed."""
    found = []
    by_player: defaultdict[str, list[TopicCell]] = defaultdict(list)
    for cell in held.cells:
        by_player[cell.player].append(cell)
    for player in (one.name for one in players(held.asked)):
        mine = by_player[player]
        began = {cell.run for cell in mine if cell.run}
        runs = list(store.runs.needed(began).values())
        deleted = len(began) - len(runs)
        lost = deleted and not runs
        n = max(1, len(runs))
        unpriced = lost or any(run["unpriced"] for run in runs)
        failed = Counter(cell.reason for cell in mine if cell.state == "failed")
        found.append(
            CellCosts(
                player=held.names[player],
                cells=len(mine),
                done=sum(cell.state == "done" for cell in mine),
                runs=tuple(run["id"] for run in runs),
                tokens=sum(run["tokens_in"] + run["tokens_out"] for run in runs) / n
                if runs
                else None,
                calls=None if lost else sum(run["calls"] for run in runs) / n,
                cost=None if unpriced else sum(run["cost"] for run in runs) / n,
                deleted=deleted,
                reasons=tuple(failed.most_common()),
            )
        )
    return tuple(found)


def outcome(store: Store, held: TopicResults) -> tuple[str, ...]:
    """Say in sentences how the contenders stand against the one they are compared with."""
    sentences = []
    for kind in held.asked.kinds:
        votes = ballots(store, held, kind)
        if votes is None:
            continue
        same = {frozenset((one.a, one.b)): one for one in same_texts(held, kind)}
        for one in compared(held, votes):
            if one.criterion is None:
                pair = frozenset((one.difference.player, one.difference.other))
                told = _told(one, same.get(pair))
                sentences.append(f"{kind.capitalize()}s, votes of {one.who}: {told}")
    return tuple(sentences)


class SameTexts(NamedTuple):
    """Two contenders that wrote the very same text, and how often."""

    a: str
    b: str
    same: int
    """Topics, each time they are written on, on which the texts are the same word for word."""
    of: int
    """Topics, each time, on which both have a text."""


def same_texts(held: TopicResults, kind: Kind) -> tuple[SameTexts, ...]:
    """Return every two contenders with the same text on a topic, as where a model took no notice of
    what departs from the whole method: no vote can tell such texts apart.
    """
    texts: dict[str, dict[tuple[str, int], str]] = {}
    for cell in held.cells:
        if sha := cell.idea if kind == "idea" else cell.design:
            mine = texts.setdefault(held.names.get(cell.player, cell.player), {})
            mine.update(((cell.topic, n), sha) for n in times_of(cell, held.asked.seeds))
    found = []
    for a, b in combinations(texts, 2):
        both = texts[a].keys() & texts[b].keys()
        same = sum(texts[a][place] == texts[b][place] for place in both)
        if same:
            found.append(SameTexts(a, b, same, len(both)))
    return tuple(found)


def _told(one: Compared, same: SameTexts | None) -> str:
    far = one.difference
    if same and same.same == same.of:
        return (
            f"{far.player} and {far.other} wrote the same texts word for word on every topic, so"
            " what stands between their ratings is chance."
        )
    said = f"{far.player} stands {far.value:+.0f} points from {far.other}"
    if same:
        said += f" (on {same.same} of {same.of} topics their texts are the same word for word)"
    if far.low is None or far.high is None or one.corrected is None:
        return f"{said}; on {far.topics} topics no interval can be given."
    apart = "" if far.low > 0 or far.high < 0 else "; the interval includes 0, so it may be chance"
    return f"{said} [{far.low:.0f}, {far.high:.0f}], p = {one.corrected:.3f} ({TEST}){apart}."
