"""An arena as tables, for screen, CSV and LaTeX alike."""

import math
import re
from collections.abc import Mapping, Sequence
from itertools import chain, groupby

from core.judging import health
from core.judging.arena.ballots import CastBallots, who_voted
from core.judging.arena.contestants import by_method
from core.judging.arena.results import (
    MOST_HELD_APART,
    ArenaResults,
    Health,
    WinMatrix,
    average,
    judged,
    results,
)
from core.judging.ratings import PENALTY, Averaged, PlayerRating
from core.records import NOTHING, Lineup, Table, Unit, Value, label
from core.statistics.intervals import FEWEST, Figure
from core.tables.cells import Cell, make_table, number, slug, tabulated
from core.wording.numbers import counted

POOLED = "all criteria pooled"
"""Name of the rating from all matches of all criteria: no judgment of its own, no average."""
SURE = 6
"""Decimals to which a rating is known: two that agree in them are the same."""
SCALE = (
    "Bradley-Terry ratings of mean 1000; 400 points more are odds of 10 to 1 of winning a match. 95"
    f" % intervals from resampling topics. A ridge penalty of {PENALTY:g} on squared strengths"
    " (natural log-odds) keeps ratings of the undefeated finite, and draws all towards 1000. What a"
    " judge says of a pair in both orders is one match, won by whoever was preferred on the whole."
)
AVERAGE = "Average of the criteria"

THESE_PEOPLE = (
    "The intervals resample topics, not people: they hold for those who voted, and say nothing of"
    " others."
)

AGREED = (
    "How often two say the same of a pair by a criterion: ties counted, or only where both name a"
    f" winner; of {FEWEST} such matches and more. 95 % intervals over topics: a bootstrap from"
    f" {FEWEST} topics on, else the wider end of Wilson's and of Student's t; kappa has none then."
)
TOO_MANY_JUDGES = (
    f"Of more than {MOST_HELD_APART} judges not every two are held against each other."
)
AGREEMENT = ("Ties counted", "Where both name a winner", "Cohen's kappa")
MATCHED, LEVEL = 100, 100
"""Methods of which it is told who beat whom and who is level, and groups of level ones."""
Side = tuple[Sequence[ArenaResults], Sequence[Averaged], ArenaResults]


def every(
    held: CastBallots,
    lineup: Lineup,
    pooled_only: bool = False,
    method_of: Mapping[str, str] | None = None,
) -> tuple[Table, ...]:
    """Return the grid of criteria and methods, ratings and matches pooled and by criterion, then
    the health of the judges; where texts compete under names of their own (`method_of`), the
    ratings and matches of their methods as well.

    `pooled_only` leaves single criteria out but for the grid.
    """
    criteria = (None, *(() if pooled_only else held.criteria))
    stands = [results(held, who, criterion) for criterion in criteria for who in who_voted(held)]
    trusted = judged(held, lineup)
    methods = by_method(held, method_of) if method_of else held
    pooled_methods = [results(methods, who) for who in who_voted(held)] if method_of else []
    whole = (
        grid(by_side(held)),
        *(of_methods(ratings(found)) for found in pooled_methods),
        *(of_methods(matches(found)) for found in pooled_methods),
        *map(ratings, stands),
        *map(matches, stands),
        judges(trusted),
        agreement(trusted),
        people(trusted),
    )
    return tuple(table for table in whole if table.rows)


def by_side(held: CastBallots) -> list[Side]:
    """Return results by criterion, averages and pooled results, of models and of people as far as
    they have voted.
    """
    return [
        (
            [results(held, who, name) for name in held.criteria],
            average(held, who),
            results(held, who),
        )
        for who in who_voted(held)
    ]


def ratings(found: ArenaResults) -> Table:
    """Return how the methods stand, best first, with what the ratings rest on."""
    head = ("Method", "Rating", "Elo", "Matches", "Won", "Lost", "Tied")
    rows = list[tuple[Cell, ...]]()
    for one in found.table.ratings:
        elo = number(found.elo[one.player], 0)
        rows.append((one.player, _rated(one), elo, one.matches, one.wins, one.losses, one.ties))
    notes = [
        SCALE,
        pooled(found),
        "Elo depends on the order of the matches and is no headline.",
        connected(found),
        *level(found),
        unplayed(found),
        found.table.note,
        one_sided(found),
        THESE_PEOPLE if found.who != "models" else "",
    ]
    return make_table(
        f"arena-ratings-{found.who}-{_slug(found.criterion)}",
        f"Ratings by votes of {_who(found)}",
        head,
        rows,
        " ".join(filter(None, notes)),
        _criterion(found.criterion),
    )


def of_methods(table: Table) -> Table:
    """Return a table as one of methods, where single texts compete as well."""
    return table.model_copy(
        update={
            "name": table.name.replace("arena-", "arena-methods-", 1),
            "title": f"{table.title}, methods by all their texts",
        }
    )


def pooled(found: ArenaResults) -> str:
    """Say what is pooled, where all criteria are."""
    if found.criterion:
        return ""
    return (
        "All criteria pooled: a pair is a match by each criterion it was judged by, and all of"
        " these count alike; nobody judged the texts as a whole, and this is no average of the"
        " ratings by criterion."
    )


AMONG_SOME = (
    " (only of methods with matches by every criterion, rated anew among themselves: not the mean"
    " of the ratings above)"
)


def grid(stands: Sequence[Side]) -> Table:
    """Return ratings as criteria by methods, models beside people: each criterion, their average,
    and all of them pooled.

    Each side has its results by criterion, their averages, and the pooled results; the first side's
    average orders the methods.
    """
    by_criterion = zip(*(results for results, _, _ in stands), strict=True)
    lines = list[tuple[str, str, Sequence[PlayerRating | Averaged]]]()
    for one in chain.from_iterable(by_criterion):
        lines.append((_criterion(one.criterion), one.who, one.table.ratings))
    for _, averages, whole in stands:
        lines.append((AVERAGE, whole.who, averages))
    for _, _, whole in stands:
        lines.append((_criterion(None), whole.who, whole.table.ratings))
    players = dict[str, None]()
    for _, averages, whole in stands:
        players |= dict.fromkeys(one.player for one in averages)
        players |= dict.fromkeys(one.player for one in whole.table.ratings)
    rows = list[tuple[Cell, ...]]()
    for criterion, who, rated in lines:
        values = {one.player: _rated(one) for one in rated}
        rows.append((criterion, who, *(values.get(player, NOTHING) for player in players)))
    some = any(
        len(averages) < len({one.player for result in results for one in result.table.ratings})
        for results, averages, _ in stands
    )
    note = (
        f"{SCALE} Average: the mean of a method's ratings by criterion"
        f"{AMONG_SOME if some else ''}, its interval from resampling topics with all criteria of"
        " one together. All criteria pooled: one rating from the matches by every criterion, each"
        " counting the same."
    )
    head = ("Criterion", "Votes of", *players)
    return make_table("arena-grid", "Ratings by criterion and method", head, rows, note)


def _rated(one: PlayerRating | Averaged) -> Value:
    return Value(
        mean=one.rating,
        low=one.low,
        high=one.high,
        n=one.matches,
        counted="matches",
        digits=0,
        note=(
            "95 % interval from resampling topics"
            if one.low is not None
            else "No interval: too few topics."
        ),
    )


def connected(found: ArenaResults) -> str:
    """Say whether the matches connect everybody, and what it means where they do not."""
    if not found.table.ratings:
        return ""
    if found.table.by_wins:
        return "Strongly connected: everybody has beaten, and lost to, somebody in one chain."
    if not any(one.wins for one in found.table.ratings):
        return (
            "Every match is a tie: nobody has beaten anybody, and nothing tells the methods apart."
        )
    if found.table.connected:
        return (
            "Strongly connected, but only because a tie links both ways: not everybody has both"
            " beaten and lost to somebody."
        )
    return (
        "Not strongly connected: some method, or some group of them, was never beaten by the"
        " others, or never won against them, so that the distance between them is only as large as"
        " the penalty lets it be."
    )


def unplayed(found: ArenaResults) -> str:
    """Say of which methods no match counts, if any."""
    if not found.unplayed or not found.table.ratings:
        return ""
    return (
        f"Without a match that counts here, and so without a rating: {', '.join(found.unplayed)}."
    )


def one_sided(found: ArenaResults) -> str:
    """Say how many matches of models were judged in one order only, if any were."""
    if not found.one_sided:
        return ""
    matches = "match of models was" if found.one_sided == 1 else "matches of models were"
    return (
        f"{found.one_sided} {matches} judged in one order only, so that a preference for a place is"
        " not taken out."
    )


def level(found: ArenaResults) -> list[str]:
    """Say who is not separable, a sentence for each group, and why."""
    unsure = {one.player for one in found.table.ratings if one.low is None}
    sentences = []
    for group in found.level[:LEVEL]:
        why = "intervals are missing" if unsure & {*group} else "their intervals overlap"
        names = ", ".join(group[:MATCHED])
        more = f" and {len(group) - MATCHED:,} more" if len(group) > MATCHED else ""
        sentences.append(f"Not separable, since {why}: {names}{more}.")
    if (more_groups := len(found.level) - LEVEL) > 0:
        sentences.append(f"And {counted(more_groups, 'more group')} of methods not separable.")
    return [*sentences, *equals(found)]


def equals(found: ArenaResults) -> list[str]:
    """Say which methods have the same rating, and why one stands above the other all the same."""
    sentences = []
    for _, group in groupby(found.table.ratings, key=lambda one: round(one.rating, SURE)):
        first, *others = [one.player for one in group]
        if others:
            names = ", ".join([first, *others])
            sentences.append(
                f"A tie: {names} have the same rating, and stand in the order of their names."
            )
    return sentences


def matches(found: ArenaResults) -> Table:
    """Return who beat whom: the share of matches the row's method won against the column's."""
    players = found.matrix.players
    if len(players) > MATCHED:
        return make_table(
            f"arena-matches-{found.who}-{_slug(found.criterion)}",
            f"Share of matches won by votes of {_who(found)}",
            ("Method",),
            (),
            f"Who beat whom is told of {MATCHED} methods at most, and these are {len(players):,}.",
        )
    rows = list[list[Cell]]()
    for n, player in enumerate(players):
        cells = [_share(found.matrix, n, m) for m in range(len(players))]
        rows.append([player, *cells])
    return make_table(
        f"arena-matches-{found.who}-{_slug(found.criterion)}",
        f"Share of matches won by votes of {_who(found)}",
        ("Method", *players),
        rows,
        f"The row's method against the column's; a tie counts half. {pooled(found)}".strip(),
        _criterion(found.criterion),
    )


def _share(found: WinMatrix, n: int, m: int) -> Cell:
    share = float(found.share[n, m])
    if n == m or math.isnan(share):
        return NOTHING
    times = int(found.matches[n, m])
    return Value(mean=share, n=times, counted="matches", unit="percent", digits=2)


def judges(found: Health) -> Table:
    """Return how far each judge can be trusted."""
    return tabulated(
        f"arena-judges-{_slug(found.criterion)}",
        "Health of the judges",
        found.judges,
        {
            "Judge": lambda one: one.judge,
            "Ballots": lambda one: one.ballots,
            "Says something else in the other order": lambda one: figure(one.flips.rate, "percent"),
            "Names the opposite winner": lambda one: figure(one.flips.reversed, "percent"),
            "First wins, above one half": lambda one: figure(one.position, "percent"),
            "Longer wins": lambda one: figure(one.length.longer_wins, "percent"),
            "Odds of winning at twice the length": lambda one: figure(one.length.odds, digits=2),
            "Says the same again": lambda one: figure(one.self_agreement, "percent"),
        },
        caption=_criterion(found.criterion),
        note=(
            "95 % intervals. First and longer wins: among votes that name a winner. The odds have"
            " place and method taken out; 1 is no bias."
        ),
    )


def agreement(found: Health) -> Table:
    """Return how often judges agree with each other, people included."""
    return make_table(
        f"arena-agreement-{_slug(found.criterion)}",
        "Agreement between judges",
        ("Judge", "Other judge", *AGREEMENT),
        [(one, other, *_agreement(both)) for (one, other), both in found.between.items()],
        note=AGREED if len(found.judges) <= MOST_HELD_APART else TOO_MANY_JUDGES,
        caption=_criterion(found.criterion),
    )


def people(found: Health) -> Table:
    """Return how often each model agrees with people, by criterion."""
    rows = list[tuple[Cell, ...]]()
    for judge, by_criterion in found.people.items():
        for criterion, both in by_criterion.items():
            rows.append((judge, label(criterion), *_agreement(both)))
    return make_table(
        "arena-people",
        "Agreement with people",
        ("Judge", "Criterion", *AGREEMENT),
        rows,
        note=AGREED,
        caption="Every model's match against every person's on the same pair.",
    )


def _agreement(both: health.Agreement) -> tuple[Value, ...]:
    return (
        figure(both.with_ties, "percent"),
        figure(both.without_ties, "percent"),
        figure(both.kappa, digits=2),
    )


def curve(found: ArenaResults) -> Table:
    """Return the ratings after ever more matches."""
    players = [one.player for one in found.table.ratings]
    rows = list[list[Cell]]()
    for point in found.curve:
        ratings = [number(point.ratings.get(player), 0) for player in players]
        rows.append([point.matches, *ratings])
    return make_table(
        f"arena-curve-{found.who}-{_slug(found.criterion)}",
        "Ratings after so many matches",
        ["Matches", *players],
        rows,
        caption=_criterion(found.criterion),
    )


def figure(one: Figure, unit: Unit = "", digits: int = 3) -> Value:
    """Return a figure as a cell; one that could not be given says why in its note."""
    return Value(
        mean=one.value,
        low=one.low,
        high=one.high,
        n=one.n,
        unit=unit,
        digits=digits,
        note=" ".join(filter(None, (one.how, one.note))),
    )


def _who(found: ArenaResults) -> str:
    return "models and people" if found.who == "both" else found.who


def _criterion(name: str | None) -> str:
    return label(name or POOLED)


def _slug(name: str | None) -> str:
    """Return a criterion as a part of a table's name; one that somebody brings in may hold any
    sign, and no two share a name.
    """
    pooled = "all-criteria-pooled"
    if not name:
        return pooled
    plain = name.replace("_", "-")
    ours = len(name) <= 60 and re.fullmatch(r"[a-z0-9]+(?:_[a-z0-9]+)*", name)
    return plain if ours and plain != pooled else slug(f"criterion {name}")
