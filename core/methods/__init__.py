"""The methods a run can follow: what each needs to be told, and which prompts it asks."""
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from core.desk import Desk
from core.errors import BadInput
from core.methods import adversarial, chain_of_ideas
from core.methods.chain_growth import Rules
from core.records import Idea, Indicator, Paper, Record, Stopping, Text


def _day(text: str) -> str:
    """Return the day as YYYY-MM-DD; raises ValueError for what is no day."""
    return date.fromisoformat(text).isoformat()


class ChainInputs(Record):
    """What a chain of ideas is asked for (defaults: Chain of Ideas, section 4)."""

    topic: Annotated[str, Field(min_length=1)]
    length: Annotated[int, Field(ge=1, le=8)] = 5
    milestone: Annotated[int, Field(ge=1)] = 1000
    before: Annotated[str, AfterValidator(_day)] | None = None
    """YYYY-MM-DD; only papers before that day."""
    ban: tuple[str, ...] = ()
    """Papers never to be used: ids of the source, `arxiv:...` or `doi:...`."""
    novelty_rounds: Annotated[int, Field(ge=1, le=10)] = 3


class RefineInputs(Record):
    """What a refinement is asked for (defaults: InfAL, section 4)."""

    topic: Annotated[str, Field(min_length=1)]
    area: Text = "the field of the topic"
    goal: Indicator
    rules: Stopping = Stopping()
    idea: Idea | None = None
    context: tuple[Paper, ...] = ()
    from_run: str | None = None


def _chain(desk: Desk, inputs: ChainInputs) -> Iterator[Record]:
    rules = Rules(inputs.topic, inputs.length, inputs.milestone, inputs.before, inputs.ban)
    return chain_of_ideas.ideate(desk, rules, inputs.novelty_rounds)


def _refine(desk: Desk, inputs: RefineInputs) -> Iterator[Record]:
    game = adversarial.Game(topic=inputs.topic, area=inputs.area, goal=inputs.goal, context=inputs.context)
    return adversarial.refine(desk, game, inputs.rules, inputs.idea)


@dataclass(frozen=True)
class Method:
    """A method: its story, the version of its step names, its inputs, the prompts it asks."""

    name: str
    version: int
    label: str
    inputs: type[Record]
    prompts: tuple[str, ...]
    story: Callable[[Desk, Any], Iterator[Record]]


METHODS: dict[str, Method] = {
    "chain": Method("chain", 1, "Chain of ideas", ChainInputs, chain_of_ideas.PROMPTS, _chain),
    "refine": Method("refine", 1, "Adversarial refinement", RefineInputs, adversarial.PROMPTS, _refine),
}


def method(name: str) -> Method:
    """Return the method of that name; raises BadInput."""
    if name not in METHODS:
        raise BadInput(f"There is no method {name!r}; there are {', '.join(METHODS)}.")
    return METHODS[name]
