"""Saying which round a refined idea is from, and which rounds changed nothing."""

from core.records import Outcome, Round
from core.story import Line

NEARER = 0.05
"""A rise in similarity (cosine) from which it is said: that of a sentence or two reworded is less.
"""


def say_origin(line: Line) -> str:
    """Say which round the refined idea is from, and why that one; empty where there was no round,
    no end yet, or the recorded reason says it already.
    """
    end = line.outcome
    if end is None or not line.rounds:
        return ""
    if not end.round:
        return "No round was judged better than the one before it: the first idea stays."
    if end.reason.endswith(f"This is the idea of round {end.round}."):
        return ""
    return _of_round(line, end)


def say_nearness(line: Line) -> str:
    """Say so where a refinement for novelty ended clearly nearer to a published paper than it began
    (cosine similarity); empty otherwise, and where that was not measured.
    """
    end = line.outcome
    if end is None or not end.round or not any(map(_for_novelty, line.rounds)):
        return ""
    was, now = line.measures(0), line.measures(end.round)
    if not was or not now or was.to_nearest is None or now.to_nearest is None:
        return ""
    # By the figures as they are printed, as the built-in model's verdicts go by them.
    if round(round(now.to_nearest, 2) - round(was.to_nearest, 2), 2) < NEARER:
        return ""
    return (
        "Its similarity to the nearest background paper rose from"
        f" {was.to_nearest:.2f} to {now.to_nearest:.2f}: by this it lies nearer to published"
        " work than the first idea."
    )


def round_of(line: Line) -> int:
    """Return the round whose revision made the idea a refinement ended with; 0 where it is the
    first idea.
    """
    quiet = rounds_without_change(line)
    last = line.outcome.round or 0 if line.outcome else 0
    return max((n for n in range(1, last + 1) if n not in quiet), default=0)


def rounds_without_change(line: Line) -> frozenset[int]:
    """Return the rounds whose version is the one before, word for word."""
    numbers = range(1, line.newest + 1)
    return frozenset(n for n in numbers if line.version(n) == line.version(n - 1))


def name_rounds(first: int, last: int) -> str:
    """Name rounds in a row: `round 4`, `rounds 4 and 5`, `rounds 4 to 7`."""
    if first == last:
        return f"round {first}"
    return f"rounds {first} {'and' if last == first + 1 else 'to'} {last}"


def _for_novelty(done: Round) -> bool:
    return done.goal.strip().casefold() == "novelty"


def _improved(line: Line) -> list[int]:
    return [done.n for done in line.rounds if done.verdict and done.verdict.improved]


def _of_round(line: Line, end: Outcome) -> str:
    changed = round_of(line)
    if not changed:
        return f"{name_rounds(1, end.round).capitalize()} changed nothing: the first idea stays."
    told = f"The refined idea is that of round {changed}"
    if changed < end.round:
        told += f"; {name_rounds(changed + 1, end.round)} changed nothing"
    better = max((n for n in _improved(line) if n <= end.round), default=0)
    if not end.converged or better == changed:
        return f"{told}."
    # InfAL, algorithm 1: the idea on which the verdicts came to rest, not the one they last
    # praised.
    if not better:
        return (
            f"{told}. No round was judged better than the one before it; the newest text is kept"
            " all the same."
        )
    return (
        f"{told}. The last round judged better is round {better}; the newer text is kept all the"
        " same."
    )
