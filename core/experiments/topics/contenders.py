"""Who can compete on topics: a preset by name, and what departs from it, as a person would say it.

contender("chain, length 2, without entities")
contender("direct, same tokens as chain, length 2")
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from pydantic import ValidationError

from core.errors import BadInput
from core.methods.drafts import DraftsInputs
from core.methods.evolution import EvolveInputs
from core.methods.inputs import BaselineInputs, ChainInputs, RealInputs, RefineInputs
from core.methods.novelty.dating import public_from, published_from
from core.methods.presets import PRESETS
from core.records import EDITION, ExperimentTopic, Play, Record, Stopping
from core.records.faults import fault_in_words
from core.wording.naming import VARIANTS, name_method

COLLECTION = "collection "
SAME_TOKENS = re.compile(r"direct, same tokens(?: as (.+))?")
Given = dict[str, Any]
Part = tuple[re.Pattern[str], Callable[[re.Match[str], Given], None]]


class Contender(NamedTuple):
    """Who competes, and how it is asked for."""

    said: str
    method: str
    """The method of its runs; `collection` where its ideas were imported."""
    given: Mapping[str, Any] = {}
    """What departs from the defaults of the method."""
    same_as: str = ""
    """The contender whose tokens it is given; `*` for the first one there is that has some."""

    @property
    def by_model(self) -> bool:
        """Whether a model writes its ideas."""
        return self.method not in ("real-paper", "collection")

    @property
    def label(self) -> str:
        """What it is called beside others: the method, and what departs from its defaults."""
        if self.method == "collection":
            return self.said.removeprefix(COLLECTION)
        if self.same_as:
            whose = "" if self.same_as == "*" else f" as {contender(self.same_as).label}"
            return f"Direct prompting, same tokens{whose}"
        inputs = self.inputs(ExperimentTopic(topic="a topic")).model_dump(mode="json")
        return name_method(self.method, inputs)

    def inputs(
        self,
        topic: ExperimentTopic,
        design: bool = False,
        full_text: bool = True,
        before: str | None = None,
        drafts: int = 2,
        edition: int = EDITION,
    ) -> Record:
        """Return what its run on a topic is asked for; none finds the topic's own paper, nor what
        came after it.
        """
        paper = topic.paper
        ban = tuple(sorted(paper.names)) if paper else ()
        before = cut_off(topic, before, edition)
        looking = {"topic": topic.topic, "before": before, "ban": ban, "design": design}
        match self.method:
            case "chain":
                return ChainInputs(**{**looking, "full_text": full_text, **self.given})
            case "rag" | "direct":
                return BaselineInputs(**looking)
            case "drafts":
                return DraftsInputs(**looking, drafts=drafts)
            case "refine":
                return RefineInputs(topic=topic.topic, play=_play(self.given))
            case "evolve":
                return EvolveInputs(topic=topic.topic, before=before, **self.given)
        return RealInputs(
            topic=topic.topic,
            paper=paper or {"id": "none", "title": "none"},
            full_text=full_text,
            confirm=False,
        )


def cut_off(
    topic: ExperimentTopic, before: str | None = None, edition: int = EDITION
) -> str | None:
    """Return the day before which papers are read on a topic: the one that was asked for, or when
    the topic's own paper came out where that was before; None where neither is known.
    """
    paper = topic.paper
    if edition < 4:
        return before if before or paper is None else published_from(paper)
    own = public_from(paper) if paper else None
    return min(filter(None, (before, own)), default=None)


def _play(given: Mapping[str, Any]) -> Play:
    rules: Given = {"patience": 1} if given.get("variant") == "self-reflection" else {}
    if given.get("variant") == "no-discriminator":
        rules["max_rounds"] = 7
    if "max_rounds" in given:
        rules["max_rounds"] = given["max_rounds"]
    return Play(
        variant=given.get("variant", "infal"),
        goals=(PRESETS[given.get("goal", "novelty")],),
        rules=Stopping(**rules),
    )


# -- reading what a person says ----------------------------------------------------------------


def _put(field: str) -> Callable[[re.Match[str], Given], None]:
    def put(found: re.Match[str], given: Given) -> None:
        given[field] = int(found[1])

    return put


def _leave_out(found: re.Match[str], given: Given) -> None:
    given["without"] = (*given.get("without", ()), found[1])


def _set(field: str, value: object) -> Callable[[re.Match[str], Given], None]:
    def put(_: re.Match[str], given: Given) -> None:
        given[field] = value

    return put


def _part(pattern: str, put: Callable[[re.Match[str], Given], None]) -> Part:
    return re.compile(pattern), put


PARTS: dict[str, tuple[Part, ...]] = {
    "chain": (
        _part(r"without (chain|order|future|entities)", _leave_out),
        _part(r"length (\d{1,6})", _put("length")),
        _part(r"(\d{1,6}) branch(?:es)?", _put("branches")),
        _part(r"(\d{1,6}) ideas? a branch", _put("ideas")),
        _part(r"(?:at most )?(\d{1,6}) novelty (?:check|round)s?", _put("novelty_rounds")),
        _part(r"milestone from (\d{1,6}) citations", _put("milestone")),
        _part(r"abstracts alone", _set("full_text", False)),
        _part(r"design with (\d{1,6}) reviews?", _put("refinements")),
        _part(r"design without review", _set("refinements", 0)),
    ),
    "refine": (
        *(_part(re.escape(said), _set("variant", name)) for name, said in VARIANTS.items() if said),
        *(_part(f"for {name}", _set("goal", name)) for name in PRESETS),
        _part(r"(?:at most )?(\d{1,6}) rounds?", _put("max_rounds")),
    ),
    "evolve": (
        _part(r"without directives", _set("informed", False)),
        _part(r"(\d{1,6}) steps?", _put("steps")),
    ),
    "rag": (),
    "direct": (),
    "real-paper": (),
}
"""What may be said of each preset behind its name."""
KNOWN = (
    "chain (without chain, without order, without future, without entities, length 0 to 8, N"
    " branches, N ideas a branch, at most N novelty checks, abstracts alone), rag, direct, direct,"
    " same tokens [as ANOTHER], real-paper, refine (review and rebuttal, self-reflection, first"
    " idea alone, without discriminator, without optimizer, at most N rounds), evolve (without"
    " directives, N steps), and collection NAME"
)


@cache
def contender(said: str) -> Contender:
    """Read who competes; raises BadInput that says what there is."""
    said = " ".join(said.split())
    if said.startswith(COLLECTION) and said != COLLECTION.strip():
        return Contender(said, "collection")
    if found := SAME_TOKENS.fullmatch(said):
        same_as = found[1] or "*"
        again = SAME_TOKENS.fullmatch(same_as)
        other = None if again or same_as == "*" else contender(same_as)
        if again or (other and not other.by_model):
            raise BadInput(f"{said!r}: {same_as!r} takes no tokens of its own to be matched.")
        return Contender(said, "drafts", same_as=same_as)
    name, *parts = said.split(", ")
    if name not in PARTS:
        raise BadInput(f"There is no contender {said!r}. There are {KNOWN}.")
    given: Given = {}
    for part in parts:
        for pattern, put in PARTS[name]:
            if match := pattern.fullmatch(part):
                put(match, given)
                break
        else:
            raise BadInput(f"{said!r}: {part!r} says nothing of {name!r}. There are {KNOWN}.")
    made = Contender(said, name, given)
    try:
        made.inputs(ExperimentTopic(topic="a topic"))
    except ValidationError as error:
        raise BadInput(f"{said!r}: {fault_in_words(error.errors()[0])}.") from None
    return made
