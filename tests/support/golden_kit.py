"""Recipes held to their end over scripted models, and what a scripted judge's verdicts come to, by
plain arithmetic that shares nothing with the program.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

from core.export.reproduced import Reproduced, reproduced
from core.records import Table, Value
from core.runs.engines import DRAWS
from core.runs.reproducing import begin_recipe, recipe_of
from core.runs.runner import Runner

Rule = Callable[[str, str, float, float], int]
"""(criterion, topic, worth of the first, worth of the second) -> 1 the first wins, -1 the second, 0
a tie.
"""
SIDES = {1: "first", -1: "second", 0: "tie"}
Points = dict[tuple[str, str], float]
"""What of the matches between two players the first of them has won; a tie counts half."""


def held(runner: Runner, name: str, models: Sequence[str], judges: Sequence[str]) -> Reproduced:
    """Hold a recipe at size small to its end, and return what it came to."""
    run = begin_recipe(runner, recipe_of(name), "small", models, judges, seed=7)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    found = reproduced(runner.store, run.id)
    known = DRAWS[found.made.recipe.engine]
    for one, _ in found.tables:
        assert any(one.name == stem or one.name.startswith(f"{stem}-") for stem in known), one.name
    return found


# -- reading tables ------------------------------------------------------------------------------


def table(found: Reproduced, name: str) -> Table:
    """Return the table of that name."""
    held_here = {one.name: one for one, _ in found.tables} | {one.name: one for one in found.aside}
    return held_here[name]


def at(made: Table, column: str, **lead: str) -> Value:
    """Return the one cell of a column whose row reads as said under other heads; `votes_of` stands
    for `Votes of`.
    """
    wanted = {head: lead[key] for head in made.head if (key := keyed(head)) in lead}
    assert len(wanted) == len(lead), (made.head, lead)
    rows = [
        row
        for row in made.rows
        if all(row[made.head.index(head)].said == said for head, said in wanted.items())
    ]
    assert len(rows) == 1, (lead, [[value.said for value in row] for row in made.rows])
    return rows[0][made.head.index(column)]


def keyed(head: str) -> str:
    """Return a head as a name that Python takes."""
    return head.lower().replace(" ", "_")


def column(made: Table, head: str) -> list[str]:
    """Return what a column reads, from the top."""
    return [row[made.head.index(head)].said for row in made.rows]


# -- by hand ---------------------------------------------------------------------------------------


def outcomes(
    rule: Rule, worth: Mapping[str, float], topics: Sequence[str], criteria: Sequence[str]
) -> Iterator[tuple[str, str, str, str, int]]:
    """Yield (topic, a, b, criterion, 1 where a wins, -1 where b does, 0 a tie) of every pair: what
    is said with a first and what is said with b first, put together; two that contradict are a tie.
    """
    for topic in sorted(topics):
        for a, b in combinations(sorted(worth), 2):
            for criterion in criteria:
                forward = rule(criterion, topic, worth[a], worth[b])
                backward = -rule(criterion, topic, worth[b], worth[a])
                both = forward + backward
                yield topic, a, b, criterion, (both > 0) - (both < 0)


def points_of(matches: Sequence[tuple[str, str, str, str, int]]) -> Points:
    """Return the points of every pair."""
    points: Points = {}
    for _, a, b, _, won in matches:
        points[a, b] = points.get((a, b), 0.0) + (won + 1) / 2
        points[b, a] = points.get((b, a), 0.0) + (1 - won) / 2
    return points


def rated(points: Points) -> dict[str, float]:
    """Return Bradley-Terry ratings: the strengths, of mean 0, at which the log-likelihood less 0.05
    times the sum of their squares is highest, climbed to by its slope; 1000 is the mean, 400 are
    odds of 10 to 1.
    """
    players = sorted({name for pair in points for name in pair})
    theta = dict.fromkeys(players, 0.0)
    games = sum(points.values())
    for _ in range(20_000):
        slope = {name: -0.1 * theta[name] for name in players}
        for (a, b), won in points.items():
            lost = 1 / (1 + math.exp(theta[a] - theta[b]))
            slope[a] += won * lost
            slope[b] -= won * lost
        # Half the inverse of the steepest curve there can be.
        theta = {name: theta[name] + slope[name] / (games + 0.2) for name in players}
        if max(map(abs, slope.values())) < 1e-9:
            break
    mean = sum(theta.values()) / len(theta)
    return {name: 1000 + 400 * (theta[name] - mean) / math.log(10) for name in players}


def elo(matches: Sequence[tuple[str, str, int]], players: Sequence[str]) -> dict[str, float]:
    """Return Elo ratings from 1000 after matches (a, b, 1, -1 or 0) in their order, K = 4."""
    ratings = dict.fromkeys(players, 1000.0)
    for a, b, won in matches:
        expected = 1 / (1 + 10 ** ((ratings[b] - ratings[a]) / 400))
        moved = 4 * ((won + 1) / 2 - expected)
        ratings[a] += moved
        ratings[b] -= moved
    return ratings


def paired_by_t(differences: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean of two differences, half its 95 % interval and the two-sided p-value, by
    Student's t with one degree of freedom, which is Cauchy's distribution.
    """
    one, other = differences
    mean = (one + other) / 2
    # Of two values the standard error of the mean is half their distance.
    error = abs(one - other) / 2
    return mean, math.tan(0.475 * math.pi) * error, 1 - 2 / math.pi * math.atan(abs(mean) / error)


def cosine(one: str, other: str) -> float:
    """Return the cosine of the counts of words."""
    a, b = one.lower().split(), other.lower().split()
    common = sum(a.count(word) * b.count(word) for word in {*a})
    length = math.sqrt(sum(a.count(word) for word in a) * sum(b.count(word) for word in b))
    return common / length
