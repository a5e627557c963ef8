"""What an endpoint can do, found out once and remembered in the store, never asked of the user."""

import re
from collections.abc import Callable
from typing import Literal

from pydantic import Field

from core.models.listening import AttemptReply
from core.records import Record

Shape = Literal["json_schema", "json_object", "prompt"]
MARK = "Idea Foundry probe"
"""Stands in the system message of every probe."""
COUNTING = "Count from 1 to 200, separated by spaces."
LIMIT = 16
"""Tokens allowed to the count; a server that goes on past it does not know the parameter."""
RAMBLING = 200
"""Characters of counting after which it is clear that the limit was ignored."""


class Abilities(Record):
    """Which dialect one model at one address speaks."""

    tokens: Literal["max_completion_tokens", "max_tokens"] = "max_tokens"
    shape: Shape = "json_schema"
    schema_beside: bool = False
    """Whether `json_object` takes the schema beside it (llama.cpp's dialect)."""
    usage: bool = True
    """Whether it takes the wish for a report of usage. Whether it reports any, the end of each
    answer shows.
    """
    temperature: bool = True
    thinks: bool = False
    """Whether a reply of it was seen to come with thoughts; learnt, and never asked for."""
    unopened: bool = False
    """Whether its thoughts come without the tag that opens them: up to the closing one, all it
    writes is thoughts.
    """
    most: int | None = None
    """Tokens a reply may have at most; None where the server never said."""


DOCUMENTED: dict[str, Abilities] = {
    "openai": Abilities(tokens="max_completion_tokens"),
    "anthropic": Abilities(),
    "google_genai": Abilities(),
    "openrouter": Abilities(),
    "ollama": Abilities(),
}
"""What the providers' own documentation says; a model that differs is learnt from its refusal."""


class Sign(Record):
    """The smallest answer of a shape."""

    ready: bool = Field(description="true")


Ask = Callable[[str, Abilities, bool], AttemptReply | None]
"""(task, abilities to use, whether in the shape of Sign) -> what was heard, or None for a refusal.
"""
_REFUSING = re.compile(
    r"unsupported|not support|unrecogni[sz]ed|unknown|unexpected|not permitted|not allowed|"
    r"deprecated|forbidden|extra inputs|only the default|use '"
)
_OF_LENGTH = re.compile(
    r"max_(?:completion_|output_|new_)?tokens|maxoutputtokens|num_predict|"
    r"(?:completion|output) tokens|context (?:length|window|size)"
)
_TOO_MUCH = re.compile(
    r"too (?:large|high|big|long|many)|at most|maximum|exceed|in range|out of range|less than|"
    r"smaller than|lower than|no more than| > |<="
)
LEAST = 256
"""Tokens a reply needs in any case."""
_ON_SHAPE = re.compile(
    r"response_?format|json_?schema|output_(?:config|format)|structured output|mime.?type|"
    r"'format'|\bgrammar"
)
_SHAPES: tuple[Shape, ...] = ("json_schema", "json_object", "prompt")


def probe(ask: Ask) -> Abilities:
    """Find out what an OpenAI-compatible address can do, with two to six calls of a few tokens."""
    known = Abilities(shape="prompt", usage=True)
    # How the answer goes on says nothing: a wordy one is broken off long before its end, where
    # usage would stand.
    if ask("Say yes.", known, False) is None:
        known = known.model_copy(update={"usage": False})
    newer = known.model_copy(update={"tokens": "max_completion_tokens"})
    heard = ask(COUNTING, newer, False)
    # Where neither name shows an effect, the older one is the more widely known.
    if heard and heard.finish_reason == "length":
        known = newer
    for tried in (
        known.model_copy(update={"shape": "json_schema"}),
        known.model_copy(update={"shape": "json_object", "schema_beside": True}),
        known.model_copy(update={"shape": "json_object"}),
    ):
        heard = ask("Say that you are ready, as a JSON object.", tried, True)
        if heard and "{" in heard.text:
            return tried
    return known


def learnt(known: Abilities, said: str) -> Abilities | None:
    """Return what `known` becomes after a refusal in these words, or None where they teach
    nothing.
    """
    low = said.lower()
    if known.usage and ("stream_options" in low or "include_usage" in low):
        return known.model_copy(update={"usage": False})
    if _REFUSING.search(low):
        if known.tokens in low:
            newer = known.tokens == "max_completion_tokens"
            other = "max_tokens" if newer else "max_completion_tokens"
            return known.model_copy(update={"tokens": other})
        if known.temperature and "temperature" in low:
            return known.model_copy(update={"temperature": False})
    if known.shape != "prompt" and _ON_SHAPE.search(low):
        simpler = _SHAPES[_SHAPES.index(known.shape) + 1]
        return known.model_copy(update={"shape": simpler, "schema_beside": False})
    return None


def fewer(asked: int, said: str) -> int | None:
    """Return how many tokens to ask for after a refusal in these words of so many; None where they
    speak of something else.

    What the server names as its limit is the greatest number below what was asked for; where it
    names none that is near, half is tried.
    """
    low = re.sub(r"error code: \d+", "", said.lower())
    if asked <= LEAST or not (_OF_LENGTH.search(low) and _TOO_MUCH.search(low)):
        return None
    named = [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", low)]
    near = [number for number in named if max(LEAST, asked // 8) <= number < asked]
    if of_context(low) or not near:
        return max(LEAST, asked // 2)
    return max(near)


def of_context(said: str) -> bool:
    """Say whether a refusal concerns question and reply together: then another question may be
    answered at greater length.
    """
    return "context" in said.lower()
