"""What a session says of methods and models, once sources are revealed: means, places, strengths
and shares by source.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from math import isfinite
from typing import NamedTuple

import numpy as np

from core.agreement import contrast_tables
from core.agreement.contrasts import Contrast, contrasts
from core.agreement.designs import Score
from core.agreement.rankings import RankedSet, items_of, mean_ranks
from core.agreement.ratings import scored_on
from core.agreement.sides import Sides, sides
from core.judging.ratings import not_separable
from core.records import ItemKey, SourceGrouping, Table
from core.statistics.intervals import SCORE, SHARE, Scale
from core.statistics.paired import clustered_ci
from core.statistics.pooled import pooled
from core.statistics.statistic import Statistic, between, of_figure, refused, shown
from core.studies.commented import QUESTIONS, Commented, CommentedRound, best_share
from core.studies.compared import ComparisonFigures, first
from core.studies.ordered import Ordered
from core.studies.rated import Rated
from core.tables.cells import cell, value
from core.tables.stat_tables import statistics
from core.wording.numbers import counted

EXPERTS = "experts"
ONE_IDEA = "all of one idea: no interval can be given"


class SourceFigure(NamedTuple):
    """One figure of one source, by the experts together or by a model judge."""

    criterion: str
    source: str
    who: str
    """`experts`, or a model's name."""
    figure: Statistic


class Sourced(NamedTuple):
    """A session's figures by source."""

    measure: str
    """What the figures are, and which way is better."""
    sources: Mapping[str, str]
    """By label."""
    figures: tuple[SourceFigure, ...]
    digits: int = 2
    """How many digits after the point a figure deserves."""
    contrasts: tuple[Contrast, ...] = ()
    """Every two sources of ratings against each other, by every test."""
    contrast_tables: tuple[Table, ...] = ()
    grouping: SourceGrouping = SourceGrouping()
    """How sources are grouped."""
    origins: Mapping[str, str] = {}
    """By label, what its source is called, however sources are grouped."""

    @property
    def noun(self) -> str:
        """What is compared: sources as they are called, or groups of texts."""
        return "group" if self.grouping.at and self.grouping.by != "source" else "source"

    @property
    def left_out(self) -> int:
        """How many texts are in no group."""
        return len(self.origins.keys() - self.sources.keys())

    @property
    def differences(self) -> dict[str, tuple[Statistic, ...]]:
        """By criterion, the contrasts as statistics."""
        found: dict[str, list[Statistic]] = defaultdict(list)
        for one in self.contrasts:
            found[one.criterion].append(one.statistic)
        return {criterion: tuple(some) for criterion, some in found.items()}


def named(key: Mapping[str, ItemKey]) -> dict[str, str]:
    """Return what the source of each label is called: its method, with the model where the method's
    texts come from several; attention texts have none.
    """
    models: dict[str, set[str]] = defaultdict(set)
    for item in key.values():
        models[item.method].add(item.model)
    names = {}
    for label, item in key.items():
        if not item.attention:
            names[label] = item.method or item.source or "source unknown"
            if item.model and len(models[item.method]) > 1:
                names[label] += f" ({item.model})"
    return names


def keyed(sources: Mapping[str, tuple[str, str]]) -> dict[str, ItemKey]:
    """Return a key for ideas of which source and topic are known, as from a file."""
    return {
        item: ItemKey(label=item, title=item, method=source, topic=topic)
        for item, (source, topic) in sources.items()
    }


# -- rate --------------------------------------------------------------------------------------


def of_ratings(
    found: Rated,
    key: Mapping[str, ItemKey],
    sources: Mapping[str, str],
    scale: Scale | None = SCORE,
) -> Sourced:
    """Return the mean score of every source by criterion: over its ideas, an idea being the mean of
    its experts.

    Intervals resample topics; where a source has one only, its ideas. They stay on the scale, which
    is None where nobody knows it, as of a file.
    """
    figures = []
    for criterion, one in found.sheet.agreement.criteria.items():
        ratings = found.ratings[criterion]
        on = found.scales.get(criterion) or scored_on(ratings, scale)
        means = {label: mean.value for label, mean in one.means.items() if mean.value is not None}
        by_experts = _by_source(sources, means, key)
        by_who = {EXPERTS: by_experts}
        for model in one.models:
            scores = dict(zip(ratings.items, ratings.column(model).tolist(), strict=True))
            given = {label: score for label, score in scores.items() if isfinite(score)}
            by_who[model] = _by_source(sources, given, key)
        for who, by_source in by_who.items():
            for source, topics in by_source.items():
                figure = _average(criterion, source, who, topics, on, len(one.experts))
                if found.scales.get(criterion) == SHARE:
                    figure = _as_share(figure, source, who, len(one.experts))
                figures.append(SourceFigure(criterion, source, who, figure))
    return Sourced("mean score; higher is better", sources, tuple(figures))


def scores_of(
    found: Rated, key: Mapping[str, ItemKey], sources: Mapping[str, str]
) -> dict[str, list[Score]]:
    """Return the experts' scores by criterion, each with its reviewer, topic and source."""
    listed: dict[str, list[Score]] = {}
    for criterion, ratings in found.ratings.items():
        experts = ratings.without(found.sheet.models)
        some = []
        for row, label in zip(experts.values, experts.items, strict=True):
            if label not in sources:
                continue
            for rater, score in zip(experts.raters, row.tolist(), strict=True):
                if isfinite(score):
                    topic = key[label].topic
                    some.append(Score(label, rater, sources[label], topic, score))
        if len({one.source for one in some}) > 1:
            listed[criterion] = some
    return listed


def compared(
    by_source: Sourced,
    scores: Mapping[str, Sequence[Score]],
    scales: Mapping[str, Scale],
    grouping: SourceGrouping,
) -> Sourced:
    """Return the figures with every two sources tested against each other."""
    tests = contrasts(scores, scales, grouping.correction)
    tables_of_tests = contrast_tables.every(tests, scores, scales)
    return by_source._replace(contrasts=tests, contrast_tables=tables_of_tests)


Topics = Mapping[str, Mapping[str, float]]
"""Scores of one source: by topic, then label."""


# -- rank, comment -----------------------------------------------------------------------------


def _by_source(
    sources: Mapping[str, str], scores: Mapping[str, float], key: Mapping[str, ItemKey]
) -> dict[str, Topics]:
    """Return scores by source; an idea without a topic is one of its own."""
    by_source: dict[str, dict[str, dict[str, float]]] = {}
    for label, score in sorted(scores.items()):
        if label in sources:
            topics = by_source.setdefault(sources[label], {})
            topic = key[label].topic or label
            topics.setdefault(topic, {})[label] = score
    return dict(sorted(by_source.items()))


def _average(
    criterion: str, source: str, who: str, topics: Topics, scale: Scale, experts: int
) -> Statistic:
    scored = []
    for topic, scores in topics.items():
        scored += [(label, topic, score) for label, score in scores.items()]
    labels, clusters, values = zip(*sorted(scored), strict=True)
    # Ideas on one topic can say how sure the mean is over ideas, though not over topics.
    over = "topics" if len(topics) > 1 else "ideas"
    figure = clustered_ci(values, clusters if over == "topics" else labels, scale, over)
    if len(set(clusters if over == "topics" else labels)) == 2 and len(set(values)) == 1:
        # Two that are alike show nothing of how far they vary: an interval would be the scale.
        note = f"Two {over} that are alike do not show how sure the mean is."
        figure = figure._replace(low=None, high=None, how="", note=note)
    give = f"{who} gives"
    if who == EXPERTS:
        give = "The expert gives" if experts == 1 else "The experts give"
    average = f"{shown(figure.value or 0)} points on average{between(figure.low, figure.high)}"
    reading = f"{give} the ideas of {source} {average}."
    about = f"{criterion}, {source}, {who}"
    return of_figure(figure, "mean score", about, reading=reading)


def _as_share(figure: Statistic, source: str, who: str, experts: int) -> Statistic:
    """Return the mean of yes (1) and no (0) as what it is: the share of yes."""
    say = f"{who} says"
    if who == EXPERTS:
        say = "The expert says" if experts == 1 else "The experts say"
    share = f"{shown(figure.value or 0)}{between(figure.low, figure.high)}"
    reading = f"{say} yes of the ideas of {source} with a share of {share}."
    return figure.model_copy(update={"name": "share of yes", "reading": reading})


def of_orders(found: Ordered, sources: Mapping[str, str], models: frozenset[str]) -> Sourced:
    """Return where the ideas of every source stand in their sets: 0 is first, 1 last; intervals
    resample sets.
    """
    figures = []
    for criterion, sets in found.sets.items():
        raters = sorted({rater for one in sets for rater in one.rankings})
        ideas = _count_ideas(sources, (items_of(one) for one in sets))
        groups = {EXPERTS: [rater for rater in raters if rater not in models]}
        for rater in raters:
            if rater in models:
                groups[rater] = [rater]
        for who, group in groups.items():
            places = _places(sets, sources, group)
            for source, sums in sorted(places.items()):
                figure = _place(criterion, source, who, sums, len(group))
                if ideas[source] < 2 and figure.value is not None:
                    reading = _read_place(source, who, shown(figure.value))
                    without = {"low": None, "high": None, "how": ONE_IDEA, "reading": reading}
                    figure = figure.model_copy(update=without)
                figures.append(SourceFigure(criterion, source, who, figure))
    return Sourced("mean place in the set; 0 is first, 1 last", sources, tuple(figures))


def _places(
    sets: Sequence[RankedSet], sources: Mapping[str, str], raters: Sequence[str]
) -> dict[str, list[tuple[float, int]]]:
    """Return by source, for every set that has its ideas, the sum of their places and how many
    these are; a place is (rank - 1) / number of other ideas.
    """
    sums: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for one in sets:
        ranks = mean_ranks(one)
        items = items_of(one)
        others = len(items) - 1
        places: dict[str, list[float]] = defaultdict(list)
        for rater in raters:
            for label, rank in zip(items, ranks.get(rater, ()), strict=False):
                if label in sources:
                    places[sources[label]].append(float((rank - 1) / others))
        for source, some in places.items():
            sums[source].append((sum(some), len(some)))
    return sums


def _place(
    criterion: str, source: str, who: str, sums: Sequence[tuple[float, int]], raters: int
) -> Statistic:
    """Return the mean place of a source, by sets."""
    return pooled(
        "mean place",
        f"{criterion}, {source}, {who}",
        np.array(sums, dtype=np.float64),
        partial(_read_place, source, who),
        "sets",
        raters,
        0.5,
    )


def _read_place(source: str, who: str, seen: str) -> str:
    return (
        f"In the order of {who}, ideas of {source} stand at {seen}; 0 is first, 1 last, and"
        " chance gives 0.50."
    )


def _count_ideas(sources: Mapping[str, str], groups: Iterable[Sequence[str]]) -> Counter[str]:
    """Return how many ideas of each source are in any of these groups."""
    labels = set(chain.from_iterable(groups))
    return Counter(sources[label] for label in labels if label in sources)


def of_comments(
    found: Commented, sources: Mapping[str, str], labels: Mapping[str, str], models: frozenset[str]
) -> Sourced:
    """Return how often experts gave the best answer to each question, by the source of the
    refinement; `labels` is by unit.
    """
    by_source: dict[str, list[CommentedRound]] = {name: [] for name in sorted(sources.values())}
    for line in found.lines:
        source = sources.get(labels.get(line.unit, ""))
        if source and line.rater not in models:
            by_source[source].append(line)
    figures = []
    for question, (words, answers) in QUESTIONS.items():
        for source, lines in by_source.items():
            share = best_share(question, answers[-1], lines, f"{words} {source}")
            figures.append(SourceFigure(words, source, EXPERTS, share))
    return Sourced("share of the best answer", sources, tuple(figures))


# -- compare -----------------------------------------------------------------------------------


def of_pairs(found: ComparisonFigures, sources: Mapping[str, str]) -> Sourced:
    """Return Bradley-Terry ratings of the sources by criterion, by experts and by each model judge,
    position taken out; texts without a source are in no comparison.
    """
    names = sorted(set(sources.values()))
    figures = list[SourceFigure]()
    once = first(found.answers, ())
    raters = {EXPERTS: first(found.answers, found.models)}
    for model in sorted(found.models):
        raters[model] = [answer for answer in once if answer.rater == model]
    for criterion in found.agreement:
        for who, answers in raters.items():
            known = (one for one in answers if one.a in sources and one.b in sources)
            met = [one for one in known if sources[one.a] != sources[one.b]]
            ideas = _count_ideas(sources, (one.pair for one in met if one.criterion == criterion))
            ratings = sides(met, criterion, sources)
            if not ratings.refused:
                figures += _rated(criterion, who, _of_several(ratings, ideas))
                continue
            for name in names:
                about = f"{criterion}, {name}, {who}"
                reason = ratings.refused
                figure = refused("rating", about, ratings.pairs, reason, "pairs of ideas")
                figures.append(SourceFigure(criterion, name, who, figure))
    measure = "Bradley-Terry rating of mean 1000; higher is better"
    return Sourced(measure, sources, tuple(figures), digits=0)


def _of_several(found: Sides, ideas: Mapping[str, int]) -> Sides:
    """Return ratings of sources without the intervals of those that one idea stands for: how its
    source varies, it does not show.
    """
    alone = []
    ratings = []
    for one in found.ratings:
        if ideas.get(one.player, 0) > 1:
            ratings.append(one)
        else:
            alone.append(one.player)
            ratings.append(one._replace(low=None, high=None))
    if not alone:
        return found
    note = f"{', '.join(sorted(alone))}: {ONE_IDEA}"
    return found._replace(
        ratings=tuple(ratings),
        alike=tuple(not_separable(ratings)),
        note="; ".join(filter(None, (found.note, note))),
    )


def _rated(criterion: str, who: str, found: Sides) -> Iterator[SourceFigure]:
    for one in found.ratings:
        ends = ""
        if one.low is not None and one.high is not None:
            ends = f" (95 % interval {one.low:.0f} to {one.high:.0f})"
        near = {other for group in found.alike if one.player in group for other in group}
        level = ", ".join(sorted(near - {one.player}))
        reading = (
            f"By {who}, {one.player} stands at {one.rating:.0f}{ends}; 400 more are odds of 10 to"
            f" 1.{f' Not separable from {level}.' if level else ''}"
        )
        figure = Statistic(
            name="rating",
            about=f"{criterion}, {one.player}, {who}",
            value=one.rating,
            low=one.low,
            high=one.high,
            n=one.matches,
            unit="matches",
            how="; ".join(filter(None, (found.how, found.note))),
            chance=1000.0,
            reading=reading,
        )
        yield SourceFigure(criterion, one.player, who, figure)


# -- tables ------------------------------------------------------------------------------------


def tables(found: Sourced) -> tuple[Table, ...]:
    """Return the figures by source as tables: one with a column for each criterion, one with every
    figure in a line of its own.
    """
    criteria = list(dict.fromkeys(one.criterion for one in found.figures))
    figures = {(one.who, one.source, one.criterion): one.figure for one in found.figures}
    rows = []
    for who, source in dict.fromkeys((who, source) for who, source, _ in figures):
        cells = (cell(figures.get((who, source, name)), found.digits) for name in criteria)
        rows.append((value(source), value(who), *cells))
    by_source = Table(
        name="by-source",
        title="By source",
        head=("Source", "By", *criteria),
        rows=tuple(rows),
        note=f"{found.measure[:1].upper()}{found.measure[1:]}. 95 % intervals."
        f"{said_grouped(found.grouping, found.left_out)}",
    )
    every = [one.figure for one in found.figures]
    title = "By source, every figure"
    each = statistics("by-source-figures", title, every, note="95 % intervals.")
    whole = (by_source, *found.contrast_tables, each)
    return tuple(table for table in whole if table.rows)


def said_grouped(grouping: SourceGrouping, left_out: int = 0) -> str:
    """Say how sources are grouped where that was chosen once they were known, and how many texts
    are in no group, beginning with a space; nothing of the usual grouping.
    """
    if not grouping.at:
        return ""
    who = grouping.who or "The organiser"
    did = f"grouped the texts by {grouping.by}"
    if grouping.by == "hand":
        did = "drew the groups by hand"
    elif grouping.by == "source":
        did = "took sources as they are called"
    when = f"on {grouping.at[:10]} at {grouping.at[11:16]} UTC, after unblinding"
    without = ""
    if left_out:
        without = f" Left out, being in no group: {counted(left_out, 'text')}."
    return f" {who} {did} {when}.{without}"
