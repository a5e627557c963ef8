"""Comparing two ideas by what can be counted in them; shown in the other order, they get the
mirrored answer.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from core.models.builtin.english import said, sentences
from core.models.builtin.feasibility_rules import ACCESS, COMPARED, OUTCOME, SIZE, TIME
from core.models.builtin.library import PassageLibrary
from core.models.builtin.searching import essence
from core.records import CRITERIA, Comparison, Idea, Side

NEARER = 0.03
"""How much nearer to the topic (cosine) one idea must lie to count as bearing more on it."""
MOST = 4
"""What a count is capped at, so that length wins nothing."""
WORKS = re.compile(
    r"\"[^\"]{3,90}\" \(\d{4}\)|[A-Z][\w'’.-]*(?:[ -][A-Z][\w'’.-]*){0,3}(?: et al\.| and"
    r" [A-Z][\w'’-]+)? \(\d{4}\)"
)
_AGAIN = re.compile(
    r"\b(?:repeat\w*|replicat\w*|only the condition|does it hold|once more|the same as)\b",
    re.IGNORECASE,
)
_JOINS = re.compile(
    r"\b(?:combin\w+|together|joins?|carried over|the use of|goes through|around the intervention|"
    r"hybrid)\b",
    re.IGNORECASE,
)
_FOLLOWS = re.compile(
    r"\b(?:would (?:change|let|allow|make|show)|so that|bears on|matters|everything has to be|"
    r"before more is built|nobody can say)\b",
    re.IGNORECASE,
)
_STEP = re.compile(
    r"\b(?:first|second|third|fourth|then|finally|step \d|\(\d\)|\d\.)(?=[,: ])", re.IGNORECASE
)
_FAILS = re.compile(
    r"\b(?:given up if|fails? (?:only )?(?:if|when)|refuted|falsif\w+|rejected if|wrong if)\b",
    re.IGNORECASE,
)
_MET = re.compile(
    r"[;,] (?:a |the |chance |all |every |both |one |two |it |this |pairs |what |who |each )",
    re.IGNORECASE,
)
_MEANS = re.compile(
    r"\b(?:first trial|pilot|small scale|tenth of|public|budget|already|existing)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Counted:
    """What was counted for one criterion: the number for each idea, and what it is a number of."""

    first: float
    second: float
    of: str

    @property
    def side(self) -> Side:
        return (
            "first" if self.first > self.second else "second" if self.second > self.first else "tie"
        )

    @property
    def told(self) -> str:
        return f"{self.first:g} to {self.second:g}, counting {self.of}"


def select(library: PassageLibrary, topic: str, first: Idea, second: Idea) -> Comparison:
    """Compare two ideas criterion by criterion, by counts that are the same whichever comes
    first.
    """
    counted = {
        "novelty": _both(
            first, second, _novelty, "works it joins or is set apart from, less what it repeats"
        ),
        "significance": _significance(library, topic, first, second),
        "clarity": _both(
            first, second, _clarity, "steps in order and sentences short enough to follow"
        ),
        "feasibility": _both(
            first,
            second,
            _feasibility,
            "means that are named: size, time, comparison, access, a small start",
        ),
        "effectiveness": _both(
            first,
            second,
            _effectiveness,
            "what tells whether it works: outcome, comparison, what would refute it, risks that"
            " are met",
        ),
    }
    sides: dict[str, Side] = {name: counted[name].side for name in CRITERIA}
    told = "; ".join(f"{name} {counted[name].told}" for name in CRITERIA)
    won = [sum(side == which for side in sides.values()) for which in ("first", "second")]
    end = (
        f"The {'first' if won[0] > won[1] else 'second'} leads on more criteria"
        if won[0] != won[1]
        else "Neither leads on more criteria than the other"
    )
    weighed = said(
        f"What was counted, for the first idea and for the second: {told}",
        end,
        "Rules count what is written and cannot weigh it",
    )
    return Comparison(reason=weighed, **sides)


def _both(first: Idea, second: Idea, count: Callable[[Idea], float], of: str) -> Counted:
    return Counted(count(first), count(second), of)


def _capped(found: int) -> int:
    return min(MOST, found)


def _novelty(idea: Idea) -> float:
    spoken = " ".join(
        idea.fields.get(name, "") for name in ("novelty", "difference", "hypothesis", "objective")
    )
    works = len(set(WORKS.findall(spoken)))
    return (
        _capped(works)
        + bool(_JOINS.search(spoken))
        - 2 * bool(_AGAIN.search(f"{idea.title} {spoken}"))
    )


def _significance(library: PassageLibrary, topic: str, first: Idea, second: Idea) -> Counted:
    near = library.embed([essence(first), essence(second)]) @ library.vector(topic)
    apart = round(float(near[0]) - float(near[1]), 3)
    counts = [_capped(len(_FOLLOWS.findall(one.text))) for one in (first, second)]
    return Counted(
        counts[0] + (apart >= NEARER),
        counts[1] + (apart <= -NEARER),
        "what is said to follow, and one more for the idea nearer to the topic",
    )


def _clarity(idea: Idea) -> float:
    lines = sentences(idea.fields.get("method") or idea.fields.get("hypothesis", ""))
    followed = sum(len(line.split()) <= 35 for line in lines) / len(lines) if lines else 0.0
    return _capped(len(set(_STEP.findall(" ".join(lines).lower())))) + round(followed)


def _feasibility(idea: Idea) -> float:
    text = " ".join(idea.fields.get(name, "") for name in ("method", "challenges", "hypothesis"))
    return sum(bool(pattern.search(text)) for pattern in (SIZE, TIME, COMPARED, ACCESS, _MEANS))


def _effectiveness(idea: Idea) -> float:
    text = idea.text
    met = sum(bool(_MET.search(line)) for line in sentences(idea.fields.get("challenges", "")))
    return sum(bool(pattern.search(text)) for pattern in (OUTCOME, COMPARED, _FAILS)) + min(2, met)
