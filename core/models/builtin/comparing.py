"""Comparing two ideas by what can be counted in them; shown in the other order, they get the
mirrored answer.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from core.models.builtin.english import find_words, ignore_case, paragraph, sentences
from core.models.builtin.feasibility_rules import ACCESS, COMPARED, OUTCOME, SIZE, TIME
from core.models.builtin.library import PassageLibrary
from core.models.builtin.phrases import WORKS
from core.models.builtin.searching import essence
from core.records import CRITERIA, Comparison, Idea, Side

NEARER = 0.03
"""How much nearer to the topic (cosine) one idea must lie to count as bearing more on it."""
MOST = 4
"""What a count is capped at, so that length wins nothing."""
_AGAIN = find_words(r"repeat\w*|replicat\w*|only the condition|does it hold|once more|the same as")
_JOINS = find_words(
    r"combin\w+|together|joins?|carried over|the use of|goes through|around the intervention|"
    r"hybrid"
)
_FOLLOWS = find_words(
    r"would (?:change|let|allow|make|show)|so that|bears on|matters|everything has to be|"
    r"before more is built|nobody can say"
)
_STEP = ignore_case(r"\b(?:first|second|third|fourth|then|finally|step \d|\(\d\)|\d\.)(?=[,: ])")
_FAILS = find_words(
    r"given up if|fails? (?:only )?(?:if|when)|refuted|falsif\w+|rejected if|wrong if"
)
_MET = ignore_case(
    r"[;,] (?:a |the |chance |all |every |both |one |two |it |this |pairs |what |who |each )"
)
_MEANS = find_words(r"first trial|pilot|small scale|tenth of|public|budget|already|existing")


@dataclass(frozen=True)
class Counted:
    """What was counted for one criterion: the number for each idea, and what it is a number of."""

    first: float
    second: float
    of: str

    @property
    def side(self) -> Side:
        if self.first == self.second:
            return "tie"
        return "first" if self.first > self.second else "second"

    @property
    def words(self) -> str:
        return f"{self.first:g} to {self.second:g}, counting {self.of}"


def select(library: PassageLibrary, topic: str, first: Idea, second: Idea) -> Comparison:
    """Compare two ideas criterion by criterion, by counts that are the same whichever comes
    first.
    """
    counted = {
        name: Counted(count(first), count(second), of) for name, (count, of) in COUNTS.items()
    } | {"significance": _significance(library, topic, first, second)}
    sides: dict[str, Side] = {name: counted[name].side for name in CRITERIA}
    counts = "; ".join(f"{name} {counted[name].words}" for name in CRITERIA)
    won = Counter(sides.values())
    end = "Neither leads on more criteria than the other"
    if won["first"] != won["second"]:
        leader = "first" if won["first"] > won["second"] else "second"
        end = f"The {leader} leads on more criteria"
    weighed = paragraph(
        f"What was counted, for the first idea and for the second: {counts}",
        end,
        "Rules count what is written and cannot weigh it",
    )
    return Comparison(reason=weighed, **sides)


def _novelty(idea: Idea) -> float:
    spoken = _join_fields(idea, "novelty", "difference", "hypothesis", "objective")
    works = set(WORKS.findall(spoken))
    score = min(MOST, len(works))
    if _JOINS.search(spoken):
        score += 1
    if _AGAIN.search(f"{idea.title} {spoken}"):
        score -= 2
    return score


def _join_fields(idea: Idea, *names: str) -> str:
    return " ".join(idea.fields.get(name, "") for name in names)


def _significance(library: PassageLibrary, topic: str, first: Idea, second: Idea) -> Counted:
    near, far = library.cosines([essence(first), essence(second)], library.vector(topic))
    apart = round(near - far, 3)
    one, other = (min(MOST, len(_FOLLOWS.findall(idea.text))) for idea in (first, second))
    return Counted(
        one + (apart >= NEARER),
        other + (apart <= -NEARER),
        "what is said to follow, and one more for the idea nearer to the topic",
    )


def _clarity(idea: Idea) -> float:
    lines = sentences(idea.fields.get("method") or idea.fields.get("hypothesis", ""))
    if not lines:
        return 0
    short = [line for line in lines if len(line.split()) <= 35]
    text = " ".join(lines).lower()
    steps = set(_STEP.findall(text))
    return min(MOST, len(steps)) + round(len(short) / len(lines))


def _feasibility(idea: Idea) -> float:
    text = _join_fields(idea, "method", "challenges", "hypothesis")
    return _count_found((SIZE, TIME, COMPARED, ACCESS, _MEANS), text)


def _effectiveness(idea: Idea) -> float:
    risks = sentences(idea.fields.get("challenges", ""))
    met = [line for line in risks if _MET.search(line)]
    return _count_found((OUTCOME, COMPARED, _FAILS), idea.text) + min(2, len(met))


def _count_found(patterns: tuple[re.Pattern[str], ...], text: str) -> int:
    return sum(bool(pattern.search(text)) for pattern in patterns)


COUNTS: dict[str, tuple[Callable[[Idea], float], str]] = {
    "novelty": (_novelty, "works it joins or is set apart from, less what it repeats"),
    "clarity": (_clarity, "steps in order and sentences short enough to follow"),
    "feasibility": (
        _feasibility,
        "means that are named: size, time, comparison, access, a small start",
    ),
    "effectiveness": (
        _effectiveness,
        "what tells whether it works: outcome, comparison, what would refute it, risks that are"
        " met",
    ),
}
"""What is counted for a criterion in each idea by itself, and what it is a number of."""
