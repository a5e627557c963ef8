"""How a benchmark may grow: models, keywords and ideas are added; what would make other draws or
other scores of it stays.
"""

from core.benchmark.inputs import BenchInputs
from core.errors import BadInput
from core.records import KeywordList
from core.store import Store

FREE = {"models", "keywords", "count", "ideas", "limits"}
"""Inputs that an extension may have otherwise; of keywords there may be more, in the same order.
Limits say how fast it goes, not what is asked.
"""
STAYS = (
    "Models that write, keywords and ideas per keyword can be added to a benchmark. Judges, judges"
    " per idea, lengths, seed, prompts, sampling and the order of keywords stay as they are: with"
    " others, draws and scores would no longer be those of one protocol."
)


def same_protocol(store: Store, was: BenchInputs, now: BenchInputs) -> None:
    """Raise BadInput unless `now` asks all that `was` asked, in the same way, and more."""
    mine, others = was.model_dump(), now.model_dump()
    if (
        any(mine[name] != others[name] for name in mine.keys() - FREE)
        or now.models[: len(was.models)] != was.models
    ):
        raise BadInput(f"{STAYS} Begin a new benchmark instead.")
    if now.count < was.count or now.ideas < was.ideas:
        raise BadInput(
            f"A benchmark only grows: it has {was.count} keywords and {was.ideas} ideas per keyword"
            " and model. Ask for as many or more."
        )
    if _texts(store, now)[: was.count] != _texts(store, was)[: was.count]:
        raise BadInput(
            f"The new list does not begin with the {was.count} keywords of this benchmark, in their"
            f" order. {STAYS}"
        )
    if (now.models, now.count, now.ideas) == (was.models, was.count, was.ideas):
        raise BadInput(
            "Nothing is added. Name more models that write, ask for more keywords, or for more"
            " ideas per keyword and model."
        )


def _texts(store: Store, inputs: BenchInputs) -> list[str]:
    return [one.text for one in store.frozen.get(inputs.keywords, KeywordList).keywords]
