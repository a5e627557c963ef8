"""The ratings bench: an arena of 20 methods on 100 topics, judged in both orders by two judges,
five criteria, with intervals from 1,000 resamples.
"""

import math
import random
import time
from itertools import permutations
from pathlib import Path

from core.judging.ratings import not_separable, table
from core.judging.votes import Vote, coded, counts
from core.records.arena import IDEA_CRITERIA

METHODS, TOPICS, JUDGES, RESAMPLES = 20, 100, ("one", "other"), 1_000
TARGETS = {"ratings_76000_votes_s": 10.0}


def votes(criterion: str) -> list[Vote]:
    """Return 76,000 votes: every ordered pair of methods on every topic by both judges, who like
    the first place a little and tie one time in ten.
    """
    dice = random.Random(criterion)
    strengths = [dice.gauss(0, 1) for _ in range(METHODS)]
    cast = []
    for topic in range(TOPICS):
        for a, b in permutations(range(METHODS), 2):
            wins = 1 / (1 + math.exp(strengths[b] - strengths[a] - 0.3))
            for judge in JUDGES:
                winner = (
                    "tie" if dice.random() < 0.1 else "first" if dice.random() < wins else "second"
                )
                cast.append(Vote(f"topic {topic}", f"method {a}", f"method {b}", winner, judge))
    return cast


def ratings_76000_votes_s(_: Path) -> float:
    """Return the time from votes to rated tables of all criteria, in s: orders merged, matches
    counted, ratings fitted, topics resampled.
    """
    cast = {criterion: votes(criterion) for criterion in IDEA_CRITERIA}
    assert {len(one) for one in cast.values()} == {76_000}
    began = time.perf_counter()
    tables = {
        criterion: table(counts(coded(one)), resamples=RESAMPLES) for criterion, one in cast.items()
    }
    taken = time.perf_counter() - began
    for one in tables.values():
        assert (one.matches, one.topics, one.connected, len(one.ratings)) == (
            38_000,
            TOPICS,
            True,
            METHODS,
        )
        assert all(
            rating.low and rating.high and rating.low < rating.rating < rating.high
            for rating in one.ratings
        )
    level = {criterion: len(not_separable(one.ratings)) for criterion, one in tables.items()}
    print(f"ratings of 5 x 76,000 votes: {taken:.2f} s; groups not separable by criterion: {level}")
    return taken
