"""A brainstorm on one keyword: which of the models at hand write ideas, which of them judge, and
how many judge each idea.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.benchmark.identity import identity, same_model
from core.benchmark.inputs import JUDGES_EACH, eligible
from core.errors import BadInput
from core.records import Entrant, Keyword, KeywordList, Panelist

LONGEST = 200
"""Characters of a keyword."""


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
    if len(keyword) > LONGEST:
        raise BadInput(
            f"A keyword has at most {LONGEST} characters; this has {len(keyword):,}. To begin with"
            " a whole text, refine it instead."
        )
    return KeywordList(name=keyword, source="typed", keywords=(Keyword(text=keyword),))
