"""Records as JSON: dumped one by one, and written as a document that people can read too."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import BaseModel


def dump(record: BaseModel | None) -> dict[str, Any] | None:
    """Return a record as JSON values; None where there is none."""
    return record.model_dump(mode="json") if record else None


def dump_all(records: Iterable[BaseModel]) -> list[dict[str, Any]]:
    """Return records as JSON values."""
    return list(dump_each(records))


def dump_each(records: Iterable[BaseModel]) -> Iterator[dict[str, Any]]:
    """Yield records as JSON values, each as it is asked for."""
    return (record.model_dump(mode="json") for record in records)


def as_json(document: object) -> str:
    """Write a document as JSON, a value a line."""
    return json.dumps(document, ensure_ascii=False, indent=1)


def write_json(value: object, margin: str = "\n") -> Iterator[str]:
    """Yield the text that `as_json` returns, piece by piece.

    An iterator in the document is written as a list, and its values are made one by one. The
    document and the mappings in it have texts as names.
    """
    inner = f"{margin} "
    if isinstance(value, Iterator):
        before = "["
        for item in value:
            yield before + inner + _shift(item, inner)
            before = ","
        yield "[]" if before == "[" else f"{margin}]"
    elif isinstance(value, dict) and value:
        before = "{"
        for name, part in value.items():
            yield f"{before}{inner}{as_json(name)}: "
            yield from write_json(part, inner)
            before = ","
        yield f"{margin}}}"
    else:
        yield _shift(value, margin)


def _shift(value: object, margin: str) -> str:
    # A text in JSON holds no line break of its own.
    return as_json(value).replace("\n", margin)
