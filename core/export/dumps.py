"""Records as JSON: dumped one by one, and written as a document that people can read too."""

import json
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel


def dump(record: BaseModel | None) -> dict[str, Any] | None:
    """Return a record as JSON values; None where there is none."""
    return record.model_dump(mode="json") if record else None


def dump_all(records: Iterable[BaseModel]) -> list[dict[str, Any]]:
    """Return records as JSON values."""
    return [record.model_dump(mode="json") for record in records]


def as_json(document: object) -> str:
    """Write a document as JSON, a value a line."""
    return json.dumps(document, ensure_ascii=False, indent=1)
