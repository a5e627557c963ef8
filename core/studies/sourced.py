"""What a session says of methods and models, once the key is open: means, places, strengths and
shares by source.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.agreement.rankings import RankedSet, items_of, mean_ranks
from core.agreement.ratings import scored_on
from core.agreement.sides import Sides, sides
from core.judging.ratings import not_separable
from core.records import ItemKey, Table, Value
from core.statistics.intervals import SCORE, Scale
from core.statistics.paired import PairedComparison, clustered_ci, comparisons
from core.statistics.pooled import pooled
from core.statistics.statistic import Statistic, between, of_figure, p_said, refused, shown
from core.studies.commented import QUESTIONS, Commented, best_share
from core.studies.compared import ComparisonFigures, first
from core.studies.ordered import Ordered
from core.studies.rated import Rated
from core.tables.cells import cell
from core.tables.stat_tables import statistics

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
    sources: dict[str, str]
    """By label."""
    figures: tuple[SourceFigure, ...]
    differences: dict[str, tuple[Statistic, ...]]
    """By criterion: every two sources over the topics both have, corrected for their number."""
    digits: int = 2
    """How many digits after the point a figure deserves."""


def named(key: Mapping[str, ItemKey]) -> dict[str, str]:
    """Return what the source of each label is called: its method, with the model where the method's
    texts come from several; attention texts have none.
    """
    models: dict[str, set[str]] = defaultdict(set)
    for one in key.values():
        models[one.method].add(one.model)
    names = {}
    for label, one in key.items():
        if not one.attention:
            method = one.method or one.source or "source unknown"
            several = len(models[one.method]) > 1
            names[label] = f"{method} ({one.model})" if several and one.model else method
    return names


def keyed(sources: Mapping[str, tuple[str, str]]) -> dict[str, ItemKey]:
    """Return a key for ideas of which source and topic are known, as from a file."""
    return {
        item: ItemKey(label=item, title=item, method=source, topic=topic)
        for item, (source, topic) in sources.items()
    }


# -- rate --------------------------------------------------------------------------------------


def of_ratings(found: Rated, key: Mapping[str, ItemKey], scale: Scale | None = SCORE) -> Sourced:
    """Return the mean score of every source by criterion: over its ideas, an idea being the mean of
    its experts.

    Intervals resample topics; where a source has one only, its ideas. They stay on the scale, which
    is None where nobody knows it, as of a file.
    """
    sources = named(key)
    figures = []
    differences = {}
    for criterion, one in found.sheet.agreement.criteria.items():
        by_who = {
            EXPERTS: {
                label: mean.value for label, mean in one.means.items() if mean.value is not None
            }
        }
        ratings = found.ratings[criterion]
        on = scored_on(ratings, scale)
        for model in one.models:
            by_who[model] = {
                label: float(score)
                for label, score in zip(ratings.items, ratings.column(model), strict=True)
                if np.isfinite(score)
            }
        for who, scores in by_who.items():
            for source, topics in _grouped(sources, scores, key).items():
                about = f"{criterion}, {source}, {who}"
                figure = _mean(about, source, who, topics, on)
                figures.append(SourceFigure(criterion, source, who, figure))
        means = {
            source: {topic: float(np.mean(list(some.values()))) for topic, some in topics.items()}
            for source, topics in _grouped(sources, by_who[EXPERTS], key).items()
        }
        differences[criterion] = tuple(
            _difference(criterion, one) for one in comparisons(means, on, "topics")
        )
    return Sourced("mean score; higher is better", sources, tuple(figures), differences)


Topics = Mapping[str, Mapping[str, float]]
"""Scores of one source: by topic, then label."""


def _grouped(
    sources: Mapping[str, str], scores: Mapping[str, float], key: Mapping[str, ItemKey]
) -> dict[str, Topics]:
    """Return scores by source; an idea without a topic is one of its own."""
    grouped: dict[str, dict[str, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for label in sorted(scores):
        if label in sources:
            grouped[sources[label]][key[label].topic or label][label] = scores[label]
    return {source: grouped[source] for source in sorted(grouped)}


def _mean(about: str, source: str, who: str, topics: Topics, scale: Scale) -> Statistic:
    by_label = {label: topic for topic, some in topics.items() for label in some}
    labels = sorted(by_label)
    # Ideas on one topic can say how sure the mean is over ideas, though not over topics.
    over = "ideas"
    clusters = labels
    if len(topics) > 1:
        over = "topics"
        clusters = [by_label[label] for label in labels]
    scores = [topics[by_label[label]][label] for label in labels]
    figure = clustered_ci(scores, clusters, scale, over)
    give = "The experts give" if who == EXPERTS else f"{who} gives"
    average = f"{shown(figure.value or 0)} points on average{between(figure.low, figure.high)}"
    reading = f"{give} the ideas of {source} {average}."
    return of_figure(figure, "mean score", about, reading=reading)


def _difference(criterion: str, one: PairedComparison) -> Statistic:
    name = "mean difference"
    about = f"{criterion}, {one.a} less {one.b}"
    if one.n < 2:
        topics = "one topic" if one.n else "no topic"
        few = f"{one.a} and {one.b} have {topics} in common: a paired difference needs 2."
        return refused(name, about, one.n, few, "topics")
    value = one.difference.value or 0.0
    sure = ""
    test = one.t.note
    if one.p_holm is not None:
        sure = f"; {p_said(one.p_holm)} after Holm"
        test = "p of the paired t-test, corrected by Holm"
    side = "above" if value >= 0 else "below"
    ends = between(one.difference.low, one.difference.high)
    reading = (
        f"On {one.n} topics both have, {one.a} stands {shown(abs(value))} points {side} {one.b}: a"
        f" difference of {shown(value)}{ends}{sure}."
    )
    found = of_figure(one.difference, name, about, "topics", reading=reading)
    how = "; ".join(filter(None, (found.how, test)))
    return found.model_copy(update={"p": one.p_holm, "how": how})


# -- rank, comment -----------------------------------------------------------------------------


def of_orders(found: Ordered, key: Mapping[str, ItemKey], models: frozenset[str]) -> Sourced:
    """Return where the ideas of every source stand in their sets: 0 is first, 1 last; intervals
    resample sets.
    """
    sources = named(key)
    figures = []
    for criterion, sets in found.sets.items():
        raters = sorted({rater for one in sets for rater in one.rankings})
        labels = {label for one in sets for label in items_of(one)}
        ideas = Counter(sources[label] for label in labels if label in sources)
        groups = {EXPERTS: [rater for rater in raters if rater not in models]}
        for who, group in (groups | {one: [one] for one in raters if one in models}).items():
            for source, sums in sorted(_places(sets, sources, group).items()):
                about = f"{criterion}, {source}, {who}"
                alone = ideas[source] < 2
                figure = _place(about, source, who, sums, len(group), alone)
                figures.append(SourceFigure(criterion, source, who, figure))
    return Sourced("mean place in the set; 0 is first, 1 last", sources, tuple(figures), {})


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
        places: dict[str, list[float]] = defaultdict(list)
        for rater in raters:
            for label, rank in zip(items, ranks.get(rater, ()), strict=False):
                if label in sources:
                    places[sources[label]].append(float((rank - 1) / (len(items) - 1)))
        for source, some in places.items():
            sums[source].append((sum(some), len(some)))
    return sums


def _place(
    about: str,
    source: str,
    who: str,
    sums: Sequence[tuple[float, int]],
    raters: int,
    alone: bool,
) -> Statistic:
    """Return the mean place of a source, by sets; without an interval where one idea stands for it
    (`alone`).
    """
    found = pooled(
        "mean place",
        about,
        np.array(sums, dtype=np.float64),
        _placed(source, who),
        "sets",
        raters,
        0.5,
    )
    if found.value is None or not alone:
        return found
    reading = _placed(source, who)(shown(found.value))
    return found.model_copy(update={"low": None, "high": None, "how": ONE_IDEA, "reading": reading})


def _placed(source: str, who: str) -> Callable[[str], str]:
    return lambda seen: (
        f"In the order of {who}, ideas of {source} stand at {seen}; 0 is first, 1 last, and"
        " chance gives 0.50."
    )


def of_comments(
    found: Commented, key: Mapping[str, ItemKey], labels: Mapping[str, str], models: frozenset[str]
) -> Sourced:
    """Return how often experts gave the best answer to each question, by the source of the
    refinement; `labels` is by unit.
    """
    sources = named(key)
    experts = [
        one for one in found.lines if one.rater not in models and labels.get(one.unit) in sources
    ]
    figures = []
    for question, (words, answers) in QUESTIONS.items():
        for source in sorted(set(sources.values())):
            mine = [one for one in experts if sources[labels[one.unit]] == source]
            share = best_share(question, answers[-1], mine, f"{words} {source}")
            figures.append(SourceFigure(words, source, EXPERTS, share))
    return Sourced("share of the best answer", sources, tuple(figures), {})


# -- compare -----------------------------------------------------------------------------------


def of_pairs(found: ComparisonFigures, key: Mapping[str, ItemKey]) -> Sourced:
    """Return Bradley-Terry ratings of the sources by criterion, by experts and by each model judge,
    position taken out.
    """
    sources = named(key)
    figures = []
    once = first(found.answers, ())
    raters = {
        EXPERTS: first(found.answers, found.models),
        **{model: [one for one in once if one.rater == model] for model in sorted(found.models)},
    }
    for criterion in found.agreement:
        for who, answers in raters.items():
            met = [one for one in answers if sources.get(one.a, "") != sources.get(one.b, "")]
            pairs = [one.pair for one in met if one.criterion == criterion]
            labels = {label for pair in pairs for label in pair}
            ideas = Counter(sources[label] for label in labels if label in sources)
            ratings = _of_several(sides(met, criterion, sources), ideas)
            figures += _rated(criterion, who, ratings, sorted(set(sources.values())))
    measure = "Bradley-Terry rating of mean 1000; higher is better"
    return Sourced(measure, sources, tuple(figures), {}, digits=0)


def _of_several(found: Sides, ideas: Mapping[str, int]) -> Sides:
    """Return ratings of sources without the intervals of those that one idea stands for: how its
    source varies, it does not show.
    """
    ratings = tuple(
        one if ideas.get(one.player, 0) > 1 else one._replace(low=None, high=None)
        for one in found.ratings
    )
    alone = sorted(one.player for one in ratings if ideas.get(one.player, 0) < 2)
    note = f"{', '.join(alone)}: {ONE_IDEA}" if alone else ""
    return found._replace(
        ratings=ratings,
        alike=tuple(not_separable(ratings)),
        note="; ".join(filter(None, (found.note, note))),
    )


def _rated(criterion: str, who: str, found: Sides, names: Sequence[str]) -> list[SourceFigure]:
    if found.refused:
        return [
            SourceFigure(
                criterion,
                name,
                who,
                refused(
                    "rating",
                    f"{criterion}, {name}, {who}",
                    found.pairs,
                    found.refused,
                    "pairs of ideas",
                ),
            )
            for name in names
        ]
    figures = []
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
        figures.append(SourceFigure(criterion, one.player, who, figure))
    return figures


# -- tables ------------------------------------------------------------------------------------


def tables(found: Sourced) -> tuple[Table, ...]:
    """Return the figures by source as tables: one with a column for each criterion, one with every
    figure in a line of its own.
    """
    criteria = list(dict.fromkeys(one.criterion for one in found.figures))
    held = {(one.who, one.source, one.criterion): one.figure for one in found.figures}
    rows = []
    for who, source in dict.fromkeys((who, source) for who, source, _ in held):
        cells = (cell(held.get((who, source, name)), found.digits) for name in criteria)
        rows.append((Value(text=source), Value(text=who), *cells))
    whole = Table(
        name="by-source",
        title="By source",
        head=("Source", "By", *criteria),
        rows=tuple(rows),
        note=f"{found.measure[:1].upper()}{found.measure[1:]}. 95 % intervals.",
    )
    figures = [one.figure for one in found.figures]
    figures += [one for some in found.differences.values() for one in some]
    title = "By source, every figure"
    each = statistics("by-source-figures", title, figures, note="95 % intervals.")
    return tuple(one for one in (whole, each) if one.rows)
