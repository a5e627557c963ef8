"""Judging a reply: is it whole, is it one JSON object, has it the right shape; or is it free text
that came to its end.

What is beside the point is mended without asking again: fields nobody asked for are left out. Where
a reply stays unusable after all tries, `salvage` takes what of it can be used: single entries of
lists are left out, one remark of five, and said to be.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import isinf
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from core.gaps import narrow
from core.models.port import Reply
from core.models.thoughts import apart
from core.records.faults import fault_in_words, faults_in_words, place_of
from core.store.connection import mended

T = TypeVar("T", bound=BaseModel)
_OPENING = re.compile(r"\{\s*[\"}]")
"""Where an object begins; a brace in prose is followed by neither a quote nor a closing brace."""
_FENCE = re.compile(r"```(?:json)?", re.IGNORECASE)
_UNSOUND = re.compile("[\0\ud800-\udfff]")
LONGEST, MOST = 20_000, 500_000
"""Characters that one text of an object may have, as a passage of a record, and the whole answer:
more than any room that is asked for holds (`asking.MOST_ROOM`).
"""
MOST_PARTS, MOST_MARKS = 10_000, 50_000
"""Values in an answer, lists and objects among them: each that does not fit takes a kilobyte; and
brackets and commas, those of its sentences too, beyond which none are counted.
"""
DIGITS = 300
"""Digits of a whole number: what a float can still hold, and Python reads without complaint."""
PASSES = 10
"""How often what does not fit is left out of one reply: leaving out one part may show what is wrong
with the whole.
"""


class RefusedReply(Exception):
    """The reply cannot be used; `str()` is the complaint, worded for the model and for a person."""


class CutOff(RefusedReply):
    """The reply ended at the limit of its length."""


def accept(
    reply: Reply, returns: type[T], check: Callable[[T], None] | None = None, asked: str = ""
) -> T:
    """Return the value a reply holds, without fields nobody asked for; raises Refused with what is
    wrong with it.

    An object that prose quotes from what was `asked` is no answer.
    """
    return _run_check(_fit(_read_object(reply, asked), returns), check)


def salvage(
    reply: Reply, returns: type[T], check: Callable[[T], None] | None = None, asked: str = ""
) -> tuple[T, tuple[str, ...]]:
    """Return what of a reply can be used, entries of lists that do not fit left out, and what was
    left out; raises Refused where that is not enough.
    """
    given, left_out = _read_object(reply, asked), list[str]()
    return _run_check(_fit(given, returns, left_out), check), tuple(left_out)


def storable(reply: Reply) -> Reply:
    """Return a reply as it can be stored; where that changes its text, it cannot be used."""
    return replace(
        reply,
        text=mended(reply.text),
        finish_reason=mended(reply.finish_reason),
        model=mended(reply.model),
        thoughts=mended(reply.thoughts),
        fault=reply.fault or unsound(reply.text),
    )


def _read_object(reply: Reply, asked: str) -> object:
    text = accept_text(reply)
    if sum(map(text.count, "[{,")) > MOST_MARKS:
        raise RefusedReply(f"the answer has more than {MOST_PARTS:,} parts")
    given = one_object(text, asked)
    if sum(1 for _ in _parts(given)) > MOST_PARTS:
        raise RefusedReply(f"the answer has more than {MOST_PARTS:,} parts")
    given = _narrowed(given)
    for part in _strings(given):
        if fault := unsound(part):
            raise RefusedReply(fault)
    return given


def unsound(text: str) -> str:
    """Return the complaint about a character that no text can hold, NUL or half a surrogate pair;
    empty where there is none.
    """
    # Two halves that stand side by side are one character: a stream may part them.
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    if not (found := _UNSOUND.search(whole)):
        return ""
    name = "the character NUL" if found[0] == "\0" else "half a surrogate pair"
    return f"the answer holds {name} (U+{ord(found[0]):04X}), which no text can; leave it out"


def _narrowed(value: Any) -> Any:
    """Return a JSON value with the gaps in its strings cut."""
    if isinstance(value, str):
        return narrow(value)
    if isinstance(value, list):
        return [_narrowed(part) for part in value]
    if isinstance(value, dict):
        return {name: _narrowed(part) for name, part in value.items()}
    return value


def _parts(value: object) -> Iterator[object]:
    """Give every value in a JSON value, itself first."""
    yield value
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _parts(part)


def _strings(value: object) -> Iterator[str]:
    """Give every string in a JSON value, the names of fields aside."""
    return (part for part in _parts(value) if isinstance(part, str))


def _too_long(what: str, text: str, most: int) -> str:
    return f"{what} has {len(text):,} characters; at most {most:,} are taken"


def _run_check(value: T, check: Callable[[T], None] | None) -> T:
    try:
        if check:
            check(value)
    except ValueError as error:
        raise RefusedReply(str(error)) from None
    return value


def _fit(given: object, returns: type[T], left_out: list[str] | None = None) -> T:
    """Return the value without fields nobody asked for and, where what is `left_out` is kept
    account of, without entries of lists that do not fit.
    """
    for _ in range(PASSES):
        try:
            # By way of JSON, so that what JSON has no other form for (tuples, bytes) is read from
            # it.
            return _within_bounds(returns.model_validate_json(json.dumps(given)))
        except ValidationError as error:
            refusal = RefusedReply(
                f"the answer does not have the asked shape: {faults_in_words(error)}"
            )
            faults = error.errors()
            extra = [fault["loc"] for fault in faults if fault["type"] == "extra_forbidden"]
            dropped = [drop(given, loc) for loc in extra]
            if not dropped and left_out is not None:
                entries = {entry: fault for fault in faults if (entry := _entry(fault["loc"]))}
                # The last entry first, so that the places of the others stay true.
                places = sorted(entries, key=lambda loc: [str(part).zfill(6) for part in loc])
                for entry in reversed(places):
                    if drop(given, entry):
                        dropped.append(True)
                        fault = entries[entry]
                        left_out.append(f"{place_of(fault)}: {fault_in_words(fault)}")
            if not any(dropped):
                raise refusal from None
    raise refusal


def _within_bounds(value: T) -> T:
    """Return the value; raises Refused where a text is too long that the shape sets no bound to."""
    for text in _strings(value.model_dump(mode="json")):
        if len(text) > LONGEST:
            raise RefusedReply(_too_long("a text of the answer", text, LONGEST))
    return value


def _entry(loc: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """Return the path to the innermost entry of a list that a fault lies in; empty where it lies in
    none.
    """
    at = max((n for n, part in enumerate(loc) if isinstance(part, int)), default=-1)
    return loc[: at + 1]


def drop(given: Any, loc: tuple[int | str, ...]) -> bool:
    """Leave out what stands at a path; False where there is nothing."""
    try:
        for part in loc[:-1]:
            given = given[part]
        del given[loc[-1]]
    except (KeyError, IndexError, TypeError):
        return False
    return True


def accept_text(reply: Reply) -> str:
    """Return the text of a reply that came to its end, without the thoughts before it; raises
    Refused where it is cut, refused, empty or too long.
    """
    if reply.finish_reason == "length":
        raise CutOff("the answer was cut off at the length limit; answer again, shorter")
    if reply.finish_reason == "refusal":
        reason = " ".join(reply.text.split())
        if not reason:
            raise RefusedReply("the answer was refused without a reason")
        reason = reason if len(reason) <= 200 else f"{reason[:200]} ..."
        raise RefusedReply(f"the answer was refused: {reason}")
    found = apart(reply.text)
    text = narrow(found.answer.strip())
    if not text and (reply.thoughts or found.thoughts):
        raise RefusedReply(
            "the answer holds thoughts and nothing after them; answer again, and think less"
        )
    if not text:
        raise RefusedReply("the answer was empty")
    if reply.fault:
        raise RefusedReply(reply.fault)
    if len(text) > MOST:
        raise RefusedReply(_too_long("the answer", text, MOST))
    return text


def one_object(text: str, asked: str = "") -> object:
    """Return the one JSON object in `text`, also between fences or in prose; raises Refused for
    none, several or a broken one, and for one that prose quotes from what was `asked`.
    """
    found: list[tuple[object, int, int]] = []
    start = _OPENING.search(text)
    while start:
        value, end = _decode(text, start.start())
        found.append((value, start.start(), end))
        start = _OPENING.search(text, end)
    if not found:
        raise RefusedReply("the answer holds no JSON object")
    if len(found) > 1:
        raise RefusedReply(f"the answer holds {len(found)} JSON objects instead of one")
    value, begin, end = found[0]
    beside = _FENCE.sub("", text[:begin] + text[end:])
    if beside.strip() and _squeezed(text[begin:end]) in _squeezed(asked):
        raise RefusedReply(
            "the only JSON object in the answer is quoted from a text that was given; answer with"
            " an object of your own, and nothing else"
        )
    return value


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _decode(text: str, start: int) -> tuple[object, int]:
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise RefusedReply(
            f"the answer is not valid JSON: {error.msg} at character {error.pos - start} of the"
            " object"
        ) from None
    except RecursionError:
        raise RefusedReply("the answer is nested too deeply") from None


def _named_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the fields of an object: which of two of one name is meant, nobody can say."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise RefusedReply(f"the answer gives the field {twice[:100]!r} twice; give each once")
    return fields


def _whole_number(digits: str) -> int:
    if len(digits) > DIGITS:
        raise RefusedReply(f"the answer holds a number of {len(digits):,} digits")
    return int(digits)


def _finite(digits: str) -> float:
    if isinf(number := float(digits)):
        raise RefusedReply(f"the answer holds a number too large to count with: {digits[:40]}")
    return number


def _no_number(word: str) -> NoReturn:
    raise RefusedReply(f"the answer holds {word}, which is no number")


# strict=False: smaller models leave line breaks unescaped inside strings; nothing is lost by
# reading them.
_DECODER = json.JSONDecoder(
    strict=False,
    object_pairs_hook=_named_once,
    parse_int=_whole_number,
    parse_float=_finite,
    parse_constant=_no_number,
)
