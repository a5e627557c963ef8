"""The names of steps: which a method can have asked, so that a packed file can name no others."""

import re
from collections.abc import Iterator

from core import prompts
from core.records import ITEMS, Config, part
from core.runs.catalogue import method
from core.store.whole import KeptStep

LOOKED_UP = (
    r"search|citing|cited|citations|references|cited-in-full-text|full-text|by-id|by-title|"
    r"search-by-\d+/\d+|page-\d+|sample"
)
COMPUTED = r"ranking|nearest-in-words|chain|start|plane|measure"
ANSWERED = r"wishes|go-ahead|direction|topic|review|revise|verdict|first-idea|declines|judge|rank"
OTHER = re.compile(rf"(.*/)?({LOOKED_UP}|{COMPUTED}|{ANSWERED})")
"""How the steps are called that no prompt names."""
PLACE = re.compile(
    r"anchors|experiment|map|selection|background|retrieval|ranking|standing|checklist|scores|"
    r"target|novelty|choice|unread|prepared|again|\d+-\d+|paper-.+|form|[0-9a-f]{12,16}|"
    r"(branch|anchor|start|forward|backward|candidate|idea|direction|round|step|search|repeat)-\d+"
)
"""Where in a run a step may stand."""


def stranger(config: Config, step: KeptStep) -> str:
    """Say what about a step's name this program does not know; empty where it is one that its
    method gives.
    """
    above, _, last = step.key.rpartition("/")
    known = method(config.method)
    if prompt := step.request.get("prompt"):
        if prompt != last:
            return f"is named {last!r}, and asked the prompt {prompt!r}"
        if last not in known.prompts and not (
            config.version < known.version and last in prompts.names()
        ):
            return f"asked a prompt that its method {config.method!r} does not have"
    elif not OTHER.fullmatch(step.key):
        return f"has a name that no step of its method {config.method!r} has"
    if config.version < known.version or not known.places_known:
        return ""
    named = {part(name) for name in qualities(config.inputs)} | {item.name for item in ITEMS}
    odd = next(
        (one for one in above.split("/") if one and one not in named and not PLACE.fullmatch(one)),
        "",
    )
    return (
        f"stands at {odd!r}, a place that no step of its method {config.method!r} has"
        if odd
        else ""
    )


def qualities(value: object) -> Iterator[str]:
    """Yield the names of the qualities anywhere in what a run was asked for."""
    if isinstance(value, dict):
        if isinstance(value.get("name"), str) and "traits" in value:
            yield value["name"]
        for inner in value.values():
            yield from qualities(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from qualities(inner)
