"""What every record is: frozen, strict, hashable by content."""

import hashlib
import json
from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, StringConstraints

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
