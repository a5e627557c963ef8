"""How much work a session is for one expert, before anybody has begun: units, and minutes as a
guess from the length of the texts.
"""

from collections.abc import Collection, Mapping
from math import ceil
from typing import NamedTuple

from core.prompts.wording import worded
from core.records import Design, Idea, Record, StudyPlan, StudyUnit, Task, Trajectory

WORDS_A_MINUTE = 238
"""Silent reading of non-fiction in English, mean of 190 studies (Brysbaert, 2019)."""
MINUTES_AN_ANSWER = 0.3
"""Ours, for thinking about one score, one place in an order, or one question."""
QUESTIONS_A_ROUND = 3


class Effort(NamedTuple):
    units: int
    """On one expert's list, repeats and attention checks too."""
    minutes: float


Seen = Idea | Design | Trajectory


def effort(
    plan: StudyPlan, work: Collection[StudyUnit], words: Mapping[str, int], experts: int
) -> Effort:
    """Return what one of so many experts is given, on average; `words` is by label, and fewer
    experts than the overlap count as so many.
    """
    if not work:
        return Effort(0, 0.0)
    whole = on_list(plan.task, len(plan.criteria), work, words)
    answers = len(work) * plan.overlap
    share = ceil(answers / max(experts, plan.overlap))
    units = share + min(plan.repeats, share) + plan.attention
    return Effort(units, units * (whole.minutes / len(work)))


def on_list(
    task: Task, criteria: int, units: Collection[StudyUnit], words: Mapping[str, int]
) -> Effort:
    """Return how much work these units are, judged by so many criteria; `words` is by label."""
    answers = 0
    for unit in units:
        match task:
            case "rank":
                answers += len(unit.labels)
            case "comment":
                answers += QUESTIONS_A_ROUND * unit.stages
            case _:
                answers += criteria
    # A set is read once, and ordered by each criterion.
    sets = {unit.labels for unit in units}
    read = sum(words.get(label, 0) for labels in sets for label in labels)
    return Effort(len(units), read / WORDS_A_MINUTE + answers * MINUTES_AN_ANSWER)


def spoken(text: Seen) -> str:
    """Return everything of a text that is read: of a refinement, all its versions and reviews."""
    if not isinstance(text, Trajectory):
        return worded(text)
    parts: list[Record] = [text.first]
    for one in text.rounds:
        parts += (one.review, one.idea)
    return "\n\n".join(map(worded, parts))
