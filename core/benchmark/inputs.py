"""What a benchmark spans (defaults: LiveIdeaBench, Methods, Experimental protocol)."""

from math import comb
from typing import Annotated

from pydantic import Field, model_validator

from core.benchmark.identity import identity, same_model
from core.records import Entrant, Panelist, Record, Text

JUDGES_EACH = 3
MOST_WORDS = 200
"""Words an idea may have; a longer one is excluded before anybody judges it."""
ASKED_WORDS = 100
"""Words a model is asked to stay within."""


class BenchInputs(Record):
    """Keywords, models that write ideas, and a panel of judges."""

    topic: Annotated[str, Field(min_length=1)]
    """The name of the benchmark; of a brainstorm its keyword."""
    keywords: Text
    """SHA-256 of the frozen KeywordList."""
    count: Annotated[int, Field(ge=1, le=20_000)]
    """How many of its keywords are asked, from the first on."""
    models: Annotated[tuple[Entrant, ...], Field(min_length=1, max_length=99)]
    judges: Annotated[tuple[Panelist, ...], Field(max_length=30)] = ()
    """The panel; without one, ideas are written and nobody judges them."""
    ideas: Annotated[int, Field(ge=1, le=10)] = 2
    """Ideas per keyword and model (I)."""
    judges_each: Annotated[int, Field(ge=1, le=10)] = JUDGES_EACH
    """Judges drawn per idea (J)."""
    asked_words: Annotated[int, Field(ge=20, le=1_000)] = ASKED_WORDS
    most_words: Annotated[int, Field(ge=20, le=2_000)] = MOST_WORDS
    limits: dict[str, Annotated[int, Field(ge=1, le=1_000)]] = {}
    """Calls at once by provider, where fewer are wanted than the settings allow."""
    brainstorm: bool = False
    """Whether it was begun as a brainstorm on one keyword: then it is shown as one."""

    @model_validator(mode="after")
    def _each_once_and_enough_judges(self) -> "BenchInputs":
        for what, names in (
            ("model", [one.model for one in self.models]),
            ("judge", [one.model for one in self.judges]),
        ):
            twice = next(
                (
                    name
                    for n, name in enumerate(names)
                    if any(same_model(name, other) for other in names[:n])
                ),
                None,
            )
            if twice:
                raise ValueError(
                    f"the {what} {twice!r} is named twice (as {identity(twice)!r}); leave one out"
                )
        for entrant in self.models if self.judges else ():
            can = eligible(entrant.model, tuple(one.model for one in self.judges))
            if len(can) < self.judges_each:
                wanted = "1 judge is" if self.judges_each == 1 else f"{self.judges_each} judges are"
                raise ValueError(
                    f"{wanted} asked for each idea, and {f'only {len(can)}' if can else 'none'} of"
                    f" the panel may judge {entrant.model!r} (no model judges its own ideas); add"
                    " judges, or ask fewer of them for each idea"
                )
        return self

    @property
    def judged(self) -> int:
        """How many judges each idea gets."""
        return self.judges_each if self.judges else 0

    @property
    def pairs(self) -> int:
        """How many pairs of ideas are compared for each keyword and model: all of them."""
        return comb(self.ideas, 2) if self.judges else 0

    @property
    def calls(self) -> int:
        """How many answers a complete benchmark holds: M K (I (1 + J) + pairs)."""
        return len(self.models) * self.count * (self.ideas * (1 + self.judged) + self.pairs)


def eligible(model: str, judges: tuple[str, ...]) -> tuple[str, ...]:
    """Return the judges that may judge a model's ideas: all but the model itself, under whatever
    name.
    """
    return tuple(name for name in judges if not same_model(name, model))
