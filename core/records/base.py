"""What every record is: frozen, strict, hashable by content."""

import hashlib
import json
from typing import Annotated, Any, ClassVar

from pydantic import (
    BaseModel,
    ConfigDict,
    SerializerFunctionWrapHandler,
    StringConstraints,
    model_serializer,
)

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000)]
"""A passage that must say something."""


class Record(BaseModel):
    """A frozen noun; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    came_later: ClassVar[frozenset[str]] = frozenset()
    """Fields that came after runs had shown such records: one that was shown without them is the
    same record.
    """

    def digest(self) -> str:
        """Return the SHA-256 of this record's canonical JSON, as 64 hex digits."""
        return digest(self.model_dump(mode="json"))


class Lean(Record):
    """A record that was hashed and stored before some of its fields were there: those are left out
    of its dump at their default, so that what was hashed before has the same hash.
    """

    added: ClassVar[tuple[str, ...]] = ()
    """The fields that came later."""

    @model_serializer(mode="wrap")
    def _dump(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        whole: dict[str, Any] = dump(self)
        kinds = type(self).model_fields
        unsaid = {name for name in self.added if getattr(self, name) == kinds[name].default}
        return {name: value for name, value in whole.items() if name not in unsaid}


def digest(value: object) -> str:
    """Return the SHA-256 of `value` as canonical JSON (sorted keys, no spaces)."""
    canonical = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def part(name: str) -> str:
    """Return a name as a part of a path; two names never share one."""
    plain = hyphenate(name.lower())[:60]
    return plain if plain == name else f"{plain}-{digest(name)[:6]}".lstrip("-")


def hyphenate(text: str, also: str = "") -> str:
    """Return the letters and digits of a text, and what else is allowed, with a hyphen for all that
    stands between.
    """
    letters = [letter if letter.isalnum() or letter in also else " " for letter in text]
    return "-".join("".join(letters).split())
