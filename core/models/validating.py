"""Judging a reply: is it whole, is it one JSON object, has it the right shape; or is it free text that came to its end."""
import json
import re
from collections.abc import Callable
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from core.models.port import Reply
from core.models.thoughts import apart

T = TypeVar("T", bound=BaseModel)
_OPENING = re.compile(r"\{\s*[\"}]")
"""Where an object begins; a brace in prose is followed by neither a quote nor a closing brace."""
SHOWN = 5
"""How many faults of shape are named at once."""


class Refused(Exception):
    """The reply cannot be used; `str()` is the complaint, worded for the model and for a person."""


def accept(reply: Reply, returns: type[T], check: Callable[[T], None] | None = None) -> T:
    """Return the value a reply holds; raises Refused with what is wrong with it."""
    try:
        value = returns.model_validate_json(one_object(accept_text(reply)))
    except ValidationError as error:
        raise Refused(f"the answer does not have the asked shape: {_faults(error)}") from None
    if check:
        try:
            check(value)
        except ValueError as error:
            raise Refused(str(error)) from None
    return value


def accept_text(reply: Reply) -> str:
    """Return the text of a reply that came to its end, without the thoughts before it; raises Refused where it is cut, refused or empty."""
    if reply.finish_reason == "length":
        raise Refused("the answer was cut off at the length limit; answer again, shorter")
    if reply.finish_reason == "refusal":
        raise Refused(f"the answer was refused: {_short(reply.text)}" if reply.text.strip() else "the answer was refused without a reason")
    found = apart(reply.text)
    text = found.answer.strip()
    if not text and (reply.thoughts or found.thoughts):
        raise Refused("the answer holds thoughts and nothing after them; answer again, and think less")
    if not text:
        raise Refused("the answer was empty")
    return text


def one_object(text: str) -> str:
    """Return the one JSON object in `text`, also between fences or in prose; raises Refused for none, several or a broken one."""
    found: list[object] = []
    start = _OPENING.search(text)
    while start:
        value, end = _decode(text, start.start())
        found.append(value)
        start = _OPENING.search(text, end)
    if not found:
        raise Refused("the answer holds no JSON object")
    if len(found) > 1:
        raise Refused(f"the answer holds {len(found)} JSON objects instead of one")
    return json.dumps(found[0])


def _decode(text: str, start: int) -> tuple[object, int]:
    # strict=False: smaller models leave line breaks unescaped inside strings; nothing is lost by reading them.
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise Refused(f"the answer is not valid JSON: {error.msg} at character {error.pos - start} of the object") from None
    except RecursionError:
        raise Refused("the answer is nested too deeply") from None


def _faults(error: ValidationError) -> str:
    faults = [f"{'.'.join(map(str, fault['loc'])) or 'the object'}: {fault['msg']}" for fault in error.errors()]
    more = f"; and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
    return "; ".join(faults[:SHOWN]) + more


def _short(text: str) -> str:
    said = " ".join(text.split())
    return said if len(said) <= 200 else said[:200] + " ..."
