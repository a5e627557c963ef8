"""How much work a session is for one expert, before anybody has begun: units, and minutes as a
guess from the length of the texts.
"""

from collections.abc import Iterable, Mapping
from math import ceil
from typing import NamedTuple

from core.prompts.wording import worded
from core.records import Design, Idea, StudyPlan, StudyUnit, Task, Trajectory

WORDS_A_MINUTE = 238
"""Silent reading of non-fiction in English, mean of 190 studies (Brysbaert, 2019)."""
MINUTES_AN_ANSWER = 0.3
"""Ours, for thinking about one score, one place in an order, or one question."""
QUESTIONS_A_ROUND = 3


class Effort(NamedTuple):
    units: int
    """On one expert's list, repeats and checks of attention too."""
    minutes: float


def effort(
    plan: StudyPlan, work: Iterable[StudyUnit], words: Mapping[str, int], experts: int
) -> Effort:
    """Return what one of so many experts is given, on average; `words` is by label, and fewer
    experts than the overlap count as so many.
    """
    units = list(work)
    if not units:
        return Effort(0, 0.0)
    share = len(units) * plan.overlap / max(experts, plan.overlap)
    each = on_list(plan.task, len(plan.criteria), units, words).minutes / len(units)
    mine = ceil(share) + min(plan.repeats, ceil(share)) + plan.attention
    return Effort(mine, mine * each)


def on_list(
    task: Task, criteria: int, units: Iterable[StudyUnit], words: Mapping[str, int]
) -> Effort:
    """Return how much work these units are, judged by so many criteria; `words` is by label."""
    mine = list(units)
    # A set is read once, and ordered by each criterion.
    read = sum(words.get(label, 0) for labels in {one.labels for one in mine} for label in labels)
    answers = sum(_answers(task, criteria, one) for one in mine)
    return Effort(len(mine), read / WORDS_A_MINUTE + answers * MINUTES_AN_ANSWER)


def spoken(text: Idea | Design | Trajectory) -> str:
    """Return everything of a text that is read: of a refinement, all its versions and reviews."""
    if not isinstance(text, Trajectory):
        return worded(text)
    rounds = [part for one in text.rounds for part in (one.review, one.idea)]
    return "\n\n".join(map(worded, (text.first, *rounds)))


def _answers(task: Task, criteria: int, unit: StudyUnit) -> int:
    match task:
        case "rank":
            return len(unit.labels)
        case "comment":
            return QUESTIONS_A_ROUND * unit.stages
        case _:
            return criteria
