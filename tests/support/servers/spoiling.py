"""How a faulty model server spoils what it would have said: replies nobody can use, texts with what
no text may hold, and bytes that are no reply at all.
"""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

MEGABYTE = 1_000_000
FILLING = "planted filling "
"""What a reply of a megabyte is filled up with."""
STORY = "I am sorry, but here is a story instead."
PAGE = "<html><body>Bad gateway</body></html>"
NUL, HALF_PAIR = "\0", "\ud83d"
SPOILT = ("wrong", "huge", "nul", "escaped nul", "surrogate")
"""Faults in the text of a reply that is whole otherwise."""


def wrong_types(reply: dict[str, object]) -> object:
    return {name: {"odd": True} for name in reply}


def a_field_less(reply: dict[str, object]) -> object:
    return dict(list(reply.items())[:-1])


def empty_texts(reply: dict[str, object]) -> object:
    return {name: "" if isinstance(value, str) else value for name, value in reply.items()} | {
        next(iter(reply)): None
    }


WRONG: tuple[Callable[[dict[str, object]], object], ...] = (
    lambda _: STORY,
    lambda reply: json.dumps(reply)[: len(json.dumps(reply)) // 2],
    lambda reply: json.dumps(reply) + json.dumps(reply),
    lambda reply: [reply],
    lambda _: {},
    wrong_types,
    a_field_less,
    empty_texts,
    lambda _: PAGE,
)
"""JSON that is none, or not of the asked shape."""
UNUSABLE = (lambda _: "", *WRONG)
"""Every kind of reply that nobody can use."""


def unusable(
    reply: dict[str, object], dice: random.Random, among: tuple[Callable[..., object], ...]
) -> str:
    """Return what is said in place of a reply."""
    made = dice.choice(among)(reply)
    return made if isinstance(made, str) else json.dumps(made)


def spoil(fault: str, text: str, dice: random.Random) -> str:
    """Return a reply with a fault of SPOILT: in one of its strings where it is an object, else in
    its middle.
    """
    try:
        reply = json.loads(text)
    except ValueError:
        return _spoil_string(fault, text)
    if fault == "wrong":
        return unusable(reply, dice, WRONG)
    places = list(_strings(reply))
    if fault == "huge" and (dice.random() < 0.5 or not places):
        return FILLING * (MEGABYTE // len(FILLING))
    if not places:
        return _spoil_string(fault, text)
    holder, name = dice.choice(places)
    holder[name] = _spoil_string(fault, holder[name])
    whole = json.dumps(reply, ensure_ascii=fault == "surrogate" and dice.random() < 0.5)
    return whole.replace("\\u0000", NUL) if fault == "nul" else whole


def _spoil_string(fault: str, text: str) -> str:
    middle = len(text) // 2
    put = {
        "huge": FILLING * (MEGABYTE // len(FILLING)),
        "nul": NUL,
        "escaped nul": NUL,
        "surrogate": HALF_PAIR,
    }[fault]
    return text[:middle] + put + text[middle:]


def _strings(value: Any) -> Iterator[tuple[Any, Any]]:
    """Give every string in a JSON value as (what holds it, under which name)."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for name, part in pairs:
        if isinstance(part, str):
            yield value, name
        elif isinstance(part, dict | list):
            yield from _strings(part)


def garbage(dice: random.Random) -> tuple[str, bytes]:
    """Return a type and bytes that are no reply of a model."""
    return dice.choice(
        (
            ("text/html", PAGE.encode()),
            ("application/octet-stream", dice.randbytes(2_000)),
            ("application/json", b'{"detail": "nothing planted here"}'),
            ("text/event-stream", b'data: {"choices": [{"delta": {"content": "pl\n\n'),
            ("text/event-stream", b'data: {"choices": [{"delta": {"content": "a\x00b"}}]}\n\n'),
            ("text/event-stream", b"data: \xff\xfe\xed\xa0\xbd\n\n"),
            ("text/event-stream", b"data: [1, 2, 3]\n\ndata: [DONE]\n\n"),
        )
    )
