"""What a benchmark spans (defaults: LiveIdeaBench, Methods, Experimental protocol), and who takes
part in a brainstorm on one keyword: which of the models at hand write ideas, which of them judge,
and how many judge each idea.
"""

from collections.abc import Iterable, Sequence
from math import comb
from typing import Annotated, NamedTuple

from pydantic import Field, model_validator

from core.benchmark.identity import identity, same_model
from core.errors import BadInput
from core.records import Entrant, Keyword, KeywordList, Panelist, Record, Text

JUDGES_EACH = 3
MOST_WORDS = 200
"""Words an idea may have; a longer one is excluded before anybody judges it."""
ASKED_WORDS = 100
"""Words a model is asked to stay within."""
LONGEST_KEYWORD = 200
"""Characters of a keyword."""


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


class Participants(NamedTuple):
    """Who takes part; without judges there are ideas only, and `said` says why."""

    models: tuple[Entrant, ...]
    judges: tuple[Panelist, ...]
    judges_each: int
    said: str
    twice: tuple[str, ...]
    """Names that were left out, because the same model is there under another one."""


def cast(models: Sequence[str], judges: Sequence[str], most: int = JUDGES_EACH) -> Participants:
    """Return who takes part: at most `most` judges for each idea, as many for every model, none its
    own; raises BadInput without a model.
    """
    writers, twice = drop_repeats(models)
    if not writers:
        raise BadInput("Choose at least one model that writes ideas.")
    panel, again = drop_repeats(judges)
    each = min(most, *(len(eligible(name, panel)) for name in writers))
    entrants = tuple(Entrant(model=name) for name in writers)
    twice = tuple(dict.fromkeys((*twice, *again)))
    if not each:
        return Participants(entrants, (), JUDGES_EACH, _why_not(writers, panel), twice)
    among = f"{len(panel)} models" if len(panel) > 1 else panel[0]
    said = (
        f"Each idea is judged by {each} of {among}, never by its own."
        if len(panel) > each
        else f"Each idea is judged by {among}."
    )
    return Participants(entrants, tuple(Panelist(model=name) for name in panel), each, said, twice)


def drop_repeats(names: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return names without those of a model that is named already, whoever serves it; and those."""
    kept: list[str] = []
    twice: list[str] = []
    for name in names:
        (twice if any(same_model(name, other) for other in kept) else kept).append(name)
    return tuple(kept), tuple(twice)


def _why_not(writers: Sequence[str], panel: Sequence[str]) -> str:
    if not panel:
        return "Ideas only: no language model is chosen that could judge them."
    alone = next(name for name in writers if not eligible(name, tuple(panel)))
    return (
        f"Ideas only: nobody but {identity(alone)} itself could judge its ideas, and no model"
        " judges its own. Choose another judge as well."
    )


def of_keyword(said: str) -> KeywordList:
    """Return the list with the one keyword somebody typed; raises BadInput."""
    keyword = " ".join(said.split())
    if not keyword:
        raise BadInput("Type a keyword, a word or two, or take a random one.")
    if len(keyword) > LONGEST_KEYWORD:
        raise BadInput(
            f"A keyword has at most {LONGEST_KEYWORD} characters; this has {len(keyword):,}. To"
            " begin with a whole text, refine it instead."
        )
    return KeywordList(name=keyword, source="typed", keywords=(Keyword(text=keyword),))
