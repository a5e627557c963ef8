"""JSON of any shape: where in it the ideas are, and each of them as one flat row."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from core.errors import BadInput
from core.importing.decoding import LONGEST_LINE, require_few_brackets
from core.importing.names import DESIGN_TEXTS, MANY, PARTS, PLACES, TEXTS, simple
from core.importing.own import OURS, bundle
from core.importing.sheets import MOST_COLUMNS, RefusedRow, Row, Sheet, column, gather, refused
from core.tables.cells import told_apart

DEEPEST = 20
"""Levels of nesting within a row."""
TITLE, GROUP = "title", "group"
"""The columns for the name an idea has in an object of ideas, and for the name of the list it
stands in.
"""
KNOWN = frozenset(
    [
        *TEXTS,
        *DESIGN_TEXTS,
        *MANY,
        *PARTS,
        *(name for names in PLACES.values() for name in names),
        "result",
        "output",
        "record",
    ]
)


def document(name: str, text: str, encoding: str) -> Sheet:
    """Read one JSON document; raises BadInput that says where it breaks."""
    require_few_brackets(name, text)
    try:
        whole = json.loads(text)
    except RecursionError:
        raise BadInput(
            f"{name} is nested too deeply to be read. Import a list of objects, one an idea."
        ) from None
    except json.JSONDecodeError as error:
        raise BadInput(
            f"{name} is no JSON: line {error.lineno}, column {error.colno}: {error.msg}. Where each"
            " line is an object of its own, call it .jsonl."
        ) from None
    except ValueError:
        raise BadInput(f"{name} holds a number too long to be read.") from None
    if parts := bundle(whole):
        return gather(name, "JSON, a run of this workbench", encoding, parts, system=OURS)
    return gather(name, "JSON", encoding, (_row(where, one) for where, one in spread(whole)))


def lines(name: str, text: str, encoding: str) -> Sheet:
    """Read one JSON object a line; a broken line is refused and takes no other along."""
    return gather(name, "JSON, one object a line", encoding, _lines(text))


def _lines(text: str) -> Iterator[Row | RefusedRow]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        if len(line) > LONGEST_LINE:
            yield refused(
                f"line {number}",
                line,
                f"it has more than {LONGEST_LINE:,} signs; give one idea a line",
            )
            continue
        try:
            yield _row(f"line {number}", json.loads(line))
        except RecursionError:
            yield refused(f"line {number}", line, "it is nested too deeply to be read")
        except json.JSONDecodeError as error:
            yield refused(
                f"line {number}", line, f"it is no JSON: column {error.colno}: {error.msg}"
            )
        except ValueError:
            yield refused(f"line {number}", line, "it holds a number too long to be read")


def spread(whole: Any, many: bool = False) -> Iterator[tuple[str, Any]]:
    """Give every idea of a document with where it stands: of a list, of a list in an object, of an
    object of titles, or the object itself.

    `many`: whether its name says that it holds several; then an object of texts holds one idea
    each.
    """
    if isinstance(whole, list):
        for number, one in enumerate(whole, 1):
            if _keyed(one):
                yield from (
                    (f"item {number}, {column(key)}", {TITLE: key, **value})
                    for key, value in one.items()
                )
            else:
                yield f"item {number}", one
    elif not isinstance(whole, dict) or _says(whole):
        yield "the object", whole
    elif _keyed(whole) or (many and _texts(whole)):
        yield from ((column(key), _with({TITLE: key}, value)) for key, value in whole.items())
    elif len(whole) > 1 and all(_listing(value) for value in whole.values()):
        yield from (
            (f"{column(key)}, {where}", _with({GROUP: key}, one))
            for key, value in whole.items()
            for where, one in spread(value)
        )
    else:
        yield from _inside(whole)


def _inside(whole: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Give the ideas of the likeliest list in an object, each with what the object says of all; the
    object itself where it holds no list.
    """
    several = [
        key
        for key, value in whole.items()
        if _listing(value) or _keyed(value) or (simple(key) in MANY and _texts(value))
    ]
    if not several:
        yield "the object", whole
        return
    inner = max(several, key=lambda key: _weight(key, whole[key]))
    common = {key: value for key, value in whole.items() if not isinstance(value, list | dict)}
    yield from (
        (f"{column(inner)}, {where}", _with(common, one))
        for where, one in spread(whole[inner], many=True)
    )


def _says(whole: dict[str, Any]) -> bool:
    """Say whether an object is an idea itself: it has a text of a known name, or two parts of
    one.
    """
    named = [
        name
        for key, value in whole.items()
        if isinstance(value, str | dict) and value
        for name in [simple(key)]
    ]
    return (
        any(name in (*TEXTS, *DESIGN_TEXTS) for name in named)
        or sum(name in PARTS for name in named) > 1
    )


def _keyed(value: Any) -> bool:
    """Say whether this is an object of ideas by their titles."""
    return (
        isinstance(value, dict)
        and bool(value)
        and not any(simple(key) in KNOWN for key in value)
        and all(isinstance(one, dict) and _says(one) for one in value.values())
    )


def _texts(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and bool(value)
        and all(isinstance(one, str) for one in value.values())
        and not any(simple(key) in KNOWN for key in value)
    )


def _listing(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(one, dict | str) for one in value)
    )


def _weight(key: str, value: Any) -> tuple[bool, bool, int]:
    texts = isinstance(value, list) and all(isinstance(one, str) for one in value)
    return simple(key) in MANY, not texts, len(value)


def _with(common: dict[str, Any], idea: Any) -> Any:
    return {**common, **(idea if isinstance(idea, dict) else {"text": idea})}


def _row(where: str, value: Any) -> Row | RefusedRow:
    if isinstance(value, str):
        return Row(where, {"text": value})
    if not isinstance(value, dict):
        return refused(
            where,
            str(value)[:120] if not isinstance(value, list) else "",
            "it is no object; an idea is an object with named parts, or a text",
        )
    try:
        parts = tuple(islice(_flat(value, "", 0), MOST_COLUMNS + 1))
    except _TooDeep:
        return refused(where, "", f"it is nested deeper than {DEEPEST} levels")
    if len(parts) > MOST_COLUMNS:
        return refused(
            where, "", f"it has more than {MOST_COLUMNS} parts; leave out what is not needed"
        )
    # Two names may differ in white space only.
    names = told_apart(name for name, _ in parts)
    return Row(where, dict(zip(names, (text for _, text in parts), strict=True)))


class _TooDeep(Exception):
    pass


def _flat(value: dict[str, Any], before: str, depth: int) -> Iterator[tuple[str, str]]:
    for key, part in value.items():
        name = f"{before}{column(key) or 'unnamed'}"
        if isinstance(part, dict):
            if depth == DEEPEST:
                raise _TooDeep
            yield from _flat(part, f"{name}.", depth + 1)
        else:
            yield name, _text(part, depth)


def _text(value: Any, depth: int) -> str:
    """Return a value as text: the parts of a list each on a line of its own."""
    if depth > DEEPEST:
        raise _TooDeep
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_text(part, depth + 1)}" for key, part in value.items())
    if isinstance(value, list):
        return "\n".join(_text(item, depth + 1) for item in value)
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
