"""What a session says of methods and models, once the key is open: means, places, strengths and
shares by source.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.agreement.answers import PairAnswer
from core.agreement.rankings import items_of, mean_ranks
from core.agreement.ratings import scored_on
from core.agreement.sides import Sides, sides
from core.judging.ratings import PlayerRating, not_separable
from core.records import NOTHING, ItemKey, Table, Value
from core.statistics.intervals import SCORE, Scale
from core.statistics.paired import PairedComparison as Difference
from core.statistics.paired import clustered_ci, comparisons
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
    models: dict[str, set[str]] = {}
    for one in key.values():
        models.setdefault(one.method, set()).add(one.model)
    return {
        label: _named(one, len(models[one.method]) > 1)
        for label, one in key.items()
        if not one.attention
    }


def keyed(sources: Mapping[str, tuple[str, str]]) -> dict[str, ItemKey]:
    """Return a key for ideas of which source and topic are known, as from a file."""
    return {
        item: ItemKey(label=item, title=item, method=source, topic=topic)
        for item, (source, topic) in sources.items()
    }


def _named(one: ItemKey, several: bool) -> str:
    method = one.method or one.source or "source unknown"
    return f"{method} ({one.model})" if several and one.model else method


# -- rate --------------------------------------------------------------------------------------


def of_ratings(found: Rated, key: Mapping[str, ItemKey], scale: Scale | None = SCORE) -> Sourced:
    """Return the mean score of every source by criterion: over its ideas, an idea being the mean of
    its experts.

    Intervals resample topics; where a source has one only, its ideas. They stay on the scale, which
    is None where nobody knows it, as of a file.
    """
    sources, figures, differences = named(key), [], {}
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
        figures += [
            SourceFigure(
                criterion, source, who, _mean(criterion, source, who, scores, labels, key, on)
            )
            for who, scores in by_who.items()
            for source, labels in _grouped(sources, scores)
        ]
        differences[criterion] = _differences(
            criterion, by_who[EXPERTS], sources, key, "points", on
        )
    return Sourced("mean score; higher is better", sources, tuple(figures), differences)


def _grouped(
    sources: Mapping[str, str], scores: Mapping[str, float]
) -> list[tuple[str, list[str]]]:
    grouped: dict[str, list[str]] = {}
    for label in sorted(scores):
        if label in sources:
            grouped.setdefault(sources[label], []).append(label)
    return sorted(grouped.items())


def _topic(key: Mapping[str, ItemKey], label: str) -> str:
    return key[label].topic or label


def _mean(
    criterion: str,
    source: str,
    who: str,
    scores: Mapping[str, float],
    labels: Sequence[str],
    key: Mapping[str, ItemKey],
    scale: Scale,
) -> Statistic:
    topics = [_topic(key, label) for label in labels]
    # Ideas on one topic can say how sure the mean is over ideas, though not over topics.
    over, clusters = ("topics", topics) if len(set(topics)) > 1 else ("ideas", list(labels))
    figure = clustered_ci([scores[label] for label in labels], clusters, scale, over)
    by = "The experts give" if who == EXPERTS else f"{who} gives"
    reading = (
        f"{by} the ideas of {source} {shown(figure.value or 0)} points on"
        f" average{between(figure.low, figure.high)}."
    )
    return of_figure(figure, "mean score", f"{criterion}, {source}, {who}", reading=reading)


def _differences(
    criterion: str,
    scores: Mapping[str, float],
    sources: Mapping[str, str],
    key: Mapping[str, ItemKey],
    unit: str,
    scale: Scale,
) -> tuple[Statistic, ...]:
    by: dict[str, dict[str, list[float]]] = {}
    for label, score in scores.items():
        if label in sources:
            by.setdefault(sources[label], {}).setdefault(_topic(key, label), []).append(score)
    means = {
        source: {topic: float(np.mean(some)) for topic, some in by[source].items()}
        for source in sorted(by)
    }
    return tuple(_difference(criterion, one, unit) for one in comparisons(means, scale, "topics"))


def _difference(criterion: str, one: Difference, unit: str) -> Statistic:
    name, about = "mean difference", f"{criterion}, {one.a} less {one.b}"
    if one.n < 2:
        few = (
            f"{one.a} and {one.b} have {'no topic' if not one.n else 'one topic'} in common: a"
            " paired difference needs 2."
        )
        return Statistic(name=name, about=about, n=one.n, unit="topics", refused=few, reading=few)
    value = one.difference.value or 0.0
    sure = f"; {p_said(one.p_holm)} after Holm" if one.p_holm is not None else ""
    apart = f"{shown(abs(value))} {unit} {'above' if value >= 0 else 'below'} {one.b}"
    reading = (
        f"On {one.n} topics both have, {one.a} stands {apart}: a difference of"
        f" {shown(value)}{between(one.difference.low, one.difference.high)}{sure}."
    )
    found = of_figure(one.difference, name, about, "topics", reading=reading)
    tested = "p of the paired t-test, corrected by Holm" if one.p_holm is not None else one.t.note
    return found.model_copy(
        update={"p": one.p_holm, "how": "; ".join(filter(None, (found.how, tested)))}
    )


# -- rank, comment -----------------------------------------------------------------------------


def of_orders(found: Ordered, key: Mapping[str, ItemKey], models: frozenset[str]) -> Sourced:
    """Return where the ideas of every source stand in their sets: 0 is first, 1 last; intervals
    resample sets.
    """
    sources, figures = named(key), []
    for criterion, sets in found.sets.items():
        raters = sorted({rater for one in sets for rater in one.rankings})
        for who, group in (
            (EXPERTS, [one for one in raters if one not in models]),
            *((one, [one]) for one in raters if one in models),
        ):
            sums: dict[str, list[tuple[float, float]]] = {}
            for one in sets:
                ranks, items = mean_ranks(one), items_of(one)
                places = [
                    (sources[label], float((ranks[rater][at] - 1) / (len(items) - 1)))
                    for rater in group
                    if rater in ranks
                    for at, label in enumerate(items)
                    if label in sources
                ]
                for source in {name for name, _ in places}:
                    mine = [place for name, place in places if name == source]
                    sums.setdefault(source, []).append((sum(mine), len(mine)))
            ideas = Counter(
                sources[label]
                for label in sorted({label for one in sets for label in items_of(one)})
                if label in sources
            )
            figures += [
                SourceFigure(
                    criterion,
                    source,
                    who,
                    _place(criterion, source, who, some, len(group), ideas[source] < 2),
                )
                for source, some in sorted(sums.items())
            ]
    return Sourced("mean place in the set; 0 is first, 1 last", sources, tuple(figures), {})


def _place(
    criterion: str,
    source: str,
    who: str,
    sums: Sequence[tuple[float, float]],
    raters: int,
    alone: bool,
) -> Statistic:
    """Return the mean place of a source, by sets; without an interval where one idea stands for it
    (`alone`).
    """
    found = pooled(
        "mean place",
        f"{criterion}, {source}, {who}",
        np.array(sums, dtype=np.float64),
        _placed(source, who),
        "sets",
        raters,
        0.5,
    )
    if found.value is None or not alone:
        return found
    return found.model_copy(
        update={
            "low": None,
            "high": None,
            "how": ONE_IDEA,
            "reading": _placed(source, who)(shown(found.value)),
        }
    )


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
            figures.append(
                SourceFigure(
                    words,
                    source,
                    EXPERTS,
                    best_share(question, answers[-1], mine, f"{words} {source}"),
                )
            )
    return Sourced("share of the best answer", sources, tuple(figures), {})


# -- compare -----------------------------------------------------------------------------------


def of_pairs(found: ComparisonFigures, key: Mapping[str, ItemKey]) -> Sourced:
    """Return Bradley-Terry ratings of the sources by criterion, by experts and by each model judge,
    position taken out.
    """
    sources, figures = named(key), []
    once = first(found.answers, ())
    raters = {
        EXPERTS: first(found.answers, found.models),
        **{model: [one for one in once if one.rater == model] for model in sorted(found.models)},
    }
    for criterion in found.agreement:
        for who, answers in raters.items():
            met = [one for one in answers if sources.get(one.a, "") != sources.get(one.b, "")]
            figures += _rated(
                criterion,
                who,
                _of_several(sides(met, criterion, sources), _ideas(met, criterion, sources)),
                sources,
            )
    return Sourced(
        "Bradley-Terry rating of mean 1000; higher is better", sources, tuple(figures), {}, digits=0
    )


def _ideas(
    answers: Sequence[PairAnswer], criterion: str, sources: Mapping[str, str]
) -> Counter[str]:
    """Return how many ideas of each source were compared."""
    seen = {label for one in answers if one.criterion == criterion for label in (one.a, one.b)}
    return Counter(sources[label] for label in sorted(seen) if label in sources)


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


def _rated(
    criterion: str, who: str, found: Sides, sources: Mapping[str, str]
) -> list[SourceFigure]:
    names = sorted(set(sources.values()))
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
    near = {
        name: sorted({other for group in found.alike if name in group for other in group} - {name})
        for name in names
    }
    level = {
        name: f" Not separable from {', '.join(others)}." for name, others in near.items() if others
    }
    return [
        SourceFigure(
            criterion,
            one.player,
            who,
            Statistic(
                name="rating",
                about=f"{criterion}, {one.player}, {who}",
                value=one.rating,
                low=one.low,
                high=one.high,
                n=one.matches,
                unit="matches",
                how="; ".join(filter(None, (found.how, found.note))),
                chance=1000.0,
                reading=(
                    f"By {who}, {one.player} stands at {one.rating:.0f}{_about(one)}; 400 more are"
                    f" odds of 10 to 1.{level.get(one.player, '')}"
                ),
            ),
        )
        for one in found.ratings
    ]


def _about(one: PlayerRating) -> str:
    return (
        ""
        if one.low is None or one.high is None
        else f" (95 % interval {one.low:.0f} to {one.high:.0f})"
    )


# -- tables ------------------------------------------------------------------------------------


def tables(found: Sourced) -> tuple[Table, ...]:
    """Return the figures by source as tables: one with a column for each criterion, one with every
    figure in a line of its own.
    """
    criteria = list(dict.fromkeys(one.criterion for one in found.figures))
    held = {(one.who, one.source, one.criterion): one.figure for one in found.figures}
    rows = tuple(
        (
            Value(text=source),
            Value(text=who),
            *(
                (
                    cell(held[who, source, name], found.digits)
                    if (who, source, name) in held
                    else Value(text=NOTHING)
                )
                for name in criteria
            ),
        )
        for who, source in dict.fromkeys((who, source) for who, source, _ in held)
    )
    note = f"{found.measure[:1].upper()}{found.measure[1:]}. 95 % intervals."
    by = Table(
        name="by-source", title="By source", head=("Source", "By", *criteria), rows=rows, note=note
    )
    said = [one.figure for one in found.figures] + [
        one for some in found.differences.values() for one in some
    ]
    return tuple(
        one
        for one in (
            by,
            statistics(
                "by-source-figures", "By source, every figure", said, note="95 % intervals."
            ),
        )
        if one.rows
    )
